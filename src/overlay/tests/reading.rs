use super::*;
use crate::document::{Severity, SourceFile, testing};
use crate::overlay::{ActionKind, Rules, action_offsets, check_extends};

#[test]
fn a_whole_overlay_is_read() {
    let overlay = overlay(
        "overlay: 1.0.3\ninfo: {title: Fix, version: '2', x-team: a}\nextends: ./api.yaml\nx-root: 1\nactions:\n\
         - {target: $.a, update: null, description: why, x-mine: 1}\n- {target: $.b, remove: true, update: {}}\n\
         - {target: $.c, remove: false}\n",
    );
    assert_eq!((overlay.version.as_str(), overlay.rules, overlay.title.as_str()), ("1.0.3", Rules::V1_0, "Fix"));
    assert_eq!((overlay.extends.as_deref(), overlay.extensions.len()), (Some("./api.yaml"), 1));
    let kinds: Vec<_> = overlay.actions.iter().map(|action| action.kind.label()).collect();
    assert_eq!(kinds, ["update", "remove", "none"]);
    let first = &overlay.actions[0];
    assert_eq!((first.description.as_deref(), first.extensions.len(), first.origin.action), (Some("why"), 1, Some(0)));
    assert_eq!(codes(&overlay.findings), ["overlay-ignored-field", "overlay-no-effect"]);
    assert_eq!(action_offsets(&overlay).len(), 3);
}

#[test]
fn the_value_of_an_update_carries_its_action() {
    let overlay = actions("- {target: $.a, remove: true}\n- {target: $.b, update: {c: [{d: 1}]}}\n");
    let ActionKind::Update(value) = &overlay.actions[1].kind else { panic!("no update") };
    let entry = value.entry("c").unwrap();
    let inner = entry.value.as_list().unwrap()[0].entry("d").unwrap();
    let actions = [value.origin, entry.key_origin, entry.value.origin, inner.key_origin, inner.value.origin];
    assert!(actions.iter().all(|origin| origin.action == Some(1) && origin.file.0 == 1), "{actions:?}");
}

#[test]
fn slips_are_found_with_a_remedy() {
    let head = "overlay: 1.1.0\ninfo: {title: t, version: '1'}\n";
    let cases = [
        (
            "overlay: 1.1\ninfo: {title: t, version: '1'}\nactions: [{target: $, update: {}}]",
            "overlay-version",
            "1.1.0",
        ),
        (
            "overlay: 3.0.0\ninfo: {title: t, version: '1'}\nactions: [{target: $, update: {}}]",
            "overlay-version",
            "1.0.x",
        ),
        ("openapi: 3.1.0\ninfo: {title: t, version: '1'}\nactions: []", "overlay-version", "add `overlay: 1.1.0`"),
        (
            "overlay: 1.0.0\ninfo: {title: t, version: '1'}\nactions: [{target: $.a, copy: $.b}]",
            "overlay-version",
            "1.1.0",
        ),
        (
            "overlay: 1.1.0\ninfo: {title: t, version: 1}\nactions: [{target: $, update: {}}]",
            "overlay-invalid",
            "quotes",
        ),
        (&format!("{head}actions: [{{target: $, updat: {{}}}}]"), "overlay-invalid", "did you mean `update`?"),
        (
            &format!("{head}action: []\nactions: [{{target: $, update: {{}}}}]"),
            "overlay-invalid",
            "did you mean `actions`?",
        ),
        (&format!("{head}actions: [{{target: $, remove: 'true'}}]"), "overlay-invalid", "without quotes"),
        (&format!("{head}actions: [{{target: $.a, update: {{}}, copy: $.b}}]"), "overlay-invalid", "two actions"),
        (&format!("{head}actions: [{{target: info.title, update: x}}]"), "overlay-invalid-target", "$.info.title"),
        (&format!("{head}actions: [{{target: $.x-a, update: x}}]"), "overlay-invalid-target", "['x-a']"),
        (&format!("{head}actions: [{{target: $.a, copy: $.x-a}}]"), "overlay-invalid-target", "['x-a']"),
        (
            &format!("{head}actions: [{{target: $, update: {{x-mcp-enabled: 'false'}}}}]"),
            "overlay-type-surprise",
            "without quotes",
        ),
        (
            &format!("{head}actions: [{{$ref: '#/components/actions/a', target: $}}]"),
            "overlay-future-feature",
            "write the actions out",
        ),
        (
            &format!("{head}components: {{}}\nactions: [{{target: $, update: {{}}}}]"),
            "overlay-future-feature",
            "write the actions out",
        ),
        (
            &format!("{head}actions: [{{target: \"$[?match(@.a, '(')]\", update: {{}}}}]"),
            "overlay-target-pattern",
            "pattern",
        ),
    ];
    for (text, code, remedy) in cases {
        let document = testing::document(1, text);
        let findings = Overlay::read(&document, "o").map_or_else(|findings| findings, |overlay| overlay.findings);
        let found = findings.iter().find(|f| f.code == code).unwrap_or_else(|| panic!("{text}: {findings:?}"));
        assert!(found.remedy.as_deref().is_some_and(|told| told.contains(remedy)), "{text}: {found:?}");
        assert!(found.place.is_some(), "{text}: {found:?}");
    }
}

