use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::document::{FileId, Node, testing};

/// Document, actions, result, codes of the findings.
type Case = (&'static str, &'static str, &'static str, &'static [&'static str]);

#[test]
fn actions_do_what_the_specification_says() {
    let cases: &[Case] = &[
        // Merging.
        (
            "{a: {b: 1, l: [1]}}",
            "- {target: $.a, update: {b: 2, l: [2], n: {x: 1}}}",
            "{a: {b: 2, l: [1, 2], n: {x: 1}}}",
            &[],
        ),
        ("{a: {b: {c: 1, d: 2}}}", "- {target: $, update: {a: {b: {c: 3}}}}", "{a: {b: {c: 3, d: 2}}}", &[]),
        ("{l: [1]}", "- {target: $.l, update: [2, 3]}", "{l: [1, 2, 3]}", &[]),
        ("{l: [1]}", "- {target: $.l, update: {a: 1}}", "{l: [1, {a: 1}]}", &[]),
        ("{l: [1]}", "- {target: $.l, update: x}", "{l: [1, x]}", &[]),
        ("{l: [1]}", "- {target: $.l, update: null}", "{l: [1, null]}", &[]),
        ("{a: x}", "- {target: $.a, update: null}", "{a: null}", &[]),
        ("{a: null}", "- {target: $.a, update: x}", "{a: x}", &[]),
        ("{l: [a, b, c]}", "- {target: '$.l[?@ == \"b\"]', update: z}", "{l: [a, z, c]}", &[]),
        // Kinds that do not go together: nothing at all changes.
        (
            "{a: {b: x, c: 1}}",
            "- {target: $.a, update: {c: 2, b: {}}}",
            "{a: {b: x, c: 1}}",
            &["overlay-kind-mismatch"],
        ),
        ("{a: {b: [1]}}", "- {target: $.a, update: {n: 1, b: 2}}", "{a: {b: [1]}}", &["overlay-kind-mismatch"]),
        ("{a: {}}", "- {target: $.a, update: [1]}", "{a: {}}", &["overlay-kind-mismatch"]),
        ("{a: {}}", "- {target: $.a, update: x}", "{a: {}}", &["overlay-kind-mismatch"]),
        ("{a: x}", "- {target: $.a, update: {}}", "{a: x}", &["overlay-kind-mismatch"]),
        (
            "{a: {x: 1}, b: {x: {}}}",
            "- {target: '$[\"a\",\"b\"]', update: {x: 2}}",
            "{a: {x: 1}, b: {x: {}}}",
            &["overlay-kind-mismatch"],
        ),
        ("{a: {}, l: []}", "- {target: $.*, update: {x: 1}}", "{a: {}, l: []}", &["overlay-mixed-targets"]),
        // Inside each other: the first merge makes the second impossible.
        ("{a: {a: {}}}", "- {target: $..a, update: {a: 1}}", "{a: {a: {}}}", &["overlay-kind-mismatch"]),
        ("{a: {b: {b: {}}}}", "- {target: $..b, update: {x: 1}}", "{a: {b: {b: {x: 1}, x: 1}}}", &[]),
        // A location is changed once.
        ("{l: [1], m: 2}", "- {target: '$[\"l\",\"l\"]', update: 2}", "{l: [1, 2], m: 2}", &[]),
        // Removing.
        ("{a: 1, b: 2}", "- {target: $.a, remove: true}", "{b: 2}", &[]),
        ("{l: [a, b, a, c]}", "- {target: '$.l[?@==\"a\"]', remove: true}", "{l: [b, c]}", &[]),
        ("{l: [{d: 1}, {d: 2}, {d: 1}]}", "- {target: '$.l[0,2]', remove: true}", "{l: [{d: 2}]}", &[]),
        ("{l: [1, 2]}", "- {target: '$.l[0,0,-2]', remove: true}", "{l: [2]}", &[]),
        (
            "{a: {d: {d: 1}, e: 1}, d: 2, l: [{d: 1}, 2]}",
            "- {target: $..d, remove: true}",
            "{a: {e: 1}, l: [{}, 2]}",
            &[],
        ),
        ("[[1, 2], [3], 4]", "- {target: '$..[0]', remove: true}", "[[], 4]", &[]),
        ("{a: 1}", "- {target: $, remove: true}", "{a: 1}", &["overlay-remove-root"]),
        ("{a: {x: 1}}", "- {target: $.a, remove: true, update: {y: 1}}", "{}", &[]),
        ("{a: {x: 1}}", "- {target: $.a, remove: false, update: {y: 1}}", "{a: {x: 1, y: 1}}", &[]),
        // Copying.
        ("{a: {x: 1}, b: {y: 2}}", "- {target: $.b, copy: $.a}", "{a: {x: 1}, b: {y: 2, x: 1}}", &[]),
        ("{a: 1, l: [0]}", "- {target: $.l, copy: $.a}", "{a: 1, l: [0, 1]}", &[]),
        ("{l: [1, 2]}", "- {target: $.l, copy: '$.l[0,1]'}", "{l: [1, 2]}", &["overlay-copy-source"]),
        ("{l: [1, 2]}", "- {target: $.l, copy: '$.l[0,0]'}", "{l: [1, 2, 1]}", &[]),
        ("{a: {}}", "- {target: $.a, copy: $.b}", "{a: {}}", &["overlay-copy-source"]),
        ("{a: {b: {}}}", "- {target: $.a.b, copy: $.a}", "{a: {b: {b: {}}}}", &[]),
        ("{a: {}, b: x}", "- {target: $.a, copy: $.b}", "{a: {}, b: x}", &["overlay-kind-mismatch"]),
        // Move, and replacing a list.
        (
            "{p: {/a: {g: 1}}}",
            "- {target: $.p, update: {/b: {}}}\n- {target: '$.p[\"/b\"]', copy: '$.p[\"/a\"]'}\n- {target: '$.p[\"/a\"]', remove: true}",
            "{p: {/b: {g: 1}}}",
            &[],
        ),
        ("{l: [1]}", "- {target: $.l, remove: true}\n- {target: $, update: {l: [2]}}", "{l: [2]}", &[]),
        // Without effect.
        ("{a: 1}", "- {target: $.b, update: 2}", "{a: 1}", &["overlay-no-match"]),
        ("{a: {b: 1}}", "- {target: $.a, update: {b: 1.0}}", "{a: {b: 1}}", &["overlay-no-change"]),
        ("{l: [1]}", "- {target: $.l, update: []}", "{l: [1]}", &["overlay-no-change"]),
        ("{a: 1}", "- {target: $.a}", "{a: 1}", &[]),
        // In order, and overridden.
        ("{a: {}}", "- {target: $.a, update: {b: {}}}\n- {target: $.a.b, update: {c: 1}}", "{a: {b: {c: 1}}}", &[]),
        ("{a: 1}", "- {target: $.a, update: 2}\n- {target: $.a, update: 3}", "{a: 3}", &["overlay-overridden"]),
        ("{a: {}}", "- {target: $.a, update: {b: 1}}\n- {target: $.a, remove: true}", "{}", &["overlay-overridden"]),
        (
            "{a: {b: 1}}",
            "- {target: $.a, update: {b: 2, c: 1}}\n- {target: $.a.b, update: 3}",
            "{a: {b: 3, c: 1}}",
            &[],
        ),
        // Types.
        (
            "{f: true, n: 1}",
            "- {target: $, update: {f: 'false', n: '1'}}",
            "{f: 'false', n: '1'}",
            &["overlay-type-surprise"; 2],
        ),
        ("{f: x}", "- {target: $.f, update: true}", "{f: true}", &["overlay-type-surprise"]),
        ("{f: null, g: 1}", "- {target: $, update: {f: x, g: null}}", "{f: x, g: null}", &[]),
    ];
    for (spec, items, result, expected) in cases {
        let applied = run(spec, items);
        assert_eq!(applied.document.root, testing::document(0, result).root, "{spec} {items}");
        // What reading found is told elsewhere.
        assert_eq!(&codes(&applied.findings), expected, "{spec} {items}: {:?}", applied.findings);
        assert!(applied.findings.iter().all(|finding| finding.place.is_some() && finding.remedy.is_some()));
        let written = applied.trails.iter().any(|trail| !trail.changed.is_empty());
        assert_eq!(written, !applied.touches.is_empty());
    }
}

#[test]
fn changes_are_told_as_finely_as_can_be() {
    let spec = "{info: {title: a}, paths: {/pets: {get: {operationId: x, tags: [a]}}}}";
    let applied = run(
        spec,
        "- {target: $, update: {paths: {/pets: {get: {operationId: listPets, tags: [b], x-new: {y: 1}}}}}}\n\
         - {target: '$.paths[\"/pets\"].get.tags[0]', remove: true}\n",
    );
    let get = "/paths/~1pets/get";
    let set = [format!("{get}/operationId"), format!("{get}/tags/1"), format!("{get}/x-new")];
    assert_eq!(texts(&applied.trails[0].changed), set);
    assert_eq!(texts(&applied.trails[0].matches), [""]);
    // The tag that the first action added has moved.
    let touched: Vec<_> = applied.touches.iter().map(|t| (t.file, t.action, t.pointer.to_string())).collect();
    let expected = [(0, "/operationId"), (0, "/tags/0"), (0, "/x-new"), (1, "/tags/0")];
    assert_eq!(touched, expected.map(|(action, end)| (FileId(1), action, format!("{get}{end}"))));
}

#[test]
fn written_nodes_have_the_origin_of_the_action_and_others_keep_theirs() {
    let spec = testing::document(0, "{a: {x: {deep: 1}, y: {z: 1}}, b: {}, c: {}, same: 1}");
    let overlay = actions(
        "- {target: $.a.x, update: {deep: 2, more: {n: 1}}}\n- {target: $.b, copy: $.a}\n- {target: $, update: {same: 1}}",
    );
    let applied = apply(&spec, &[overlay]);
    let root = &applied.document.root;
    let action = |pointer: &str| crate::document::pointer::resolve(root, pointer).unwrap().origin.action;
    for (pointer, expected) in [
        ("", None),
        ("/a", None),
        ("/a/x/deep", Some(0)),
        ("/a/x/more", Some(0)),
        ("/a/x/more/n", Some(0)),
        ("/a/y/z", None),
        ("/b", None),
        ("/b/x", Some(1)),
        ("/b/x/deep", Some(0)),
        ("/b/y", Some(1)),
        ("/b/y/z", None),
        ("/same", None),
    ] {
        assert_eq!(action(pointer), expected, "{pointer}");
    }
    assert_eq!(root.entry("b").unwrap().value.entry("y").unwrap().key_origin.action, Some(1));
    assert_eq!(spec.root, testing::document(0, "{a: {x: {deep: 1}, y: {z: 1}}, b: {}, c: {}, same: 1}").root);
}

#[test]
fn untouched_subtrees_stay_the_same_allocation() {
    let spec = testing::document(0, "{a: {x: {n: 1}, y: {n: 1}}, l: [{n: 1}, {n: 2}], same: {k: {v: 1}}}");
    let applied = apply(
        &spec,
        &[actions(
            "- {target: $.a.x, update: {n: 2}}\n- {target: '$.l[0]', remove: true}\n- {target: $, update: {same: {k: {v: 1}}}}",
        )],
    );
    let (old, new) = (&spec.root, &applied.document.root);
    let at = |root: &Node, pointer: &str| crate::document::pointer::resolve(root, pointer).unwrap().clone();
    for (before, after, same) in [
        ("/a", "/a", false),
        ("/a/x", "/a/x", false),
        ("/a/y", "/a/y", true),
        ("/l/1", "/l/0", true),
        ("/same", "/same", true),
    ] {
        assert_eq!(at(old, before).same(&at(new, after)), same, "{before} and {after}");
    }
    let nothing =
        apply(&spec, &[actions("- {target: $, update: {same: {k: {v: 1}}}}\n- {target: $.a, update: {x: 1, z: 1}}")]);
    assert!(nothing.document.root.same(old), "neither a change of nothing nor a failed action copies");
}

#[test]
fn later_actions_are_named_as_the_overriding_ones() {
    let spec = testing::document(0, "{a: 1, l: [x, y]}");
    let first = overlay_as(
        1,
        "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions: [{target: $, update: {a: 2, b: 1}}, {target: $.l, update: z}]",
    );
    let second = overlay_as(
        2,
        "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions: [{target: $.a, update: 3}, {target: '$.l[0]', remove: true}, {target: '$.l[1]', update: w}, {target: $.b, remove: true}]",
    );
    let applied = apply(&spec, &[first, second]);
    assert_eq!(applied.document.root, testing::document(0, "{a: 3, l: [y, w]}").root);
    let by: Vec<_> = applied.trails.iter().map(|trail| (trail.overridden_by.clone(), trail.overridden)).collect();
    let second = FileId(2);
    assert_eq!(by[0], (vec![(second, 0), (second, 3)], true));
    // The appended item moved from 2 to 1 before it was overwritten.
    assert_eq!(by[1], (vec![(second, 2)], true));
    assert!(by[2..].iter().all(|(by, overridden)| by.is_empty() && !overridden));
    assert_eq!(codes(&applied.findings), ["overlay-overridden"; 2]);
    assert!(applied.findings[0].message.contains("`$.a`, `$.b`"), "{}", applied.findings[0].message);
}

#[test]
fn a_target_without_match_gets_a_hint() {
    let spec =
        "{paths: {/pets: {get: {operationId: listPets, responses: {'200': {}}}}}, servers: [{description: Dev}]}";
    let cases = [
        ("$.paths['/pet'].get", "`$.paths` exists", "did you mean ['/pets']?"),
        ("$.path['/pets']", "`$` exists", "did you mean .paths?"),
        ("$.paths['/pets'].get.responses[200]", "`[200]` selects nothing", "['200']"),
        ("$.paths.*[?@.operationId=='listPet']", "selects nothing", "did you mean 'listPets'?"),
        ("$.servers[?@.description=='dev']", "selects nothing", "did you mean 'Dev'?"),
        (
            "$.paths['/pets'].get.summary",
            "selects nothing",
            "target `$.paths['/pets'].get` and put `summary` into `update`",
        ),
        ("$.servers[7]", "`[7]` selects nothing", "compare the target"),
    ];
    for (target, why, remedy) in cases {
        let applied = run(spec, &format!("- {{target: \"{target}\", update: {{}}}}"));
        let finding = &applied.findings[0];
        assert_eq!(finding.code, "overlay-no-match");
        assert!(finding.message.contains(why), "{}", finding.message);
        assert!(finding.remedy.as_deref().unwrap().contains(remedy), "{finding:?}");
    }
    let applied = run(spec, "- {target: $.info, remove: true}");
    assert!(
        !applied.findings[0].remedy.as_deref().unwrap().contains("to add it"),
        "what is to be removed is not to be added"
    );
}

#[test]
fn version_1_0_sets_primitives_with_a_warning_and_removes_them_without() {
    let spec = testing::document(0, "{a: 1, b: 2}");
    let text = "overlay: 1.0.0\ninfo: {title: t, version: '1'}\nactions: [{target: $.a, update: 3}, {target: $.b, remove: true}]";
    let applied = apply(&spec, &[overlay(text)]);
    assert_eq!(applied.document.root, testing::document(0, "{a: 3}").root);
    assert_eq!(codes(&applied.findings), ["overlay-primitive-target"]);
}

#[test]
fn a_value_that_goes_to_many_targets_is_told_once() {
    let applied = run("{a: {f: true}, b: {f: true}, c: {f: true}}", "- {target: $.*, update: {f: 'no'}}");
    assert_eq!(codes(&applied.findings), ["overlay-type-surprise"]);
    assert!(applied.findings[0].message.contains("/a/f and 2 more"), "{}", applied.findings[0].message);
}

#[test]
fn growth_is_bounded() {
    let doubling = "- {target: $.l, copy: $.l}\n".repeat(100);
    let applied = run("{l: [1]}", &doubling);
    assert!(codes(&applied.findings).contains(&"overlay-too-large"));

    let deeper =
        format!("- {{target: '$..[?@.leaf]', update: {{n: {}{{leaf: 1}}{}}}}}\n", "{n: ".repeat(60), "}".repeat(60));
    let applied = run("{a: {leaf: 1}}", &deeper.repeat(20));
    assert!(codes(&applied.findings).contains(&"overlay-too-large"));

    let costly = "- {target: '$..[?$..[?$..[?@.none]]]', remove: true}";
    let wide: String = (0..600).map(|i| format!("k{i}: {{v: {i}}}\n")).collect();
    assert_eq!(codes(&run(&wide, costly).findings), ["overlay-target-too-costly"]);
}

/// Small documents of objects, lists and primitives over few names, so that paths meet.
fn small_document() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![Just(json!(1)), Just(json!("x")), Just(json!(null))];
    let tree = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::hash_map("[abc]", inner, 0..3).prop_map(|map| map.into_iter().collect()),
        ]
    });
    prop::collection::hash_map("[abc]", tree, 0..3).prop_map(|map| map.into_iter().collect())
}

