//! Target files: TOML to rules, with the line of whatever is wrong.

use regex::Regex;
use serde::Deserialize;
use toml::Spanned;

use crate::document::{Blast, Severity};

use super::client::Client;
use super::rule::{Check, Confidence, Kind, Needs, Pattern, Rule, Scope};
use super::target::Target;

/// A target file that cannot be used, and the place in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct TargetError {
    /// The file's name as it was given.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what to write instead.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTarget {
    name: Spanned<String>,
    title: String,
    #[serde(default)]
    about: String,
    extends: Option<Spanned<String>>,
    /// Rules of the parent that do not hold here.
    #[serde(default)]
    without: Vec<Spanned<String>>,
    client: Option<Spanned<Client>>,
    #[serde(default)]
    rules: Vec<Spanned<RawRule>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    id: String,
    kind: Kind,
    severity: Severity,
    #[serde(default = "nothing")]
    blast: Blast,
    why: String,
    remedy: Option<String>,
    source: String,
    date: Spanned<String>,
    confidence: Confidence,
    max: Option<Spanned<usize>>,
    pattern: Option<Spanned<String>>,
    words: Option<Spanned<Vec<String>>>,
    scope: Option<Spanned<Scope>>,
}

fn nothing() -> Blast {
    Blast::None
}

/// What went wrong, at which byte.
type Fault = (usize, String);

/// Reads a target file. `own` is false for the built-in ones, whose names a user's file may not take.
///
/// # Errors
/// Text that is no TOML, unknown keys and kinds, parameters that do not go with the kind, an unknown `extends`.
pub(super) fn read(text: &str, file: &str, own: bool) -> Result<Target, TargetError> {
    parse(text, own).map_err(|(offset, message)| {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or(before).chars().count() + 1;
        TargetError { file: file.to_owned(), line, column, message }
    })
}

fn parse(text: &str, own: bool) -> Result<Target, Fault> {
    let raw: RawTarget = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        (at, error.message().trim().replace('\n', ", "))
    })?;
    let name_at = raw.name.span().start;
    let name = raw.name.into_inner();
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
        return Err((
            name_at,
            "a target's name has letters, digits, `-`, `_` and `.`, and at least one of them".into(),
        ));
    }
    if own && Target::builtin_names().any(|known| known == name) {
        return Err((name_at, format!("`{name}` is a built-in target; choose another name")));
    }
    let (mut rules, mut client) = match &raw.extends {
        None => (Vec::new(), Client::default()),
        Some(parent) if *parent.get_ref() != name => match Target::builtin(parent.get_ref()) {
            Some(parent) => (parent.rules().to_vec(), parent.client().clone()),
            None => return Err((parent.span().start, Target::unknown(parent.get_ref()))),
        },
        Some(parent) => return Err((parent.span().start, "a target cannot extend itself".into())),
    };
    for id in &raw.without {
        let before = rules.len();
        rules.retain(|rule: &Rule| rule.id != *id.get_ref());
        if rules.len() == before {
            return Err((id.span().start, format!("there is no rule `{}` to leave out", id.get_ref())));
        }
    }
    if let Some(own) = raw.client {
        let at = own.span().start;
        client = own.into_inner();
        client.prepare().map_err(|message| (at, message))?;
    }
    let mut seen = Vec::new();
    for rule in raw.rules {
        let at = rule.span().start;
        let rule = build(rule.into_inner(), at)?;
        if seen.contains(&rule.id) {
            return Err((at, format!("there are two rules `{}`; give each an id of its own", rule.id)));
        }
        seen.push(rule.id.clone());
        match rules.iter_mut().find(|known| known.id == rule.id) {
            Some(known) => *known = rule,
            None => rules.push(rule),
        }
    }
    Ok(Target::new(name, raw.title, raw.about, client, rules))
}

fn build(raw: RawRule, at: usize) -> Result<Rule, Fault> {
    let check = check(&raw, at)?;
    let date = raw.date.get_ref();
    if !is_date(date) {
        let message = format!("`{date}` is no date; write a year, a month or a day, such as 2026-08-21");
        return Err((raw.date.span().start, message));
    }
    if raw.id.is_empty() || raw.source.trim().is_empty() {
        return Err((at, "a rule needs an id and a source".into()));
    }
    // What only a third party says is no ground to fail a build.
    let severity = if raw.confidence == Confidence::Low { raw.severity.min(Severity::Warning) } else { raw.severity };
    Ok(Rule {
        id: raw.id,
        severity,
        blast: raw.blast,
        why: raw.why,
        remedy: raw.remedy,
        source: raw.source,
        date: raw.date.into_inner(),
        confidence: raw.confidence,
        check,
    })
}

fn check(raw: &RawRule, at: usize) -> Result<Check, Fault> {
    let (kind, needs) = (raw.kind, raw.kind.needs());
    let surplus = [
        (raw.max.as_ref().map(Spanned::span), "max", needs != Needs::Max),
        (raw.words.as_ref().map(Spanned::span), "words", needs != Needs::Words),
        (raw.pattern.as_ref().map(Spanned::span), "pattern", needs != Needs::Pattern),
        (raw.scope.as_ref().map(Spanned::span), "scope", kind != Kind::KeyPattern),
    ];
    for (given, key, wrong) in surplus {
        if let Some(span) = given.filter(|_| wrong) {
            return Err((span.start, format!("a rule of kind `{}` takes no `{key}`", kind.as_str())));
        }
    }
    let missing = |key: &str| (at, format!("a rule of kind `{}` needs `{key}`", kind.as_str()));
    match needs {
        Needs::Nothing => Ok(Check::Plain(kind)),
        Needs::Max => Ok(Check::Limit(kind, *raw.max.as_ref().ok_or_else(|| missing("max"))?.get_ref())),
        Needs::Words => Ok(Check::Words(kind, raw.words.as_ref().ok_or_else(|| missing("words"))?.get_ref().clone())),
        Needs::Pattern => {
            let given = raw.pattern.as_ref().ok_or_else(|| missing("pattern"))?;
            let text = given.get_ref().clone();
            let regex = Regex::new(&format!("^(?:{text})$"))
                .map_err(|_| (given.span().start, format!("`{text}` is no regular expression")))?;
            let pattern = Pattern { text, regex };
            let scope = raw.scope.as_ref().map_or(Scope::Root, |scope| *scope.get_ref());
            Ok(if kind == Kind::KeyPattern { Check::KeyPattern(pattern, scope) } else { Check::NamePattern(pattern) })
        }
    }
}

/// `2026`, `2026-08` or `2026-08-21`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, digits: usize, most: u32| {
        part.len() == digits && part.parse::<u32>().is_ok_and(|value| (1..=most).contains(&value))
    };
    match parts.as_slice() {
        [year] => number(year, 4, 9999),
        [year, month] => number(year, 4, 9999) && number(month, 2, 12),
        [year, month, day] => number(year, 4, 9999) && number(month, 2, 12) && number(day, 2, 31),
        _ => false,
    }
}
