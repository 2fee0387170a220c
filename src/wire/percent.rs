//! Percent-encoding (RFC 3986 section 2): which characters stay where.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// All but the unreserved characters (RFC 3986 section 2.3).
const STRICT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Names in a query: what many APIs use in them (`$filter`, `@type`) stays readable.
const NAME: &AsciiSet = &STRICT.remove(b'$').remove(b'@').remove(b':');

/// `allowReserved` in a path: reserved characters stay, but for those that end a segment, a path or a placeholder's
/// value. `%` is encoded, so that a value arrives as it was given.
const RESERVED_PATH: &AsciiSet = &STRICT
    .remove(b':')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b'=');

/// `allowReserved` in a query: reserved characters stay, but for `&` and `#`, which end a value, `+`, which would be
/// read as a space, `[` and `]`, which RFC 3986 does not have there, the comma, which separates items, and the apostrophe, which URL
/// parsers encode (WHATWG URL section 1.3).
const RESERVED_QUERY: &AsciiSet = &STRICT
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b';')
    .remove(b'=');

/// Text that the document wrote into a path: only what may not stand in a URL is encoded, and `%` stays.
const LITERAL: &AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// How texts are written in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// A value in a path.
    Path {
        /// Reserved characters stay.
        reserved: bool,
    },
    /// A value in a query, or in a cookie of style `form`.
    Query {
        /// Reserved characters stay.
        reserved: bool,
    },
    /// A field of a form body, where `+` is a space (WHATWG URL section 5.2).
    Form,
    /// No coding: a header, a cookie of style `cookie`.
    Raw,
}

impl Coding {
    /// A value.
    pub(crate) fn value(self, text: &str) -> String {
        let set = match self {
            Self::Raw => return text.to_owned(),
            Self::Path { reserved: true } => RESERVED_PATH,
            Self::Query { reserved: true } => RESERVED_QUERY,
            Self::Path { .. } | Self::Query { .. } => STRICT,
            Self::Form => return utf8_percent_encode(text, STRICT).to_string().replace("%20", "+"),
        };
        utf8_percent_encode(text, set).to_string()
    }

    /// A name, or a key of an object: it may hold nothing that separates.
    pub(crate) fn name(self, text: &str) -> String {
        match self {
            Self::Raw => text.to_owned(),
            Self::Form => self.value(text),
            Self::Path { .. } => utf8_percent_encode(text, STRICT).to_string(),
            Self::Query { .. } => utf8_percent_encode(text, NAME).to_string(),
        }
    }
}

/// Text of the document's own path template.
pub(crate) fn literal(text: &str) -> String {
    utf8_percent_encode(text, LITERAL).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Coding, literal};

    #[test]
    fn what_stays_and_what_is_encoded() {
        let cases = [
            (Coding::Path { reserved: false }, "a b/ü?#..%,;=", "a%20b%2F%C3%BC%3F%23..%25%2C%3B%3D"),
            (Coding::Path { reserved: true }, "a:b/c?d,e", "a:b%2Fc%3Fd%2Ce"),
            (Coding::Query { reserved: false }, "a&b=c+d e", "a%26b%3Dc%2Bd%20e"),
            (Coding::Query { reserved: true }, "a/b?c&d=e+f,g", "a/b?c%26d=e%2Bf%2Cg"),
            (Coding::Form, "a b+c", "a+b%2Bc"),
            (Coding::Raw, "a b", "a b"),
        ];
        for (coding, text, expected) in cases {
            assert_eq!(coding.value(text), expected, "{coding:?} {text}");
        }
        assert_eq!(Coding::Query { reserved: false }.name("$filter[a]"), "$filter%5Ba%5D");
        assert_eq!(literal("/a b%20/{x}"), "/a%20b%20/%7Bx%7D");
    }
}
