//! The stages in their fixed order: from an operation's sources to its exposed name, before collisions.

use super::check::StageSet;
use super::clean::{Value, camel_split, clean, replace, singular};
use super::fit;
use super::model::{Candidates, NameInput, NameSource, NameStep, Named};
use super::profile::Profile;
use super::rules::{Blank, Empty, Noun, Replace, SourceStages, Verb};
use super::template::{self, quoted};

/// What one source came to by the end of stage 12.
pub(super) struct Draft {
    pub(super) source: NameSource,
    /// The base name and the steps to it.
    pub(super) value: Value,
    /// The text that entered stage 2.
    pub(super) raw: String,
    pub(super) rejected: Option<String>,
    pub(super) warnings: Vec<(&'static str, String)>,
}

enum Attempt {
    /// There is no such source, in words.
    Absent(String),
    /// Cleaning left nothing and the next source is tried, in words.
    Empty(String),
    Draft(Box<Draft>),
}

/// Names one tool by a profile, with every step and with what the other sources would have given.
///
/// Goes through the stages 1 to 15; collisions are settled afterwards, among all tools. There is a result for any input:
/// where the profile refuses the tool, [`Named::rejected`] says why, and the name is as far as it came.
pub fn name(profile: &Profile, input: &NameInput<'_>) -> Named {
    let mut candidates = Candidates::default();
    let mut chosen: Option<Named> = None;
    let mut reasons: Vec<String> = Vec::new();
    let mut warnings = Vec::new();
    for (source, attempt) in attempts(profile, input) {
        match attempt {
            Attempt::Absent(why) => reasons.extend(chosen.is_none().then_some(why)),
            Attempt::Empty(why) if chosen.is_none() => {
                warnings.push(("name-source-empty", format!("{why}; the next source is used")));
                reasons.push(why);
            }
            Attempt::Empty(_) => {}
            Attempt::Draft(draft) => {
                let mut named = fit::finish(profile, *draft, input);
                let slot = match source {
                    NameSource::Override => &mut candidates.name_override,
                    NameSource::OperationId => &mut candidates.operation_id,
                    NameSource::Slug => &mut candidates.slug,
                };
                *slot = named.rejected.is_none().then(|| named.name.clone());
                if chosen.is_none() {
                    explain(&mut named, &reasons);
                    chosen = Some(named);
                }
            }
        }
    }
    let mut named = chosen.unwrap_or_else(|| nameless(&reasons));
    warnings.append(&mut named.warnings);
    Named { candidates, warnings, ..named }
}

/// Names a text in place of the source's own, from stage 2 on: the name that a server's tool would get, say.
pub fn name_text(profile: &Profile, source: NameSource, text: &str, input: &NameInput<'_>) -> Named {
    let value = first_step(profile, source, text);
    match run(profile, source, value, true, input) {
        Attempt::Draft(draft) => fit::finish(profile, *draft, input),
        Attempt::Empty(why) | Attempt::Absent(why) => nameless(&[why]),
    }
}

/// The first step says which source was used and why not an earlier one.
fn explain(named: &mut Named, reasons: &[String]) {
    let Some(step) = named.trail.first_mut() else { return };
    match reasons {
        [] => step.rule.push_str(", which comes first"),
        reasons => step.rule = format!("{}, because {}", step.rule, reasons.join(" and ")),
    }
}

fn nameless(reasons: &[String]) -> Named {
    let why = format!("no source gives a name: {}", reasons.join(" and "));
    let step = NameStep { stage: "source", rule: why.clone(), before: String::new(), after: String::new() };
    Named {
        name: String::new(),
        base: String::new(),
        source: NameSource::Slug,
        trail: vec![step],
        candidates: Candidates::default(),
        truncated: None,
        rejected: Some(why),
        warnings: Vec::new(),
    }
}

/// Stages 1 to 12 for every source of the profile, in its order.
fn attempts(profile: &Profile, input: &NameInput<'_>) -> Vec<(NameSource, Attempt)> {
    if let Some(upstream) = &profile.compiled().upstream {
        return behind(profile, upstream, input);
    }
    let order = &profile.rules().source.order;
    let texts: Vec<_> = order.iter().map(|source| (*source, source_text(profile, *source, input))).collect();
    let last = texts.iter().rposition(|(_, text)| text.is_ok());
    let attempt = |(at, (source, text)): (usize, (NameSource, Result<String, String>))| {
        let attempt = match text {
            Err(why) => Attempt::Absent(why),
            Ok(text) => run(profile, source, first_step(profile, source, &text), last == Some(at), input),
        };
        (source, attempt)
    };
    texts.into_iter().enumerate().map(attempt).collect()
}

/// The sources of a profile that names tools of servers: the base names that those servers' profile gives.
fn behind(profile: &Profile, upstream: &Profile, input: &NameInput<'_>) -> Vec<(NameSource, Attempt)> {
    let onward = |(source, attempt)| match attempt {
        Attempt::Draft(draft) if draft.rejected.is_none() => {
            let Draft { mut value, warnings, .. } = *draft;
            for step in &mut value.trail {
                step.rule = format!("as the server itself names it (profile {}): {}", upstream.name(), step.rule);
            }
            let mut attempt = run(profile, source, value, false, input);
            if let Attempt::Draft(draft) = &mut attempt {
                draft.warnings.splice(0..0, warnings);
            }
            (source, attempt)
        }
        other => (source, other),
    };
    attempts(upstream, input).into_iter().map(onward).collect()
}

/// Stage 1: the raw text of a source, or why there is none.
fn source_text(profile: &Profile, source: NameSource, input: &NameInput<'_>) -> Result<String, String> {
    let own = match source {
        NameSource::Override => input.name_override,
        NameSource::OperationId => input.operation_id,
        NameSource::Slug => Some(input.path),
    };
    let words = source.words();
    let own = own.ok_or_else(|| format!("there is no {words}"))?;
    if own.is_empty() && source != NameSource::Slug && profile.rules().source.blank == Blank::Absent {
        return Err(format!("{words} is empty"));
    }
    let template = profile.rules().stages.of(source).text.as_str();
    if template.is_empty() {
        return Ok(own.to_owned());
    }
    let (lower, upper) = (input.method.to_lowercase(), input.method.to_uppercase());
    Ok(template::fill(template, |name| match name {
        "override" => Some(input.name_override.unwrap_or_default()),
        "operationId" => Some(input.operation_id.unwrap_or_default()),
        "method" => Some(&lower),
        "METHOD" => Some(&upper),
        "path" => Some(input.path),
        "service" => Some(service(input)),
        _ => None,
    }))
}

/// The first tag, else the first segment of the path.
fn service<'a>(input: &NameInput<'a>) -> &'a str {
    let segment = || input.path.split('/').find(|segment| !segment.is_empty());
    input.tag.filter(|tag| !tag.is_empty()).or_else(segment).unwrap_or_default()
}

