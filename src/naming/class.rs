//! A class of characters, written as in a regular expression.

use regex::Regex;

/// Tells of a character whether it belongs to a class such as `[A-Za-z0-9_]`.
#[derive(Clone, Debug)]
pub(super) struct CharClass {
    text: String,
    /// Nearly every character asked for is ASCII; the expression is only asked about the others.
    ascii: [bool; 128],
    regex: Regex,
}

impl CharClass {
    /// Reads a class in brackets. The error says what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if !(text.starts_with('[') && text.ends_with(']')) {
            return Err(format!("`{text}` is no class of characters; write one in brackets, such as [A-Za-z0-9_]"));
        }
        let regex = whole(text)?;
        if regex.is_match("") || regex.is_match("__") || regex.is_match("aa") || regex.is_match("00") {
            return Err(format!("`{text}` must match exactly one character"));
        }
        let mut ascii = [false; 128];
        for (code, slot) in (0_u8..).zip(ascii.iter_mut()) {
            *slot = regex.is_match(char::from(code).encode_utf8(&mut [0; 4]));
        }
        Ok(Self { text: text.to_owned(), ascii, regex })
    }

    /// Whether the class holds the character.
    pub(super) fn has(&self, character: char) -> bool {
        match self.ascii.get(character as usize) {
            Some(known) => *known,
            None => self.regex.is_match(character.encode_utf8(&mut [0; 4])),
        }
    }

    /// As it was written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// An expression that must match a whole text. The error says what is wrong with it, in one line.
pub(super) fn whole(pattern: &str) -> Result<Regex, String> {
    Regex::new(pattern)
        .and_then(|_| Regex::new(&format!(r"\A(?:{pattern})\z")))
        .map_err(|error| format!("`{pattern}` is no regular expression: {}", last_line(&error.to_string())))
}

/// The regex crate draws the place over several lines; the sentence is the last.
fn last_line(text: &str) -> String {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or(text).trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_class_knows_its_characters() {
        let ascii = CharClass::parse("[A-Za-z0-9_-]").unwrap();
        let unicode = CharClass::parse(r"[\p{Alphabetic}\p{N}_-]").unwrap();
        let cases =
            [('a', true, true), ('-', true, true), ('.', false, false), ('é', false, true), ('宠', false, true)];
        for (character, in_ascii, in_unicode) in cases {
            assert_eq!((ascii.has(character), unicode.has(character)), (in_ascii, in_unicode), "{character}");
        }
    }

    #[test]
    fn what_is_no_class_is_refused_with_a_reason() {
        for text in ["", "a", "[a-z]+[a-z]", "[a-z]*[a]", "[z-a]", "[a", "[a]|[b][c]|[_][_]"] {
            let error = CharClass::parse(text).err();
            assert!(error.is_some_and(|error| !error.is_empty()), "{text}");
        }
    }

    #[test]
    fn a_whole_match_is_whole() {
        let regex = whole("a|ab").unwrap();
        assert!(regex.is_match("ab") && !regex.is_match("abc") && !regex.is_match("ab\n"));
        assert!(whole("a)(b").is_err());
    }
}
