//! The lock file: what the tools of a workspace were at one time, one line for each tool.
//!
//! [`Lock::of`] makes one of a catalog, [`Lock::write`] gives its text, [`Lock::parse`] reads one. The same tools give the
//! same bytes, in the order of their operations, so that a rename is one changed line.

mod argument;
mod canonical;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::derive::{Catalog, OperationKind, Tool};
use crate::lint::{Matrix, Verdict};
use crate::wire::to_value;

pub use argument::Argument;
pub(in crate::session) use argument::{choices, kinds, kinds_of_words};
use canonical::hash_value;
pub(in crate::session) use canonical::{hash, shape, target};

/// Where a lock is written when nothing is said.
pub const FILE_NAME: &str = "toolscope.lock.json";
/// The form of the file. A file of a higher version is refused.
pub const VERSION: u32 = 1;
/// The member that tells a lock from other files, and holds its version.
pub const MARK: &str = "toolscope_lock";

/// What the tools of a workspace were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lock {
    /// [`VERSION`].
    #[serde(rename = "toolscope_lock")]
    pub version: u32,
    /// The naming profile.
    pub profile: String,
    /// Each target that was asked, with what it does with the list as a whole.
    #[serde(default)]
    pub targets: BTreeMap<String, Verdict>,
    /// The exposed tools, by upstream, path and method.
    pub tools: Vec<Entry>,
    /// Operations that are not exposed, in the same order.
    #[serde(default)]
    pub hidden: Vec<HiddenEntry>,
}

/// An operation and the name of its tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Identity {
    /// The tool's name.
    pub name: String,
    /// The upstream's name.
    pub upstream: String,
    /// Upper-case method.
    pub method: String,
    /// Path template.
    pub path: String,
    /// `operationId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<String>,
}

/// One exposed tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Which.
    #[serde(flatten)]
    pub id: Identity,
    /// Another tool has the name too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub conflict: bool,
    /// Hash of the description.
    pub description: String,
    /// Hash of the InputSchema.
    pub input: String,
    /// Hash of the output schema, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Its hints.
    pub hints: Hints,
    /// Its arguments by name.
    pub arguments: BTreeMap<String, Argument>,
    /// What each target does with it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub targets: BTreeMap<String, Verdict>,
    /// The texts themselves. Always there for a catalog; in a file only when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<Texts>,
}

/// The hints that are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hints {
    /// Changes nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// May destroy.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub destructive: bool,
    /// Twice is the same as once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idempotent: bool,
    /// Reaches beyond the server.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open_world: bool,
}

/// What the hashes were made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Texts {
    /// The description.
    pub description: String,
    /// The InputSchema.
    pub input: Value,
    /// The output schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
}

/// One operation that is not exposed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenEntry {
    /// Which, with the name that its tool would have.
    #[serde(flatten)]
    pub id: Identity,
    /// Which rule hides it.
    pub by: String,
}

/// Why a text is no lock file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// It is not what such a file looks like.
    #[error("it is no lock file: {0}")]
    Form(String),
    /// It was written by a later version of this program.
    #[error("it has version {0}, and this program reads up to {VERSION}")]
    Version(u32),
}

impl Lock {
    /// The tools of a catalog under a naming profile, with the verdicts of the targets that were asked.
    pub fn of(catalog: &Catalog, profile: &str, matrix: &Matrix) -> Self {
        let mut tools: Vec<Entry> =
            catalog.tools.iter().enumerate().map(|(at, tool)| Entry::of(catalog, at, tool, matrix)).collect();
        tools.sort_by(|one, other| order(&one.id).cmp(&order(&other.id)));
        let called = catalog.hidden.iter().filter(|tool| tool.operation.kind == OperationKind::Path);
        let mut hidden: Vec<HiddenEntry> = called.map(|tool| HiddenEntry::of(catalog, tool)).collect();
        hidden.sort_by(|one, other| order(&one.id).cmp(&order(&other.id)));
        let targets = matrix.totals.iter().map(|totals| (totals.target.clone(), totals.list)).collect();
        Self { version: VERSION, profile: profile.to_owned(), targets, tools, hidden }
    }

    /// Is a text meant to be a lock file?
    pub fn is_meant(text: &str) -> bool {
        let start: String =
            text.trim_start_matches('\u{FEFF}').chars().filter(|c| !c.is_whitespace()).take(40).collect();
        start.starts_with(&format!("{{\"{MARK}\":"))
    }

    /// Reads a lock file.
    ///
    /// # Errors
    /// It is none, or one of a later version.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        #[derive(Deserialize)]
        struct Head {
            toolscope_lock: u32,
        }
        let form = |error: serde_json::Error| LockError::Form(error.to_string());
        let text = text.trim_start_matches('\u{FEFF}');
        let head: Head = serde_json::from_str(text).map_err(form)?;
        if head.toolscope_lock > VERSION {
            return Err(LockError::Version(head.toolscope_lock));
        }
        serde_json::from_str(text).map_err(form)
    }

    /// The text of the file: one line for each tool. With `full` the descriptions and schemas themselves are in it.
    ///
    /// # Errors
    /// None is known; the serialiser reserves the right.
    pub fn write(&self, full: bool) -> Result<String, serde_json::Error> {
        let mut lines = Vec::new();
        for tool in &self.tools {
            lines.push(match full || tool.full.is_none() {
                true => serde_json::to_string(tool)?,
                false => serde_json::to_string(&Entry { full: None, ..tool.clone() })?,
            });
        }
        let hidden: Result<Vec<String>, _> = self.hidden.iter().map(serde_json::to_string).collect();
        let list = |lines: &[String]| match lines.is_empty() {
            true => "[]".to_owned(),
            false => format!("[\n{}\n]", lines.join(",\n")),
        };
        Ok(format!(
            "{{\"{MARK}\": {},\n\"profile\": {},\n\"targets\": {},\n\"tools\": {},\n\"hidden\": {}}}\n",
            self.version,
            serde_json::to_string(&self.profile)?,
            serde_json::to_string(&self.targets)?,
            list(&lines),
            list(&hidden?)
        ))
    }
}

