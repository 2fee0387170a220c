//! Query, headers and cookies of a request.

use crate::derive::{Binding, Family, ParameterIn, Style};
use crate::document::Node;

use super::encode::Encoder;
use super::path::content;
use super::percent::Coding;
use super::request::PartPlace;
use super::style::{self, Unwritable};

impl Encoder<'_> {
    /// Appends the query to the URL: that of the base URL, that of the template, then the arguments.
    pub(crate) fn query(&mut self, of_base: Option<&str>) {
        if let Some(query) = of_base {
            self.separate_query();
            self.url.push_str(query);
        }
        let binding = self.binding;
        for row in binding {
            let Some(value) = self.value(row) else { continue };
            let written = match row.location {
                ParameterIn::Query => query_pairs(row, value),
                ParameterIn::QueryString => query_string(row, value),
                _ => continue,
            };
            match written {
                Ok(pairs) if pairs.is_empty() => {}
                Ok(pairs) => {
                    self.separate_query();
                    let start = self.url.len();
                    let text: Vec<String> = pairs.into_iter().map(joined).collect();
                    self.url.push_str(&text.join("&"));
                    self.part(row, PartPlace::Query(start..self.url.len()));
                }
                Err(why) => self.refuse(row, why),
            }
        }
    }

    fn separate_query(&mut self) {
        if !self.url.contains('?') {
            self.url.push('?');
        } else if !self.url.ends_with(['?', '&']) {
            self.url.push('&');
        }
    }

    /// Appends header parameters, then one `Cookie` header.
    pub(crate) fn headers(&mut self) {
        let binding = self.binding;
        for row in binding.iter().filter(|row| row.location == ParameterIn::Header) {
            let Some(value) = self.value(row) else { continue };
            let name = row.wire_name.as_deref().unwrap_or_default();
            match header_value(row, value).and_then(|text| checked(name, text)) {
                Ok(None) => {}
                Ok(Some(text)) => {
                    self.part(row, PartPlace::Header(self.headers.len()));
                    self.headers.push((name.to_owned(), text));
                }
                Err(why) => self.refuse(row, why),
            }
        }
        let mut cookie = String::new();
        let index = self.headers.len();
        for row in binding.iter().filter(|row| row.location == ParameterIn::Cookie) {
            let Some(value) = self.value(row) else { continue };
            match cookie_pairs(row, value) {
                Ok(pairs) if pairs.is_empty() => {}
                Ok(pairs) => {
                    if !cookie.is_empty() {
                        cookie.push_str("; ");
                    }
                    let start = cookie.len();
                    let text: Vec<String> = pairs.into_iter().map(joined).collect();
                    cookie.push_str(&text.join("; "));
                    self.part(row, PartPlace::Cookie(index, start..cookie.len()));
                }
                Err(why) => self.refuse(row, why),
            }
        }
        if !cookie.is_empty() {
            self.headers.push(("Cookie".to_owned(), cookie));
        }
    }
}

type Pairs = Result<Vec<(String, String)>, Unwritable>;

fn joined((name, value): (String, String)) -> String {
    if name.is_empty() { value } else { format!("{name}={value}") }
}

fn query_pairs(row: &Binding, value: &Node) -> Pairs {
    let coding = Coding::Query { reserved: row.allow_reserved };
    let name = row.wire_name.as_deref().unwrap_or_default();
    match row.style {
        None => Ok(vec![(coding.name(name), coding.value(&content(row, value)))]),
        Some(style) => style::pairs(name, value, style, row.explode.unwrap_or(style == Style::Form), coding),
    }
}

/// The whole query (OpenAPI 3.2 section 4.12.2): a form, or the text of another media type, encoded as one.
fn query_string(row: &Binding, value: &Node) -> Pairs {
    let form = row.media_type.as_deref().is_none_or(|media_type| Family::of(media_type) == Family::Form);
    let coding = Coding::Query { reserved: row.allow_reserved };
    match (form, value.as_map()) {
        (true, Some(map)) => {
            let mut out = Vec::new();
            for member in map {
                let exploded = member.value.as_map().is_none();
                out.extend(match exploded {
                    true => style::pairs(&member.key, &member.value, Style::Form, true, coding)?,
                    false => vec![(coding.name(&member.key), coding.value(&style::text(&member.value)))],
                });
            }
            Ok(out)
        }
        (true, None) => Err(Unwritable::new(
            "type",
            format!("the query is made of the members of an object, not of {}", value.kind()),
        )),
        (false, _) => Ok(vec![(String::new(), coding.value(&content(row, value)))]),
    }
}

fn header_value(row: &Binding, value: &Node) -> Result<Option<String>, Unwritable> {
    match row.style {
        None => Ok(Some(content(row, value))),
        Some(_) => style::expand("", value, Style::Simple, row.explode.unwrap_or(false), Coding::Raw),
    }
}

/// Refuses what would end a header and start another one (RFC 9110 section 5.5).
fn checked(name: &str, value: Option<String>) -> Result<Option<String>, Unwritable> {
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(token) {
        return Err(Unwritable::new("header-name", format!("`{name}` is no name that a header can have")));
    }
    if value.as_deref().is_some_and(|value| value.chars().any(|c| c.is_control() && c != '\t')) {
        let message = "a header cannot hold line breaks or control characters";
        return Err(Unwritable::new("header-value", message));
    }
    Ok(value)
}

fn cookie_pairs(row: &Binding, value: &Node) -> Pairs {
    let name = row.wire_name.as_deref().unwrap_or_default();
    let style = row.style.unwrap_or(Style::Form);
    let explode = row.explode.unwrap_or(true);
    let encoded = Coding::Query { reserved: false };
    let pairs = match (row.style, style) {
        (None, _) => vec![(encoded.name(name), encoded.value(&content(row, value)))],
        (_, Style::Cookie) => style::pairs(name, value, Style::Form, explode, Coding::Raw)?,
        _ => style::pairs(name, value, style, explode, encoded)?,
    };
    // RFC 6265 section 4.1.1. Commas are refused by it as well, but OpenAPI's own lists are made with them.
    let forbidden = |c: char| c.is_control() || c.is_whitespace() || matches!(c, ';' | '"' | '\\') || !c.is_ascii();
    let bad = |text: &str| text.chars().find(|c| forbidden(*c));
    match pairs
        .iter()
        .find_map(|(name, value)| bad(name).or_else(|| bad(value)).or_else(|| name.chars().find(|c| *c == '=')))
    {
        Some(c) => Err(Unwritable::new("cookie-value", format!("a cookie cannot hold {c:?}"))),
        None => Ok(pairs),
    }
}
