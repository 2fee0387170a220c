#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::*;
use crate::document::testing::{document, from_json};
use crate::document::{Document, Node, Pointer, Step, pointer};
use crate::overlay::{Edit, LineChange, Overlay, Patch, apply};

const SPEC: &str = "
openapi: 3.1.0
paths:
  /pets:
    parameters:
      - {name: tenant, in: header, required: true, schema: {type: string}}
    get:
      operationId: listPets
      tags: [pets, read]
      summary: List
      description: All pets
      parameters:
        - {name: limit, in: query, schema: {type: integer, default: 10}}
        - {$ref: '#/components/parameters/page'}
    post:
      operationId: addPet
      tags: [pets]
      x-mcp-enabled: false
      requestBody:
        content:
          application/json:
            schema:
              allOf:
                - {$ref: '#/components/schemas/Pet'}
                - {type: object, required: [note], properties: {note: {type: string}}}
  /pets/{id}:
    get: {operationId: listPetById, tags: [pets, read], description: One pet}
    delete: {operationId: removePet, tags: [pets], x-mcp-safe: true}
  /orders:
    get: {operationId: orders, tags: [read], x-mcp-tool-name: [wrong]}
    post: {operationId: order}
components:
  parameters:
    page: {name: page, in: query, schema: {type: integer}}
  schemas:
    Pet: {type: object, required: [name, kind], properties: {name: {type: string}, kind: {type: string}}}
";

fn at(text: &str) -> Pointer {
    Pointer(text.split('/').skip(1).map(|token| Step::Key(pointer::unescape(token).into())).collect())
}

fn many(texts: &[&str]) -> Vec<Pointer> {
    texts.iter().map(|text| at(text)).collect()
}

const LIST: &str = "/paths/~1pets/get";
const ADD: &str = "/paths/~1pets/post";
const ONE: &str = "/paths/~1pets~1{id}/get";
const REMOVE: &str = "/paths/~1pets~1{id}/delete";
const ORDERS: &str = "/paths/~1orders/get";
const ORDER: &str = "/paths/~1orders/post";

fn argument(location: &str, name: &str) -> Argument {
    Argument { location: location.into(), name: name.into() }
}

/// The actions as compact JSON.
fn planned(operations: &[&str], intent: &Intent) -> Result<Vec<String>, String> {
    let root = document(0, SPEC).root;
    let plan = plan(&root, &many(operations), intent).map_err(|error| error.message)?;
    Ok(plan.drafts.iter().map(|draft| crate::document::to_json(&draft.to_node(), false)).collect())
}

