//! What is expected of an answer, and whether it is so. Pure.

use std::time::Duration;

use regex::Regex;
use serde_json::Value as Json;

use super::suite::{Capture, Source};
use crate::derive::Tool;
use crate::document::jsonpath::Query;
use crate::document::{Node, to_json};
use crate::proxy::units;
use crate::wire::{self, Bounds, Drift, Filter, Redactor};

/// Nodes that a path visits at most.
const VISITS: u64 = 1_000_000;
/// Characters of a value that are shown.
const SHOWN: usize = 80;

/// What a case expects. Without anything an answer has to be a success that fits the output schema.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// Statuses of which it has to have one; empty where nothing is said.
    pub status: Vec<StatusRule>,
    /// The result is an error, or is none.
    pub is_error: Option<bool>,
    /// The answer fits the output schema; `None` where nothing is said, which checks it where there is one.
    pub schema: Option<bool>,
    /// The time that it may take.
    pub within: Option<Duration>,
    /// Tests of what paths select.
    pub paths: Vec<PathRule>,
    /// Expressions that have to give `true`.
    pub jq: Vec<std::sync::Arc<Filter>>,
}

/// One status, or a hundred of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusRule {
    /// This one.
    Exactly(u16),
    /// All that begin with this digit.
    Class(u16),
}

impl StatusRule {
    /// Reads `200` or `2xx`.
    pub fn parse(text: &str) -> Option<Self> {
        let lower = text.trim().to_ascii_lowercase();
        if let Some(digit) = lower.strip_suffix("xx") {
            return digit.parse().ok().filter(|digit| (1..=5).contains(digit)).map(Self::Class);
        }
        lower.parse().ok().filter(|status| (100..=599).contains(status)).map(Self::Exactly)
    }

    fn takes(self, status: u16) -> bool {
        match self {
            Self::Exactly(wanted) => status == wanted,
            Self::Class(digit) => status / 100 == digit,
        }
    }

    fn shown(self) -> String {
        match self {
            Self::Exactly(status) => status.to_string(),
            Self::Class(digit) => format!("{digit}xx"),
        }
    }
}

/// A path and what is tested of it.
#[derive(Clone, Debug)]
pub struct PathRule {
    /// The path.
    pub query: Query,
    /// The test.
    pub test: Test,
}

/// A test of what a path selects.
#[derive(Clone, Debug)]
pub enum Test {
    /// It selects something, and every value is this one.
    Equals(Json),
    /// It selects something, or nothing.
    Exists(bool),
    /// It selects something, and every value is a text in which the pattern is found.
    Matches(Regex),
    /// It selects so many values.
    Count(usize),
}

/// An answer, as far as expectations ask.
#[derive(Clone, Debug, Default)]
pub struct Answer<'a> {
    /// Status of the API's answer; `None` where there was none.
    pub status: Option<u16>,
    /// The result is an error.
    pub is_error: bool,
    /// The answer as JSON.
    pub body: Option<Node>,
    /// What the result says, for failures.
    pub text: String,
    /// How long it took.
    pub elapsed: Duration,
    /// How it differs from the output schema.
    pub drift: Option<&'a Drift>,
    /// Knows the secrets among the arguments; they are masked in what is shown of the answer.
    pub redactor: Redactor,
}

/// One expectation and its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was expected.
    pub what: String,
    /// It is so.
    pub ok: bool,
    /// What is instead; empty where it is so.
    pub why: String,
    /// It is the output schema that is not fitted.
    pub drift: bool,
}

impl Check {
    fn new(what: impl Into<String>, ok: bool, why: impl FnOnce() -> String) -> Self {
        Self { what: what.into(), ok, why: if ok { String::new() } else { why() }, drift: false }
    }
}

/// Looks at an answer that there was: every expectation with its outcome, in the order of the file.
pub fn judge(expect: &Expect, answer: &Answer<'_>, tool: &Tool) -> Vec<Check> {
    let mut checks = Vec::new();
    // A success that the workspace takes for an error only because it does not fit the schema is drift.
    let only_drift = answer.is_error && answer.drift.is_some();
    let failed = answer.is_error && !only_drift;
    if !expect.status.is_empty() {
        checks.push(status(&expect.status, answer));
    }
    match expect.is_error {
        Some(wanted) => checks.push(Check::new(format!("is_error: {wanted}"), failed == wanted, || match failed {
            true => format!("the result is an error: {}", answer.text),
            false => "the result is no error".to_owned(),
        })),
        None if expect.status.is_empty() => checks.push(Check::new("a success", !failed, || answer.text.clone())),
        None => {}
    }
    if let Some(within) = expect.within {
        checks.push(Check::new(format!("within {}", units::shown(within)), answer.elapsed <= within, || {
            format!("it took {}", units::shown(answer.elapsed))
        }));
    }
    checks.extend(expect.paths.iter().map(|rule| path(rule, answer)));
    checks.extend(expect.jq.iter().map(|filter| jq(filter, answer)));
    if !failed {
        checks.extend(schema(expect.schema, answer, tool));
    }
    checks
}

fn status(rules: &[StatusRule], answer: &Answer<'_>) -> Check {
    let shown: Vec<String> = rules.iter().map(|rule| rule.shown()).collect();
    let what = format!("status {}", shown.join(" or "));
    let ok = answer.status.is_some_and(|status| rules.iter().any(|rule| rule.takes(status)));
    Check::new(what, ok, || match answer.status {
        Some(status) if answer.is_error => {
            let text = answer.text.strip_prefix(&format!("HTTP {status}")).unwrap_or(&answer.text);
            format!("the status is {status}: {}", text.trim_start_matches([':', ' ']))
        }
        Some(status) => format!("the status is {status}"),
        None => answer.text.clone(),
    })
}