/// By operation, so that a rename stays where it is.
fn order(id: &Identity) -> (&str, &str, &str, &str) {
    (&id.upstream, &id.path, &id.method, &id.name)
}

impl Identity {
    fn of(catalog: &Catalog, tool: &Tool) -> Self {
        Self {
            name: tool.named.name.clone(),
            upstream: catalog.upstreams.get(tool.upstream).map(|upstream| upstream.name.clone()).unwrap_or_default(),
            method: tool.operation.method.to_string(),
            path: tool.operation.path.to_string(),
            operation_id: tool.operation.operation_id.as_deref().map(str::to_owned),
        }
    }
}

impl Entry {
    fn of(catalog: &Catalog, at: usize, tool: &Tool, matrix: &Matrix) -> Self {
        let operation = &tool.operation;
        let input = to_value(&operation.input_schema);
        let output = operation.told_output().map(to_value);
        let hints = &operation.annotations;
        Self {
            id: Identity::of(catalog, tool),
            conflict: tool.conflict.is_some(),
            description: hash(&operation.description),
            input: hash_value(&input),
            output: output.as_ref().map(hash_value),
            hints: Hints {
                read_only: hints.read_only_hint,
                destructive: hints.destructive_hint,
                idempotent: hints.idempotent_hint,
                open_world: hints.open_world_hint,
            },
            arguments: arguments(tool, &input),
            targets: matrix.of_tool(at).map(|(target, verdict)| (target.to_owned(), verdict)).collect(),
            full: Some(Texts { description: operation.description.clone(), input, output }),
        }
    }
}

fn arguments(tool: &Tool, input: &Value) -> BTreeMap<String, Argument> {
    let required: Vec<&str> = input
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let properties = input.get("properties").and_then(Value::as_object);
    let mut found = BTreeMap::new();
    for (name, schema) in properties.into_iter().flatten() {
        let mut argument = Argument::of(schema, input, required.contains(&name.as_str()));
        if let Some(row) = tool.operation.binding.iter().find(|row| *row.argument == **name) {
            argument.place = format!("{:?}", row.location).to_lowercase();
            argument.wire = row.wire_name.as_deref().filter(|wire| wire != name).map(str::to_owned);
        }
        found.insert(name.clone(), argument);
    }
    found
}

impl HiddenEntry {
    fn of(catalog: &Catalog, tool: &Tool) -> Self {
        let by = tool.hidden.as_ref().and_then(|hidden| serde_json::to_value(hidden.by).ok());
        let by = by.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { id: Identity::of(catalog, tool), by }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn sample() -> Lock {
        let id = |name: &str, path: &str| Identity {
            name: name.to_owned(),
            upstream: "shop".to_owned(),
            method: "GET".to_owned(),
            path: path.to_owned(),
            operation_id: None,
        };
        let tool = |name: &str, path: &str| Entry {
            id: id(name, path),
            full: Some(Texts { description: "long".to_owned(), ..Texts::default() }),
            ..Entry::default()
        };
        Lock {
            version: VERSION,
            profile: "default".to_owned(),
            tools: vec![tool("a", "/a"), tool("b", "/b")],
            hidden: vec![HiddenEntry { id: id("c", "/c"), by: "filter".to_owned() }],
            ..Lock::default()
        }
    }

    #[test]
    fn a_lock_comes_back_as_it_was_written_one_line_for_each_tool() {
        let lock = sample();
        let text = lock.write(true).unwrap();
        assert_eq!(Lock::parse(&text).unwrap(), lock);
        assert!(Lock::is_meant(&text));
        let short = lock.write(false).unwrap();
        assert!(!short.contains("long"), "{short}");
        let names: Vec<_> =
            short.lines().filter_map(|line| line.strip_prefix("{\"name\":\"")?.split('"').next()).collect();
        assert_eq!(names, ["a", "b", "c"]);
    }

    #[test]
    fn what_is_no_lock_is_refused_with_a_reason() {
        let later = sample().write(false).unwrap().replace("_lock\": 1", "_lock\": 2");
        assert_eq!(Lock::parse(&later), Err(LockError::Version(2)));
        for text in ["", "{}", "[]", "{\"toolscope_lock\": 1}", "{\"toolscope_lock\": \"1\"}"] {
            assert!(matches!(Lock::parse(text), Err(LockError::Form(_))), "{text}");
        }
        for text in ["openapi: 3.1.0", "{\"openapi\": \"3.1.0\"}", "", "{\"x\": {\"toolscope_lock\": 1}}"] {
            assert!(!Lock::is_meant(text), "{text}");
        }
    }
}