fn first_step(profile: &Profile, source: NameSource, text: &str) -> Value {
    let template = &profile.rules().stages.of(source).text;
    let mut rule = source.words().to_owned();
    if template.contains("{service}") {
        rule.push_str(", put before the service: the first tag, else the first segment of the path");
    } else if !template.is_empty() {
        rule.push_str(&format!(" as {template}"));
    }
    let mut value = Value::default();
    value.record("source", rule, text.to_owned());
    value
}

/// Stages 2 to 12. `last`: there is no other source to fall through to.
fn run(profile: &Profile, source: NameSource, value: Value, last: bool, input: &NameInput<'_>) -> Attempt {
    let stages = profile.rules().stages.of(source);
    let set = profile.compiled().of(source);
    let raw = value.text.clone();
    let mut draft = Draft { source, value, raw, rejected: None, warnings: Vec::new() };
    if set.admit.as_ref().is_some_and(|admit| !admit.is_match(&draft.raw)) {
        let why = format!("{} does not match {}, which a tool's name must", quoted(&draft.raw), stages.admit);
        return rejected(draft, "admit", why);
    }
    clean(&mut draft.value, stages, set.legal.as_ref());
    lint(&mut draft, stages, set);
    if is_empty(&draft.value.text, set) {
        let nothing = format!("{} {} has no usable characters", source.words(), quoted(&draft.raw));
        match stages.empty {
            Empty::Reject => return rejected(draft, "empty", nothing),
            Empty::FallThrough if !last || stages.verb == Verb::None => return Attempt::Empty(nothing),
            Empty::Word => {
                draft.value.step("empty", || "an empty name becomes a fixed word".into(), stages.empty_word.clone());
                draft.warnings.push(("name-source-empty", format!("{nothing}; the name is `{}`", stages.empty_word)));
            }
            Empty::Keep | Empty::FallThrough => {
                // A path of `/` alone says nothing and loses nothing.
                let lost = source != NameSource::Slug || draft.raw.chars().any(char::is_alphanumeric);
                draft.warnings.extend(lost.then(|| ("name-source-empty", format!("{nothing}; it stays empty"))));
            }
        }
    }
    with_verb(profile, draft, input)
}

