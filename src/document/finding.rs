//! What is wrong with an input, as a value.

use serde::{Deserialize, Serialize};

use super::node::Node;
use super::source::Place;

/// How bad it is. Ordered: a higher one is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Probably not what was meant.
    Warning,
    /// Wrong: a tool or a document is not usable as it stands.
    Error,
}

/// What a client or provider does with a tool that breaks its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blast {
    /// Nothing.
    None,
    /// The tool is left out.
    ToolDropped,
    /// All tools of the server are left out.
    ServerDropped,
    /// Every request that carries the tool fails.
    RequestRefused,
    /// Something is lost without a word.
    Silent,
}

/// One thing that a person should know about an input, with its place and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Stable code in kebab case, such as `overlay-no-match`.
    pub code: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What happened, in one sentence, without the place.
    pub message: String,
    /// What to do, in one sentence.
    pub remedy: Option<String>,
    /// Where.
    pub place: Option<Place>,
    /// The exposed name of the tool that it concerns.
    pub tool: Option<String>,
    /// The lint target whose rule it is.
    pub target: Option<String>,
    /// That rule, by its id within the target.
    pub rule: Option<String>,
    /// What the target does with the tool.
    pub blast: Option<Blast>,
    /// An overlay action (Overlay 1.1 section 4.4.3) that would mend it.
    pub fix: Option<Node>,
}

impl Finding {
    /// A finding with a code, a severity and a message.
    pub fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            remedy: None,
            place: None,
            tool: None,
            target: None,
            rule: None,
            blast: None,
            fix: None,
        }
    }

    /// An error.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// A warning.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    /// A remark.
    pub fn info(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Info, message)
    }

    /// With its place.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// With what to do.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}
