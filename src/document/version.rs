//! Which version of OpenAPI a document is written in.

use super::source::Place;
use super::{Finding, Node, Value};

/// A version whose rules differ from the others'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// Swagger 2.0.
    Swagger2,
    /// OpenAPI 3.0.x.
    V3_0,
    /// OpenAPI 3.1.x.
    V3_1,
    /// OpenAPI 3.2.x.
    V3_2,
}

impl Version {
    /// `2.0`, `3.0`, `3.1` or `3.2`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Swagger2 => "2.0",
            Self::V3_0 => "3.0",
            Self::V3_1 => "3.1",
            Self::V3_2 => "3.2",
        }
    }
}

const KNOWN: &str = "Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are read";

/// The version of a document by its field `openapi` or `swagger`, and what is odd about the way it is written
/// (a number instead of text, a version without its last part, both fields).
///
/// # Errors
/// A finding: the version is none that is known (`unknown-version`), or the document is no OpenAPI document at all
/// (`not-openapi`); then the message says what it seems to be.
pub fn version(root: &Node) -> Result<(Version, Vec<Finding>), Box<Finding>> {
    let (name, field) = match (root.get("openapi"), root.get("swagger")) {
        (Some(field), _) => ("openapi", field),
        (None, Some(field)) => ("swagger", field),
        (None, None) => return Err(Box::new(no_openapi(root))),
    };
    let mut findings = Vec::new();
    if name == "openapi"
        && let Some(other) = root.get("swagger")
    {
        let message = "the document has both `openapi` and `swagger`; it is read by `openapi`";
        findings.push(at("two-versions", message.to_owned(), other, "swagger").remedy("remove one of them"));
    }
    let text = match &field.value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => {
            let message = format!("the version `{number}` is a number, not text");
            let remedy = format!("write `{name}: \"{number}\"` with quotes");
            findings.push(at("version-is-number", message, field, name).remedy(remedy));
            number.to_string()
        }
        _ => {
            let message = format!("the field `{name}` is {}, not the text of a version", article(field));
            return Err(Box::new(error("unknown-version", message, field, name).remedy(KNOWN)));
        }
    };
    let Some(version) = known(name, &text) else {
        return Err(Box::new(unknown(name, &text, field)));
    };
    if matches!(text.as_str(), "2" | "3") {
        let message = format!("the version `{text}` is not complete; it is read as {}", version.as_str());
        findings.push(at("version-is-short", message, field, name).remedy("write the whole version"));
    }
    Ok((version, findings))
}

fn known(name: &str, text: &str) -> Option<Version> {
    if name == "swagger" {
        return (text == "2.0" || text == "2" || text.starts_with("2.0.")).then_some(Version::Swagger2);
    }
    let minor = match text.strip_prefix('3')? {
        "" => "0",
        rest => rest.strip_prefix('.')?,
    };
    // What follows the second point is the patch level, which changes no rule.
    match minor.split('.').next()? {
        "0" => Some(Version::V3_0),
        "1" => Some(Version::V3_1),
        "2" => Some(Version::V3_2),
        _ => None,
    }
}

fn unknown(name: &'static str, text: &str, field: &Node) -> Finding {
    let shown: String = text.chars().take(40).collect();
    let finding =
        error("unknown-version", format!("`{name}: {shown}` is no version that is known; {KNOWN}"), field, name);
    match (name, text.chars().next()) {
        ("swagger", Some('3')) => finding.remedy("rename the field to `openapi`: from 3.0 on it has that name"),
        ("openapi", Some('2')) => finding.remedy("rename the field to `swagger`: in 2.0 it has that name"),
        (_, Some('1')) => finding.remedy("convert the document to OpenAPI 3 first"),
        _ => finding
            .remedy("check the version; a document of a newer one may be readable when you write the last one known"),
    }
}

fn no_openapi(root: &Node) -> Finding {
    let (what, remedy) = match &root.value {
        Value::Map(_) => recognise(root),
        _ => (Some(article(root)), None),
    };
    let what = what.map_or_else(
        || "it has neither a field `openapi` nor a field `swagger`".to_owned(),
        |what| format!("it seems to be {what}"),
    );
    let finding = Finding::error("not-openapi", format!("this is no OpenAPI document: {what}"))
        .at(Place { origin: root.origin, pointer: "".into() });
    finding.remedy(remedy.unwrap_or("give the path or address of an OpenAPI document"))
}

