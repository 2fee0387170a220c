//! What is wrong with a text that is no YAML, in words that help.

use granit_parser::{ErrorKind, ScanError};

use super::super::parse::{Fault, MAX_DEPTH};

/// The parser's error with a remedy where there is one.
pub(super) fn explain(error: &ScanError, text: &str) -> Fault {
    let marker = error.marker();
    let at = marker.byte_offset().unwrap_or_else(|| offset(text, marker.line(), marker.col()));
    let (message, remedy) = words(error, text, at);
    let fault = match error.kind() {
        ErrorKind::RecursionLimitExceeded => Fault::limit(at, message),
        _ => Fault::syntax(at, message),
    };
    match remedy {
        Some(remedy) => fault.remedy(remedy),
        None => fault,
    }
}

fn words(error: &ScanError, text: &str, at: usize) -> (String, Option<&'static str>) {
    let (message, remedy) = match error.kind() {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInIndentation => ("tabs cannot indent YAML", "use spaces"),
        ErrorKind::UnexpectedCharacter { character: '\t' } => ("tabs cannot indent YAML", "use spaces"),
        ErrorKind::UnexpectedCharacter { character: '@' | '`' } => {
            ("a value cannot begin with `@` or a backquote", "quote the value")
        }
        ErrorKind::UnexpectedCharacter { character: '%' } => ("a value cannot begin with `%`", "quote the value"),
        ErrorKind::UnknownAnchor => {
            let name: String = alias_name(text, at);
            let remedy = "define it with `&` before its use; quote a text that begins with `*`";
            return (format!("the alias `{name}` has no anchor before it"), Some(remedy));
        }
        ErrorKind::MappingValueNotAllowed => (
            "a `:` here would start a map inside a value",
            "quote a value that contains `: `, or check the indentation of the line",
        ),
        ErrorKind::ExpectedBlockMappingKey | ErrorKind::InvalidIndentation => (
            "the line does not fit its surroundings: a key was expected at this indentation",
            "indent it like its neighbours, and check the quotes of the lines before",
        ),
        ErrorKind::ExpectedBlockSequenceEntry | ErrorKind::BlockSequenceEntryNotAllowed => {
            ("a `-` does not fit here", "indent the items of a list alike, and begin each with `- `")
        }
        ErrorKind::ExpectedDocumentStart => (
            "the document ended before this line, and what stands here does not begin another one",
            "check the indentation of this line, and the brackets and quotes before it",
        ),
        ErrorKind::SimpleKeyExpected => {
            ("a key needs a `:` behind it", "write `key: value`, or indent the line deeper if it continues a text")
        }
        ErrorKind::UnclosedQuotedScalar => ("a quote is opened and not closed", "write the closing quote"),
        ErrorKind::UnknownQuotedScalarEscape => {
            ("an unknown escape in a double-quoted text", "write a backslash as `\\\\`, or use single quotes")
        }
        ErrorKind::UnclosedFlowCollection { open: '{' } => {
            ("a `{` is not closed", "write the closing `}`; quote a text that begins with `{`")
        }
        ErrorKind::UnclosedFlowCollection { .. } => {
            ("a `[` is not closed", "write the closing `]`; quote a text that begins with `[`")
        }
        ErrorKind::ExpectedFlowMappingSeparator => {
            ("expected `,` or `}`", "separate the members with commas, and quote texts with braces or commas")
        }
        ErrorKind::ExpectedFlowSequenceSeparator => {
            ("expected `,` or `]`", "separate the items with commas, and quote texts with brackets or commas")
        }
        ErrorKind::InvalidTrailingDoubleQuotedScalar | ErrorKind::InvalidTrailingSingleQuotedScalar => {
            ("there is text behind the closing quote", "put the whole value into the quotes")
        }
        ErrorKind::UndeclaredTagHandle => ("a tag with an undeclared handle", "quote a text that begins with `!`"),
        ErrorKind::RecursionLimitExceeded => {
            return (format!("lists and maps are nested more than {MAX_DEPTH} deep"), None);
        }
        _ => return (format!("this is no YAML: {}", error.info()), None),
    };
    (message.to_owned(), Some(remedy))
}

fn alias_name(text: &str, at: usize) -> String {
    let rest = text.get(at..).unwrap_or_default();
    rest.trim_start_matches('*').chars().take_while(|c| !c.is_whitespace() && !",[]{}".contains(*c)).take(60).collect()
}

/// Byte offset of a line (from 1) and a column in characters (from 0).
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start = match line.checked_sub(2) {
        None => 0,
        Some(breaks) => text.match_indices('\n').nth(breaks).map_or(text.len(), |(at, _)| at + 1),
    };
    let rest = text.get(start..).unwrap_or_default();
    start + rest.chars().take(column).map(char::len_utf8).sum::<usize>()
}
