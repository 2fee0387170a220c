//! The language of the findings' filter: words to be found anywhere, and tests such as `error` or `target:openai`.

use super::index::{FindingIndex, Item, Said};
use crate::derive::Catalog;
use crate::document::Severity;
use crate::lint::Matrix;
use crate::tui::app::facts;

/// What a test looks at. Values are in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    Severity(Severity),
    Code(Vec<String>),
    Target(Vec<String>),
    Tool(Vec<String>),
    File(Vec<String>),
    Word(String),
}

/// A filter, ready to be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingQuery {
    tests: Vec<(Fact, bool)>,
    /// What is wrong with it, for the person who types it. Such a part of the filter has no effect.
    pub problem: Option<String>,
}

impl FindingQuery {
    /// Reads a filter. Every text is one; what cannot be understood is named in [`FindingQuery::problem`].
    pub fn parse(text: &str) -> Self {
        let (tests, problem) = facts::tests(text, fact);
        Self { tests, problem }
    }

    /// Lets everything pass?
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Asks what a target that was not chosen may say?
    pub fn asks_targets(&self) -> bool {
        self.tests.iter().any(|(fact, _)| matches!(fact, Fact::Target(_)))
    }

    /// Does a row pass?
    pub fn holds(&self, item: &Item, catalog: &Catalog, index: &FindingIndex, matrix: Option<&Matrix>) -> bool {
        self.tests.iter().all(|(fact, wanted)| holds(fact, item, catalog, index, matrix) == *wanted)
    }
}

/// `None` for nothing.
fn fact(token: &str) -> Result<Option<Fact>, String> {
    let severity = match token {
        "" => return Ok(None),
        "error" | "errors" => Some(Severity::Error),
        "warning" | "warnings" => Some(Severity::Warning),
        "info" => Some(Severity::Info),
        _ => None,
    };
    if let Some(severity) = severity {
        return Ok(Some(Fact::Severity(severity)));
    }
    let key = |name: &str| -> Option<fn(Vec<String>) -> Fact> {
        match name {
            "code" => Some(Fact::Code),
            "target" => Some(Fact::Target),
            "tool" => Some(Fact::Tool),
            "file" => Some(Fact::File),
            _ => None,
        }
    };
    facts::listed(token, key, Fact::Word)
}

fn holds(fact: &Fact, item: &Item, catalog: &Catalog, index: &FindingIndex, matrix: Option<&Matrix>) -> bool {
    let any = |text: &str, values: &[String]| values.iter().any(|value| text.contains(value.as_str()));
    let first = || item.said.first().and_then(|said| index.finding(catalog, matrix, *said));
    match fact {
        Fact::Severity(severity) => item.severity == *severity,
        Fact::Code(values) => any(item.code, values),
        Fact::Word(word) => item.text.contains(word.as_str()),
        Fact::Tool(values) => {
            let tool = first().and_then(|finding| finding.tool.as_deref());
            tool.is_some_and(|tool| any(&tool.to_lowercase(), values))
        }
        Fact::File(values) => {
            let place = first().and_then(|finding| finding.place.as_ref());
            let file = place.and_then(|place| catalog.sources.get(place.origin.file));
            file.is_some_and(|file| any(&file.name.to_lowercase(), values))
        }
        Fact::Target(values) => item.said.iter().any(|said| {
            let Said::Target(target, _) = said else { return false };
            let totals = matrix.and_then(|matrix| matrix.totals.get(*target));
            totals.is_some_and(|totals| values.iter().any(|value| totals.target.to_lowercase().starts_with(value)))
        }),
    }
}
