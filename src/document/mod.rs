//! Documents: the node tree with an origin for every node, and everything that reads one.

mod decode;
mod finding;
mod json;
pub mod jsonpath;
mod node;
mod notes;
mod number;
mod parse;
pub mod pointer;
mod refs;
mod response_format;
mod secret_names;
mod source;
pub mod swagger2;
#[cfg(test)]
pub(crate) mod testing;
mod tree;
mod version;
mod write;
mod yaml;

pub use decode::{DecodeError, decode};
pub use finding::{Blast, Finding, Severity};
pub use node::{Entry, Map, Node, Value};
pub use number::Number;
pub use parse::{MAX_DEPTH, MAX_DOCUMENT_BYTES, MAX_NODES, ParseError, ParseErrorKind, parse};
pub use pointer::{Pointer, Step};
pub use refs::{DocumentSet, RefError, Target};
pub use response_format::ResponseFormat;
pub use secret_names::{MASK, is_secret_header, is_secret_key, is_secret_member, mask_url};
pub use source::{FileId, Location, Origin, Place, SourceFile, Sources};
pub use version::{Version, version};
pub use write::{YamlLayout, to_json, to_yaml, to_yaml_with};
pub use yaml::comments as yaml_comments;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// RFC 8259.
    Json,
    /// YAML 1.2, core schema.
    Yaml,
}

/// A file as a tree.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file that it was read from.
    pub file: FileId,
    /// How that file is written.
    pub format: Format,
    /// The whole value.
    pub root: Node,
    /// What the reader noticed: duplicate keys, tabs, numbers that JSON has not.
    pub findings: Vec<Finding>,
}

/// One change that an overlay action made to a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The overlay.
    pub file: FileId,
    /// Index of the action, from 0.
    pub action: u16,
    /// The node that was set, added or removed.
    pub pointer: Pointer,
}
