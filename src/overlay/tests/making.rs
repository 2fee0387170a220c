//! Overlays from two versions of a document.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::document::{Document, Entry, FileId, Format, Map, Node, Number, Origin, Value, parse, to_yaml};
use crate::overlay::{MakeError, make};

fn made(old: &str, new: &str) -> Result<String, MakeError> {
    let (old, new) = (document(0, old), document(0, new));
    let text = make(&old, &new, "t", Format::Yaml)?.text;
    assert!(make(&old, &new, "t", Format::Json).unwrap().text.starts_with('{'));
    assert_eq!(apply(&old, &[overlay(&text)]).document.root, new.root, "{text}");
    Ok(text.split_once("actions:\n").unwrap().1.to_owned())
}

#[test]
fn actions_are_few_and_say_what_changes() {
    let cases = [
        (
            "{info: {title: a, x: 1}}",
            "{info: {title: b, y: 2, x: 1}}",
            "  - target: $.info\n    update:\n      title: b\n      \"y\": 2\n",
        ),
        ("{a: {b: 1, c-d: 2, e: 3}}", "{a: {e: 3}}", "  - target: \"$.a['b', 'c-d']\"\n    remove: true\n"),
        (
            "{a: 1}",
            "{a: [1]}",
            "  - target: $.a\n    remove: true\n  - target: $\n    update:\n      a:\n        - 1\n",
        ),
        ("{t: [a, b]}", "{t: [a, b, c]}", "  - target: $.t\n    update:\n      - c\n"),
        ("{t: [a, b, c]}", "{t: [b]}", "  - target: \"$.t[0,2]\"\n    remove: true\n"),
        ("{t: [a, b, c]}", "{t: [x, b, c]}", "  - target: $.t[0]\n    update: x\n"),
        (
            "{t: [a, b]}",
            "{t: [x, a, b]}",
            "  - target: $.t[*]\n    remove: true\n  - target: $.t\n    update:\n      - x\n      - a\n      - b\n",
        ),
        (
            "{p: [{name: q, in: query, d: 1}, {name: q, in: path}, {name: r, in: query}]}",
            "{p: [{name: q, in: query, d: 2}, {name: r, in: query, e: [1]}]}",
            "  - target: \"$.p[?@.name == 'q' && @.in == 'query']\"\n    update:\n      d: 2\n  - target: \"$.p[?@.name == 'r']\"\n    update:\n      e:\n        - 1\n  - target: $.p[1]\n    remove: true\n",
        ),
        ("{t: []}", "{t: [[]]}", "  - target: $.t\n    update:\n      - []\n"),
        ("{t: [[1]]}", "{t: [[2]]}", "  - target: $.t[0][0]\n    update: 2\n"),
        ("{a: null}", "{a: null, b: null}", "  - target: $\n    update:\n      b: null\n"),
        ("[1, 2]", "[2]", "  - target: $[0]\n    remove: true\n"),
    ];
    let mut wrong = String::new();
    for (old, new, expected) in cases {
        let found = made(old, new).unwrap();
        if found.replace('"', "") != expected.replace('"', "") {
            wrong.push_str(&format!("{old} -> {new}\n{found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_no_overlay_can_do_is_told() {
    assert_eq!(made("{a: 1}", "{a: 1}"), Err(MakeError::Equal));
    assert_eq!(made("{a: 1}", "[1]"), Err(MakeError::Root("object", "array")));
    let long = "k".repeat(9000);
    assert_eq!(made(&format!("{{'{long}': 1}}"), "{a: 1}"), Err(MakeError::TooLong));
    // Below a name that a target can have it is written anew.
    assert!(made(&format!("{{b: {{'{long}': 1}}}}"), "{b: {}}").is_ok());
    let deep = |inner: &str| format!("{}{inner}{}", "{a: ".repeat(150), "}".repeat(150));
    assert!(made(&deep("1"), &deep("[1]")).is_ok());
}

fn here() -> Origin {
    Origin::new(FileId(0), 0, 0)
}

fn tree() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (0_i64..4).prop_map(|number| Value::Number(Number::Int(number))),
        "[a-c]{0,2}|x-y|'|\\\\|\n|200|#".prop_map(|text| Value::String(text.into())),
    ]
    .prop_map(|value| Node::new(value, here()));
    leaf.prop_recursive(5, 48, 6, |inner| {
        let key = "[a-c]|name|in|url|x-y|'|é|\\\\|\n|200||\\$ref";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|items| Node::list(items, here())),
            prop::collection::vec((key, inner), 0..6).prop_map(|members| {
                let mut map = Map::default();
                for (key, value) in members {
                    map.insert(Entry { key: key.into(), key_origin: here(), value });
                }
                Node::new(Value::Map(Arc::new(map)), here())
            }),
        ]
    })
}

