//! The files themselves: the built-in ones, and what is said of one that is wrong.

use super::*;
use crate::document::{Blast, Severity};

#[test]
fn every_built_in_file_reads_and_every_rule_says_who_and_when() {
    let targets = Target::builtins();
    assert_eq!(targets.len(), 20);
    for name in Target::builtin_names() {
        let text = Target::builtin_text(name).unwrap();
        if let Err(error) = super::super::raw::read(text, name, false) {
            panic!("{error}");
        }
        let target = Target::builtin(name).unwrap();
        assert_eq!(target.name(), name);
        assert!(!target.rules().is_empty(), "{name}");
        for rule in target.rules() {
            assert!(rule.date.starts_with("202"), "{name} {}", rule.id);
            assert!(!rule.source.is_empty() && !rule.why.is_empty(), "{name} {}", rule.id);
            if rule.confidence == Confidence::Low {
                assert!(rule.severity <= Severity::Warning, "{name} {}", rule.id);
            }
        }
    }
}

/// For every target a tool or a list that it takes and one that breaks a rule of its.
#[test]
fn every_target_takes_a_plain_tool_and_finds_a_bad_one() {
    let text = |schema: &str| {
        format!(
            "summary: Do it, requestBody: {{content: {{application/json: {{schema: {{type: object, properties: {{v: {schema}}}}}}}}}}}, responses: {{}}"
        )
    };
    let plain = text("{type: string}");
    let good = document(&[("get_thing", &plain)]).replace("3.1.0", "3.0.3");
    let long = "n".repeat(70);
    let longer = "n".repeat(130);
    let bad_key = text("{type: string}").replace("{v:", "{'v[x]':");
    let cases: &[(&str, &str, &str, &str)] = &[
        ("safe-everywhere", &long, &plain, "name-length"),
        ("mcp-2025-11-25", &longer, &plain, "name-length"),
        ("mcp-2026-07-28", &longer, &plain, "name-length"),
        ("anthropic-api", "a", &bad_key, "argument-names"),
        ("claude-code", &longer, &plain, "name-length"),
        ("claude-desktop", &long, &plain, "name-length"),
        ("openai-chat", &long, &plain, "name-length"),
        ("openai-responses", &long, &plain, "name-length"),
        ("openai-strict", "a", &plain, "strict-required"),
        ("azure-openai", &long, &plain, "name-length"),
        ("gemini-api", "a", &text("{type: string, const: x}"), "keywords"),
        ("vertex-gemini", "a", &text("{type: [string, integer]}"), "single-type"),
        ("bedrock-converse", &long, &plain, "name-length"),
        ("bedrock-agents", &long, &plain, "name-length"),
        ("agentcore-gateway", "", &plain, "operation-id"),
        ("mistral", &long, &plain, "name-length"),
        ("cursor", &long, &plain, "combined-length"),
        ("vscode-copilot", "getThing", &plain, "name-characters"),
        ("windsurf", "", "", "tool-count"),
        ("agentgateway", "a", &text("{type: string, exclusiveMinimum: 3}"), "reads"),
    ];
    assert_eq!(cases.len(), Target::builtin_names().count());
    for (target, id, operation, expected) in cases {
        let choices = [choice(target)];
        let matrix = verdicts(&derived(&good), &choices);
        let strict = *target == "openai-strict";
        assert_eq!(
            matrix.get(0, 0),
            if strict { Verdict::Warn } else { Verdict::Ok },
            "{target}: {:?}",
            matrix.findings
        );
        let bad = if id.is_empty() && operation.is_empty() {
            let ids: Vec<String> = (0..101).map(|number| format!("tool_{number}")).collect();
            let operations: Vec<(&str, &str)> = ids.iter().map(|id| (id.as_str(), "responses: {}")).collect();
            document(&operations)
        } else {
            document(&[(id, operation)])
        };
        let catalog = derived(&bad);
        let found = check(&catalog, &choices);
        assert!(rule_ids(&found).contains(expected), "{target}: {found:?}");
        let matrix = verdicts(&catalog, &choices);
        assert_ne!(matrix.rows[0].iter().max().max(Some(&matrix.totals[0].list)), Some(&Verdict::Ok), "{target}");
    }
}

