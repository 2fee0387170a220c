//! What is to be said of an overlay while it is typed, made away from the screen: where the text is at fault, what the
//! target under the cursor selects, what the jq program under the cursor gives.

use std::sync::Arc;

use crate::derive::Tool;
use crate::document::jsonpath::{Query, readable};
use crate::document::{FileId, Finding, Node, Origin, Place, SourceFile, parse, to_json};
use crate::overlay::{ActionTrail, Overlay, propose};
use crate::tui::app::detail::cite;
use crate::tui::app::page::Line;
use crate::tui::theme::Role;
use crate::wire::{Bounds, Extent, Filter, Instance, synthesize, synthesize_schema};
use crate::workspace::{Snapshot, document_before};

pub use crate::document::Severity;

/// Visits that trying a target may take.
const VISITS: u64 = 5_000_000;
/// Matches that are shown.
const SHOWN: usize = 8;
/// Steps of a tried program.
const STEPS: u64 = 500_000;
/// Lines of a value that are shown.
const LINES: usize = 14;
/// The body that error transforms are tried on (RFC 9457).
const FAILURE: &str =
    r#"{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "There is no such thing."}"#;

/// What the cursor is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// A query.
    Path(String),
    /// A jq program: the member that it is the value of, the program, and the target of its action.
    Jq {
        /// Such as `x-mcp-request-transform`.
        member: String,
        /// The program.
        program: String,
        /// The target.
        target: Option<String>,
    },
}

/// A text to be looked at.
#[derive(Clone, Debug)]
pub struct CheckText {
    /// To be named in the answer.
    pub generation: u64,
    /// What is shown beside it.
    pub snapshot: Arc<Snapshot>,
    /// Number of the upstream.
    pub upstream: usize,
    /// Its place among the overlays of the upstream.
    pub overlay: usize,
    /// Its name.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// Number of the action that the cursor is in.
    pub action: Option<usize>,
    /// What the cursor is in.
    pub trial: Option<Trial>,
}

impl PartialEq for CheckText {
    fn eq(&self, other: &Self) -> bool {
        self.generation == other.generation && self.text == other.text && self.trial == other.trial
    }
}

impl Eq for CheckText {}

/// Where a text is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// How bad.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: Option<String>,
}

/// What is to be said.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Faults by line.
    pub faults: Vec<Fault>,
    /// Of what the cursor is in.
    pub trial: Vec<Line>,
}

/// Looks at a text. Takes its time: not to be called where keys wait.
pub fn check(job: &CheckText) -> Checked {
    let mut faults = faults(&job.name, &job.text);
    faults.sort_by_key(|fault| (fault.line, std::cmp::Reverse(fault.severity)));
    let trial = match &job.trial {
        Some(Trial::Path(text)) => path(job, text),
        Some(Trial::Jq { member, program, target }) => jq(job, member, program, target.as_deref()),
        None => Vec::new(),
    };
    Checked { faults, trial }
}

/// Where a text is no overlay, or one with flaws that can be seen without a document.
fn faults(name: &str, text: &str) -> Vec<Fault> {
    let document = match parse(FileId(0), name, text) {
        Ok(document) => document,
        Err(error) => {
            let (line, column) = (error.line, error.column);
            return vec![Fault {
                line,
                column,
                severity: Severity::Error,
                message: error.message,
                remedy: error.remedy,
            }];
        }
    };
    let findings = match Overlay::read(&document, name) {
        Ok(overlay) => overlay.findings,
        Err(findings) => findings,
    };
    let file = SourceFile::new(name, text);
    findings.into_iter().map(|finding| of(&file, finding)).collect()
}

fn of(file: &SourceFile, finding: Finding) -> Fault {
    let start = finding.place.as_ref().map_or(0, |place| place.origin.start);
    let (line, column) = file.line_column(start);
    Fault { line, column, severity: finding.severity, message: finding.message, remedy: finding.remedy }
}

/// The document as the action under the cursor finds it.
fn root(job: &CheckText) -> Option<Node> {
    let overlays = job.snapshot.overlays.get(job.upstream)?;
    let earlier: usize = overlays.overlays.iter().take(job.overlay).map(|overlay| overlay.actions.len()).sum();
    let own = overlays.overlays.get(job.overlay).map_or(0, |overlay| overlay.actions.len());
    document_before(&job.snapshot, job.upstream, earlier + job.action.unwrap_or(0).min(own))
}

