//! Requests, problems, commands, masks, synthetic arguments and results, as tables.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod wire_support;

use std::sync::Arc;

use toolscope::derive::Tool;
use toolscope::document::{Node, to_json};
use toolscope::wire::{
    CallResult, Content, Extent, HttpRequest, HttpResponse, PartPlace, Redactor, Rules, Validator, curl, decode,
    encode, synthesize, synthesize_schema, validate,
};
use wire_support::{derived, json};

const BASE: &str = "https://api.example.com";

fn tool(path: &str, operation: &str) -> Arc<Tool> {
    let text = format!("openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\npaths:\n  {path}:\n    post: {operation}\n");
    let catalog = derived("api.yaml", &text).unwrap();
    assert_eq!(catalog.tools.len(), 1, "{:?}", catalog.findings);
    catalog.tools[0].clone()
}

fn with_body(media_type: &str, rest: &str) -> Arc<Tool> {
    tool("/a", &format!("{{requestBody: {{content: {{'{media_type}': {{{rest}}}}}}}, responses: {{}}}}"))
}

fn sent(tool: &Tool, arguments: &str) -> HttpRequest {
    encode(tool, BASE, &json(arguments)).unwrap_or_else(|problems| panic!("{arguments}: {problems:?}"))
}

fn refused(tool: &Tool, arguments: &str) -> Vec<String> {
    let problems = encode(tool, BASE, &json(arguments)).expect_err(arguments);
    problems.iter().map(|problem| format!("{} {}", problem.pointer, problem.rule)).collect()
}

