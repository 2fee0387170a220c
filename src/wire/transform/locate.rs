//! Where in a file a part of an expression stands: an expression may be a block of YAML, quoted, or folded.

use std::sync::Arc;

use crate::derive::Written;
use crate::document::{Origin, Place, Sources};

/// The place of a byte of an expression. Where the file's form cannot be followed it is the place of the expression.
pub(crate) fn within(sources: &Sources, written: &Written<Arc<str>>, offset: usize) -> Place {
    let origin = written.place.origin;
    let raw = sources.get(origin.file).and_then(|file| file.text.get(origin.start as usize..origin.end as usize));
    let found = raw.and_then(|raw| follow(raw, &written.value, offset));
    let skip = found.and_then(|found| u32::try_from(found).ok()).unwrap_or(0);
    let start = origin.start.saturating_add(skip).min(origin.end);
    Place { origin: Origin { start, ..origin }, pointer: written.place.pointer.clone() }
}

/// The offset in the written form of a scalar that stands for an offset in its value.
///
/// Line breaks and indentation differ between the two, everything else is the same but for escapes in quotes: so both are
/// read side by side, white space aside.
fn follow(raw: &str, value: &str, offset: usize) -> Option<usize> {
    let quote = raw.chars().next().filter(|c| matches!(c, '"' | '\''));
    let head = match raw.chars().next()? {
        // The header of a block, such as `|-`, ends with its line.
        '|' | '>' => raw.find('\n')? + 1,
        '"' | '\'' => 1,
        _ => 0,
    };
    let mut written = raw.get(head..)?.char_indices().peekable();
    let mut next = || loop {
        let (at, c) = written.next()?;
        let escaped = match (quote, c) {
            (Some('"'), '\\') => Some(written.next()?.1),
            (Some('\''), '\'') => Some(written.next()?.1),
            _ => None,
        };
        match escaped {
            // Escapes of white space.
            Some('n' | 't' | 'r' | ' ' | '\n') if quote == Some('"') => {}
            Some(escaped) => return Some((at, escaped)),
            None if c.is_whitespace() => {}
            None => return Some((at, c)),
        }
    };
    let mut last = None;
    for (at, c) in value.char_indices() {
        if at >= offset && !c.is_whitespace() {
            return next().filter(|(_, found)| *found == c).map(|(found, _)| head + found);
        }
        if !c.is_whitespace() {
            let (found, written) = next()?;
            if written != c {
                return None;
            }
            last = Some(found + c.len_utf8());
        }
    }
    last.map(|last| head + last)
}

#[cfg(test)]
mod tests {
    use super::follow;

    #[test]
    fn offsets_are_followed_into_every_form_of_a_scalar() {
        let cases = [
            (".a | b", ".a | b", 5, Some(5)),
            ("'.a | b'", ".a | b", 5, Some(6)),
            ("'.a == ''x'' | b'", ".a == 'x' | b", 12, Some(15)),
            (r#"".a == \"x\" | b""#, ".a == \"x\" | b", 12, Some(15)),
            (r#"".a\n| b""#, ".a\n| b", 5, Some(7)),
            ("|\n    .a\n    | b\n", ".a\n| b\n", 5, Some(15)),
            ("|-\n  .a\n    | é\n  | b", ".a\n  | é\n| b", 12, Some(21)),
            (">\n  .a\n  | b\n", ".a | b\n", 5, Some(11)),
            ("|\n  .a |\n", ".a |\n", 5, Some(8)),
            ("\".\\u0061\"", ".a", 1, None),
        ];
        for (raw, value, offset, expected) in cases {
            assert_eq!(follow(raw, value, offset), expected, "{raw}");
        }
    }
}
