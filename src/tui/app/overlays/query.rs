//! The language of the filter of actions: words to be found anywhere, and tests such as `nomatch` or `kind:remove`.

use super::index::{Item, Overridden};
use crate::document::Severity;
use crate::tui::app::facts;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    Kind(Vec<String>),
    File(Vec<String>),
    NoMatch,
    NoChange,
    Overridden,
    Surprise,
    Hidden,
    Findings,
    Severity(Severity),
    Word(String),
}

/// A filter, ready to be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionQuery {
    tests: Vec<(Fact, bool)>,
    /// What is wrong with it, for the person who types it. Such a part of the filter has no effect.
    pub problem: Option<String>,
}

impl ActionQuery {
    /// Reads a filter. Every text is one; what cannot be understood is named in [`ActionQuery::problem`].
    pub fn parse(text: &str) -> Self {
        let (tests, problem) = facts::tests(text, fact);
        Self { tests, problem }
    }

    /// Lets everything pass?
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Does an action of that file pass?
    pub fn holds(&self, item: &Item, file: &str) -> bool {
        self.tests.iter().all(|(fact, wanted)| holds(fact, item, file) == *wanted)
    }
}

fn fact(token: &str) -> Result<Option<Fact>, String> {
    let known = match token {
        "" => return Ok(None),
        "nomatch" => Some(Fact::NoMatch),
        "nochange" => Some(Fact::NoChange),
        "overridden" => Some(Fact::Overridden),
        "surprise" => Some(Fact::Surprise),
        "hidden" => Some(Fact::Hidden),
        "findings" => Some(Fact::Findings),
        "error" | "errors" => Some(Fact::Severity(Severity::Error)),
        "warning" | "warnings" => Some(Fact::Severity(Severity::Warning)),
        "info" => Some(Fact::Severity(Severity::Info)),
        _ => None,
    };
    if known.is_some() {
        return Ok(known);
    }
    let key = |name: &str| -> Option<fn(Vec<String>) -> Fact> {
        match name {
            "kind" => Some(Fact::Kind),
            "file" => Some(Fact::File),
            _ => None,
        }
    };
    facts::listed(token, key, Fact::Word)
}

fn holds(fact: &Fact, item: &Item, file: &str) -> bool {
    match fact {
        Fact::Kind(kinds) => kinds.iter().any(|kind| item.kind.starts_with(kind.as_str())),
        Fact::File(names) => names.iter().any(|name| file.to_lowercase().contains(name.as_str())),
        Fact::NoMatch => item.marks.no_match,
        Fact::NoChange => item.marks.no_change,
        Fact::Overridden => item.marks.overridden != Overridden::Not,
        Fact::Surprise => item.marks.surprise,
        Fact::Hidden => item.marks.hidden,
        Fact::Findings => item.marks.worst.is_some(),
        Fact::Severity(severity) => item.marks.worst == Some(*severity),
        Fact::Word(word) => item.text.contains(word.as_str()),
    }
}
