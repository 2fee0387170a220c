//! Derivation as tables: a small document in, schemas, bindings, losses and names out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod schemas;

use std::sync::Arc;

use super::*;
use crate::document::{Document, DocumentSet, FileId, SourceFile, Sources, parse, to_json};
use crate::naming::Profile;

fn upstream(name: &str, file: FileId, text: &str) -> UpstreamInput {
    let main: Document = parse(file, name, text).unwrap();
    UpstreamInput {
        name: name.trim_end_matches(".yaml").to_owned(),
        prefix: None,
        base_url: None,
        documents: Arc::new(DocumentSet::single(main)),
        touches: Vec::new(),
        findings: Vec::new(),
    }
}

/// The catalog of one YAML document.
fn derived(text: &str) -> Catalog {
    let mut sources = Sources::default();
    let file = sources.put(SourceFile::new("api.yaml", text));
    let settings = Settings::new(Profile::builtin("default").unwrap());
    catalog(&[upstream("api.yaml", file, text)], &settings, Arc::new(sources), None)
}

/// A document of one operation, written in YAML flow style.
fn one(version: &str, path: &str, operation: &str, components: &str) -> Arc<Tool> {
    let text = format!(
        "openapi: {version}\ninfo: {{title: t, version: '1'}}\npaths:\n  {path}:\n    post: {operation}\ncomponents: {components}\n"
    );
    let catalog = derived(&text);
    assert_eq!(catalog.tools.len(), 1, "{:?}", catalog.findings);
    catalog.tools[0].clone()
}

fn input_json(tool: &Tool) -> String {
    to_json(&tool.operation.input_schema, false)
}

fn losses(tool: &Tool) -> Vec<&'static str> {
    tool.operation.losses.iter().map(|loss| loss.what).collect()
}

/// Binding rows as `argument in wire_name`, a `!` where required.
fn binding(tool: &Tool) -> Vec<String> {
    let rows = tool.operation.binding.iter().map(|row| {
        let mark = if row.required { "!" } else { "" };
        format!("{}{mark} {:?} {}", row.argument, row.location, row.wire_name.as_deref().unwrap_or("-"))
    });
    rows.collect()
}

#[test]
fn parameters_merge_and_each_argument_has_one_place() {
    let text = "
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /t/{tenant}/{id}/{tenant}/{stray}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}, description: old}
      - {name: X-Trace, in: header, schema: {type: string}}
      - {name: unused, in: path, required: true, schema: {type: string}}
    put:
      operationId: put
      security: [{key: []}]
      parameters:
        - {name: session, in: cookie, schema: {type: string}}
        - {name: id, in: query, schema: {type: integer}}
        - {name: id, in: path, required: true, schema: {type: integer}, description: new}
        - {name: tenant, in: path, required: true, schema: {type: string}}
        - {name: accept, in: header, schema: {type: string}}
        - {name: api_key, in: query, schema: {type: string}}
        - {name: filter, in: query, content: {application/json: {schema: {type: object}}}}
        - {name: body, in: query, schema: {type: string}}
      requestBody:
        required: true
        content:
          application/json: {schema: {type: object, required: [id, id], properties: {id: {type: boolean}, name: {type: string}}}}
      responses: {}
components:
  securitySchemes: {key: {type: apiKey, in: query, name: api_key}}
";
    let catalog = derived(text);
    let tool = &catalog.tools[0];
    let expected = [
        "id_path! Path id",
        "tenant! Path tenant",
        "stray! Path stray",
        "id_query Query id",
        "filter Query filter",
        "body Query body",
        "X-Trace Header X-Trace",
        "session Cookie session",
        "id_body! Body id",
        "name Body name",
    ];
    assert_eq!(binding(tool), expected);
    let required = to_json(tool.operation.input_schema.get("required").unwrap(), false);
    assert_eq!(required, r#"["id_path","tenant","stray","id_body"]"#);
    let id = tool.operation.input_schema.get("properties").unwrap().get("id_path").unwrap();
    assert_eq!(to_json(id, false), r#"{"type":"integer","description":"new"}"#);
    let mut lost = losses(tool);
    lost.sort_unstable();
    assert_eq!(lost, ["credential", "ignored-header", "undeclared-path-parameter", "unused-path-parameter"]);
}

#[test]
fn names_made_to_collide_end_up_different() {
    let operation = "{parameters: [{name: a, in: query, schema: {}}, {name: a_query, in: query, schema: {}}, {name: a, in: header, schema: {}}, {name: a_query_query, in: query, schema: {}}], responses: {}}";
    let tool = one("3.0.3", "/a", operation, "{}");
    let mut names: Vec<&str> = tool.operation.binding.iter().map(|row| &*row.argument).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 4, "{names:?}");
}

