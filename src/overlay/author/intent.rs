//! What a person wants of a tool.

use super::argument::Argument;
use crate::document::{Node, ResponseFormat};

/// What a person wants of one tool or of many.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Another name (`x-mcp-tool-name`).
    Rename {
        /// The name.
        name: String,
    },
    /// Another text for the model to read.
    Describe {
        /// The text.
        text: String,
        /// Which text of an operation the model reads.
        reads: Summary,
    },
    /// Not exposed (`x-mcp-enabled: false`).
    Hide,
    /// Exposed again.
    Show,
    /// Changes nothing although its method says so, or not (`x-mcp-safe`).
    Safe(bool),
    /// How the response is handed on (`x-mcp-response-format`).
    Format(ResponseFormat),
    /// A jq program over what is sent or received.
    Transform {
        /// Over what.
        over: Transform,
        /// The program.
        program: String,
    },
    /// An argument has to be given, or has not.
    Required {
        /// Which.
        argument: Argument,
        /// Has it?
        required: bool,
    },
    /// The value of an argument that is not given.
    Default {
        /// Which.
        argument: Argument,
        /// The value.
        value: Node,
    },
    /// What the model reads of an argument.
    ArgumentText {
        /// Which.
        argument: Argument,
        /// The text.
        text: String,
    },
}

/// Which text of an operation the model reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Summary {
    /// `summary`, and `description` only where there is none.
    #[default]
    First,
    /// `description`, and `summary` only where there is none.
    Last,
    /// Both.
    Both,
}

/// What a jq program is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// The arguments, before the request is made of them.
    Request,
    /// The body of a response.
    Response,
    /// The body of an error.
    Error,
}

impl Transform {
    /// The extension that holds the program.
    pub fn key(self) -> &'static str {
        match self {
            Self::Request => "x-mcp-request-transform",
            Self::Response => "x-mcp-response-transform",
            Self::Error => "x-mcp-error-transform",
        }
    }
}
