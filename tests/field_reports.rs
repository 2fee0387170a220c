//! What broke other programs of this kind, one test per report: the input that broke them, and what is right.
//!
//! Names come out under the profile `default`. What is a client's or a provider's own rule (a combined length of 60, a
//! root without choices) is told by lint; here stands what the InputSchema itself must be.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod wire_support;

use std::collections::BTreeSet;
use std::sync::Arc;

use toolscope::derive::{Catalog, Settings, Tool, UpstreamInput, catalog};
use toolscope::document::{DocumentSet, Node, SourceFile, Sources, Value, parse, pointer, to_json};
use toolscope::naming::Profile;
use toolscope::wire::{
    Content, Extent, HttpRequest, HttpResponse, Options, Rules, decode, encode, encode_with, synthesize, validate,
};
use wire_support::{derived, json};

const BASE: &str = "https://api.example.com/v1";

/// A document of these paths (YAML, two spaces in).
fn document(paths: &str) -> Catalog {
    document_with(paths, "{}")
}

fn document_with(paths: &str, components: &str) -> Catalog {
    let text = format!("openapi: 3.0.3\ninfo: {{title: t, version: '1'}}\npaths:\n{paths}components: {components}\n");
    derived("api.yaml", &text).unwrap()
}

/// One operation in YAML flow style.
fn one(path: &str, method: &str, operation: &str) -> Arc<Tool> {
    one_with(path, method, operation, "{}")
}

fn one_with(path: &str, method: &str, operation: &str, components: &str) -> Arc<Tool> {
    let catalog = document_with(&format!("  {path}:\n    {method}: {operation}\n"), components);
    assert_eq!(catalog.tools.len(), 1, "{:?}", catalog.findings);
    catalog.tools[0].clone()
}

fn call(tool: &Tool, arguments: &str) -> HttpRequest {
    let arguments = json(arguments);
    let problems = validate(tool, &arguments);
    assert!(problems.is_empty(), "{problems:?}");
    encode(tool, BASE, &arguments).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The URL behind the base.
fn url(tool: &Tool, arguments: &str) -> String {
    call(tool, arguments).url.strip_prefix(BASE).unwrap().to_owned()
}

fn body(tool: &Tool, arguments: &str) -> String {
    String::from_utf8(call(tool, arguments).body.expect("there is a body").bytes).unwrap()
}

fn names(catalog: &Catalog) -> Vec<&str> {
    catalog.tools.iter().map(|tool| tool.named.name.as_str()).collect()
}

fn legal(name: &str) -> bool {
    !name.is_empty() && name.len() <= 128 && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}

fn argument_names(tool: &Tool) -> Vec<&str> {
    tool.operation.input_schema.get("properties").unwrap().members().map(|member| &*member.key).collect()
}

fn required(tool: &Tool) -> String {
    to_json(tool.operation.input_schema.get("required").unwrap(), false)
}

fn property(tool: &Tool, name: &str) -> String {
    to_json(tool.operation.input_schema.get("properties").unwrap().get(name).unwrap(), false)
}

fn losses(tool: &Tool) -> Vec<&str> {
    tool.operation.losses.iter().map(|loss| loss.what).collect()
}

/// References that lead nowhere within the schema.
fn dangling(schema: &Node) -> Vec<String> {
    fn walk(root: &Node, node: &Node, out: &mut Vec<String>) {
        if let Some(reference) = node.text("$ref") {
            let found = reference.strip_prefix('#').is_some_and(|it| pointer::resolve(root, it).is_ok());
            if !found {
                out.push(reference.to_owned());
            }
        }
        node.members().for_each(|member| walk(root, &member.value, out));
        node.items().for_each(|item| walk(root, item, out));
    }
    let mut out = Vec::new();
    walk(schema, schema, &mut out);
    out
}

fn answer(status: u16, media_type: &str, body: &[u8]) -> HttpResponse {
    HttpResponse {
        status,
        headers: vec![("Content-Type".to_owned(), media_type.to_owned())],
        body: body.to_vec(),
        ..HttpResponse::default()
    }
}

fn text(content: &[Content]) -> &str {
    match content {
        [Content::Text { text }, ..] => text,
        other => panic!("no text: {other:?}"),
    }
}

// A. Names

#[test]
fn report_01_operation_ids_beyond_a_limit_become_legal_unique_and_stable_names() {
    let long = "getTheVeryLongNameOfAnOperationThatNobodyWouldEverWriteByHandButGeneratorsDo".repeat(2);
    let paths = format!(
        "  /a: {{get: {{operationId: {long}A, responses: {{}}}}}}\n  /b: {{get: {{operationId: {long}B, responses: {{}}}}}}\n"
    );
    let (first, second) = (document(&paths), document(&paths));
    assert_eq!(names(&first), names(&second), "stable over a reload");
    assert!(first.tools.iter().all(|tool| legal(&tool.named.name)), "{:?}", names(&first));
    // They differ only in what is cut off: both stay, marked.
    assert_eq!((first.tools.len(), first.conflicts.len()), (2, 1));
    let hashed = with_profile(&paths, "agents");
    let unique: BTreeSet<&str> = names(&hashed).into_iter().collect();
    assert_eq!(unique.len(), 2);
    assert!(unique.iter().all(|name| name.len() <= 64), "{unique:?}");
}

fn with_profile(paths: &str, profile: &str) -> Catalog {
    let text = format!("openapi: 3.0.3\ninfo: {{title: t, version: '1'}}\npaths:\n{paths}");
    upstreams(&[("api", None, &text)], profile)
}

fn upstreams(inputs: &[(&str, Option<&str>, &str)], profile: &str) -> Catalog {
    let mut sources = Sources::default();
    let inputs: Vec<UpstreamInput> = inputs
        .iter()
        .map(|(name, prefix, text)| {
            let file = sources.put(SourceFile::new(format!("{name}.yaml"), *text));
            UpstreamInput {
                name: (*name).to_owned(),
                prefix: prefix.map(str::to_owned),
                base_url: None,
                documents: Arc::new(DocumentSet::single(parse(file, "x.yaml", text).unwrap())),
                touches: Vec::new(),
                findings: Vec::new(),
            }
        })
        .collect();
    catalog(&inputs, &Settings::new(Profile::builtin(profile).unwrap()), Arc::new(sources), None)
}

#[test]
fn report_02_the_limit_counts_the_prefix() {
    let id = "a".repeat(140);
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: t, version: '1'}}\npaths: {{/a: {{get: {{operationId: {id}, responses: {{}}}}}}}}\n"
    );
    let catalog = upstreams(&[("shop", Some("shop"), &text)], "default");
    let name = &catalog.tools[0].named.name;
    assert!(name.starts_with("shop__a"), "{name}");
    assert_eq!(name.chars().count(), 128);
}

