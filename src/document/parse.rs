//! The face of the readers: a text becomes a [`Document`].

use std::fmt;

use memchr::memchr_iter;

use super::source::{FileId, Origin, Place};
use super::{Document, Finding, Format, json, yaml};

/// Largest document that is read, in bytes.
pub const MAX_DOCUMENT_BYTES: usize = 64 * 1024 * 1024;

/// Deepest nesting of lists and maps that is read.
pub const MAX_DEPTH: usize = 512;

/// Most values that one document may have, those reached through YAML aliases counted each time.
pub const MAX_NODES: usize = 10_000_000;

/// What sort of thing stopped a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// There is nothing in the file.
    Empty,
    /// A limit was passed: size, depth, number of values.
    Limit,
    /// The text breaks the rules of its format.
    Syntax,
}

/// Why a document could not be read, with the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The file.
    pub file: FileId,
    /// What sort of thing it is.
    pub kind: ParseErrorKind,
    /// Byte offset in the text.
    pub offset: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, without the place.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl ParseError {
    /// The same as a finding with the code `unreadable-document`.
    pub fn finding(&self) -> Finding {
        let origin = Origin::new(self.file, self.offset, self.offset);
        let mut finding = Finding::error("unreadable-document", self.to_string());
        finding.remedy.clone_from(&self.remedy);
        finding.at(Place { origin, pointer: "".into() })
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// What a reader says when it gives up; [`Fault::locate`] turns the offset into a line.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) kind: ParseErrorKind,
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) remedy: Option<String>,
    /// The JSON reader met something that YAML allows and means the same, such as an unquoted key.
    pub(super) yaml_like: bool,
}

impl Fault {
    pub(super) fn syntax(at: usize, message: impl Into<String>) -> Self {
        Self { kind: ParseErrorKind::Syntax, at, message: message.into(), remedy: None, yaml_like: false }
    }

    pub(super) fn limit(at: usize, message: impl Into<String>) -> Self {
        Self { kind: ParseErrorKind::Limit, ..Self::syntax(at, message) }
    }

    pub(super) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    pub(super) fn yaml_like(mut self) -> Self {
        self.yaml_like = true;
        self
    }

    fn locate(self, file: FileId, text: &str) -> ParseError {
        let offset = self.at.min(text.len());
        let (line, column) = line_column(text, offset);
        ParseError { file, kind: self.kind, offset, line, column, message: self.message, remedy: self.remedy }
    }
}

/// Line and column, both from 1, the column in characters. For one look-up; walks the text before the offset.
pub(super) fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    let line = memchr_iter(b'\n', before).count() + 1;
    let begin = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let column = before.iter().skip(begin).filter(|byte| (**byte & 0xC0) != 0x80).count() + 1;
    (line, column)
}

/// Reads a JSON or YAML text.
///
/// The ending of `name` (`.json`, `.yaml`, `.yml`) says which of the two is meant; any other name leaves it to the
/// text. A text that only the other reader accepts is read by that one; when the ending promised JSON, a finding
/// `json-is-yaml` says so. `text` has no byte order mark (see [`decode`](fn@super::decode); one that is left is skipped).
///
/// # Errors
/// The text is empty, breaks the rules of its format, or passes one of [`MAX_DOCUMENT_BYTES`], [`MAX_DEPTH`],
/// [`MAX_NODES`].
pub fn parse(file: FileId, name: &str, text: &str) -> Result<Document, ParseError> {
    if text.len() > MAX_DOCUMENT_BYTES {
        let message = format!(
            "the document has {} MiB; at most {} MiB are read",
            text.len() / (1024 * 1024),
            MAX_DOCUMENT_BYTES / (1024 * 1024)
        );
        let fault = Fault::limit(0, message).remedy("split the document into files, or remove what is not used");
        return Err(fault.locate(file, text));
    }
    let body = text.trim_start_matches('\u{FEFF}');
    if body.trim().is_empty() {
        let fault = Fault { kind: ParseErrorKind::Empty, ..Fault::syntax(0, "the file is empty") };
        return Err(fault.locate(file, text));
    }
    let start = body.trim_start();
    // JSON with comments is meant as JSON; as YAML they would be text.
    let looks_json = start.starts_with(['{', '[']) || start.starts_with("//") || start.starts_with("/*");
    let expected = expected_format(name).unwrap_or(if looks_json { Format::Json } else { Format::Yaml });
    match expected {
        Format::Json => json_first(file, text, looks_json),
        Format::Yaml => yaml_first(file, text, looks_json),
    }
    .map_err(|fault| explain_markup(fault, body).locate(file, text))
}

fn json_first(file: FileId, text: &str, looks_json: bool) -> Result<Document, Fault> {
    let fault = match json::read(file, text) {
        Ok(document) => return Ok(document),
        Err(fault) => fault,
    };
    // YAML accepts many a slip of JSON and makes something else of it (a comment becomes part of a key), so a text
    // that is meant as JSON gets a second reading only for what YAML means the same.
    if (looks_json && !fault.yaml_like) || fault.kind == ParseErrorKind::Limit {
        return Err(fault);
    }
    match yaml::read(file, text) {
        Ok(mut document) if looks_json || document.root.as_map().is_some() => {
            let (line, _) = line_column(text, fault.at);
            let message = format!("the file is no JSON (line {line}: {}) and was read as YAML", fault.message);
            let origin = Origin::new(file, fault.at, fault.at);
            let finding = Finding::warning("json-is-yaml", message)
                .at(Place { origin, pointer: "".into() })
                .remedy("give the file a name that ends in .yaml, or make it valid JSON");
            document.findings.insert(0, finding);
            Ok(document)
        }
        Err(yaml) if !looks_json => Err(yaml),
        _ => Err(fault),
    }
}

fn yaml_first(file: FileId, text: &str, looks_json: bool) -> Result<Document, Fault> {
    if !looks_json {
        return yaml::read(file, text);
    }
    // The JSON reader is several times as fast, and what it accepts YAML reads the same.
    match json::read(file, text) {
        Ok(document) => Ok(document),
        Err(fault) if fault.kind == ParseErrorKind::Limit => Err(fault),
        Err(_) => yaml::read(file, text),
    }
}

fn expected_format(name: &str) -> Option<Format> {
    // A URL may carry a query behind the file's name.
    let name = name.split(['?', '#']).next().unwrap_or(name);
    let ending = name.rsplit_once('.')?.1;
    if ending.eq_ignore_ascii_case("json") {
        Some(Format::Json)
    } else if ending.eq_ignore_ascii_case("yaml") || ending.eq_ignore_ascii_case("yml") {
        Some(Format::Yaml)
    } else {
        None
    }
}

/// A page of HTML in the place of a document is the commonest wrong download; its syntax error explains nothing.
fn explain_markup(fault: Fault, body: &str) -> Fault {
    if body.trim_start().starts_with('<') && fault.kind == ParseErrorKind::Syntax {
        return Fault::syntax(0, "this is HTML or XML, not JSON or YAML")
            .remedy("check the address: it may lead to a web page about the document, or to a login page");
    }
    fault
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
