//! Profiles: naming systems as data. The built-in ones are TOML files beside this one; a user can add files of the same
//! form.

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::check::{self, Compiled};
use super::model::CollisionPolicy;
use super::rules::{LengthRule, Rules};

/// The built-in profiles in the order in which they are listed.
const BUILTIN: [(&str, &str); 8] = [
    ("default", include_str!("profiles/default.toml")),
    ("mcp-anything", include_str!("profiles/mcp-anything.toml")),
    ("mcp-anything@no-camel", include_str!("profiles/mcp-anything@no-camel.toml")),
    ("conduit", include_str!("profiles/conduit.toml")),
    ("agents", include_str!("profiles/agents.toml")),
    ("agents@code", include_str!("profiles/agents@code.toml")),
    ("stitchkit", include_str!("profiles/stitchkit.toml")),
    ("stitchkit-openapi", include_str!("profiles/stitchkit-openapi.toml")),
];

/// A naming system: its parameters, checked, and where each comes from.
#[derive(Clone, Debug)]
pub struct Profile {
    rules: Rules,
    compiled: Arc<Compiled>,
    /// The parameters as they were written, the parents' included.
    table: Table,
    /// Where each of them stands, by dotted key.
    origins: BTreeMap<String, String>,
}

/// A profile file that cannot be used, and the place in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ProfileError {
    /// The file's name as it was given.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what to write instead.
    pub message: String,
}

/// A parameter that is wrong or does not go with the others.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {message}")]
pub struct ProfileProblem {
    /// The parameter's dotted key, such as `length.max`.
    pub key: String,
    /// What is wrong with it.
    pub message: String,
}

/// One parameter of a profile, for lists.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Parameter {
    /// Dotted key, such as `stages.slug.verb`.
    pub key: String,
    /// The value as TOML.
    pub value: String,
    /// Where it was set, such as `default.toml:12 (built in)`.
    pub from: String,
}

/// What a workspace sets in place of the profile's own parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amendments {
    /// Between prefix and base.
    pub separator: Option<String>,
    /// The most that a name may have; 0 is no limit. A profile without a length rule then cuts the base.
    pub max_length: Option<usize>,
    /// Lower case, for operationId and slug.
    pub lowercase: Option<bool>,
    /// Runs of `_` become one, for operationId and slug.
    pub collapse: Option<bool>,
    /// `_` is taken off at both ends, for operationId and slug.
    pub trim: Option<bool>,
    /// What happens to tools that claim one name. Where the profile fixes the policy across upstreams, that stays.
    pub conflict: Option<CollisionPolicy>,
    /// The most code points of a description; 0 is no limit.
    pub description_max_length: Option<usize>,
    /// What a cut description ends with.
    pub description_suffix: Option<String>,
}

impl Profile {
    /// The built-in profile of that name.
    pub fn builtin(name: &str) -> Option<Profile> {
        let (name, text) = BUILTIN.iter().find(|(known, _)| *known == name)?;
        read(text, &format!("{name}.toml"), " (built in)").ok()
    }

    /// All built-in profiles, `default` first.
    pub fn builtins() -> Vec<Profile> {
        BUILTIN.iter().filter_map(|(name, _)| Self::builtin(name)).collect()
    }

