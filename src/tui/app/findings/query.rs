//! The language of the findings' filter: words to be found anywhere, and tests such as `error` or `target:openai`.

use super::index::{FindingIndex, Item, Said};
use crate::derive::Catalog;
use crate::document::Severity;
use crate::lint::Matrix;

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
        let mut query = Self::default();
        for token in text.split_whitespace() {
            let (wanted, body) = token.strip_prefix('!').map_or((true, token), |body| (false, body));
            match fact(&body.to_lowercase()) {
                Ok(Some(fact)) => query.tests.push((fact, wanted)),
                Ok(None) => {}
                Err(problem) => query.problem = Some(problem),
            }
        }
        query
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
    // A quote before it: the word itself.
    let word = |text: &str| Ok(Some(Fact::Word(text.strip_prefix('\'').unwrap_or(text).to_owned())));
    let Some((key, values)) = token.split_once(':') else { return word(token) };
    let known: fn(Vec<String>) -> Fact = match key {
        "code" => Fact::Code,
        "target" => Fact::Target,
        "tool" => Fact::Tool,
        "file" => Fact::File,
        _ => return word(token),
    };
    let values: Vec<String> = values.split(',').filter(|value| !value.is_empty()).map(str::to_owned).collect();
    if values.is_empty() { Err(format!("`{key}:` wants a value")) } else { Ok(Some(known(values))) }
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
