#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::document::{Pointer, Step, to_yaml};

fn node(json: &str) -> Node {
    parse(FileId(0), "x.json", json).unwrap().root
}

fn pointer(text: &str) -> Pointer {
    let step = |token: &str| match token.parse() {
        Ok(index) => Step::Index(index),
        Err(_) => Step::Key(crate::document::pointer::unescape(token).into()),
    };
    Pointer(text.split('/').skip(1).map(step).collect())
}

fn insert(index: usize, value: &str) -> Edit {
    Edit::Insert { list: pointer("/actions"), index, values: vec![node(value)] }
}

fn set(at: &str, value: &str) -> Edit {
    Edit::Set { at: pointer(at), value: node(value) }
}

fn add(map: &str, key: &str, value: &str) -> Edit {
    Edit::Add { map: pointer(map), key: key.into(), value: node(value) }
}

fn remove(at: &str) -> Edit {
    Edit::Remove { at: pointer(at) }
}

fn changed(name: &str, text: &str, edit: &Edit) -> String {
    Patch::make(name, text, std::slice::from_ref(edit)).unwrap_or_else(|error| panic!("{error}\n{text}")).after
}

const ACTION: &str = r#"{"target":"$.info","update":{"title":"a, b","description":"one\ntwo"}}"#;

#[test]
fn yaml_is_changed_where_it_must_and_nowhere_else() {
    let block = "actions:\n  # first\n  - target: $.a # a\n    update:\n      x: 'y' # why\n\n  # second\n  - target: $.b\n    remove: true\n    # in b\n  # below b\n# end\n";
    let cases = [
        (
            block,
            insert(9, ACTION),
            "actions:\n  # first\n  - target: $.a # a\n    update:\n      x: 'y' # why\n\n  # second\n  - target: $.b\n    remove: true\n    # in b\n  # below b\n\n  - target: $.info\n    update:\n      title: a, b\n      description: |-\n        one\n        two\n# end\n".to_owned(),
        ),
        (
            block,
            insert(1, r#"{"target":"$.c","remove":true}"#),
            "actions:\n  # first\n  - target: $.a # a\n    update:\n      x: 'y' # why\n\n  - target: $.c\n    remove: true\n\n  # second\n  - target: $.b\n    remove: true\n    # in b\n  # below b\n# end\n".to_owned(),
        ),
        (
            block,
            set("/actions/0/update/x", "\"it's\""),
            block.replace("'y'", "'it''s'"),
        ),
        (block, set("/actions/0/update/x", "[1]"), block.replace("x: 'y' # why", "x:\n        - 1 # why")),
        (block, set("/actions/1/remove", "false"), block.replace("true", "false")),
        (block, add("/actions/0/update", "z", "{\"q\":1}"), block.replace("# why\n", "# why\n      z:\n        q: 1\n")),
        (block, remove("/actions/1/remove"), block.replace("    remove: true\n", "")),
        (
            block,
            remove("/actions/0/update/x"),
            block.replace("update:\n      x: 'y' # why", "update: {} # why"),
        ),
        ("a: |+\n  x\n\nb: 1\n", add("", "c", "2"), "a: |+\n  x\n\nb: 1\nc: 2\n".to_owned()),
        ("actions:\n- target: |+\n    x\n\n", insert(1, "{\"target\":\"z\"}"), "actions:\n- target: |+\n    x\n\n- target: z\n".to_owned()),
        ("actions: [] # none\n", insert(0, "{\"target\":\"z\"}"), "actions:\n  - target: z # none\n".to_owned()),
        ("actions: [{target: x}]\n", insert(0, ACTION), "actions: [{target: $.info, update: {title: \"a, b\", description: \"one\\ntwo\"}}, {target: x}]\n".to_owned()),
        ("actions: [{target: x}, {target: y}]", remove("/actions/0"), "actions: [{target: y}]".to_owned()),
        ("actions:\n- target: x\n  update: {\n    a: 1, # one\n    b: 2\n  }", add("/actions/0/update", "c", "3"), "actions:\n- target: x\n  update: {\n    a: 1, # one\n    b: 2,\n    c: 3\n  }".to_owned()),
        ("a: &b\n  c: 1\nd: *b\n", add("", "e", "\"#\""), "a: &b\n  c: 1\nd: *b\ne: \"#\"\n".to_owned()),
        ("a:\r\n    b: 1\r\n", add("", "c", "{\"d\":{\"e\":1}}"), "a:\r\n    b: 1\r\nc:\r\n    d:\r\n        e: 1\r\n".to_owned()),
        ("a: 1", add("", "b", "2"), "a: 1\nb: 2".to_owned()),
        ("a:\nb: 1\n", set("/a", "\"x\""), "a: x\nb: 1\n".to_owned()),
        ("a:\nb: 1\n", set("/a", "{\"x\":1}"), "a:\n  x: 1\nb: 1\n".to_owned()),
        ("- - 1\n  - 2\n", Edit::Remove { at: pointer("/0/1") }, "- - 1\n".to_owned()),
        ("a:\n  - b: 1\n    c: 2\n", remove("/a/0/b"), "a:\n  - c: 2\n".to_owned()),
    ];
    for (text, edit, expected) in cases {
        let found = changed("o.yaml", text, &edit);
        assert_eq!(found, expected, "{edit:?}");
    }
}

#[test]
fn json_keeps_its_layout() {
    let pretty = "{\n\t\"actions\": [\n\t\t{\"target\": \"$.a\",   \"remove\": true}\n\t]\n}\n";
    let cases: Vec<(&str, Edit, &str)> = vec![
        (
            pretty,
            insert(1, r#"{"target":"$.b"}"#),
            "{\n\t\"actions\": [\n\t\t{\"target\": \"$.a\",   \"remove\": true},\n\t\t{\n\t\t\t\"target\": \"$.b\"\n\t\t}\n\t]\n}\n",
        ),
        (
            pretty,
            add("/actions/0", "description", "\"d\""),
            "{\n\t\"actions\": [\n\t\t{\"target\": \"$.a\",   \"remove\": true,   \"description\": \"d\"}\n\t]\n}\n",
        ),
        (pretty, remove("/actions/0/target"), "{\n\t\"actions\": [\n\t\t{\"remove\": true}\n\t]\n}\n"),
        (r#"{"actions":[]}"#, insert(0, r#"{"target":"$"}"#), r#"{"actions":[{"target":"$"}]}"#),
        (r#"{"a":{"b":1}}"#, add("/a", "c", "[1,2]"), r#"{"a":{"b":1, "c": [1,2]}}"#),
        ("{\n  \"a\": {}\n}", add("/a", "c", "1"), "{\n  \"a\": {\n    \"c\": 1\n  }\n}"),
        ("{\n  \"a\": \"é\"\n}", set("/a", "{\"x\":[1]}"), "{\n  \"a\": {\n    \"x\": [\n      1\n    ]\n  }\n}"),
    ];
    for (text, edit, expected) in cases {
        assert_eq!(changed("o.json", text, &edit), expected, "{edit:?}");
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_the_line() {
    let cases: Vec<(&str, Edit, usize, &str)> = vec![
        ("a: 1\nb: &x {c: 1}\nd: *x\n", add("/d", "e", "1"), 2, "without touching"),
        ("a: 1\na: 2\n", set("/a", "3"), 2, "wrong place"),
        ("a: [1\n", set("/a", "3"), 1, "cannot be read"),
        ("a: 1\n", remove("/b"), 1, "there is no /b"),
    ];
    for (text, edit, line, message) in cases {
        let error = Patch::make("o.yaml", text, &[edit]).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(error.message.contains(message), "{error}");
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, found);
        } else if path.to_string_lossy().contains("overlay") && name.ends_with("ml") || name.ends_with(".json") {
            found.push(path);
        }
    }
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides.max(1)
    }
}

const VALUES: &[&str] = &[
    "\"get_pet\"",
    "true",
    "null",
    "12.50",
    "\"a: b # c\"",
    "\"one\\ntwo\\n\"",
    "\"  led\\n\\ntrailed \\n\"",
    "\"- x\"",
    "\"it's \\\"so\\\"\"",
    "{\"x-mcp-enabled\":false}",
    "{\"a\":{\"b\":[1,{\"c\":\"x\\ny\"}]},\"200\":[]}",
    "[\"a\",{}]",
    "{}",
    "\"\\u0085 \\u2028 é 😀\"",
];

fn pick(dice: &mut Dice, root: &Node) -> Option<Edit> {
    let value = node(VALUES[dice.roll(VALUES.len())]);
    let actions = root.get("actions").and_then(Node::as_list)?;
    let at = dice.roll(actions.len());
    let action = pointer("/actions").index(at);
    let kind = dice.roll(8);
    if kind < 2 {
        let mut whole = node(r#"{"target":"$.paths['/a'].get"}"#);
        whole.map_mut().unwrap().insert(crate::document::Entry {
            key: "update".into(),
            key_origin: value.origin,
            value,
        });
        return Some(Edit::Insert {
            list: pointer("/actions"),
            index: dice.roll(actions.len() + 1),
            values: vec![whole],
        });
    }
    let target = actions.get(at)?;
    if kind == 2 {
        return (actions.len() > 1).then_some(Edit::Remove { at: action });
    }
    // Somewhere inside of the action.
    let (mut way, mut inner) = (action, target);
    while dice.roll(4) > 0 {
        let next = match (&inner.value, dice.roll(inner.members().len().max(inner.items().len()))) {
            (crate::document::Value::Map(map), at) => map.iter().nth(at).map(|e| (way.key(e.key.clone()), &e.value)),
            (crate::document::Value::List(items), at) => items.get(at).map(|item| (way.index(at), item)),
            _ => None,
        };
        let Some((deeper, child)) = next else { break };
        (way, inner) = (deeper, child);
    }
    match (kind, inner.as_map(), inner.as_list()) {
        (3 | 4, Some(_), _) => Some(Edit::Add { map: way, key: format!("x-{}", dice.roll(1000)).into(), value }),
        (3 | 4, _, Some(items)) => {
            Some(Edit::Insert { list: way, index: dice.roll(items.len() + 1), values: vec![value.clone(), value] })
        }
        (5, _, _) => Some(Edit::Remove { at: way }),
        _ => Some(Edit::Set { at: way, value }),
    }
}

/// Edits without end on one text; gives back how many were made and how many were refused.
fn torment(name: &str, text: &str, rounds: usize, dice: &mut Dice, refused: &mut Vec<String>) -> usize {
    let mut text = text.to_owned();
    let mut made = 0;
    for _ in 0..rounds {
        let Ok(readable) = Readable::read(name, &text) else { return made };
        let Some(edit) = pick(dice, &readable.document.root) else { continue };
        let mut wanted = readable.document.root.clone();
        if !edit.apply(&mut wanted) {
            continue;
        }
        match Patch::make(name, &text, std::slice::from_ref(&edit)) {
            Ok(patch) => {
                // Proved here anew, by other means than those of the code.
                let read = parse(FileId(0), name, &patch.after).unwrap();
                assert!(identical(&read.root, &wanted), "{name} {edit:?}\n{}", patch.after);
                assert_only_hunks_differ(&patch);
                assert_eq!(text.contains("\r\n"), patch.after.contains("\r\n"), "{name} {edit:?}");
                made += 1;
                text = patch.after;
            }
            Err(error) => refused.push(format!("{error} {edit:?}")),
        }
    }
    made
}

/// Lines outside of the hunks are the same, and the hunks rebuild the new text from the old one.
fn assert_only_hunks_differ(patch: &Patch) {
    let old: Vec<&str> = patch.before.lines().collect();
    let mut rebuilt: Vec<String> = Vec::new();
    let mut at = 0;
    for hunk in &patch.hunks {
        rebuilt.extend(old[at..hunk.old.start].iter().map(|line| (*line).to_owned()));
        rebuilt
            .extend(hunk.lines.iter().filter(|(what, _)| *what != LineChange::Removed).map(|(_, line)| line.clone()));
        at = hunk.old.end;
    }
    rebuilt.extend(old[at..].iter().map(|line| (*line).to_owned()));
    let new: Vec<String> = patch.after.lines().map(str::to_owned).collect();
    assert_eq!(rebuilt, new);
}

#[test]
fn random_edits_of_real_overlays_lose_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(&root.join("fixtures/conformance/overlay"), &mut files);
    collect(&root.join("fixtures/demo"), &mut files);
    collect(&root.join("fixtures/seed"), &mut files);
    assert!(files.len() > 100, "{}", files.len());
    if let Some(corpus) = std::env::var_os("TOOLSCOPE_CORPUS") {
        collect(&Path::new(&corpus).join("_overlays"), &mut files);
    }
    let mut dice = Dice(42);
    let (mut made, mut refused) = (0, Vec::new());
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let Ok(document) = parse(FileId(0), &name, &text) else { continue };
        if document.root.get("actions").is_none() {
            continue;
        }
        made += torment(&name, &text, 12, &mut dice, &mut refused);
        made += torment(&name, &text.replace("\r\n", "\n").replace('\n', "\r\n"), 6, &mut dice, &mut refused);
        made += torment(&name, text.trim_end(), 6, &mut dice, &mut refused);
        made += torment("o.yaml", &to_yaml(&document.root), 4, &mut dice, &mut refused);
        made += torment("o.json", &to_json(&document.root, true), 6, &mut dice, &mut refused);
        made += torment("o.json", &to_json(&document.root, false), 4, &mut dice, &mut refused);
        made += torment("o.yaml", &format!("# flow\n{}\n", to_json(&document.root, false)), 4, &mut dice, &mut refused);
    }
    assert!(made > 2000, "{made}");
    assert!(
        refused.len() * 100 <= made,
        "{} of {made} refused: {:#?}",
        refused.len(),
        &refused[..refused.len().min(5)]
    );
}
