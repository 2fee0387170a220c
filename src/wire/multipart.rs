//! `multipart/form-data` (RFC 7578): each field a part, files with a name and a media type of their own.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::document::{Node, Value, to_json};

use super::body::{Field, FieldError, bytes, file};
use super::request::Body;
use super::style::{self, Unwritable};

struct Piece {
    head: String,
    bytes: Vec<u8>,
}

/// Writes the parts. The boundary is made from their bytes, so the same arguments give the same body.
pub(crate) fn write(fields: &[Field<'_>], media_type: &str) -> Result<Body, FieldError> {
    let mut pieces = Vec::new();
    for field in fields {
        let declared = field.row.and_then(|row| row.content_type.as_deref());
        let items = match &field.value.value {
            // Each item of a list is a part of its own (OpenAPI 3.1 section 4.8.15.1.7).
            Value::List(items) if !declared.is_some_and(is_json) => items.as_slice(),
            _ => std::slice::from_ref(field.value),
        };
        for item in items {
            pieces.push(piece(field.name, item, declared).map_err(|why| (field.name.to_owned(), why))?);
        }
    }
    let boundary = boundary(&pieces);
    let mut body = Vec::new();
    for piece in &pieces {
        body.extend_from_slice(format!("--{boundary}\r\n{}\r\n", piece.head).as_bytes());
        body.extend_from_slice(&piece.bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    let essence = media_type.split(';').next().unwrap_or(media_type).trim();
    Ok(Body { media_type: format!("{essence}; boundary={boundary}"), bytes: body })
}

fn is_json(media_type: &str) -> bool {
    crate::derive::Family::of(media_type) == crate::derive::Family::Json
}

fn piece(name: &str, item: &Node, declared: Option<&str>) -> Result<Piece, Unwritable> {
    // `encoding` may name several media types, or a range; only one can be what a part says of itself.
    let declared = declared.filter(|declared| !declared.contains([',', '*']));
    let mut head = format!("Content-Disposition: form-data; name=\"{}\"", quoted(name));
    let (media_type, bytes) = match file(item) {
        Some(file) => {
            let _ = write!(head, "; filename=\"{}\"", quoted(file.filename.unwrap_or(name)));
            let media_type = file.content_type.or(declared).unwrap_or("application/octet-stream");
            (Some(media_type), bytes(file.base64)?)
        }
        None => match &item.value {
            Value::Map(_) | Value::List(_) | Value::Null => {
                (Some(declared.unwrap_or("application/json")), to_json(item, false).into_bytes())
            }
            _ => (declared, style::text(item).as_bytes().to_vec()),
        },
    };
    head.push_str("\r\n");
    if let Some(media_type) = media_type {
        if media_type.chars().any(char::is_control) {
            return Err(Unwritable::new("header-value", "a media type cannot hold line breaks or control characters"));
        }
        let _ = write!(head, "Content-Type: {media_type}\r\n");
    }
    Ok(Piece { head, bytes })
}

/// A name between quotation marks (WHATWG HTML, multipart form data).
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

fn boundary(pieces: &[Piece]) -> String {
    let mut hash = Sha256::new();
    for piece in pieces {
        hash.update(&piece.head);
        hash.update(&piece.bytes);
    }
    let digest = hash.finalize();
    let mut boundary = String::from("----toolscope-");
    for byte in digest.iter().take(12) {
        let _ = write!(boundary, "{byte:02x}");
    }
    // Bytes that hold the hash of themselves do not come about, but a body must never be cut in the wrong place.
    while pieces.iter().any(|piece| memchr::memmem::find(&piece.bytes, boundary.as_bytes()).is_some()) {
        boundary.push('x');
    }
    boundary
}