#[test]
fn report_03_long_names_that_differ_at_the_end_stay_apart() {
    let common = "todoist_workspace_projects_sections_tasks_comments_attachments";
    let ends = ["create", "update", "delete", "archive", "restore", "complete"];
    let paths: String = ends
        .iter()
        .map(|end| format!("  /{end}: {{post: {{operationId: {common}_{end}, responses: {{}}}}}}\n"))
        .collect();
    for profile in ["default", "agents"] {
        let catalog = with_profile(&paths, profile);
        let unique: BTreeSet<&str> = names(&catalog).into_iter().collect();
        assert_eq!(unique.len(), ends.len(), "{profile}: {unique:?}");
    }
}

#[test]
fn report_04_the_length_with_a_server_in_front_can_be_told() {
    // The rule of 60 is a client's; the name alone is what a lint target adds its server to.
    let tool = one("/a", "get", "{operationId: list_all_customer_orders_with_their_shipping_addresses, responses: {}}");
    assert_eq!(tool.named.name.chars().count(), 54);
    assert!(tool.named.truncated.is_none());
}

#[test]
fn report_05_without_an_operation_id_the_name_is_a_legal_slug() {
    let tool = one("/api/v1/x/{id}", "delete", "{responses: {}}");
    assert!(legal(&tool.named.name), "{}", tool.named.name);
    assert!(!tool.named.name.contains(['/', '{', '}']), "{}", tool.named.name);
}

#[test]
fn report_06_tools_equal_after_a_cut_are_both_reported() {
    let long = "x".repeat(130);
    let paths = format!(
        "  /a: {{get: {{operationId: {long}1, responses: {{}}}}}}\n  /b: {{get: {{operationId: {long}2, responses: {{}}}}}}\n"
    );
    let catalog = document(&paths);
    let [conflict] = &catalog.conflicts[..] else { panic!("{:?}", catalog.conflicts) };
    let claimants: Vec<&str> = conflict.tools.iter().map(|claimant| claimant.path.as_str()).collect();
    assert_eq!(claimants, ["/a", "/b"]);
    assert_eq!(catalog.tools.len(), 2, "neither vanishes");
}

