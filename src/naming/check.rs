//! Whether the parameters of a profile make sense together, and the expressions that they hold, compiled.

use std::sync::Arc;

use regex::Regex;

use super::class::{CharClass, whole};
use super::model::NameSource;
use super::profile::{Profile, ProfileProblem};
use super::rules::{Empty, LengthRule, Noun, Replace, Rules, SourceStages, Verb, WithoutPrefix};
use super::template;

/// What the engine needs beside the rules.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    name_override: StageSet,
    operation_id: StageSet,
    slug: StageSet,
    pub(super) verb_legal: Option<CharClass>,
    pub(super) assert: Option<Regex>,
    pub(super) prefix_format: Option<Regex>,
    pub(super) upstream: Option<Arc<Profile>>,
}

/// The expressions of one source's stages.
#[derive(Clone, Debug)]
pub(super) struct StageSet {
    pub(super) admit: Option<Regex>,
    pub(super) legal: Option<CharClass>,
    pub(super) usable: Option<CharClass>,
}

impl Compiled {
    pub(super) fn of(&self, source: NameSource) -> &StageSet {
        match source {
            NameSource::Override => &self.name_override,
            NameSource::OperationId => &self.operation_id,
            NameSource::Slug => &self.slug,
        }
    }
}

type Checked<T> = Result<T, ProfileProblem>;

fn problem<T>(key: impl Into<String>, message: impl Into<String>) -> Checked<T> {
    Err(ProfileProblem { key: key.into(), message: message.into() })
}

/// Checks and compiles. The error names the parameter by its dotted key.
pub(super) fn compile(rules: &Rules) -> Checked<Compiled> {
    let upstream = sources(rules)?;
    verbs(rules)?;
    namespace(rules)?;
    length(rules)?;
    if !(1..=64).contains(&rules.collide.hash_digits) {
        return problem("collide.hash_digits", "a hash has 1 to 64 digits");
    }
    let stages = &rules.stages;
    Ok(Compiled {
        name_override: stage_set("stages.override", &stages.name_override, rules)?,
        operation_id: stage_set("stages.operationId", &stages.operation_id, rules)?,
        slug: stage_set("stages.slug", &stages.slug, rules)?,
        verb_legal: class("verb.legal", &rules.verb.legal)?,
        assert: regex("assert.pattern", &rules.assert.pattern)?,
        prefix_format: regex("prefix.format", &rules.prefix.format)?,
        upstream,
    })
}

fn sources(rules: &Rules) -> Checked<Option<Arc<Profile>>> {
    let order = &rules.source.order;
    for (at, source) in order.iter().enumerate() {
        if order.iter().take(at).any(|earlier| earlier == source) {
            return problem("source.order", "a source stands in it twice");
        }
    }
    let Some(name) = &rules.source.upstream else {
        if order.is_empty() {
            return problem("source.order", "names no source; write at least one of override, operationId, slug");
        }
        return Ok(None);
    };
    if !order.is_empty() {
        return problem("source.order", "has no effect beside source.upstream, which brings its own order; remove one");
    }
    match Profile::builtin(name) {
        Some(profile) if profile.rules().source.upstream.is_none() => Ok(Some(Arc::new(profile))),
        Some(_) => problem("source.upstream", format!("`{name}` has an upstream itself; name one that has none")),
        None => problem("source.upstream", Profile::unknown(name)),
    }
}

