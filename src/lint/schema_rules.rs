//! Rules on the InputSchema, answered from its facts.

use crate::document::{Node, Origin};

use super::facts::{Facts, Seen};
use super::rule::{Check, Kind, Scope};

/// What a rule has against something: in words, and the bytes to point at.
#[derive(Debug)]
pub(super) struct Breach {
    pub(super) what: String,
    pub(super) origin: Origin,
}

/// Checks one rule; `None` when it holds.
pub(super) fn breach(check: &Check, schema: &Node, facts: &Facts<'_>) -> Option<Breach> {
    match check {
        Check::Plain(kind) => plain(*kind, schema, facts),
        Check::Limit(kind, max) => limit(*kind, *max, schema, facts),
        Check::Words(kind, words) => keyword(*kind, words, schema, facts),
        Check::KeyPattern(pattern, scope) => {
            let wrong = |(visit, key, _): &&(usize, &str, Origin)| {
                (*scope == Scope::Any || *visit == 0) && !pattern.regex.is_match(key)
            };
            let first = facts.keys.iter().find(wrong)?;
            let count = facts.keys.iter().filter(wrong).count();
            let kind = if first.0 == 0 { "argument" } else { "property" };
            let what = format!("the {kind} `{}` is not of the form `{}`{}", first.1, pattern.text, others(count));
            Some(Breach { what, origin: first.2 })
        }
        Check::NamePattern(_) => None,
    }
}

fn plain(kind: Kind, schema: &Node, facts: &Facts<'_>) -> Option<Breach> {
    let (seen, what) = match kind {
        Kind::RootObject => {
            let is = schema.text("type") == Some("object");
            let what = "the root of the InputSchema has no `type: object`".to_owned();
            return if is { None } else { Some(Breach { what, origin: schema.origin }) };
        }
        Kind::ArrayItems => (facts.arrays_without_items, "an array without `items`"),
        Kind::SingleType => (facts.type_arrays, "`type` is a list"),
        Kind::EnumStrings => (facts.enums_not_text, "`enum` has values that are no strings"),
        Kind::PropertiesOnObjects => {
            (facts.members_without_object, "`properties` or `required` without `type: object`")
        }
        Kind::NoRecursion => (facts.recursive, "a `$ref` leads back to the schema that holds it"),
        Kind::RequiredUnique => (facts.required_twice, "`required` names a property twice"),
        Kind::RequiredAll => (facts.optional_members, "`required` does not name every property"),
        Kind::ClosedObjects => (facts.open_objects, "an object without `additionalProperties: false`"),
        Kind::RefsResolve => {
            let what = format!("`$ref: {}` leads nowhere", facts.dangling_text.unwrap_or_default());
            return seen_breach(facts, facts.dangling, &what);
        }
        _ => return None,
    };
    seen_breach(facts, seen, what)
}

fn limit(kind: Kind, max: usize, schema: &Node, facts: &Facts<'_>) -> Option<Breach> {
    let (found, what) = match kind {
        Kind::Depth => (facts.depth, "levels of properties and items"),
        Kind::PropertyCount => (facts.keys.len(), "properties"),
        Kind::NameText => (facts.name_text, "characters of names and enum values"),
        Kind::EnumCount => (facts.enum_values, "enum values"),
        _ => return None,
    };
    let what = || format!("the InputSchema has {found} {what}, {} more than {max}", found - max);
    (found > max).then(|| Breach { what: what(), origin: schema.origin })
}

fn keyword(kind: Kind, words: &[String], schema: &Node, facts: &Facts<'_>) -> Option<Breach> {
    match kind {
        Kind::RootWithout => {
            let entry = schema.members().find(|entry| words.iter().any(|word| **word == *entry.key))?;
            Some(Breach { what: root_has(&entry.key), origin: entry.key_origin })
        }
        Kind::RootOnly => {
            let entry = schema.members().find(|entry| !words.iter().any(|word| **word == *entry.key))?;
            Some(Breach { what: root_has(&entry.key), origin: entry.key_origin })
        }
        Kind::Without => {
            let used: Vec<(&String, Seen)> =
                words.iter().filter_map(|word| Some((word, *facts.keywords.get(word.as_str())?))).collect();
            let (_, first) = used.first()?;
            let count = used.iter().map(|(_, seen)| seen.count).sum();
            let list: Vec<String> = used.iter().map(|(word, _)| format!("`{word}`")).collect();
            seen_breach(facts, Seen { count, ..*first }, &format!("the InputSchema uses {}", list.join(", ")))
        }
        Kind::Formats => {
            let mut used: Vec<(&&str, &Seen)> =
                facts.formats.iter().filter(|(format, _)| !words.iter().any(|word| word == **format)).collect();
            // By place, since the table has no order.
            used.sort_by_key(|(format, seen)| (seen.first.map(|(visit, _)| visit), **format));
            let (_, first) = used.first()?;
            let count = used.iter().map(|(_, seen)| seen.count).sum();
            let list: Vec<String> = used.iter().map(|(format, _)| format!("`{format}`")).collect();
            seen_breach(
                facts,
                Seen { count, ..**first },
                &format!("the InputSchema has the format {}", list.join(", ")),
            )
        }
        _ => None,
    }
}

fn root_has(keyword: &str) -> String {
    format!("the root of the InputSchema has `{keyword}`")
}

fn seen_breach(facts: &Facts<'_>, seen: Seen, what: &str) -> Option<Breach> {
    let (visit, origin) = seen.first?;
    let what = format!("{what}, at {}{}", facts.path(visit), others(seen.count));
    Some(Breach { what, origin })
}

fn others(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        2 => " and at one more place".to_owned(),
        _ => format!(" and at {} more places", count - 1),
    }
}