#[test]
fn drafts_parts_are_warnings_under_the_draft_version() {
    let overlay = overlay(
        "overlay: 1.2.0\n$self: a\ninfo: {title: t, version: '1'}\ncomponents: {actions: {a: {fields: {remove: true}}}}\n\
         actions:\n- {$ref: '#/components/actions/a', target: $.a}\n- {target: $.b, remove: true}\n",
    );
    assert_eq!(codes(&overlay.findings), ["overlay-future-feature"; 3]);
    assert!(overlay.findings.iter().all(|finding| finding.severity == Severity::Warning));
    let spec = testing::document(0, "{a: 1, b: 2}");
    assert_eq!(apply(&spec, &[overlay]).document.root, testing::document(0, "{a: 1}").root);
}

#[test]
fn extends_is_compared_leniently() {
    let cases = [
        ("openapi.yaml", "openapi.yaml", true),
        ("./openapi.yaml", "/srv/api/openapi.yaml", true),
        ("../api/openapi.yaml", "openapi.yaml", true),
        ("/openapi.yaml", "openapi.yaml", true),
        ("https://example.com/v1/openapi.yaml?x=1", "openapi.yaml", true),
        ("file:///a/my%20api.yaml", "/a/my api.yaml", true),
        ("other.yaml", "openapi.yaml", false),
        ("https://example.com/v1", "https://example.com/v2", false),
        ("other.yaml", "-", true),
    ];
    for (extends, name, good) in cases {
        let text = format!(
            "overlay: 1.1.0\nextends: '{extends}'\ninfo: {{title: t, version: '1'}}\nactions: [{{target: $, update: {{}}}}]"
        );
        let finding = check_extends(&overlay(&text), name);
        assert_eq!(finding.is_none(), good, "{extends} on {name}: {finding:?}");
        if let Some(finding) = finding {
            assert!(finding.code == "overlay-extends" && finding.place.is_some() && finding.message.contains(extends));
        }
    }
}

#[test]
fn findings_are_placed_in_the_overlay_file() {
    let text = "overlay: 1.1.0\ninfo:\n  title: t\n  version: 1\nactions:\n  - target: $.a\n    remove: maybe\n  - update: 1\n  - target: $.x-b\n    remove: true\n  - target: $.a\n    copy: $.b\n    update: 1\n";
    let document = testing::document(1, text);
    let overlay = Overlay::read(&document, "o").unwrap();
    let file = SourceFile::new("o", text).with_actions(action_offsets(&overlay));
    let starts: Vec<_> = file.actions.iter().map(|start| file.line_column(*start)).collect();
    assert_eq!(starts, [(6, 5), (8, 5), (9, 5), (11, 5)]);
    let places: Vec<_> = overlay
        .findings
        .iter()
        .map(|finding| finding.place.as_ref().unwrap())
        .map(|place| (file.line_column(place.origin.start).0, place.origin.action, &*place.pointer))
        .collect();
    let expected = [
        (4, None, "/info/version"),
        (7, Some(0), "/actions/0/remove"),
        (8, Some(1), "/actions/1"),
        (9, Some(2), "/actions/2/target"),
        (12, Some(3), "/actions/3/copy"),
    ];
    assert_eq!(places, expected);
}
