//! Profiles as data: the built-in ones, files of a user, amendments of a workspace, and the steps that names show.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use toolscope::naming::{Amendments, CollisionPolicy, NameInput, NameSource, Named, Profile, name};

fn builtin(name: &str) -> Profile {
    Profile::builtin(name).unwrap()
}

fn input<'a>(path: &'a str, operation_id: Option<&'a str>) -> NameInput<'a> {
    NameInput { method: "GET", path, operation_id, ..NameInput::default() }
}

fn stages(named: &Named) -> Vec<(&str, &str, &str)> {
    named.trail.iter().map(|step| (step.stage, step.before.as_str(), step.after.as_str())).collect()
}

#[test]
fn every_built_in_profile_can_be_read() {
    let names: Vec<&str> = Profile::builtin_names().collect();
    let read: Vec<String> = Profile::builtins().iter().map(|profile| profile.name().to_owned()).collect();
    assert_eq!(read, names);
    for name in names {
        let profile = builtin(name);
        assert!(!profile.rules().about.is_empty() && !profile.rules().basis.is_empty(), "{name}");
        let parameters = profile.parameters();
        assert!(parameters.len() > 10, "{name}");
        assert!(parameters.iter().all(|parameter| parameter.from.contains("(built in)")), "{name}: {parameters:?}");
    }
    assert!(Profile::builtin("no-such").is_none());
}

#[test]
fn parameters_say_where_they_come_from() {
    let file = "name = \"mine\"\nextends = \"mcp-anything\"\n\n[length]\nmax = 40\n";
    let mine = Profile::parse(file, "mine.toml").unwrap();
    let amendments = Amendments { separator: Some("-".into()), ..Amendments::default() };
    let mine = mine.amended(&amendments).unwrap();
    let parameters = mine.parameters();
    let of = |key: &str| {
        let found = parameters.iter().find(|parameter| parameter.key == key).unwrap();
        (found.value.as_str(), found.from.as_str())
    };
    assert_eq!(of("length.max"), ("40", "mine.toml:5"));
    assert_eq!(of("namespace.separator"), ("\"-\"", "workspace"));
    let (value, from) = of("stages.common.lowercase");
    assert!(value == "true" && from.starts_with("mcp-anything.toml:"), "{value} {from}");
    assert!(of("verb.words.GET {}").1.starts_with("default.toml:"));
}