#[test]
fn intents_become_actions() {
    let default = |location, name, value: &str| Intent::Default {
        argument: argument(location, name),
        value: from_json(&serde_json::from_str(value).unwrap()),
    };
    let required = |location, name, required| Intent::Required { argument: argument(location, name), required };
    let describe = |reads| Intent::Describe { text: "Say".into(), reads };
    let cases: Vec<(&str, Intent, Vec<&str>)> = vec![
        (
            LIST,
            Intent::Rename { name: "pets".into() },
            vec![r#"{"target":"$.paths['/pets'].get","update":{"x-mcp-tool-name":"pets"}}"#],
        ),
        // A value of another kind cannot be merged away.
        (
            ORDERS,
            Intent::Rename { name: "pets".into() },
            vec![
                r#"{"target":"$.paths['/orders'].get['x-mcp-tool-name']","remove":true}"#,
                r#"{"target":"$.paths['/orders'].get","update":{"x-mcp-tool-name":"pets"}}"#,
            ],
        ),
        (
            LIST,
            describe(Summary::First),
            vec![r#"{"target":"$.paths['/pets'].get","update":{"summary":"Say","description":"Say"}}"#],
        ),
        (LIST, describe(Summary::Last), vec![r#"{"target":"$.paths['/pets'].get","update":{"description":"Say"}}"#]),
        (
            ONE,
            describe(Summary::First),
            vec![r#"{"target":"$.paths['/pets/{id}'].get","update":{"description":"Say"}}"#],
        ),
        (LIST, Intent::Hide, vec![r#"{"target":"$.paths['/pets'].get","update":{"x-mcp-enabled":false}}"#]),
        (ADD, Intent::Show, vec![r#"{"target":"$.paths['/pets'].post","update":{"x-mcp-enabled":true}}"#]),
        (
            LIST,
            Intent::Format(ResponseFormat::Image),
            vec![r#"{"target":"$.paths['/pets'].get","update":{"x-mcp-response-format":"image"}}"#],
        ),
        (
            LIST,
            Intent::Transform { over: Transform::Response, program: ".data".into() },
            vec![r#"{"target":"$.paths['/pets'].get","update":{"x-mcp-response-transform":".data"}}"#],
        ),
        (
            LIST,
            required("query", "limit", true),
            vec![r#"{"target":"$.paths['/pets'].get.parameters[?@.name == 'limit']","update":{"required":true}}"#],
        ),
        (
            LIST,
            default("query", "limit", "20"),
            vec![
                r#"{"target":"$.paths['/pets'].get.parameters[?@.name == 'limit']","update":{"schema":{"default":20}}}"#,
            ],
        ),
        // Shared with others: the operation gets its own.
        (
            LIST,
            default("query", "page", "[1]"),
            vec![
                r##"{"target":"$.paths['/pets'].get.parameters[?@['$ref'] == '#/components/parameters/page']","remove":true}"##,
                r#"{"target":"$.paths['/pets'].get","update":{"parameters":[{"name":"page","in":"query","schema":{"type":"integer","default":[1]}}]}}"#,
            ],
        ),
        (
            LIST,
            required("header", "tenant", false),
            vec![
                r#"{"target":"$.paths['/pets'].get","update":{"parameters":[{"name":"tenant","in":"header","required":false,"schema":{"type":"string"}}]}}"#,
            ],
        ),
        (
            ADD,
            default("body", "note", "\"x\""),
            vec![
                r#"{"target":"$.paths['/pets'].post.requestBody.content['application/json'].schema.allOf[1].properties.note","update":{"default":"x"}}"#,
            ],
        ),
        (
            ADD,
            required("body", "note", false),
            vec![
                r#"{"target":"$.paths['/pets'].post.requestBody.content['application/json'].schema.allOf[1].required[?@ == 'note']","remove":true}"#,
            ],
        ),
        (
            ADD,
            required("body", "kind", false),
            vec![r#"{"target":"$.components.schemas.Pet.required[?@ == 'kind']","remove":true}"#],
        ),
    ];
    for (operation, intent, expected) in cases {
        assert_eq!(planned(&[operation], &intent).unwrap(), expected, "{intent:?}");
    }
}

#[test]
fn what_makes_no_sense_is_told() {
    let cases = [
        (vec![LIST, ONE], Intent::Rename { name: "x".into() }, "one name"),
        (vec![LIST], Intent::Rename { name: " ".into() }, "empty"),
        (vec!["/paths/~1none/get"], Intent::Hide, "no operation"),
        (vec![LIST], Intent::Show, "so already"),
        (vec![ADD], Intent::Hide, "so already"),
        (vec![REMOVE], Intent::Safe(true), "so already"),
        (vec![ADD], Intent::Required { argument: argument("body", "kind"), required: true }, "so already"),
        (vec![LIST], Intent::Required { argument: argument("query", "x"), required: true }, "no argument `x` in query"),
    ];
    for (operations, intent, expected) in cases {
        let error = planned(&operations, &intent).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn one_target_names_exactly_the_operations() {
    let cases: Vec<(Vec<&str>, Vec<&str>)> = vec![
        (vec![LIST], vec!["$.paths['/pets'].get"]),
        (vec![LIST, ADD], vec!["$.paths['/pets']['get', 'post']"]),
        (vec![LIST, ONE, ORDERS], vec!["$.paths.*.get"]),
        (vec![LIST, ADD, ONE, REMOVE, ORDERS, ORDER], vec!["$.paths.*['delete', 'get', 'post']"]),
        (vec![LIST, ADD, ONE, REMOVE], vec!["$.paths.*[?@.tags[?@ == 'pets']]"]),
        (vec![LIST, ONE], vec!["$.paths[?@.get.tags[?@ == 'pets']].get"]),
        (vec![ORDERS, ORDER], vec!["$.paths['/orders']['get', 'post']"]),
        (vec![ADD, ORDER], vec!["$.paths.*.post"]),
        (vec![ADD, ORDERS], vec!["$.paths.*[?@.operationId == 'addPet' || @.operationId == 'orders']"]),
    ];
    let root = document(0, SPEC).root;
    for (operations, expected) in cases {
        assert_eq!(targets(&root, &many(&operations)), expected, "{operations:?}");
    }
    // A rename to come must not break a target: operationIds stay what they are.
    let prefixed = document(
        0,
        "{paths: {/a: {get: {operationId: petList}}, /b: {put: {operationId: petPut}}, /c: {put: {operationId: x}}}}",
    )
    .root;
    let found = targets(&prefixed, &many(&["/paths/~1a/get", "/paths/~1b/put"]));
    assert_eq!(found, ["$.paths.*[?match(@.operationId, 'pet.*')]"]);
}

fn request<'a>(
    spec: &'a Document,
    text: Option<&'a str>,
    operations: &'a [Pointer],
    intent: &'a Intent,
) -> Request<'a> {
    Request { name: "o.yaml", text, title: "T", document: spec, earlier: &[], later: &[], operations, intent }
}

#[test]
fn an_overlay_is_made_and_grows_by_what_is_wanted() {
    let spec = document(0, SPEC);
    let list = many(&[LIST]);
    let rename = Intent::Rename { name: "pets".into() };
    let first = author(&request(&spec, None, &list, &rename)).unwrap();
    let expected = "overlay: 1.1.0\ninfo:\n  title: T\n  version: 1.0.0\nactions:\n  - target: $.paths['/pets'].get\n    update:\n      x-mcp-tool-name: pets\n";
    assert_eq!(first.patch.after, expected);
    // The same single target gets the key merged.
    let second = author(&request(&spec, Some(&first.patch.after), &list, &Intent::Safe(true))).unwrap();
    assert_eq!(second.patch.after, format!("{expected}      x-mcp-safe: true\n"));
    assert_eq!(second.done[0].amended, ["x-mcp-safe".into()]);
    let again = Intent::Rename { name: "all_pets".into() };
    let third = author(&request(&spec, Some(&second.patch.after), &list, &again)).unwrap();
    assert_eq!(third.patch.after, second.patch.after.replace("name: pets", "name: all_pets"));
    // Others get an action of their own.
    let both = many(&[ONE, REMOVE]);
    let fourth = author(&request(&spec, Some(&third.patch.after), &both, &Intent::Hide)).unwrap();
    let added = "  - target: \"$.paths['/pets/{id}']['delete', 'get']\"\n    update:\n      x-mcp-enabled: false\n";
    assert_eq!(fourth.patch.after.replace('"', ""), format!("{}{}", third.patch.after, added.replace('"', "")));
    let error = author(&request(&spec, Some(&fourth.patch.after), &both, &Intent::Hide)).unwrap_err();
    assert!(matches!(error, AuthorError::Intent(error) if error.nothing));
}

#[test]
fn a_thousand_actions_are_written_at_once() {
    // Nothing tells the one half from the other but their paths.
    let operation = |at: usize| format!("  /p{at}:\n    get: {{operationId: o{at}}}\n  /q{at}:\n    get: {{}}\n");
    let paths: String = (0..1000).map(operation).collect();
    let spec = document(0, &format!("paths:\n{paths}"));
    let all: Vec<Pointer> = (0..1000).map(|at| self::at(&format!("/paths/~1p{at}/get"))).collect();
    let text = "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions:\n- target: $.x\n  remove: true\n";
    let authored = author(&request(&spec, Some(text), &all, &Intent::Hide)).unwrap();
    assert_eq!(authored.done.len(), 1000);
    assert!(authored.patch.after.starts_with(text));
}

#[test]
fn an_action_that_a_later_one_overrides_is_not_amended() {
    let spec = document(0, SPEC);
    let text = "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions:\n- target: $.paths['/pets'].get\n  update: {x-mcp-tool-name: a}\n- target: $.paths.*.get\n  update: {x-mcp-enabled: false}\n";
    let list = many(&[LIST]);
    let authored = author(&request(&spec, Some(text), &list, &Intent::Show)).unwrap();
    let added = "- target: $.paths['/pets'].get\n  update:\n    x-mcp-enabled: true\n";
    assert_eq!(authored.patch.after, format!("{text}{added}"));
    // A later overlay that wins is told.
    let later = overlay_of(2, "- target: $.paths.*.get\n  update: {x-mcp-enabled: false}\n");
    let request = Request { later: std::slice::from_ref(&later), ..request(&spec, Some(text), &list, &Intent::Show) };
    let remarks = author(&request).unwrap().remarks;
    assert!(remarks[0].contains("overrides `$.paths['/pets'].get`"), "{remarks:?}");
    let broken = Request { text: Some("overlay: 1.1.0\n"), ..request };
    assert!(matches!(author(&broken), Err(AuthorError::NoOverlay { .. })));
}

fn overlay_of(file: u32, actions: &str) -> Overlay {
    let text = format!("overlay: 1.1.0\ninfo: {{title: t, version: '1'}}\nactions:\n{actions}");
    Overlay::read(&document(file, &text), "later.yaml").unwrap()
}

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

/// The overlays of the test sets with their documents, in four spellings each.
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
