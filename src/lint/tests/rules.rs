//! Every kind of rule, with a tool that keeps it and one that breaks it.

use super::super::rule::Kind;
use super::*;

/// A JSON body with that schema for its member `v`.
fn body(schema: &str) -> String {
    format!(
        "summary: Do it, requestBody: {{content: {{application/json: {{schema: {{type: object, additionalProperties: false, properties: {{v: {schema}}}}}}}}}}}, responses: {{}}"
    )
}

/// An operationId and the rest of the operation.
type Written = (&'static str, String);

/// Kind with parameters, an operation that keeps the rule, one that breaks it, and part of what is said of it.
fn cases() -> Vec<(&'static str, Written, Written, &'static str)> {
    let plain = || "summary: Do it, responses: {}".to_owned();
    let parameters = |list: &str| format!("summary: Do it, parameters: [{list}], responses: {{}}");
    let text = "{type: string}";
    vec![
        (
            "kind = \"name_pattern\"\npattern = '[a-z]+'",
            ("good", plain()),
            ("Bad", plain()),
            "`Bad` is not of the form",
        ),
        (
            "kind = \"name_length\"\nmax = 4",
            ("good", plain()),
            ("wrong", plain()),
            "`wrong` has 5 characters, 1 more than 4",
        ),
        ("kind = \"own_name_length\"\nmax = 4", ("good", plain()), ("wrong", plain()), "`wrong` has 5 characters"),
        (
            "kind = \"combined_length\"\nmax = 4",
            ("good", plain()),
            ("wrong", plain()),
            "has 5 characters without the server's name, 1 more than 4",
        ),
        (
            "kind = \"description_length\"\nmax = 5",
            ("good", plain()),
            ("bad", "summary: Do it!, responses: {}".into()),
            "the description has 6 characters, 1 more than 5",
        ),
        (
            "kind = \"description_bytes\"\nmax = 5",
            ("good", plain()),
            ("bad", "summary: Dö it, responses: {}".into()),
            "the description has 6 bytes",
        ),
        ("kind = \"operation_id\"", ("good", plain()), ("", plain()), "has no operationId"),
        (
            "kind = \"parameters_not_in\"\nwords = [\"cookie\"]",
            ("good", parameters("{name: a, in: query, schema: {type: string}}")),
            ("bad", parameters("{name: a, in: cookie, schema: {type: string}}")),
            "`a` is a cookie parameter",
        ),
        (
            "kind = \"default_styles\"",
            ("good", parameters("{name: a, in: query, schema: {type: array, items: {}}}")),
            ("bad", parameters("{name: a, in: query, style: pipeDelimited, schema: {type: array, items: {}}}")),
            "has a style of its own",
        ),
        (
            "kind = \"json_bodies\"",
            ("good", body(text)),
            ("bad", body(text).replace("application/json", "application/x-www-form-urlencoded")),
            "sent as `application/x-www-form-urlencoded`",
        ),
        (
            "kind = \"key_pattern\"\npattern = '[a-z_]+'",
            ("good", parameters("{name: a_b, in: query, schema: {type: string}}")),
            ("bad", parameters("{name: aB, in: query, schema: {type: string}}")),
            "the argument `aB` is not of the form",
        ),
        (
            "kind = \"key_pattern\"\nscope = \"any\"\npattern = '[a-z_]+'",
            ("good", body("{type: object, properties: {a: {}}}")),
            ("bad", body("{type: object, properties: {aB: {}, aC: {}}}")),
            "the property `aB` is not of the form `[a-z_]+` and at one more place",
        ),
        (
            "kind = \"without\"\nwords = [\"pattern\", \"oneOf\"]",
            ("good", body(text)),
            ("bad", body("{oneOf: [{type: string}, {type: number}]}")),
            "uses `oneOf`, at `properties.v`",
        ),
        (
            "kind = \"array_items\"",
            ("good", body("{type: array, items: {type: string}}")),
            ("bad", body("{type: array, items: {type: array}}")),
            "an array without `items`, at `properties.v.items`",
        ),
        ("kind = \"single_type\"", ("good", body(text)), ("bad", body("{type: [string, 'null']}")), "`type` is a list"),
        (
            "kind = \"enum_strings\"",
            ("good", body("{type: string, enum: [a]}")),
            ("bad", body("{enum: [a, 1]}")),
            "values that are no strings",
        ),
        (
            "kind = \"properties_on_objects\"",
            ("good", body("{type: object, properties: {a: {}}}")),
            ("bad", body("{properties: {a: {}}}")),
            "without `type: object`",
        ),
        (
            "kind = \"formats\"\nwords = [\"date-time\"]",
            ("good", body("{type: string, format: date-time}")),
            ("bad", body("{type: string, format: uuid}")),
            "has the format `uuid`",
        ),
        (
            "kind = \"no_recursion\"",
            ("good", body(text)),
            ("bad", body("{$ref: '#/components/schemas/Tree'}")),
            "leads back to the schema that holds it",
        ),
        (
            "kind = \"depth\"\nmax = 2",
            ("good", body("{type: array, items: {type: string}}")),
            ("bad", body("{type: array, items: {type: object, properties: {a: {}}}}")),
            "has 3 levels of properties and items, 1 more than 2",
        ),
        (
            "kind = \"required_all\"",
            (
                "good",
                "summary: Do it, parameters: [{name: a, in: query, required: true, schema: {}}], responses: {}".into(),
            ),
            ("bad", parameters("{name: a, in: query, schema: {type: string}}")),
            "does not name every property",
        ),
        (
            "kind = \"property_count\"\nmax = 2",
            ("good", body("{type: object, properties: {a: {}}}")),
            ("bad", body("{type: object, properties: {a: {}, b: {}}}")),
            "has 3 properties, 1 more than 2",
        ),
        (
            "kind = \"name_text\"\nmax = 6",
            ("good", body("{type: string, enum: [abc, de]}")),
            ("bad", body("{type: string, enum: [abc, def]}")),
            "has 7 characters of names and enum values",
        ),
        (
            "kind = \"enum_count\"\nmax = 2",
            ("good", body("{type: string, enum: [a, b]}")),
            ("bad", body("{type: string, enum: [a, b, c]}")),
            "has 3 enum values",
        ),
        (
            "kind = \"root_only\"\nwords = [\"type\", \"properties\", \"required\", \"additionalProperties\"]",
            ("good", body(text)),
            ("bad", body("{$ref: '#/components/schemas/Tree'}")),
            "the root of the InputSchema has `$defs`",
        ),
        (
            "kind = \"root_without\"\nwords = [\"$defs\"]",
            ("good", body(text)),
            ("bad", body("{$ref: '#/components/schemas/Tree'}")),
            "the root of the InputSchema has `$defs`",
        ),
    ]
}

#[test]
fn a_rule_is_broken_by_the_bad_tool_and_kept_by_the_good_one() {
    for (rule, good, bad, expected) in cases() {
        let catalog = derived(&document(&[(good.0, &good.1), (bad.0, &bad.1)]));
        assert_eq!(catalog.tools.len(), 2, "{rule}");
        let found = check(&catalog, &[target_of(rule)]);
        assert_eq!(found.len(), 1, "{rule}: {found:?}");
        let finding = &found[0];
        assert!(finding.message.contains(expected), "{rule}: {}", finding.message);
        assert!(finding.message.ends_with("; it says so"), "{}", finding.message);
        assert_eq!(finding.tool.as_deref(), Some(catalog.tools[1].named.name.as_str()), "{rule}");
        assert_eq!((finding.target.as_deref(), finding.rule.as_deref()), (Some("mine"), Some("r")));
        let location = catalog.sources.locate(finding.place.as_ref().unwrap());
        // The bad tool is in lines 6 and 7; a shared schema is in line 8.
        let line = if rule.contains("no_recursion") || rule.contains("root") { 7..9 } else { 6..8 };
        assert!(line.contains(&location.line), "{rule}: {location:?}");
        let matrix = verdicts(&catalog, &[target_of(rule)]);
        assert_eq!(matrix.rows, [[Verdict::Ok, Verdict::Dropped]], "{rule}");
    }
}

#[test]
fn what_derivation_never_gives_is_found_in_schemas_made_by_hand() {
    let cases = [
        (
            "kind = \"refs_resolve\"",
            r##"{"type":"object","properties":{"a":{"$ref":"#/components/x"}}}"##,
            "`$ref: #/components/x` leads nowhere",
        ),
        (
            "kind = \"refs_resolve\"",
            r##"{"type":"object","properties":{"a":{"$ref":"other.json"}}}"##,
            "`$ref: other.json` leads nowhere",
        ),
        (
            "kind = \"refs_resolve\"",
            r##"{"type":"object","$defs":{"a~b/c":{}},"properties":{"a":{"$ref":"#/$defs/a~0b~1c"}}}"##,
            "",
        ),
        ("kind = \"root_object\"", r#"{"properties":{}}"#, "has no `type: object`"),
        ("kind = \"root_object\"", r#"{"type":"object"}"#, ""),
        ("kind = \"closed_objects\"", r#"{"type":"object","additionalProperties":false}"#, ""),
        (
            "kind = \"closed_objects\"",
            r#"{"additionalProperties":false,"properties":{"a":{"type":"object"}}}"#,
            "without `additionalProperties: false`, at `properties.a`",
        ),
        ("kind = \"required_unique\"", r#"{"type":"object","required":["id","id"]}"#, "names a property twice"),
        ("kind = \"required_unique\"", r#"{"type":"object","required":["id","ie"]}"#, ""),
        ("kind = \"no_recursion\"", r##"{"type":"object","properties":{"a":{"$ref":"#"}}}"##, "leads back"),
        (
            "kind = \"no_recursion\"",
            r##"{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"items":{"$ref":"#/$defs/A"}}},"allOf":[{"$ref":"#/$defs/A"}]}"##,
            "leads back",
        ),
        (
            "kind = \"no_recursion\"",
            r##"{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{}},"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}"##,
            "",
        ),
        (
            "kind = \"depth\"\nmax = 3",
            r##"{"$defs":{"A":{"properties":{"a":{"items":{"$ref":"#/$defs/B"}}}},"B":{"properties":{"x":{}}}},"properties":{"p":{"$ref":"#/$defs/A"}}}"##,
            "has 4 levels",
        ),
        (
            "kind = \"depth\"\nmax = 4",
            r##"{"$defs":{"A":{"properties":{"a":{"items":{"$ref":"#/$defs/B"}}}},"B":{"properties":{"x":{}}}},"properties":{"p":{"$ref":"#/$defs/A"}}}"##,
            "",
        ),
        ("kind = \"array_items\"", r#"{"properties":{"items":{"type":"string"},"type":{"type":"string"}}}"#, ""),
        ("kind = \"without\"\nwords = [\"const\"]", r#"{"properties":{"const":{"default":{"const":1}}}}"#, ""),
        (
            "kind = \"without\"\nwords = [\"not\", \"const\"]",
            r#"{"items":[{"const":1},{"not":{"const":1}}]}"#,
            "uses `not`, `const`, at `items.1` and at 2 more places",
        ),
    ];
    for (rule, schema, expected) in cases {
        let mut catalog = derived(&document(&[("only", "summary: s, responses: {}")]));
        let tool = Arc::make_mut(&mut catalog.tools[0]);
        let operation = Arc::make_mut(&mut tool.operation);
        operation.input_schema = parse(operation.place.origin.file, "s.json", schema).unwrap().root;
        let found = check(&catalog, &[target_of(rule)]);
        match expected {
            "" => assert_eq!(found, [], "{rule} {schema}"),
            expected => {
                assert_eq!(found.len(), 1, "{rule} {schema}");
                assert!(found[0].message.contains(expected), "{rule} {schema}: {}", found[0].message);
            }
        }
    }
}

#[test]
fn a_tool_without_a_description_is_found() {
    let mut catalog = derived(&document(&[("a", "summary: s, responses: {}"), ("b", "summary: s, responses: {}")]));
    let tool = Arc::make_mut(&mut catalog.tools[1]);
    Arc::make_mut(&mut tool.operation).description = " ".to_owned();
    let found = check(&catalog, &[target_of("kind = \"description_present\"")]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].code, found[0].tool.as_deref()), ("target-description-missing", Some("b")));
}

#[test]
fn an_output_schema_that_is_no_object_is_found() {
    let mut catalog = derived(&document(&[("a", "summary: s, responses: {}"), ("b", "summary: s, responses: {}")]));
    for (at, schema) in [r#"{"type":"object"}"#, r#"{"type":"array"}"#].iter().enumerate() {
        let operation = Arc::make_mut(&mut Arc::make_mut(&mut catalog.tools[at]).operation);
        operation.output_schema = Some(parse(operation.place.origin.file, "s.json", schema).unwrap().root);
    }
    let found = check(&catalog, &[target_of("kind = \"output_object\"")]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].code, found[0].tool.as_deref()), ("target-output-root", Some("b")));
}

#[test]
fn rules_on_the_list_and_on_documents_are_about_all_tools() {
    let catalog = derived(&document(&[("a", "responses: {}"), ("b", "responses: {}"), ("c", "responses: {}")]));
    use Verdict::{Dropped, Ok};
    let cases = [
        ("kind = \"tool_count\"\nmax = 3", None, [Ok, Ok, Ok]),
        ("kind = \"tool_count\"\nmax = 2", Some("3 tools are exposed, 1 more than 2"), [Ok, Ok, Ok]),
        ("kind = \"list_size\"\nmax = 10000", None, [Ok, Ok, Ok]),
        ("kind = \"versions\"\nwords = [\"3.0\", \"3.1\"]", None, [Ok, Ok, Ok]),
        (
            "kind = \"versions\"\nwords = [\"3.0\"]",
            Some("the document is of version 3.1.0"),
            [Dropped, Dropped, Dropped],
        ),
        ("kind = \"one_server\"", None, [Ok, Ok, Ok]),
    ];
    for (rule, expected, row) in cases {
        let found = check(&catalog, &[target_of(rule)]);
        assert_eq!(found.len(), usize::from(expected.is_some()), "{rule}: {found:?}");
        assert!(
            found.iter().all(|finding| finding.message.contains(expected.unwrap()) && finding.tool.is_none()),
            "{found:?}"
        );
        assert_eq!(verdicts(&catalog, &[target_of(rule)]).rows, [row], "{rule}");
    }
    let totals = |text: &str| {
        let totals = verdicts(&catalog, &[target_of(text)]).totals.remove(0);
        (totals.list, totals.usable, totals.limits)
    };
    let limit = |count, max| vec![Limit { rule: "r".to_owned(), count, max }];
    assert_eq!(totals("kind = \"tool_count\"\nmax = 3"), (Ok, 3, limit(3, 3)));
    assert_eq!(totals("kind = \"tool_count\"\nmax = 2"), (Dropped, 2, limit(3, 2)));
    let (list, _, limits) = totals("kind = \"list_size\"\nmax = 10");
    assert_eq!((list, limits[0].max, limits[0].count > 10), (Dropped, 10, true));
    let servers = document(&[("a", "responses: {}")]) + "servers: [{url: /a}, {url: /b}]\n";
    let found = check(&derived(&servers), &[target_of("kind = \"one_server\"")]);
    assert_eq!(found[0].place.as_ref().unwrap().pointer.as_ref(), "/servers");
}

#[test]
fn every_kind_has_a_case() {
    let told = include_str!("rules.rs").to_owned() + include_str!("names.rs") + include_str!("documents.rs");
    for kind in Kind::ALL {
        assert!(told.contains(&format!("kind = \\\"{}\\\"", kind.as_str())), "no test for {}", kind.as_str());
    }
}