/// The tree with a few nodes replaced, dropped or doubled.
fn mutated(node: &Node, seed: &mut u64, fresh: &Node) -> Node {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let roll = (*seed >> 40) % 12;
    if roll == 0 {
        return fresh.clone();
    }
    match &node.value {
        Value::List(items) => {
            let mut changed: Vec<Node> = items.iter().map(|item| mutated(item, seed, fresh)).collect();
            match roll {
                1 if !changed.is_empty() => drop(changed.remove(0)),
                2 => changed.push(fresh.clone()),
                3 => changed.insert(0, fresh.clone()),
                4 => changed.reverse(),
                _ => {}
            }
            Node::list(changed, here())
        }
        Value::Map(map) => {
            let skipped = if roll == 1 { 0 } else { usize::MAX };
            let kept = map.iter().enumerate().filter(|(at, _)| *at != skipped);
            let entries = kept.map(|(_, entry)| Entry { value: mutated(&entry.value, seed, fresh), ..entry.clone() });
            Node::map(entries.collect(), here())
        }
        _ => node.clone(),
    }
}

fn whole(root: Node) -> Document {
    Document { file: FileId(0), format: Format::Yaml, root, findings: Vec::new() }
}

/// [`make`] proves its result; here it is proved once more, and that only what cannot be is refused.
fn check(old: Node, new: Node) -> Result<(), TestCaseError> {
    let (old, new) = (whole(old), whole(new));
    match make(&old, &new, "t", Format::Yaml) {
        Ok(made) => {
            let text = made.text;
            let read = parse(FileId(1), "o.yaml", &text).unwrap();
            let overlay = Overlay::read(&read, "o.yaml").unwrap();
            let applied = apply(&old, &[overlay]);
            prop_assert_eq!(&applied.document.root, &new.root, "{}", text);
            prop_assert!(applied.findings.iter().all(|f| f.code != "overlay-no-match"), "{:?}", applied.findings);
        }
        Err(MakeError::Equal) => prop_assert_eq!(&old.root, &new.root),
        Err(MakeError::Root(a, b)) => prop_assert!(a != b),
        Err(error) => prop_assert!(false, "{error}\n{}\n{}", to_yaml(&old.root), to_yaml(&new.root)),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn applying_gives_the_second_document(old in tree(), new in tree()) {
        check(old, new)?;
    }

    #[test]
    fn applying_gives_the_changed_document(old in tree(), seed in any::<u64>(), fresh in tree()) {
        let new = mutated(&old, &mut seed.clone(), &fresh);
        check(old, new)?;
    }
}

/// Revisions of the same API, and the same API in another form.
const PAIRS: [(&str, &str); 4] = [
    ("fixtures/versions/openapi-3.1.yaml", "fixtures/versions/openapi-3.2.yaml"),
    ("fixtures/versions/swagger-2.0.yaml", "fixtures/versions/openapi-3.0.json"),
    ("fixtures/demo/petstore.yaml", "fixtures/seed/shop.yaml"),
    ("fixtures/seed/shop.yaml", "fixtures/demo/petstore.yaml"),
];

#[test]
fn real_documents_become_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (old, new) in PAIRS {
        let read = |name: &str| parse(FileId(0), name, &fs::read_to_string(root.join(name)).unwrap()).unwrap();
        let (old, new) = (read(old), read(new));
        make(&old, &new, "t", Format::Yaml).unwrap();
        make(&new, &old, "t", Format::Json).unwrap();
    }
    let Some(corpus) = std::env::var_os("TOOLSCOPE_CORPUS") else { return };
    // Neighbours by name are mostly versions of each other.
    for vendor in fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let mut files: Vec<_> = fs::read_dir(&vendor).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let small = |path: &Path| fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() < 600_000);
        let read = |path: &Path| parse(FileId(0), path.to_str()?, &fs::read_to_string(path).ok()?).ok();
        let documents: Vec<_> =
            files.iter().filter(|path| small(path)).take(12).filter_map(|path| read(path)).collect();
        for pair in documents.windows(2) {
            match make(&pair[0], &pair[1], "t", Format::Yaml) {
                // In tests an overlay may add few nodes only.
                Ok(_) | Err(MakeError::Equal | MakeError::Root(..)) => {}
                Err(MakeError::Unproved(why)) if why.contains("adds more than") => {}
                Err(error) => panic!("{}: {error}", vendor.display()),
            }
        }
    }
}
