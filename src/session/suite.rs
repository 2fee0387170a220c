//! Suites of cases: what a file of them says.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value as Json};

use super::expect::{Expect, PathRule, StatusRule, Test};
use super::fill;
use crate::document::jsonpath::Query;
use crate::document::{Finding, Node, Pointer, Sources};
use crate::proxy::units;
use crate::wire::{self, Filter};
use crate::workspace::config::{Notes, Section, wrong_type};

/// A pattern of an assertion may compile to so many bytes.
const PATTERN_SIZE: usize = 1 << 20;

/// What a case is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Before the cases, in order; when one fails, the cases are skipped.
    Setup,
    /// A case.
    Case,
    /// After the cases, in order, whatever came of them.
    Teardown,
}

impl Role {
    /// The word for it in files and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Case => "case",
            Self::Teardown => "teardown",
        }
    }
}

/// Cases that belong together: they share captured variables, setup and teardown.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name: `name`, else the name of the file.
    pub name: Arc<str>,
    /// Where its cases are run when they do not say.
    pub environment: Option<String>,
    /// All its cases: setup, cases, teardown.
    pub cases: Vec<(Role, Arc<Case>)>,
}

/// With which arguments a case calls.
#[derive(Clone, Debug)]
pub enum Arguments {
    /// These; texts may hold `${captured}` and references to secrets.
    Written(Map<String, Json>),
    /// Made from the schema when the case is run.
    Generated,
}

/// One call and what is expected of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name, unique in the suite.
    pub name: String,
    /// The tool: its name, its operationId, or `METHOD /path`.
    pub tool: String,
    /// Arguments.
    pub arguments: Arguments,
    /// The folder from which `file:` references are read.
    pub folder: Arc<Path>,
    /// Where it is run, by the environment's name.
    pub environment: Option<String>,
    /// It may change something.
    pub write: bool,
    /// Why it is not to be run.
    pub skip: Option<String>,
    /// What is expected.
    pub expect: Expect,
    /// What later cases need of the answer.
    pub captures: Vec<Capture>,
    /// `file:line`; empty for generated cases.
    pub at: String,
}

/// A value of an answer under a name.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The name.
    pub name: String,
    /// Where the value is found.
    pub from: Source,
}

/// How a value is found in an answer.
#[derive(Clone, Debug)]
pub enum Source {
    /// The one value that a JSONPath selects.
    Path(Query),
    /// The one output of a jq expression.
    Jq(Arc<Filter>),
}

impl Case {
    /// Names of captured variables that its arguments hold.
    pub fn needs(&self) -> Vec<String> {
        match &self.arguments {
            Arguments::Written(map) => fill::variables(map.values()),
            Arguments::Generated => Vec::new(),
        }
    }
}

impl Suite {
    /// Reads a suite from a tree. Everything that is wrong with it is in the findings, each with its place: a suite with
    /// any is not to be run.
    ///
    /// `name` is used where the suite has none; `folder` is where `file:` references are taken from.
    pub fn read(root: &Node, at: &Pointer, name: &str, folder: &Path, sources: &Sources) -> (Self, Vec<Finding>) {
        let notes = Notes::new(folder);
        let section = Section::new(Some(root), at.clone(), &notes);
        let mut reader = Reader { notes: &notes, sources, folder: folder.into(), names: Vec::new() };
        let mut cases = Vec::new();
        for (key, role) in [("setup", Role::Setup), ("cases", Role::Case), ("teardown", Role::Teardown)] {
            let of_role = section.sections(key).into_iter();
            cases.extend(of_role.filter_map(|section| Some((role, Arc::new(reader.case(section)?)))));
        }
        let suite = Self {
            name: section.text("name").unwrap_or(name).into(),
            environment: section.text("environment").map(str::to_owned),
            cases,
        };
        if suite.cases.is_empty() && notes.is_empty() {
            let mut finding =
                Finding::error("suite-empty", "the suite has no cases").remedy("Write some under `cases`.");
            finding.place = section.place();
            notes.push(finding);
        }
        section.finish();
        reader.check_variables(&suite, root, at);
        (suite, notes.into_findings())
    }

    /// The captured variables, each with the position of the case that captures it first.
    pub fn captured(&self) -> Vec<(&str, usize)> {
        let mut all: Vec<(&str, usize)> = Vec::new();
        for (position, (_, case)) in self.cases.iter().enumerate() {
            all.extend(case.captures.iter().map(|capture| (capture.name.as_str(), position)));
        }
        all
    }
}

struct Reader<'a> {
    notes: &'a Notes<'a>,
    sources: &'a Sources,
    folder: Arc<Path>,
    names: Vec<String>,
}

