//! What becomes of schemas.

use super::*;

/// The schema of the only member `v` of a JSON body.
fn member(version: &str, schema: &str, components: &str) -> (String, Arc<Tool>) {
    let operation = format!(
        "{{requestBody: {{content: {{application/json: {{schema: {{type: object, properties: {{v: {schema}}}}}}}}}}}, responses: {{}}}}"
    );
    let tool = one(version, "/a", &operation, components);
    let schema = tool.operation.input_schema.get("properties").unwrap().get("v").unwrap();
    (to_json(schema, false), tool)
}

#[test]
fn schemas_become_json_schema_2020_12() {
    let cases = [
        ("3.0.3", "{type: string, nullable: true}", r#"{"type":["string","null"]}"#),
        ("3.0.3", "{type: string, nullable: false}", r#"{"type":"string"}"#),
        (
            "3.0.3",
            "{type: string, nullable: true, enum: [a, a, b]}",
            r#"{"type":["string","null"],"enum":["a","b",null]}"#,
        ),
        (
            "3.0.3",
            "{nullable: true, allOf: [{type: object}]}",
            r#"{"anyOf":[{"allOf":[{"type":"object"}]},{"type":"null"}]}"#,
        ),
        ("3.0.3", "{type: number, minimum: 1, exclusiveMinimum: true}", r#"{"type":"number","exclusiveMinimum":1}"#),
        ("3.0.3", "{type: number, maximum: 1.10, exclusiveMaximum: false}", r#"{"type":"number","maximum":1.10}"#),
        ("3.1.0", "{type: number, exclusiveMinimum: 3}", r#"{"type":"number","exclusiveMinimum":3}"#),
        ("3.0.3", "{type: string, example: x}", r#"{"type":"string","examples":["x"]}"#),
        ("3.1.0", "{type: [string, 'null'], examples: [x]}", r#"{"type":["string","null"],"examples":["x"]}"#),
        (
            "3.0.3",
            "{type: array, items: [{type: string}, {type: integer}]}",
            r#"{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]}"#,
        ),
        (
            "3.0.3",
            "{type: object, properties: {a: {type: string, required: true}}}",
            r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}"#,
        ),
        (
            "3.0.3",
            "{type: object, required: [a, a, b], properties: {a: {readOnly: true}, b: {}}}",
            r#"{"type":"object","required":["b"],"properties":{"b":{}}}"#,
        ),
        ("3.0.3", "{type: string, minLength: '3', xml: {name: x}, x-y: 1}", r#"{"type":"string","minLength":3}"#),
        ("3.1.0", "{const: null, x-mcp-header: X}", r#"{"const":null}"#),
        (
            "3.1.0",
            "{type: object, propertyNames: {$ref: '#/components/schemas/P'}}",
            r#"{"type":"object","propertyNames":{"type":"string","pattern":"^a"}}"#,
        ),
        (
            "3.0.3",
            "{$ref: '#/components/schemas/P', description: d, pattern: z}",
            r#"{"type":"string","pattern":"^a","description":"d"}"#,
        ),
        (
            "3.1.0",
            "{$ref: '#/components/schemas/P', pattern: z}",
            r#"{"allOf":[{"type":"string","pattern":"^a"},{"pattern":"z"}]}"#,
        ),
        ("3.0.3", "{$ref: '#/components/schemas/P', nullable: true}", r#"{"type":["string","null"],"pattern":"^a"}"#),
        ("3.0.3", "{type: file}", r#"{"type":"string"}"#),
        ("3.0.3", "{type: integer, enum: ['1', '2']}", r#"{"type":"integer","enum":[1,2]}"#),
        (
            "3.0.3",
            "{type: array, items: {type: string}, enum: [a, b]}",
            r#"{"type":"array","items":{"type":"string","enum":["a","b"]}}"#,
        ),
        ("3.1.0", "true", "true"),
    ];
    for (version, schema, expected) in cases {
        let (given, _) = member(version, schema, "{schemas: {P: {type: string, pattern: '^a'}}}");
        // A boolean schema gets a map to hang descriptions on.
        let expected = if expected == "true" { "{}" } else { expected };
        assert_eq!(given, expected, "{version} {schema}");
    }
}

#[test]
fn what_json_schema_cannot_say_is_in_the_loss_report() {
    let cases = [
        ("3.0.3", "{type: date}", "schema-type"),
        ("3.0.3", "{type: string, optional: true}", "schema-keyword"),
        ("3.0.3", "{type: object, properties: [1]}", "schema-keyword"),
        ("3.0.3", "{allOf: []}", ""),
        ("3.0.3", "{enum: []}", "schema-keyword"),
        ("3.0.3", "5", "invalid-schema"),
        ("3.0.3", "{type: object, discriminator: {propertyName: k}}", "discriminator"),
        ("3.0.3", "{$ref: '#/components/schemas/P', pattern: z}", "ref-sibling"),
        ("3.0.3", "{$ref: '#/components/schemas/None'}", "broken-ref"),
        ("3.0.3", "{$ref: '#/components/schemas/Loop'}", "broken-ref"),
        ("3.0.3", "{$ref: '#/components/schemas/Self'}", "circular-schema"),
        ("3.0.3", "{type: object, properties: {a: {type: string, readOnly: true}}}", "read-only"),
    ];
    let components = "{schemas: {P: {type: string}, Loop: {$ref: '#/components/schemas/Loop'}, Self: {allOf: [{$ref: '#/components/schemas/Self'}, {type: object}]}}}";
    for (version, schema, expected) in cases {
        let (_, tool) = member(version, schema, components);
        let expected: Vec<&str> = Some(expected).into_iter().filter(|what| !what.is_empty()).collect();
        assert_eq!(losses(&tool), expected, "{version} {schema}");
    }
}

#[test]
fn shared_and_recursive_schemas_go_to_defs_and_single_ones_are_written_in_place() {
    let components = "{schemas: {Tree: {type: object, properties: {kids: {type: array, items: {$ref: '#/components/schemas/Tree'}}, leaf: {$ref: '#/components/schemas/Leaf'}}}, Leaf: {type: string}, Twice: {type: integer}, 'a/b~c': {type: number}}}";
    let operation = "{requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {tree: {$ref: '#/components/schemas/Tree'}, x: {$ref: '#/components/schemas/Twice'}, y: {$ref: '#/components/schemas/Twice'}, z: {$ref: '#/components/schemas/a~1b~0c'}}}}}}, responses: {}}";
    let tool = one("3.0.3", "/a", operation, components);
    let expected = r##"{"type":"object","properties":{"tree":{"$ref":"#/$defs/Tree"},"x":{"$ref":"#/$defs/Twice"},"y":{"$ref":"#/$defs/Twice"},"z":{"type":"number"}},"required":[],"$defs":{"Tree":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/Tree"}},"leaf":{"type":"string"}}},"Twice":{"type":"integer"}}}"##;
    assert_eq!(input_json(&tool), expected);
}

#[test]
fn a_discriminator_becomes_a_const_on_each_branch() {
    let components = "{schemas: {Cat: {type: object, properties: {kind: {type: string}}}, Dog: {type: object}}}";
    let schema = "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {meow: '#/components/schemas/Cat', purr: Cat}}}";
    let (given, tool) = member("3.0.3", schema, components);
    let expected = r#"{"oneOf":[{"type":"object","properties":{"kind":{"type":"string","enum":["meow","purr"]}}},{"type":"object","properties":{"kind":{"const":"Dog"}}}]}"#;
    assert_eq!(given, expected);
    assert!(losses(&tool).is_empty());
}
