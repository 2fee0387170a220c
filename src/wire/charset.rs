//! Text in character sets other than UTF-8 (RFC 9110 section 8.3.2).

use encoding_rs::{Encoding, UTF_8};

use super::style::Unwritable;

/// The `charset` of a media type, in lower case.
pub(crate) fn parameter(media_type: &str) -> Option<String> {
    let parameters = media_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let mut charsets = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    let (_, value) = charsets.next()?;
    Some(value.trim().trim_matches('"').to_ascii_lowercase())
}

/// The bytes of a text in the character set that the media type names, else UTF-8.
///
/// # Errors
/// The character set is unknown, or has not all of the characters.
pub(crate) fn write(text: &str, media_type: &str) -> Result<Vec<u8>, Unwritable> {
    let Some(name) = parameter(media_type) else { return Ok(text.as_bytes().to_vec()) };
    let Some(encoding) = Encoding::for_label(name.as_bytes()) else {
        return Err(Unwritable::new("charset", format!("the character set `{name}` of {media_type} is unknown")));
    };
    if encoding.output_encoding() != encoding {
        return Err(Unwritable::new("charset", format!("text cannot be written as `{name}`; UTF-8 can")));
    }
    let (bytes, _, unmappable) = encoding.encode(text);
    match unmappable {
        true => Err(Unwritable::new("charset", format!("not every character of the text is in `{name}`"))),
        false => Ok(bytes.into_owned()),
    }
}

/// The text of a body, and what was wrong with it.
pub(crate) fn read(bytes: &[u8], media_type: &str) -> (String, Option<String>) {
    let named = parameter(media_type);
    let known = named.as_deref().map(|name| Encoding::for_label(name.as_bytes()));
    // A byte order mark goes before what the header says.
    let (encoding, mark) = match (Encoding::for_bom(bytes), known) {
        (Some((encoding, mark)), _) => (encoding, mark),
        (None, Some(Some(encoding))) => (encoding, 0),
        (None, _) => (UTF_8, 0),
    };
    let (text, bad) = encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default());
    let unknown = match (known, &named) {
        (Some(None), Some(name)) => {
            Some(format!("the character set `{name}` is unknown; the bytes were read as UTF-8"))
        }
        _ => None,
    };
    let broken = bad.then(|| format!("the bytes are not all {}; what is not was replaced", encoding.name()));
    (text.into_owned(), broken.or(unknown))
}
