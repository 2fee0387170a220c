//! The menu of changes: on which tools, what, and the value that is typed for it.

use std::path::PathBuf;

use crate::derive::Binding;
use crate::document::{FileId, Format, Node, Origin, ResponseFormat, parse};
use crate::overlay::{Argument, Intent, Summary, Transform};
use crate::tui::app::field::Field;
use crate::tui::app::tools::ToolId;
use crate::wire::Filter;

/// On which tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The selected one.
    One,
    /// Those that are marked.
    Marked,
    /// All that the filter shows.
    Shown,
}

/// What is to become of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the table says it
pub enum Change {
    Rename,
    Describe,
    Hide,
    Show,
    Safe,
    Unsafe,
    Format,
    Request,
    Response,
    Error,
    Require,
    Optional,
    Default,
    ArgumentText,
    Retarget,
}

impl Change {
    /// The menu, in its order: key, title and what it writes.
    pub const MENU: [(char, Self, &'static str, &'static str); 14] = [
        ('r', Self::Rename, "rename", "x-mcp-tool-name"),
        ('d', Self::Describe, "describe", "what the model reads of it"),
        ('h', Self::Hide, "hide", "x-mcp-enabled: false"),
        ('s', Self::Show, "show", "x-mcp-enabled: true"),
        ('m', Self::Safe, "mark safe", "x-mcp-safe: true, for a call that changes nothing"),
        ('u', Self::Unsafe, "mark not safe", "x-mcp-safe: false"),
        ('f', Self::Format, "response format", "x-mcp-response-format"),
        ('i', Self::Request, "request transform", "a jq program over the arguments"),
        ('o', Self::Response, "response transform", "a jq program over the body that comes back"),
        ('e', Self::Error, "error transform", "a jq program over the body of an error"),
        ('a', Self::Require, "require an argument", "a call without it is refused"),
        ('p', Self::Optional, "make an argument optional", "a call may leave it out"),
        ('v', Self::Default, "default of an argument", "its value where a call leaves it out"),
        ('t', Self::ArgumentText, "describe an argument", "what the model reads of it"),
    ];

    /// It is about an argument.
    pub fn asks_argument(self) -> bool {
        matches!(self, Self::Require | Self::Optional | Self::Default | Self::ArgumentText)
    }

    /// A value has to be typed.
    pub fn asks_value(self) -> bool {
        self.label().is_some()
    }

    /// What the field for its value is called.
    pub fn label(self) -> Option<&'static str> {
        Some(match self {
            Self::Rename => "new name",
            Self::Describe => "description",
            Self::Request | Self::Response | Self::Error => "jq program",
            Self::Default => "value",
            Self::ArgumentText => "description",
            Self::Retarget => "target",
            _ => return None,
        })
    }

    /// Its title.
    pub fn title(self) -> &'static str {
        Self::MENU.iter().find(|row| row.1 == self).map_or("change the target", |row| row.2)
    }

    /// It makes no sense on several tools at once.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Rename)
    }
}

/// An action of an overlay that gets another target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionRef {
    /// The overlay's file.
    pub file: PathBuf,
    /// Index of the action, from 0.
    pub index: usize,
    /// The upstream, by its number in the catalog.
    pub upstream: usize,
}

/// Where in the menu the person is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Choosing what; the row.
    Choose(usize),
    /// Choosing an argument; the row.
    Argument(Change, usize),
    /// Choosing a response format; the row.
    Format(usize),
    /// Typing a value.
    Value(Change, Option<Argument>, Field),
}

/// State of the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Menu {
    /// On which tools.
    pub scope: Scope,
    /// The selected tool.
    pub one: Vec<ToolId>,
    /// The marked ones.
    pub marked: Vec<ToolId>,
    /// All that the filter shows.
    pub shown: Vec<ToolId>,
    /// Where the person is.
    pub step: Step,
    /// The arguments of the tools, each with its name and where it goes.
    pub arguments: Vec<(String, Argument)>,
    /// The action that a new target is for.
    pub action: Option<ActionRef>,
    /// What the last key could not do.
    pub problem: Option<String>,
}

impl Menu {
    /// The tools that a change is for.
    pub fn tools(&self) -> &[ToolId] {
        match self.scope {
            Scope::One => &self.one,
            Scope::Marked => &self.marked,
            Scope::Shown => &self.shown,
        }
    }

    /// Who they are, in words.
    pub fn whom(&self) -> String {
        let count = self.tools().len();
        let tools = if count == 1 { "tool" } else { "tools" };
        match (self.scope, self.tools()) {
            (Scope::One, [one]) => format!("{} {}", one.method, one.path),
            (Scope::One, _) => "no tool".to_owned(),
            (Scope::Marked, _) => format!("the {count} marked {tools}"),
            (Scope::Shown, _) => format!("all {count} {tools} that the filter shows"),
        }
    }

