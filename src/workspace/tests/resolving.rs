//! Options and workspace file to what is to be loaded.

use super::{folder, options};
use crate::workspace::{HeaderArg, LoadErrorKind, Options, SettingArg, Workspace};

const CONFIG: &str = "
upstreams:
  - {name: shop, tool_prefix: s, openapi: {source: specs/shop.yaml}, overlay: {source: 'https://h/o.yaml'}}
  - {name: bank, openapi: {source: '${BANK}'}}
overlays: [all.yaml]
profile: agents
naming: {max_length: 50}
targets: [openai-chat]
";

fn shown(workspace: &Workspace) -> Vec<String> {
    let show = |upstream: &crate::workspace::UpstreamSource| {
        let overlays: Vec<&str> = upstream.overlays.iter().map(|overlay| overlay.name.as_str()).collect();
        let prefix = upstream.prefix.as_deref().unwrap_or("-");
        format!("{} {prefix} {} [{}]", upstream.name, upstream.document.name, overlays.join(" "))
    };
    workspace.upstreams.iter().map(show).collect()
}

#[test]
fn documents_of_the_command_line() {
    let folder = folder(&[("toolscope.yaml", CONFIG)]);
    let cases: [(&[&str], &[&str], &[&str]); 6] = [
        (&["api/pets.yaml"], &[], &["pets - api/pets.yaml []"]),
        (&["-"], &["o.yaml"], &["stdin - - [o.yaml]"]),
        (
            &["https://u:p@h.example/v1/openapi.json?key=1"],
            &[],
            &["openapi - https://h.example/v1/openapi.json?key=*** []"],
        ),
        (&["a=x.yaml", "b=x.yaml"], &["b=1.yaml", "2.yaml"], &["a a x.yaml [2.yaml]", "b b x.yaml [1.yaml 2.yaml]"]),
        (&["x.yaml", "y/x.json"], &[], &["x - x.yaml []", "x-2 - y/x.json []"]),
        (&["https://h.example/"], &[], &["h.example - https://h.example/ []"]),
    ];
    for (specs, overlays, expected) in cases {
        let workspace = Workspace::resolve(&options(specs, overlays), folder.path()).unwrap();
        assert_eq!(shown(&workspace), expected, "{specs:?}");
        assert_eq!(
            (workspace.profile.as_str(), workspace.naming.max_length),
            ("default", None),
            "the folder's file is not read"
        );
    }
}

#[test]
fn the_workspace_file_of_the_folder() {
    let folder = folder(&[("toolscope.yaml", CONFIG), ("conf/w.yaml", CONFIG)]);
    let workspace = Workspace::resolve(&Options::default(), folder.path()).unwrap();
    let expected = ["shop s specs/shop.yaml [https://h/o.yaml all.yaml]", "bank - ${BANK} [all.yaml]"];
    assert_eq!(shown(&workspace), expected);
    assert_eq!((workspace.profile.as_str(), workspace.naming.max_length), ("agents", Some(50)));
    let elsewhere = Options {
        config: Some("conf/w.yaml".into()),
        profile: Some("conduit".into()),
        targets: vec!["cursor:x".into()],
        settings: vec![
            SettingArg::parse("naming.max_length=64").unwrap(),
            SettingArg::parse("upstreams.bank.tool_prefix=b").unwrap(),
        ],
        ..Options::default()
    };
    let workspace = Workspace::resolve(&elsewhere, folder.path()).unwrap();
    assert_eq!(
        shown(&workspace),
        ["shop s conf/specs/shop.yaml [https://h/o.yaml conf/all.yaml]", "bank b ${BANK} [conf/all.yaml]"]
    );
    assert_eq!((workspace.profile.as_str(), workspace.naming.max_length), ("conduit", Some(64)));
    assert_eq!(workspace.targets[0].server_name.as_deref(), Some("x"));
    let with_spec = Options { config: Some("conf/w.yaml".into()), ..options(&["z.yaml"], &[]) };
    let workspace = Workspace::resolve(&with_spec, folder.path()).unwrap();
    assert_eq!(shown(&workspace), ["z - z.yaml []",].map(|text| text.replace("[]", "[conf/all.yaml]")));
    assert_eq!(workspace.naming.max_length, Some(50), "settings of the file hold for documents of the command line");
}

