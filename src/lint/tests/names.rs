//! Names as clients make them, and names that are lost.

use super::*;

#[test]
fn a_client_puts_the_server_name_before_the_tools() {
    let catalog = derived(&document(&[("getUser", "responses: {}")]));
    let name = &catalog.tools[0].named.name;
    let cases = [
        ("claude-code", name.clone()),
        ("claude-code:my server", format!("mcp__my_server__{name}")),
        ("claude-code:a.b-c", format!("mcp__a_b-c__{name}")),
        ("cursor:my-server", format!("mcp_my-server_{name}")),
        ("vscode-copilot:x", format!("mcp_x_{name}")),
        ("agentcore-gateway:t", "t___getUser".to_owned()),
        ("agentgateway", "getUser".to_owned()),
        ("openai-chat", name.clone()),
    ];
    for (text, expected) in cases {
        let choice = choice(text);
        assert_eq!(choice.exposed(&catalog.tools[0]), expected, "{text}");
        assert_eq!(choice.label(), text);
    }
}

#[test]
fn a_choice_that_means_nothing_is_refused_with_what_to_write() {
    let cases = [
        ("nowhere", "there is no target `nowhere`; there are safe-everywhere, mcp-2025-11-25"),
        ("cursor:", "write `cursor:my-server` or `cursor`"),
        ("openai-chat:my", "puts no server name before a tool's name"),
        ("", "there is no target ``"),
    ];
    for (text, expected) in cases {
        let error = TargetChoice::parse(text, &[]).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_users_target_is_chosen_by_name() {
    let mine = target_of("kind = \"unique_names\"").target;
    let choice = TargetChoice::parse("mine:s", &[mine]).unwrap();
    assert_eq!((choice.target.title(), choice.server_name.as_deref()), ("Mine", Some("s")));
}

#[test]
fn the_prefix_that_a_client_adds_counts() {
    let name = "a".repeat(52);
    let catalog = derived(&document(&[(&name, "summary: s, responses: {}")]));
    let long = "my-very-long-server-name-of-a-company-with-a-long-name-and-all-its-departments";
    let cases = [
        ("cursor".to_owned(), Verdict::Ok),
        ("cursor:12345678".to_owned(), Verdict::Ok),
        ("cursor:123456789".to_owned(), Verdict::Dropped),
        ("claude-code:api".to_owned(), Verdict::Ok),
        (format!("claude-code:{long}"), Verdict::Dropped),
        ("safe-everywhere".to_owned(), Verdict::Ok),
        ("safe-everywhere:a".to_owned(), Verdict::Ok),
        ("safe-everywhere:ab".to_owned(), Verdict::Dropped),
    ];
    for (text, expected) in cases {
        assert_eq!(verdicts(&catalog, &[choice(&text)]).get(0, 0), expected, "{text}");
    }
    let found = check(&catalog, &[choice("cursor:my-server")]);
    assert!(found[0].message.contains("`my-server` of the server"), "{}", found[0].message);
    assert!(found[0].message.contains("have 61 characters, 1 more than 60"), "{}", found[0].message);
}

/// Two operationIds that differ only after character 64.
fn twins() -> String {
    let (a, b) = (format!("{}Alpha", "x".repeat(64)), format!("{}Beta", "x".repeat(64)));
    document(&[(&a, "summary: One, responses: {}"), (&b, "summary: Two, responses: {}"), ("short", "responses: {}")])
}

#[test]
fn names_that_differ_only_after_the_limit_are_a_finding_of_every_target_with_that_limit() {
    let catalog = derived(&twins());
    assert_eq!(catalog.tools.len(), 3);
    let mut limited = 0;
    for target in Target::builtins() {
        let limit = |rule: &Rule| rule.kind() == "name_length" && rule.limit() == Some(64);
        if !target.rules().iter().any(limit) {
            continue;
        }
        limited += 1;
        let found = check(&catalog, &[TargetChoice::new(target.clone())]);
        for tool in &catalog.tools[..2] {
            let of_tool: Vec<&str> = found
                .iter()
                .filter(|finding| finding.tool.as_deref() == Some(&tool.named.name))
                .map(|finding| finding.code)
                .collect();
            assert!(of_tool.contains(&"target-name-length"), "{}: {of_tool:?}", target.name());
            assert!(of_tool.contains(&"target-name-cut"), "{}: {of_tool:?}", target.name());
        }
        assert!(!found.iter().any(|f| f.tool.as_deref() == Some("short") && f.code == "target-name-cut"));
    }
    assert!(limited >= 10, "{limited}");
}

#[test]
fn under_every_profile_no_tool_is_lost_without_a_word() {
    let text = twins();
    let mut sources = Sources::default();
    let file = sources.put(SourceFile::new("api.yaml", text.as_str()));
    for profile in Profile::builtins() {
        let name = profile.name().to_owned();
        let upstream = UpstreamInput {
            name: "api".to_owned(),
            prefix: None,
            base_url: None,
            documents: Arc::new(DocumentSet::single(parse(file, "api.yaml", &text).unwrap())),
            touches: Vec::new(),
            findings: Vec::new(),
        };
        let catalog = catalog(&[upstream], &Settings::new(profile), Arc::new(sources.clone()), None);
        assert_eq!(catalog.all().count(), 3, "{name}");
        assert!(catalog.hidden.iter().all(|tool| !tool.hidden.as_ref().unwrap().why.is_empty()), "{name}");
        let found = check(&catalog, &[choice("openai-chat")]);
        for tool in catalog.tools.iter().filter(|tool| tool.named.name.chars().count() > 64) {
            let told = found.iter().any(|finding| finding.tool.as_deref() == Some(&tool.named.name));
            assert!(told, "{name}: {}", tool.named.name);
        }
        // Two exposed tools of one name are a conflict of the catalog.
        let mut names: Vec<&str> = catalog.tools.iter().map(|tool| tool.named.name.as_str()).collect();
        names.sort_unstable();
        let twice = names.windows(2).any(|pair| pair[0] == pair[1]);
        assert_eq!(twice, catalog.tools.iter().any(|tool| tool.conflict.is_some()), "{name}");
    }
}

#[test]
fn two_tools_of_one_name_are_found() {
    let mut catalog = derived(&document(&[("a", "responses: {}"), ("b", "responses: {}"), ("c", "responses: {}")]));
    Arc::make_mut(&mut catalog.tools[2]).named.name = "a".to_owned();
    let found = check(&catalog, &[target_of("kind = \"unique_names\"")]);
    assert_eq!(found.len(), 2);
    assert!(found[0].message.starts_with("2 tools have the name `a`"), "{}", found[0].message);
    let lines: Vec<usize> =
        found.iter().map(|finding| catalog.sources.locate(finding.place.as_ref().unwrap()).line).collect();
    assert_eq!(lines, [5, 9]);
}
