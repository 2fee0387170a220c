//! JSON (RFC 8259) to nodes, each with the bytes that it was read from.

mod diagnosis;
mod string;

use super::parse::Fault;
use super::source::FileId;
use super::tree::Tree;
use super::{Document, Format, Node, Number, Value};

/// Reads one JSON text.
///
/// # Errors
/// The first byte at which the text is no JSON, or at which a limit is passed.
pub(super) fn read(file: FileId, text: &str) -> Result<Document, Fault> {
    let mut scanner = Scanner { text, bytes: text.as_bytes(), at: 0, tree: Tree::new(file, text) };
    if text.starts_with('\u{FEFF}') {
        scanner.at = '\u{FEFF}'.len_utf8();
    }
    scanner.document()?;
    scanner.tree.finish(Format::Json).ok_or_else(|| Fault::syntax(0, "the file is empty"))
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    tree: Tree<'a>,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn document(&mut self) -> Result<(), Fault> {
        loop {
            self.space();
            if self.value_or_open()? {
                continue;
            }
            if !self.after_value()? {
                return Ok(());
            }
        }
    }

    /// Reads a scalar or an empty container (`false`), or opens a container up to its first value (`true`).
    fn value_or_open(&mut self) -> Result<bool, Fault> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => {
                let text = self.string()?;
                let node = Node::string(&*text, self.tree.origin(start, self.at));
                self.finished(node, start)?;
            }
            Some(b'{') => {
                self.tree.open(start, true)?;
                self.at += 1;
                self.space();
                if self.peek() != Some(b'}') {
                    self.member_name()?;
                    return Ok(true);
                }
                self.closed(start)?;
            }
            Some(b'[') => {
                self.tree.open(start, false)?;
                self.at += 1;
                self.space();
                if self.peek() != Some(b']') {
                    return Ok(true);
                }
                self.closed(start)?;
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return Err(self.no_value()),
        }
        Ok(false)
    }

    /// After a finished value: closes what ends here. `true` when another value follows, `false` at the end.
    fn after_value(&mut self) -> Result<bool, Fault> {
        loop {
            self.space();
            let Some(in_map) = self.tree.in_map() else {
                return if self.at == self.bytes.len() { Ok(false) } else { Err(self.more_after_the_end()) };
            };
            match (self.peek(), in_map) {
                (Some(b','), _) => {
                    let comma = self.at;
                    self.at += 1;
                    self.space();
                    if let Some(bracket @ (b'}' | b']')) = self.peek() {
                        return Err(diagnosis::trailing_comma(comma, bracket));
                    }
                    if in_map {
                        self.member_name()?;
                    }
                    return Ok(true);
                }
                (Some(b'}'), true) | (Some(b']'), false) => self.closed(self.at)?,
                _ => return Err(self.no_separator(in_map)),
            }
        }
    }

    fn finished(&mut self, node: Node, at: usize) -> Result<(), Fault> {
        self.tree.value(node);
        self.tree.spend(1, at)
    }

    /// The bracket at hand closes the innermost container.
    fn closed(&mut self, at: usize) -> Result<(), Fault> {
        self.at += 1;
        let node = self.tree.close(self.at);
        self.finished(node, at)
    }

    /// A name and its colon.
    fn member_name(&mut self) -> Result<(), Fault> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.no_name());
        }
        let name = self.string()?;
        self.tree.key(&name, start, self.at);
        self.space();
        if self.peek() != Some(b':') {
            return Err(self.no_colon(&name));
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &'static str, value: Value) -> Result<(), Fault> {
        let start = self.at;
        let end = start + word.len();
        if self.bytes.get(start..end) != Some(word.as_bytes()) || self.goes_on(end) {
            return Err(self.no_value());
        }
        self.at = end;
        self.finished(Node::new(value, self.tree.origin(start, end)), start)
    }

    fn goes_on(&self, at: usize) -> bool {
        self.bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    }

    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        let end = start + length;
        let number = match self.text.get(start..end).map(|token| (token, short_integer(token))) {
            Some((_, Some(value))) => Number::Int(value),
            Some((token, None)) => Number::parse(token).ok_or_else(|| diagnosis::bad_number(start, token))?,
            None => return Err(self.no_value()),
        };
        if self.goes_on(end) {
            return Err(self.bad_number_at(start));
        }
        self.at = end;
        self.finished(Node::new(Value::Number(number), self.tree.origin(start, end)), start)
    }
}

/// The common case of [`Number::parse`]: a few digits.
fn short_integer(token: &str) -> Option<i64> {
    let bytes = token.as_bytes();
    if bytes.len() > 18 || (bytes.len() > 1 && bytes.first() == Some(&b'0')) {
        return None;
    }
    bytes.iter().try_fold(0_i64, |value, byte| byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0')))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
