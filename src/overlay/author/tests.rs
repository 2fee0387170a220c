#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::*;
use crate::document::testing::{document, from_json};
use crate::document::{Document, Node, Pointer, ResponseFormat, Step, pointer};
use crate::overlay::{Edit, LineChange, Overlay, Patch, apply};

mod random;

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