#[test]
fn a_wrong_file_is_refused_with_line_and_remedy() {
    let head = "name = \"mine\"\ntitle = \"Mine\"\n";
    let rule = "[[rules]]\nid = \"r\"\nkind = \"depth\"\nseverity = \"error\"\nwhy = \"w\"\nsource = \"s\"\ndate = \"2026\"\nconfidence = \"H\"\n";
    let cases: &[(String, usize, &str)] = &[
        ("name = ".into(), 1, ""),
        ("title = \"x\"\n".into(), 1, "missing field `name`"),
        (format!("{head}nmae = 1\n"), 3, "unknown field `nmae`"),
        ("name = \"a:b\"\ntitle = \"x\"\n".into(), 1, "a target's name has letters"),
        ("title = \"x\"\nname = \"cursor\"\n".into(), 2, "`cursor` is a built-in target"),
        (format!("{head}extends = \"nowhere\"\n"), 3, "there is no target `nowhere`"),
        (format!("{head}extends = \"cursor\"\nwithout = [\"xyz\"]\n"), 4, "there is no rule `xyz` to leave out"),
        (format!("{head}{rule}"), 3, "a rule of kind `depth` needs `max`"),
        (format!("{head}{rule}max = 3\npattern = 'a'\n"), 12, "takes no `pattern`"),
        (format!("{head}{rule}max = -3\n"), 11, ""),
        (format!("{head}{}", rule.replace("depth", "deepness")), 5, "unknown variant `deepness`"),
        (
            format!("{head}{}", rule.replace("depth", "name_pattern") + "pattern = '['\n"),
            11,
            "`[` is no regular expression",
        ),
        (format!("{head}{}max = 3\n", rule.replace("\"2026\"", "\"soon\"")), 9, "`soon` is no date"),
        (format!("{head}{rule}max = 3\n{rule}max = 4\n"), 12, "there are two rules `r`"),
        (format!("{head}[client]\nexposes = \"{{who}}\"\n"), 3, "is no template"),
        (format!("{head}[client]\nserver_keeps = \"abc\"\n"), 3, "is no class of characters"),
    ];
    for (text, line, expected) in cases {
        let error = Target::parse(text, "mine.toml").unwrap_err();
        assert_eq!(error.line, *line, "{text}\n{error}");
        assert!(error.message.contains(expected), "{text}\n{error}");
        assert!(error.to_string().starts_with("mine.toml:"), "{error}");
    }
}

#[test]
fn a_file_extends_another_and_low_confidence_never_fails_a_build() {
    let text = "name = \"mine\"\ntitle = \"Mine\"\nextends = \"cursor\"\nwithout = [\"tool-count\"]\n[[rules]]\nid = \"combined-length\"\nkind = \"combined_length\"\nmax = 30\nseverity = \"error\"\nblast = \"tool_dropped\"\nwhy = \"w\"\nsource = \"s\"\ndate = \"2026-11-29\"\nconfidence = \"L\"\n";
    let target = Target::parse(text, "mine.toml").unwrap();
    let ids: Vec<&str> = target.rules().iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids, ["combined-length", "references"]);
    let rule = target.rule("combined-length").unwrap();
    assert_eq!((rule.severity, rule.blast, rule.limit()), (Severity::Warning, Blast::ToolDropped, Some(30)));
    assert!(target.client().adds_server());
    let json = serde_json::to_string(rule).unwrap();
    assert!(
        json.contains(r#""kind":"combined_length","wants":"at most 30","severity":"warning","blast":"tool_dropped""#)
    );
}
