//! What is wrong with a text that is no JSON, in words that help.

use super::super::parse::Fault;
use super::Scanner;

const NO_COMMENTS: &str = "remove the comment, or rename the file to .yaml and let comments start with `#`";

/// A comma before a closing bracket.
pub(super) fn trailing_comma(comma: usize, bracket: u8) -> Fault {
    let bracket = char::from(bracket);
    Fault::syntax(comma, format!("JSON allows no comma before `{bracket}`")).remedy("remove the comma")
}

/// A token that begins like a number and is none.
pub(super) fn bad_number(start: usize, token: &str) -> Fault {
    let digits = token.trim_start_matches('-');
    let remedy = if digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.") {
        "remove the leading zero, or quote it if it is text"
    } else if digits.ends_with('.') || digits.contains(".e") || digits.contains(".E") {
        "write a digit behind the point"
    } else {
        "write a number such as -1.5e3, or quote it if it is text"
    };
    Fault::syntax(start, format!("`{token}` is no JSON number")).remedy(remedy)
}

impl Scanner<'_> {
    /// The thing at hand, for a message.
    fn found(&self) -> String {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let word: String = rest.chars().take_while(|c| is_word(*c)).take(24).collect();
        match rest.chars().next() {
            None => "the end of the file".to_owned(),
            Some(_) if !word.is_empty() => format!("`{word}`"),
            Some('"') => "a string".to_owned(),
            Some(c) if c.is_control() || !c.is_ascii() => format!("`{c}` (U+{:04X})", u32::from(c)).replace(c, " "),
            Some(c) => format!("`{c}`"),
        }
    }

    /// Slips that are the same wherever they stand.
    fn common(&self) -> Option<Fault> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest {
            [b'/', b'/' | b'*', ..] | [b'#', ..] => {
                Some(Fault::syntax(self.at, "JSON has no comments").remedy(NO_COMMENTS))
            }
            [b'\'', ..] => Some(
                Fault::syntax(self.at, "JSON strings stand in double quotes, not in single ones")
                    .remedy("write `\"` instead of `'`")
                    .yaml_like(),
            ),
            [0, ..] => Some(Fault::syntax(self.at, "a zero byte: this is no text file")),
            _ => None,
        }
    }

    pub(super) fn no_value(&self) -> Fault {
        if let Some(fault) = self.common() {
            return fault;
        }
        let fault = Fault::syntax(self.at, format!("expected a value, found {}", self.found()));
        match self.peek() {
            None => fault.remedy("the file seems to be cut off"),
            Some(b']' | b'}') => fault.remedy("write a value, or remove what announces one"),
            Some(b'N' | b'I' | b'.' | b'+') => fault.remedy("JSON has no NaN, no Infinity, no `+1` and no `.5`"),
            Some(byte) if byte.is_ascii_alphabetic() => fault.remedy("text stands in double quotes"),
            Some(_) => fault,
        }
    }

    pub(super) fn no_name(&self) -> Fault {
        if let Some(fault) = self.common() {
            return fault;
        }
        let fault =
            Fault::syntax(self.at, format!("expected the name of a member in double quotes, found {}", self.found()));
        match self.peek() {
            None => fault.remedy("the file seems to be cut off"),
            Some(b',') => fault.remedy("remove the comma"),
            Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' => {
                fault.remedy("put the name in double quotes").yaml_like()
            }
            Some(_) => fault,
        }
    }

    pub(super) fn no_colon(&self, name: &str) -> Fault {
        if let Some(fault) = self.common() {
            return fault;
        }
        let name: String = name.chars().take(60).collect();
        Fault::syntax(self.at, format!("expected `:` after the name `{name}`, found {}", self.found()))
    }

    pub(super) fn no_separator(&self, in_map: bool) -> Fault {
        if let Some(fault) = self.common() {
            return fault;
        }
        let close = if in_map { '}' } else { ']' };
        let fault =
            Fault::syntax(self.at, format!("expected `,` or `{close}` after the value, found {}", self.found()));
        match self.peek() {
            None => fault.remedy("the file seems to be cut off"),
            Some(b'"' | b'{' | b'[' | b'0'..=b'9') => fault.remedy("write a comma between the two"),
            Some(_) => fault,
        }
    }

    pub(super) fn more_after_the_end(&self) -> Fault {
        if let Some(fault) = self.common() {
            return fault;
        }
        Fault::syntax(self.at, format!("expected the end of the file after the document, found {}", self.found()))
            .remedy("one file holds one document: remove what follows, or check for a bracket that closes too early")
    }

    pub(super) fn bad_number_at(&self, start: usize) -> Fault {
        let rest = self.text.get(start..).unwrap_or_default();
        let token: String = rest.chars().take_while(|c| !" \t\r\n,]}:".contains(*c)).take(40).collect();
        bad_number(start, &token)
    }

    pub(super) fn unclosed_string(&self, start: usize) -> Fault {
        Fault::syntax(start, "the string that begins here has no closing quote")
            .remedy("write the closing `\"`; inside a string a quote is written `\\\"`")
    }

    /// The first control character behind `begin`, in the string that begins at `start`.
    pub(super) fn control_character(&self, start: usize, begin: usize) -> Fault {
        let rest = self.bytes.get(begin..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte < 0x20).unwrap_or(0);
        match rest.get(length) {
            // The line break is seldom the slip itself: the quote before it was forgotten.
            Some(b'\n' | b'\r') => Fault::syntax(start, "the string that begins here does not end in its line")
                .remedy("write the closing `\"`, or a line break inside a string as `\\n`"),
            Some(b'\t') => Fault::syntax(begin + length, "a tab inside a string").remedy("write it as `\\t`"),
            byte => {
                let code = byte.copied().unwrap_or_default();
                Fault::syntax(begin + length, format!("the control character U+{code:04X} inside a string"))
                    .remedy(format!("write it as `\\u{code:04X}`"))
            }
        }
    }
}