fn path(rule: &PathRule, answer: &Answer<'_>) -> Check {
    let query = rule.query.text();
    let what = match &rule.test {
        Test::Equals(value) => format!("{query} equals {}", cut(&value.to_string())),
        Test::Exists(true) => format!("{query} exists"),
        Test::Exists(false) => format!("{query} does not exist"),
        Test::Matches(pattern) => format!("{query} matches /{}/", pattern.as_str()),
        Test::Count(count) => format!("{query} selects {count}"),
    };
    let values = match select(&rule.query, answer) {
        Ok(values) => values,
        Err(why) => return Check::new(what, false, || why),
    };
    let name = last_name(&rule.query);
    let nothing = || format!("`{query}` selects nothing");
    match &rule.test {
        Test::Exists(wanted) => Check::new(what, values.is_empty() != *wanted, || match values.first() {
            Some(value) => format!("`{query}` selects {}", shown(value, name, answer)),
            None => nothing(),
        }),
        Test::Count(count) => {
            Check::new(what, values.len() == *count, || format!("`{query}` selects {}, not {count}", values.len()))
        }
        Test::Equals(wanted) => every(what, &values, nothing, |value| {
            let equal = same(&wire::to_value(value), wanted);
            (!equal).then(|| format!("`{query}` is {}, not {}", shown(value, name, answer), cut(&wanted.to_string())))
        }),
        Test::Matches(pattern) => every(what, &values, nothing, |value| {
            let found =
                value.as_str().map_or_else(|| pattern.is_match(&to_json(value, false)), |text| pattern.is_match(text));
            (!found).then(|| {
                format!("`{query}` is {}, which does not match /{}/", shown(value, name, answer), pattern.as_str())
            })
        }),
    }
}

fn every(
    what: String,
    values: &[&Node],
    nothing: impl FnOnce() -> String,
    wrong: impl Fn(&Node) -> Option<String>,
) -> Check {
    if values.is_empty() {
        return Check::new(what, false, nothing);
    }
    let first = values.iter().find_map(|value| wrong(value));
    Check::new(what, first.is_none(), || first.unwrap_or_default())
}

fn jq(filter: &Filter, answer: &Answer<'_>) -> Check {
    let text = filter.text();
    let what = format!("jq {text}");
    let Some(body) = &answer.body else { return Check::new(what, false, no_json) };
    match filter.run_once(body, &Bounds::default()) {
        Ok(output) => Check::new(what, output.as_bool() == Some(true), || {
            format!("`{text}` gives {}", shown(&output, None, answer))
        }),
        Err(error) => Check::new(what, false, || format!("`{text}` fails: {error}")),
    }
}

fn schema(wanted: Option<bool>, answer: &Answer<'_>, tool: &Tool) -> Option<Check> {
    let what = "fits the output schema";
    if wanted == Some(false) {
        return None;
    }
    if tool.operation.output_schema.is_none() {
        let why = || "the document gives no schema for the answer".to_owned();
        return (wanted == Some(true)).then(|| Check::new(what, false, why));
    }
    let mut check = Check::new(what, answer.drift.is_none(), || {
        let problems = answer.drift.map_or(0, |drift| drift.problems.len());
        if problems == 1 { "one difference".to_owned() } else { format!("{problems} differences") }
    });
    check.drift = !check.ok;
    Some(check)
}

/// The value of a capture.
///
/// # Errors
/// In words, why there is none.
pub fn capture(capture: &Capture, answer: &Answer<'_>) -> Result<Json, String> {
    match &capture.from {
        Source::Path(query) => match select(query, answer)?.as_slice() {
            [value] => Ok(wire::to_value(value)),
            [] => Err(format!("`{}` selects nothing", query.text())),
            many => Err(format!("`{}` selects {} values, and one is wanted", query.text(), many.len())),
        },
        Source::Jq(filter) => {
            let body = answer.body.as_ref().ok_or_else(no_json)?;
            let output = filter.run_once(body, &Bounds::default());
            output.map(|value| wire::to_value(&value)).map_err(|error| format!("`{}` fails: {error}", filter.text()))
        }
    }
}

fn select<'a>(query: &Query, answer: &'a Answer<'_>) -> Result<Vec<&'a Node>, String> {
    let body = answer.body.as_ref().ok_or_else(no_json)?;
    let found = query.locate_within(body, VISITS).map_err(|error| error.to_string())?;
    Ok(found.iter().filter_map(|pointer| pointer.find(body)).collect())
}

fn no_json() -> String {
    "the answer is no JSON".to_owned()
}

/// Equal as JSON: numbers by their value.
fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        // Doubles only where one is written as such: large integers differ although their doubles are the same.
        (Json::Number(one), Json::Number(other)) => {
            one == other || ((one.is_f64() || other.is_f64()) && one.as_f64() == other.as_f64())
        }
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        (one, other) => one == other,
    }
}

/// The name that a path ends with.
fn last_name(query: &Query) -> Option<&str> {
    use crate::document::jsonpath::ast::Selector;
    match query.segments().last()?.selectors.as_slice() {
        [Selector::Name(name)] => Some(name),
        _ => None,
    }
}

/// A value for people, cut; what stands under the name of a secret is masked.
fn shown(value: &Node, name: Option<&str>, answer: &Answer<'_>) -> String {
    let mut json = serde_json::json!({ name.unwrap_or_default(): wire::to_value(value) });
    crate::proxy::mask(&mut json);
    let masked = json.as_object().and_then(|map| map.values().next()).map(ToString::to_string);
    cut(&answer.redactor.text(&masked.unwrap_or_default()))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "expect_tests.rs"]
mod tests;