fn path(job: &CheckText, text: &str) -> Vec<Line> {
    let mut out = vec![Line::new().seg(text, Role::Title).hang(2)];
    let query = match Query::parse(text) {
        Ok(query) => query,
        Err(error) => {
            let place = format!("character {}  ", text.get(..error.offset).unwrap_or(text).chars().count() + 1);
            let line = Line::new().seg("✗ ", Role::Error).seg(place, Role::Key).hang(2);
            out.push(line.seg(&error.message, Role::Text));
            out.extend(error.remedy.map(|remedy| Line::new().seg("→ ", Role::Accent).seg(remedy, Role::Text).hang(2)));
            return out;
        }
    };
    let Some(root) = root(job) else { return out };
    let found = match query.exact() {
        Some(pointer) => Ok(pointer.find(&root).map(|_| pointer).into_iter().collect()),
        None => query.locate_within(&root, VISITS),
    };
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            out.push(Line::new().seg("✗ ", Role::Error).seg(error.to_string(), Role::Text));
            return out;
        }
    };
    if found.is_empty() {
        out.push(Line::new().seg("✗ matches nothing", Role::Warning));
        for proposal in proposals(text, &root) {
            let line = Line::new().seg("→ ", Role::Accent).seg(proposal.target, Role::Accent).hang(2);
            out.push(line.seg(format!("  {}", proposal.why), Role::Text));
        }
        return out;
    }
    let words =
        if found.len() == 1 { "✓ matches 1 place".to_owned() } else { format!("✓ matches {} places", found.len()) };
    out.push(Line::new().seg(words, Role::Success));
    for pointer in found.iter().take(SHOWN) {
        let line = Line::new().seg("  ", Role::Text).seg(readable(pointer), Role::Text).hang(4);
        let node = pointer.find(&root).filter(|node| node.origin.end > 0);
        let place = node.map(|node| Place { origin: node.origin, pointer: pointer.to_string().into() });
        out.push(match place {
            Some(place) => line.seg(format!("  {}", cite(&job.snapshot.catalog, &place)), Role::Dim).at(Some(&place)),
            None => line,
        });
    }
    if found.len() > SHOWN {
        out.push(Line::new().seg(format!("  and {} more", found.len() - SHOWN), Role::Dim));
    }
    out
}

fn proposals(target: &str, root: &Node) -> Vec<crate::overlay::Proposal> {
    let trail = ActionTrail {
        overlay: FileId(0),
        index: 0,
        origin: Origin::new(FileId(0), 0, 0),
        target: target.to_owned(),
        kind: "update",
        matches: Vec::new(),
        changed: Vec::new(),
        overridden_by: Vec::new(),
        overridden: false,
        findings: Vec::new(),
    };
    propose(&trail, root, None)
}

fn jq(job: &CheckText, member: &str, program: &str, target: Option<&str>) -> Vec<Line> {
    let mut out = vec![Line::new().seg(member, Role::Title)];
    let filter = match Filter::compile(program) {
        Ok(filter) => filter,
        Err(error) => {
            let (line, column) = error.line_column(program);
            let place = format!("line {line}, column {column}  ");
            let line = Line::new().seg("✗ no jq  ", Role::Error).seg(place, Role::Key).hang(2);
            out.push(line.seg(&error.message, Role::Text));
            out.push(Line::new().seg("→ ", Role::Accent).seg(&error.remedy, Role::Text).hang(2));
            return out;
        }
    };
    let Some((what, input)) = input(job, member, target) else {
        out.push(Line::new().seg("✓ it is jq", Role::Success).seg("  nothing is known to try it on", Role::Dim));
        return out;
    };
    let bounds = Bounds { steps: STEPS, ..Bounds::default() };
    match filter.run_once(&input, &bounds) {
        Ok(value) => {
            out.push(Line::new().seg("✓ gives", Role::Success));
            shown(&value, &mut out);
        }
        Err(error) => out.push(Line::new().seg("✗ fails  ", Role::Error).seg(error.to_string(), Role::Text).hang(2)),
    }
    out.push(Line::new().seg(format!("over {what}, made up:"), Role::Dim));
    shown(&input, &mut out);
    out
}

/// A value, not longer than a glance.
fn shown(value: &Node, out: &mut Vec<Line>) {
    let text = to_json(value, true);
    let count = text.lines().count();
    for line in text.lines().take(LINES) {
        out.push(Line::new().seg("  ", Role::Text).seg(line, Role::String).hang(4));
    }
    if count > LINES {
        out.push(Line::new().seg(format!("  {} more lines", count - LINES), Role::Dim));
    }
}

