//! The values of `x-mcp-response-format`.

use serde::Serialize;

/// What becomes of the body of a response (`x-mcp-response-format`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResponseFormat {
    /// JSON: text, and a structured value where there is an output schema.
    Json,
    /// Text as it came.
    Text,
    /// An image.
    Image,
    /// A sound.
    Audio,
    /// An embedded resource.
    Binary,
    /// What `Content-Type` says.
    Auto,
}

impl ResponseFormat {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Json, Self::Text, Self::Image, Self::Audio, Self::Binary, Self::Auto];

    /// As it stands in a document.
    pub fn word(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Binary => "binary",
            Self::Auto => "auto",
        }
    }

    /// The format of that name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.word() == word)
    }
}
