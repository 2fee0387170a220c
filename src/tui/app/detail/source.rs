//! Tab *Source*: the operation as its file has it, and what overlays made of it, line by line.

use std::collections::{BTreeMap, HashSet};

use super::{blame, cite, cite_action, json};
use crate::derive::{Catalog, Tool, Touched};
use crate::document::{FileId, Node, Origin, Place, SourceFile, Touch, pointer};
use crate::tui::app::page::Line;
use crate::tui::theme::Role;
use crate::workspace::Snapshot;

/// Columns of the line number and the mark.
const GUTTER: usize = 8;
/// A line longer than this is no line that a person wrote: the operation is then shown as JSON.
const LONGEST_LINE: usize = 2_000;
/// Changes in other parts of the document that are listed one by one.
const MOST_ELSEWHERE: usize = 50;
/// Lines of a new value that are shown.
const MOST_NEW: usize = 40;

/// What an action did to a node of the operation.
struct Change<'a> {
    touch: &'a Touch,
    kind: Kind,
    /// The lines of the file that it is about; for something new the line after which it comes.
    lines: (usize, usize),
    new: Option<&'a Node>,
    /// A later change of the same node: what this one wrote is gone.
    later: Option<&'a Touch>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Changed,
    Added,
    Removed,
    Gone,
}

impl Kind {
    fn mark(self) -> (&'static str, Role) {
        match self {
            Self::Changed => ("~", Role::Changed),
            Self::Added => ("+", Role::Added),
            Self::Removed | Self::Gone => ("-", Role::Removed),
        }
    }
}

/// The page.
pub(super) fn lines(snapshot: &Snapshot, tool: &Tool) -> Vec<Line> {
    let catalog = &*snapshot.catalog;
    let operation = &*tool.operation;
    let place = &operation.place;
    let mut out = Vec::new();
    let Some(file) = catalog.sources.get(place.origin.file) else {
        out.push(Line::new().seg("The file of this operation was not read.", Role::Warning));
        return out;
    };
    let line = Line::new().seg(cite(catalog, place), Role::Title);
    out.push(line.seg(format!("  {}", place.pointer), Role::Dim).at(Some(place)));
    if let Some(action) = place.origin.action {
        let by = cite_action(catalog, place.origin.file, action);
        out.push(Line::new().seg(format!("the whole operation is written by the overlay action {by}"), Role::Added));
    }
    let before = snapshot.originals.get(tool.upstream).map(|set| &set.main.root);
    let after = snapshot.documents.get(tool.upstream).map(|set| &set.main.root);
    let original = before.and_then(|root| pointer::resolve(root, &place.pointer).ok());
    let node = original.filter(|node| node.origin.file == place.origin.file).unwrap_or(&operation.node);
    let range = line_range(file, place.origin, node.origin);
    let (inside, elsewhere) = touches(catalog, tool);
    let changes: Vec<Change<'_>> = inside
        .iter()
        .enumerate()
        .filter_map(|(at, touch)| {
            let later = inside.iter().skip(at + 1).find(|other| other.pointer == touch.pointer).copied();
            Some(Change { later, ..change(touch, before, after, file, place, range)? })
        })
        .collect();
    out.push(Line::new());
    if (range.0..=range.1).any(|number| file.line(number).is_some_and(|line| line.len() > LONGEST_LINE)) {
        out.push(Line::new().seg("The file has this operation on one very long line; here it is as JSON.", Role::Dim));
        // Above it, since the lines below have no place for them.
        changes.iter().for_each(|change| annotate(catalog, change, &mut out));
        out.extend(json::lines(node));
    } else {
        numbered(catalog, file, place.origin.file, range, &changes, &mut out);
    }
    listed(catalog, tool, &elsewhere, &mut out);
    out.extend(blame::lines(catalog, tool));
    out
}

/// Lines from the one with the key to the last with something of the value.
fn line_range(file: &SourceFile, key: Origin, value: Origin) -> (usize, usize) {
    let first = file.line_column(key.start).0;
    let end = if value.file == key.file { key.end.max(value.end) } else { key.end };
    (first, last_line(file, key.start, end).max(first))
}

/// The line of the last byte of a range that is no blank.
fn last_line(file: &SourceFile, start: u32, end: u32) -> usize {
    let text = file.text.as_bytes().get(start as usize..(end as usize).min(file.text.len())).unwrap_or_default();
    let blank = text.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    let length = u32::try_from((text.len() - blank).saturating_sub(1)).unwrap_or(0);
    file.line_column(start.saturating_add(length)).0
}

