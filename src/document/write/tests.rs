#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use proptest::prelude::*;

use super::*;
use crate::document::{Entry, FileId, Node, Number, Origin, Value, parse};

fn read(name: &str, text: &str) -> Node {
    parse(FileId(0), name, text).unwrap_or_else(|error| panic!("{error}\n{text}")).root
}

fn here() -> Origin {
    Origin::new(FileId(0), 0, 0)
}

#[test]
fn json_layout() {
    let node = read("x.json", r#"{"b":[1,2.50,{}],"a":{"x":null,"y":[]},"s":"\u0001\u00e9\"\\\n"}"#);
    assert_eq!(to_json(&node, false), r#"{"b":[1,2.50,{}],"a":{"x":null,"y":[]},"s":"\u0001é\"\\\n"}"#);
    let pretty = "{\n  \"b\": [\n    1,\n    2.50,\n    {}\n  ],\n  \"a\": {\n    \"x\": null,\n    \"y\": []\n  },\n  \"s\": \"\\u0001é\\\"\\\\\\n\"\n}";
    assert_eq!(to_json(&node, true), pretty);
    assert_eq!(to_json(&read("x.json", "[]"), true), "[]");
}

#[test]
fn yaml_layout() {
    let node = read(
        "x.json",
        r#"{"openapi":"3.0.3","info":{"title":"A b","description":"one\n two: #x\n\nthree\n"},"list":[1,[2,[]],{"a":true,"b":[null]}],"200":{}}"#,
    );
    let expected = r#"openapi: "3.0.3"
info:
  title: A b
  description: |
    one
     two: #x

    three
list:
  - 1
  - - 2
    - []
  - a: true
    b:
      - null
"200": {}
"#;
    assert_eq!(to_yaml(&node), expected);
    assert_eq!(to_yaml(&Node::string("a\nb", here())), "|-\n  a\n  b\n");
}

#[test]
fn which_texts_are_quoted() {
    let plain = ["abc", "/pets/{id}", "a b", "a:b", "http://x/#y", "a#b", "$ref", "é", "a, b", "it's", "x-y", "(a)"];
    let quoted = [
        "",
        " a",
        "a ",
        "on",
        "No",
        "y",
        "null",
        "TRUE",
        "~",
        "1",
        "1_000",
        "012",
        "0x1f",
        "0o7",
        "0b1",
        "1.5",
        ".5",
        "+1",
        "-1",
        "1e3",
        "1:20",
        "2020-01-02",
        "2020-01-02T03:04:05Z",
        "3.0.0",
        ".inf",
        ".nan",
        "a: b",
        "a #b",
        "a:",
        "- a",
        "-",
        "---",
        "...",
        "#a",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "%a",
        "@a",
        "`a",
        "\"a",
        "'a",
        "{a",
        "[a",
        "]",
        "}",
        ",a",
        "? a",
        "<<",
        "=",
        "a\tb",
        "a\u{85}b",
        "a\u{2028}b",
        "\u{FEFF}a",
        "a\u{0}b",
        "a\u{200B}b",
        "12e03",
        "685_230.15",
    ];
    for text in plain {
        assert_eq!(to_yaml(&Node::string(text, here())), format!("{text}\n"));
    }
    for text in quoted {
        let yaml = to_yaml(&Node::string(text, here()));
        assert!(yaml.starts_with('"'), "{text:?} -> {yaml}");
        assert_eq!(read("x.yaml", &yaml).as_str(), Some(text));
    }
}

#[test]
fn serde_writes_numbers_as_they_are_written() {
    let text = r#"{"z":[1,-2.50,18446744073709551615,-9223372036854776000,1E+400,null,true],"a":{"x":"y"}}"#;
    assert_eq!(serde_json::to_string(&read("x.json", text)).unwrap(), text);
    let value = serde_json::to_value(read("x.json", r#"{"b":[1.5,7],"a":"x"}"#)).unwrap();
    assert_eq!(value, serde_json::json!({"b": [1.5, 7], "a": "x"}));
}

/// Texts with everything that YAML stumbles over.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,6}",
        "[-?:,\\[\\]{}#&*!|>'\"%@` ~<=.a1\n\t]{0,12}",
        "[ \n#a]{0,8}",
        "[0-9+._:eExXoObTZ-]{0,10}",
        "(on|off|yes|no|y|n|true|False|NULL|null|~|<<|=|---|\\.\\.\\.|[.]inf|[.]NaN)",
        "\\PC{0,10}",
        prop::collection::vec(any::<char>(), 0..8).prop_map(|characters| characters.into_iter().collect()),
        "([a-z# ]{0,5}\n){0,4}[a-z]{0,3}",
        Just("k".repeat(1500)),
    ]
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::Int),
        "-?(0|[1-9][0-9]{0,25})([.][0-9]{1,5})?([eE][+-]?[0-9]{1,2})?".prop_map(|text| Number::parse(&text).unwrap()),
    ]
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number().prop_map(Value::Number),
        text().prop_map(|text| Value::String(text.into())),
    ]
    .prop_map(|value| Node::new(value, here()));
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| Node::list(items, here())),
            prop::collection::vec((text(), inner), 0..5).prop_map(|members| {
                let mut map = crate::document::Map::default();
                for (key, value) in members {
                    map.insert(Entry { key: key.into(), key_origin: here(), value });
                }
                Node::new(Value::Map(std::sync::Arc::new(map)), here())
            }),
        ]
    })
}

/// Equal, and the members in the same order.
fn identical(a: &Node, b: &Node) -> bool {
    a == b && to_json(a, false) == to_json(b, false)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_written_reads_back(node in node()) {
        let yaml = to_yaml(&node);
        prop_assert!(identical(&read("x.yaml", &yaml), &node), "{yaml}");
        for pretty in [false, true] {
            let json = to_json(&node, pretty);
            prop_assert!(identical(&read("x.json", &json), &node), "{json}");
            // JSON text is YAML text, but for characters that YAML wants escaped.
            let printable = |c: char| c == '\n' || (!c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}'));
            prop_assume!(json.chars().all(printable));
            prop_assert!(identical(&crate::document::yaml::read(FileId(0), &json).unwrap().root, &node), "{json}");
        }
    }

    #[test]
    fn no_text_brings_a_reader_down(text in "[-{}\\[\\]:,\"'a1 \n\t#&*!|>?<%\\\\u]{0,40}") {
        for name in ["x.json", "x.yaml", "x"] {
            if let Ok(document) = parse(FileId(0), name, &text) {
                let end = document.root.origin.end as usize;
                prop_assert!(end <= text.len() && document.root.origin.start as usize <= end);
            }
        }
    }
}