impl Reader<'_> {
    fn case(&mut self, section: Section<'_>) -> Option<Case> {
        let place = section.place()?;
        let tool = section.text("tool").unwrap_or_default().to_owned();
        if tool.is_empty() {
            let finding = Finding::error("suite-tool", "the case names no tool");
            let remedy = "Write `tool:` with its name, its operationId, or `METHOD /path`.";
            self.notes.push(finding.at(place.clone()).remedy(remedy));
        }
        let name = section.text("name").map_or_else(|| tool.clone(), str::to_owned);
        if self.names.contains(&name) && !name.is_empty() {
            let finding = Finding::error("suite-name", format!("two cases of the suite are named `{name}`"));
            self.notes.push(finding.at(place.clone()).remedy("Give each its own `name`."));
        }
        self.names.push(name.clone());
        let mut expect = self.expect(section.section("expect"));
        expect.within = expect.within.or(self.within(&section));
        let case = Case {
            name,
            tool,
            arguments: Arguments::Written(self.arguments(&section)),
            folder: self.folder.clone(),
            environment: section.text("environment").map(str::to_owned),
            write: section.flag("write").unwrap_or(false),
            skip: section.text("skip").map(str::to_owned),
            expect,
            captures: self.captures(section.section("capture")),
            at: self.sources.cite(&place),
        };
        section.finish();
        Some(case)
    }

    fn arguments(&self, section: &Section<'_>) -> Map<String, Json> {
        let Some(node) = section.value("arguments") else { return Map::new() };
        match wire::to_value(node) {
            Json::Object(map) => map,
            _ => {
                self.notes.push(wrong_type(node, &section.at("arguments"), "a map"));
                Map::new()
            }
        }
    }

    fn within(&self, section: &Section<'_>) -> Option<Duration> {
        let node = section.value("within")?;
        let text = node.as_str().map_or_else(|| crate::document::to_json(node, false), str::to_owned);
        let read = units::duration(&text).filter(|duration| !duration.is_zero());
        if read.is_none() {
            let message = format!("`within` is `{text}`, which is no duration");
            self.report(section, "within", message, "Write it like 2s or 500ms.");
        }
        read
    }

    fn expect(&self, section: Section<'_>) -> Expect {
        let expect = Expect {
            status: self.statuses(&section),
            is_error: section.flag("is_error"),
            schema: section.flag("schema"),
            within: self.within(&section),
            paths: self.paths(&section),
            jq: self.filters(&section),
        };
        section.finish();
        expect
    }

    fn statuses(&self, section: &Section<'_>) -> Vec<StatusRule> {
        let Some(node) = section.value("status") else { return Vec::new() };
        let items = node.as_list().unwrap_or(std::slice::from_ref(node));
        let mut rules = Vec::new();
        for item in items {
            let text = item.as_str().map_or_else(|| crate::document::to_json(item, false), str::to_owned);
            match StatusRule::parse(&text) {
                Some(rule) => rules.push(rule),
                None => {
                    let message = format!("`status` is `{text}`, which is no status");
                    self.report(section, "status", message, "Write 200, a list such as [200, 201], or 2xx.");
                }
            }
        }
        rules
    }

    fn paths(&self, section: &Section<'_>) -> Vec<PathRule> {
        let pointer = section.at("jsonpath");
        let mut rules = Vec::new();
        for (at, node) in section.list("jsonpath").iter().enumerate() {
            let own;
            let (text, test) = match node.as_str() {
                Some(text) => (text, Test::Exists(true)),
                None => {
                    own = Section::new(Some(node), pointer.index(at), self.notes);
                    let text = own.text("path").unwrap_or_default();
                    let test = self.test(&own);
                    own.finish();
                    (text, test)
                }
            };
            match Query::parse(text) {
                Ok(query) => rules.push(PathRule { query, test }),
                Err(error) => {
                    let mut finding = Finding::error("suite-jsonpath", format!("`{text}` is no JSONPath: {error}"));
                    finding.place = Some(crate::document::Place {
                        origin: node.get("path").unwrap_or(node).origin,
                        pointer: pointer.index(at).to_string().into(),
                    });
                    finding.remedy = error.remedy;
                    self.notes.push(finding);
                }
            }
        }
        rules
    }

    /// What a path is tested for: one of `equals`, `exists`, `matches`, `count`.
    fn test(&self, section: &Section<'_>) -> Test {
        let mut tests = Vec::new();
        // `equals: null` is a test for null.
        if let Some(node) = section.written("equals") {
            tests.push(Test::Equals(wire::to_value(node)));
        }
        tests.extend(section.flag("exists").map(Test::Exists));
        tests.extend(section.size("count").map(Test::Count));
        if let Some(pattern) = section.text("matches") {
            match regex::RegexBuilder::new(pattern).size_limit(PATTERN_SIZE).build() {
                Ok(pattern) => tests.push(Test::Matches(pattern)),
                Err(error) => {
                    let why = error.to_string();
                    let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
                    let message = format!("`{pattern}` is no regular expression: {why}");
                    self.report(section, "matches", message, "Mend the pattern.");
                }
            }
        }
        if tests.len() > 1 {
            let message = "one path is tested for several things".to_owned();
            self.report(
                section,
                "path",
                message,
                "Write an entry of its own for each of equals, exists, matches, count.",
            );
        }
        tests.pop().unwrap_or(Test::Exists(true))
    }

    fn filters(&self, section: &Section<'_>) -> Vec<Arc<Filter>> {
        let Some(node) = section.value("jq") else { return Vec::new() };
        let items = node.as_list().unwrap_or(std::slice::from_ref(node));
        items.iter().filter_map(|item| self.filter(section, "jq", item)).collect()
    }

    fn filter(&self, section: &Section<'_>, key: &str, node: &Node) -> Option<Arc<Filter>> {
        let Some(text) = node.as_str() else {
            self.notes.push(wrong_type(node, &section.at(key), "a jq expression"));
            return None;
        };
        match Filter::compile(text) {
            Ok(filter) => Some(Arc::new(filter)),
            Err(error) => {
                let finding = Finding::error("suite-jq", format!("`{text}` is no jq: {}", error.message));
                let place = crate::document::Place { origin: node.origin, pointer: section.at(key).to_string().into() };
                self.notes.push(finding.at(place).remedy(error.remedy));
                None
            }
        }
    }

    fn captures(&self, section: Section<'_>) -> Vec<Capture> {
        let mut captures = Vec::new();
        for entry in section.members() {
            let name = entry.key.to_string();
            let Some(text) = entry.value.as_str() else {
                self.notes.push(wrong_type(&entry.value, &section.at(&name), "a JSONPath or a jq expression"));
                continue;
            };
            if !fill::is_name(&name) {
                let message = format!("`{name}` is no name for a variable");
                self.report(&section, &name, message, "Use letters, digits, `_` and `-`.");
            }
            let from = if text.trim_start().starts_with('$') {
                match Query::parse(text) {
                    Ok(query) => Some(Source::Path(query)),
                    Err(error) => {
                        let remedy = error.remedy.clone().unwrap_or_else(|| "Mend the path.".to_owned());
                        self.report(&section, &name, format!("`{text}` is no JSONPath: {error}"), &remedy);
                        None
                    }
                }
            } else {
                self.filter(&section, &name, &entry.value).map(Source::Jq)
            };
            captures.extend(from.map(|from| Capture { name, from }));
        }
        captures
    }

    /// A variable has to be captured by a case that can run before.
    fn check_variables(&self, suite: &Suite, root: &Node, at: &Pointer) {
        let captured = suite.captured();
        for (position, (role, case)) in suite.cases.iter().enumerate() {
            for name in case.needs() {
                let by: Vec<usize> = captured.iter().filter(|(known, _)| *known == name).map(|(_, at)| *at).collect();
                let before = by.iter().any(|other| *other < position);
                if before {
                    continue;
                }
                let near = crate::workspace::config::nearest(&name, captured.iter().map(|(known, _)| *known));
                let (message, remedy) = match (by.is_empty(), near) {
                    (false, _) => (
                        format!("`{}` uses `${{{name}}}`, which no case before it captures", case.name),
                        "Move the case that captures it before this one.".to_owned(),
                    ),
                    (true, Some(near)) => (
                        format!("`{}` uses `${{{name}}}`, which no case captures", case.name),
                        format!("Did you mean `${{{near}}}`?"),
                    ),
                    (true, None) => (
                        format!("`{}` uses `${{{name}}}`, which no case captures", case.name),
                        format!("Capture it in a case before; a variable of the environment is `env:{name}`."),
                    ),
                };
                let finding = Finding::error("suite-variable", message).remedy(remedy);
                let index = suite.cases.iter().take(position).filter(|(other, _)| other == role).count();
                let key = if *role == Role::Case { "cases" } else { role.word() };
                let pointer = at.key(key).index(index).key("arguments");
                let node = Pointer::default().key(key).index(index).key("arguments");
                let origin = node.find(root).map_or(root.origin, |node| node.origin);
                self.notes.push(finding.at(crate::document::Place { origin, pointer: pointer.to_string().into() }));
            }
        }
    }

    fn report(&self, section: &Section<'_>, key: &str, message: String, remedy: &str) {
        let mut finding = Finding::error("suite-value", message).remedy(remedy);
        finding.place = section.place_of(key);
        self.notes.push(finding);
    }
}

#[cfg(test)]
#[path = "suite_tests.rs"]
mod tests;
