//! What key maps and themes have in common: TOML with the line of every value.

use std::fmt;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// An error in a settings file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct SettingsError {
    /// Which text, as "key map" or the name of a file.
    pub source_name: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.source_name, self.line, self.message)
    }
}

/// A settings text and what it is called in messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

impl<'a> Settings<'a> {
    pub(crate) fn parse(self) -> Result<DeTable<'a>, SettingsError> {
        DeTable::parse(self.text).map(Spanned::into_inner).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            self.error(offset, error.message().to_owned())
        })
    }

    pub(crate) fn error(self, offset: usize, message: String) -> SettingsError {
        SettingsError { source_name: self.name.to_owned(), line: self.line_at(offset), message }
    }

    pub(crate) fn line_at(self, offset: usize) -> usize {
        self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
    }

    pub(crate) fn text_of<'v>(self, what: &str, value: &'v Spanned<DeValue<'a>>) -> Result<&'v str, SettingsError> {
        let found = value.get_ref();
        found
            .as_str()
            .ok_or_else(|| self.error(value.span().start, format!("{what} must be a string, not {}", found.type_str())))
    }
}
