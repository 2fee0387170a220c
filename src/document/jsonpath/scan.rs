//! The text of a query, read from left to right: blanks, names, numbers, quoted text.

use std::sync::Arc;

use super::QueryError;
use super::path::{continues_name, starts_name};

/// Largest integer that every JSON reader has exactly (RFC 7493 section 2.2).
const LARGEST: i64 = (1 << 53) - 1;

/// A position in the text.
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    pub(super) fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    /// The characters from here on that satisfy the condition.
    pub(super) fn take_while(&mut self, condition: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(condition).len();
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// A member name as it may stand after a dot; empty when there is none.
    pub(super) fn name(&mut self) -> &'t str {
        if self.peek().is_some_and(starts_name) { self.take_while(continues_name) } else { "" }
    }

    pub(super) fn error(&self, message: impl Into<String>) -> QueryError {
        QueryError { offset: self.at, message: message.into(), remedy: None }
    }

    /// An integer of an index or a slice; `None` when none starts here.
    pub(super) fn integer(&mut self) -> Result<Option<i64>, QueryError> {
        let start = self.at;
        let negative = self.eat("-");
        let digits = self.take_while(|character| character.is_ascii_digit());
        let fail = |message: &str| Err(QueryError { offset: start, message: message.to_owned(), remedy: None });
        if digits.is_empty() {
            return if negative { fail("a `-` without a number") } else { Ok(None) };
        }
        if digits.starts_with('0') && (negative || digits.len() > 1) {
            return fail("an index has no leading zero");
        }
        match digits.parse::<i64>() {
            Ok(value) if value <= LARGEST => Ok(Some(if negative { -value } else { value })),
            _ => fail("the index is beyond 2^53 - 1"),
        }
    }

    /// The text of a number literal; empty when none starts here. Whether it is one is for the caller to find out.
    pub(super) fn number(&mut self) -> &'t str {
        let start = self.at;
        self.eat("-");
        let digits = |scanner: &mut Self| scanner.take_while(|character| character.is_ascii_digit());
        digits(self);
        if self.eat(".") {
            digits(self);
        }
        if self.at > start && (self.eat("e") || self.eat("E")) {
            let _signed = self.eat("-") || self.eat("+");
            digits(self);
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Text in the quotes that stand here.
    pub(super) fn string(&mut self) -> Result<Arc<str>, QueryError> {
        let start = self.at;
        let quote = if self.eat("'") { '\'' } else { '"' };
        if quote == '"' {
            self.eat("\"");
        }
        let mut out = String::new();
        loop {
            match self.peek() {
                None => {
                    let message = format!("the text that starts here has no closing {quote}");
                    return Err(QueryError { offset: start, message, remedy: Some(format!("close it with {quote}")) });
                }
                Some(character) if character == quote => {
                    self.at += 1;
                    return Ok(out.into());
                }
                Some('\\') => out.push(self.escape(quote)?),
                Some(control) if control < ' ' => {
                    let message = format!("the control character {} must be escaped", control.escape_debug());
                    let remedy = Some(format!("write \\u{:04x}", u32::from(control)));
                    return Err(QueryError { offset: self.at, message, remedy });
                }
                Some(character) => {
                    out.push(character);
                    self.at += character.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self, quote: char) -> Result<char, QueryError> {
        let start = self.at;
        self.at += 1;
        let Some(escaped) = self.peek() else {
            return Err(self.error("the query ends inside an escape"));
        };
        self.at += escaped.len_utf8();
        Ok(match escaped {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '/' | '\\' => escaped,
            _ if escaped == quote => quote,
            'u' => return self.unicode(start),
            _ => {
                let message = format!("`\\{}` is no escape", escaped.escape_debug());
                let remedy =
                    format!("a \\ is written \\\\; escapes are \\b \\f \\n \\r \\t \\/ \\\\ \\{quote} and \\uXXXX");
                return Err(QueryError { offset: start, message, remedy: Some(remedy) });
            }
        })
    }

    fn unicode(&mut self, start: usize) -> Result<char, QueryError> {
        let bad = |message: &str| QueryError { offset: start, message: message.to_owned(), remedy: None };
        let four = "`\\u` needs four hexadecimal digits";
        let first = self.hexadecimal().ok_or_else(|| bad(four))?;
        if !(0xD800..0xE000).contains(&first) {
            return char::from_u32(first).ok_or_else(|| bad(four));
        }
        let low = if first < 0xDC00 && self.eat("\\u") { self.hexadecimal() } else { None };
        low.filter(|low| (0xDC00..0xE000).contains(low))
            .and_then(|low| char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00)))
            .ok_or_else(|| bad("half of a surrogate pair"))
    }

    fn hexadecimal(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}