#[test]
fn a_wrong_file_is_an_error_with_its_line() {
    let cases = [
        ("name = \"x\"\nextends = \"default\"\n[length]\nmaks = 3\n", 4, 1, "maks"),
        ("name = \"x\"\nextends = \"default\"\n[length]\nmax = \"3\"\n", 4, 7, "string"),
        ("name = \"x\"\nextends = \"default\"\n[length]\nrule = \"cutt\"\n", 4, 8, "cutt"),
        ("name = \"x\"\nextends = \"default\"\n[length]\nmax = -3\n", 4, 7, "-3"),
        ("name = \"x\"\nextends = \"defaults\"\n", 2, 1, "stitchkit-openapi"),
        ("name = \"x\"\nname = \"y\"\n", 2, 1, "duplicate"),
        ("name = \"x\"\n[stages.comon]\n", 2, 9, "comon"),
        ("name = ", 1, 8, ""),
        ("extends = \"default\"", 1, 1, "needs a name"),
        ("\nname = \"agents\"\nextends = \"default\"", 2, 1, "choose another"),
        ("name = \"x\"\n[source]\norder = []\n", 3, 1, "names no source"),
        ("name = \"x\"\n[source]\norder = [\"slug\", \"slug\"]\n", 3, 1, "twice"),
        ("name = \"x\"\n[source]\nupstream = \"conduit\"\n", 3, 1, "upstream itself"),
        ("name = \"x\"\nextends = \"conduit\"\n[source]\norder = [\"slug\"]\n", 4, 1, "no effect"),
        ("name = \"x\"\nextends = \"default\"\n[stages.slug]\nlegal = \"[z-a]\"\n", 4, 1, "regular expression"),
        ("name = \"x\"\nextends = \"default\"\n[stages.common]\n\nlegal = \"[a-z]\"\n", 5, 1, "does not hold `_`"),
        ("name = \"x\"\nextends = \"default\"\n[stages.slug]\nempty = \"word\"\n", 3, 9, "empty_word"),
        ("name = \"x\"\nextends = \"default\"\n[stages.slug]\ntext = \"{tag}\"\n", 4, 1, "{tag}"),
        ("name = \"x\"\nextends = \"default\"\n[namespace]\ntemplate = \"{base}{prefix}\"\n", 4, 1, "end with {base}"),
        ("name = \"x\"\nextends = \"default\"\n[namespace]\nseparator = \"\"\n", 4, 1, "template uses it"),
        ("name = \"x\"\nextends = \"default\"\n[namespace]\nglobal = \"g\"\n", 4, 1, "no {global}"),
        ("name = \"x\"\nextends = \"default\"\n[length]\nrule = \"none\"\n", 3, 2, "no effect"),
        ("name = \"x\"\nextends = \"default\"\n[length]\nrule = \"replace\"\nhash_digits = 8\n", 3, 2, "replacement"),
        ("name = \"x\"\nextends = \"agents\"\n[length]\nmax = 7\n", 4, 1, "no room"),
        ("name = \"x\"\nextends = \"agents\"\n[length]\nhash_digits = 65\n", 4, 1, "1 to 64"),
        ("name = \"x\"\nextends = \"default\"\n[assert]\npattern = \"(\"\n", 4, 1, "regular expression"),
        ("name = \"x\"\nextends = \"default\"\n[collide]\nwithin = \"panic\"\n", 4, 10, "panic"),
        ("name = \"x\"\nextends = \"default\"\n[collide]\nhash_digits = 0\n", 4, 1, "1 to 64"),
    ];
    let mut wrong = Vec::new();
    for (text, line, column, word) in cases {
        let Err(error) = Profile::parse(text, "x.toml") else { panic!("is accepted: {text}") };
        if !error.message.contains(word) || (error.line, error.column) != (line, column) {
            wrong.push(format!("{text}\n{error}\nexpected {line}:{column} {word}\n"));
        }
        assert!(!error.message.contains('\n') && error.to_string().starts_with("x.toml:"), "{error}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_of_a_user_can_stand_alone() {
    let file = r#"
        name = "kebab"
        [source]
        order = ["slug"]
        [stages.slug]
        text = "{method} {path}"
        legal = "[a-z0-9_-]"
        replace = "run"
        lowercase = true
        trim = "both"
        empty = "reject"
        [namespace]
        template = "{global}{base}"
        global = "my-"
        [length]
        rule = "cut"
        max = 12
        unit = "bytes"
    "#;
    let kebab = Profile::parse(file, "kebab.toml").unwrap();
    let named = name(&kebab, &input("/pets/{id}", Some("ignored")));
    assert_eq!(named.name, "my-get_pets_");
    let truncated = named.truncated.unwrap();
    assert_eq!((truncated.full.as_str(), truncated.cut.as_str()), ("my-get_pets_id", "id"));
    assert_eq!(named.candidates.operation_id, None);
}

#[test]
fn a_workspace_sets_parameters_and_they_are_checked_again() {
    let default = builtin("default");
    let path = input("/Pets__{petId}_", None);
    let cases = [
        (Amendments::default(), "get_Pets_petId"),
        (Amendments { lowercase: Some(true), ..Amendments::default() }, "get_pets_petid"),
        (Amendments { collapse: Some(false), ..Amendments::default() }, "get_Pets__petId"),
        (Amendments { trim: Some(false), collapse: Some(false), ..Amendments::default() }, "get__Pets__petId_"),
        (Amendments { max_length: Some(6), ..Amendments::default() }, "get_Pe"),
    ];
    for (amendments, expected) in cases {
        assert_eq!(name(&default.amended(&amendments).unwrap(), &path).name, expected, "{amendments:?}");
    }
    let empty = Amendments { separator: Some(String::new()), ..Amendments::default() };
    assert_eq!(default.amended(&empty).unwrap_err().key, "namespace.separator");
    let policy = Amendments { conflict: Some(CollisionPolicy::Skip), ..Amendments::default() };
    let rules = |name: &str| builtin(name).amended(&policy).unwrap().rules().collide.clone();
    assert_eq!((rules("default").within, rules("default").across), (CollisionPolicy::Skip, CollisionPolicy::Skip));
    assert_eq!(rules("mcp-anything").across, CollisionPolicy::Error);
    let limit = Amendments { max_length: Some(5), ..Amendments::default() };
    let code = builtin("agents@code").amended(&limit).unwrap();
    assert_eq!(name(&code, &input("/x", Some("abcdefgh"))).name, "abcde");
    let words =
        Amendments { description_max_length: Some(9), description_suffix: Some("…".into()), ..Amendments::default() };
    let description = default.amended(&words).unwrap().rules().description.clone();
    assert_eq!((description.max_length, description.suffix.as_str()), (9, "…"));
}

#[test]
fn the_trail_shows_every_step_and_why_a_source_was_used() {
    let id = NameInput { prefix: Some("shop"), ..input("/x", Some("__getHTTPSResponse.{x}")) };
    let named = name(&builtin("mcp-anything"), &id);
    let expected = [
        ("source", "", "__getHTTPSResponse.{x}"),
        ("camel_split", "__getHTTPSResponse.{x}", "__get_HTTPS_Response.{x}"),
        ("braces", "__get_HTTPS_Response.{x}", "__get_HTTPS_Response.x"),
        ("replace", "__get_HTTPS_Response.x", "__get_HTTPS_Response_x"),
        ("lowercase", "__get_HTTPS_Response_x", "__get_https_response_x"),
        ("collapse", "__get_https_response_x", "_get_https_response_x"),
        ("trim", "_get_https_response_x", "get_https_response_x"),
        ("namespace", "get_https_response_x", "shop__get_https_response_x"),
    ];
    assert_eq!(stages(&named), expected);
    assert_eq!(named.trail[0].rule, "operationId, because there is no x-mcp-tool-name");
    assert_eq!(named.base, "get_https_response_x");
    assert_eq!(named.candidates.operation_id.as_deref(), Some("shop__get_https_response_x"));
    assert_eq!(named.candidates.slug.as_deref(), Some("shop__list_x"));
    assert_eq!(named.candidates.name_override, None);
}

#[test]
fn an_override_is_verbatim_and_the_losers_are_kept() {
    let overridden =
        NameInput { name_override: Some("Fetch Pet"), prefix: Some("s"), ..input("/pets", Some("getPet")) };
    for (profile, code) in [("default", "override-illegal-characters"), ("mcp-anything", "name-assertion")] {
        let named = name(&builtin(profile), &overridden);
        assert_eq!((named.name.as_str(), named.source), ("s__Fetch Pet", NameSource::Override));
        assert_eq!(named.warnings.iter().map(|(code, _)| *code).collect::<Vec<_>>(), [code]);
        assert_eq!(named.trail[0].rule, "x-mcp-tool-name, which comes first");
        assert_eq!(named.candidates.slug.as_deref(), Some("s__list_pets"));
    }
    let fine = NameInput { name_override: Some("fetch-pet.v2"), ..overridden };
    assert_eq!(name(&builtin("default"), &fine).warnings, []);
    let blank = NameInput { name_override: Some(""), ..overridden };
    let named = name(&builtin("default"), &blank);
    assert_eq!(named.trail[0].rule, "operationId, because x-mcp-tool-name is empty");
}

#[test]
fn without_a_prefix_a_name_is_its_bare_base() {
    let cases = [
        ("default", "getPet"),
        ("mcp-anything", "__get_pet"),
        ("conduit", "getPet"),
        ("agents", "getPet"),
        ("stitchkit-openapi", "getPet"),
    ];
    for (profile, expected) in cases {
        for prefix in [None, Some("")] {
            let pet = NameInput { prefix, ..input("/pets", Some("getPet")) };
            assert_eq!(name(&builtin(profile), &pet).name, expected, "{profile}");
        }
    }
}

#[test]
fn too_long_a_name_keeps_prefix_and_separator_or_is_refused() {
    let at = |profile: &str, max: usize, prefix: &'static str, id: &'static str| {
        let amendments = Amendments { max_length: Some(max), ..Amendments::default() };
        let prefixed = NameInput { prefix: Some(prefix), ..input("/x", Some(id)) };
        name(&builtin(profile).amended(&amendments).unwrap(), &prefixed)
    };
    let hashed = at("agents", 24, "p", "abcdefghijklmnop");
    assert!(hashed.name.starts_with("openapi_p_abcdefg_") && hashed.name.len() == 24, "{}", hashed.name);
    assert_eq!(hashed.truncated.unwrap().cut, "hijklmnop");
    for max in [5, 6] {
        let refused = at("default", max, "shop", "x1");
        assert!(refused.rejected.is_some_and(|why| why.contains("no room")), "{max}");
        assert_eq!(refused.candidates.operation_id, None);
    }
    let replaced = at("conduit", 20, "files", "abcdefghijklmnop");
    assert!(replaced.name.starts_with("trunc_") && replaced.rejected.is_none());
    assert!(at("conduit", 13, "files", "abcdefghijklmnop").rejected.is_some());
}

#[test]
fn the_gateway_shows_the_steps_of_the_server_behind_it() {
    let named = name(&builtin("conduit"), &NameInput { prefix: Some("files"), ..input("/x", Some("fs.read")) });
    assert_eq!(named.name, "files__fs_read");
    assert_eq!(stages(&named).iter().map(|step| step.0).collect::<Vec<_>>(), ["source", "replace", "namespace"]);
    assert!(named.trail[1].rule.contains("profile default"), "{}", named.trail[1].rule);
    assert_eq!(named.candidates.slug.as_deref(), Some("files__list_x"));
}

#[test]
fn methods_of_a_document_s_own_become_legal() {
    let search = NameInput { method: "M-SEARCH", path: "/pets", ..NameInput::default() };
    for (profile, expected) in [("default", "m_search_pets"), ("agents", "m_search_pets")] {
        assert_eq!(name(&builtin(profile), &search).name, expected);
    }
}

#[test]
fn a_deeply_nested_file_is_an_error() {
    let deep = 20_000;
    let texts = [
        format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)),
        format!("a = {}1{}", "{a = ".repeat(deep), "}".repeat(deep)),
        format!("a{} = 1", ".a".repeat(deep)),
        format!("[a{}]", ".a".repeat(deep)),
    ];
    for text in texts {
        let error = Profile::parse(&text, "x.toml").expect_err("is no profile");
        assert_eq!(error.line, 1);
    }
}
