//! Strings of JSON and their escapes (RFC 8259 section 7).

use std::borrow::Cow;

use memchr::memchr2;

use super::super::Finding;
use super::super::parse::Fault;
use super::Scanner;

/// What a half of a surrogate pair becomes.
const REPLACEMENT: char = '\u{FFFD}';

impl<'a> Scanner<'a> {
    /// The string whose opening quote is at hand, without quotes and escapes.
    pub(super) fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        let start = self.at;
        self.at += 1;
        let mut owned: Option<String> = None;
        loop {
            let plain = self.plain_part(start)?;
            if self.peek() == Some(b'"') {
                self.at += 1;
                return Ok(match owned {
                    Some(text) => Cow::Owned(text + plain),
                    None => Cow::Borrowed(plain),
                });
            }
            let text = owned.get_or_insert_default();
            text.push_str(plain);
            let character = self.escape(start)?;
            text.push(character);
        }
    }

    /// Text up to the next quote or backslash.
    fn plain_part(&mut self, start: usize) -> Result<&'a str, Fault> {
        let begin = self.at;
        let rest = self.bytes.get(begin..).unwrap_or_default();
        let Some(length) = memchr2(b'"', b'\\', rest) else {
            return Err(self.unclosed_string(start));
        };
        let part = rest.get(..length).unwrap_or_default();
        // Without an early exit, so that it is done many bytes at a time.
        if part.iter().fold(false, |any, byte| any | (*byte < 0x20)) {
            return Err(self.control_character(start, begin));
        }
        self.at = begin + length;
        // Both ends lie at ASCII bytes, so they are boundaries.
        Ok(self.text.get(begin..self.at).unwrap_or_default())
    }

    /// The character for the escape whose backslash is at hand.
    fn escape(&mut self, string: usize) -> Result<char, Fault> {
        let start = self.at;
        let letter = self.bytes.get(start + 1).copied();
        self.at += 2;
        Ok(match letter {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'u') => return self.unicode_escape(start),
            Some(_) => {
                let shown = self.text.get(start + 1..).and_then(|rest| rest.chars().next()).unwrap_or(REPLACEMENT);
                return Err(Fault::syntax(start, format!("JSON has no escape `\\{shown}`"))
                    .remedy("write a backslash as `\\\\`"));
            }
            None => return Err(self.unclosed_string(string)),
        })
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, Fault> {
        let unit = self.four_digits(start)?;
        if let Some(character) = char::from_u32(unit) {
            return Ok(character);
        }
        let first_end = self.at;
        if (0xD800..0xDC00).contains(&unit) && self.bytes.get(self.at..self.at + 2) == Some(b"\\u") {
            self.at += 2;
            let low = self.four_digits(first_end)?;
            let pair = char::decode_utf16([unit as u16, low as u16]).next();
            if let Some(Ok(character)) = pair {
                return Ok(character);
            }
        }
        // Not a pair: the second escape, if there is one, is read for itself.
        self.at = first_end;
        let origin = self.tree.origin(start, first_end);
        self.tree.warn("lone-surrogate", origin, || {
            let message = format!("`\\u{unit:04X}` is half a character and was replaced by U+FFFD");
            Finding::warning("lone-surrogate", message).remedy("write both halves, or the character itself")
        });
        Ok(REPLACEMENT)
    }

    /// The four hexadecimal digits at hand; `start` is the backslash before them.
    fn four_digits(&mut self, start: usize) -> Result<u32, Fault> {
        let digits = self.text.get(self.at..self.at + 4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += 4;
        unit.ok_or_else(|| Fault::syntax(start, "`\\u` needs four hexadecimal digits"))
    }
}
