//! What one derivation has to say: losses, findings, and whether the tool is whole.

use std::sync::Arc;

use crate::document::{Finding, Node, Origin, Place};

use super::model::Loss;

/// Collected while one operation is derived.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) losses: Vec<Loss>,
    pub(crate) findings: Vec<Finding>,
    /// Something is missing that the tool needs.
    pub(crate) degraded: bool,
}

impl Report {
    /// Notes a loss, once for each kind and place.
    pub(crate) fn lose(&mut self, what: &'static str, place: Place, why: impl Into<String>) {
        if !self.losses.iter().any(|loss| loss.what == what && loss.place.origin == place.origin) {
            self.losses.push(Loss { what, place, why: why.into() });
        }
    }

    /// Notes that the tool cannot be whole: a finding and a loss.
    pub(crate) fn degrade(&mut self, what: &'static str, place: Place, why: impl Into<String>) {
        let why = why.into();
        self.degraded = true;
        if !self.losses.iter().any(|loss| loss.what == what && loss.place.origin == place.origin) {
            let remedy = "mend the document, or replace the part with an overlay";
            self.findings.push(Finding::error(what, why.clone()).at(place.clone()).remedy(remedy));
        }
        self.lose(what, place, why);
    }
}

/// Where a walk through a document stands: a pointer that costs nothing until it is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    token: Token<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Token<'a> {
    /// A pointer in text form, with which the walk started.
    Base(&'a str),
    Key(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    /// Starts at an RFC 6901 pointer.
    pub(crate) fn new(base: &'a str) -> Self {
        Self { parent: None, token: Token::Base(base) }
    }

    /// One member down.
    pub(crate) fn key(&'a self, key: &'a str) -> Self {
        Self { parent: Some(self), token: Token::Key(key) }
    }

    /// One item down.
    pub(crate) fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), token: Token::Index(index) }
    }

    /// The pointer in text form.
    pub(crate) fn text(&self) -> Arc<str> {
        let mut tokens = Vec::new();
        let mut at = Some(self);
        while let Some(path) = at {
            tokens.push(path.token);
            at = path.parent;
        }
        let mut text = String::new();
        for token in tokens.iter().rev() {
            match token {
                Token::Base(base) => text.push_str(base),
                Token::Key(key) => {
                    text.push('/');
                    text.push_str(&crate::document::pointer::escape(key));
                }
                Token::Index(index) => {
                    text.push('/');
                    text.push_str(&index.to_string());
                }
            }
        }
        text.into()
    }

    /// The place of a node that stands here.
    pub(crate) fn place(&self, node: &Node) -> Place {
        self.at(node.origin)
    }

    /// The place of these bytes.
    pub(crate) fn at(&self, origin: Origin) -> Place {
        Place { origin, pointer: self.text() }
    }
}
