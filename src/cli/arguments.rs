//! Arguments of a call from the command line: `name=value`, `name:=json`, `name@file`, and all of them as JSON.

use std::io::Read;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json, json};

use super::failure::Failure;
use crate::document::Node;

/// The arguments. `schema` is the InputSchema, which tells text from what only looks like a number.
///
/// # Errors
/// JSON that does not parse, a file that cannot be read.
pub(super) fn read(
    all: Option<&str>,
    each: &[String],
    schema: &Node,
    cwd: &Path,
) -> Result<Map<String, Json>, Failure> {
    let mut arguments = match all {
        Some(text) => object(text, cwd)?,
        None => Map::new(),
    };
    for text in each {
        let (name, value) = one(text, schema, cwd)?;
        let listed = property(schema, &name).filter(|property| is_file_list(property)).is_some();
        match arguments.get_mut(&name) {
            // Several files for one argument are a list.
            Some(Json::Array(items)) if listed => items.push(value),
            _ if listed && value.is_object() => {
                arguments.insert(name, json!([value]));
            }
            _ => {
                arguments.insert(name, value);
            }
        }
    }
    Ok(arguments)
}

fn object(text: &str, cwd: &Path) -> Result<Map<String, Json>, Failure> {
    let (name, json) = match text.strip_prefix('@') {
        Some(path) => (path.to_owned(), String::from_utf8_lossy(&file(path, cwd)?).into_owned()),
        None if text == "-" => {
            let mut json = String::new();
            std::io::stdin().read_to_string(&mut json).map_err(|error| {
                Failure::usage(format!("--args -: standard input cannot be read: {error}"), "Give the JSON itself.")
            })?;
            ("standard input".to_owned(), json)
        }
        None => ("--args".to_owned(), text.to_owned()),
    };
    match serde_json::from_str(&json) {
        Ok(Json::Object(map)) => Ok(map),
        Ok(_) => Err(Failure::usage(format!("{name} is no JSON object"), "Write it like '{\"id\": 7}'.")),
        Err(error) => Err(Failure::usage(format!("{name} is no JSON: {error}"), "Write it like '{\"id\": 7}'.")),
    }
}

fn one(text: &str, schema: &Node, cwd: &Path) -> Result<(String, Json), Failure> {
    let at = text.find(['=', '@']).filter(|at| *at > 0);
    let Some((name, rest)) = at.and_then(|at| text.split_at_checked(at)) else {
        return Err(Failure::usage(
            format!("--arg {text}: there is no value"),
            "Write name=value, name:=json or name@file.",
        ));
    };
    if let Some(path) = rest.strip_prefix('@') {
        return Ok((name.to_owned(), from_file(property(schema, name), path, cwd)?));
    }
    let value = rest.strip_prefix('=').unwrap_or(rest);
    if let Some(name) = name.strip_suffix(':') {
        let parsed = serde_json::from_str(value).map_err(|error| {
            Failure::usage(format!("--arg {name}: the value is no JSON: {error}"), "Write name=value for text.")
        })?;
        return Ok((name.to_owned(), parsed));
    }
    Ok((name.to_owned(), plain(property(schema, name), value)))
}

fn property<'a>(schema: &'a Node, name: &str) -> Option<&'a Node> {
    schema.get("properties")?.get(name)
}

/// JSON if it parses, else text; text where the schema takes nothing else.
fn plain(property: Option<&Node>, value: &str) -> Json {
    let is_text = property.is_some_and(|property| property.text("type") == Some("string"));
    match serde_json::from_str::<Json>(value) {
        Ok(parsed) if !is_text || parsed.is_string() => parsed,
        _ => Json::String(value.to_owned()),
    }
}

fn is_file(schema: &Node) -> bool {
    schema.get("properties").is_some_and(|properties| properties.get("base64").is_some())
}

fn is_file_list(schema: &Node) -> bool {
    schema.get("items").is_some_and(is_file)
}

