//! An overlay as a value (Overlay 1.1 section 4).

use crate::document::jsonpath::{Query, QueryError};
use crate::document::{Entry, FileId, Finding, Node, Origin, Place};

/// An overlay document.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// The file that it was read from.
    pub file: FileId,
    /// That file's name as it was given.
    pub name: String,
    /// `overlay`, as written.
    pub version: String,
    /// The rules that this version means.
    pub rules: Rules,
    /// `info.title`; empty when it is missing.
    pub title: String,
    /// `info.description`.
    pub description: Option<String>,
    /// `extends`: the document that it is meant for.
    pub extends: Option<String>,
    /// Where `extends` stands.
    pub extends_place: Option<Place>,
    /// All items of `actions`, in order, also those that cannot be applied.
    pub actions: Vec<Action>,
    /// `x-` members of the root.
    pub extensions: Vec<Entry>,
    /// Everything that was noticed while reading, the findings of the actions among it.
    pub findings: Vec<Finding>,
}

/// Versions with rules of their own. The patch number does not count (section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rules {
    /// 1.0
    V1_0,
    /// 1.1: `copy`, primitive targets, `info.description`.
    V1_1,
    /// 1.2, a draft: read as 1.1, its new parts are named and not applied.
    V1_2,
}

/// One action (section 4.4.3).
#[derive(Clone, Debug)]
pub struct Action {
    /// Its index in `actions`, from 0.
    pub index: u16,
    /// The whole action in the overlay file; carries the number of the action.
    pub origin: Origin,
    /// `target`, as written; empty when it is missing or no text.
    pub target: String,
    /// The target's bytes, or those of the action when it has none.
    pub target_origin: Origin,
    /// The target as a query, or why it is none.
    pub query: Result<Query, QueryError>,
    /// `description`.
    pub description: Option<String>,
    /// What it does.
    pub kind: ActionKind,
    /// `x-` members.
    pub extensions: Vec<Entry>,
    /// What was noticed while reading it.
    pub findings: Vec<Finding>,
}

/// What an action does.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// Merges this value; all its nodes carry the number of the action.
    Update(Node),
    /// Removes the targets.
    Remove,
    /// Merges what is found elsewhere in the document.
    Copy(CopySource),
    /// Nothing: it has no `update`, `copy` or `remove: true`.
    None,
    /// Cannot be applied; an error among its findings says why.
    Invalid,
}

/// The source of a copy.
#[derive(Clone, Debug)]
pub struct CopySource {
    /// `copy`, as written.
    pub text: String,
    /// Its bytes; carries the number of the action.
    pub origin: Origin,
    /// As a query, or why it is none.
    pub query: Result<Query, QueryError>,
}

impl ActionKind {
    /// `update`, `remove`, `copy`, `none` or `invalid`.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Update(_) => "update",
            Self::Remove => "remove",
            Self::Copy(_) => "copy",
            Self::None => "none",
            Self::Invalid => "invalid",
        }
    }
}

impl Action {
    /// The place of the action in its overlay, for findings.
    pub fn place(&self) -> Place {
        Place { origin: self.origin, pointer: format!("/actions/{}", self.index).into() }
    }

    /// The place of its target.
    pub fn target_place(&self) -> Place {
        Place { origin: self.target_origin, pointer: format!("/actions/{}/target", self.index).into() }
    }
}
