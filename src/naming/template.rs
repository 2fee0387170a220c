//! Texts with placeholders in braces.

/// Fills the placeholders in one pass: what is filled in is never read as a template. An unknown one stays as it is.
pub(super) fn fill<'a>(template: &str, value: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut out = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        match after.split_once('}') {
            Some((name, tail)) => {
                match value(name) {
                    Some(text) => out.push_str(text),
                    None => out.extend(["{", name, "}"]),
                }
                rest = tail;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Whether every placeholder is known. The error names the one that is not.
pub(super) fn check(template: &str, known: &[&str]) -> Result<(), String> {
    let mut rest = template;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, tail)) = after.split_once('}') else {
            return Err(format!("`{template}` has a `{{` without its `}}`"));
        };
        if !known.contains(&name) {
            return Err(format!("{{{name}}} is no placeholder here; there are {{{}}}", known.join("}, {")));
        }
        rest = tail;
    }
    Ok(())
}

/// A text of the document within a message: in backquotes, control characters escaped, cut at eighty characters.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    for (at, character) in text.chars().enumerate() {
        match character {
            _ if at == 80 => {
                out.push('…');
                break;
            }
            character if character.is_control() => out.extend(character.escape_debug()),
            character => out.push(character),
        }
    }
    out.push('`');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_short_and_harmless() {
        assert_eq!(quoted("é\u{1b}[0m"), "`é\\u{1b}[0m`");
        assert_eq!(quoted(&"x".repeat(81)), format!("`{}…`", "x".repeat(80)));
        assert_eq!(quoted(&"x".repeat(80)), format!("`{}`", "x".repeat(80)));
    }

    #[test]
    fn what_is_filled_in_is_no_template() {
        let value = |name: &str| match name {
            "a" => Some("{b}"),
            "b" => Some("B"),
            _ => None,
        };
        let cases = [("{a}-{b}", "{b}-B"), ("{c}{", "{c}{"), ("x", "x"), ("", ""), ("}{b}", "}B")];
        for (template, expected) in cases {
            assert_eq!(fill(template, value), expected, "{template}");
        }
    }

    #[test]
    fn an_unknown_placeholder_is_named() {
        assert_eq!(check("{a}{b}", &["a", "b"]), Ok(()));
        assert!(check("{a}{x}", &["a", "b"]).is_err_and(|error| error.contains("{x}") && error.contains("{a}, {b}")));
        assert!(check("{a", &["a"]).is_err());
    }
}