fn from_file(property: Option<&Node>, path: &str, cwd: &Path) -> Result<Json, Failure> {
    let bytes = file(path, cwd)?;
    if property.is_some_and(|property| is_file(property) || is_file_list(property)) {
        let name = Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        return Ok(json!({"filename": name, "content_type": media_type(path), "base64": STANDARD.encode(&bytes)}));
    }
    let is_base64 = property.is_some_and(|property| {
        property.text("contentEncoding") == Some("base64") || matches!(property.text("format"), Some("byte" | "binary"))
    });
    match String::from_utf8(bytes) {
        Ok(text) if !is_base64 => {
            // The line break at the end belongs to the file, not to the value.
            let trimmed = text.strip_suffix('\n').unwrap_or(&text);
            Ok(plain(property, trimmed))
        }
        Ok(text) => Ok(Json::String(STANDARD.encode(text))),
        Err(error) => Ok(Json::String(STANDARD.encode(error.as_bytes()))),
    }
}

fn file(path: &str, cwd: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(cwd.join(path))
        .map_err(|error| Failure::usage(format!("the file {path} cannot be read: {error}"), "Check the path."))
}

fn media_type(path: &str) -> &'static str {
    let extension = Path::new(path).extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("webp") => "image/webp",
        Some("svg") => "image/svg+xml",
        Some("pdf") => "application/pdf",
        Some("json") => "application/json",
        Some("csv") => "text/csv",
        Some("txt") => "text/plain",
        Some("html") => "text/html",
        Some("xml") => "application/xml",
        Some("zip") => "application/zip",
        Some("mp3") => "audio/mpeg",
        Some("wav") => "audio/wav",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::proxy::from_json;

    fn schema() -> Node {
        from_json(json!({"properties": {
            "zip": {"type": "string"},
            "id": {"type": "integer"},
            "file": {"properties": {"base64": {}}},
            "files": {"items": {"properties": {"base64": {}}}},
            "raw": {"type": "string", "contentEncoding": "base64"},
        }}))
    }

    #[test]
    fn values_are_json_text_or_files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.png"), [0x89, b'P']).unwrap();
        std::fs::write(folder.path().join("a.json"), "{\"b\": 1}\n").unwrap();
        std::fs::write(folder.path().join("a.txt"), "hello\n").unwrap();
        let cases = [
            ("id=7", json!({"id": 7})),
            ("zip=01234", json!({"zip": "01234"})),
            ("zip=7", json!({"zip": "7"})),
            ("zip=\"7\"", json!({"zip": "7"})),
            ("zip:=7", json!({"zip": 7})),
            ("other=a=b@c", json!({"other": "a=b@c"})),
            ("other=", json!({"other": ""})),
            ("other=[1, 2]", json!({"other": [1, 2]})),
            ("other=true", json!({"other": true})),
            ("other@a.json", json!({"other": {"b": 1}})),
            ("other@a.txt", json!({"other": "hello"})),
            ("other@a.png", json!({"other": "iVA="})),
            ("raw@a.txt", json!({"raw": "aGVsbG8K"})),
            ("file@a.png", json!({"file": {"filename": "a.png", "content_type": "image/png", "base64": "iVA="}})),
            ("files@a.png", json!({"files": [{"filename": "a.png", "content_type": "image/png", "base64": "iVA="}]})),
        ];
        for (text, expected) in cases {
            let found = read(None, &[text.to_owned()], &schema(), folder.path()).unwrap();
            assert_eq!(Json::Object(found), expected, "{text}");
        }
        let both = read(Some("{\"id\": 1, \"zip\": \"x\"}"), &["id=2".to_owned()], &schema(), folder.path()).unwrap();
        assert_eq!(Json::Object(both), json!({"id": 2, "zip": "x"}));
        let two = ["files@a.png".to_owned(), "files@a.txt".to_owned()];
        let two = read(None, &two, &schema(), folder.path()).unwrap();
        assert_eq!(two.get("files").and_then(Json::as_array).map(Vec::len), Some(2));
        for wrong in ["id", "=7", "@a", "id:=x", "id@none.txt"] {
            assert!(read(None, &[wrong.to_owned()], &schema(), folder.path()).is_err(), "{wrong}");
        }
        for wrong in ["[]", "{", "@none.json", "7"] {
            assert!(read(Some(wrong), &[], &schema(), folder.path()).is_err(), "{wrong}");
        }
    }
}