#[test]
fn bodies_of_every_kind() {
    let object = "schema: {type: object, properties: {a: {}, b: {}}}";
    let cases = [
        ("application/json", object, r#"{"b":1.10,"a":null}"#, r#"{"a":null,"b":1.10}"#),
        (
            "application/json",
            "schema: {}",
            r#"{"body":[1,{"x":123456789012345678901234567890}]}"#,
            r#"[1,{"x":123456789012345678901234567890}]"#,
        ),
        (
            "application/x-www-form-urlencoded",
            object,
            r#"{"a":["x y","&"],"b":{"k":"v"}}"#,
            "a=x+y&a=%26&b=%7B%22k%22%3A%22v%22%7D",
        ),
        ("text/plain", "schema: {type: string}", r#"{"body":"é\n"}"#, "é\n"),
        ("application/xml", "schema: {type: object}", r#"{"body":"<a/>"}"#, "<a/>"),
        ("application/octet-stream", "schema: {type: string, format: binary}", r#"{"body":"aGVsbG8="}"#, "hello"),
        ("application/pdf", "", r#"{"body":"aGVsbG8"}"#, "hello"),
    ];
    for (media_type, rest, arguments, expected) in cases {
        let request = sent(&with_body(media_type, rest), arguments);
        assert_eq!(request.header("content-type"), Some(media_type));
        let body = request.body.unwrap();
        assert_eq!(String::from_utf8(body.bytes).unwrap(), expected, "{media_type} {arguments}");
    }
    // What no JSON value becomes is text in the InputSchema.
    let xml = with_body("application/xml", "schema: {type: object, properties: {a: {}}}");
    assert_eq!(validate(&xml, &json(r#"{"body":"<a/>"}"#)), []);
    assert_eq!(refused(&xml, r#"{"body":{"a":1}}"#), ["/body type"]);
    assert!(xml.operation.losses.iter().any(|loss| loss.what == "body-as-text"));
    let latin = sent(&with_body("text/plain; charset=iso-8859-1", "schema: {type: string}"), r#"{"body":"é"}"#);
    assert_eq!(latin.body.unwrap().bytes, b"\xe9");
    assert_eq!(refused(&with_body("application/pdf", ""), r#"{"body":"%%%"}"#), ["/body base64"]);
    assert_eq!(refused(&with_body("text/plain; charset=us-ascii", ""), r#"{"body":"日"}"#), ["/body charset"]);
}

#[test]
fn multipart_has_a_part_for_each_field_and_item() {
    let schema = "schema: {type: object, properties: {file: {type: string, format: binary}, tags: {type: array, items: {type: string}}, meta: {type: object}, n: {type: integer}}}, encoding: {meta: {contentType: application/ld+json}}";
    let tool = with_body("multipart/form-data", schema);
    let file = to_json(tool.operation.input_schema.get("properties").unwrap().get("file").unwrap(), false);
    assert!(file.contains(r#""required":["base64"]"#), "{file}");
    let arguments = r#"{"file":{"filename":"a\"b.png","content_type":"image/png","base64":"AP8="},"tags":["x","y"],"meta":{"k":1},"n":5}"#;
    assert_eq!(validate(&tool, &json(arguments)), []);
    let request = sent(&tool, arguments);
    let boundary =
        request.header("content-type").unwrap().strip_prefix("multipart/form-data; boundary=").unwrap().to_owned();
    let part = |head: &str, body: &[u8]| {
        [format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(), body, b"\r\n"].concat()
    };
    let expected = [
        part("name=\"file\"; filename=\"a%22b.png\"\r\nContent-Type: image/png", b"\x00\xff"),
        part("name=\"tags\"", b"x"),
        part("name=\"tags\"", b"y"),
        part("name=\"meta\"\r\nContent-Type: application/ld+json", br#"{"k":1}"#),
        part("name=\"n\"", b"5"),
        format!("--{boundary}--\r\n").into_bytes(),
    ];
    assert_eq!(request.body.as_ref().unwrap().bytes, expected.concat());
    assert_eq!(sent(&tool, arguments), request, "the same arguments give the same bytes");
    let injected = r#"{"file":{"content_type":"a/b\r\nX: y","base64":""}}"#;
    assert_eq!(refused(&tool, injected), ["/file header-value"]);
}

#[test]
fn headers_and_cookies() {
    let operation = "{parameters: [{name: X-A, in: header, schema: {}}, {name: X-O, in: header, explode: true, schema: {}}, {name: c, in: cookie, schema: {}}, {name: d, in: cookie, schema: {}}], responses: {'200': {description: d, content: {text/csv: {}}}}}";
    let tool = tool("/a", operation);
    let request = sent(&tool, r#"{"X-A":["a","b c"],"X-O":{"k":1,"l":true},"c":"x;y","d":[1,2]}"#);
    let expected =
        [("Accept", "text/csv, */*;q=0.5"), ("X-A", "a,b c"), ("X-O", "k=1,l=true"), ("Cookie", "c=x%3By; d=1; d=2")];
    assert_eq!(request.headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let cookie = request.parts.iter().find(|part| &*part.argument == "d").unwrap();
    assert_eq!(cookie.place, PartPlace::Cookie(3, 9..17));
    for value in ["a\\r\\nX-Evil: 1", "a\\u0000", "a\\nb"] {
        assert_eq!(refused(&tool, &format!("{{\"X-A\":\"{value}\"}}")), ["/X-A header-value"], "{value}");
    }
    assert_eq!(refused(&tool, r#"{"X-A":["a,b","c"]}"#), ["/X-A separator-in-item"]);
    assert_eq!(sent(&tool, r#"{"X-A":"a,b"}"#).header("x-a"), Some("a,b"));
}

#[test]
fn what_is_not_given_is_not_sent_and_what_is_unknown_is_named() {
    let operation = "{parameters: [{name: q, in: query, schema: {default: 1}}, {name: l, in: query, schema: {}}, {name: n, in: query, schema: {}}], requestBody: {content: {application/json: {schema: {type: object, properties: {a: {default: 2}}}}}}, responses: {}}";
    let tool = tool("/a", operation);
    let request = sent(&tool, r#"{"l":[],"n":null,"qq":1}"#);
    assert_eq!((request.url.as_str(), &request.body, request.unsent.len()), ("https://api.example.com/a", &None, 1));
    assert!(request.header("accept").is_some() && request.header("content-type").is_none());
    assert_eq!(sent(&tool, "null").url, "https://api.example.com/a");
    assert_eq!(refused(&tool, "[1]"), [" type"]);
}

#[test]
fn each_argument_is_found_where_it_is() {
    let operation = "{parameters: [{name: id, in: path, required: true, schema: {}}, {name: f, in: query, style: deepObject, schema: {}}, {name: X-A, in: header, schema: {}}], requestBody: {content: {application/json: {schema: {type: object, properties: {a/b: {}}}}}}, responses: {}}";
    let tool = tool("/p/{id}/q/{id}?fixed=1", operation);
    let request = sent(&tool, r#"{"id":"é","f":{"a":1,"b":2},"X-A":"h","a/b":1}"#);
    assert_eq!(request.url, "https://api.example.com/p/%C3%A9/q/%C3%A9?fixed=1&f%5Ba%5D=1&f%5Bb%5D=2");
    let found: Vec<String> = request
        .parts
        .iter()
        .map(|part| match &part.place {
            PartPlace::Path(range) | PartPlace::Query(range) => {
                format!("{} {}", part.argument, &request.url[range.clone()])
            }
            PartPlace::Header(at) => format!("{} {}", part.argument, request.headers[*at].1),
            PartPlace::Cookie(at, range) => format!("{} {}", part.argument, &request.headers[*at].1[range.clone()]),
            PartPlace::Body(pointer) => format!("{} {pointer}", part.argument),
        })
        .collect();
    assert_eq!(found, ["id %C3%A9", "id %C3%A9", "f f%5Ba%5D=1&f%5Bb%5D=2", "X-A h", "a/b /a~1b"]);
}

#[test]
fn an_argument_replaces_what_the_path_has_in_its_query() {
    let tool =
        tool("/n?format=json&geo=na", "{parameters: [{name: geo, in: query, schema: {type: string}}], responses: {}}");
    assert_eq!(sent(&tool, r#"{"geo":"eu"}"#).url, "https://api.example.com/n?format=json&geo=eu");
    assert_eq!(sent(&tool, "{}").url, "https://api.example.com/n?format=json&geo=na");
}

#[test]
fn the_whole_query_is_one_argument() {
    let operation = "{parameters: [{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object}}}}], responses: {}}";
    let text = format!("openapi: 3.2.0\ninfo: {{title: t, version: '1'}}\npaths: {{/a: {{get: {operation}}}}}\n");
    let catalog = derived("api.yaml", &text).unwrap();
    assert_eq!(
        sent(&catalog.tools[0], r#"{"q":{"a":"x y","b":[1,2]}}"#).url,
        "https://api.example.com/a?a=x%20y&b=1&b=2"
    );
    let operation = operation.replace("application/x-www-form-urlencoded", "application/json");
    let text = format!("openapi: 3.2.0\ninfo: {{title: t, version: '1'}}\npaths: {{/a: {{get: {operation}}}}}\n");
    let catalog = derived("api.yaml", &text).unwrap();
    assert_eq!(sent(&catalog.tools[0], r#"{"q":{"a":1}}"#).url, "https://api.example.com/a?%7B%22a%22%3A1%7D");
}

#[test]
fn everything_that_is_wrong_with_arguments_is_said_at_once() {
    let operation = "{parameters: [{name: limit, in: query, required: true, schema: {type: integer, minimum: 1}}, {name: status, in: query, schema: {type: string, enum: [open, closed]}}], requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, pattern: '^[a-z]+$'}, pet: {oneOf: [{type: object, required: [kind, lives], properties: {kind: {const: cat}, lives: {type: integer}}}, {type: object, required: [kind], properties: {kind: {const: dog}, breed: {type: string}}}]}, v: {anyOf: [{type: string}, {type: 'null'}]}}}}}}, responses: {}}";
    let tool = tool("/a", operation);
    let arguments = r#"{"limit":0,"status":"opne","nam":"x","pet":{"kind":"dog","breed":7},"v":5}"#;
    let given: Vec<String> = validate(&tool, &json(arguments)).iter().map(ToString::to_string).collect();
    let expected = [
        "/nam: the tool has no argument `nam`; `name` is close (unknown-argument)",
        "/name: `name` is required and missing (required)",
        "/limit: must be at least 1, not number 0 (minimum)",
        r#"/status: must be one of "open", "closed", not string "opne"; `open` is close (enum)"#,
        "/pet/breed: must be string, not number 7 (choice 2 of 2, the nearest) (type)",
        "/v: must be string or null, not number 5 (anyOf)",
    ];
    assert_eq!(given, expected);
    let names: Vec<String> = validate(&tool, &json(arguments)).into_iter().map(|problem| problem.argument).collect();
    assert_eq!(names, ["nam", "name", "limit", "status", "pet", "v"]);
    assert_eq!(validate(&tool, &json(r#"{"limit":1,"name":"x","pet":{"kind":"cat","lives":9},"v":null}"#)), []);
}

#[test]
fn a_pattern_that_does_not_compile_keeps_nothing_else_from_being_checked() {
    let schema =
        json(r#"{"type":"object","properties":{"a":{"type":"string","pattern":"(["},"b":{"type":"integer"}}}"#);
    let validator = Validator::new(&schema);
    assert_eq!(validator.skipped().len(), 1, "{:?}", validator.skipped());
    let rules: Vec<String> = validator.check(&json(r#"{"a":"x","b":"y"}"#)).into_iter().map(|it| it.pointer).collect();
    assert_eq!(rules, ["/b"]);
    // Nothing is fetched.
    let remote =
        Validator::new(&json(r#"{"properties":{"a":{"$ref":"https://example.com/s.json"},"b":{"type":"integer"}}}"#));
    assert!(!remote.skipped().is_empty());
}

#[test]
fn a_command_can_be_pasted() {
    let tool = tool(
        "/a/{id}",
        "{parameters: [{name: id, in: path, required: true, schema: {}}, {name: token, in: query, schema: {}}, {name: X-A, in: header, schema: {}}], requestBody: {content: {application/json: {schema: {type: object, properties: {a: {}}}}}}, responses: {}}",
    );
    let request = sent(&tool, r#"{"id":"$(reboot)","token":"hidden","X-A":"it's `x` !","a":"'; rm -rf / #\n"}"#);
    let expected = r#"curl 'https://api.example.com/a/%24%28reboot%29?token=***' \
  -H 'Accept: application/json, */*;q=0.5' \
  -H 'X-A: it'\''s `x` !' \
  -H 'Content-Type: application/json' \
  --data-raw '{"a":"'\''; rm -rf / #\n"}'"#;
    assert_eq!(curl(&request, &Redactor::default()), expected);
    let bytes = sent(&with_body("application/octet-stream", ""), r#"{"body":"AP8="}"#);
    let command = curl(&bytes, &Redactor::default());
    assert!(command.starts_with("printf %s AP8= | base64 -d | curl https://api.example.com/a"), "{command}");
    assert!(command.ends_with("--data-binary @-"), "{command}");
}

#[test]
fn secrets_are_masked_and_nothing_else() {
    let schemes = json(
        r#"{"components":{"securitySchemes":{"k":{"type":"apiKey","in":"header","name":"X-Shop-Key"},"q":{"type":"apiKey","in":"query","name":"sid"}}}}"#,
    );
    let redactor = Redactor::default().with_schemes(&schemes).with_secret("s3cr3t-value");
    let headers = [
        ("Authorization", "Bearer abc", "Bearer ***"),
        ("authorization", "abc", "***"),
        ("Cookie", "a=1; b=2", "a=***; b=***"),
        ("x-api-key", "abc", "***"),
        ("x-shop-key", "abc", "***"),
        ("X-Other", "abc", "abc"),
        ("X-Other", "with s3cr3t-value inside", "with *** inside"),
        ("Location", "https://x.example/cb?access_token=abc&state=1", "https://x.example/cb?access_token=***&state=1"),
    ];
    for (name, value, expected) in headers {
        assert_eq!(redactor.header(name, value), expected, "{name}");
    }
    let urls = [
        ("https://u:p@h.example/a?api_key=1&b=2#c", "https://***@h.example/a?api_key=***&b=2#c"),
        (
            "https://h.example/a?sid=1&API_KEY=2&access%5Ftoken=3",
            "https://h.example/a?sid=***&API_KEY=***&access%5Ftoken=***",
        ),
        ("https://h.example/token/a@b", "https://h.example/token/a@b"),
    ];
    for (url, expected) in urls {
        assert_eq!(redactor.url(url), expected);
    }
    let swagger =
        json(r#"{"swagger":"2.0","securityDefinitions":{"k":{"type":"apiKey","in":"header","name":"X-Old"}}}"#);
    assert_eq!(Redactor::default().with_schemes(&swagger).header("x-old", "v"), "***");
}

fn made(schema: &str, extent: Extent) -> Vec<(String, bool)> {
    let instances = synthesize_schema(&json(schema), extent);
    instances.iter().map(|it| (to_json(&it.value, false), it.problems.is_empty())).collect()
}

#[test]
fn synthetic_instances_fit_their_schemas() {
    let cases = [
        (r#"{"type":"string","format":"date-time"}"#, r#""2024-01-15T09:30:00Z""#),
        (r#"{"type":"string","pattern":"^[A-Z]{3}-\\d{2,}$"}"#, r#""AAA-11""#),
        (r#"{"type":"string","pattern":"^(?=.{3,9}$)[a-z]+$"}"#, r#""text""#),
        (r#"{"type":"string","minLength":6,"maxLength":8}"#, r#""textxx""#),
        (r#"{"type":"string","pattern":"^\\w+$","minLength":5}"#, r#""aaaaa""#),
        (r#"{"type":"string","examples":["toolong"],"default":"ok","maxLength":3}"#, r#""ok""#),
        (r#"{"type":"integer","minimum":10,"exclusiveMaximum":12}"#, "10"),
        (r#"{"type":"number","exclusiveMinimum":0,"maximum":0.5}"#, "0.5"),
        (r#"{"type":"integer","multipleOf":7,"minimum":15}"#, "21"),
        (r#"{"type":["null","boolean"]}"#, "true"),
        (r#"{"enum":[null,"a"]}"#, r#""a""#),
        (r#"{"type":"array","items":{"type":"integer"},"minItems":3,"uniqueItems":true}"#, "[1,2,3]"),
        (r#"{"type":"array","prefixItems":[{"const":1},{"type":"string"}]}"#, r#"[1,"text"]"#),
        (r#"{"type":"object","additionalProperties":{"type":"integer"},"minProperties":2}"#, r#"{"key1":1,"key2":1}"#),
        (
            r#"{"allOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}},{"properties":{"a":{"minLength":5}}}]}"#,
            r#"{"a":"textx"}"#,
        ),
        (
            r##"{"$ref":"#/$defs/T","$defs":{"T":{"type":"object","properties":{"n":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/T"}}}}}}"##,
            r#"{"n":1,"kids":[{"n":1,"kids":[]}]}"#,
        ),
        (r#"{"type":"object","properties":{"a":{},"b":{}},"not":{"required":["a","b"]}}"#, r#"{"a":"text"}"#),
    ];
    for (schema, expected) in cases {
        assert_eq!(made(schema, Extent::All), [(expected.to_owned(), true)], "{schema}");
    }
    let required =
        r#"{"type":"object","required":["b"],"properties":{"a":{"type":"string"},"b":{"type":"array","items":{}}}}"#;
    assert_eq!(made(required, Extent::Required), [(r#"{"b":[]}"#.to_owned(), true)]);
    let branches = r#"{"type":"object","properties":{"x":{"oneOf":[{"const":1},{"const":2}]},"y":{"anyOf":[{"type":"string"},{"type":"boolean"}]}}}"#;
    let expected = [r#"{"x":1,"y":"text"}"#, r#"{"x":2,"y":"text"}"#, r#"{"x":1,"y":"text"}"#, r#"{"x":1,"y":true}"#];
    assert_eq!(made(branches, Extent::Branches), expected.map(|it| (it.to_owned(), true)));
    assert_eq!(made(r#"{"type":"object"}"#, Extent::Branches), []);
    // Nothing fits: the instance says so.
    let endless = r##"{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/A"}}}}}"##;
    for schema in [endless, r#"{"type":"string","enum":["abc"],"maxLength":1}"#] {
        assert!(!made(schema, Extent::All)[0].1, "{schema}");
    }
}

#[test]
fn a_branch_that_names_its_own_value_is_not_given_another() {
    let text = "openapi: 3.0.3
info: {title: t, version: '1'}
paths: {/a: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {m: {$ref: '#/components/schemas/M'}}}}}}, responses: {}}}}
components:
  schemas:
    M: {oneOf: [{$ref: '#/components/schemas/UserMessage'}, {$ref: '#/components/schemas/ToolMessage'}], discriminator: {propertyName: role}}
    UserMessage: {type: object, required: [role], properties: {role: {type: string, enum: [user]}}}
    ToolMessage: {type: object, required: [role], properties: {role: {type: string}}}
";
    let catalog = derived("api.yaml", text).unwrap();
    assert_eq!(validate(&catalog.tools[0], &json(r#"{"m":{"role":"user"}}"#)), []);
    assert_eq!(validate(&catalog.tools[0], &json(r#"{"m":{"role":"ToolMessage"}}"#)), []);
    assert!(!validate(&catalog.tools[0], &json(r#"{"m":{"role":"other"}}"#)).is_empty());
    assert!(synthesize(&catalog.tools[0], Extent::Branches).iter().all(|instance| instance.problems.is_empty()));
}

fn result(operation: &str, response: &HttpResponse) -> CallResult {
    decode(response, &tool("/a", operation), &Rules::default())
}

fn response(status: u16, media_type: &str, body: &[u8]) -> HttpResponse {
    let headers = vec![("content-type".to_owned(), media_type.to_owned())];
    HttpResponse { status, headers, body: body.to_vec(), ..HttpResponse::default() }
}

#[test]
fn results_as_mcp_has_them() {
    let plain = "{responses: {}}";
    let formatted = |format: &str| format!("{{x-mcp-response-format: {format}, responses: {{}}}}");
    let schema = "{responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {n: {type: number}}}}}}}}";
    let cases: Vec<(String, HttpResponse, &str)> = vec![
        (
            plain.into(),
            response(200, "application/json", b"{\"a\":1.10}"),
            r#"{"content":[{"type":"text","text":"{\"a\":1.10}"}],"isError":false}"#,
        ),
        (
            schema.into(),
            response(200, "application/json", b"{\"n\":1.10}"),
            r#"{"content":[{"type":"text","text":"{\"n\":1.10}"}],"structuredContent":{"n":1.10},"isError":false}"#,
        ),
        (
            plain.into(),
            response(200, "image/png; q=1", b"\x89P"),
            r#"{"content":[{"type":"image","data":"iVA=","mimeType":"image/png"}],"isError":false}"#,
        ),
        (
            plain.into(),
            response(200, "audio/mpeg", b"ab"),
            r#"{"content":[{"type":"audio","data":"YWI=","mimeType":"audio/mpeg"}],"isError":false}"#,
        ),
        (
            plain.into(),
            response(200, "application/zip", b"PK\x00"),
            r#"{"content":[{"type":"resource","resource":{"uri":"toolscope:create_a","mimeType":"application/zip","blob":"UEsA"}}],"isError":false}"#,
        ),
        (
            plain.into(),
            response(200, "text/html", b"<p>"),
            r#"{"content":[{"type":"text","text":"<p>"}],"isError":false}"#,
        ),
        (
            formatted("text"),
            response(200, "application/json", b"{}"),
            r#"{"content":[{"type":"text","text":"{}"}],"isError":false}"#,
        ),
        (
            formatted("binary"),
            response(200, "text/plain", b"a"),
            r#"{"content":[{"type":"resource","resource":{"uri":"toolscope:create_a","mimeType":"text/plain","blob":"YQ=="}}],"isError":false}"#,
        ),
        (
            formatted("image"),
            response(200, "application/octet-stream", b"a"),
            r#"{"content":[{"type":"image","data":"YQ==","mimeType":"application/octet-stream"}],"isError":false}"#,
        ),
        (
            plain.into(),
            response(404, "text/plain", b"gone"),
            r#"{"content":[{"type":"text","text":"HTTP 404 Not Found\ngone"}],"isError":true}"#,
        ),
        (
            plain.into(),
            response(502, "", b""),
            r#"{"content":[{"type":"text","text":"HTTP 502 Bad Gateway: the response has no body."}],"isError":true}"#,
        ),
        (
            plain.into(),
            response(302, "", b""),
            r#"{"content":[{"type":"text","text":"HTTP 302 Found: the response has no body."}],"isError":true}"#,
        ),
    ];
    for (operation, response, expected) in cases {
        let given = result(&operation, &response);
        assert_eq!(serde_json::to_string(&given).unwrap(), expected, "{operation} {response:?}");
    }
}

#[test]
fn bodies_that_cannot_be_read_are_given_with_the_reason() {
    let notes = |result: &CallResult| -> Vec<String> {
        let texts = result.content.iter().filter_map(|content| match content {
            Content::Text { text } => Some(text.clone()),
            _ => None,
        });
        texts.collect()
    };
    let plain = "{responses: {}}";
    let broken = result(plain, &response(200, "application/json", b"{\"a\":"));
    assert_eq!(notes(&broken)[0], "{\"a\":");
    assert!(notes(&broken)[1].contains("is no JSON"), "{broken:?}");
    let mut squeezed = response(200, "application/json", b"\x1f\x8b\x08\x00\x00");
    squeezed.headers.push(("content-encoding".to_owned(), "gzip".to_owned()));
    let squeezed = result(plain, &squeezed);
    assert!(matches!(squeezed.content[0], Content::Resource { .. }), "{squeezed:?}");
    assert!(notes(&squeezed)[0].contains("compressed (gzip)"), "{squeezed:?}");
    let unknown = result(plain, &response(200, "text/plain; charset=klingon", b"a"));
    assert!(notes(&unknown)[1].contains("`klingon` is unknown"), "{unknown:?}");
    let bytes = result(plain, &response(200, "text/plain; charset=utf-8", b"\xff\xfe\xfd"));
    assert!(!bytes.content.is_empty());
    let long = result(plain, &HttpResponse { cut_at: Some(10), ..response(200, "text/plain", b"0123456789") });
    assert!(long.is_error && notes(&long)[0].contains("longer than 10 bytes"), "{long:?}");
    let accepted = decode(
        &response(404, "text/plain", b"none"),
        &tool("/a", plain),
        &Rules { success_status: vec![404], ..Rules::default() },
    );
    assert!(!accepted.is_error);
    assert_eq!(notes(&CallResult::timeout(2.5)), ["The API gave no answer within 2.5 seconds."]);
}

#[test]
fn numbers_survive_from_the_arguments_to_the_result() {
    let number = "123456789012345678901234567890.10";
    let tool = tool(
        "/a",
        "{parameters: [{name: n, in: query, schema: {type: number}}], responses: {'200': {description: d, content: {application/json: {schema: {type: object}}}}}}",
    );
    assert!(sent(&tool, &format!("{{\"n\":{number}}}")).url.ends_with(&format!("?n={number}")));
    let decoded =
        decode(&response(200, "application/json", format!("{{\"n\":{number}}}").as_bytes()), &tool, &Rules::default());
    let structured: &Node = decoded.structured.as_ref().unwrap();
    assert_eq!(to_json(structured, false), format!("{{\"n\":{number}}}"));
}

#[test]
fn a_difference_comes_with_the_overlay_action_that_mends_the_document() {
    let at = |below: &str| format!("$.components.schemas.Pet{below}");
    let removed = |below: &str| format!(r#"{{"target":"{}","remove":true}}"#, at(below));
    let updated = |below: &str, update: &str| format!(r#"{{"target":"{}","update":{update}}}"#, at(below));
    // One type is replaced, several are given whole: an update does not put a list in the place of a text.
    let old =
        vec![updated(".properties.name", r#"{"nullable":true}"#), updated(".properties.age", r#"{"type":"string"}"#)];
    let new = vec![
        removed(".properties.name.type"),
        updated(".properties.name", r#"{"type":["string","null"]}"#),
        removed(".properties.age.type"),
        updated(".properties.age", r#"{"type":["integer","string"]}"#),
    ];
    for (version, types) in [("3.0.3", old), ("3.1.0", new)] {
        let text = format!(
            "openapi: {version}
info: {{title: t, version: '1'}}
paths: {{/a: {{get: {{responses: {{'200': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Pet'}}}}}}}}}}}}}}}}
components: {{schemas: {{Pet: {{type: object, required: [id], additionalProperties: false, properties: {{id: {{type: integer}}, name: {{type: string}}, age: {{type: integer}}, state: {{type: string, enum: [a]}}}}}}}}}}
"
        );
        let catalog = derived("api.yaml", &text).unwrap();
        let response = response(200, "application/json", br#"{"name":null,"age":"3","state":"b","more":1}"#);
        let drift = decode(&response, &catalog.tools[0], &Rules::default()).drift.unwrap();
        let documents = &catalog.upstreams[0].documents;
        let actions = drift.remedies.iter().flat_map(|remedy| remedy.actions(documents));
        let mut actions: Vec<String> = actions.map(|action| to_json(&action, false)).collect();
        let mut expected = types;
        expected.extend([
            updated("", r#"{"additionalProperties":true}"#),
            removed(".required[?@ == 'id']"),
            updated(".properties.state", r#"{"enum":["b"]}"#),
        ]);
        actions.sort();
        expected.sort();
        assert_eq!(actions, expected, "{version}");
        // Every action says of the same thing that it mends it: applied together, nothing differs any more.
        let overlay =
            format!("overlay: 1.0.0\ninfo: {{title: o, version: '1'}}\nactions: [{}]\n", in_order(&drift, documents));
        let mended = overlaid("api.yaml", &text, &overlay);
        assert_eq!(decode(&response, &mended.tools[0], &Rules::default()).drift, None, "{version}");
    }
}

/// The actions of all remedies, as they are to be applied.
fn in_order(drift: &toolscope::wire::Drift, documents: &toolscope::document::DocumentSet) -> String {
    let actions = drift.remedies.iter().flat_map(|remedy| remedy.actions(documents));
    actions.map(|action| to_json(&action, false)).collect::<Vec<_>>().join(", ")
}

/// The catalog of a document after an overlay.
fn overlaid(name: &str, text: &str, overlay: &str) -> std::sync::Arc<toolscope::derive::Catalog> {
    use toolscope::workspace::{Options, OverlayArg, SpecArg, Workspace, load};
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::write(folder.path().join("o.yaml"), overlay).unwrap();
    let options = Options {
        specs: vec![SpecArg::parse(name)],
        overlays: vec![OverlayArg::parse("o.yaml")],
        ..Options::default()
    };
    let workspace = Workspace::resolve(&options, folder.path()).unwrap();
    load(&workspace, None).unwrap().catalog
}

#[test]
fn a_request_is_written_as_the_contract_says() {
    let tool = with_body("application/json", "schema: {type: object, properties: {a: {}}}");
    let text = serde_json::to_string(&sent(&tool, r#"{"a":1}"#)).unwrap();
    let expected = r#"{"method":"POST","url":"https://api.example.com/a","headers":[["Accept","application/json, */*;q=0.5"],["Content-Type","application/json"]],"body":{"media_type":"application/json","text":"{\"a\":1}"}}"#;
    assert_eq!(text, expected);
    let bytes = sent(&with_body("application/octet-stream", ""), r#"{"body":"AP8="}"#);
    let text = serde_json::to_string(&bytes.body).unwrap();
    assert_eq!(text, r#"{"media_type":"application/octet-stream","base64":"AP8="}"#);
}
