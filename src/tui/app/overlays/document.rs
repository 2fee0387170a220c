//! Tab *Document*: what an action changes, as a unified diff of the parts that differ.

use crate::document::jsonpath::readable;
use crate::document::{Entry, Format, Map, Node, Origin, Place, Pointer, Sources, Step, Value, to_json, to_yaml};
use crate::overlay::{Difference, differences};
use crate::tui::app::editor::highlight::{State, paint};
use crate::tui::app::page::Line;
use crate::tui::theme::Role;

/// Differences that are looked for.
const MOST: usize = 400;
/// Lines of one part.
const MOST_LINES: usize = 60;
/// Members shown before and after a changed one.
const AROUND: usize = 2;
/// Targets of which the text is shown.
const MOST_TARGETS: usize = 20;
/// Lines of one target.
const MOST_OF_TARGET: usize = 400;

/// The diff of two states of a document.
pub(super) fn change(before: &Node, after: &Node, format: Format, sources: &Sources) -> Vec<Line> {
    let (found, more) = differences(before, after, MOST);
    let mut out = Vec::new();
    if found.is_empty() {
        out.push(Line::new().seg("The action changes nothing in the document.", Role::Dim));
        return out;
    }
    let mut rest = found.as_slice();
    let mut places = 0;
    while let Some(first) = rest.first() {
        let parent = above(&first.at);
        let count = rest.iter().take_while(|one| above(&one.at) == parent).count();
        let (group, tail) = rest.split_at(count);
        rest = tail;
        places += 1;
        hunk(before, after, &parent, group, format, sources, &mut out);
    }
    let words = match more {
        true => format!("The first {} of more changes", found.len()),
        false => format!("{} in {}", counted(found.len(), "change"), counted(places, "place")),
    };
    out.insert(0, Line::new().seg(words, Role::Dim));
    if more {
        let words = format!("The first {MOST} are shown; Matches lists all places.");
        out.push(Line::new());
        out.push(Line::new().seg(words, Role::Dim));
    }
    out
}

fn above(pointer: &Pointer) -> Pointer {
    Pointer(pointer.0.split_last().map_or_else(Vec::new, |(_, way)| way.to_vec()))
}

/// What differs in one object or list, between the members that do not.
fn hunk(
    before: &Node,
    after: &Node,
    parent: &Pointer,
    group: &[Difference],
    format: Format,
    sources: &Sources,
    out: &mut Vec<Line>,
) {
    let node = parent.find(after).or_else(|| parent.find(before));
    let place = node.and_then(|node| place_of(node, parent));
    out.push(Line::new());
    let line = Line::new().seg("@@ ", Role::Dim).seg(readable(parent), Role::Title).seg(" @@", Role::Dim).hang(3);
    out.push(match &place {
        Some(place) => line.seg(format!("  {}", sources.cite(place)), Role::Dim).at(Some(place)),
        None => line,
    });
    let depth = parent.0.len();
    let mut keys: Vec<Shown<'_>> = Vec::new();
    let members = |root| parent.find(root).map(|node| node.members().collect::<Vec<_>>()).unwrap_or_default();
    let (old, new) = (members(before), members(after));
    // What is gone stands where it was; the rest in the order of the new one.
    let changed = |key: &str| group.iter().find(|one| one.at.0.get(depth).is_some_and(|step| is_key(step, key)));
    for entry in &old {
        match changed(&entry.key) {
            Some(one) => keys.push(Shown::Changed(one)),
            None => keys.push(Shown::Kept(entry)),
        }
    }
    let came = new.iter().filter(|entry| !old.iter().any(|known| known.key == entry.key));
    keys.extend(came.filter_map(|entry| changed(&entry.key)).map(Shown::Changed));
    if keys.is_empty() {
        keys.extend(group.iter().map(Shown::Changed));
    }
    let near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        keys.get(from..(at + AROUND + 1).min(keys.len())).is_some_and(|some| some.iter().any(Shown::is_changed))
    };
    let mut skipped = false;
    for (at, shown) in keys.iter().enumerate() {
        match shown {
            Shown::Kept(_) if !near(at) => skipped = true,
            Shown::Kept(entry) => {
                gap(&mut skipped, out);
                let place = Place { origin: entry.key_origin, pointer: "".into() };
                out.push(Line::new().seg("  ", Role::Text).seg(brief(entry), Role::Dim).hang(4).at(Some(&place)));
            }
            Shown::Changed(one) => {
                gap(&mut skipped, out);
                let key = one.at.0.get(depth);
                signed("-", Role::Removed, key, one.before.as_ref(), format, out);
                signed("+", Role::Added, key, one.after.as_ref(), format, out);
            }
        }
    }
}

enum Shown<'n> {
    Kept(&'n Entry),
    Changed(&'n Difference),
}

impl Shown<'_> {
    fn is_changed(&self) -> bool {
        matches!(self, Self::Changed(_))
    }
}