    /// The names of the built-in profiles, `default` first.
    pub fn builtin_names() -> impl Iterator<Item = &'static str> {
        BUILTIN.iter().map(|(name, _)| *name)
    }

    /// Reads a profile file. `file_name` stands in messages and in [`Parameter::from`].
    ///
    /// # Errors
    ///
    /// Text that is no TOML, unknown keys, values of a wrong kind, an unknown profile in `extends`, and parameters that
    /// do not go together, each with line and column.
    pub fn parse(toml_text: &str, file_name: &str) -> Result<Profile, ProfileError> {
        read(toml_text, file_name, "")
    }

    /// The same profile with what a workspace sets. Everything is checked again.
    ///
    /// # Errors
    ///
    /// A parameter that does not go with the others, by its dotted key in the profile.
    pub fn amended(&self, amendments: &Amendments) -> Result<Profile, ProfileProblem> {
        let mut table = self.table.clone();
        let mut origins = self.origins.clone();
        for (key, value) in self.changes(amendments) {
            set(&mut table, &key, value);
            origins.insert(key, "workspace".into());
        }
        build(table, origins)
    }

    fn changes(&self, amendments: &Amendments) -> Vec<(String, Value)> {
        let mut changes: Vec<(String, Value)> = Vec::new();
        let mut put = |key: &str, value: Option<Value>| changes.extend(value.map(|value| (key.to_owned(), value)));
        let length = |max: usize| Value::Integer(i64::try_from(max).unwrap_or(i64::MAX));
        put("namespace.separator", amendments.separator.clone().map(Value::String));
        put("length.max", amendments.max_length.map(length));
        let limited = amendments.max_length.is_some_and(|max| max > 0);
        let needs_rule = limited && self.rules.length.rule == LengthRule::None;
        put("length.rule", needs_rule.then(|| "cut".into()));
        for source in ["operationId", "slug"] {
            let word = |on: bool, word: &str| Value::from(if on { word } else { "none" });
            put(&format!("stages.{source}.lowercase"), amendments.lowercase.map(Value::Boolean));
            put(&format!("stages.{source}.collapse"), amendments.collapse.map(|on| word(on, "runs")));
            put(&format!("stages.{source}.trim"), amendments.trim.map(|on| word(on, "both")));
        }
        let policy = amendments.conflict.map(|policy| Value::from(policy.as_str()));
        put("collide.within", policy.clone());
        put("collide.across", policy.filter(|_| !self.rules.collide.across_fixed));
        put("description.max_length", amendments.description_max_length.map(length));
        put("description.suffix", amendments.description_suffix.clone().map(Value::String));
        changes
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.rules.name
    }

    /// Where it comes from, such as `default.toml:1 (built in)`.
    pub fn origin(&self) -> &str {
        self.origins.get("name").map_or("", String::as_str)
    }

    /// The parameters that hold.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Every parameter that was set, by key, with the place that set it.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut leaves = Vec::new();
        flatten("", &self.table, &mut leaves);
        let told = |key: &str| !matches!(key, "name" | "about" | "basis" | "extends");
        let parameter = |(key, value): (String, &Value)| {
            let from = self.origins.get(&key).cloned().unwrap_or_default();
            Parameter { key, value: value.to_string(), from }
        };
        leaves.into_iter().filter(|(key, _)| told(key)).map(parameter).collect()
    }

    pub(super) fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// What to say of a name that no built-in profile has.
    pub(super) fn unknown(name: &str) -> String {
        let known: Vec<&str> = Self::builtin_names().collect();
        format!("there is no built-in profile `{name}`; there are {}", known.join(", "))
    }
}

