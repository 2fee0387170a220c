//! The request body as arguments.

use std::sync::Arc;

use crate::document::{Entry, Node, Place};

use super::argument::{Argument, Meaning};
use super::context::{Context, Dependencies};
use super::media::{self, Family};
use super::model::{ParameterIn, SentBody, Style};
use super::report::{Path, Report};
use super::schema::members;

/// The arguments of a body: its members where it is an object, else one argument `body`.
///
/// `pointer` is that of the request body object. `sent` is told what body goes out.
pub(crate) fn read<'s, 'a: 's>(
    context: &mut Context<'a>,
    body: &'s Node,
    pointer: &str,
    sent: &mut Option<SentBody>,
    depends: &mut Dependencies,
    report: &mut Report,
) -> Vec<Argument<'s>> {
    let path = Path::new(pointer);
    let Some(body) = context.follow_or_degrade(body, path.place(body), depends, report) else { return Vec::new() };
    let path = path.key("content");
    let Some(content) = body.get("content").filter(|content| content.as_map().is_some_and(|map| !map.is_empty()))
    else {
        report.lose("body-without-arguments", path.place(body), "a body is declared without any media type");
        return Vec::new();
    };
    let Some(chosen) = media::choose(content) else { return Vec::new() };
    for other in content.members().filter(|other| other.key != chosen.key) {
        let why = format!("the body is sent as {}", chosen.key);
        report.lose("media-type", path.key(&other.key).at(other.key_origin), why);
    }
    let required = body.get("required").and_then(Node::as_bool) == Some(true);
    *sent = Some(SentBody { media_type: media::sent_as(&chosen.key), required });
    let path = path.key(&chosen.key);
    let Some(media_type) = context.follow_or_degrade(&chosen.value, path.place(&chosen.value), depends, report) else {
        return Vec::new();
    };
    let family = Family::of(&chosen.key);
    if family == Family::Other {
        let why = format!("{} has no text form; the argument takes the bytes as base64", chosen.key);
        report.lose("media-type", path.at(chosen.key_origin), why);
    }
    if family == Family::Multipart {
        lose_part_styles(media_type, &path.key("encoding"), report);
    }
    let path = path.key("schema");
    let place = path.at(media_type.get("schema").map_or(chosen.key_origin, |schema| schema.origin));
    let sent = Sent { chosen, media_type, family, required, place };
    if let (Some(schema), true) = (media_type.get("schema"), family.has_members()) {
        match members(&mut context.requests, schema) {
            Ok(found) => return sent.members(found, depends, context, report),
            Err(_) if family == Family::Json => {}
            Err(why) => report.lose("body-as-text", sent.place.clone(), format!("the form is one argument: {why}")),
        }
    }
    vec![sent.whole(body, depends, context, report)]
}

/// A part of a multipart body that is to be written like a query parameter (OpenAPI 3.1.1 section 4.8.15.2) is written as
/// its type says all the same.
fn lose_part_styles(media_type: &Node, path: &Path<'_>, report: &mut Report) {
    for part in media_type.get("encoding").into_iter().flat_map(Node::members) {
        if let Some(style) = part.value.get("style") {
            let why = format!("the part `{}` of a multipart body is sent as its type says, without a style", part.key);
            report.lose("part-style", path.key(&part.key).key("style").at(style.origin), why);
        }
    }
}

/// How the body goes out.
struct Sent<'s> {
    chosen: &'s Entry,
    media_type: &'s Node,
    family: Family,
    required: bool,
    place: Place,
}

