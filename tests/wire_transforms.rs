//! Transforms of tools: requests, responses and failures, the generated expression, and the dry run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod wire_support;

use std::sync::Arc;

use toolscope::derive::{Catalog, Settings, Tool, UpstreamInput, catalog};
use toolscope::document::{DocumentSet, FileId, Node, ResponseFormat, SourceFile, Sources, parse, to_json};
use toolscope::naming::Profile;
use toolscope::wire::{
    Content, Extent, HttpRequest, HttpResponse, Options, Rules, Transforms, check_transforms, decode, encode,
    encode_with, generated_jq, synthesize,
};
use wire_support::{derived, json};

/// A document with one operation whose members beside the usual ones are given.
fn document(members: &str) -> String {
    format!(
        r##"{{"openapi": "3.1.0", "info": {{"title": "T", "version": "1"}}, "paths": {{"/items/{{id}}": {{"put": {{
  "operationId": "putItem", "summary": "s",
  "parameters": [
    {{"name": "id", "in": "path", "required": true, "schema": {{"type": "string"}}}},
    {{"name": "tags", "in": "query", "schema": {{"type": "array", "items": {{"type": "string"}}}}}},
    {{"name": "X-Trace", "in": "header", "schema": {{"type": "string"}}}}],
  "requestBody": {{"content": {{"application/json": {{"schema": {{"type": "object", "properties": {{
    "name": {{"type": "string"}}, "price": {{"type": "number"}}}}}}}}}}}},
  "responses": {{"200": {{"description": "d", "content": {{"application/json": {{"schema": {{"type": "object",
    "required": ["id"], "properties": {{"id": {{"type": "integer"}}, "items": {{"type": "array", "items": {{"type": "string"}}}}}}}}}}}}}}}}
  {members} }}}}}}}}"##
    )
}

fn with(member: &str, expression: &str) -> Catalog {
    let expression = to_json(&Node::string(expression, json("0").origin), false);
    derived("api.json", &document(&format!(", \"{member}\": {expression}"))).unwrap()
}

fn tool(catalog: &Catalog) -> &Tool {
    &catalog.tools[0]
}

const ARGUMENTS: &str = r#"{"id": "a/b", "tags": ["x", "y z"], "X-Trace": "t", "name": "n", "price": 1.10}"#;

fn sent(request: &HttpRequest) -> String {
    let own = request.headers.iter().filter(|(name, _)| !["Accept", "Content-Type"].contains(&name.as_str()));
    let headers: Vec<String> = own.map(|(name, value)| format!(" {name}: {value}")).collect();
    let body = request.body.as_ref().map(|body| format!(" {} {}", body.media_type, body.text().unwrap()));
    format!("{} {}{}{}", request.method, request.url, headers.concat(), body.unwrap_or_default())
}

#[test]
fn request_transforms_replace_the_binding() {
    let cases = [
        ("{path: {id}}", "PUT https://h/items/a%2Fb"),
        (
            "{path: {id}, query: {tags, n: 1, gone: null, none: []}, headers: {\"X-A\": \"b\", \"X-L\": [1, 2]}, body: {price}}",
            "PUT https://h/items/a%2Fb?tags=x&tags=y%20z&n=1 X-A: b X-L: 1,2 application/json {\"price\":1.10}",
        ),
        ("{path: {id: 6 | . / 2}, body: [.name]}", "PUT https://h/items/3 application/json [\"n\"]"),
        ("{path: {id: [1, 2]}, query: null, body: null}", "PUT https://h/items/1,2"),
        (
            "{path: {id}, headers: {\"content-type\": \"application/merge-patch+json\"}, body: {name}}",
            "PUT https://h/items/a%2Fb application/merge-patch+json {\"name\":\"n\"}",
        ),
    ];
    for (expression, expected) in cases {
        let catalog = with("x-mcp-request-transform", expression);
        let request =
            encode(tool(&catalog), "https://h", &json(ARGUMENTS)).unwrap_or_else(|e| panic!("{expression}: {e:?}"));
        assert_eq!(sent(&request), expected, "{expression}");
        assert!(request.parts.is_empty() && request.unsent.is_empty());
        // The same with transforms compiled before.
        let transforms = Some(Arc::new(Transforms::compile(&tool(&catalog).operation).unwrap()));
        let options = Options { transforms, ..Options::default() };
        assert_eq!(encode_with(tool(&catalog), "https://h", &json(ARGUMENTS), &options).unwrap(), request);
    }
}

