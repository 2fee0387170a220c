//! The path of a request: every placeholder of the template filled in.

use crate::derive::{Binding, ParameterIn, Style};
use crate::document::{Node, to_json};

use super::encode::Encoder;
use super::percent::{Coding, literal};
use super::request::PartPlace;
use super::style::{self, Unwritable};

impl Encoder<'_> {
    /// Appends the path to the URL. What follows a `?` in the template is the start of the query; a fragment is never
    /// sent.
    pub(crate) fn path(&mut self, template: &str) {
        let begin = self.url.len();
        if !template.starts_with('/') {
            self.url.push('/');
        }
        let mut rest = template;
        let mut filled = Vec::new();
        loop {
            let brace = rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)));
            let (before, placeholder) = match brace {
                Some((before, (name, after))) if !before.contains('#') => (before, Some((name, after))),
                _ => (rest, None),
            };
            let before = before.split('#').next().unwrap_or_default();
            self.url.push_str(&literal(before));
            let Some((name, after)) = placeholder else { break };
            match self.binding.iter().find(|row| is_placeholder(row, name)) {
                Some(row) => filled.extend(self.fill(row)),
                // Only `{}` has no row: it is text.
                None => self.url.push_str(&literal(&format!("{{{name}}}"))),
            }
            rest = after;
        }
        self.check_segments(begin, &filled);
    }

    /// Writes a placeholder; gives back its row and where in the URL it is.
    fn fill<'b>(&mut self, row: &'b Binding) -> Option<(&'b Binding, std::ops::Range<usize>)> {
        let written = match self.value(row) {
            Some(value) => expand(row, value),
            None => Err(Unwritable::new("required", "it is missing, and the path needs it")),
        };
        match written {
            Ok(text) => {
                let start = self.url.len();
                self.url.push_str(&text);
                let range = start..self.url.len();
                self.part(row, PartPlace::Path(range.clone()));
                Some((row, range))
            }
            Err(why) => {
                // A placeholder may be there several times; one complaint is enough.
                if !self.problems.iter().any(|known| *known.argument == *row.argument) {
                    self.refuse(row, why);
                }
                None
            }
        }
    }

    /// A segment that a value made empty or a dot would lead elsewhere (RFC 3986 section 5.2.4).
    fn check_segments(&mut self, begin: usize, filled: &[(&Binding, std::ops::Range<usize>)]) {
        let url = std::mem::take(&mut self.url);
        let mut start = begin;
        let path = url.get(begin..).unwrap_or_default().split('?').next().unwrap_or_default();
        for segment in path.split('/') {
            let end = start + segment.len();
            let plain = segment.to_ascii_lowercase().replace("%2e", ".");
            let inside = filled.iter().find(|(_, range)| range.start >= start && range.end <= end);
            if let (Some((row, _)), "." | "..") = (inside, plain.as_str()) {
                let message = format!("it makes `{plain}` of a path segment, which leads to another path");
                self.refuse(row, Unwritable::new("path-segment", message));
            }
            start = end + 1;
        }
        self.url = url;
    }
}

fn is_placeholder(row: &Binding, name: &str) -> bool {
    row.location == ParameterIn::Path && row.wire_name.as_deref() == Some(name)
}

fn expand(row: &Binding, value: &Node) -> Result<String, Unwritable> {
    let coding = Coding::Path { reserved: row.allow_reserved };
    let empty = || Unwritable::new("path-segment", format!("{} is empty, and would lead to another path", kind(value)));
    let Some(style) = row.style else {
        return Ok(coding.value(&content(row, value)));
    };
    let name = row.wire_name.as_deref().unwrap_or_default();
    let explode = row.explode.unwrap_or(false);
    // The styles of queries have no meaning in a path; a document that uses one means its separator.
    let text = match style {
        Style::Simple | Style::Label | Style::Matrix => style::expand(name, value, style, explode, coding)?,
        _ => style::expand(name, value, Style::Simple, explode, coding)?,
    };
    text.filter(|text| !text.is_empty()).ok_or_else(empty)
}

fn kind(value: &Node) -> &'static str {
    match value.kind() {
        "array" => "the list",
        "object" => "the object",
        "null" => "null",
        _ => "the text",
    }
}

/// A `content` parameter: JSON, or text as it is where the media type is not JSON.
pub(crate) fn content(row: &Binding, value: &Node) -> String {
    use crate::derive::Family;
    let json = row.media_type.as_deref().is_none_or(|media_type| Family::of(media_type) == Family::Json);
    match value.as_str() {
        Some(text) if !json => text.to_owned(),
        _ => to_json(value, false),
    }
}
