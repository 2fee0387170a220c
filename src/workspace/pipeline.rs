//! The one place at which the loader calls the pure rooms.

use crate::document::{self, Document, FileId};

/// Why a text is no document: a byte offset in it, what is wrong, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) offset: usize,
    pub(super) message: String,
    pub(super) remedy: Option<String>,
}

/// Bytes of a file to text. The error is a sentence and a remedy.
pub(super) fn decode(bytes: &[u8]) -> Result<String, (String, Option<String>)> {
    document::decode(bytes).map_err(|error| (error.to_string(), Some(error.remedy.to_owned())))
}

/// A text to a tree.
pub(super) fn parse(file: FileId, name: &str, text: &str) -> Result<Document, Unreadable> {
    document::parse(file, name, text).map_err(|error| Unreadable {
        offset: error.offset,
        message: error.message,
        remedy: error.remedy,
    })
}
