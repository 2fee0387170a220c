#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use super::*;
use crate::document::{DocumentSet, FileId, parse, to_json};

fn set(text: &str) -> DocumentSet {
    DocumentSet::single(parse(FileId(0), "x.yaml", text).unwrap())
}

/// The operation `get` of `/p` in a document with these root members and this path item.
fn convert(root: &str, path_item: &str) -> (DocumentSet, Converted) {
    let set = set(&format!("swagger: '2.0'\n{root}\npaths:\n  /p:\n{}", indent(path_item)));
    let item = set.main.root.get("paths").and_then(|paths| paths.get("/p")).unwrap();
    let converted = operation(&set, item, item.get("get").unwrap());
    (set, converted)
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

fn part(converted: &Converted, pointer: &str) -> String {
    let node = crate::document::pointer::resolve(&converted.operation, pointer);
    node.map_or_else(|missing| format!("no {missing}"), |node| to_json(node, false))
}

fn codes(converted: &Converted) -> Vec<&'static str> {
    converted.findings_or_losses.iter().map(|finding| finding.code).collect()
}

#[test]
fn parameters_take_their_schema_and_style() {
    let cases = [
        (
            "{name: a, in: query, type: integer, minimum: 1, description: d, x-foo: 1}",
            r#"{"name":"a","in":"query","description":"d","x-foo":1,"schema":{"type":"integer","minimum":1}}"#,
        ),
        ("{name: a, in: path, type: string}", r#"{"name":"a","in":"path","required":true,"schema":{"type":"string"}}"#),
        (
            "{name: a, in: path, required: false, type: string}",
            r#"{"name":"a","in":"path","required":true,"schema":{"type":"string"}}"#,
        ),
        (
            "{name: a, in: query, type: array, items: {type: string}}",
            r#"{"name":"a","in":"query","schema":{"type":"array","items":{"type":"string"}},"style":"form","explode":false}"#,
        ),
        (
            "{name: a, in: query, type: array, collectionFormat: multi, items: {type: string}}",
            r#"{"name":"a","in":"query","schema":{"type":"array","items":{"type":"string"}},"style":"form","explode":true}"#,
        ),
        (
            "{name: a, in: query, type: array, collectionFormat: ssv, items: {type: string}}",
            r#"{"name":"a","in":"query","schema":{"type":"array","items":{"type":"string"}},"style":"spaceDelimited","explode":false}"#,
        ),
        (
            "{name: a, in: query, type: array, collectionFormat: pipes, items: {type: string}}",
            r#"{"name":"a","in":"query","schema":{"type":"array","items":{"type":"string"}},"style":"pipeDelimited","explode":false}"#,
        ),
        (
            "{name: a, in: query, type: array, collectionFormat: tsv, items: {type: string}}",
            r#"{"name":"a","in":"query","schema":{"type":"array","items":{"type":"string"}},"style":"tabDelimited","explode":false}"#,
        ),
        (
            "{name: a, in: header, type: array, items: {type: string}}",
            r#"{"name":"a","in":"header","schema":{"type":"array","items":{"type":"string"}},"style":"simple","explode":false}"#,
        ),
        (
            "{name: a, in: query, type: string, collectionFormat: csv, x-example: e, x-deprecated: true}",
            r#"{"name":"a","in":"query","example":"e","deprecated":true,"schema":{"type":"string"}}"#,
        ),
        (
            "{name: a, in: query, type: array, items: {type: array, collectionFormat: csv, items: {type: integer}}}",
            r#"{"name":"a","in":"query","schema":{"type":"array","items":{"type":"array","items":{"type":"integer"}}},"style":"form","explode":false}"#,
        ),
    ];
    for (parameter, expected) in cases {
        let (_, converted) = convert("", &format!("get:\n  parameters: [{parameter}]"));
        assert_eq!(part(&converted, "/parameters/0"), expected);
    }
}

#[test]
fn what_is_broken_is_told_and_the_rest_goes_on() {
    let cases = [
        ("parameters: [{in: query, type: string}, {name: b, in: query, type: string}]", "bad-parameter", 1),
        ("parameters: [{name: a, type: string}, {name: b, in: query, type: string}]", "bad-parameter", 1),
        ("parameters: [5, {name: b, in: query, type: string}]", "bad-parameter", 1),
        ("parameters: [{$ref: '#/parameters/nope'}, {name: b, in: query, type: string}]", "unresolved-reference", 1),
        ("parameters: [{$ref: 7}, {name: b, in: query, type: string}]", "unresolved-reference", 1),
        ("parameters: [{$ref: '#/paths/~1p/get/parameters/0'}]", "unresolved-reference", 0),
        ("parameters: [{name: a, in: matrix, type: string}]", "bad-parameter", 0),
        ("parameters: [{name: a, in: query}]", "parameter-without-type", 1),
        ("parameters: [{name: a, in: query, type: array}]", "array-without-items", 1),
        (
            "parameters: [{name: a, in: header, type: array, items: {}, collectionFormat: multi}]",
            "bad-collection-format",
            1,
        ),
        (
            "parameters: [{name: a, in: query, type: array, items: {}, collectionFormat: [x]}]",
            "bad-collection-format",
            1,
        ),
        (
            "parameters: [{name: a, in: query, type: array, items: {type: array, collectionFormat: pipes, items: {}}}]",
            "nested-collection-format",
            1,
        ),
        ("parameters: {a: 1}", "bad-parameters", 0),
        ("parameters: [{in: body, name: a, schema: {}}, {in: body, name: b, schema: {}}]", "several-bodies", 0),
        ("parameters: [{in: body, name: a, schema: {}}, {in: formData, name: b, type: string}]", "several-bodies", 0),
        ("parameters: [{in: body, name: a}]", "body-without-schema", 0),
        (
            "parameters: [{in: formData, name: a, type: string}, {in: formData, name: a, type: file}]",
            "duplicate-form-field",
            0,
        ),
        (
            "consumes: [application/json]\n  parameters: [{in: formData, name: a, type: file}]",
            "file-without-multipart",
            0,
        ),
        ("consumes: [7]\n  parameters: [{in: body, name: a, schema: {}}]", "bad-media-type", 0),
        ("parameters: []\n  responses: [1]", "bad-responses", 0),
        ("parameters: []\n  responses: {200: 5}", "bad-response", 0),
        ("parameters: []\n  responses: {200: {$ref: '#/responses/x'}}", "unresolved-reference", 0),
        ("parameters: []\n  responses: {200: {headers: {X: 5}}}", "bad-header", 0),
        ("parameters: []\n  requestBody: {content: {}}", "swagger-foreign-member", 0),
    ];
    for (members, code, parameters) in cases {
        let (_, converted) = convert("", &format!("get:\n  {members}"));
        assert_eq!(codes(&converted).first(), Some(&code), "{members}: {:?}", codes(&converted));
        assert_eq!(converted.operation.get("parameters").map(|list| list.items().len()), Some(parameters), "{members}");
        for finding in &converted.findings_or_losses {
            assert!(finding.remedy.is_some() && finding.place.is_some(), "{members}");
        }
    }
    for broken in ["get: 5", "get: []", "parameters: 5\nget: {}", "parameters: [[]]\nget: {responses: {}}"] {
        convert("parameters: 7\nconsumes: {a: b}\nschemes: 8\nhost: [x]", broken);
    }
}

#[test]
fn parameters_of_the_path_item_are_merged() {
    let (_, converted) = convert(
        "parameters:\n  limit: {name: limit, in: query, type: integer}",
        "parameters:\n- {name: a, in: query, type: string}\n- {$ref: '#/parameters/limit'}\n- {name: a, in: header, type: string}\nget:\n  parameters:\n  - {name: b, in: query, type: string}\n  - {name: a, in: query, type: number}",
    );
    let seen: Vec<_> = (0..4)
        .map(|at| {
            part(&converted, &format!("/parameters/{at}/name"))
                + &part(&converted, &format!("/parameters/{at}/schema/type"))
        })
        .collect();
    assert_eq!(seen, [r#""a""number""#, r#""limit""integer""#, r#""a""string""#, r#""b""string""#]);
    // Also when the operation has none of its own.
    let (_, converted) = convert("", "parameters:\n- {name: a, in: body, schema: {type: object}}\nget:\n  summary: s");
    assert_eq!(
        part(&converted, ""),
        r#"{"summary":"s","requestBody":{"content":{"application/json":{"schema":{"type":"object"}}}}}"#
    );
}

#[test]
fn bodies() {
    let cases = [
        (
            "consumes: [application/xml]",
            "consumes: [application/json, text/plain]\n  parameters: [{in: body, name: b, required: true, description: d, x-a: 1, schema: {$ref: '#/definitions/Pet'}}]",
            r##"{"required":true,"description":"d","x-a":1,"content":{"application/json":{"schema":{"$ref":"#/definitions/Pet"}},"text/plain":{"schema":{"$ref":"#/definitions/Pet"}}}}"##,
        ),
        (
            "consumes: [application/xml]",
            "parameters: [{in: body, name: b, schema: {}}]",
            r#"{"content":{"application/xml":{"schema":{}}}}"#,
        ),
        (
            "consumes: text/csv",
            "parameters: [{in: body, name: b, schema: {}}]",
            r#"{"content":{"text/csv":{"schema":{}}}}"#,
        ),
        (
            "consumes: [application/xml]",
            "consumes: []\n  parameters: [{in: body, name: b, schema: {}}]",
            r#"{"content":{"application/json":{"schema":{}}}}"#,
        ),
        (
            "",
            "parameters: [{in: formData, name: a, type: integer, required: true, description: d}, {in: formData, name: l, type: array, items: {type: string}, collectionFormat: multi}]",
            r#"{"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"a":{"type":"integer","description":"d"},"l":{"type":"array","items":{"type":"string"}}},"required":["a"]},"encoding":{"l":{"style":"form","explode":true}}}},"required":true}"#,
        ),
        (
            "",
            "parameters: [{in: formData, name: f, type: file, description: d}]",
            r#"{"content":{"multipart/form-data":{"schema":{"type":"object","properties":{"f":{"type":"string","format":"binary","description":"d"}}}}}}"#,
        ),
        (
            "consumes: [application/x-www-form-urlencoded, Multipart/Form-Data]",
            "parameters: [{in: formData, name: f, type: string}]",
            r#"{"content":{"multipart/form-data":{"schema":{"type":"object","properties":{"f":{"type":"string"}}}}}}"#,
        ),
    ];
    for (root, members, expected) in cases {
        let (_, converted) = convert(root, &format!("get:\n  {members}"));
        assert_eq!(part(&converted, "/requestBody"), expected, "{members}");
        assert_eq!(codes(&converted), Vec::<&str>::new(), "{members}");
    }
}

#[test]
fn responses() {
    let root =
        "produces: [application/json, text/xml]\nresponses:\n  gone: {description: gone, schema: {type: string}}";
    let cases = [
        (
            "200: {description: ok, schema: {type: object}}",
            r#"{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object"}},"text/xml":{"schema":{"type":"object"}}}}}"#,
        ),
        ("204: {}", r#"{"204":{"description":""}}"#),
        (
            "410: {$ref: '#/responses/gone'}",
            r#"{"410":{"description":"gone","content":{"application/json":{"schema":{"type":"string"}},"text/xml":{"schema":{"type":"string"}}}}}"#,
        ),
        (
            "default: {description: d, x-a: 1, headers: {X: {type: array, items: {type: integer}, description: h}}}",
            r#"{"default":{"description":"d","x-a":1,"headers":{"X":{"description":"h","schema":{"type":"array","items":{"type":"integer"}},"style":"simple","explode":false}}}}"#,
        ),
        (
            "200: {description: ok, schema: {}, examples: {application/json: {a: 1}, image/png: x}}",
            r#"{"200":{"description":"ok","content":{"application/json":{"schema":{},"example":{"a":1}},"text/xml":{"schema":{}},"image/png":{"schema":{},"example":"x"}}}}"#,
        ),
        ("x-note: n", r#"{"x-note":"n"}"#),
    ];
    for (responses, expected) in cases {
        let (_, converted) = convert(root, &format!("get:\n  responses:\n    {responses}"));
        assert_eq!(part(&converted, "/responses"), expected);
        assert_eq!(codes(&converted), Vec::<&str>::new(), "{responses}");
    }
    let (_, converted) = convert("", "get:\n  responses: {200: {description: f, schema: {type: file}}}");
    let expected = r#"{"200":{"description":"f","content":{"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}}}"#;
    assert_eq!(part(&converted, "/responses"), expected);
}

#[test]
fn the_rest_stays_the_same_nodes_in_order() {
    let (set, converted) = convert(
        "host: h\nschemes: [https]",
        "get:\n  tags: [t]\n  x-a: {b: 1}\n  consumes: [a/b]\n  parameters: []\n  operationId: o\n  schemes: [http]\n  security: [{k: []}]\n  responses: {}",
    );
    let original = crate::document::pointer::resolve(&set.main.root, "/paths/~1p/get").unwrap();
    let names: Vec<_> = converted.operation.members().map(|entry| &*entry.key).collect();
    assert_eq!(names, ["tags", "x-a", "parameters", "operationId", "security", "responses", "servers"]);
    for name in ["tags", "x-a", "operationId", "security"] {
        assert!(converted.operation.get(name).unwrap().same(original.get(name).unwrap()), "{name}");
    }
    assert_eq!(converted.operation.origin, original.origin);
    assert_eq!(part(&converted, "/servers"), r#"[{"url":"http://h"}]"#);
}

#[test]
fn made_nodes_have_the_origin_of_what_they_stand_for() {
    let (set, converted) = convert(
        "consumes: [a/b]\nparameters:\n  limit: {name: limit, in: query, type: array, items: {type: string}, collectionFormat: pipes}",
        "get:\n  parameters:\n  - {$ref: '#/parameters/limit'}\n  - {name: b, in: body, schema: {type: object}}",
    );
    let pairs = [
        ("/parameters", "/paths/~1p/get/parameters"),
        ("/parameters/0", "/parameters/limit"),
        ("/parameters/0/schema", "/parameters/limit"),
        ("/parameters/0/schema/items", "/parameters/limit/items"),
        ("/parameters/0/style", "/parameters/limit/collectionFormat"),
        ("/requestBody", "/paths/~1p/get/parameters/1"),
        ("/requestBody/content/a~1b", "/consumes/0"),
        ("/requestBody/content/a~1b/schema", "/paths/~1p/get/parameters/1/schema"),
    ];
    for (made, original) in pairs {
        let made_node = crate::document::pointer::resolve(&converted.operation, made).unwrap();
        let original = crate::document::pointer::resolve(&set.main.root, original).unwrap();
        assert_eq!(made_node.origin, original.origin, "{made}");
    }
}

#[test]
fn servers_of_the_document() {
    let cases = [
        ("host: h\nbasePath: /v1\nschemes: [https, http]", r#"[{"url":"https://h/v1"},{"url":"http://h/v1"}]"#),
        ("host: h", r#"[{"url":"https://h"}]"#),
        ("host: h:8080\nbasePath: v1/\nschemes: http", r#"[{"url":"http://h:8080/v1"}]"#),
        ("host: h\nbasePath: /", r#"[{"url":"https://h"}]"#),
        ("basePath: /v1\nschemes: [https]", r#"[{"url":"/v1"}]"#),
        ("a: 1", r#"[{"url":"/"}]"#),
        ("host: https://h\nbasePath: /v", r#"[{"url":"https://h/v"}]"#),
        (
            "host: '{{tenant}}.h'\nbasePath: /{v}",
            r#"[{"url":"https://{tenant}.h/{v}","variables":{"tenant":{"default":"unknown"},"v":{"default":"unknown"}}}]"#,
        ),
        ("host: h\nx-servers: [{url: 'https://x'}]", r#"[{"url":"https://x"}]"#),
        ("host: 5\nbasePath: [x]\nschemes: [7]", r#"[{"url":"/"}]"#),
    ];
    for (text, expected) in cases {
        let set = set(text);
        let list = crate::document::Node::list(servers(&set.main.root), set.main.root.origin);
        assert_eq!(to_json(&list, false), expected, "{text}");
    }
}

#[test]
fn security_schemes_of_the_document() {
    let set = set(
        "securityDefinitions:\n  b: {type: basic, description: d}\n  k: {type: apiKey, in: header, name: X}\n  o: {type: oauth2, flow: accessCode, authorizationUrl: a, tokenUrl: t, scopes: {r: read}}\n  p: {type: oauth2, flow: application, tokenUrl: t}\n  x: 5",
    );
    let expected = r#"{"b":{"type":"http","scheme":"basic","description":"d"},"k":{"type":"apiKey","in":"header","name":"X"},"o":{"type":"oauth2","flows":{"authorizationCode":{"authorizationUrl":"a","tokenUrl":"t","scopes":{"r":"read"}}}},"p":{"type":"oauth2","flows":{"clientCredentials":{"tokenUrl":"t","scopes":{}}}},"x":5}"#;
    assert_eq!(to_json(&security_schemes(&set.main.root).unwrap(), false), expected);
}

#[test]
fn large_forms_are_converted_in_time() {
    let fields: Vec<_> =
        (0..20_000).map(|at| format!("{{in: formData, name: f{at}, type: string, required: true}}")).collect();
    let (_, converted) = convert("", &format!("get:\n  parameters: [{}]", fields.join(", ")));
    let schema = "/requestBody/content/application~1x-www-form-urlencoded/schema";
    let schema = crate::document::pointer::resolve(&converted.operation, schema).unwrap();
    assert_eq!(schema.get("properties").unwrap().members().len(), 20_000);
    assert_eq!(schema.get("properties").unwrap().get("f19999").unwrap().text("type"), Some("string"));
    assert_eq!(schema.get("required").unwrap().items().len(), 20_000);
}