#[test]
fn report_07_a_duplicate_operation_id_keeps_both_tools() {
    let paths = "  /a: {get: {operationId: list, responses: {}}}\n  /b: {get: {operationId: list, responses: {}}}\n";
    let catalog = document(paths);
    assert_eq!((catalog.tools.len(), catalog.conflicts.len()), (2, 1));
    assert_eq!(catalog.conflicts[0].name, "list");
}

#[test]
fn report_08_two_documents_with_one_operation_id_are_namespaced() {
    let text =
        "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {operationId: list, responses: {}}}}\n";
    let catalog = upstreams(&[("one", Some("one"), text), ("two", Some("two"), text)], "default");
    assert_eq!(names(&catalog), ["one__list", "two__list"]);
    assert!(catalog.conflicts.is_empty());
}

#[test]
fn report_09_the_name_of_the_list_is_the_name_of_the_call() {
    let catalog = document(
        "  /pets/{petId}: {get: {parameters: [{name: petId, in: path, required: true, schema: {type: string}}], responses: {}}}\n",
    );
    let listed = names(&catalog)[0].to_owned();
    let called = catalog.find(&listed).expect("a call finds what the list shows");
    assert_eq!(url(called, r#"{"petId":"7"}"#), "/pets/7");
}

#[test]
fn report_10_dots_do_not_reach_a_name_unless_somebody_wrote_it() {
    let catalog = document(
        "  /a: {get: {operationId: meho.topology.list, responses: {}}}\n  /b: {get: {x-mcp-tool-name: a.b, responses: {}}}\n",
    );
    assert_eq!(names(&catalog), ["meho_topology_list", "a.b"]);
}

// B. Parameters and URLs

#[test]
fn report_11_path_level_parameters_are_merged_and_every_placeholder_is_filled() {
    let paths = "  /users/{id}/posts/{post}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
      - {name: page, in: query, schema: {type: integer}, description: old}
    get:
      parameters: [{name: page, in: query, schema: {type: integer}, description: new}]
      responses: {}
";
    let catalog = document(paths);
    let tool = &catalog.tools[0];
    assert_eq!(argument_names(tool), ["id", "post", "page"]);
    assert_eq!(property(tool, "page"), r#"{"type":"integer","description":"new"}"#);
    assert_eq!(losses(tool), ["undeclared-path-parameter"]);
    assert_eq!(url(tool, r#"{"id":"u","post":"p"}"#), "/users/u/posts/p");
    let missing = encode(tool, BASE, &json(r#"{"id":"u"}"#)).unwrap_err();
    assert_eq!((missing[0].argument.as_str(), missing[0].rule.as_str()), ("post", "required"));
}

#[test]
fn report_12_every_occurrence_of_a_placeholder_is_filled() {
    let tool = one(
        "/{tenant}/{tenant}/device",
        "get",
        "{parameters: [{name: tenant, in: path, required: true, schema: {type: string}}], responses: {}}",
    );
    assert_eq!(url(&tool, r#"{"tenant":"t 1"}"#), "/t%201/t%201/device");
}

#[test]
fn report_13_a_list_in_a_path_is_joined_with_commas() {
    let tool = one(
        "/days/{days}",
        "get",
        "{parameters: [{name: days, in: path, required: true, schema: {type: array, items: {type: string}}}], responses: {}}",
    );
    assert_eq!(url(&tool, r#"{"days":["monday","tuesday"]}"#), "/days/monday,tuesday");
}

#[test]
fn report_14_lists_in_a_query_follow_style_and_explode() {
    let cases = [
        ("", "?a=1&a=2"),
        ("explode: true,", "?a=1&a=2"),
        ("explode: false,", "?a=1,2"),
        ("style: spaceDelimited,", "?a=1%202"),
        ("style: pipeDelimited,", "?a=1%7C2"),
        ("style: pipeDelimited, explode: true,", "?a=1&a=2"),
    ];
    for (how, expected) in cases {
        let operation = format!(
            "{{parameters: [{{name: a, in: query, {how} schema: {{type: array, items: {{type: integer}}}}}}], responses: {{}}}}"
        );
        assert_eq!(url(&one("/l", "get", &operation), r#"{"a":[1,2]}"#), format!("/l{expected}"), "{how}");
    }
}

#[test]
fn report_15_a_deep_object_is_one_pair_per_member() {
    let tool = one(
        "/l",
        "get",
        "{parameters: [{name: f, in: query, style: deepObject, explode: true, schema: {type: object}}], responses: {}}",
    );
    // `f[a]=1&f[b]=2`, the brackets encoded as RFC 3986 asks.
    assert_eq!(url(&tool, r#"{"f":{"a":1,"b":2}}"#), "/l?f%5Ba%5D=1&f%5Bb%5D=2");
}

#[test]
fn report_16_the_url_comes_from_the_path_and_never_from_the_name() {
    let tool = one(
        "/api_v1.2/a_b/a_b/{x_y}",
        "get",
        "{parameters: [{name: x_y, in: path, required: true, schema: {type: string}}], responses: {}}",
    );
    assert_eq!(url(&tool, r#"{"x_y":"p_q.r"}"#), "/api_v1.2/a_b/a_b/p_q.r");
}

#[test]
fn report_17_a_path_argument_is_not_in_the_body_as_well() {
    let tool = one(
        "/a/{id}",
        "put",
        "{parameters: [{name: id, in: path, required: true, schema: {type: string}}], requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {}}",
    );
    assert_eq!(body(&tool, r#"{"id":"1","name":"n"}"#), r#"{"name":"n"}"#);
    assert_eq!(call(&tool, r#"{"id":"1","name":"n"}"#).parts.len(), 2);
}

#[test]
fn report_18_a_query_parameter_may_be_called_body() {
    let operation = "{parameters: [{name: body, in: query, schema: {type: string}}], requestBody: {required: true, content: {application/json: {schema: {type: array, items: {type: integer}}}}}, responses: {}}";
    let tool = one("/a", "post", operation);
    assert_eq!(argument_names(&tool), ["body_query", "body_body"]);
    let request = call(&tool, r#"{"body_query":"q","body_body":[1]}"#);
    assert_eq!(request.url, format!("{BASE}/a?body=q"));
    assert_eq!(request.body.unwrap().bytes, b"[1]");
}

#[test]
fn report_19_a_parameter_and_a_body_member_of_one_name_are_both_reachable() {
    let operation = "{parameters: [{name: name, in: query, schema: {type: string}}], requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {}}";
    let tool = one("/a", "post", operation);
    let request = call(&tool, r#"{"name_query":"q","name_body":"b"}"#);
    assert_eq!(request.url, format!("{BASE}/a?name=q"));
    assert_eq!(request.body.unwrap().bytes, br#"{"name":"b"}"#);
}

#[test]
fn report_20_required_holds_each_name_once_and_read_only_members_are_no_inputs() {
    let operation = "{parameters: [{name: id, in: path, required: true, schema: {type: string}}], requestBody: {required: true, content: {application/json: {schema: {type: object, required: [id, id, name], properties: {id: {type: string, readOnly: true}, name: {type: string}}}}}}, responses: {}}";
    let tool = one("/a/{id}", "put", operation);
    assert_eq!(required(&tool), r#"["id","name"]"#);
    assert_eq!(argument_names(&tool), ["id", "name"]);
}

#[test]
fn report_21_truth_values_are_json_and_what_was_not_given_is_not_sent() {
    let operation = "{parameters: [{name: on, in: query, schema: {type: boolean, default: false}}, {name: off, in: query, schema: {type: boolean}}], requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: boolean}, b: {type: boolean, default: false}}}}}}, responses: {}}";
    let tool = one("/a", "post", operation);
    let request = call(&tool, r#"{"on":true,"a":true}"#);
    assert_eq!(request.url, format!("{BASE}/a?on=true"));
    assert_eq!(request.body.unwrap().bytes, br#"{"a":true}"#);
}

#[test]
fn report_22_odd_names_arrive_as_the_document_has_them() {
    let operation = "{parameters: [{name: $filter, in: query, schema: {type: string}}, {name: '@type', in: query, schema: {type: string}}, {name: class, in: query, schema: {type: string}}, {name: 'filter[x]', in: query, schema: {type: string}}], responses: {}}";
    let tool = one("/a", "get", operation);
    let given: Vec<String> = tool.operation.binding.iter().map(|row| format!("\"{}\":\"v\"", row.argument)).collect();
    assert_eq!(url(&tool, &format!("{{{}}}", given.join(","))), "/a?$filter=v&@type=v&class=v&filter%5Bx%5D=v");
}

#[test]
fn report_23_a_path_value_is_encoded_and_cannot_leave_its_segment() {
    let tool = one(
        "/f/{name}/end",
        "get",
        "{parameters: [{name: name, in: path, required: true, schema: {type: string}}], responses: {}}",
    );
    let cases = [
        (r#"{"name":"a b"}"#, "/f/a%20b/end"),
        (r#"{"name":"../x"}"#, "/f/..%2Fx/end"),
        (r#"{"name":"a?b#c"}"#, "/f/a%3Fb%23c/end"),
        (r#"{"name":"a%2Fb"}"#, "/f/a%252Fb/end"),
    ];
    for (arguments, expected) in cases {
        assert_eq!(url(&tool, arguments), expected);
    }
    for name in ["", ".", ".."] {
        let problems = encode(&tool, BASE, &json(&format!("{{\"name\":\"{name}\"}}"))).unwrap_err();
        assert_eq!(problems[0].rule, "path-segment", "{name:?}");
    }
}

// C. Bodies

#[test]
fn report_24_a_form_has_its_arguments_and_is_sent_as_a_form() {
    let operation = "{requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, required: [amount], properties: {amount: {type: integer}, metadata: {type: object}, expand: {type: array, items: {type: string}}}}, encoding: {metadata: {style: deepObject, explode: true}, expand: {style: deepObject, explode: true}}}}}, responses: {}}";
    let tool = one("/charges", "post", operation);
    assert_eq!(argument_names(&tool), ["amount", "metadata", "expand"]);
    let request = call(&tool, r#"{"amount":100,"metadata":{"order id":"1 & 2"},"expand":["customer"]}"#);
    assert_eq!(request.header("content-type"), Some("application/x-www-form-urlencoded"));
    let body = String::from_utf8(request.body.unwrap().bytes).unwrap();
    assert_eq!(body, "amount=100&metadata%5Border+id%5D=1+%26+2&expand%5B0%5D=customer");
    // Declared, and no argument made of it: that is said, loudly.
    let empty = one("/x", "post", "{requestBody: {content: {}}, responses: {}}");
    assert_eq!(losses(&empty), ["body-without-arguments"]);
}

#[test]
fn report_25_merge_patch_and_media_types_with_parameters_are_json() {
    for media_type in ["application/merge-patch+json", "application/json; charset=utf-8"] {
        let operation = format!(
            "{{requestBody: {{content: {{'{media_type}': {{schema: {{type: object, properties: {{a: {{type: string}}}}}}}}}}}}, responses: {{}}}}"
        );
        let tool = one("/a", "patch", &operation);
        let request = call(&tool, r#"{"a":"x"}"#);
        assert_eq!(request.header("content-type"), Some(media_type));
        assert_eq!(request.body.unwrap().bytes, br#"{"a":"x"}"#);
    }
}

#[test]
fn report_26_a_required_json_body_without_members_is_an_empty_object_with_its_content_type() {
    let operation = "{requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: {}}";
    let tool = one("/a", "post", operation);
    let request = call(&tool, "{}");
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.body.unwrap().bytes, b"{}");
    let none = one(
        "/a",
        "post",
        "{requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {}}}}}, responses: {}}",
    );
    assert_eq!(body(&none, "{}"), "{}");
    // Nothing is made up where the body is optional.
    let optional = operation.replace("required: true, ", "");
    assert_eq!(call(&one("/a", "post", &optional), "{}").body, None);
}

#[test]
fn report_27_read_only_goes_from_the_input_and_write_only_from_the_output() {
    let schema = "{type: object, properties: {id: {type: string, readOnly: true}, secret: {type: string, writeOnly: true}, name: {type: string}}}";
    let operation = format!(
        "{{requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}, responses: {{'200': {{description: d, content: {{application/json: {{schema: {schema}}}}}}}}}}}"
    );
    let tool = one("/a", "post", &operation);
    assert_eq!(argument_names(&tool), ["secret", "name"]);
    let output = tool.operation.output_schema.as_ref().unwrap().get("properties").unwrap();
    assert_eq!(output.members().map(|member| &*member.key).collect::<Vec<_>>(), ["id", "name"]);
}

#[test]
fn report_28_a_body_that_is_no_object_is_one_argument_and_each_place_has_its_own_value() {
    for (schema, value) in
        [("{type: array, items: {type: integer}}", "[1,2]"), ("{type: string}", "\"x\""), ("{type: integer}", "7")]
    {
        let operation = format!(
            "{{requestBody: {{required: true, content: {{application/json: {{schema: {schema}}}}}}}, responses: {{}}}}"
        );
        let tool = one("/a", "post", &operation);
        assert_eq!(argument_names(&tool), ["body"]);
        assert_eq!(body(&tool, &format!("{{\"body\":{value}}}")), value);
    }
    let operation = "{parameters: [{name: id, in: path, required: true, schema: {type: string}}], requestBody: {required: true, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}, responses: {}}";
    let request = call(&one("/a/{id}", "put", operation), r#"{"id_path":"p","id_body":"b"}"#);
    assert_eq!(request.url, format!("{BASE}/a/p"));
    assert_eq!(request.body.unwrap().bytes, br#"{"id":"b"}"#);
}

// D. Schemas and refs

#[test]
fn report_29_no_reference_is_left_dangling() {
    let components = "{schemas: {Name: {type: string, pattern: '^a'}, Cat: {type: object, properties: {kind: {type: string}, friend: {$ref: '#/components/schemas/Pet'}}}, Dog: {type: object, properties: {kind: {type: string}}}, Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}}}}";
    let operation = "{requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: object, propertyNames: {$ref: '#/components/schemas/Name'}}, b: {$ref: '#/components/schemas/Pet'}, c: {type: object, patternProperties: {'^x': {$ref: '#/components/schemas/Pet'}}}, d: {$ref: '#/components/schemas/Name'}}}}}}, responses: {}}";
    let tool = one_with("/a", "post", operation, components);
    let text = to_json(&tool.operation.input_schema, false);
    assert_eq!(dangling(&tool.operation.input_schema), Vec::<String>::new(), "{text}");
    assert!(!text.contains("#/components"), "{text}");
    assert!(text.contains("propertyNames"), "{text}");
}

#[test]
fn report_30_recursion_of_every_shape_ends() {
    let shapes = [
        "{A: {type: object, properties: {a: {$ref: '#/components/schemas/A'}}}}",
        "{A: {type: object, properties: {a: {type: array, items: {$ref: '#/components/schemas/A'}}}}}",
        "{A: {type: object, properties: {a: {type: object, additionalProperties: {$ref: '#/components/schemas/A'}}}}}",
        "{A: {type: object, properties: {a: {type: string}}, allOf: [{$ref: '#/components/schemas/B'}]}, B: {allOf: [{$ref: '#/components/schemas/A'}]}}",
        "{A: {$ref: '#/components/schemas/A'}}",
    ];
    for shape in shapes {
        let operation = "{requestBody: {content: {application/json: {schema: {type: object, properties: {v: {$ref: '#/components/schemas/A'}}}}}}, responses: {}}";
        let tool = one_with("/a", "post", operation, &format!("{{schemas: {shape}}}"));
        assert_eq!(dangling(&tool.operation.input_schema), Vec::<String>::new(), "{shape}");
        for extent in [Extent::All, Extent::Required] {
            let made = synthesize(&tool, extent);
            assert!(made[0].problems.is_empty(), "{shape}: {:?}", made[0]);
        }
    }
}

#[test]
fn report_31_a_referenced_body_keeps_items_enums_and_nested_all_of() {
    let components = "{schemas: {Base: {type: object, properties: {kind: {type: string, enum: [a, b]}}}, Pet: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {tags: {type: array, items: {type: string, enum: [x]}}}}]}}}";
    let operation =
        "{requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, responses: {}}";
    let tool = one_with("/a", "post", operation, components);
    assert_eq!(property(&tool, "kind"), r#"{"type":"string","enum":["a","b"]}"#);
    assert_eq!(property(&tool, "tags"), r#"{"type":"array","items":{"type":"string","enum":["x"]}}"#);
}

#[test]
fn report_32_nullable_false_keeps_the_type_and_enums_hold_each_value_once() {
    let operation = "{parameters: [{name: a, in: query, schema: {type: string, nullable: false}}, {name: b, in: query, schema: {type: string, enum: [x, x, y]}}], responses: {}}";
    let tool = one("/a", "get", operation);
    assert_eq!(property(&tool, "a"), r#"{"type":"string"}"#);
    assert_eq!(property(&tool, "b"), r#"{"type":"string","enum":["x","y"]}"#);
}

#[test]
fn report_33_a_response_that_does_not_fit_its_schema_is_still_given() {
    let operation = "{responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}, additionalProperties: false}}}}}}";
    let tool = one("/a", "get", operation);
    let response = answer(200, "application/json", br#"{"id":null,"extra":1}"#);
    let result = decode(&response, &tool, &Rules::default());
    assert!(!result.is_error);
    assert_eq!(
        result.structured.as_ref().map(|node| to_json(node, false)).as_deref(),
        Some(r#"{"id":null,"extra":1}"#)
    );
    let drift = result.drift.unwrap();
    let pointers: Vec<&str> = drift.problems.iter().map(|problem| problem.pointer.as_str()).collect();
    assert_eq!(BTreeSet::from_iter(pointers), BTreeSet::from(["/id", "/extra"]));
    let updates: BTreeSet<String> = drift.remedies.iter().map(|remedy| to_json(&remedy.update, false)).collect();
    let expected = [r#"{"additionalProperties":true}"#, r#"{"type":["string","null"]}"#].map(str::to_owned);
    assert_eq!(updates, BTreeSet::from(expected));
    // Only who asks for it gets an error.
    let strict = decode(&response, &tool, &Rules { fail_on_drift: true, ..Rules::default() });
    assert!(strict.is_error && strict.structured.is_some());
}

#[test]
fn report_34_a_reference_that_cannot_be_followed_degrades_its_own_operation() {
    let paths = "  /bad: {post: {operationId: bad, requestBody: {$ref: 'https://internal.example/secret.yaml#/x'}, responses: {}}}
  /file: {post: {operationId: file, requestBody: {content: {application/json: {schema: {$ref: 'file:///etc/passwd'}}}}, responses: {}}}
  /good: {get: {operationId: good, responses: {}}}
";
    let catalog = document(paths);
    assert_eq!(names(&catalog), ["bad", "file", "good"]);
    let degraded: Vec<bool> = catalog.tools.iter().map(|tool| tool.operation.degraded).collect();
    assert_eq!(degraded, [true, true, false]);
}

// E. Providers and clients refuse the schema

#[test]
fn report_35_the_root_of_the_input_schema_has_no_combinators() {
    let operation = "{requestBody: {required: true, content: {application/json: {schema: {oneOf: [{type: object, properties: {a: {type: string}}, required: [a]}, {type: object, properties: {b: {type: string}}, required: [b]}]}}}}, responses: {}}";
    let tool = one("/a", "post", operation);
    for keyword in ["oneOf", "anyOf", "allOf", "not", "if", "enum"] {
        assert!(tool.operation.input_schema.get(keyword).is_none(), "{keyword}");
    }
    assert_eq!(body(&tool, r#"{"body":{"b":"x"}}"#), r#"{"b":"x"}"#);
}

#[test]
fn report_36_both_roots_are_objects() {
    let operation = "{requestBody: {content: {application/json: {schema: {type: array, items: {type: string}}}}}, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: integer}}}}}}}";
    let tool = one("/a", "post", operation);
    assert_eq!(tool.operation.input_schema.text("type"), Some("object"));
    assert_eq!(tool.operation.output_schema.as_ref().unwrap().text("type"), Some("object"));
    // The result is wrapped the way its schema is.
    let result = decode(&answer(200, "application/json", b"[1,2]"), &tool, &Rules::default());
    assert_eq!(to_json(result.structured.as_ref().unwrap(), false), r#"{"result":[1,2]}"#);
    assert_eq!(result.drift, None);
    assert_eq!(text(&result.content), "[1,2]");
}

#[test]
fn report_37_an_array_without_items_is_usable_and_odd_keys_reach_the_wire() {
    let operation = "{parameters: [{name: a, in: query, schema: {type: array}}, {name: 'filter[search]', in: query, schema: {type: string}}], responses: {}}";
    let tool = one("/a", "get", operation);
    let rows: Vec<String> = tool.operation.binding.iter().map(|row| row.argument.to_string()).collect();
    assert_eq!(
        url(&tool, &format!("{{\"{}\":[1,\"x\"],\"{}\":\"q\"}}", rows[0], rows[1])),
        "/a?a=1&a=x&filter%5Bsearch%5D=q"
    );
}

// F. Base URL, auth, responses

#[test]
fn report_38_the_base_path_is_joined_and_a_relative_server_belongs_to_the_document() {
    let tool = one("/pets", "get", "{responses: {}}");
    let options =
        Options { document_url: Some("https://host.example/docs/openapi.json".to_owned()), ..Options::default() };
    let cases = [
        ("/myapp", "https://host.example/myapp/pets"),
        ("/", "https://host.example/pets"),
        ("./v2", "https://host.example/docs/v2/pets"),
        ("https://api.example.com/base/", "https://api.example.com/base/pets"),
        ("https://api.example.com", "https://api.example.com/pets"),
        ("https://api.example.com/v1?api-version=3", "https://api.example.com/v1/pets?api-version=3"),
    ];
    for (base, expected) in cases {
        assert_eq!(encode_with(&tool, base, &json("{}"), &options).unwrap().url, expected);
    }
    let problems = encode(&tool, "/myapp", &json("{}")).unwrap_err();
    assert_eq!((problems[0].argument.as_str(), problems[0].rule.as_str()), ("", "base-url"));
    // Swagger 2.0 says it in three places.
    let swagger = "swagger: '2.0'\ninfo: {title: t, version: '1'}\nhost: api.example.com\nbasePath: /v2\nschemes: [https]\npaths: {/pets: {get: {responses: {}}}}\n";
    let catalog = derived("swagger.yaml", swagger).unwrap();
    let base = catalog.upstreams[0].base_url.clone().unwrap();
    assert_eq!(encode(&catalog.tools[0], &base, &json("{}")).unwrap().url, "https://api.example.com/v2/pets");
}

#[test]
fn report_39_bodies_that_are_not_what_the_document_says_are_shown_and_failures_are_errors() {
    let operation = "{responses: {'200': {description: d, content: {application/json: {schema: {type: object}}}}}}";
    let tool = one("/a", "get", operation);
    let rules = Rules::default();
    let decoded = |status, media_type: &str, body: &[u8]| decode(&answer(status, media_type, body), &tool, &rules);

    let html = decoded(200, "application/json", b"<html>login</html>");
    assert!(!html.is_error);
    assert_eq!(text(&html.content), "<html>login</html>");
    assert!(html.drift.is_some());

    let nothing = decoded(204, "", b"");
    assert!(!nothing.is_error);
    assert_eq!(text(&nothing.content), "HTTP 204 No Content: the response has no body.");

    let plain = decoded(200, "text/plain; charset=iso-8859-1", b"caf\xe9");
    assert_eq!(text(&plain.content), "caf\u{e9}");

    let problem = decoded(
        422,
        "application/problem+json",
        br#"{"title":"Bad","detail":"No name","errors":[{"field":"name"}],"trace":7}"#,
    );
    assert!(problem.is_error);
    for part in ["HTTP 422", "Bad", "No name", r#"errors: [{"field":"name"}]"#, "trace: 7"] {
        assert!(text(&problem.content).contains(part), "{part}: {}", text(&problem.content));
    }

    let failed = decoded(500, "application/json", br#"{"error":"boom"}"#);
    assert!(failed.is_error);
    assert_eq!(text(&failed.content), "HTTP 500 Internal Server Error\n{\"error\":\"boom\"}");
}

// G. Size and stability

#[test]
fn report_40_shared_schemas_are_written_once_and_the_order_is_that_of_the_document() {
    let components =
        "{schemas: {Big: {type: object, properties: {a: {type: string, description: shared}, b: {type: string}}}}}";
    let paths = "  /z: {post: {operationId: zulu, requestBody: {content: {application/json: {schema: {type: object, properties: {one: {$ref: '#/components/schemas/Big'}, two: {$ref: '#/components/schemas/Big'}, three: {$ref: '#/components/schemas/Big'}}}}}}, responses: {}}}
  /a: {get: {operationId: alpha, responses: {}}}
  /m: {get: {operationId: mike, responses: {}}}
";
    let (first, second) = (document_with(paths, components), document_with(paths, components));
    assert_eq!(names(&first), ["zulu", "alpha", "mike"]);
    let text = to_json(&first.tools[0].operation.input_schema, false);
    assert_eq!(text.matches("shared").count(), 1, "{text}");
    assert_eq!(text, to_json(&second.tools[0].operation.input_schema, false), "the same bytes every time");
    assert!(matches!(first.tools[0].operation.input_schema.value, Value::Map(_)));
}