#[test]
fn refused_argument_names_get_legal_ones_and_keep_their_own_on_the_wire() {
    let long = "x".repeat(70);
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: t, version: '1'}}\npaths:\n  /a:\n    get:\n      operationId: a\n      responses: {{}}\n      parameters:\n{}",
        ["$filter", "filter", "filter[from]", "@type", "名前", "2nd", "ok.name-1", &long, &format!("{long}y")]
            .map(|name| format!("        - {{name: '{name}', in: query, schema: {{}}}}\n"))
            .concat()
    );
    let mut sources = Sources::default();
    let file = sources.put(SourceFile::new("api.yaml", &*text));
    let settings = Settings { arguments: ArgumentNames::Legal, ..Settings::new(Profile::builtin("default").unwrap()) };
    let catalog = catalog(&[upstream("api.yaml", file, &text)], &settings, Arc::new(sources), None);
    let rows = &catalog.tools[0].operation.binding;
    let names: Vec<&str> = rows.iter().map(|row| &*row.argument).collect();
    let (cut, numbered) = ("x".repeat(64), format!("{}_2", "x".repeat(62)));
    let expected =
        ["filter_2", "filter", "filter_from", "type", "arg", "arg_2nd", "ok_name_1", cut.as_str(), numbered.as_str()];
    assert_eq!(names, expected);
    assert_eq!((rows[0].wire_name.as_deref(), rows[1].wire_name.as_deref()), (Some("$filter"), Some("filter")));
}

#[test]
fn bodies_become_arguments() {
    let components = "{schemas: {Base: {type: object, required: [a], properties: {a: {type: string}}}, Pet: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {b: {type: string}, a: {maxLength: 3}}}]}}, requestBodies: {R: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}";
    let object = "schema: {type: object, required: [a], properties: {a: {type: array, items: {type: string}}, b: {}}}";
    let cases: Vec<(String, &[&str], &[&str])> = vec![
        ("{$ref: '#/components/requestBodies/R'}".into(), &["a! Body a", "b Body b"], &[]),
        (format!("{{content: {{application/x-www-form-urlencoded: {{{object}}}}}}}"), &["a Body a", "b Body b"], &[]),
        (
            format!("{{required: true, content: {{multipart/form-data: {{{object}}}}}}}"),
            &["a! Body a", "b Body b"],
            &[],
        ),
        (
            format!("{{content: {{text/csv: {{}}, 'application/merge-patch+json; charset=utf-8': {{{object}}}}}}}"),
            &["a Body a", "b Body b"],
            &["media-type"],
        ),
        (
            "{required: true, content: {application/json: {schema: {type: array, items: {}}}}}".into(),
            &["body! Body -"],
            &[],
        ),
        (
            "{content: {application/json: {schema: {oneOf: [{type: object}, {type: string}]}}}}".into(),
            &["body Body -"],
            &[],
        ),
        ("{content: {application/json: {}}}".into(), &["body Body -"], &[]),
        ("{content: {application/json: {schema: {type: object}}}}".into(), &["body Body -"], &[]),
        ("{content: {text/plain: {schema: {type: string}}}}".into(), &["body Body -"], &[]),
        ("{content: {application/pdf: {}}}".into(), &["body Body -"], &["media-type"]),
        ("{content: {application/json: {schema: {type: object, properties: {}}}}}".into(), &[], &["empty-body"]),
        ("{content: {}}".into(), &[], &["body-without-arguments"]),
        ("{$ref: '#/components/requestBodies/None'}".into(), &[], &["broken-ref"]),
        (
            "{content: {application/json: {schema: {type: object, minProperties: 1, properties: {a: {}}}}}}".into(),
            &["a Body a"],
            &["body-rule"],
        ),
        (
            "{content: {application/json: {schema: {type: object, required: [a, typo], properties: {a: {}}}}}}".into(),
            &["a Body a"],
            &["required-without-property"],
        ),
        (
            "{content: {multipart/form-data: {schema: {type: object, properties: {a: {}}}, encoding: {a: {style: form}}}}}"
                .into(),
            &["a Body a"],
            &["part-style"],
        ),
    ];
    for (body, expected, lost) in cases {
        let tool = one("3.0.3", "/a", &format!("{{requestBody: {body}, responses: {{}}}}"), components);
        assert_eq!(binding(&tool), expected, "{body}");
        assert_eq!(losses(&tool), lost, "{body}");
    }
    let tool = one("3.0.3", "/a", "{requestBody: {$ref: '#/components/requestBodies/R'}, responses: {}}", components);
    assert_eq!(
        input_json(&tool),
        r#"{"type":"object","properties":{"a":{"allOf":[{"type":"string"},{"maxLength":3}]},"b":{"type":"string"}},"required":["a"]}"#
    );
}

