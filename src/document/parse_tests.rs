#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use super::*;
use crate::document::to_json;

#[test]
fn the_name_or_the_text_picks_the_reader() {
    let cases = [
        ("a.json", "{\"a\": 1}", Format::Json, r#"{"a":1}"#),
        ("a.JSON?x=1.yaml", "{\"a\": 1}", Format::Json, r#"{"a":1}"#),
        ("a.yaml", "a: 1", Format::Yaml, r#"{"a":1}"#),
        ("a.yml", "{\"a\": 1}", Format::Json, r#"{"a":1}"#),
        ("a.yaml", "{a: 1, }", Format::Yaml, r#"{"a":1}"#),
        ("a.json", "a: 1", Format::Yaml, r#"{"a":1}"#),
        ("a.json", "{a: 1}", Format::Yaml, r#"{"a":1}"#),
        ("a", "{\"a\": 1}", Format::Json, r#"{"a":1}"#),
        ("a", "/pets: {}", Format::Yaml, r#"{"/pets":{}}"#),
        ("a.json", "# x\n{\"a\": 1}", Format::Yaml, r#"{"a":1}"#),
        ("-", "\u{FEFF}\n [1]", Format::Json, "[1]"),
        ("https://x.y/openapi", "a: 1", Format::Yaml, r#"{"a":1}"#),
    ];
    for (name, text, format, expected) in cases {
        let document = parse(FileId(3), name, text).unwrap();
        assert_eq!((document.format, to_json(&document.root, false).as_str()), (format, expected), "{name} {text}");
        let told = document.findings.iter().any(|finding| finding.code == "json-is-yaml");
        assert_eq!(told, name == "a.json" && format == Format::Yaml, "{name} {text}");
        assert_eq!(document.root.origin.file, FileId(3));
    }
}

#[test]
fn errors_have_a_line_and_a_column_in_characters() {
    let cases = [
        ("a.json", "{\n  \"é\": 1,\n}", "line 2, column 9: JSON allows no comma before `}`"),
        ("a.json", "{\"ü\": 1 // x\n}", "line 1, column 9: JSON has no comments"),
        ("a.json", "// x\n{\"a\": 1}", "line 1, column 1: JSON has no comments"),
        ("a", "/* x */\n{\"a\": 1}", "line 1, column 1: JSON has no comments"),
        ("a.yaml", "é:\n\tb: 1", "line 2, column 2: tabs cannot indent YAML"),
        ("a.json", " \n\t", "line 1, column 1: the file is empty"),
        ("a.yaml", "# x", "line 1, column 1: the file has no content but comments"),
        ("a.json", "<!DOCTYPE html>\n<p>a: b: c</p>", "line 1, column 1: this is HTML or XML, not JSON or YAML"),
        ("a.json", "tru", "line 1, column 1: expected a value, found `tru`"),
    ];
    for (name, text, expected) in cases {
        let error = parse(FileId(1), name, text).unwrap_err();
        assert_eq!(error.to_string(), expected);
        let finding = error.finding();
        assert_eq!((finding.code, finding.place.unwrap().origin.start as usize), ("unreadable-document", error.offset));
    }
}

#[test]
fn a_document_is_capped() {
    let text = format!("\"{}\"", "x".repeat(MAX_DOCUMENT_BYTES));
    let error = parse(FileId(0), "a.json", &text).unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ParseErrorKind::Limit, "the document has 64 MiB; at most 64 MiB are read")
    );
}
