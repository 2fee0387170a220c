//! What goes into naming and what comes out.

use serde::Serialize;

/// What the name of a tool is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
pub enum NameSource {
    /// `x-mcp-tool-name`.
    #[serde(rename = "override")]
    Override,
    /// The operation's `operationId`.
    #[serde(rename = "operationId")]
    OperationId,
    /// Method and path.
    #[serde(rename = "slug")]
    Slug,
}

/// What a name can be made from.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameInput<'a> {
    /// HTTP method in upper case.
    pub method: &'a str,
    /// Path template as the document has it.
    pub path: &'a str,
    /// `operationId`, when there is one.
    pub operation_id: Option<&'a str>,
    /// `x-mcp-tool-name`, when there is one.
    pub name_override: Option<&'a str>,
    /// The operation's first tag.
    pub tag: Option<&'a str>,
    /// The upstream's prefix.
    pub prefix: Option<&'a str>,
}

/// One stage that changed the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NameStep {
    /// Which stage: `source`, `admit`, `camel_split`, `braces`, `replace`, `lowercase`, `letter_start`, `collapse`, `trim`,
    /// `empty`, `noun`, `verb`, `namespace`, `length`, `assert`, `collide`.
    pub stage: &'static str,
    /// The rule in words.
    pub rule: String,
    /// The value before.
    pub before: String,
    /// The value after.
    pub after: String,
}

/// The exposed name that each source would give, before collisions are settled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Candidates {
    /// From `x-mcp-tool-name`.
    #[serde(rename = "override")]
    pub name_override: Option<String>,
    /// From `operationId`.
    #[serde(rename = "operationId")]
    pub operation_id: Option<String>,
    /// From method and path.
    pub slug: Option<String>,
}

/// A text that was cut, whole and as it is exposed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Truncated {
    /// The whole text.
    pub full: String,
    /// What was cut off.
    pub cut: String,
}

/// The name of one tool, with the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The exposed name. Empty only where the profile keeps empty names.
    pub name: String,
    /// The name without prefix and separator, before the length rule.
    pub base: String,
    /// What it was made from.
    pub source: NameSource,
    /// Every stage that changed the value, in order. The first is always stage `source`.
    pub trail: Vec<NameStep>,
    /// What each source would have given.
    pub candidates: Candidates,
    /// Set when the length rule cut the name.
    pub truncated: Option<Truncated>,
    /// Why the profile refuses this tool, in words; such a tool is never exposed.
    pub rejected: Option<String>,
    /// What the profile warns of (its assertion does not hold, a source was empty), as code and words.
    pub warnings: Vec<(&'static str, String)>,
}

/// What made two tools claim one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MadeBy {
    /// The sources were the same text.
    SameSource,
    /// Different sources became one in cleaning.
    Sanitising,
    /// They differ only in what was cut off.
    Truncation,
}

/// What happens to tools that claim one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CollisionPolicy {
    /// All stay visible and marked; nothing may be served.
    Error,
    /// The first in document order keeps the name, the others are hidden.
    FirstWins,
    /// Every tool involved is hidden.
    Skip,
    /// `_2`, `_3` … in document order.
    Suffix,
    /// A hash of the source.
    Hash,
}

impl CollisionPolicy {
    /// As profiles, workspaces and reports write it.
    pub fn as_str(self) -> &'static str {
        match self {
            CollisionPolicy::Error => "error",
            CollisionPolicy::FirstWins => "first_wins",
            CollisionPolicy::Skip => "skip",
            CollisionPolicy::Suffix => "suffix",
            CollisionPolicy::Hash => "hash",
        }
    }
}

impl NameSource {
    /// The field of the document that it stands for.
    pub fn words(self) -> &'static str {
        match self {
            NameSource::Override => "x-mcp-tool-name",
            NameSource::OperationId => "operationId",
            NameSource::Slug => "method and path",
        }
    }
}