#[test]
fn output_schemas_have_an_object_at_the_root() {
    let cases = [
        (
            "{'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}",
            r#"{"type":"object","properties":{"id":{"type":"string"}}}"#,
        ),
        (
            "{'404': {description: d}, '201': {description: d, content: {application/json: {schema: {type: array, items: {}}}}}}",
            r#"{"type":"object","properties":{"result":{"type":"array","items":{}}},"required":["result"]}"#,
        ),
        (
            "{'200': {$ref: '#/components/responses/R'}}",
            r#"{"type":"object","properties":{"result":{"type":"string"}},"required":["result"]}"#,
        ),
    ];
    let components = "{schemas: {P: {type: object, properties: {id: {type: string, readOnly: true}, secret: {writeOnly: true}}}}, responses: {R: {description: d, content: {application/problem+json: {schema: {type: string}}}}}}";
    for (responses, expected) in cases {
        let tool = one("3.0.3", "/a", &format!("{{responses: {responses}}}"), components);
        let schema = tool
            .operation
            .output_schema
            .as_ref()
            .map(|schema| to_json(schema, false).replace(r#","readOnly":true"#, ""));
        assert_eq!(schema.as_deref(), Some(expected), "{responses}");
    }
}

#[test]
fn operations_that_are_not_exposed_are_listed_with_the_reason() {
    let text = "
openapi: 3.2.0
info: {title: t, version: '1'}
paths:
  /a:
    head: {operationId: h, responses: {}}
    get: {operationId: g, x-mcp-enabled: 'false', responses: {}}
    query: {operationId: q, responses: {}}
    delete: {operationId: d, x-mcp-enabled: false, responses: {}}
    additionalOperations: {COPY: {operationId: c, responses: {}}}
    post: {operationId: p, responses: {}, callbacks: {done: {'{$url}': {post: {operationId: cb, responses: {}}}}}}
webhooks:
  ping: {post: {operationId: w, responses: {}}}
";
    let catalog = derived(text);
    let names = |tools: &[Arc<Tool>]| tools.iter().map(|tool| tool.named.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&catalog.tools), ["g", "q", "c", "p"]);
    let hidden: Vec<_> =
        catalog.hidden.iter().map(|tool| (tool.named.name.as_str(), tool.hidden.as_ref().unwrap().by)).collect();
    let expected =
        [("h", HiddenBy::Method), ("d", HiddenBy::Extension), ("cb", HiddenBy::Method), ("w", HiddenBy::Method)];
    assert_eq!(hidden, expected);
    assert_eq!(catalog.hidden[1].hidden.as_ref().unwrap().why, "x-mcp-enabled is false at api.yaml:9");
    assert!(catalog.tools[0].findings.iter().any(|finding| finding.code == "extension-type"));
}

#[test]
fn a_broken_operation_degrades_alone() {
    let text = "
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a: {get: {operationId: a, parameters: [{$ref: '#/nowhere'}], responses: {}}}
  /b: {get: {operationId: b, responses: {}}}
  /c: {$ref: 'other.yaml#/c'}
  /d: 7
  /e: {get: 7}
  /f: {get: {$ref: '#/paths/~1b/get'}}
";
    let catalog = derived(text);
    let rows: Vec<_> =
        catalog.tools.iter().map(|tool| (tool.operation.path.to_string(), tool.operation.degraded)).collect();
    assert_eq!(rows, [("/a".to_owned(), true), ("/b".to_owned(), false), ("/f".to_owned(), false)]);
    let codes: Vec<&str> = catalog.findings.iter().filter(|f| f.tool.is_none()).map(|finding| finding.code).collect();
    assert_eq!(codes, ["broken-ref", "invalid-path-item", "invalid-operation"]);
    // The same operation twice, through a reference, is a conflict that both rows show.
    assert_eq!(catalog.conflicts[0].tools.len(), 2);
    assert_eq!((catalog.tools[1].conflict, catalog.tools[2].conflict), (Some(0), Some(0)));
}

/// The catalog after an overlay has said something about `POST /b`.
fn renamed(input: &UpstreamInput, settings: &Settings, sources: &Arc<Sources>, first: &Catalog) -> Catalog {
    let told = parse(FileId(0), "told.yaml", "{summary: all new, x-mcp-safe: true}").unwrap();
    let mut main = input.documents.main.clone();
    let post = crate::document::Pointer::default().key("paths").key("/b").key("post");
    let operation = post.find_mut(&mut main.root).unwrap().map_mut().unwrap();
    told.root.members().for_each(|entry| {
        operation.insert(entry.clone());
    });
    let input = UpstreamInput { documents: Arc::new(input.documents.with_main(main)), ..input.clone() };
    catalog(&[input], settings, sources.clone(), Some(first))
}

#[test]
fn only_what_changed_is_derived_again() {
    let text = "
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a: {get: {operationId: a, responses: {}}}
  /b: {post: {operationId: b, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}, responses: {}}}
  /c: {get: {operationId: c, parameters: [{$ref: '#/components/parameters/Q'}], responses: {}}}
components:
  schemas: {P: {type: object, properties: {q: {$ref: '#/components/schemas/Q'}}}, Q: {type: string}}
  parameters: {Q: {name: q, in: query, schema: {type: string}}}
";
    let mut sources = Sources::default();
    let file = sources.put(SourceFile::new("api.yaml", text));
    let sources = Arc::new(sources);
    let settings = Settings::new(Profile::builtin("default").unwrap());
    let input = upstream("api.yaml", file, text);
    let first = catalog(std::slice::from_ref(&input), &settings, sources.clone(), None);
    let changed = |path: &[&str]| {
        let mut main = input.documents.main.clone();
        let mut at = &mut main.root;
        for key in path {
            at = at.map_mut().unwrap().get_mut(key).unwrap();
        }
        at.map_mut().unwrap();
        let input = UpstreamInput { documents: Arc::new(input.documents.with_main(main)), ..input.clone() };
        let second = catalog(std::slice::from_ref(&input), &settings, sources.clone(), Some(&first));
        let kept = |(old, new): (&Arc<Tool>, &Arc<Tool>)| Arc::ptr_eq(&old.operation, &new.operation);
        first.tools.iter().zip(&second.tools).map(kept).collect::<Vec<bool>>()
    };
    assert_eq!(changed(&[]), [true, true, true]);
    assert_eq!(changed(&["paths", "/a", "get"]), [false, true, true]);
    let (old, new) =
        (&first.tools[1].operation, renamed(&input, &settings, &sources, &first).tools[1].operation.clone());
    assert_eq!((&*new.description, new.safe, old.safe), ("all new", true, false));
    assert!(old.input_schema.same(&new.input_schema), "what it takes has not changed");
    assert_eq!(changed(&["components", "schemas", "Q"]), [true, false, true], "reached through another schema");
    assert_eq!(changed(&["components", "parameters", "Q"]), [true, true, false]);
}
