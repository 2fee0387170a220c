//! Bytes of a file to text.

use memchr::memchr_iter;

/// Why bytes are no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct DecodeError {
    /// Byte offset at which decoding failed.
    pub offset: usize,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: &'static str,
}

const SAVE_AS_UTF8: &str = "save the file as UTF-8";

/// Decodes UTF-8, or UTF-16 when a byte order mark or the zero half of the first character shows it
/// (YAML 1.2.2 section 5.2). A byte order mark is left out of the text.
///
/// # Errors
/// The bytes are not valid in their encoding.
pub fn decode(bytes: &[u8]) -> Result<String, DecodeError> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] | [0, 0, 0, 1..=255, ..] => {
            Err(DecodeError { offset: 0, line: 1, message: "the file is UTF-32".into(), remedy: SAVE_AS_UTF8 })
        }
        [0xFF, 0xFE, rest @ ..] => utf16(rest, 2, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, 2, u16::from_be_bytes),
        [1..=255, 0, ..] => utf16(bytes, 0, u16::from_le_bytes),
        [0, 1..=255, ..] => utf16(bytes, 0, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest, 3),
        _ => utf8(bytes, 0),
    }
}

fn utf8(bytes: &[u8], skipped: usize) -> Result<String, DecodeError> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text.to_owned()),
        Err(error) => error,
    };
    let at = error.valid_up_to();
    let before = bytes.get(..at).unwrap_or(bytes);
    let message = match bytes.get(at) {
        Some(_) if error.error_len().is_none() => "the file ends in the middle of a character".to_owned(),
        Some(byte) => format!("the byte 0x{byte:02X} is not UTF-8"),
        None => "the text is not UTF-8".to_owned(),
    };
    let line = memchr_iter(b'\n', before).count() + 1;
    Err(DecodeError { offset: at + skipped, line, message, remedy: SAVE_AS_UTF8 })
}

fn utf16(bytes: &[u8], skipped: usize, unit: fn([u8; 2]) -> u16) -> Result<String, DecodeError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut units = 0;
    let error = |units: usize, text: &str, message: &str| DecodeError {
        offset: skipped + units * 2,
        line: memchr_iter(b'\n', text.as_bytes()).count() + 1,
        message: message.to_owned(),
        remedy: SAVE_AS_UTF8,
    };
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        match decoded {
            Ok(character) => {
                text.push(character);
                units += character.len_utf16();
            }
            Err(_) => return Err(error(units, &text, "half of a UTF-16 surrogate pair is missing")),
        }
    }
    if rest.is_empty() { Ok(text) } else { Err(error(units, &text, "the file ends in the middle of a character")) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use super::*;

    #[test]
    fn encodings() {
        let utf16 = |text: &str, unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<_>>();
        let cases: [(&str, Vec<u8>, &str); 7] = [
            ("plain", b"a: \xC3\xA9".to_vec(), "a: é"),
            ("with a mark", b"\xEF\xBB\xBF{}".to_vec(), "{}"),
            ("UTF-16 LE", utf16("\u{FEFF}a: 😀", u16::to_le_bytes), "a: 😀"),
            ("UTF-16 BE", utf16("\u{FEFF}a: 😀", u16::to_be_bytes), "a: 😀"),
            ("UTF-16 LE without a mark", utf16("{\"é\":1}", u16::to_le_bytes), "{\"é\":1}"),
            ("UTF-16 BE without a mark", utf16("{\"é\":1}", u16::to_be_bytes), "{\"é\":1}"),
            ("nothing", Vec::new(), ""),
        ];
        for (name, bytes, expected) in cases {
            assert_eq!(decode(&bytes).as_deref(), Ok(expected), "{name}");
        }
    }

    #[test]
    fn what_is_no_text() {
        let cases: [(&[u8], usize, usize, &str); 6] = [
            (b"a\nb: \xE9t\xE9\n", 5, 2, "0xE9 is not UTF-8"),
            (b"\xEF\xBB\xBFa\n\xFF", 5, 2, "0xFF is not UTF-8"),
            (b"a\xC3", 1, 1, "middle of a character"),
            (b"\xFF\xFEa\0\n\0\x00\xD8b\0", 6, 2, "surrogate"),
            (b"\xFF\xFEa\0b", 4, 1, "middle of a character"),
            (b"\xFF\xFE\0\0a\0\0\0", 0, 1, "UTF-32"),
        ];
        for (bytes, offset, line, message) in cases {
            let error = decode(bytes).unwrap_err();
            assert_eq!((error.offset, error.line), (offset, line), "{error}");
            assert!(error.message.contains(message), "{error}");
        }
    }
}