/// What a map without a version field seems to be, and what to do with it.
fn recognise(root: &Node) -> (Option<&'static str>, Option<&'static str>) {
    let has = |key: &str| root.get(key).is_some();
    let info = |key: &str| root.get("info").and_then(|info| info.get(key)).is_some();
    let text = |key: &str, part: &str| root.text(key).is_some_and(|text| text.contains(part));
    if has("overlay") {
        return (Some("an overlay"), Some("give it as an overlay, beside the document that it changes"));
    }
    if has("swaggerVersion") {
        return (Some("a document of Swagger 1.x"), Some("convert the document to OpenAPI 3 first"));
    }
    let postman =
        root.get("info").and_then(|info| info.text("schema")).is_some_and(|uri| uri.contains("getpostman.com"));
    let cases = [
        (has("arazzo"), "an Arazzo description of workflows"),
        (has("asyncapi"), "an AsyncAPI document"),
        (has("openrpc"), "an OpenRPC document"),
        (postman || info("_postman_id") || has("item") && has("info"), "a Postman collection"),
        (text("kind", "discovery#"), "a Google discovery document"),
        (has("apiVersion") && has("kind"), "a Kubernetes manifest"),
        (root.get("log").is_some_and(|log| log.get("entries").is_some()), "a HAR recording"),
        (has("__schema") || root.get("data").is_some_and(|data| data.get("__schema").is_some()), "a GraphQL schema"),
        (has("tools") && !has("paths"), "a list of MCP tools"),
        (has("paths"), "an OpenAPI document whose version is missing, or a part of one"),
        (has("get") || has("post") || has("put") || has("delete"), "a path item, a part of an OpenAPI document"),
        (text("$schema", "json-schema") || has("$defs") || has("definitions"), "a JSON schema"),
        (has("properties") || has("allOf") || has("oneOf") || has("anyOf"), "a JSON schema"),
        (has("error") || has("errors") || has("message"), "an error message of a server"),
    ];
    let found = cases.into_iter().find_map(|(is, what)| is.then_some(what));
    let remedy = match found {
        Some(what) if what.contains("version is missing") => {
            Some("write `openapi: 3.0.3` (or the right version) at its top")
        }
        _ => None,
    };
    (found, remedy)
}

fn article(node: &Node) -> &'static str {
    match node.value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
    }
}

fn error(code: &'static str, message: String, node: &Node, name: &str) -> Finding {
    Finding::error(code, message).at(Place { origin: node.origin, pointer: format!("/{name}").into() })
}

fn at(code: &'static str, message: String, node: &Node, name: &str) -> Finding {
    Finding::warning(code, message).at(Place { origin: node.origin, pointer: format!("/{name}").into() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use super::super::{FileId, parse};
    use super::*;

    fn of(text: &str) -> Result<(Version, Vec<Finding>), Box<Finding>> {
        version(&parse(FileId(0), "x.yaml", text).unwrap().root)
    }

    #[test]
    fn known_versions() {
        let cases: [(&str, Version, &[&str]); 12] = [
            ("swagger: \"2.0\"", Version::Swagger2, &[]),
            ("swagger: 2.0", Version::Swagger2, &["version-is-number"]),
            ("swagger: 2", Version::Swagger2, &["version-is-number", "version-is-short"]),
            ("openapi: 3.0.3", Version::V3_0, &[]),
            ("openapi: '3.0'", Version::V3_0, &[]),
            ("openapi: 3.0", Version::V3_0, &["version-is-number"]),
            ("openapi: 3", Version::V3_0, &["version-is-number", "version-is-short"]),
            ("openapi: 3.0.0-RC1", Version::V3_0, &[]),
            ("openapi: 3.1", Version::V3_1, &["version-is-number"]),
            ("openapi: 3.1.2", Version::V3_1, &[]),
            ("openapi: 3.2.0", Version::V3_2, &[]),
            ("openapi: 3.0.0\nswagger: '2.0'", Version::V3_0, &["two-versions"]),
        ];
        for (text, expected, codes) in cases {
            let (version, findings) = of(text).unwrap();
            assert_eq!(version, expected, "{text}");
            assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), codes, "{text}");
        }
    }

    #[test]
    fn what_is_refused() {
        let cases = [
            ("openapi: 4.0.0", "unknown-version", "`openapi: 4.0.0`"),
            ("openapi: 3.3.0", "unknown-version", "`openapi: 3.3.0`"),
            ("openapi: 3.10.0", "unknown-version", "`openapi: 3.10.0`"),
            ("openapi: 30", "unknown-version", "`openapi: 30`"),
            ("openapi: 2.0", "unknown-version", "`openapi: 2.0`"),
            ("swagger: '1.2'", "unknown-version", "`swagger: 1.2`"),
            ("swagger: 3.0.0", "unknown-version", "`swagger: 3.0.0`"),
            ("openapi: [3]", "unknown-version", "is a list"),
            ("openapi:", "unknown-version", "is nothing"),
            ("overlay: 1.0.0", "not-openapi", "an overlay"),
            ("arazzo: 1.0.0", "not-openapi", "Arazzo"),
            ("asyncapi: 3.0.0", "not-openapi", "AsyncAPI"),
            ("info: {_postman_id: x}\nitem: []", "not-openapi", "Postman"),
            ("$schema: http://json-schema.org/draft-07/schema#", "not-openapi", "JSON schema"),
            ("type: object\nproperties: {}", "not-openapi", "JSON schema"),
            ("swaggerVersion: '1.2'", "not-openapi", "Swagger 1.x"),
            ("paths: {}", "not-openapi", "version is missing"),
            ("a: 1", "not-openapi", "neither a field `openapi` nor a field `swagger`"),
            ("hello", "not-openapi", "a text"),
            ("- 1", "not-openapi", "a list"),
        ];
        for (text, code, message) in cases {
            let finding = of(text).unwrap_err();
            assert_eq!((finding.code, finding.severity), (code, super::super::Severity::Error), "{text}");
            assert!(finding.message.contains(message), "{text}: {}", finding.message);
            assert!(finding.remedy.is_some());
        }
    }
}
