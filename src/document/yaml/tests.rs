#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use super::*;
use crate::document::{Node, json, pointer, to_json};

fn load(text: &str) -> Document {
    read(FileId(0), text).unwrap_or_else(|fault| panic!("{text:?}: {fault:?}"))
}

/// The value as JSON.
fn value(text: &str) -> String {
    to_json(&load(text).root, false)
}

fn told(text: &str) -> Vec<(&'static str, String)> {
    let findings = load(text).findings;
    findings.iter().map(|finding| (finding.code, finding.place.as_ref().unwrap().pointer.to_string())).collect()
}

#[test]
fn core_schema() {
    let cases = [
        ("on", r#""on""#),
        ("yes", r#""yes""#),
        ("y", r#""y""#),
        ("true", "true"),
        ("True", "true"),
        ("tRue", r#""tRue""#),
        ("~", "null"),
        ("Null", "null"),
        ("\"null\"", r#""null""#),
        ("'1'", r#""1""#),
        ("12", "12"),
        ("+12", "12"),
        ("012", "12"),
        ("-007", "-7"),
        ("0o17", "15"),
        ("0x1F", "31"),
        ("0xg", r#""0xg""#),
        ("0x+1", r#""0x+1""#),
        ("0b11", r#""0b11""#),
        ("1_000", r#""1_000""#),
        ("1.10", "1.10"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("1.", "1"),
        ("1.e3", "1e3"),
        ("+1.5E+3", "1.5E+3"),
        (".", r#"".""#),
        ("-", "[null]"),
        ("+", r#""+""#),
        ("1e", r#""1e""#),
        ("1.2.3", r#""1.2.3""#),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854776000", "-9223372036854776000"),
        ("2020-01-02", r#""2020-01-02""#),
        ("12:30:45", r#""12:30:45""#),
        (".inf", r#"".inf""#),
        ("!!str 200", r#""200""#),
        ("!!str", r#""""#),
        ("! 200", r#""200""#),
        ("!!int \"7\"", "7"),
        ("!!float 1", "1"),
        ("!!binary aGk=", r#""aGk=""#),
        ("!mine 5", "5"),
        ("!mine {a: 1}", r#"{"a":1}"#),
        ("!!int x", r#""x""#),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected, "{text}");
    }
    for (text, code) in
        [(".NaN", "yaml-number"), ("-.inf", "yaml-number"), ("!mine 5", "yaml-tag"), ("!!int x", "yaml-tag")]
    {
        assert_eq!(told(&format!("a: [0, {text}]")), [(code, "/a/1".to_owned())], "{text}");
    }
}

#[test]
fn keys_stay_as_they_are_written() {
    let cases = [
        (
            "200: a\n0x1: b\n1.0: c\non: d\n~: e\nnull: f\n012: g",
            r#"{"200":"a","0x1":"b","1.0":"c","on":"d","~":"e","null":"f","012":"g"}"#,
        ),
        (": x", r#"{"":"x"}"#),
        ("? a\n: b\n? c", r#"{"a":"b","c":null}"#),
        ("&k 012: &v 012\n*k : *v", r#"{"012":12}"#),
        ("? [a, {b: 1}]\n: c", r#"{"[\"a\",{\"b\":1}]":"c"}"#),
        ("url: {{base}}", r#"{"url":{"{\"base\":null}":null}}"#),
        ("\"<<\": {a: 1}", r#"{"<<":{"a":1}}"#),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected, "{text}");
    }
    assert_eq!(told("url: {{base}}"), [("yaml-complex-key", r#"/url/{"base":null}"#.to_owned())]);
}

#[test]
fn anchors_and_merge_keys() {
    let cases = [
        ("a: &x {p: 1}\nb: *x", r#"{"a":{"p":1},"b":{"p":1}}"#),
        ("a: &x {p: 1, q: 2}\nb:\n  q: 3\n  <<: *x\n  r: 4", r#"{"a":{"p":1,"q":2},"b":{"q":3,"p":1,"r":4}}"#),
        ("- &x {p: 1}\n- &y {p: 2, q: 2}\n- <<: [*x, *y]\n  z: 0", r#"[{"p":1},{"p":2,"q":2},{"p":1,"q":2,"z":0}]"#),
        ("- &x {p: 1}\n- &y {p: 2, q: 2}\n- <<: *x\n  <<: *y", r#"[{"p":1},{"p":2,"q":2},{"p":1,"q":2}]"#),
        ("<<: {a: 1}\nb: 2", r#"{"a":1,"b":2}"#),
        ("<<: 5\nb: 2", r#"{"<<":5,"b":2}"#),
        ("a: &x 1\nb: &x 2\nc: *x", r#"{"a":1,"b":2,"c":2}"#),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected, "{text}");
    }
    assert_eq!(told("<<: 5\nb: 2"), [("yaml-merge", "/<<".to_owned())]);
    let shared = load("a: &x {p: 1}\nb: *x").root;
    assert!(shared.get("a").unwrap().same(shared.get("b").unwrap()));
}

#[test]
fn aliases_do_not_explode() {
    let mut bomb = "l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for at in 1..20 {
        bomb += &format!("l{at}: &l{at} [{}]\n", vec![format!("*l{}", at - 1); 10].join(", "));
    }
    let fault = read(FileId(0), &bomb).unwrap_err();
    assert!(fault.message.contains("10 million"), "{}", fault.message);
    assert_eq!(fault.kind, ParseErrorKind::Limit);
    // Merge keys count too.
    let mut merges = "m0: &m0 {a: 1}\n".to_owned();
    for at in 1..40 {
        merges += &format!("m{at}: &m{at} {{<<: [*m{0}, *m{0}]}}\n", at - 1);
    }
    assert_eq!(read(FileId(0), &merges).unwrap_err().kind, ParseErrorKind::Limit);
    // A chain of aliases is as deep as what it stands for.
    let mut chain = "c0: &c0 [x]\n".to_owned();
    for at in 1..600 {
        chain += &format!("c{at}: &c{at} [*c{}]\n", at - 1);
    }
    let fault = read(FileId(0), &chain).unwrap_err();
    assert!(fault.message.contains("512 deep"), "{}", fault.message);
    for text in ["a: &a [*a]", "&a a: &b {c: *b}"] {
        let fault = read(FileId(0), text).unwrap_err();
        assert!(fault.message.contains("contains itself"), "{}", fault.message);
    }
}

#[test]
fn depth_is_bounded() {
    let flow = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let block = |depth: usize| (0..depth).map(|at| format!("{}a:\n", " ".repeat(at))).collect::<String>();
    for text in [flow(512), block(512)] {
        assert!(read(FileId(0), &text).is_ok());
    }
    for text in [flow(513), block(513), "[".repeat(100_000), "- ".repeat(100_000)] {
        let fault = read(FileId(0), &text).unwrap_err();
        assert!(fault.message.contains("512 deep"), "{}", fault.message);
    }
}

#[test]
fn every_node_knows_its_bytes() {
    let text = "\u{FEFF}# c\r\na: &x\r\n  b: |\r\n    hello\r\n\r\n    there\r\n\r\n  \"c\": 'd' # foo\r\n  e:\r\nlist:\r\n- 1\r\n-   k: v\r\n    m: >- # x | y\r\n      folded\r\n      text\r\nflow: {é: [1, 2], b: }\r\nal: *x\r\nnest:\r\n  - - 1\r\n    - 2\r\nz: !!str |+\r\n  end\r\n";
    let root = load(text).root;
    let spans = [
        ("/a", "b: |\r\n    hello\r\n\r\n    there\r\n\r\n  \"c\": 'd' # foo\r\n  e:"),
        ("/a/b", "|\r\n    hello\r\n\r\n    there"),
        ("/a/c", "'d'"),
        ("/a/e", ""),
        ("/list", "- 1\r\n-   k: v\r\n    m: >- # x | y\r\n      folded\r\n      text"),
        ("/list/0", "1"),
        ("/list/1", "k: v\r\n    m: >- # x | y\r\n      folded\r\n      text"),
        ("/list/1/m", ">- # x | y\r\n      folded\r\n      text"),
        ("/flow", "{é: [1, 2], b: }"),
        ("/flow/é", "[1, 2]"),
        ("/flow/b", ""),
        ("/al/c", "'d'"),
        ("/nest", "- - 1\r\n    - 2"),
        ("/nest/0", "- 1\r\n    - 2"),
        ("/nest/0/1", "2"),
        ("/z", "|+\r\n  end"),
    ];
    let bytes = |origin: Origin| &text[origin.start as usize..origin.end as usize];
    for (at, expected) in spans {
        assert_eq!(bytes(pointer::resolve(&root, at).unwrap().origin), expected, "{at}");
    }
    let keys: Vec<_> = root.get("a").unwrap().members().map(|entry| bytes(entry.key_origin)).collect();
    assert_eq!(keys, ["b", "\"c\"", "e"]);
    assert_eq!(root.get("a").unwrap().text("b"), Some("hello\n\nthere\n"));
    assert!(text[..root.get("a").unwrap().get("e").unwrap().origin.start as usize].ends_with("e:"));
}

#[test]
fn equal_keys_are_told_with_both_lines() {
    let document = load("a: 1\nb: {x: 1}\n\"a\": 2\n");
    assert_eq!(to_json(&document.root, false), r#"{"a":2,"b":{"x":1}}"#);
    assert_eq!(document.findings.len(), 1);
    assert_eq!(document.findings[0].message, "`a` is there twice: in line 1 and in line 3; the last one counts");
}

#[test]
fn odd_layouts_that_other_readers_accept() {
    let cases = [
        ("a:\n    b: \"one\n  two\n\n three\"\n    c: 1", r#"{"a":{"b":"one two\nthree","c":1}}"#),
        ("a: [1,\n2\n]", r#"{"a":[1,2]}"#),
        ("{\"a\":\t1,\n\t\"b\": [true]}", r#"{"a":1,"b":[true]}"#),
        ("{\"a\":\"\\ud83d\\ude00\"}", r#"{"a":"😀"}"#),
        ("---\na: 1\n...\n", r#"{"a":1}"#),
        ("%YAML 1.2\n---\na: 1", r#"{"a":1}"#),
        ("a:\n- 1\n- 2\nb: 3", r#"{"a":[1,2],"b":3}"#),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected, "{text}");
    }
    let long = format!("{{\"{}\": 1}}", "k".repeat(5000));
    assert!(value(&long).ends_with("k\":1}"));
}

#[test]
fn several_documents() {
    assert_eq!(told("a: 1\n---\nb: 2\n"), [("several-documents", String::new())]);
    assert_eq!(value("a: 1\n---\nb: 2\n"), r#"{"a":1}"#);
    for text in ["---\n---\na: 1", "# only\n", "---\n", "---\n# x\n..."] {
        assert_eq!(read(FileId(0), text).unwrap_err().kind, ParseErrorKind::Empty, "{text:?}");
    }
}

#[test]
fn what_is_no_yaml() {
    let cases = [
        ("a:\n\tb: 1", 2, "tabs cannot indent YAML"),
        ("a: b: c", 1, "would start a map inside a value"),
        ("a: @x", 1, "cannot begin with `@`"),
        ("a: 1\nb: *nope", 2, "the alias `nope` has no anchor"),
        ("a: \"x", 1, "a quote is opened and not closed"),
        ("a: [1, 2", 1, "a `[` is not closed"),
        ("a: \"x\" y", 1, "behind the closing quote"),
        ("a: 1\n  b: 2", 2, "map inside a value"),
        ("a:\n  - 1\n b: 2", 3, "does not fit"),
        ("a: 1\nb", 2, "a key needs a `:`"),
        ("a: \"\\q\"", 1, "unknown escape"),
        ("[1]\n2", 2, "the document ended before this line"),
    ];
    for (text, line, message) in cases {
        let fault = read(FileId(0), text).unwrap_err();
        assert!(fault.message.contains(message), "{text:?}: {} at {}", fault.message, fault.at);
        assert!(fault.remedy.is_some(), "{text:?}");
        assert_eq!(text[..fault.at].matches('\n').count() + 1, line, "{text:?}: {}", fault.at);
    }
}

#[test]
fn json_is_yaml() {
    let text = r#"{"a": [1, -2.5e3, true, null, "x\"\u00e9\n\/"], "b": {}, "c": [], "": {"d": {"e": "f"}}}"#;
    let from_json: Node = json::read(FileId(0), text).unwrap().root;
    assert_eq!(load(text).root, from_json);
}
