//! The parameters of a naming profile, as its TOML file has them: one type per stage.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model::{CollisionPolicy, NameSource};

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

/// Stages 2 to 12 by source. `common` holds for every source that does not say otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stages {
    /// For every source.
    pub common: SourceStages,
    /// For `x-mcp-tool-name`.
    #[serde(rename = "override")]
    pub name_override: SourceStages,
    /// For `operationId`.
    #[serde(rename = "operationId")]
    pub operation_id: SourceStages,
    /// For method and path.
    pub slug: SourceStages,
}

impl Stages {
    /// The stages of one source.
    pub fn of(&self, source: NameSource) -> &SourceStages {
        match source {
            NameSource::Override => &self.name_override,
            NameSource::OperationId => &self.operation_id,
            NameSource::Slug => &self.slug,
        }
    }
}

/// Stages 2 to 12 for one source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SourceStages {
    /// Template of the raw text over `{override}`, `{operationId}`, `{method}`, `{METHOD}`, `{path}` and `{service}`
    /// (the first tag, else the first segment of the path). Empty: the source itself, for a slug the path.
    pub text: String,
    /// Stage 2: a regular expression that the whole raw text must match.
    pub admit: String,
    /// Stages 3 to 9 are left out.
    pub verbatim: bool,
    /// Warn of characters outside `legal` that are kept.
    pub lint: bool,
    /// Stage 3.
    pub camel_split: CamelSplit,
    /// Stage 4.
    pub braces: Braces,
    /// Stage 5: the characters that a name may hold, as one class of a regular expression.
    pub legal: String,
    /// Stage 5: what becomes one `_`.
    pub replace: Replace,
    /// Stage 6.
    pub lowercase: bool,
    /// Stage 7: what is put before a first character that is no letter; empty for nothing.
    pub letter_start: String,
    /// Stage 8.
    pub collapse: Collapse,
    /// Stage 9.
    pub trim: Trim,
    /// Stage 10.
    pub empty: Empty,
    /// Stage 10: the word of `empty = "word"`.
    pub empty_word: String,
    /// Stage 10: a text without a character of this class counts as empty.
    pub usable: String,
    /// Stage 11.
    pub noun: Noun,
    /// Stage 12.
    pub verb: Verb,
    /// Stage 12: before an empty text the verb stands alone, without `_`.
    pub verb_alone: bool,
}

/// Stage 3: where words in camel case are parted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CamelSplit {
    /// Nowhere.
    #[default]
    None,
    /// After a lower-case letter or digit, and before the last capital of an acronym.
    Acronym,
    /// Before every capital but the first character.
    EveryCapital,
}

/// Stage 4: what becomes of `{` and `}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Braces {
    /// They are characters like any other.
    #[default]
    Illegal,
    /// They are deleted.
    Delete,
}

/// Stage 5: what becomes one `_`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replace {
    /// Nothing.
    #[default]
    None,
    /// Every illegal character.
    Character,
    /// Every run of illegal characters.
    Run,
}

/// Stage 8: what is done to repeated `_`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Collapse {
    /// Nothing.
    #[default]
    None,
    /// Every run becomes one.
    Runs,
    /// Every pair becomes one, in a single pass from the left.
    Pairs,
}

/// Stage 9: where `_` is taken off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trim {
    /// Nowhere.
    #[default]
    None,
    /// At both ends.
    Both,
    /// At the start.
    Start,
    /// At the end.
    End,
}

/// Stage 10: what becomes of an empty text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Empty {
    /// It stays empty.
    #[default]
    Keep,
    /// The next source is tried.
    FallThrough,
    /// It becomes `empty_word`.
    Word,
    /// The tool is refused.
    Reject,
}

/// Stage 11.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Noun {
    /// As it is.
    #[default]
    None,
    /// The last segment in the singular.
    Singular,
}

/// Stage 12: what stands before the base, with a `_` between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Nothing.
    #[default]
    None,
    /// The word that `verb.words` has for the method, else the method in lower case.
    Table,
    /// The method in lower case.
    Method,
    /// The `operationId`, cleaned by the rules under `verb`.
    OperationId,
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
