//! A request, ready to be sent, and where in it each argument is.

use std::ops::Range;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

/// An HTTP request. Credentials are not in it; whoever sends it adds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpRequest {
    /// Upper-case method.
    pub method: Arc<str>,
    /// Absolute `http` or `https` URL.
    pub url: String,
    /// Names and values, in the order in which they are sent; values are bytes of UTF-8, not only ASCII. `Accept` is always there, `Content-Type` with every body.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Option<Body>,
    /// Where each argument ended up, in the order of the request. An argument may be there several times.
    pub parts: Vec<Part>,
    /// Arguments that the tool does not know and that are therefore nowhere in the request.
    pub unsent: Vec<String>,
}

/// The body of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// Value of `Content-Type`.
    pub media_type: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Body {
    /// The body as text, when all of it is.
    pub fn text(&self) -> Option<&str> {
        let text = std::str::from_utf8(&self.bytes).ok()?;
        let strange = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
        (!text.contains(strange)).then_some(text)
    }
}

/// One occurrence of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The argument.
    pub argument: Arc<str>,
    /// Where it is.
    pub place: PartPlace,
}

/// A place in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartPlace {
    /// Bytes of the URL, in its path.
    Path(Range<usize>),
    /// Bytes of the URL, in its query: names and values.
    Query(Range<usize>),
    /// A header, by its index; all of its value.
    Header(usize),
    /// The header by its index is `Cookie`; bytes of its value.
    Cookie(usize, Range<usize>),
    /// RFC 6901 pointer into a JSON body, or `/name` for a field of a form or of a multipart body; empty for all of it.
    Body(String),
}

/// `{"method", "url", "headers": [[name, value]], "body": null | {"media_type", "text" | "base64"}}`. Secrets are not
/// masked: see [`Redactor::request`](super::Redactor::request).
impl Serialize for HttpRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut request = serializer.serialize_struct("HttpRequest", 4)?;
        request.serialize_field("method", &*self.method)?;
        request.serialize_field("url", &self.url)?;
        request.serialize_field("headers", &self.headers)?;
        request.serialize_field("body", &self.body)?;
        request.end()
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut body = serializer.serialize_struct("Body", 2)?;
        body.serialize_field("media_type", &self.media_type)?;
        match self.text() {
            Some(text) => body.serialize_field("text", text)?,
            None => body.serialize_field("base64", &STANDARD.encode(&self.bytes))?,
        }
        body.end()
    }
}

impl HttpRequest {
    /// The value of a header, its name compared without case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}
