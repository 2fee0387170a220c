//! Intents and edits that are made up by the hundred: each gives what it promises and nothing else changes.

use super::*;

/// Numbers that look random and are the same every time.
fn roll(seed: &mut u64, sides: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap() % sides
}

fn some_intent(seed: &mut u64) -> Intent {
    let texts = ["get pet", "a: b # c", "one\ntwo\n", "'quoted'", "- x", "é 😀"];
    let text = texts[roll(seed, texts.len())].to_owned();
    let location = ["query", "header", "body"][roll(seed, 3)];
    let name = ["limit", "page", "tenant", "note", "kind"][roll(seed, 5)];
    match roll(seed, 10) {
        0 => Intent::Rename { name: text },
        1 => Intent::Describe { text, reads: [Summary::First, Summary::Last, Summary::Both][roll(seed, 3)] },
        2 => Intent::Hide,
        3 => Intent::Show,
        4 => Intent::Safe(roll(seed, 2) == 0),
        5 => Intent::Format(ResponseFormat::ALL[roll(seed, 6)]),
        6 => Intent::Transform { over: Transform::Error, program: text },
        8 => Intent::ArgumentText { argument: argument(location, name), text },
        7 => Intent::Required { argument: argument(location, name), required: roll(seed, 2) == 0 },
        _ => Intent::Default {
            argument: argument(location, name),
            value: from_json(
                &[serde_json::json!(text), serde_json::json!({"a": [1]}), serde_json::json!([])][roll(seed, 3)],
            ),
        },
    }
}

/// Texts in many styles that all are overlays of the document.
const STYLES: [&str; 6] = [
    "# top\noverlay: 1.1.0 # v\ninfo:\n  title: t\n  version: '1' # one\n# before\nactions:\n  # first\n  - target: $.paths['/pets'].get # get\n    update: # why\n      x-mcp-safe: false # no\n\n  - target: $.paths['/pets'].post\n    update: {summary: \"x\"} # flow\n  # after\n# end\n",
    "overlay: 1.1.0\r\ninfo: {title: t, version: '1'}\r\nactions:\r\n- target: $.paths['/pets'].get\r\n  update:\r\n    summary: >-\r\n      folded\r\n      text\r\n",
    "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions: [{target: \"$.paths['/pets'].get\", update: {summary: s}}] # all",
    "{\n    \"overlay\": \"1.1.0\",\n    \"info\": {\"title\": \"t\", \"version\": \"1\"},\n    \"actions\": [\n        {\"target\": \"$.paths['/pets'].get\", \"update\": {\"summary\": \"s\"}}\n    ]\n}\n",
    "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions:\n    -   target: $.paths['/pets'].get\n        update: &u\n            x-mcp-safe: false\n    -   target: $.paths['/pets'].post\n        update: *u\n",
    "---\noverlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions:\n- # odd\n  update:\n    description: |+\n      kept\n\n  target: $.paths['/pets'].get\n...\n",
];

#[test]
fn random_intents_give_what_they_promise_in_every_style() {
    let spec = document(0, SPEC);
    let all = many(&[LIST, ADD, ONE, REMOVE, ORDERS, ORDER]);
    let (mut seed, mut written) = (7, 0);
    for _ in 0..12 {
        for style in STYLES {
            let name = if style.starts_with('{') { "o.json" } else { "o.yaml" };
            let mut text = style.to_owned();
            for _ in 0..8 {
                let intent = some_intent(&mut seed);
                let most = if matches!(intent, Intent::Rename { .. }) { 1 } else { 4 };
                let count = 1 + roll(&mut seed, most);
                let mut operations: Vec<Pointer> =
                    (0..count).map(|_| all[roll(&mut seed, all.len())].clone()).collect();
                operations.sort();
                operations.dedup();
                let request = Request { name, ..request(&spec, Some(&text), &operations, &intent) };
                let state = current(&spec, name, &text);
                match author(&request) {
                    Ok(authored) => {
                        let expected = by_plan(&spec, &state, &operations, &intent);
                        let found = current(&spec, name, &authored.patch.after);
                        assert_eq!(found, expected, "{intent:?}\n{}", authored.patch.unified(name));
                        text = authored.patch.after;
                        written += 1;
                    }
                    Err(AuthorError::Intent(_)) => {}
                    Err(error) => panic!("{error}\n{text}"),
                }
            }
            for comment in
                ["# top", "# one", "# first", "# get", "# why", "# flow", "# after", "# end", "# all", "# odd"]
            {
                assert_eq!(style.matches(comment).count(), text.matches(comment).count(), "{comment}\n{text}");
            }
            assert_eq!(style.ends_with('\n'), text.ends_with('\n'));
        }
    }
    assert!(written > 250, "{written}");
}