/// The value without any member `a`.
fn without_a(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Array(items) => items.iter().map(without_a).collect(),
        serde_json::Value::Object(map) => {
            map.iter().filter(|(key, _)| *key != "a").map(|(key, value)| (key.clone(), without_a(value))).collect()
        }
        scalar => scalar.clone(),
    }
}

/// The merge of Overlay 1.1 in its plainest form; `None` when kinds do not go together.
fn merged(target: &serde_json::Value, value: &serde_json::Value) -> Option<serde_json::Value> {
    use serde_json::Value::{Array, Object};
    match (target, value) {
        (Object(target), Object(value)) => {
            let mut out = target.clone();
            for (key, value) in value {
                let new = target.get(key).map_or_else(|| Some(value.clone()), |old| merged(old, value))?;
                out.insert(key.clone(), new);
            }
            Some(Object(out))
        }
        (Array(target), Array(value)) => Some(target.iter().chain(value).cloned().collect()),
        (Object(_) | Array(_), _) | (_, Object(_) | Array(_)) => None,
        _ => Some(value.clone()),
    }
}

proptest! {
    #[test]
    fn removal_leaves_nothing_and_takes_nothing_else(spec in small_document()) {
        let applied = run(&spec.to_string(), "- {target: $..a, remove: true}");
        prop_assert_eq!(applied.document.root, testing::from_json(&without_a(&spec)));
    }

    #[test]
    fn an_update_is_the_plain_merge_or_nothing(spec in small_document(), value in small_document()) {
        let before = testing::document(0, &spec.to_string());
        let applied = apply(&before, &[actions(&format!("- {{target: $, update: {value}}}"))]);
        match merged(&spec, &value) {
            Some(expected) => prop_assert_eq!(&applied.document.root, &testing::from_json(&expected)),
            None => prop_assert!(applied.document.root.same(&before.root)),
        }
        prop_assert_eq!(applied.trails[0].changed.is_empty(), applied.document.root == before.root);
    }
}
