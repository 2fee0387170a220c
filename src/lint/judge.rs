//! Every rule of every target over the catalog: what findings and verdicts are both made of.

use crate::derive::{Catalog, Tool};
use crate::document::{Blast, Finding, Place, Severity};

use super::document_rules;
use super::facts::Facts;
use super::list_rules::{self, ListFacts};
use super::locate::Locator;
use super::rule::{Check, Kind, Rule, Unit};
use super::schema_rules;
use super::target::TargetChoice;
use super::tool_rules;

/// Whom a judgement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The exposed tool of that index.
    Tool(usize),
    /// All tools of that upstream.
    Upstream(usize),
    /// The list as a whole, of which at most so many tools are kept.
    List(usize),
}

/// A breach of a rule.
#[derive(Debug)]
pub(super) struct Judgement {
    pub(super) about: About,
    pub(super) finding: Finding,
}

/// A rule of a target over a catalog.
#[derive(Clone, Copy)]
struct Court<'a> {
    catalog: &'a Catalog,
    choice: &'a TargetChoice,
    rule: &'a Rule,
    /// The names of the tools as the target has them.
    names: &'a [String],
}

/// For each target its judgements: on documents, on the list, on tools in their order.
pub(super) fn judge(catalog: &Catalog, choices: &[TargetChoice]) -> Vec<Vec<Judgement>> {
    let names: Vec<Vec<String>> =
        choices.iter().map(|choice| catalog.tools.iter().map(|tool| choice.exposed(tool)).collect()).collect();
    let courts: Vec<Vec<Court<'_>>> = choices
        .iter()
        .zip(&names)
        .map(|(choice, names)| {
            choice.target.rules().iter().map(|rule| Court { catalog, choice, rule, names }).collect()
        })
        .collect();
    let any = |test: fn(Kind) -> bool| courts.iter().flatten().any(|court| test(court.rule.check.kind()));
    let list = ListFacts::of(catalog, any(|kind| kind == Kind::ListSize));
    let looks_inside = any(|kind| kind.unit() == Unit::Schema);

    let mut out: Vec<Vec<Judgement>> = Vec::new();
    for courts in &courts {
        let mut found = Vec::new();
        for court in courts {
            court.on_documents(&mut found);
            court.on_list(&list, &mut found);
            court.on_names(&mut found);
        }
        out.push(found);
    }
    let mut locator = Locator::default();
    for (at, tool) in catalog.tools.iter().enumerate() {
        let facts = if looks_inside { Facts::of(&tool.operation.input_schema) } else { Facts::default() };
        for (courts, found) in courts.iter().zip(&mut out) {
            found.extend(courts.iter().filter_map(|court| court.on_tool(at, tool, &facts, &mut locator)));
        }
    }
    out
}

impl Court<'_> {
    fn on_tool(&self, at: usize, tool: &Tool, facts: &Facts<'_>, locator: &mut Locator) -> Option<Judgement> {
        let (catalog, check) = (self.catalog, &self.rule.check);
        let name = self.names.get(at).map_or("", String::as_str);
        let (what, place) = match check.kind().unit() {
            Unit::Tool => {
                let breach = tool_rules::breach(check, self.choice, tool, name, &catalog.description_rules)?;
                (breach.what, breach.place)
            }
            Unit::Schema => {
                let breach = schema_rules::breach(check, &tool.operation.input_schema, facts)?;
                let set = catalog.upstreams.get(tool.upstream).map(|upstream| &*upstream.documents);
                let fallback = &tool.operation.place;
                (breach.what, locator.place(tool.upstream, set, breach.origin, fallback))
            }
            Unit::List | Unit::Document => return None,
        };
        Some(self.of_tool(&what, at, tool, place))
    }

    fn on_list(&self, list: &ListFacts, found: &mut Vec<Judgement>) {
        let Some(what) = list_rules::breach(&self.rule.check, list) else { return };
        // Only tools over the number are dropped; anything else befalls the whole list.
        let kept = if self.rule.blast == Blast::ToolDropped { self.rule.limit().unwrap_or(0) } else { 0 };
        found.push(Judgement { about: About::List(kept), finding: self.finding(&what, None) });
    }

    /// Names that more than one tool has. Names over a limit may not only be refused: cut there, they may become one.
    fn on_names(&self, found: &mut Vec<Judgement>) {
        let (groups, cut_to) = match self.rule.check {
            Check::Plain(Kind::UniqueNames) => (list_rules::duplicates(self.names), None),
            Check::Limit(Kind::NameLength, max) => (list_rules::alike_when_cut(self.names, max), Some(max)),
            _ => return,
        };
        for (name, tools) in groups {
            let count = tools.len();
            let what = match cut_to {
                None => format!("{count} tools have the name `{name}`"),
                Some(max) => {
                    let which = some(&tools, self.names);
                    format!("{count} tools have one name, `{name}`, when names are cut to {max} characters: {which}")
                }
            };
            for (at, tool) in tools.iter().filter_map(|at| Some((*at, self.catalog.tools.get(*at)?))) {
                let mut judgement = self.of_tool(&what, at, tool, tool.name_place().clone());
                if cut_to.is_some() {
                    judgement.finding.code = "target-name-cut";
                }
                found.push(judgement);
            }
        }
    }

    fn on_documents(&self, found: &mut Vec<Judgement>) {
        for (at, upstream) in self.catalog.upstreams.iter().enumerate() {
            for breach in document_rules::breaches(&self.rule.check, upstream) {
                let mut finding = self.finding(&breach.what, Some(breach.place));
                if breach.remark {
                    // It does nothing to the tools, and there is nothing to mend.
                    finding.severity = Severity::Info;
                    finding.blast = Some(Blast::None);
                    finding.message = breach.what;
                    finding.remedy = None;
                }
                found.push(Judgement { about: About::Upstream(at), finding });
            }
        }
    }

    fn of_tool(&self, what: &str, at: usize, tool: &Tool, place: Place) -> Judgement {
        let mut finding = self.finding(what, Some(place));
        finding.tool = Some(tool.named.name.clone());
        Judgement { about: About::Tool(at), finding }
    }

    fn finding(&self, what: &str, place: Option<Place>) -> Finding {
        let rule = self.rule;
        let message = if rule.why.is_empty() { what.to_owned() } else { format!("{what}; {}", rule.why) };
        let mut finding = Finding::new(rule.check.kind().code(), rule.severity, message);
        finding.remedy.clone_from(&rule.remedy);
        finding.place = place;
        finding.target = Some(self.choice.label());
        finding.rule = Some(rule.id.clone());
        finding.blast = Some(rule.blast);
        finding
    }
}

/// The first names of a group.
fn some(tools: &[usize], names: &[String]) -> String {
    let shown: Vec<String> =
        tools.iter().take(3).filter_map(|at| names.get(*at)).map(|name| format!("`{name}`")).collect();
    let rest = tools.len().saturating_sub(shown.len());
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}
