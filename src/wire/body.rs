//! The body of a request.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use crate::derive::{Binding, Family, ParameterIn, Style};
use crate::document::{Entry, Node, pointer, to_json};

use super::encode::Encoder;
use super::multipart;
use super::percent::Coding;
use super::request::{Body, PartPlace};
use super::style::{self, Unwritable};

/// A member of the body that is sent.
pub(crate) struct Field<'a> {
    pub(crate) name: &'a str,
    pub(crate) row: Option<&'a Binding>,
    pub(crate) value: &'a Node,
}

impl Encoder<'_> {
    /// The body, when there is something to send or one has to be.
    pub(crate) fn body(&mut self) -> Option<Body> {
        let operation = self.operation;
        let rows: Vec<&Binding> = self.binding.iter().filter(|row| row.location == ParameterIn::Body).collect();
        let declared = operation.messages.body.as_ref();
        let media_type = declared
            .map(|body| body.media_type.clone())
            .or_else(|| rows.iter().find_map(|row| row.media_type.clone()))
            .unwrap_or_else(|| "application/json".into());
        let family = Family::of(&media_type);
        let required = declared.is_some_and(|body| body.required);
        if let Some(whole) = rows.iter().find(|row| row.wire_name.is_none()) {
            if let Some(value) = self.value(whole) {
                self.part(whole, PartPlace::Body(String::new()));
                return match entire(value, whole, family, &media_type) {
                    Ok(body) => Some(body),
                    Err(why) => {
                        self.refuse(whole, why);
                        None
                    }
                };
            }
        } else {
            let mut fields = Vec::new();
            for row in &rows {
                let (Some(value), Some(name)) = (self.value(row), row.wire_name.as_deref()) else { continue };
                self.part(row, PartPlace::Body(format!("/{}", pointer::escape(name))));
                fields.push(Field { name, row: Some(row), value });
            }
            if !fields.is_empty() {
                return self.fields(&fields, family, &media_type);
            }
        }
        (required && family == Family::Json).then(|| Body { media_type: media_type.to_string(), bytes: b"{}".to_vec() })
    }

    fn fields(&mut self, fields: &[Field<'_>], family: Family, media_type: &Arc<str>) -> Option<Body> {
        let body = match family {
            Family::Form => {
                form(fields).map(|text| Body { media_type: media_type.to_string(), bytes: text.into_bytes() })
            }
            Family::Multipart => multipart::write(fields, media_type),
            _ => {
                let entries = fields.iter().map(|field| Entry {
                    key: field.name.into(),
                    key_origin: field.value.origin,
                    value: field.value.clone(),
                });
                let map = Node::map(entries.collect(), self.origin);
                Ok(Body { media_type: media_type.to_string(), bytes: to_json(&map, false).into_bytes() })
            }
        };
        match body {
            Ok(body) => Some(body),
            Err((name, why)) => {
                match fields.iter().find(|field| *field.name == *name).and_then(|field| field.row) {
                    Some(row) => self.refuse(row, why),
                    None => self.problems.push(super::ArgumentProblem::call(why.rule, why.message)),
                }
                None
            }
        }
    }
}

/// The name of the field that cannot be written, and why.
pub(crate) type FieldError = (String, Unwritable);

/// One argument is all of the body.
fn entire(value: &Node, row: &Binding, family: Family, media_type: &Arc<str>) -> Result<Body, Unwritable> {
    let done = |bytes: Vec<u8>| Ok(Body { media_type: media_type.to_string(), bytes });
    match family {
        Family::Json => done(to_json(value, false).into_bytes()),
        Family::Text | Family::Xml if value.as_map().is_some() || value.as_list().is_some() => {
            let message = format!("{media_type} is given as its text, not as {}", value.kind());
            Err(Unwritable::new("type", message))
        }
        Family::Text | Family::Xml => {
            let text = style::text(value);
            super::charset::write(&text, media_type).and_then(done)
        }
        Family::Form | Family::Multipart => match value.as_map() {
            Some(map) => {
                let fields: Vec<Field<'_>> =
                    map.iter().map(|member| Field { name: &member.key, row: None, value: &member.value }).collect();
                let written = match family {
                    Family::Form => {
                        form(&fields).map(|text| Body { media_type: media_type.to_string(), bytes: text.into_bytes() })
                    }
                    _ => multipart::write(&fields, media_type),
                };
                written.map_err(|(name, why)| Unwritable::new(why.rule, format!("`{name}`: {}", why.message)))
            }
            // A form that somebody has written already.
            None if family == Family::Form && value.as_str().is_some() => done(style::text(value).as_bytes().to_vec()),
            None => {
                let message =
                    format!("`{}` is sent as {media_type}, which is made of the members of an object", row.argument);
                Err(Unwritable::new("type", message))
            }
        },
        Family::Octets | Family::Other => match (file(value), value.as_str()) {
            (Some(file), _) => bytes(file.base64).and_then(done),
            (None, Some(text)) => bytes(text).and_then(done),
            (None, None) => {
                Err(Unwritable::new("type", format!("{media_type} is given as base64 text, not as {}", value.kind())))
            }
        },
    }
}

/// A form: fields with a style like a query, others by the type of their value.
fn form(fields: &[Field<'_>]) -> Result<String, FieldError> {
    let mut written = Vec::new();
    for field in fields {
        let style = field.row.and_then(|row| row.style);
        let explode = field.row.and_then(|row| row.explode).unwrap_or(true);
        let reserved = field.row.is_some_and(|row| row.allow_reserved);
        let coding = if reserved { Coding::Query { reserved } } else { Coding::Form };
        let json =
            field.row.and_then(|row| row.content_type.as_deref()).is_some_and(|it| Family::of(it) == Family::Json);
        let whole = || vec![(coding.name(field.name), coding.value(&style::text(field.value)))];
        let pairs = match style {
            Some(style) => style::pairs(field.name, field.value, style, explode, coding),
            None if json => Ok(vec![(coding.name(field.name), coding.value(&to_json(field.value, false)))]),
            None if field.value.as_map().is_some() => Ok(whole()),
            None => style::pairs(field.name, field.value, Style::Form, true, coding),
        };
        let pairs = pairs.map_err(|why| (field.name.to_owned(), why))?;
        written.extend(pairs.into_iter().map(|(name, value)| format!("{name}={value}")));
    }
    Ok(written.join("&"))
}

/// A file, as an argument gives it.
pub(crate) struct File<'a> {
    pub(crate) filename: Option<&'a str>,
    pub(crate) content_type: Option<&'a str>,
    pub(crate) base64: &'a str,
}

/// The value as a file, when it has the members of one and no other.
pub(crate) fn file(value: &Node) -> Option<File<'_>> {
    let map = value.as_map()?;
    let known = map.iter().all(|member| matches!(&*member.key, "filename" | "content_type" | "base64"));
    let base64 = map.get("base64").filter(|_| known)?.as_str()?;
    Some(File { filename: value.text("filename"), content_type: value.text("content_type"), base64 })
}

/// The bytes of base64 text, with or without padding, line breaks aside.
pub(crate) fn bytes(text: &str) -> Result<Vec<u8>, Unwritable> {
    let compact: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let bytes = STANDARD.decode(&compact).or_else(|_| STANDARD_NO_PAD.decode(&compact));
    bytes
        .map_err(|error| Unwritable::new("base64", format!("the bytes are given as base64, and this is none: {error}")))
}