/// What a person does to actions that are there: another target, another value, away with it.
#[test]
fn edits_of_actions_change_nothing_else_in_every_style() {
    let mut seed = 5;
    let mut made = 0;
    for style in STYLES {
        let name = if style.starts_with('{') { "o.json" } else { "o.yaml" };
        for _ in 0..40 {
            let mut text = style.to_owned();
            // Also edits on what edits have left.
            for _ in 0..3 {
                let before = document_named(name, &text);
                let count = before.get("actions").map_or(0, |actions| actions.items().len());
                if count == 0 {
                    break;
                }
                let index = roll(&mut seed, count);
                let targets = ["$.paths['/orders'].get", "$.paths.*[?@.tags[?@ == \"a: b\"]]", "$['x-é']"];
                let edit = match roll(&mut seed, 3) {
                    0 => Edit::remove_action(index),
                    1 => Edit::retarget(index, targets[roll(&mut seed, 3)]),
                    _ => {
                        let values = [
                            serde_json::json!(true),
                            serde_json::json!("no: # comment"),
                            serde_json::json!(12),
                            serde_json::json!({"a": [1, {}]}),
                        ];
                        let at = Pointer::default().key("actions").index(index).key("update");
                        let Some(member) = at.find(&before).and_then(|node| node.members().next()) else { continue };
                        Edit::Set { at: at.key(member.key.clone()), value: from_json(&values[roll(&mut seed, 4)]) }
                    }
                };
                let Ok(patch) = Patch::make(name, &text, std::slice::from_ref(&edit)) else { continue };
                let after = document_named(name, &patch.after);
                assert_eq!(after, edited(before, &edit), "{edit:?}\n{}", patch.unified(name));
                assert_eq!(text.contains("\r\n"), patch.after.contains("\r\n"), "{}", patch.after);
                assert_eq!(text.ends_with('\n'), patch.after.ends_with('\n'), "{edit:?}\n{}", patch.after);
                // Lines outside of the hunks are the same, so all that was removed or added is in them.
                let of = |wanted: LineChange| {
                    let lines = patch.hunks.iter().flat_map(|hunk| &hunk.lines);
                    lines.filter(|(change, _)| *change == wanted).count()
                };
                assert_eq!(
                    text.lines().count() + of(LineChange::Added),
                    patch.after.lines().count() + of(LineChange::Removed)
                );
                if !matches!(edit, Edit::Remove { .. }) {
                    assert_eq!(
                        text.matches("# ").count(),
                        patch.after.replace("no: # comment", "").matches("# ").count()
                    );
                }
                text = patch.after.replace("no: # comment", "no");
                made += 1;
            }
        }
    }
    assert!(made > 400, "{made}");
}

fn document_named(name: &str, text: &str) -> Node {
    crate::document::parse(crate::document::FileId(1), name, text)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
        .root
}