/// The changes inside the operation, and those that the same actions made elsewhere.
fn touches<'a>(catalog: &'a Catalog, tool: &Tool) -> (Vec<&'a Touch>, Vec<&'a Touch>) {
    let own = &*tool.operation.place.pointer;
    let origin = tool.operation.place.origin;
    let mine = |touch: &&Touch| {
        // What wrote the whole operation is said above it, once.
        let whole = origin.action == Some(touch.action) && origin.file == touch.file;
        !whole && tool.touched_by.contains(&Touched { file: touch.file, action: touch.action })
    };
    let inside = |touch: &&Touch| {
        let text = touch.pointer.to_string();
        text.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut seen = HashSet::new();
    let mut new = |touch: &&'a Touch| seen.insert((touch.file, touch.action, &touch.pointer));
    catalog.touches.iter().filter(mine).filter(|touch| new(touch)).partition(inside)
}

/// What a touch did; `None` when it did nothing to this document.
fn change<'a>(
    touch: &'a Touch,
    before: Option<&'a Node>,
    after: Option<&'a Node>,
    file: &SourceFile,
    place: &Place,
    range: (usize, usize),
) -> Option<Change<'a>> {
    let old = before.and_then(|root| touch.pointer.find(root));
    let new = after.and_then(|root| touch.pointer.find(root));
    // The same overlay may have changed this pointer in the document of another upstream only.
    if old.zip(new).is_some_and(|(old, new)| old.same(new)) {
        return None;
    }
    let kind = match (old.is_some(), new.is_some()) {
        (true, true) => Kind::Changed,
        (false, true) => Kind::Added,
        (true, false) => Kind::Removed,
        (false, false) => Kind::Gone,
    };
    let span = |node: &Node, start: u32| (file.line_column(start).0, last_line(file, start, node.origin.end));
    let lines = match (old, before) {
        (Some(old), Some(root)) if old.origin.file == place.origin.file => span(old, key_start(touch, root, old)),
        (None, Some(root)) => {
            let parent = ancestor(touch, root).filter(|node| node.origin.file == place.origin.file);
            let end = parent.map_or(range.1, |node| span(node, node.origin.start).1);
            (end, end)
        }
        _ => (range.1, range.1),
    };
    let clamp = |line: usize| line.clamp(range.0, range.1);
    Some(Change { touch, kind, lines: (clamp(lines.0), clamp(lines.1)), new, later: None })
}

/// Where the key of a member stands, else where its value starts.
fn key_start(touch: &Touch, root: &Node, value: &Node) -> u32 {
    let Some((last, way)) = touch.pointer.0.split_last() else { return value.origin.start };
    let parent = crate::document::Pointer(way.to_vec());
    let entry = match last {
        crate::document::Step::Key(key) => parent.find(root).and_then(|node| node.entry(key)),
        crate::document::Step::Index(_) => None,
    };
    entry.map_or(value.origin.start, |entry| entry.key_origin.start)
}

/// The nearest node above that the file has.
fn ancestor<'a>(touch: &Touch, root: &'a Node) -> Option<&'a Node> {
    let mut way = touch.pointer.0.clone();
    while way.pop().is_some() {
        let pointer = crate::document::Pointer(way);
        if let Some(node) = pointer.find(root) {
            return Some(node);
        }
        way = pointer.0;
    }
    None
}

