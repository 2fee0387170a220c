//! How YAML writes a text so that every reader gets the same text back.

use super::json;

/// Longest text that is written as a plain key on one line; YAML 1.2.2 section 7.4 allows 1,024 characters.
pub(super) const LONGEST_KEY: usize = 1000;

/// A text on one line: plain when that is safe, else in double quotes.
pub(super) fn inline(out: &mut String, text: &str) {
    if is_plain(text) { out.push_str(text) } else { quoted(out, text) }
}

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\') || !is_printable(character) {
            json::escape(out, character);
        } else {
            out.push(character);
        }
    }
    out.push('"');
}

/// A character that may stand as it is. Line and paragraph separators are line breaks to YAML 1.1, a no-break or
/// zero-width character is nothing that a person could see.
fn is_printable(character: char) -> bool {
    match character {
        ' '..='~' => true,
        '\u{A1}'..='\u{D7FF}' => {
            !matches!(character, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}')
        }
        '\u{E000}'..='\u{FFFD}' => character != '\u{FEFF}',
        '\u{10000}'.. => true,
        _ => false,
    }
}

/// May the text stand without quotes, and is it the same text to readers of YAML 1.1 and 1.2?
fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    if "-?:,[]{}#&*!|>'\"%@`=~<. ".contains(first) || text.ends_with([' ', ':']) {
        return false;
    }
    if !text.chars().all(is_printable) || text.contains(": ") || text.contains(" #") {
        return false;
    }
    !is_word_of_yaml(text) && !looks_like_number(text)
}

/// Words that some version of YAML reads as a truth value or as nothing.
fn is_word_of_yaml(text: &str) -> bool {
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Could some version of YAML take the text for a number, a date or a time? Wider than any of them: whatever begins
/// like a number and has only characters that numbers, dates and times are made of.
fn looks_like_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.chars().all(|c| c.is_ascii_hexdigit() || "xXoO_.:+-tTzZ ".contains(c))
}

/// May the text be written as a literal block (`|`)?
pub(super) fn is_literal(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    body.contains('\n')
        // The first line gives the indentation, so it must have content and no space of its own.
        && !body.starts_with([' ', '\n'])
        && !body.ends_with('\n')
        && body.split('\n').all(|line| !line.ends_with(' ') && line.chars().all(is_printable))
}