/// The tree with an edit, made without the code under test.
fn edited(mut root: Node, edit: &Edit) -> Node {
    match edit {
        Edit::Set { at, value } => at.find_mut(&mut root).unwrap().value = value.value.clone(),
        Edit::Remove { at } => {
            let Some(Step::Index(index)) = at.0.last() else { panic!("{at:?}") };
            root.map_mut().unwrap().get_mut("actions").unwrap().list_mut().unwrap().remove(*index);
        }
        other => panic!("{other:?}"),
    }
    root
}

/// The overlays of the test sets with their documents, in four spellings each.
#[test]
fn random_intents_on_the_test_sets_give_what_they_promise() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let sets = std::fs::read_dir(root.join("conformance/overlay/compliant-sets")).unwrap();
    let mut pairs: Vec<_> = sets
        .map(|set| set.unwrap().path())
        .filter(|set| set.is_dir())
        .map(|set| (set.join("openapi.yaml"), set.join("overlay.yaml")))
        .collect();
    pairs.sort();
    pairs.push((root.join("demo/petstore.yaml"), root.join("demo/petstore.overlay.yaml")));
    pairs.push((root.join("seed/shop.yaml"), root.join("seed/shop.overlay.yaml")));
    let (mut seed, mut written) = (11, 0);
    for (spec, overlay) in pairs {
        let spec = document(0, &std::fs::read_to_string(&spec).unwrap());
        let all = operations(&spec.root);
        let plain = std::fs::read_to_string(&overlay).unwrap();
        let tree = document(1, &plain).root;
        let spellings = [
            ("o.yaml", plain.clone()),
            ("o.yaml", plain.replace('\n', "\r\n")),
            ("o.yaml", plain.trim_end().to_owned()),
            ("o.json", crate::document::to_json(&tree, true)),
        ];
        for (name, mut text) in spellings.into_iter().filter(|_| !all.is_empty()) {
            let comments = text.matches("# ").count();
            for _ in 0..6 {
                let intent = some_intent(&mut seed);
                let operations = [all[roll(&mut seed, all.len())].clone()];
                let state = current(&spec, name, &text);
                if operations[0].find(&state).is_none() {
                    continue;
                }
                let request = Request { name, ..request(&spec, Some(&text), &operations, &intent) };
                match author(&request) {
                    Ok(authored) => {
                        let found = current(&spec, name, &authored.patch.after);
                        assert_eq!(found, by_plan(&spec, &state, &operations, &intent), "{intent:?}");
                        text = authored.patch.after;
                        written += 1;
                    }
                    Err(AuthorError::Intent(_)) => {}
                    Err(error) => panic!("{error}\n{text}"),
                }
            }
            assert!(text.matches("# ").count() >= comments, "{text}");
        }
    }
    assert!(written > 100, "{written}");
}

fn operations(root: &Node) -> Vec<Pointer> {
    let mut found = Vec::new();
    for item in root.get("paths").into_iter().flat_map(Node::members) {
        for entry in item.value.members().filter(|entry| ["get", "put", "post", "delete"].contains(&&*entry.key)) {
            found.push(Pointer::default().key("paths").key(item.key.clone()).key(entry.key.clone()));
        }
    }
    found
}

fn current(spec: &Document, name: &str, text: &str) -> Node {
    let read = crate::document::parse(crate::document::FileId(1), name, text).unwrap();
    apply(spec, &[Overlay::read(&read, name).unwrap()]).document.root
}

/// What the planned actions give when they are applied as an overlay of their own.
fn by_plan(spec: &Document, state: &Node, operations: &[Pointer], intent: &Intent) -> Node {
    let drafts = plan(state, operations, intent).unwrap().drafts;
    let text = overlay_text("t", &drafts, crate::document::Format::Yaml);
    let whole = Document { root: state.clone(), ..spec.clone() };
    let applied = apply(&whole, &[Overlay::read(&document(3, &text), "p.yaml").unwrap()]);
    assert!(applied.trails.iter().all(|trail| !trail.matches.is_empty()), "{text}");
    applied.document.root
}