#[test]
fn request_transforms_of_another_form_are_refused_in_words() {
    let cases = [
        (".id", "", "gives string; it has to give an object"),
        ("{}", "/path/id", "no value for the placeholder `{id}`"),
        ("{path: {id: null}}", "/path/id", "no value for the placeholder"),
        ("{path: {id: \"\"}}", "/path/id", "is empty"),
        ("{path: {id: \"..\"}}", "/path/id", "leads to another path"),
        ("{path: {id, idd: 1}}", "/path/idd", "no placeholder of the path /items/{id}; `id` is close"),
        ("{path: [1]}", "/path", "gives array as `path`"),
        ("{path: {id}, querry: {}}", "/querry", "`query` is close"),
        ("{path: {id}, query: {a: {b: 1}}}", "/query/a", "it is an object"),
        ("{path: {id}, query: {a: [null]}}", "/query/a", "null in a list"),
        ("{path: {id}, headers: {a: \"b\\nc\"}}", "/headers/a", "line breaks"),
        ("{path: {id}, headers: {Accept: 1}}", "/headers/Accept", "has to be text"),
        ("{path: {id}}, 1", "", "several outputs"),
        ("empty", "", "gives nothing"),
        (".id.x", "", "failed: cannot index"),
        ("{path", "", "is no jq: the `{` is never closed"),
        ("[range(1e9)]", "", "steps"),
    ];
    for (expression, pointer, message) in cases {
        let catalog = with("x-mcp-request-transform", expression);
        let problems = encode(tool(&catalog), "https://h", &json(ARGUMENTS)).expect_err(expression);
        let found = problems.iter().any(|problem| problem.pointer == pointer && problem.message.contains(message));
        assert!(found, "{expression}: {problems:?}");
    }
}

fn answer(status: u16, media_type: &str, body: &str) -> HttpResponse {
    let headers = vec![("Content-Type".to_owned(), media_type.to_owned())];
    HttpResponse { status, headers, body: body.as_bytes().to_vec(), ..HttpResponse::default() }
}

fn decoded(catalog: &Catalog, response: &HttpResponse) -> String {
    let transforms = Some(Arc::new(Transforms::compile(&tool(catalog).operation).unwrap_or_default()));
    let result = decode(response, tool(catalog), &Rules { transforms, ..Rules::default() });
    let own = decode(response, tool(catalog), &Rules::default());
    assert_eq!(result, own, "compiled before or not makes no difference");
    let content = result.content.iter().map(|content| match content {
        Content::Text { text } => text.clone(),
        other => serde_json::to_string(other).unwrap(),
    });
    let structured = result.structured.as_ref().map(|value| format!(" = {}", to_json(value, false)));
    let error = if result.is_error { "error: " } else { "" };
    let drift = if result.drift.is_some() { " drift" } else { "" };
    format!("{error}{}{}{drift}", content.collect::<Vec<_>>().join(" + "), structured.unwrap_or_default())
}

