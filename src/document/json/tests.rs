#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use super::*;
use crate::document::Value;

fn root(text: &str) -> Node {
    read(FileId(0), text).unwrap_or_else(|fault| panic!("{text:?}: {fault:?}")).root
}

fn bytes<'a>(text: &'a str, node: &Node) -> &'a str {
    &text[node.origin.start as usize..node.origin.end as usize]
}

#[test]
fn values_and_their_bytes() {
    let text = "\u{FEFF} { \"a\" : [ 1 , -2.50, true, null, \"x\\u00e9\\ud83d\\ude00\\n\" ] ,\r\n\t\"\" : {} , \"e\" : [ ] }\n";
    let root = root(text);
    let spans = [
        ("", "{ \"a\" : [ 1 , -2.50, true, null, \"x\\u00e9\\ud83d\\ude00\\n\" ] ,\r\n\t\"\" : {} , \"e\" : [ ] }"),
        ("/a", "[ 1 , -2.50, true, null, \"x\\u00e9\\ud83d\\ude00\\n\" ]"),
        ("/a/0", "1"),
        ("/a/1", "-2.50"),
        ("/a/2", "true"),
        ("/a/3", "null"),
        ("/a/4", "\"x\\u00e9\\ud83d\\ude00\\n\""),
        ("/", "{}"),
        ("/e", "[ ]"),
    ];
    for (pointer, expected) in spans {
        let node = crate::document::pointer::resolve(&root, pointer).unwrap();
        assert_eq!(bytes(text, node), expected, "{pointer}");
    }
    let keys: Vec<_> =
        root.members().map(|entry| &text[entry.key_origin.start as usize..entry.key_origin.end as usize]).collect();
    assert_eq!(keys, ["\"a\"", "\"\"", "\"e\""]);
    let items = root.get("a").unwrap().as_list().unwrap();
    assert_eq!(items[4].as_str(), Some("xé😀\n"));
    assert!(matches!(&items[1].value, Value::Number(number) if number.to_string() == "-2.50"));
    assert!(matches!(&items[0].value, Value::Number(Number::Int(1))));
}

#[test]
fn what_is_no_json() {
    let cases: [(&str, usize, &str); 32] = [
        ("", 0, "expected a value, found the end of the file"),
        ("{", 1, "expected the name of a member in double quotes, found the end of the file"),
        ("[1", 2, "expected `,` or `]` after the value, found the end"),
        ("[1 2]", 3, "expected `,` or `]` after the value, found `2`"),
        ("{\"a\":1,}", 6, "no comma before `}`"),
        ("[1,\n ]", 2, "no comma before `]`"),
        ("[,1]", 1, "expected a value, found `,`"),
        ("{\"a\":1 // why\n}", 7, "no comments"),
        ("/* x */ {}", 0, "no comments"),
        ("{\"a\" 1}", 5, "expected `:` after the name `a`, found `1`"),
        ("{\"a\":}", 5, "expected a value, found `}`"),
        ("{a:1}", 1, "in double quotes, found `a`"),
        ("{'a':1}", 1, "double quotes, not in single ones"),
        ("[tru]", 1, "expected a value, found `tru`"),
        ("[nullx]", 1, "expected a value, found `nullx`"),
        ("[NaN]", 1, "expected a value, found `NaN`"),
        ("[01]", 1, "`01` is no JSON number"),
        ("[-]", 1, "`-` is no JSON number"),
        ("[1.]", 1, "`1.` is no JSON number"),
        ("[+1]", 1, "expected a value, found `+`"),
        ("[0x1F]", 1, "`0x1F` is no JSON number"),
        ("[1e5x]", 1, "`1e5x` is no JSON number"),
        ("[\"a\nb\"]", 1, "does not end in its line"),
        ("[\"a\tb\"]", 3, "a tab inside a string"),
        ("[\"a\u{1}b\"]", 3, "control character U+0001"),
        ("[\"a\\xb\"]", 3, "no escape `\\x`"),
        ("[\"a\\u12\"]", 3, "four hexadecimal digits"),
        ("[\"abc", 1, "no closing quote"),
        ("[\"abc\\", 1, "no closing quote"),
        ("{} {}", 3, "expected the end of the file after the document, found `{`"),
        ("[1}", 2, "expected `,` or `]` after the value, found `}`"),
        ("[\u{a0}1]", 1, "U+00A0"),
    ];
    for (text, at, message) in cases {
        let fault = read(FileId(0), text).unwrap_err();
        assert_eq!(fault.at, at, "{text:?}: {}", fault.message);
        assert!(fault.message.contains(message), "{text:?}: {}", fault.message);
    }
}

#[test]
fn the_last_of_equal_names_counts_and_is_told() {
    let text = "{\"a\": 1,\n \"b\": [{\"x\": 1, \"\\u0078\": 2}],\n \"a\": 3}";
    let document = read(FileId(0), text).unwrap();
    let names: Vec<_> = document.root.members().map(|entry| &*entry.key).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(bytes(text, document.root.get("a").unwrap()), "3");
    let told: Vec<_> =
        document.findings.iter().map(|f| (f.code, f.message.as_str(), &*f.place.as_ref().unwrap().pointer)).collect();
    assert_eq!(
        told,
        [
            ("duplicate-key", "`x` is there twice: in line 2 and in line 2; the last one counts", "/b/0/x"),
            ("duplicate-key", "`a` is there twice: in line 1 and in line 3; the last one counts", "/a"),
        ]
    );
}

#[test]
fn duplicates_are_found_in_large_maps_and_told_within_bounds() {
    let members: Vec<_> = (0..1000).map(|at| format!("\"k{}\": {at}", at % 500)).collect();
    let document = read(FileId(0), &format!("{{{}}}", members.join(","))).unwrap();
    assert_eq!(document.root.members().len(), 500);
    assert_eq!(document.root.get("k7").unwrap().as_number().unwrap().to_string(), "507");
    assert_eq!(document.findings.len(), 201);
    assert!(document.findings[200].message.starts_with("300 more"));
}

#[test]
fn half_characters_are_replaced_and_told() {
    for (text, expected) in [
        (r#"["a\ud83d"]"#, "a\u{FFFD}"),
        (r#"["\ude00b"]"#, "\u{FFFD}b"),
        (r#"["\ud83d\u0041"]"#, "\u{FFFD}A"),
        (r#"["\ud83d\ud83d\ude00"]"#, "\u{FFFD}😀"),
    ] {
        let document = read(FileId(0), text).unwrap();
        assert_eq!(document.root.as_list().unwrap()[0].as_str(), Some(expected), "{text}");
        assert_eq!(document.findings.len(), 1, "{text}");
        assert_eq!(document.findings[0].code, "lone-surrogate");
        assert_eq!(&*document.findings[0].place.as_ref().unwrap().pointer, "/0");
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(FileId(0), &nested(512)).is_ok());
    let fault = read(FileId(0), &nested(513)).unwrap_err();
    assert_eq!(fault.at, 512);
    assert!(fault.message.contains("512 deep"));
    assert!(read(FileId(0), &"[{\"a\":".repeat(1_000_000)).is_err());
}

#[test]
fn equal_names_are_one_allocation() {
    let root = root(r#"[{"type": 1}, {"type": 2}]"#);
    let keys: Vec<_> = root.items().map(|item| item.members().next().unwrap().key.clone()).collect();
    assert!(std::sync::Arc::ptr_eq(&keys[0], &keys[1]));
}
