//! Where each field of a tool comes from: the line of the document, or the action of an overlay that set it.

use super::json::brief;
use super::{cite, cite_action};
use crate::derive::{Catalog, Tool, Written};
use crate::document::{FileId, Node, Place};
use crate::tui::app::page::{Act, Line};
use crate::tui::theme::Role;

/// Columns of a field's name.
const FIELD: usize = 22;
/// Characters of a value that are shown.
const LONGEST: usize = 48;
/// Nodes of one schema that are asked who wrote them.
const MOST_NODES: usize = 20_000;

/// One line for each field; an action is a way to go.
pub(super) fn lines(catalog: &Catalog, tool: &Tool) -> Vec<Line> {
    let operation = &*tool.operation;
    let mut out = vec![Line::new(), Line::new().seg("Where each field comes from", Role::Title)];
    let mut put = |field: &str, value: &str, place: Option<&Place>, inside: &[(FileId, u16)]| {
        out.push(row(catalog, field, value, place, inside));
    };
    put("name", &tool.named.name, Some(tool.name_place()), &[]);
    for key in ["summary", "description", "operationId", "tags", "deprecated", "x-mcp-safe"] {
        if let Some(node) = operation.node.get(key) {
            put(key, &brief(node), Some(&at(node)), &[]);
        }
    }
    if operation.node.get("x-mcp-safe").is_none() {
        let hint = if operation.annotations.read_only_hint { "read-only" } else { "writes" };
        put("annotations", &format!("{hint}, by its method"), Some(&operation.place), &[]);
    }
    let mcp = &operation.mcp;
    if let Some(format) = &mcp.response_format {
        put("response format", &format!("{:?}", format.value).to_lowercase(), Some(&format.place), &[]);
    }
    let transforms = [
        ("request transform", &mcp.request_transform),
        ("response transform", &mcp.response_transform),
        ("error transform", &mcp.error_transform),
    ];
    for (field, transform) in transforms {
        if let Some(Written { value, place }) = transform {
            put(field, value, Some(place), &[]);
        }
    }
    if let Some(hidden) = &tool.hidden {
        put("hidden", &hidden.why, hidden.place.as_ref(), &[]);
    }
    let properties = operation.input_schema.get("properties");
    for binding in &operation.binding {
        let schema = properties.and_then(|properties| properties.get(&binding.argument));
        let place = schema.map(at);
        let kind = schema.and_then(|schema| schema.get("type")).map(brief).unwrap_or_default();
        let inside = schema.map(|schema| writers(schema, place.as_ref())).unwrap_or_default();
        put(&format!("argument {}", binding.argument), kind.trim_matches('"'), place.as_ref(), &inside);
    }
    if let Some(schema) = &operation.output_schema {
        let place = at(schema);
        put("output schema", "", Some(&place), &writers(schema, Some(&place)));
    }
    out
}

fn at(node: &Node) -> Place {
    Place { origin: node.origin, pointer: "".into() }
}

fn row(catalog: &Catalog, field: &str, value: &str, place: Option<&Place>, inside: &[(FileId, u16)]) -> Line {
    let text = value.replace('\n', " ");
    let mut shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    // A file of no bytes is where nothing was read: the derivation made it.
    let made = place.is_none_or(|place| place.origin.end == 0);
    let mut line = Line::new().cell(format!("{field} "), FIELD, Role::Key).hang(FIELD).at(place.filter(|_| !made));
    if !shown.is_empty() {
        line = line.seg(shown, Role::Text).seg("  ", Role::Text);
    }
    line = match place.filter(|_| !made) {
        Some(place) => {
            let role = if place.origin.action.is_some() { Role::Changed } else { Role::Dim };
            line.seg(cite(catalog, place), role)
        }
        None => line.seg("made by the derivation", Role::Dim),
    };
    for (file, action) in inside {
        line = line.seg(format!("  in it {}", cite_action(catalog, *file, *action)), Role::Changed);
    }
    let own = place.and_then(|place| Some((place.origin.file, place.origin.action?)));
    match own.or_else(|| inside.first().copied()) {
        Some((file, action)) => line.act(Act::Action { file, action }),
        None => line,
    }
}

/// The actions that wrote something inside a schema, besides the one that wrote its top.
fn writers(top: &Node, place: Option<&Place>) -> Vec<(FileId, u16)> {
    let own = place.and_then(|place| Some((place.origin.file, place.origin.action?)));
    let mut found = Vec::new();
    let mut open = vec![top];
    let mut seen = 0;
    while let Some(node) = open.pop() {
        seen += 1;
        if seen > MOST_NODES {
            break;
        }
        if let Some(action) = node.origin.action.map(|action| (node.origin.file, action))
            && own != Some(action)
            && !found.contains(&action)
        {
            found.push(action);
        }
        open.extend(node.items());
        open.extend(node.members().map(|entry| &entry.value));
    }
    found.sort_unstable();
    found
}
