//! Media types of bodies: which one is used.

use std::sync::Arc;

use crate::document::{Entry, Node};

/// What a media type is to an encoder. Ordered by preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// JSON, `+json`, and ranges that include it.
    Json,
    /// `application/x-www-form-urlencoded`
    Form,
    /// `multipart/*`
    Multipart,
    /// `text/*`, and those of `application/*` that are text.
    Text,
    /// `application/octet-stream`
    Octets,
    /// XML and `+xml`, as text.
    Xml,
    /// Anything else.
    Other,
}

/// Media types outside `text/*` that are text.
const TEXTS: [&str; 14] = [
    "application/csv",
    "application/graphql",
    "application/javascript",
    "application/json-seq",
    "application/jsonl",
    "application/jwt",
    "application/ndjson",
    "application/sql",
    "application/toml",
    "application/x-jsonlines",
    "application/x-ndjson",
    "application/x-sh",
    "application/x-yaml",
    "application/yaml",
];

impl Family {
    pub(crate) fn of(media_type: &str) -> Self {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/json" | "text/json" | "*/*" | "application/*" | "*" | "application/x-json" => Self::Json,
            "application/x-www-form-urlencoded" => Self::Form,
            "application/octet-stream" => Self::Octets,
            "application/xml" | "text/xml" => Self::Xml,
            other if TEXTS.contains(&other) || other.ends_with("+yaml") => Self::Text,
            other if other.ends_with("+json") => Self::Json,
            other if other.ends_with("+xml") => Self::Xml,
            other if other.starts_with("multipart/") => Self::Multipart,
            other if other.starts_with("text/") => Self::Text,
            _ => Self::Other,
        }
    }

    /// Can members of an object be sent one by one?
    pub(crate) fn has_members(self) -> bool {
        matches!(self, Self::Json | Self::Form | Self::Multipart)
    }

    /// The type of a body without schema: JSON may be anything, the rest is text.
    pub(crate) fn fallback_type(self) -> Option<&'static str> {
        (self != Self::Json).then_some("string")
    }
}

/// The entry of `content` that a tool uses: JSON, then form, multipart, text, octet-stream, XML, else the first.
pub(crate) fn choose(content: &Node) -> Option<&Entry> {
    content.members().min_by_key(|entry| Family::of(&entry.key))
}

/// The media type that a request names: a range is no media type, so `*/*` becomes JSON.
pub(crate) fn sent_as(media_type: &Arc<str>) -> Arc<str> {
    if media_type.contains('*') && Family::of(media_type) == Family::Json {
        "application/json".into()
    } else {
        media_type.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::Family;

    #[test]
    fn families() {
        let cases = [
            ("application/json; charset=utf-8", Family::Json),
            ("application/merge-patch+json", Family::Json),
            ("*/*", Family::Json),
            ("Application/X-WWW-Form-Urlencoded", Family::Form),
            ("multipart/form-data", Family::Multipart),
            ("text/plain", Family::Text),
            ("application/octet-stream", Family::Octets),
            ("application/soap+xml", Family::Xml),
            ("application/x-ndjson", Family::Text),
            ("application/vnd.oai.openapi+yaml", Family::Text),
            ("application/pdf", Family::Other),
        ];
        for (media_type, expected) in cases {
            assert_eq!(Family::of(media_type), expected, "{media_type}");
        }
    }
}
