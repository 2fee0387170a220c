//! Cuts between brackets: JSON, and YAML in flow style.

use super::render::{Style, flow_text, quoted};
use super::site::{Part, Site, end, line_start, start};
use super::splice::Splice;
use crate::document::{Node, to_json};

/// A member (with `key`, one value) or items, before the part of that index.
pub(super) fn insert(site: &Site<'_>, index: usize, key: Option<&str>, values: &[Node], style: &Style) -> Vec<Splice> {
    let text = site.text;
    let Some(bracket) = site.bracket else { return Vec::new() };
    let (Some(first), Some(last)) = (site.parts.first(), site.parts.last()) else {
        return into_empty(site, bracket, key, values, style);
    };
    let own_lines = text.get(bracket..first.start).is_some_and(|lead| lead.contains('\n'));
    let indent = line_indent(text, first.start);
    let separator = separator(site, own_lines, indent, style);
    let written = |value| if own_lines { style.nested(value, indent) } else { style.inline(value) };
    let value = values.iter().map(written).collect::<Vec<_>>().join(&separator);
    let part = match key {
        Some(key) => format!("{}{}{value}", key_text(site, key, style), colon(site)),
        None => value,
    };
    let splice = match site.parts.get(index) {
        Some(next) => Splice::insert(next.start, format!("{part}{separator}")),
        None => Splice::insert(last.end, format!("{separator}{part}")),
    };
    vec![splice]
}

fn into_empty(site: &Site<'_>, bracket: usize, key: Option<&str>, values: &[Node], style: &Style) -> Vec<Splice> {
    let text = site.text;
    let (from, to) = (bracket + 1, end(site.node).saturating_sub(1));
    if text.get(from..to).is_none_or(|inside| !inside.trim().is_empty()) {
        return Vec::new();
    }
    let base = line_indent(text, bracket);
    let written = match (&style.unit, key) {
        (Some(unit), key) if style.json => {
            let deeper = format!("{base}{unit}");
            let key = key.map(|key| format!("{}: ", json_text(key))).unwrap_or_default();
            let nl = style.line_break;
            let values: Vec<String> = values.iter().map(|value| style.nested(value, &deeper)).collect();
            format!("{nl}{deeper}{key}{}{nl}{base}", values.join(&format!(",{nl}{deeper}")))
        }
        (_, key) => {
            let key = key.map(|key| format!("{}{}", key_text(site, key, style), colon(site))).unwrap_or_default();
            let values: Vec<String> = values.iter().map(|value| style.inline(value)).collect();
            format!("{key}{}", values.join(", "))
        }
    };
    vec![Splice::replace(from..to, written)]
}

/// Another value for a member or an item.
pub(super) fn set(site: &Site<'_>, part: &Part<'_>, value: &Node, style: &Style) -> Vec<Splice> {
    let text = site.text;
    let (from, to) = (start(part.value), end(part.value));
    let written = style.nested(value, line_indent(text, part.start));
    let behind_colon = text.get(..from).is_some_and(|before| before.ends_with(':')) && !style.json;
    let space = if from == to || behind_colon { " " } else { "" };
    let mut all = Vec::new();
    let old = text.get(from..to).unwrap_or_default();
    match value.as_str() {
        Some(words) if old.starts_with('"') && !style.json => {
            all.push(Splice::replace(from..to, format!("{space}{}", quoted(words))));
        }
        Some(words) if old.starts_with('\'') && !words.contains(char::is_control) => {
            all.push(Splice::replace(from..to, format!("{space}'{}'", words.replace('\'', "''"))));
        }
        _ => {}
    }
    all.push(Splice::replace(from..to, format!("{space}{written}")));
    all
}

/// A member or an item goes.
pub(super) fn remove(site: &Site<'_>, part: &Part<'_>) -> Vec<Splice> {
    let Some(bracket) = site.bracket else { return Vec::new() };
    let at = site.parts.iter().position(|other| other.start == part.start);
    let before = at.and_then(|at| at.checked_sub(1)).and_then(|before| site.parts.get(before));
    let after = at.and_then(|at| site.parts.get(at + 1));
    let mut all = Vec::new();
    match (before, after) {
        (Some(before), _) => all.push(Splice::replace(before.end..part.end, String::new())),
        (None, Some(after)) => all.push(Splice::replace(part.start..after.start, String::new())),
        (None, None) => all.push(Splice::replace(bracket + 1..end(site.node).saturating_sub(1), String::new())),
    }
    // Comments between two parts belong to neither of them for sure.
    for splice in &mut all {
        splice.drops_comments = false;
    }
    all
}

fn key_text(site: &Site<'_>, key: &str, style: &Style) -> String {
    let as_json = style.json
        || site.parts.first().is_some_and(|part| site.text.get(part.start..).is_some_and(|text| text.starts_with('"')));
    if style.json {
        json_text(key)
    } else if as_json {
        quoted(key)
    } else {
        flow_text(key)
    }
}

fn json_text(text: &str) -> String {
    let origin = crate::document::Origin::new(crate::document::FileId(0), 0, 0);
    to_json(&Node::string(text, origin), false)
}

/// What stands between name and value of the first member.
fn colon<'a>(site: &Site<'a>) -> &'a str {
    let between = site.parts.first().and_then(|part| {
        let key = part.key?;
        site.text.get(key.key_origin.end as usize..start(part.value)).filter(|_| part.own)
    });
    between.filter(|between| between.trim() == ":" && !between.contains('\n') && *between != ":").unwrap_or(": ")
}

/// What stands between the first two parts, when it is a comma and space.
fn separator(site: &Site<'_>, own_lines: bool, indent: &str, style: &Style) -> String {
    if own_lines {
        return format!(",{}{indent}", style.line_break);
    }
    let used = match site.parts.as_slice() {
        [first, second, ..] => site.text.get(first.end..second.start),
        _ => None,
    };
    match used {
        Some(used) if used.trim() == "," && !used.contains('\n') => used.to_owned(),
        _ => ", ".to_owned(),
    }
}

/// The white space at the start of the line.
fn line_indent(text: &str, at: usize) -> &str {
    let line = text.get(line_start(text, at)..).unwrap_or_default();
    let content = line.trim_start_matches([' ', '\t']);
    line.get(..line.len() - content.len()).unwrap_or_default()
}