impl<'s> Sent<'s> {
    fn members<'a: 's>(
        &self,
        found: super::schema::Members<'s>,
        depends: &mut Dependencies,
        context: &Context<'a>,
        report: &mut Report,
    ) -> Vec<Argument<'s>> {
        if let Some(schema) = self.media_type.get("schema") {
            // The schema itself is taken apart and so not among what the translation reaches.
            let _ = context.follow(schema, depends);
            note_branches(context, schema, depends, 0);
        }
        let base = Path::new(&self.place.pointer);
        let base = base.key("properties");
        for (name, schema) in &found.hidden {
            report.lose("read-only", base.key(name).place(schema), "it is readOnly, so a request cannot set it");
        }
        for (keyword, value) in &found.dropped {
            let why = format!("`{keyword}` rules the whole body and has no place among arguments");
            report.lose("body-rule", Place { origin: value.origin, pointer: self.place.pointer.clone() }, why);
        }
        if found.properties.is_empty() {
            let why = if found.hidden.is_empty() {
                "the body has no members"
            } else {
                "all members of the body are readOnly"
            };
            report.lose("empty-body", self.place.clone(), why);
        }
        for name in &found.required {
            if !found.properties.iter().any(|(known, _)| known == name) {
                let why = format!("the body requires `{name}`, which no property describes; a call cannot give it");
                report.lose("required-without-property", self.place.clone(), why);
            }
        }
        let encoding = self.media_type.get("encoding");
        let rows = found.properties.into_iter().map(|(name, schemas)| {
            let place = base.key(&name).at(schemas.first().map_or(self.place.origin, |schema| schema.origin));
            let encoding = encoding.and_then(|map| map.get(&name));
            let (style, explode) = self.field_style(encoding);
            Argument {
                required: self.required && found.required.contains(&name),
                location: ParameterIn::Body,
                wire_name: Some(name.clone()),
                name,
                style,
                explode,
                allow_reserved: encoding.and_then(|it| it.get("allowReserved")).and_then(Node::as_bool) == Some(true),
                media_type: Some(media::sent_as(&self.chosen.key)),
                content_type: encoding.and_then(|encoding| encoding.text("contentType")).map(Into::into),
                meaning: Meaning::none(place.origin),
                schemas,
                place,
            }
        });
        rows.collect()
    }

    /// A form field is written like a query parameter where its `encoding` speaks of that; else by the type of its
    /// value: scalars as they are, lists item by item, objects as JSON (OpenAPI 3.1.1 section 4.8.15.1).
    fn field_style(&self, encoding: Option<&Node>) -> (Option<Style>, Option<bool>) {
        let speaks =
            |encoding: &Node| ["style", "explode", "allowReserved"].iter().any(|key| encoding.get(key).is_some());
        if self.family != Family::Form || !encoding.is_some_and(speaks) {
            return (None, None);
        }
        let style = match encoding.and_then(|encoding| encoding.text("style")) {
            Some("spaceDelimited") => Style::SpaceDelimited,
            Some("pipeDelimited") => Style::PipeDelimited,
            Some("tabDelimited") => Style::TabDelimited,
            Some("deepObject") => Style::DeepObject,
            _ => Style::Form,
        };
        let explode = encoding.and_then(|encoding| encoding.get("explode")).and_then(Node::as_bool);
        (Some(style), Some(explode.unwrap_or(style == Style::Form)))
    }

    /// The schema of a body that is one argument. Bytes and text have a schema only where it is one of a scalar.
    fn kept_schema<'a: 's>(
        &self,
        depends: &mut Dependencies,
        context: &Context<'a>,
        report: &mut Report,
    ) -> Option<&'s Node> {
        let schema = self.media_type.get("schema")?;
        let mut kind = || context.follow(schema, depends).ok().and_then(|schema| schema.text("type"));
        match self.family {
            Family::Json | Family::Form | Family::Multipart => return Some(schema),
            Family::Octets | Family::Other => {}
            Family::Text | Family::Xml => match kind() {
                Some("string" | "integer" | "number" | "boolean") => return Some(schema),
                _ => {
                    let why = format!("the body is {}; the argument is its text, without structure", self.chosen.key);
                    report.lose("body-as-text", self.place.clone(), why);
                }
            },
        }
        None
    }

    fn whole<'a: 's>(
        &self,
        body: &'s Node,
        depends: &mut Dependencies,
        context: &Context<'a>,
        report: &mut Report,
    ) -> Argument<'s> {
        let schema = self.kept_schema(depends, context, report);
        let name: Arc<str> = "body".into();
        Argument {
            name,
            location: ParameterIn::Body,
            wire_name: None,
            required: self.required,
            style: None,
            explode: None,
            allow_reserved: false,
            media_type: Some(media::sent_as(&self.chosen.key)),
            content_type: None,
            schemas: schema.into_iter().collect(),
            meaning: Meaning { fallback: self.family.fallback_type(), ..Meaning::of(body) },
            place: self.place.clone(),
        }
    }
}

/// Notes the references of `allOf` branches, which were taken apart as well.
fn note_branches<'s, 'a: 's>(context: &Context<'a>, schema: &'s Node, depends: &mut Dependencies, depth: usize) {
    let Ok(schema) = context.follow(schema, depends) else { return };
    let branches = ["allOf", "oneOf", "anyOf"].iter().filter_map(|keyword| schema.get(keyword));
    if depth < 32 {
        branches.flat_map(Node::items).for_each(|branch| note_branches(context, branch, depends, depth + 1));
    }
}
