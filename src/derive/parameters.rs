//! Parameters of an operation: those of the path item and its own, merged, each with the way it is written.

use std::sync::Arc;

use crate::document::{Node, Origin, Place};

use super::argument::{Argument, Meaning};
use super::context::{Context, Dependencies};
use super::model::{ParameterIn, Style};
use super::report::{Path, Report};

/// Header parameters that the specification says to ignore (OpenAPI 3.1 section 4.8.12.2.1).
const IGNORED_HEADERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// One parameter list and where it stands.
pub(crate) struct List<'s> {
    pub(crate) node: Option<&'s Node>,
    pub(crate) pointer: String,
}

struct Read<'s> {
    name: &'s str,
    location: ParameterIn,
    node: &'s Node,
    place: Place,
}

/// Reads parameter lists: for one name and location a later list wins (OpenAPI 3.1 section 4.8.10.1).
///
/// What cannot be an argument goes to the report. The order is path, query, header, cookie, each in document order.
pub(crate) fn read<'s, 'a: 's>(
    context: &mut Context<'a>,
    lists: &[List<'s>],
    template: &str,
    method: &Place,
    depends: &mut Dependencies,
    report: &mut Report,
) -> Vec<Argument<'s>> {
    let mut merged: Vec<Read<'s>> = Vec::new();
    for list in lists {
        let base = Path::new(&list.pointer);
        let mut own: Vec<Read<'s>> = Vec::new();
        let Some(node) = list.node else { continue };
        if node.as_list().is_none() {
            report.degrade("invalid-parameters", base.place(node), format!("`parameters` cannot be {}", node.kind()));
        }
        for (at, written) in node.items().enumerate() {
            let place = base.index(at).place(written);
            let Some(node) = context.follow_or_degrade(written, place.clone(), depends, report) else { continue };
            let Some(read) = identify(node, place, report) else { continue };
            if own.iter().any(|other| same(other, &read)) {
                let why = format!("`{}` in {} is there twice; the first counts", read.name, read.location.word());
                report.lose("duplicate-parameter", read.place, why);
                continue;
            }
            own.push(read);
        }
        for read in own {
            match merged.iter_mut().find(|other| same(other, &read)) {
                Some(slot) => *slot = read,
                None => merged.push(read),
            }
        }
    }
    let placeholders = placeholders(template);
    let mut arguments: Vec<Argument<'s>> =
        merged.iter().filter_map(|read| argument(read, &placeholders, context, report)).collect();
    for name in &placeholders {
        if !arguments.iter().any(|known| known.location == ParameterIn::Path && known.wire_is(name)) {
            let why = format!("`{{{name}}}` in the path has no path parameter; it is taken as a required string");
            report.lose("undeclared-path-parameter", method.clone(), why);
            arguments.push(Argument::placeholder(name, method.clone()));
        }
    }
    arguments.sort_by_key(|argument| argument.location);
    arguments
}

/// Header names are compared without case (RFC 9110 section 5.1).
fn same(a: &Read<'_>, b: &Read<'_>) -> bool {
    a.location == b.location
        && (a.name == b.name || (a.location == ParameterIn::Header && a.name.eq_ignore_ascii_case(b.name)))
}

fn identify<'s>(node: &'s Node, place: Place, report: &mut Report) -> Option<Read<'s>> {
    let location = match node.text("in") {
        Some("path") => ParameterIn::Path,
        Some("query") => ParameterIn::Query,
        Some("querystring") => ParameterIn::QueryString,
        Some("header") => ParameterIn::Header,
        Some("cookie") => ParameterIn::Cookie,
        other => {
            let why = match other {
                Some(other) => format!("`in: {other}` is no place for a parameter"),
                None => "a parameter without `in`".to_owned(),
            };
            report.degrade("invalid-parameter", place, why);
            return None;
        }
    };
    match node.text("name") {
        Some(name) if !name.is_empty() => Some(Read { name, location, node, place }),
        _ => {
            report.degrade("invalid-parameter", place, "a parameter without `name`");
            None
        }
    }
}

