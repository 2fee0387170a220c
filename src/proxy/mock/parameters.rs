//! Parameters of an operation, read from the document, and the values of a request held to them.

use percent_encoding::percent_decode_str;

use super::route::{Captures, Route};
use crate::document::{DocumentSet, MASK, Node, is_secret_header, is_secret_key};

/// A parameter as the document declares it.
pub(super) struct Parameter<'a> {
    node: &'a Node,
    name: &'a str,
    place: &'a str,
}

/// All parameters: those of the operation, then those of the path item that it does not have itself.
pub(super) fn declared(route: &Route) -> Vec<Parameter<'_>> {
    let operation = &route.tool.operation;
    let mut found: Vec<Parameter<'_>> = Vec::new();
    for list in [operation.node.get("parameters"), operation.item.get("parameters")].into_iter().flatten() {
        for written in list.items() {
            let Ok(node) = route.documents.follow(written) else { continue };
            let (Some(name), Some(place)) = (node.text("name"), node.text("in")) else { continue };
            if !found.iter().any(|known| known.name == name && known.place == place) {
                found.push(Parameter { node, name, place });
            }
        }
    }
    found
}

impl<'a> Parameter<'a> {
    pub(super) fn is_in(&self, place: &str) -> bool {
        self.place == place
    }

    pub(super) fn is_required(&self) -> bool {
        self.node.get("required").and_then(Node::as_bool).unwrap_or(false)
    }

    pub(super) fn name(&self) -> &'a str {
        self.name
    }

    pub(super) fn node(&self) -> &'a Node {
        self.node
    }

    /// The schema; in Swagger 2.0 the parameter itself.
    fn schema(&self, documents: &'a DocumentSet) -> &'a Node {
        let schema = self.node.get("schema").and_then(|schema| documents.follow(schema).ok());
        schema.unwrap_or(self.node)
    }

    fn is_object(&self, documents: &DocumentSet) -> bool {
        let schema = self.schema(documents);
        ["properties", "additionalProperties", "allOf", "oneOf", "anyOf"].iter().any(|key| schema.get(key).is_some())
            || schema.text("type") == Some("object")
    }

    /// Is that the name of a query pair of this parameter?
    fn owns(&self, name: &str, documents: &DocumentSet) -> bool {
        if name == self.name || name.strip_prefix(self.name).is_some_and(|rest| rest.starts_with('[')) {
            return true;
        }
        let exploded = self.node.get("explode").and_then(Node::as_bool).unwrap_or(true);
        let is_form = matches!(self.node.text("style"), None | Some("form"));
        if !(exploded && is_form && self.node.get("content").is_none() && self.is_object(documents)) {
            return false;
        }
        let schema = self.schema(documents);
        let closed = schema.get("additionalProperties").and_then(Node::as_bool) == Some(false);
        !closed || schema.get("properties").is_some_and(|properties| properties.get(name).is_some())
    }

    /// What is wrong with a text where a plain value is declared.
    fn complain(&self, text: &str, documents: &DocumentSet) -> Option<String> {
        let schema = self.schema(documents);
        if self.node.get("content").is_some() {
            return None;
        }
        let fits = match schema.text("type") {
            Some("integer") => text.parse::<i128>().is_ok() || text.parse::<f64>().is_ok_and(|it| it.fract() == 0.0),
            Some("number") => text.parse::<f64>().is_ok(),
            Some("boolean") => matches!(text, "true" | "false"),
            Some("string") => match schema.get("enum").and_then(Node::as_list) {
                Some(values) => values.iter().any(|value| match value.as_str() {
                    Some(known) => known == text,
                    None => crate::document::to_json(value, false) == text,
                }),
                None => true,
            },
            _ => true,
        };
        let kind = schema.text("type").unwrap_or_default();
        (!fits).then(|| {
            let is_secret = is_secret_header(self.name) || is_secret_key(self.name);
            let text = if is_secret || schema.text("format") == Some("password") { MASK } else { text };
            format!("the {} parameter `{}` is `{text}`, which is no {kind} of the document", self.place, self.name)
        })
    }
}

/// The pairs of a query string, decoded.
pub(super) fn pairs(query: &str) -> Vec<(String, String)> {
    let decode = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned();
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, value)) => (decode(name), decode(value)),
        None => (decode(pair), String::new()),
    };
    query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect()
}

/// Path and query.
pub(super) fn check_address(
    route: &Route,
    parameters: &[Parameter<'_>],
    captures: &Captures,
    query: &str,
    problems: &mut Vec<String>,
) {
    let documents = &route.documents;
    for (name, value) in captures {
        let declared = parameters.iter().find(|parameter| parameter.is_in("path") && parameter.name == name);
        let plain = |it: &&Parameter<'_>| matches!(it.node.text("style"), None | Some("simple"));
        problems.extend(declared.filter(plain).and_then(|parameter| parameter.complain(value, documents)));
    }
    if parameters.iter().any(|parameter| parameter.is_in("querystring")) {
        return;
    }
    let pairs = pairs(query);
    let in_query: Vec<&Parameter<'_>> = parameters.iter().filter(|parameter| parameter.is_in("query")).collect();
    for parameter in &in_query {
        let own: Vec<&(String, String)> = pairs.iter().filter(|(name, _)| parameter.owns(name, documents)).collect();
        if parameter.is_required() && own.is_empty() && !parameter.is_object(documents) {
            problems.push(format!("the required query parameter `{}` is missing", parameter.name));
        }
        let exact = own.iter().filter(|(name, _)| name == parameter.name);
        problems.extend(exact.filter_map(|(_, value)| parameter.complain(value, documents)));
    }
    // A path template may hold a query of its own.
    let fixed = route.tool.operation.path.split_once('?').map(|(_, query)| self::pairs(query)).unwrap_or_default();
    for (name, _) in &pairs {
        let known = in_query.iter().any(|parameter| parameter.owns(name, documents))
            || fixed.iter().any(|(fixed, _)| fixed == name);
        if !known {
            problems.push(format!("the document has no query parameter `{name}`"));
        }
    }
}

/// Headers and cookies.
pub(super) fn check_headers(
    parameters: &[Parameter<'_>],
    headers: &[(String, String)],
    documents: &DocumentSet,
    problems: &mut Vec<String>,
) {
    let ignored =
        |name: &str| ["accept", "content-type", "authorization"].contains(&name.to_ascii_lowercase().as_str());
    let cookies: Vec<(&str, &str)> = headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("cookie"))
        .flat_map(|(_, value)| value.split("; "))
        .filter_map(|pair| pair.split_once('='))
        .collect();
    for parameter in parameters {
        let values: Vec<&str> = match parameter.place {
            "header" if !ignored(parameter.name) => {
                let own = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case(parameter.name));
                own.map(|(_, value)| value.as_str()).collect()
            }
            "cookie" => cookies.iter().filter(|(name, _)| *name == parameter.name).map(|(_, value)| *value).collect(),
            _ => continue,
        };
        if parameter.is_required() && values.is_empty() && !parameter.is_object(documents) {
            problems.push(format!("the required {} parameter `{}` is missing", parameter.place, parameter.name));
        }
        if parameter.place == "header" {
            problems.extend(values.iter().filter_map(|value| parameter.complain(value, documents)));
        }
    }
}
