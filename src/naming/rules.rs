//! The parameters of a naming profile, as its TOML file has them: one type per stage.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model::{CollisionPolicy, NameSource};

pub use super::stages::{Braces, CamelSplit, Collapse, Empty, Noun, Replace, SourceStages, Stages, Trim, Verb};

/// All parameters of a profile. What a file leaves out has the value of `Default`, which changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// What the profile is called, such as `default` or `agents@code`.
    pub name: String,
    /// One sentence for people.
    pub about: String,
    /// What the parameters rest on.
    pub basis: String,
    /// The built-in profile whose parameters hold where this one says nothing.
    pub extends: Option<String>,
    /// Stage 1.
    pub source: SourceRules,
    /// Stages 2 to 12, for each source.
    pub stages: Stages,
    /// Stage 11, what is no plural.
    pub noun: NounRules,
    /// Stage 12, the words.
    pub verb: VerbRules,
    /// Stage 13.
    pub namespace: NamespaceRules,
    /// Stage 14.
    pub length: LengthRules,
    /// Stage 15.
    pub assert: AssertRules,
    /// Stage 16.
    pub collide: CollideRules,
    /// What a prefix or server id must look like.
    pub prefix: PrefixRules,
    /// Descriptions of tools.
    pub description: DescriptionRules,
}

/// Stage 1: where a name comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SourceRules {
    /// Sources in the order in which they are tried.
    pub order: Vec<NameSource>,
    /// What an empty text counts as.
    pub blank: Blank,
    /// The built-in profile that the server behind this one names its tools by; its base names are the source here.
    pub upstream: Option<String>,
}

/// What an empty `operationId` or `x-mcp-tool-name` counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blank {
    /// As if it was not there.
    #[default]
    Absent,
    /// A text like any other, for which the rule for empty names holds.
    Value,
}

/// Stage 11.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NounRules {
    /// After these verbs the noun stays as it is.
    pub plural_after: Vec<String>,
    /// Words that have no singular.
    pub uncountable: Vec<String>,
}

/// Stage 12.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VerbRules {
    /// Word by method. The key `GET {}` holds for a path with a parameter and wins over `GET`.
    pub words: BTreeMap<String, String>,
    /// For `verb = "operation_id"`.
    pub camel_split: CamelSplit,
    /// For `verb = "operation_id"`: legal characters, any other becomes `_`.
    pub legal: String,
    /// For `verb = "operation_id"`.
    pub lowercase: bool,
}

/// Stage 13.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NamespaceRules {
    /// Over `{global}`, `{prefix}`, `{separator}`; `{base}` ends it.
    pub template: String,
    /// Between prefix and base.
    pub separator: String,
    /// Before everything.
    pub global: String,
    /// What holds without a prefix.
    pub without_prefix: WithoutPrefix,
    /// The prefix goes through the stages 3 to 10 of an `operationId`.
    pub clean_prefix: bool,
}

/// What a name is without a prefix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithoutPrefix {
    /// `{global}{base}`.
    #[default]
    Bare,
    /// The template with an empty prefix.
    Keep,
}

/// Stage 14.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LengthRules {
    /// What is done to a name that is too long.
    pub rule: LengthRule,
    /// The most that is allowed; 0 is no limit.
    pub max: usize,
    /// What is counted.
    pub unit: Unit,
    /// Hexadecimal digits of the hash.
    pub hash_digits: usize,
    /// What is hashed.
    pub hash_of: HashOf,
    /// For `rule = "replace"`: a template over `{global}` and `{hash}`.
    pub replacement: String,
}

/// What is done to a name that is too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LengthRule {
    /// Nothing.
    #[default]
    None,
    /// The base is cut, never prefix and separator.
    Cut,
    /// The base is cut and `_` and a hash follow.
    CutHash,
    /// The name is replaced by one that holds a hash.
    Replace,
    /// The tool is refused.
    Reject,
}

/// What a length counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Unicode code points.
    #[default]
    CodePoints,
    /// Bytes of UTF-8.
    Bytes,
}

impl Unit {
    /// The length of a text.
    pub fn count(self, text: &str) -> usize {
        match self {
            Unit::CodePoints => text.chars().count(),
            Unit::Bytes => text.len(),
        }
    }

    /// The longest start of a text that is no longer than `room`, and the rest. Never splits a character.
    pub fn split(self, text: &str, room: usize) -> (&str, &str) {
        let mut used = 0;
        let end = text.char_indices().find_map(|(at, character)| {
            used += if self == Unit::Bytes { character.len_utf8() } else { 1 };
            (used > room).then_some(at)
        });
        text.split_at_checked(end.unwrap_or(text.len())).unwrap_or((text, ""))
    }

    /// `64 bytes`, `1 character`.
    pub(super) fn words(self, count: usize) -> String {
        let what = if self == Unit::Bytes { "byte" } else { "character" };
        format!("{count} {what}{}", if count == 1 { "" } else { "s" })
    }
}

/// What the hash of a name is made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HashOf {
    /// The whole name before the cut.
    #[default]
    Name,
    /// Prefix, a NUL and the raw text of the source.
    PrefixAndSource,
}

/// Stage 15.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AssertRules {
    /// A regular expression that the whole name must match; empty for none.
    pub pattern: String,
    /// What happens when it does not.
    pub on_failure: OnFailure,
}

/// What a failed assertion does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// A warning.
    #[default]
    Warn,
    /// The tool is refused.
    Reject,
}

/// Stage 16.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CollideRules {
    /// Among the tools of one upstream.
    pub within: CollisionPolicy,
    /// Among tools of different upstreams.
    pub across: CollisionPolicy,
    /// A workspace cannot change `across`.
    pub across_fixed: bool,
    /// Hexadecimal digits of the policy `hash`.
    pub hash_digits: usize,
}

impl Default for CollideRules {
    fn default() -> Self {
        let error = CollisionPolicy::Error;
        Self { within: error, across: error, across_fixed: false, hash_digits: 6 }
    }
}

/// What a prefix or server id must look like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PrefixRules {
    /// A regular expression that the whole of it must match; empty for none.
    pub format: String,
    /// No `__` in it.
    pub no_double_underscore: bool,
    /// No `_` at its end.
    pub no_trailing_underscore: bool,
}

/// Descriptions of tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DescriptionRules {
    /// The most code points; 0 is no limit.
    pub max_length: usize,
    /// What a cut description ends with, counted inside the limit.
    pub suffix: String,
}

impl Default for DescriptionRules {
    fn default() -> Self {
        Self { max_length: 0, suffix: "...".into() }
    }
}