    /// The next scope that has tools.
    pub fn next_scope(&mut self) {
        let order = [Scope::One, Scope::Marked, Scope::Shown];
        let at = order.iter().position(|scope| *scope == self.scope).unwrap_or(0);
        for step in 1..=order.len() {
            self.scope = order.get((at + step) % order.len()).copied().unwrap_or(Scope::One);
            if !self.tools().is_empty() {
                return;
            }
        }
    }

    /// Rows of the list that is shown.
    pub fn rows(&self) -> usize {
        match &self.step {
            Step::Choose(_) => Change::MENU.len(),
            Step::Argument(..) => self.arguments.len(),
            Step::Format(_) => ResponseFormat::ALL.len(),
            Step::Value(..) => 0,
        }
    }

    /// The selected row.
    pub fn row(&mut self) -> Option<&mut usize> {
        match &mut self.step {
            Step::Choose(at) | Step::Argument(_, at) | Step::Format(at) => Some(at),
            Step::Value(..) => None,
        }
    }
}

/// Where an argument goes, in the words of an intent. `None` for one that is the whole body.
pub fn argument_of(binding: &Binding) -> Option<Argument> {
    Some(Argument { location: binding.location.word().to_owned(), name: binding.wire_name.as_deref()?.to_owned() })
}

/// What a change wants, or what is wrong with its value: in words that name the column.
///
/// # Errors
/// The value is none for this change.
pub fn intent(change: Change, argument: Option<&Argument>, value: &str, reads: Summary) -> Result<Intent, String> {
    let argument = || argument.cloned().ok_or_else(|| "no argument is chosen".to_owned());
    let transform = |over| match Filter::compile(value) {
        Ok(_) => Ok(Intent::Transform { over, program: value.to_owned() }),
        Err(error) => {
            let (_, column) = error.line_column(value);
            Err(format!("column {column}: {}; {}", error.message, error.remedy))
        }
    };
    if change.asks_value() && value.trim().is_empty() {
        return Err(format!("type the {}", change.label().unwrap_or("value")));
    }
    match change {
        Change::Rename => Ok(Intent::Rename { name: value.trim().to_owned() }),
        Change::Describe => Ok(Intent::Describe { text: value.trim().to_owned(), reads }),
        Change::Hide => Ok(Intent::Hide),
        Change::Show => Ok(Intent::Show),
        Change::Safe => Ok(Intent::Safe(true)),
        Change::Unsafe => Ok(Intent::Safe(false)),
        Change::Format => {
            ResponseFormat::parse(value).map(Intent::Format).ok_or_else(|| format!("`{value}` is no response format"))
        }
        Change::Request => transform(Transform::Request),
        Change::Response => transform(Transform::Response),
        Change::Error => transform(Transform::Error),
        Change::Require => Ok(Intent::Required { argument: argument()?, required: true }),
        Change::Optional => Ok(Intent::Required { argument: argument()?, required: false }),
        Change::Default => Ok(Intent::Default { argument: argument()?, value: json_or_text(value) }),
        Change::ArgumentText => Ok(Intent::ArgumentText { argument: argument()?, text: value.trim().to_owned() }),
        Change::Retarget => Err("a target is no wish of a tool".to_owned()),
    }
}

/// JSON if it parses, else text.
fn json_or_text(text: &str) -> Node {
    match parse(FileId(0), "value.json", text) {
        Ok(document) if document.format == Format::Json => document.root,
        _ => Node::string(text, Origin::new(FileId(0), 0, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_judged_as_they_are_typed() {
        let limit = Argument { location: "query".into(), name: "limit".into() };
        let cases = [
            (Change::Rename, "", Some("type the new name")),
            (Change::Rename, " a ", None),
            (Change::Response, ".items[", Some("column")),
            (Change::Response, ".items", None),
            (Change::Format, "jsn", Some("no response format")),
            (Change::Default, "20", None),
            (Change::Describe, "  ", Some("type the description")),
        ];
        for (change, value, problem) in cases {
            let found = intent(change, Some(&limit), value, Summary::First);
            match problem {
                Some(words) => assert!(found.as_ref().is_err_and(|why| why.contains(words)), "{value}: {found:?}"),
                None => assert!(found.is_ok(), "{value}: {found:?}"),
            }
        }
        let default = intent(Change::Default, Some(&limit), "20", Summary::First);
        assert!(matches!(default, Ok(Intent::Default { value, .. }) if value.as_str().is_none()));
    }

    #[test]
    fn every_key_of_the_menu_is_its_own() {
        for (at, row) in Change::MENU.iter().enumerate() {
            assert!(Change::MENU.iter().skip(at + 1).all(|other| other.0 != row.0), "{}", row.0);
            assert!(!"jkq".contains(row.0), "{}", row.0);
        }
    }
}