fn gap(skipped: &mut bool, out: &mut Vec<Line>) {
    if std::mem::take(skipped) {
        out.push(Line::new().seg("  …", Role::Dim));
    }
}

fn is_key(step: &Step, key: &str) -> bool {
    matches!(step, Step::Key(known) if **known == *key)
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A member on one line.
fn brief(entry: &Entry) -> String {
    let value = match &entry.value.value {
        Value::List(items) if !items.is_empty() => format!("[{}]", counted(items.len(), "item")),
        Value::Map(map) if !map.is_empty() => format!("{{{}}}", counted(map.len(), "member")),
        _ => {
            let text = to_json(&entry.value, false);
            let cut: String = text.chars().take(60).collect();
            if cut.len() < text.len() { format!("{cut}…") } else { text }
        }
    };
    format!("{}: {value}", entry.key)
}

/// The lines of a member that came or went.
fn signed(sign: &str, role: Role, key: Option<&Step>, node: Option<&Node>, format: Format, out: &mut Vec<Line>) {
    let Some(node) = node else { return };
    let place = Place { origin: node.origin, pointer: "".into() };
    let lines = written(key, node, format);
    let count = lines.len();
    for text in lines.into_iter().take(MOST_LINES) {
        out.push(Line::new().seg(sign, role).seg(" ", Role::Text).seg(text, role).hang(4).at(Some(&place)));
    }
    if count > MOST_LINES {
        let words = format!("  {} more lines", count - MOST_LINES);
        out.push(Line::new().seg(sign, role).seg(words, Role::Dim).at(Some(&place)));
    }
}

/// A member or item as it stands in a file of that format.
fn written(key: Option<&Step>, node: &Node, format: Format) -> Vec<String> {
    let origin = Origin::new(node.origin.file, 0, 0);
    let whole = match key {
        Some(Step::Key(key)) => {
            let entry = Entry { key: key.clone(), key_origin: origin, value: node.clone() };
            Node::new(Value::Map(std::sync::Arc::new(Map::new(vec![entry]))), origin)
        }
        Some(Step::Index(_)) => Node::list(vec![node.clone()], origin),
        None => node.clone(),
    };
    let text = match format {
        Format::Yaml => to_yaml(&whole),
        Format::Json => to_json(&whole, true),
    };
    let lines: Vec<&str> = text.lines().collect();
    match (format, key) {
        // The brackets are those of the object around it.
        (Format::Json, Some(_)) if lines.len() > 2 => {
            let inner = lines.get(1..lines.len() - 1).unwrap_or_default();
            inner.iter().map(|line| line.strip_prefix("  ").unwrap_or(line).to_owned()).collect()
        }
        _ => lines.into_iter().map(str::to_owned).collect(),
    }
}

fn place_of(node: &Node, pointer: &Pointer) -> Option<Place> {
    (node.origin.end > node.origin.start).then(|| Place { origin: node.origin, pointer: pointer.to_string().into() })
}

/// The targets as they are in one state of a document.
pub(super) fn moment(root: &Node, targets: &[Pointer], format: Format, sources: &Sources) -> Vec<Line> {
    let mut out = Vec::new();
    if targets.is_empty() {
        out.push(Line::new().seg("The target matches nothing, so there is nothing to show.", Role::Dim));
    }
    for pointer in targets.iter().take(MOST_TARGETS) {
        if !out.is_empty() {
            out.push(Line::new());
        }
        let node = pointer.find(root);
        let place = node.and_then(|node| place_of(node, pointer));
        let line = Line::new().seg(readable(pointer), Role::Title).hang(2);
        out.push(match &place {
            Some(place) => line.seg(format!("  {}", sources.cite(place)), Role::Dim).at(Some(place)),
            None => line,
        });
        let Some(node) = node else {
            out.push(Line::new().seg("is not there", Role::Removed));
            continue;
        };
        // A whole document has more lines than anybody reads, and writing them takes longer than anybody waits.
        let lines = if pointer.0.len() < 2 && node.members().len() > 3 {
            node.members().map(brief).collect()
        } else {
            written(None, node, format)
        };
        let count = lines.len();
        let mut state = State::default();
        for text in lines.iter().take(MOST_OF_TARGET) {
            out.push(paint(Line::new(), format, &mut state, text).hang(4).at(place.as_ref()));
        }
        if count > MOST_OF_TARGET {
            out.push(Line::new().seg(format!("… {} more lines", count - MOST_OF_TARGET), Role::Dim));
        }
    }
    if targets.len() > MOST_TARGETS {
        out.push(Line::new());
        out.push(Line::new().seg(format!("and {} more targets", targets.len() - MOST_TARGETS), Role::Dim));
    }
    out
}