/// What the program runs over, in words and as a value.
fn input(job: &CheckText, member: &str, target: Option<&str>) -> Option<(&'static str, Node)> {
    if member == "x-mcp-error-transform" {
        return Some(("a failure (RFC 9457)", parse(FileId(u32::MAX), "failure.json", FAILURE).ok()?.root));
    }
    let tool = tool(job, target?)?;
    let first = |instances: Vec<Instance>| instances.into_iter().next().map(|instance| instance.value);
    if member == "x-mcp-request-transform" {
        return Some(("arguments", first(synthesize(&tool, Extent::All))?));
    }
    let schema = tool.operation.output_schema.as_ref()?;
    let value = first(synthesize_schema(schema, Extent::All))?;
    let inner = if tool.operation.messages.wrapped { value.get("result").cloned()? } else { value };
    Some(("a response", inner))
}

/// The first tool that a target selects.
fn tool(job: &CheckText, target: &str) -> Option<Arc<Tool>> {
    let query = Query::parse(target).ok()?;
    let pointer = match query.exact() {
        Some(pointer) => pointer,
        None => query.locate_within(&root(job)?, VISITS).ok()?.into_iter().next()?,
    };
    let text = pointer.to_string();
    let is_it = |tool: &&Arc<Tool>| tool.upstream == job.upstream && *tool.operation.place.pointer == *text;
    job.snapshot.catalog.all().find(is_it).cloned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;
    use crate::tui::app::fixture::shop;

    fn tried(trial: Trial) -> Vec<String> {
        let job = CheckText {
            generation: 1,
            snapshot: shop(),
            upstream: 0,
            overlay: 0,
            name: "o.yaml".to_owned(),
            text: "".into(),
            action: Some(0),
            trial: Some(trial),
        };
        check(&job).trial.iter().map(|line| line.text().trim_end().to_owned()).collect()
    }

    #[test]
    fn targets_are_tried_as_they_are_typed() {
        let path = |text: &str| tried(Trial::Path(text.to_owned()));
        assert_eq!(path("$.paths['/pets'].get")[1], "✓ matches 1 place");
        assert!(path("$.paths.*.get")[1].starts_with("✓ matches "));
        assert_eq!(
            path("$.paths['/pet'].get")[1..3],
            ["✗ matches nothing".to_owned(), path("$.paths['/pet'].get")[2].clone()]
        );
        assert!(
            path("$.paths['/pet'].get")[2].starts_with("→ $.paths['/pets'].get"),
            "{:?}",
            path("$.paths['/pet'].get")
        );
        assert!(path("$.paths[")[1].starts_with("✗ character"), "{:?}", path("$.paths["));
    }

    #[test]
    fn programs_are_tried_on_what_they_get() {
        let jq = |member: &str, program: &str| {
            let target = Some("$.paths['/pets/{petId}'].get".to_owned());
            tried(Trial::Jq { member: member.to_owned(), program: program.to_owned(), target })
        };
        let request = jq("x-mcp-request-transform", "{path: {petId: .petId}}");
        assert_eq!(request[1], "✓ gives");
        assert!(
            request.iter().any(|line| line.contains("\"petId\""))
                && request.contains(&"over arguments, made up:".to_owned()),
            "{request:?}"
        );
        assert!(jq("x-mcp-request-transform", "{path:")[1].starts_with("✗ no jq  line 1"));
        assert!(jq("x-mcp-error-transform", ".title | error")[1].starts_with("✗ fails"));
        assert_eq!(jq("x-mcp-error-transform", ".title")[2], "  \"Not Found\"");
    }

    #[test]
    fn faults_have_their_lines() {
        let lines = |text: &str| -> Vec<(usize, Severity)> {
            faults("o.yaml", text).iter().map(|fault| (fault.line, fault.severity)).collect()
        };
        assert_eq!(lines("overlay: 1.1.0\ninfo: [\n"), [(2, Severity::Error)]);
        let text =
            "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions:\n- target: $.x[\n  update: {}\n- taget: $\n";
        assert!(
            lines(text).contains(&(4, Severity::Error)) && lines(text).contains(&(6, Severity::Error)),
            "{:?}",
            lines(text)
        );
    }
}
