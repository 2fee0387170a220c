//! I-Regexp (RFC 9485) through the `regex` crate.
//!
//! A pattern is taken as leniently as other programs take it: what the `regex` crate knows beyond I-Regexp (`\d`, `^`)
//! works. What differs between the two is translated: `.` is any character but a line break of either kind
//! (RFC 9485 section 5.3), and characters that only the `regex` crate gives a meaning to inside a class are escaped.

use regex::{Regex, RegexBuilder};

/// Longest pattern in bytes.
const LONGEST: usize = 4096;
/// Largest compiled pattern in bytes.
const LARGEST: usize = 1 << 20;

/// Compiles a pattern for `match()` (`whole`) or `search()`.
///
/// # Errors
/// Why it is no pattern, in one line.
pub(super) fn compile(pattern: &str, whole: bool) -> Result<Regex, String> {
    if pattern.len() > LONGEST {
        return Err(format!("it is longer than {LONGEST} bytes"));
    }
    let translated = translate(pattern);
    let text = if whole { format!(r"\A(?:{translated})\z") } else { translated };
    RegexBuilder::new(&text).size_limit(LARGEST).nest_limit(64).build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "it is too large when compiled".to_owned(),
        // The crate's message is a drawing of many lines whose last one says it.
        other => other.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
    })
}

fn translate(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 16);
    let mut in_class = false;
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                out.push('\\');
                out.extend(characters.next());
            }
            '.' if !in_class => out.push_str(r"[^\n\r]"),
            '[' if !in_class => {
                in_class = true;
                out.push('[');
                // `[^` and a `]` that comes first belong to the opening.
                out.extend(characters.next_if_eq(&'^'));
            }
            ']' if in_class => {
                in_class = false;
                out.push(']');
            }
            '[' | '&' | '~' if in_class => {
                out.push('\\');
                out.push(character);
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn patterns_mean_what_rfc_9485_says() {
        let cases = [
            ("a.c", "abc", true, true),
            ("a.c", "xabc", true, false),
            ("a.c", "xabcx", false, true),
            ("a.c", "a\nc", true, false),
            ("a.c", "a\rc", true, false),
            ("a.c", "a\u{2028}c", true, true),
            (r"a\.c", "abc", true, false),
            ("[.]", "x", true, false),
            ("a|b", "ab", true, false),
            ("[&&~~]+", "&~&", true, true),
            (r"\p{Lu}", "É", true, true),
            (r"[^a]", "b", true, true),
            ("repos/.*", "repos/get", true, true),
        ];
        for (pattern, text, whole, expected) in cases {
            assert_eq!(compile(pattern, whole).unwrap().is_match(text), expected, "{pattern:?} on {text:?}");
        }
    }

    #[test]
    fn bad_and_huge_patterns_are_refused_in_one_line() {
        for pattern in ["(", "[a", "a{1000}{1000}{1000}", &"(".repeat(5000), &"a".repeat(5000)] {
            let why = compile(pattern, true).unwrap_err();
            assert!(!why.is_empty() && !why.contains('\n'), "{why:?}");
        }
    }
}