/// Stages 11 and 12. The verb decides whether the noun is made singular, so it is found first.
fn with_verb(profile: &Profile, mut draft: Draft, input: &NameInput<'_>) -> Attempt {
    let rules = profile.rules();
    let stages = rules.stages.of(draft.source);
    let set = profile.compiled().of(draft.source);
    let (mut verb, rule) = verb(profile, stages.verb, input);
    if let (Verb::Table | Verb::Method, Some(legal)) = (stages.verb, &set.legal) {
        // OpenAPI 3.2 lets a document name methods of its own, such as M-SEARCH.
        verb = replace(&verb, stages.replace, legal);
    }
    if stages.verb != Verb::None && is_empty(&verb, set) {
        let text = input.operation_id.unwrap_or(input.method);
        return rejected(draft, "verb", format!("{} has no usable characters", quoted(text)));
    }
    if stages.noun == Noun::Singular && !rules.noun.plural_after.contains(&verb) {
        let noun = singular(&draft.value.text, &rules.noun).into_owned();
        draft.value.step("noun", || "the last word in the singular".into(), noun);
    }
    if stages.verb != Verb::None {
        let text = &draft.value.text;
        let alone = text.is_empty() && stages.verb_alone;
        let after = if alone { verb } else { format!("{verb}_{text}") };
        draft.value.step("verb", || rule, after);
    }
    Attempt::Draft(Box::new(draft))
}

/// The verb and the rule that gives it, in words.
fn verb(profile: &Profile, mode: Verb, input: &NameInput<'_>) -> (String, String) {
    let rules = &profile.rules().verb;
    let method = input.method.to_uppercase();
    match mode {
        Verb::None => (String::new(), String::new()),
        Verb::Method => (method.to_lowercase(), format!("the method {method} in lower case")),
        Verb::Table => {
            let of_item = rules.words.get(&format!("{method} {{}}")).filter(|_| has_parameter(input.path));
            let (word, what) = match (of_item, rules.words.get(&method)) {
                (Some(word), Some(_)) => (word.clone(), " on a path with a parameter"),
                (Some(word), None) | (None, Some(word)) => (word.clone(), ""),
                (None, None) => (method.to_lowercase(), ""),
            };
            let rule = format!("{method}{what} is `{word}`");
            (word, rule)
        }
        Verb::OperationId => {
            let mut word = camel_split(input.operation_id.unwrap_or_default(), rules.camel_split);
            if let Some(legal) = &profile.compiled().verb_legal {
                word = replace(&word, Replace::Character, legal);
            }
            if rules.lowercase {
                word = word.to_lowercase();
            }
            (word, "the operationId, cleaned".into())
        }
    }
}

fn has_parameter(path: &str) -> bool {
    path.split_once('{').is_some_and(|(_, rest)| rest.contains('}'))
}

fn is_empty(text: &str, set: &StageSet) -> bool {
    match &set.usable {
        None => text.is_empty(),
        Some(usable) => !text.chars().any(|character| usable.has(character)),
    }
}

/// Warns of characters that a verbatim text keeps.
fn lint(draft: &mut Draft, stages: &SourceStages, set: &StageSet) {
    let Some(legal) = set.legal.as_ref().filter(|_| stages.lint) else { return };
    let mut found: Vec<String> = Vec::new();
    for character in draft.value.text.chars().filter(|character| !legal.has(*character)) {
        let shown = format!("`{}`", character.escape_debug());
        if !found.contains(&shown) {
            found.push(shown);
        }
        if found.len() == 5 {
            break;
        }
    }
    if !found.is_empty() {
        let words = draft.source.words();
        let message = format!("{words} {} is used as written and holds {}", quoted(&draft.raw), found.join(", "));
        draft.warnings.push(("override-illegal-characters", format!("{message}; names hold only {}", legal.text())));
    }
}

fn rejected(mut draft: Draft, stage: &'static str, why: String) -> Attempt {
    let before = draft.value.text.clone();
    draft.value.trail.push(NameStep { stage, rule: format!("refused: {why}"), before, after: String::new() });
    draft.rejected = Some(why);
    Attempt::Draft(Box::new(draft))
}
