//! The parameters of the stages 2 to 12, which each source has of its own.

use serde::{Deserialize, Serialize};

use super::model::NameSource;

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
