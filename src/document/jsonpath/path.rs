//! Pointers written as queries.

use std::fmt::Write as _;

use crate::document::{Pointer, Step};

/// The normalised path of a location (RFC 9535 section 2.7): `$['paths']['/pets']['get']['tags'][0]`.
pub fn normalized(pointer: &Pointer) -> String {
    let mut out = String::from("$");
    for step in &pointer.0 {
        push_bracketed(&mut out, step);
    }
    out
}

/// The query for a location as a person would write it: `$.paths['/pets'].get.tags[0]`.
pub fn readable(pointer: &Pointer) -> String {
    let mut out = String::from("$");
    for step in &pointer.0 {
        match step {
            Step::Key(key) if is_shorthand(key) => {
                out.push('.');
                out.push_str(key);
            }
            _ => push_bracketed(&mut out, step),
        }
    }
    out
}

/// A name in single quotes, escaped as in a normalised path.
pub fn quoted(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    out.push('\'');
    for character in name.chars() {
        match character {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('\'');
    out
}

/// May the name stand after a dot (section 2.5.1.1)?
pub fn is_shorthand(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(starts_name) && characters.all(continues_name)
}

pub(super) fn starts_name(character: char) -> bool {
    character == '_' || character.is_ascii_alphabetic() || !character.is_ascii()
}

pub(super) fn continues_name(character: char) -> bool {
    starts_name(character) || character.is_ascii_digit()
}

fn push_bracketed(out: &mut String, step: &Step) {
    // Writing to a String cannot fail.
    let _ = match step {
        Step::Key(key) => write!(out, "[{}]", quoted(key)),
        Step::Index(at) => write!(out, "[{at}]"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_become_queries() {
        let pets = Pointer::default().key("paths").key("/pets").key("get");
        let cases = [
            (Pointer::default(), "$", "$"),
            (pets.clone(), "$['paths']['/pets']['get']", "$.paths['/pets'].get"),
            (pets.key("tags").index(0), "$['paths']['/pets']['get']['tags'][0]", "$.paths['/pets'].get.tags[0]"),
            (Pointer::default().key("x-é"), "$['x-é']", "$['x-é']"),
            (Pointer::default().key("é1"), "$['é1']", "$.é1"),
            (Pointer::default().key("1a"), "$['1a']", "$['1a']"),
            (Pointer::default().key(""), "$['']", "$['']"),
            (Pointer::default().key("a'\\\n\u{b}\""), "$['a\\'\\\\\\n\\u000b\"']", "$['a\\'\\\\\\n\\u000b\"']"),
        ];
        for (pointer, normal, short) in cases {
            assert_eq!((normalized(&pointer).as_str(), readable(&pointer).as_str()), (normal, short));
        }
    }
}
