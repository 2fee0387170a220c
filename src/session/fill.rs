//! Arguments of a case before they are sent: `${captured}` and references to secrets are replaced.

use std::collections::HashMap;
use std::path::Path;

use secrecy::ExposeSecret as _;
use serde_json::{Map, Value as Json};

use crate::workspace::{Env, SecretRef};

/// Arguments as they are sent.
#[derive(Debug, Default)]
pub struct Filled {
    /// The arguments.
    pub arguments: Map<String, Json>,
    /// Values that must not be shown.
    pub secrets: Vec<String>,
}

/// Is it a name for a captured variable?
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// A piece of a text.
#[derive(Debug, PartialEq)]
enum Piece<'a> {
    Text(&'a str),
    Variable(&'a str),
}

/// Splits a text at `${name}`; `$${name}` stands for `${name}` itself.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let (before, after) = rest.split_at(start);
        let inner = after.get(2..).unwrap_or_default();
        let end = inner.find('}').filter(|end| inner.get(..*end).is_some_and(is_name));
        let escaped = before.ends_with('$');
        match end {
            Some(end) if !escaped => {
                out.push(Piece::Text(before));
                out.push(Piece::Variable(inner.get(..end).unwrap_or_default()));
                rest = inner.get(end + 1..).unwrap_or_default();
            }
            _ => {
                // One `$` of an escape goes; what follows is text.
                out.push(Piece::Text(if escaped {
                    before.get(..before.len() - 1).unwrap_or_default()
                } else {
                    before
                }));
                out.push(Piece::Text("${"));
                rest = inner;
            }
        }
    }
    out.push(Piece::Text(rest));
    out.retain(|piece| !matches!(piece, Piece::Text("")));
    out
}

/// The names of all `${captured}` in some values, each once.
pub fn variables<'a>(values: impl Iterator<Item = &'a Json>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut open: Vec<&Json> = values.collect();
    open.reverse();
    while let Some(value) = open.pop() {
        match value {
            Json::String(text) => {
                for piece in pieces(text) {
                    if let Piece::Variable(name) = piece
                        && !names.iter().any(|known| known == name)
                    {
                        names.push(name.to_owned());
                    }
                }
            }
            Json::Array(items) => open.extend(items.iter().rev()),
            Json::Object(map) => open.extend(map.values().rev()),
            _ => {}
        }
    }
    names
}

/// Replaces variables and references. A text that is one variable becomes its value, of whatever type; within a text a
/// value stands as text.
///
/// # Errors
/// In words: a variable that was not captured, or a reference without a value. No secret is in it.
pub fn fill(
    arguments: &Map<String, Json>,
    variables: &HashMap<String, Json>,
    env: &dyn Env,
    folder: &Path,
) -> Result<Filled, String> {
    let mut filled = Filled { arguments: arguments.clone(), secrets: Vec::new() };
    let mut secrets = Vec::new();
    // The depth is that of the file, which the reader bounds.
    for value in filled.arguments.values_mut() {
        replace(value, variables, env, folder, &mut secrets)?;
    }
    filled.secrets = secrets;
    Ok(filled)
}

fn replace(
    value: &mut Json,
    variables: &HashMap<String, Json>,
    env: &dyn Env,
    folder: &Path,
    secrets: &mut Vec<String>,
) -> Result<(), String> {
    match value {
        Json::String(text) => {
            if let Some(new) = text_of(text, variables, env, folder, secrets)? {
                *value = new;
            }
            Ok(())
        }
        Json::Array(items) => items.iter_mut().try_for_each(|item| replace(item, variables, env, folder, secrets)),
        Json::Object(map) => map.values_mut().try_for_each(|item| replace(item, variables, env, folder, secrets)),
        _ => Ok(()),
    }
}

fn text_of(
    text: &str,
    variables: &HashMap<String, Json>,
    env: &dyn Env,
    folder: &Path,
    secrets: &mut Vec<String>,
) -> Result<Option<Json>, String> {
    if !text.contains("${") {
        let reference = SecretRef::parse(text, folder);
        if reference.is_literal() {
            return Ok(None);
        }
        let value = reference.resolve(env).map_err(|error| error.to_string())?;
        let value = value.expose_secret().to_owned();
        secrets.push(value.clone());
        return Ok(Some(Json::String(value)));
    }
    let value = |name: &str| variables.get(name).ok_or_else(|| format!("`${{{name}}}` was not captured"));
    let pieces = pieces(text);
    if let [Piece::Variable(name)] = pieces.as_slice() {
        return value(name).cloned().map(Some);
    }
    let mut whole = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => whole.push_str(text),
            Piece::Variable(name) => match value(name)? {
                Json::String(text) => whole.push_str(text),
                other => whole.push_str(&other.to_string()),
            },
        }
    }
    Ok(Some(Json::String(whole)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use serde_json::json;

    use super::*;

    struct Fixed;

    impl Env for Fixed {
        fn variable(&self, name: &str) -> Option<String> {
            (name == "TOKEN").then(|| "s3cret-value".to_owned())
        }

        fn file(&self, path: &Path) -> std::io::Result<String> {
            if path == Path::new("/suites/key.txt") {
                Ok("of-a-file\n".to_owned())
            } else {
                Err(std::io::Error::other("gone"))
            }
        }
    }

    #[test]
    fn variables_keep_their_type_and_secrets_are_named() {
        let known = HashMap::from([
            ("id".to_owned(), json!(7)),
            ("name".to_owned(), json!("Rex")),
            ("tags".to_owned(), json!(["a", "b"])),
        ]);
        let cases: [(Json, Result<Json, &str>, &[&str]); 12] = [
            (json!("${id}"), Ok(json!(7)), &[]),
            (json!("pet-${id}-${name}"), Ok(json!("pet-7-Rex")), &[]),
            (json!("${tags}"), Ok(json!(["a", "b"])), &[]),
            (json!("all ${tags}"), Ok(json!("all [\"a\",\"b\"]")), &[]),
            (json!({"a": ["${name}"]}), Ok(json!({"a": ["Rex"]})), &[]),
            (json!("${gone}"), Err("`${gone}` was not captured"), &[]),
            (json!("$${id} and ${id}"), Ok(json!("${id} and 7")), &[]),
            (json!("${not a name} $ {} ${"), Ok(json!("${not a name} $ {} ${")), &[]),
            (json!("env:TOKEN"), Ok(json!("s3cret-value")), &["s3cret-value"]),
            (json!("Bearer env:TOKEN"), Ok(json!("Bearer s3cret-value")), &["Bearer s3cret-value"]),
            (json!("file:key.txt"), Ok(json!("of-a-file")), &["of-a-file"]),
            (json!("env:GONE"), Err("the environment variable GONE is not set"), &[]),
        ];
        for (given, expected, secrets) in cases {
            let mut map = Map::new();
            map.insert("a".to_owned(), given.clone());
            match (fill(&map, &known, &Fixed, Path::new("/suites")), expected) {
                (Ok(filled), Ok(expected)) => {
                    assert_eq!(filled.arguments["a"], expected, "{given}");
                    assert_eq!(filled.secrets, secrets, "{given}");
                }
                (found, expected) => {
                    assert_eq!(found.map(|it| it.arguments).unwrap_err(), expected.unwrap_err(), "{given}")
                }
            }
        }
    }

    #[test]
    fn every_variable_is_found_once() {
        let value = json!({"b": ["${x}", {"c": "a ${y} ${x} $${z}"}], "d": 1});
        assert_eq!(variables([&value].into_iter()), ["x", "y"]);
    }
}