fn read(text: &str, file: &str, note: &str) -> Result<Profile, ProfileError> {
    let at = |offset: usize, message: String| {
        let (line, column) = line_column(text, offset);
        ProfileError { file: file.to_owned(), line, column, message }
    };
    let syntax = |error: toml::de::Error| {
        at(error.span().map_or(0, |span| span.start), error.message().trim().replace('\n', ", "))
    };
    let mut places = BTreeMap::new();
    locate("", DeTable::parse(text).map_err(syntax)?.get_ref(), &mut places);
    let own: Rules = toml::from_str(text).map_err(syntax)?;
    let table: Table = toml::from_str(text).map_err(syntax)?;

    let of_key = |key: &str| {
        let mut key = key.to_owned();
        loop {
            match (places.get(&key), key.rfind('.')) {
                (Some(offset), _) => return *offset,
                (None, Some(dot)) => key.truncate(dot),
                (None, None) => return 0,
            }
        }
    };
    if own.name.trim().is_empty() {
        return Err(at(of_key("name"), "a profile needs a name of its own: write name = \"…\" at the top".into()));
    }
    if note.is_empty() && Profile::builtin_names().any(|known| known == own.name) {
        return Err(at(of_key("name"), format!("`{}` is a built-in profile; choose another name", own.name)));
    }
    let (mut whole, mut origins) = match &own.extends {
        None => (Table::new(), BTreeMap::new()),
        Some(name) => match Profile::builtin(name) {
            Some(parent) => (parent.table, parent.origins),
            None => return Err(at(of_key("extends"), Profile::unknown(name))),
        },
    };
    for about_the_parent in ["about", "basis"] {
        whole.remove(about_the_parent);
    }
    merge(&mut whole, &table);
    for (key, offset) in &places {
        origins.insert(key.clone(), format!("{file}:{}{note}", line_column(text, *offset).0));
    }
    build(whole, origins).map_err(|problem| {
        // What is wrong for a single source may have been set for all of them.
        let parts = problem.key.strip_prefix("stages.").and_then(|rest| rest.split_once('.'));
        let common = parts.map(|(_, name)| format!("stages.common.{name}"));
        let for_all = common.and_then(|key| places.get(&key)).filter(|_| !places.contains_key(&problem.key));
        let offset = for_all.copied().unwrap_or_else(|| of_key(&problem.key));
        at(offset, problem.to_string())
    })
}

/// Checks a table that holds everything and makes the profile of it.
fn build(table: Table, origins: BTreeMap<String, String>) -> Result<Profile, ProfileProblem> {
    let mut whole = table.clone();
    spread(&mut whole);
    let read: Result<Rules, toml::de::Error> = whole.try_into();
    let rules = read.map_err(|error| ProfileProblem { key: "profile".into(), message: error.message().to_owned() })?;
    let compiled = Arc::new(check::compile(&rules)?);
    Ok(Profile { rules, compiled, table, origins })
}

/// What `stages.common` says holds for each source that says nothing.
fn spread(table: &mut Table) {
    let Some(stages) = table.get_mut("stages").and_then(Value::as_table_mut) else { return };
    let Some(common) = stages.get("common").and_then(Value::as_table).cloned() else { return };
    for source in ["override", "operationId", "slug"] {
        let mut whole = common.clone();
        if let Some(own) = stages.get(source).and_then(Value::as_table) {
            merge(&mut whole, own);
        }
        stages.insert(source.to_owned(), Value::Table(whole));
    }
}

/// Lays `over` on `base`: tables member by member, anything else as a whole. No deeper than a profile is, since unknown
/// tables were refused before.
fn merge(base: &mut Table, over: &Table) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(Value::Table(base)), Value::Table(over)) => merge(base, over),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Sets the value at a dotted key; tables on the way are made.
fn set(table: &mut Table, key: &str, value: Value) {
    match key.split_once('.') {
        None => {
            table.insert(key.to_owned(), value);
        }
        Some((head, rest)) => {
            let slot = table.entry(head.to_owned()).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(inner) = slot {
                set(inner, rest, value);
            }
        }
    }
}

fn flatten<'a>(path: &str, table: &'a Table, out: &mut Vec<(String, &'a Value)>) {
    for (key, value) in table {
        let key = join(path, key);
        match value {
            Value::Table(inner) => flatten(&key, inner, out),
            _ => out.push((key, value)),
        }
    }
}

/// Deeper than this a profile has no keys; what lies below is refused as unknown.
const DEPTH: usize = 8;

fn locate(path: &str, table: &DeTable<'_>, out: &mut BTreeMap<String, usize>) {
    if path.matches('.').count() > DEPTH {
        return;
    }
    for (key, value) in table {
        let dotted = join(path, key.get_ref());
        out.insert(dotted.clone(), key.span().start);
        if let DeValue::Table(inner) = value.get_ref() {
            locate(&dotted, inner, out);
        }
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or(before);
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}