#[test]
fn one_document_takes_prefix_and_base_url() {
    let folder = folder(&[]);
    let both = Options { prefix: Some("p".into()), base_url: Some("https://h/v1".into()), ..options(&["a.yaml"], &[]) };
    let workspace = Workspace::resolve(&both, folder.path()).unwrap();
    assert_eq!(
        (workspace.upstreams[0].prefix.as_deref(), workspace.upstreams[0].base_url.as_deref()),
        (Some("p"), Some("https://h/v1"))
    );
}

#[test]
fn what_cannot_be_resolved_says_what_to_do() {
    let empty = folder(&[]);
    let set =
        |text: &str| Options { demo: true, settings: vec![SettingArg::parse(text).unwrap()], ..Options::default() };
    let cases: [(Options, &str, &str); 10] = [
        (Options::default(), "no document is named", "--demo"),
        (Options { demo: true, ..options(&["a.yaml"], &[]) }, "--demo opens the built-in", "Leave one"),
        (
            Options { prefix: Some("p".into()), ..options(&["a.yaml", "b.yaml"], &[]) },
            "--prefix means one document",
            "P=SPEC",
        ),
        (Options { base_url: Some("nope".into()), ..options(&["a.yaml"], &[]) }, "is no URL", "https://"),
        (options(&["shop=a.yaml"], &["shopp=o.yaml"]), "there is no upstream `shopp`", "`shop`"),
        (
            Options { profile: Some("defualt".into()), ..options(&["a.yaml"], &[]) },
            "no naming profile `defualt`",
            "`default`",
        ),
        (Options { config: Some("gone.yaml".into()), ..Options::default() }, "there is no file `gone.yaml`", "path"),
        (set("naming.seperator=x"), "`naming.seperator` is no key", "`separator`"),
        (set("naming.max_length=x"), "is text, not a whole number", "whole number"),
        (set("naming.max_length.x=1"), "--set naming.max_length.x", ""),
    ];
    for (options, message, remedy) in cases {
        if message.starts_with("--set") {
            // A value is made where there is none, so this one is told by the reader of the file.
            assert!(Workspace::resolve(&options, empty.path()).is_err());
            continue;
        }
        let error = Workspace::resolve(&options, empty.path()).unwrap_err();
        assert!(error.message.contains(message), "{error}");
        assert!(error.remedy.as_deref().unwrap_or_default().contains(remedy), "{error}");
        assert_eq!(error.kind, LoadErrorKind::Usage, "{error}");
    }
}

#[test]
fn a_broken_workspace_file_is_told_with_its_line() {
    let folder = folder(&[("toolscope.yaml", "naming:\n  separator: [\n"), ("none.yaml", "naming: {}\n")]);
    let error = Workspace::resolve(&Options::default(), folder.path()).unwrap_err();
    assert_eq!((error.kind, error.file.as_deref()), (LoadErrorKind::Input, Some("toolscope.yaml")));
    assert!(error.line.is_some() && error.excerpt.is_some(), "{error}");
    let none = Options { config: Some("none.yaml".into()), ..Options::default() };
    assert!(Workspace::resolve(&none, folder.path()).unwrap_err().message.contains("names no document"));
}

#[test]
fn the_demo_is_what_there_is_without_anything() {
    let empty = folder(&[]);
    let workspace = Workspace::resolve_or_demo(&Options::default(), empty.path()).unwrap();
    assert!(workspace.is_demo);
    assert_eq!(shown(&workspace), ["petstore shop demo:petstore.yaml [demo:petstore.overlay.yaml]"]);
    let full = folder(&[("toolscope.yml", CONFIG)]);
    assert!(!Workspace::resolve_or_demo(&Options::default(), full.path()).unwrap().is_demo);
}

#[test]
fn a_literal_credential_is_a_finding_that_does_not_repeat_it() {
    let empty = folder(&[]);
    let header = |text: &str| HeaderArg::parse(text).unwrap();
    let given = Options {
        headers: vec![header("Authorization: Bearer hunter2"), header("X-Version: 2"), header("X-Api-Key: env:K")],
        ..options(&["https://h/a.yaml"], &[])
    };
    let workspace = Workspace::resolve(&given, empty.path()).unwrap();
    let codes: Vec<_> = workspace.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["literal-secret"]);
    assert!(!format!("{:?}{:?}", workspace.findings, workspace.upstreams).contains("hunter2"));
}
