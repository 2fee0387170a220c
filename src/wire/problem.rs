//! What is wrong with the arguments of a call.

use std::fmt;

use serde::Serialize;

/// One thing that keeps a call from being sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArgumentProblem {
    /// The argument; empty when it is the call as a whole, such as a base URL that is missing.
    pub argument: String,
    /// RFC 6901 pointer into the arguments.
    pub pointer: String,
    /// The rule that is broken: a keyword of JSON Schema, or a rule of the encoder in kebab case.
    pub rule: String,
    /// What is wrong and what would be right, in one sentence.
    pub message: String,
}

impl ArgumentProblem {
    /// A problem of an argument, at its root.
    pub(crate) fn of(argument: &str, rule: &str, message: impl Into<String>) -> Self {
        let pointer = format!("/{}", crate::document::pointer::escape(argument));
        Self { argument: argument.to_owned(), pointer, rule: rule.to_owned(), message: message.into() }
    }

    /// A problem of the call as a whole.
    pub(crate) fn call(rule: &str, message: impl Into<String>) -> Self {
        Self { argument: String::new(), pointer: String::new(), rule: rule.to_owned(), message: message.into() }
    }
}

impl fmt::Display for ArgumentProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => write!(f, "{} ({})", self.message, self.rule),
            pointer => write!(f, "{pointer}: {} ({})", self.message, self.rule),
        }
    }
}
