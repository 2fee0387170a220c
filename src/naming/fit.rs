//! Stages 13 to 15: prefix, length and assertion.

use sha2::{Digest, Sha256};

use super::clean::{Value, clean};
use super::engine::Draft;
use super::model::{Candidates, NameInput, NameSource, NameStep, Named, Truncated};
use super::profile::Profile;
use super::rules::{Empty, HashOf, LengthRule, OnFailure, WithoutPrefix};
use super::template::{self, quoted};

/// Makes the exposed name of a base.
pub(super) fn finish(profile: &Profile, draft: Draft, input: &NameInput<'_>) -> Named {
    let Draft { source, value, raw, rejected, warnings } = draft;
    let base = value.text.clone();
    let mut named = Named {
        name: base.clone(),
        base,
        source,
        trail: Vec::new(),
        candidates: Candidates::default(),
        truncated: None,
        rejected,
        warnings,
    };
    let mut value = value;
    if named.rejected.is_none() {
        let head = head(profile, input.prefix);
        let full = format!("{head}{}", named.base);
        value.step("namespace", || namespace_rule(profile, input.prefix), full);
        length(profile, &head, &raw, input, &mut value, &mut named);
        named.name = value.text.clone();
        if named.rejected.is_none() {
            assert(profile, &mut value.trail, &mut named);
        }
    }
    named.trail = value.trail;
    let only = named.rejected.is_none().then(|| named.name.clone());
    let slot = match source {
        NameSource::Override => &mut named.candidates.name_override,
        NameSource::OperationId => &mut named.candidates.operation_id,
        NameSource::Slug => &mut named.candidates.slug,
    };
    *slot = only;
    named
}

/// Everything that stands before the base: prefix, separator and what else the profile's template has.
pub(super) fn head(profile: &Profile, prefix: Option<&str>) -> String {
    let space = &profile.rules().namespace;
    let template = space.template.strip_suffix("{base}").unwrap_or_default();
    let prefix = prefix.unwrap_or_default();
    if prefix.is_empty() && space.without_prefix == WithoutPrefix::Bare {
        let global = template.contains("{global}").then_some(space.global.as_str());
        return global.unwrap_or_default().to_owned();
    }
    let prefix = effective_prefix(profile, prefix);
    template::fill(template, |name| match name {
        "global" => Some(&space.global),
        "prefix" => Some(&prefix),
        "separator" => Some(&space.separator),
        _ => None,
    })
}

/// The prefix as it stands in names.
pub(super) fn effective_prefix(profile: &Profile, prefix: &str) -> String {
    if !profile.rules().namespace.clean_prefix || prefix.is_empty() {
        return prefix.to_owned();
    }
    let stages = &profile.rules().stages.operation_id;
    let mut value = Value { text: prefix.to_owned(), trail: Vec::new() };
    clean(&mut value, stages, profile.compiled().of(NameSource::OperationId).legal.as_ref());
    if value.text.is_empty() && stages.empty == Empty::Word {
        value.text.clone_from(&stages.empty_word);
    }
    value.text
}

fn namespace_rule(profile: &Profile, prefix: Option<&str>) -> String {
    match prefix {
        None | Some("") => "no prefix; what the profile puts before every name".into(),
        Some(prefix) => format!("{} with the prefix {}", profile.rules().namespace.template, quoted(prefix)),
    }
}

/// Stage 14.
fn length(profile: &Profile, head: &str, raw: &str, input: &NameInput<'_>, value: &mut Value, named: &mut Named) {
    let rules = &profile.rules().length;
    let (full, count) = (value.text.clone(), rules.unit.count(&value.text));
    if rules.rule == LengthRule::None || rules.max == 0 || count <= rules.max {
        return;
    }
    let limit = rules.unit.words(rules.max);
    let why = format!("{} is longer than {limit}: it has {count}", quoted(&full));
    let hash = || match rules.hash_of {
        HashOf::Name => digest(&full, rules.hash_digits),
        HashOf::PrefixAndSource => digest(&format!("{}\0{raw}", input.prefix.unwrap_or_default()), rules.hash_digits),
    };
    let tail = match rules.rule {
        LengthRule::None | LengthRule::Cut => String::new(),
        LengthRule::CutHash => format!("_{}", hash()),
        LengthRule::Reject => return refuse(value, named, "length", why),
        LengthRule::Replace => {
            let (global, hash) = (&profile.rules().namespace.global, hash());
            let known = |name: &str| match name {
                "global" => Some(global.as_str()),
                "hash" => Some(hash.as_str()),
                _ => None,
            };
            let replaced = template::fill(&rules.replacement, known);
            if rules.unit.count(&replaced) > rules.max {
                return refuse(
                    value,
                    named,
                    "length",
                    format!("{why}, and {} in its place is too long as well", quoted(&replaced)),
                );
            }
            let cut = full.strip_prefix(global.as_str()).unwrap_or(&full).to_owned();
            value.record("length", format!("longer than {limit}: replaced by a hash"), replaced);
            named.truncated = Some(Truncated { full, cut });
            return;
        }
    };
    let room = rules.max.saturating_sub(rules.unit.count(head) + rules.unit.count(&tail));
    let (kept, cut) = rules.unit.split(&named.base, room);
    if kept.is_empty() {
        let why = format!("{why}, and what is put around the base leaves no room for it");
        return refuse(value, named, "length", why);
    }
    let rule = if tail.is_empty() { "the base is cut" } else { "the base is cut and a hash of the whole follows" };
    let (after, cut) = (format!("{head}{kept}{tail}"), cut.to_owned());
    value.record("length", format!("longer than {limit}: {rule}"), after);
    named.truncated = Some(Truncated { full, cut });
}

fn refuse(value: &mut Value, named: &mut Named, stage: &'static str, why: String) {
    let before = value.text.clone();
    value.trail.push(NameStep { stage, rule: format!("refused: {why}"), before, after: String::new() });
    named.rejected = Some(why);
}

/// Stage 15. Also holds for a name that a collision changed.
pub(super) fn assert(profile: &Profile, trail: &mut Vec<NameStep>, named: &mut Named) {
    let rules = &profile.rules().assert;
    let Some(pattern) = &profile.compiled().assert else { return };
    if pattern.is_match(&named.name) {
        return;
    }
    let why = format!(
        "{} does not match {}, the form that profile {} promises",
        quoted(&named.name),
        rules.pattern,
        profile.name()
    );
    match rules.on_failure {
        OnFailure::Reject => {
            let before = named.name.clone();
            trail.push(NameStep { stage: "assert", rule: format!("refused: {why}"), before, after: String::new() });
            named.rejected = Some(why);
        }
        // One warning for one fault.
        OnFailure::Warn if named.warnings.iter().any(|(code, _)| *code == "override-illegal-characters") => {}
        OnFailure::Warn => named.warnings.push(("name-assertion", why)),
    }
}

/// The first hexadecimal digits of the SHA-256 of a text.
pub(super) fn digest(text: &str, digits: usize) -> String {
    let bytes = Sha256::digest(text.as_bytes());
    let hex = |nibble: u8| char::from_digit(u32::from(nibble), 16);
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(hex).take(digits).collect()
}