fn stage_set(table: &str, stages: &SourceStages, rules: &Rules) -> Checked<StageSet> {
    let key = |name: &str| format!("{table}.{name}");
    let set = StageSet {
        admit: regex(&key("admit"), &stages.admit)?,
        legal: class(&key("legal"), &stages.legal)?,
        usable: class(&key("usable"), &stages.usable)?,
    };
    if stages.replace != Replace::None && !stages.verbatim {
        match &set.legal {
            None => return problem(key("replace"), "needs `legal`, the class of characters that stay"),
            Some(legal) if !legal.has('_') => {
                return problem(key("legal"), "does not hold `_`, which illegal characters are replaced by");
            }
            Some(_) => {}
        }
    }
    if stages.lint && set.legal.is_none() {
        return problem(key("lint"), "needs `legal`, the class of characters that raise no warning");
    }
    if (stages.empty == Empty::Word) == stages.empty_word.is_empty() {
        return problem(key("empty_word"), "goes with empty = \"word\" and only with it; write both or neither");
    }
    if stages.letter_start.chars().next().is_some_and(|first| !first.is_alphabetic()) {
        return problem(key("letter_start"), "must itself start with a letter");
    }
    if stages.verb == Verb::Table && rules.verb.words.is_empty() {
        return problem(key("verb"), "\"table\" needs words under [verb.words]");
    }
    if stages.verb == Verb::OperationId && rules.verb.legal.is_empty() {
        return problem(key("verb"), "\"operation_id\" needs verb.legal, the class of characters that stay");
    }
    if stages.verb_alone && stages.verb == Verb::None {
        return problem(key("verb_alone"), "has no effect without a verb; set `verb` or remove it");
    }
    if stages.noun == Noun::Singular && stages.verbatim {
        return problem(key("noun"), "changes a text that `verbatim` keeps; remove one");
    }
    let known = ["override", "operationId", "method", "METHOD", "path", "service"];
    template::check(&stages.text, &known).or_else(|message| problem(key("text"), message))?;
    Ok(set)
}

fn verbs(rules: &Rules) -> Checked<()> {
    for (method, word) in &rules.verb.words {
        if word.is_empty() {
            return problem(format!("verb.words.{method}"), "has no word");
        }
    }
    match class("verb.legal", &rules.verb.legal)? {
        Some(legal) if !legal.has('_') => {
            problem("verb.legal", "does not hold `_`, which illegal characters are replaced by")
        }
        _ => Ok(()),
    }
}

fn namespace(rules: &Rules) -> Checked<()> {
    let space = &rules.namespace;
    let key = "namespace.template";
    template::check(&space.template, &["global", "prefix", "separator", "base"])
        .or_else(|message| problem(key, message))?;
    let Some(head) = space.template.strip_suffix("{base}") else {
        return problem(key, "must end with {base}");
    };
    if head.contains("{base}") {
        return problem(key, "holds {base} twice");
    }
    if head.contains("{separator}") && space.separator.is_empty() {
        return problem("namespace.separator", "is empty, and the template uses it");
    }
    let has_prefix = head.contains("{prefix}");
    if space.without_prefix == WithoutPrefix::Keep && !has_prefix {
        return problem("namespace.without_prefix", "\"keep\" has no effect: the template has no {prefix}");
    }
    if space.clean_prefix && !has_prefix {
        return problem("namespace.clean_prefix", "has no effect: the template has no {prefix}");
    }
    if !space.global.is_empty() && !head.contains("{global}") {
        return problem("namespace.global", "has no effect: the template has no {global}");
    }
    Ok(())
}

fn length(rules: &Rules) -> Checked<()> {
    let length = &rules.length;
    if length.rule == LengthRule::None && length.max > 0 {
        return problem("length.max", "has no effect with rule = \"none\"; set a rule or remove it");
    }
    let hashes = matches!(length.rule, LengthRule::CutHash | LengthRule::Replace);
    if hashes && !(1..=64).contains(&length.hash_digits) {
        return problem("length.hash_digits", "a hash has 1 to 64 digits");
    }
    if length.rule == LengthRule::CutHash && (1..=length.hash_digits + 1).contains(&length.max) {
        return problem("length.max", "leaves no room for a name beside `_` and the hash");
    }
    let replaces = length.rule == LengthRule::Replace;
    if replaces != length.replacement.contains("{hash}") {
        return problem("length.replacement", "a template with {hash} goes with rule = \"replace\" and only with it");
    }
    template::check(&length.replacement, &["global", "hash"]).or_else(|message| problem("length.replacement", message))
}

fn class(key: &str, text: &str) -> Checked<Option<CharClass>> {
    match text {
        "" => Ok(None),
        text => CharClass::parse(text).map(Some).or_else(|message| problem(key, message)),
    }
}

fn regex(key: &str, pattern: &str) -> Checked<Option<Regex>> {
    match pattern {
        "" => Ok(None),
        pattern => whole(pattern).map(Some).or_else(|message| problem(key, message)),
    }
}