fn argument<'s>(
    read: &Read<'s>,
    placeholders: &[&str],
    context: &Context<'_>,
    report: &mut Report,
) -> Option<Argument<'s>> {
    let Read { name, location, node, place } = read;
    if *location == ParameterIn::Header && IGNORED_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
        let why = format!("the header `{name}` is set from the body and the security scheme, not by a parameter");
        report.lose("ignored-header", place.clone(), why);
        return None;
    }
    if *location == ParameterIn::Path && !placeholders.contains(name) {
        report.lose("unused-path-parameter", place.clone(), format!("the path has no `{{{name}}}`"));
        return None;
    }
    if context.is_credential(*location, name) {
        report.lose(
            "credential",
            place.clone(),
            format!("`{name}` carries a security scheme's key, which is no argument"),
        );
        return None;
    }
    let required = *location == ParameterIn::Path || node.get("required").and_then(Node::as_bool) == Some(true);
    let mut argument = Argument {
        name: (*name).into(),
        location: *location,
        wire_name: (*location != ParameterIn::QueryString).then(|| (*name).into()),
        required,
        style: None,
        explode: None,
        allow_reserved: node.get("allowReserved").and_then(Node::as_bool) == Some(true),
        media_type: None,
        content_type: None,
        schemas: Vec::new(),
        meaning: Meaning::of(node),
        place: place.clone(),
    };
    match (node.get("schema"), node.get("content")) {
        (None, Some(content)) if content.as_map().is_some_and(|map| !map.is_empty()) => {
            let mut media = content.members();
            if let Some(first) = media.next() {
                argument.media_type = Some(first.key.clone());
                argument.schemas.extend(first.value.get("schema"));
            }
            for other in media {
                let place = Place { origin: other.key_origin, pointer: place.pointer.clone() };
                report.lose(
                    "media-type",
                    place,
                    format!("`{name}` is sent as its first media type, not as {}", other.key),
                );
            }
        }
        (schema, _) => {
            argument.schemas.extend(schema);
            let (style, explode) = style(node, *location, place, report);
            (argument.style, argument.explode) = (Some(style), Some(explode));
        }
    }
    Some(argument)
}

/// Style and explode with their defaults (OpenAPI 3.1 section 4.8.12.2.2).
fn style(node: &Node, location: ParameterIn, place: &Place, report: &mut Report) -> (Style, bool) {
    let usual = match location {
        ParameterIn::Path | ParameterIn::Header => Style::Simple,
        _ => Style::Form,
    };
    let style = match node.text("style") {
        None => usual,
        Some(name) => named_style(name).unwrap_or_else(|| {
            report.lose("style", place.clone(), format!("`style: {name}` is unknown; the default is used"));
            usual
        }),
    };
    let explode = node.get("explode").and_then(Node::as_bool).unwrap_or(matches!(style, Style::Form | Style::Cookie));
    (style, explode)
}

fn named_style(name: &str) -> Option<Style> {
    Some(match name {
        "matrix" => Style::Matrix,
        "label" => Style::Label,
        "simple" => Style::Simple,
        "form" => Style::Form,
        "spaceDelimited" => Style::SpaceDelimited,
        "pipeDelimited" => Style::PipeDelimited,
        "tabDelimited" => Style::TabDelimited,
        "deepObject" => Style::DeepObject,
        "cookie" => Style::Cookie,
        _ => return None,
    })
}

/// Names in braces, each once, in order.
pub(crate) fn placeholders(template: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = template;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        if !name.is_empty() && !found.contains(&name) {
            found.push(name);
        }
        rest = after;
    }
    found
}

impl<'a> Argument<'a> {
    /// A required string for a placeholder that no parameter declares.
    fn placeholder(name: &str, place: Place) -> Self {
        let name: Arc<str> = name.into();
        Self {
            name: name.clone(),
            location: ParameterIn::Path,
            wire_name: Some(name),
            required: true,
            style: Some(Style::Simple),
            explode: Some(false),
            allow_reserved: false,
            media_type: None,
            content_type: None,
            schemas: Vec::new(),
            meaning: Meaning::text(place.origin),
            place,
        }
    }

    fn wire_is(&self, name: &str) -> bool {
        self.wire_name.as_deref() == Some(name)
    }
}

impl Meaning<'_> {
    fn text(origin: Origin) -> Self {
        Self { node: None, fallback: Some("string"), origin }
    }
}

#[cfg(test)]
mod tests {
    use super::placeholders;

    #[test]
    fn placeholders_come_once_and_in_order() {
        let cases: [(&str, &[&str]); 5] = [
            ("/a", &[]),
            ("/{b}/{a}/{b}", &["b", "a"]),
            ("/{x}{y}.json", &["x", "y"]),
            ("/{open", &[]),
            ("/{}/{a}", &["a"]),
        ];
        for (template, expected) in cases {
            assert_eq!(placeholders(template), expected, "{template}");
        }
    }
}