fn numbered(
    catalog: &Catalog,
    file: &SourceFile,
    id: FileId,
    range: (usize, usize),
    changes: &[Change<'_>],
    out: &mut Vec<Line>,
) {
    let mut marks: BTreeMap<usize, Kind> = BTreeMap::new();
    let mut after: BTreeMap<usize, Vec<&Change<'_>>> = BTreeMap::new();
    for change in changes {
        if matches!(change.kind, Kind::Changed | Kind::Removed) {
            (change.lines.0..=change.lines.1).for_each(|line| {
                marks.insert(line, change.kind);
            });
        }
        after.entry(change.lines.1).or_default().push(change);
    }
    for number in range.0..=range.1 {
        let text = file.line(number).unwrap_or_default();
        let start = file.line_start(number).unwrap_or(0) as usize;
        let place = Place { origin: Origin::new(id, start, start + text.len()), pointer: "".into() };
        let (mark, role) = marks.get(&number).map_or((" ", Role::Text), |kind| kind.mark());
        let line = Line::new().seg(format!("{number:>5} "), Role::Dim).seg(mark, role).seg(" ", Role::Text);
        out.push(line.seg(text, role).hang(GUTTER + 2).at(Some(&place)));
        for change in after.get(&number).into_iter().flatten() {
            annotate(catalog, change, out);
        }
    }
}

/// Says which action did it, and what it put there.
fn annotate(catalog: &Catalog, change: &Change<'_>, out: &mut Vec<Line>) {
    let (mark, role) = change.kind.mark();
    let Touch { file, action, pointer } = change.touch;
    let place = action_place(catalog, *file, *action);
    let by = cite_action(catalog, *file, *action);
    let key = pointer.0.last().map_or_else(String::new, |step| match step {
        crate::document::Step::Key(key) => key.to_string(),
        crate::document::Step::Index(at) => format!("[{at}]"),
    });
    let gutter = |mark: &str| Line::new().seg("      ", Role::Dim).seg(mark, role).seg(" ", Role::Text);
    let word = match change.kind {
        Kind::Changed if change.later.is_some() => "is changed",
        Kind::Added if change.later.is_some() => "is added",
        Kind::Changed => "is now",
        Kind::Added => "is added:",
        Kind::Removed => "is removed",
        Kind::Gone => "set, and removed again by a later action",
    };
    let line = gutter("└").seg(format!("{by}  "), Role::Accent).seg(format!("{key} {word}"), Role::Dim);
    let line = line.hang(GUTTER + 2).at(place.as_ref());
    let Some(new) = change.new.filter(|_| change.later.is_none()) else {
        let again = change.later.map(|later| cite_action(catalog, later.file, later.action));
        let again =
            again.filter(|_| change.kind != Kind::Gone).map_or_else(String::new, |by| format!(", and again by {by}"));
        out.push(line.seg(again, Role::Dim));
        return;
    };
    let value = json::lines(new);
    if let [only] = value.as_slice() {
        out.push(line.seg(" ", Role::Text).seg(only.text(), role));
        return;
    }
    out.push(line);
    let count = value.len();
    for shown in value.into_iter().take(MOST_NEW) {
        out.push(gutter(mark).seg("  ", Role::Text).seg(shown.text(), role).hang(GUTTER + 4).at(place.as_ref()));
    }
    if count > MOST_NEW {
        let more = format!("  {} more lines in {by}", count - MOST_NEW);
        out.push(gutter(" ").seg(more, Role::Dim).at(place.as_ref()));
    }
}

fn action_place(catalog: &Catalog, file: FileId, action: u16) -> Option<Place> {
    let start = *catalog.sources.get(file)?.actions.get(usize::from(action))?;
    Some(Place { origin: Origin { file, start, end: start, action: Some(action) }, pointer: "".into() })
}

/// Actions that changed other parts of the document that the tool is made of.
fn listed(catalog: &Catalog, tool: &Tool, elsewhere: &[&Touch], out: &mut Vec<Line>) {
    // Other operations that the same action changed are not part of this tool.
    let parts: Vec<&&Touch> =
        elsewhere.iter().filter(|touch| !is_other_operation(touch, &tool.operation.place.pointer)).collect();
    if tool.touched_by.is_empty() {
        out.push(Line::new());
        out.push(Line::new().seg("No overlay changes this tool.", Role::Dim));
    }
    if parts.is_empty() {
        return;
    }
    out.push(Line::new());
    out.push(Line::new().seg("Also changed, elsewhere in the document", Role::Title));
    for touch in parts.iter().take(MOST_ELSEWHERE) {
        let by = cite_action(catalog, touch.file, touch.action);
        let line = Line::new().seg("~ ", Role::Changed).seg(format!("{by}  "), Role::Accent);
        let place = action_place(catalog, touch.file, touch.action);
        out.push(line.seg(touch.pointer.to_string(), Role::Text).hang(4).at(place.as_ref()));
    }
    if parts.len() > MOST_ELSEWHERE {
        out.push(Line::new().seg(format!("and {} more places", parts.len() - MOST_ELSEWHERE), Role::Dim));
    }
}

/// Inside `paths`, but neither around the tool's operation nor beside it in its path item.
fn is_other_operation(touch: &Touch, own: &str) -> bool {
    let text = touch.pointer.to_string();
    let item = own.rsplit_once('/').map_or("", |(item, _)| item);
    text.starts_with("/paths/") && !(own.starts_with(&text) || text.starts_with(item) && is_shared(&text, item))
}

/// A part of a path item that all its operations share.
fn is_shared(pointer: &str, item: &str) -> bool {
    let rest = pointer.get(item.len()..).unwrap_or_default();
    ["/parameters", "/servers", "/summary", "/description", "/$ref"].iter().any(|part| rest.starts_with(part))
}