#[test]
fn response_transforms() {
    let cases = [
        (".", r#"{"id":1.0}"#, r#"{"id":1.0}"#),
        ("{n: (.items | length)}", r#"{"id":1,"items":["a","b"]}"#, r#"{"n":2}"#),
        (".items[0]", r#"{"id":1,"items":["a"]}"#, r#""a""#),
        (".id", r#"{"id":"x"}"#, r#""x" drift"#),
        (
            ".id[0]",
            r#"{"id":1,"secret":"s"}"#,
            "error: HTTP 200 OK: `x-mcp-response-transform` failed: cannot index 1 with 0. The body is held back: the transform may be there to leave parts of it out.",
        ),
        (
            "{a",
            r#"{"id":1}"#,
            "error: HTTP 200 OK: `x-mcp-response-transform` is no jq: the `{` is never closed (at byte 0; close it). The body is held back: the transform may be there to leave parts of it out.",
        ),
    ];
    for (expression, body, expected) in cases {
        let catalog = with("x-mcp-response-transform", expression);
        assert_eq!(decoded(&catalog, &answer(200, "application/json", body)), expected, "{expression}");
        assert!(tool(&catalog).operation.told_output().is_none() && tool(&catalog).operation.output_schema.is_some());
    }
    let catalog = derived("api.json", &document("")).unwrap();
    assert!(tool(&catalog).operation.told_output().is_some());
    assert_eq!(decoded(&catalog, &answer(200, "application/json", r#"{"id":1}"#)), r#"{"id":1} = {"id":1}"#);
}

#[test]
fn error_transforms() {
    let catalog = with("x-mcp-error-transform", ".error.message // {status}");
    let cases = [
        (400, "application/json", r#"{"error":{"message":"no"}}"#, "error: HTTP 400 Bad Request\nno"),
        (404, "application/problem+json", r#"{"status":404}"#, "error: HTTP 404 Not Found\n{\"status\":404}"),
        (502, "text/html", "<p>bad</p>", "error: HTTP 502 Bad Gateway\n<p>bad</p>"),
        (
            500,
            "application/json",
            "[1]",
            "error: HTTP 500 Internal Server Error: `x-mcp-error-transform` failed: cannot index [1] with \"error\". The body is held back: the transform may be there to leave parts of it out.",
        ),
        (200, "application/json", r#"{"id":1}"#, r#"{"id":1} = {"id":1}"#),
    ];
    for (status, media_type, body, expected) in cases {
        assert_eq!(decoded(&catalog, &answer(status, media_type, body)), expected, "{status} {body}");
    }
    let plain = derived("api.json", &document("")).unwrap();
    let problem = answer(404, "application/problem+json", r#"{"title":"T","status":404}"#);
    assert_eq!(decoded(&plain, &problem), "error: HTTP 404 Not Found: T\nstatus: 404");
}

#[test]
fn response_formats() {
    let json_body = answer(200, "application/json", r#"{"id":1}"#);
    let png = answer(200, "image/png; q=1", "png");
    let cases = [
        ("json", "", &json_body, r#"{"id":1} = {"id":1}"#),
        ("text", "", &json_body, r#"{"id":1}"#),
        ("text", "\"no \\(.id)\"", &json_body, "no 1"),
        ("json", "\"no \\(.id)\"", &json_body, "\"no 1\""),
        ("auto", "\"no \\(.id)\"", &json_body, "\"no 1\""),
        ("image", "", &png, r#"{"type":"image","data":"cG5n","mimeType":"image/png"}"#),
        ("audio", "", &png, r#"{"type":"audio","data":"cG5n","mimeType":"image/png"}"#),
        ("auto", "", &png, r#"{"type":"image","data":"cG5n","mimeType":"image/png"}"#),
        (
            "binary",
            "",
            &png,
            r#"{"type":"resource","resource":{"uri":"toolscope:putItem","mimeType":"image/png","blob":"cG5n"}}"#,
        ),
    ];
    for (format, expression, response, expected) in cases {
        let transform = match expression {
            "" => String::new(),
            text => {
                format!(", \"x-mcp-response-transform\": {}", to_json(&Node::string(text, json("0").origin), false))
            }
        };
        let text = document(&format!(", \"x-mcp-response-format\": \"{format}\"{transform}"));
        let catalog = derived("api.json", &text).unwrap();
        let given = decoded(&catalog, response);
        let name = &tool(&catalog).named.name;
        assert_eq!(given.replace(&format!("toolscope:{name}"), "toolscope:putItem"), expected, "{format} {expression}");
    }
}

#[test]
fn extensions_are_read_with_their_types() {
    let text = document(
        r#", "x-mcp-request-transform": 5, "x-mcp-response-transform": " ", "x-mcp-error-transform": ".a",
        "x-mcp-response-format": "picture", "x-mcp-auth-required": "no", "x-mcp-tier": "gold""#,
    );
    let catalog = derived("api.json", &text).unwrap();
    let mcp = &tool(&catalog).operation.mcp;
    assert!(mcp.request_transform.is_none() && mcp.response_transform.is_none());
    assert_eq!(mcp.error_transform.as_ref().map(|written| &*written.value), Some(".a"));
    assert_eq!(mcp.tier.as_ref().map(|tier| &*tier.value), Some("gold"));
    assert!(mcp.auth_required.is_none() && mcp.response_format.is_none());
    let messages: Vec<&str> = tool(&catalog).findings.iter().map(|finding| finding.message.as_str()).collect();
    for expected in [
        "`x-mcp-request-transform` is number and has no effect",
        "`x-mcp-response-transform` is empty and has no effect",
        "`x-mcp-response-format` is `picture`, which is no format, and has no effect",
        "`x-mcp-auth-required` is string, not a boolean, and has no effect",
    ] {
        assert!(messages.contains(&expected), "{expected}: {messages:?}");
    }
    let text = document(r#", "x-mcp-response-format": "image", "x-mcp-auth-required": false"#);
    let catalog = derived("api.json", &text).unwrap();
    let mcp = &tool(&catalog).operation.mcp;
    assert_eq!(mcp.response_format.as_ref().map(|format| format.value), Some(ResponseFormat::Image));
    let place = &mcp.auth_required.as_ref().unwrap().place;
    assert_eq!(&*place.pointer, "/paths/~1items~1{id}/put/x-mcp-auth-required");
}

/// A transform that comes or goes changes nothing of what the tool takes, so all of that is taken over.
#[test]
fn transforms_leave_the_shape_of_an_earlier_catalog_alone() {
    let made = |text: &str, previous: Option<&Catalog>| {
        let mut sources = Sources::default();
        let file = sources.put(SourceFile::new("api.json", text));
        let document = parse(file, "api.json", text).unwrap();
        let input = UpstreamInput {
            name: "api".to_owned(),
            prefix: None,
            base_url: None,
            documents: Arc::new(DocumentSet::single(document)),
            touches: Vec::new(),
            findings: Vec::new(),
        };
        let settings = Settings::new(Profile::builtin("default").unwrap());
        catalog(&[input], &settings, Arc::new(sources), previous)
    };
    let before = made(&document(", \"x-mcp-response-transform\": \".id\""), None);
    let after = made(&document(", \"x-mcp-response-transform\": \".no\""), Some(&before));
    assert!(tool(&after).operation.input_schema.same(&tool(&before).operation.input_schema));
    assert_eq!(tool(&after).operation.mcp.response_transform.as_ref().map(|it| &*it.value), Some(".no"));
    let without = made(&document(""), Some(&after));
    assert!(tool(&without).operation.mcp.response_transform.is_none());
    assert_eq!(without.tools[0].operation.told_output(), before.tools[0].operation.output_schema.as_ref());
}

const SEVERAL: &str = r##"
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /a/{id}/b/{id}:
    get:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
        - {name: '$filter', in: query, schema: {type: string}}
        - {name: flag, in: query, schema: {type: boolean}}
        - {name: X-Trace, in: header, schema: {type: string}}
        - {name: X-List, in: header, schema: {type: array, items: {type: string}}}
        - {name: X-Map, in: header, schema: {type: object, properties: {a: {type: integer}, b: {type: string}}}}
        - {name: X-Exploded, in: header, explode: true, schema: {type: object, properties: {a: {type: integer}, b: {type: string}}}}
      responses: {}
    put:
      parameters:
        - {name: id, in: path, required: true, schema: {type: array, minItems: 1, items: {type: string}}}
        - {name: filter, in: query, style: deepObject, explode: true, schema: {type: object, properties: {state: {type: string}, deep: {type: object, properties: {x: {type: integer}, y: {type: array, items: {type: boolean}}}}}}}
        - {name: spread, in: query, schema: {type: object, properties: {one: {type: integer}, two: {type: string}}}}
        - {name: piped, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {type: integer}}}
        - {name: spaced, in: query, style: spaceDelimited, explode: false, schema: {type: array, items: {type: integer}}}
        - {name: json, in: query, content: {application/json: {schema: {type: object, properties: {k: {type: number}}}}}}
        - {name: session, in: cookie, schema: {type: string}}
        - {name: numbers, in: cookie, schema: {type: array, items: {type: integer}}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                name: {type: [string, 'null']}
                'odd name': {type: string}
                price: {type: number}
                limit: {type: object, properties: {max: {type: integer}}}
      responses: {}
    post:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: name, in: query, schema: {type: string}}
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {name: {type: string}, id: {type: integer}}}
      responses: {}
  /list:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: array, items: {type: integer}}}}}
      responses: {}
  /form:
    post:
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}, b: {type: array, items: {type: string}}}}}}}
      responses: {}
  /upload:
    post:
      requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {note: {type: string}, file: {type: string, format: binary}}}}}}
      responses: {}
  /text:
    post:
      requestBody: {content: {text/plain: {schema: {type: string}}}}
      responses: {}
  /nothing:
    get: {responses: {}}
"##;

/// The tool with its generated expression as its request transform.
fn transformed(tool: &Tool) -> Tool {
    let mut tool = tool.clone();
    let mut operation = (*tool.operation).clone();
    let place = operation.place.clone();
    operation.mcp.request_transform = Some(toolscope::derive::Written { value: generated_jq(&tool).into(), place });
    tool.operation = Arc::new(operation);
    tool
}

#[test]
fn the_generated_expression_gives_the_request_of_the_binding() {
    let catalog = derived("several.yaml", SEVERAL).unwrap();
    let mut compared = 0;
    for tool in &catalog.tools {
        let expression = generated_jq(tool);
        let with_transform = transformed(tool);
        let extents = [Extent::All, Extent::Required, Extent::Branches];
        let mut arguments: Vec<Node> =
            extents.into_iter().flat_map(|extent| synthesize(tool, extent)).map(|instance| instance.value).collect();
        if &*tool.operation.method == "PUT" {
            arguments.push(json(
                r#"{"id": ["a/ b", "c"], "filter": {"state": "o&n", "deep": {"x": 0, "y": [false, true]}}, "spread": {"one": 1, "two": null},
                "piped": [1, 2], "spaced": [1, 2], "json": {"k": 1.10}, "session": "a%=b", "numbers": [1, 2], "name": null, "odd name": "", "price": 1e2}"#,
            ));
            arguments.push(json(r#"{"id": ["x"], "piped": [], "filter": {}, "spread": {}, "numbers": []}"#));
        }
        for arguments in &arguments {
            let (Ok(mut expected), given) =
                (encode(tool, "https://h/v1", arguments), encode(&with_transform, "https://h/v1", arguments))
            else {
                panic!("{expression}: {}", to_json(arguments, false));
            };
            expected.parts.clear();
            let given =
                given.unwrap_or_else(|problems| panic!("{expression}\n{}\n{problems:?}", to_json(arguments, false)));
            assert_eq!(given, expected, "{expression}\n{}", to_json(arguments, false));
            compared += 1;
        }
    }
    assert!(compared >= 18, "{compared}");
}

/// Whole documents: the same request wherever the expression says that it can, and jq that compiles everywhere.
#[test]
fn the_generated_expression_holds_for_whole_documents() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(catalog) = derived(&path.to_string_lossy(), &text) else { continue };
        for tool in catalog.all() {
            let expression = generated_jq(tool);
            toolscope::wire::Filter::compile(&expression).unwrap_or_else(|error| panic!("{error}: {expression}"));
            let with_transform = transformed(tool);
            for instance in [Extent::All, Extent::Required].into_iter().flat_map(|extent| synthesize(tool, extent)) {
                let Ok(mut expected) = encode(tool, "https://h", &instance.value) else { continue };
                expected.parts.clear();
                let given = encode(&with_transform, "https://h", &instance.value);
                if !expression.starts_with('#') {
                    assert_eq!(given.as_ref(), Ok(&expected), "{expression}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn what_the_generated_expression_cannot_say_is_a_comment() {
    let text = r##"
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /a/{id}:
    get:
      parameters:
        - {name: id, in: path, required: true, style: label, schema: {type: string}}
        - {name: list, in: query, explode: false, schema: {type: array, items: {type: string}}}
        - {name: url, in: query, allowReserved: true, schema: {type: string}}
        - {name: map, in: cookie, schema: {type: object}}
      responses: {}
"##;
    let catalog = derived("notes.yaml", text).unwrap();
    let expression = generated_jq(&catalog.tools[0]);
    for note in ["# \"id\": a label", "# \"list\": items", "# \"url\": reserved", "# \"map\": a list or an object"] {
        assert!(expression.contains(note), "{note}: {expression}");
    }
    let arguments = json(r#"{"id": "x", "list": ["a", "b"], "url": "a/b", "map": {"k": 1}}"#);
    let request = encode(&transformed(&catalog.tools[0]), "https://h", &arguments).unwrap();
    assert_eq!(request.url, "https://h/a/x?list=a%2Cb&url=a%2Fb");
    assert_eq!(request.header("cookie"), Some("map=%7B%22k%22%3A1%7D"));
}

#[test]
fn the_generated_expression_reads_well() {
    let catalog = derived("several.yaml", SEVERAL).unwrap();
    let of = |method: &str, path: &str| {
        let tool = catalog.tools.iter().find(|tool| &*tool.operation.method == method && &*tool.operation.path == path);
        generated_jq(tool.unwrap())
    };
    assert_eq!(of("GET", "/nothing"), "{}");
    assert_eq!(of("POST", "/list"), ". as $in | {\n  body: $in.body\n}");
    let get = of("GET", "/a/{id}/b/{id}");
    assert!(
        get.contains("query: {limit: $in.limit, tags: $in.tags, \"$filter\": $in[\"$filter\"], flag: $in.flag}"),
        "{get}"
    );
    let post = of("POST", "/a/{id}/b/{id}");
    assert!(post.contains("path: {id: $in.id_path}"), "{post}");
    assert!(post.contains("{name: \"name_body\", id: \"id_body\"}"), "{post}");
}

#[test]
fn transforms_are_tried_before_the_first_call() {
    let yaml = "
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /items/{id}:
    get:
      operationId: getItem
      summary: s
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: sort, in: query, schema: {type: object, properties: {by: {type: string}}}}
      responses:
        '200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {tags: {type: array, items: {type: string}}}}}}}}
";
    let cases = [
        ("x-mcp-request-transform: '{path: {id}}'", None),
        (
            "x-mcp-request-transform: |\n        {path: {id},\n         query: {a: nope}}",
            Some((
                "transform-invalid",
                16,
                21,
                "there is no filter `nope/0` (line 2, column 13 of the expression; api.yaml:16:21)",
            )),
        ),
        (
            "x-mcp-request-transform: '{path: {id}, query: {by: .sort.by[0:1][0]}}'",
            Some(("transform-fails", 14, 32, "with all arguments")),
        ),
        (
            "x-mcp-request-transform: '{path: {id}, query: {by: (.sort.by | ascii_upcase)}}'",
            Some(("transform-fails", 14, 32, "with the required arguments only")),
        ),
        (
            "x-mcp-response-transform: '.[0].tags | join(\",\")'",
            Some(("transform-fails", 14, 33, "over a response with")),
        ),
        ("x-mcp-response-transform: 'map(.tags // [] | join(\",\"))'", None),
        ("x-mcp-error-transform: .title", None),
        ("x-mcp-error-transform: .errors[0].message", None),
        ("x-mcp-error-transform: .title[]", Some(("transform-fails", 14, 30, "RFC 9457"))),
        ("x-mcp-error-transform: '.title | @nope'", Some(("transform-invalid", 14, 40, "`@nope/0`"))),
    ];
    for (member, expected) in cases {
        let catalog = derived("api.yaml", &format!("{yaml}      {member}\n")).unwrap();
        assert_eq!(catalog.tools.len(), 1, "{member}");
        let findings = check_transforms(&catalog);
        let Some((code, line, column, message)) = expected else {
            assert!(findings.is_empty(), "{member}: {findings:?}");
            continue;
        };
        let [finding] = &findings[..] else { panic!("{member}: {findings:?}") };
        let place = finding.place.as_ref().unwrap();
        assert_eq!(finding.code, code, "{member}: {finding:?}");
        assert!(finding.message.contains(message), "{member}: {}", finding.message);
        assert_eq!(catalog.sources.line_column(place.origin), (line, column), "{member}");
        assert_eq!(finding.tool.as_deref(), Some(catalog.tools[0].named.name.as_str()));
        assert!(finding.remedy.is_some());
    }
    assert_eq!(FileId(0), derived("api.yaml", yaml).unwrap().tools[0].operation.place.origin.file);
}
