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

/// For each target its judgements: on documents, on the list, on tools in their order.
pub(super) fn judge(catalog: &Catalog, choices: &[TargetChoice]) -> Vec<Vec<Judgement>> {
    let wants_size =
        choices.iter().flat_map(|choice| choice.target.rules()).any(|rule| rule.check.kind() == Kind::ListSize);
    let list = ListFacts::of(catalog, wants_size);
    let names: Vec<Vec<String>> = choices.iter().map(|choice| exposed(catalog, choice)).collect();
    let mut out: Vec<Vec<Judgement>> = Vec::new();
    for (choice, names) in choices.iter().zip(&names) {
        let mut found = Vec::new();
        for rule in choice.target.rules() {
            match rule.check.kind().unit() {
                Unit::Document => of_documents(catalog, choice, rule, &mut found),
                Unit::List => of_list(catalog, choice, rule, &list, names, &mut found),
                Unit::Tool | Unit::Schema => {}
            }
            of_cut_names(catalog, choice, rule, names, &mut found);
        }
        out.push(found);
    }
    let mut locator = Locator::default();
    let looks_inside = choices.iter().flat_map(|choice| choice.target.rules());
    let looks_inside = looks_inside.into_iter().any(|rule| rule.check.kind().unit() == Unit::Schema);
    for (at, tool) in catalog.tools.iter().enumerate() {
        let schema = &tool.operation.input_schema;
        let facts = if looks_inside { Facts::of(schema) } else { Facts::default() };
        for ((choice, names), found) in choices.iter().zip(&names).zip(&mut out) {
            let name = names.get(at).map_or("", String::as_str);
            for rule in choice.target.rules() {
                found.extend(of_tool(catalog, choice, rule, at, tool, name, &facts, &mut locator));
            }
        }
    }
    out
}

fn exposed(catalog: &Catalog, choice: &TargetChoice) -> Vec<String> {
    catalog.tools.iter().map(|tool| choice.exposed(tool)).collect()
}

#[allow(clippy::too_many_arguments)]
fn of_tool(
    catalog: &Catalog,
    choice: &TargetChoice,
    rule: &Rule,
    at: usize,
    tool: &Tool,
    name: &str,
    facts: &Facts<'_>,
    locator: &mut Locator,
) -> Option<Judgement> {
    let (what, place) = match rule.check.kind().unit() {
        Unit::Tool => {
            let breach = tool_rules::breach(&rule.check, choice, tool, name, &catalog.description_rules)?;
            (breach.what, breach.place)
        }
        Unit::Schema => {
            let breach = schema_rules::breach(&rule.check, &tool.operation.input_schema, facts)?;
            let fallback = &tool.operation.place;
            let set = catalog.upstreams.get(tool.upstream).map(|upstream| &*upstream.documents);
            let place = breach.origin.map(|origin| locator.place(tool.upstream, set, origin, fallback));
            (breach.what, place.unwrap_or_else(|| fallback.clone()))
        }
        Unit::List | Unit::Document => return None,
    };
    let mut finding = finding(choice, rule, &what, Some(place));
    finding.tool = Some(tool.named.name.clone());
    Some(Judgement { about: About::Tool(at), finding })
}

fn of_list(
    catalog: &Catalog,
    choice: &TargetChoice,
    rule: &Rule,
    list: &ListFacts,
    names: &[String],
    found: &mut Vec<Judgement>,
) {
    if let Some(what) = list_rules::breach(&rule.check, list) {
        // Only tools over the number are dropped; anything else befalls the whole list.
        let kept = if rule.blast == Blast::ToolDropped { rule.limit().unwrap_or(0) } else { 0 };
        found.push(Judgement { about: About::List(kept), finding: finding(choice, rule, &what, None) });
    }
    if matches!(rule.check, Check::Plain(Kind::UniqueNames)) {
        for (name, tools) in list_rules::duplicates(names) {
            for (at, tool) in tools.iter().filter_map(|at| Some((*at, catalog.tools.get(*at)?))) {
                let what = format!("{} tools have the name `{name}`", tools.len());
                found.push(of_name(choice, rule, &what, at, tool));
            }
        }
    }
}

/// Names that are over a limit may not only be refused: cut there, they may become one.
fn of_cut_names(catalog: &Catalog, choice: &TargetChoice, rule: &Rule, names: &[String], found: &mut Vec<Judgement>) {
    let Check::Limit(Kind::NameLength, max) = rule.check else { return };
    for (cut, tools) in list_rules::alike_when_cut(names, max) {
        for (at, tool) in tools.iter().filter_map(|at| Some((*at, catalog.tools.get(*at)?))) {
            let what = format!(
                "{} tools have one name, `{cut}`, when names are cut to {max} characters: {}",
                tools.len(),
                some(&tools, names)
            );
            let mut judgement = of_name(choice, rule, &what, at, tool);
            judgement.finding.code = "target-name-cut";
            found.push(judgement);
        }
    }
}

/// The first names of a group.
fn some(tools: &[usize], names: &[String]) -> String {
    let shown: Vec<String> =
        tools.iter().take(3).filter_map(|at| names.get(*at)).map(|name| format!("`{name}`")).collect();
    let rest = tools.len().saturating_sub(shown.len());
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}

fn of_name(choice: &TargetChoice, rule: &Rule, what: &str, at: usize, tool: &Tool) -> Judgement {
    let mut finding = finding(choice, rule, what, Some(tool.name_place().clone()));
    finding.tool = Some(tool.named.name.clone());
    Judgement { about: About::Tool(at), finding }
}

fn of_documents(catalog: &Catalog, choice: &TargetChoice, rule: &Rule, found: &mut Vec<Judgement>) {
    for (at, upstream) in catalog.upstreams.iter().enumerate() {
        for breach in document_rules::breaches(&rule.check, upstream) {
            let severity = breach.severity(rule.severity);
            let mut finding = finding(choice, rule, &breach.what, Some(breach.place));
            if severity != rule.severity {
                // A remark does nothing to the tools, and there is nothing to mend.
                finding.severity = severity;
                finding.blast = Some(Blast::None);
                finding.message = breach.what;
                finding.remedy = None;
            }
            found.push(Judgement { about: About::Upstream(at), finding });
        }
    }
}

fn finding(choice: &TargetChoice, rule: &Rule, what: &str, place: Option<Place>) -> Finding {
    let separator = if rule.why.is_empty() { "" } else { "; " };
    let message = format!("{what}{separator}{}", rule.why);
    let mut finding = Finding::new(rule.check.kind().code(), rule.severity, message);
    finding.remedy.clone_from(&rule.remedy);
    finding.place = place;
    finding.target = Some(choice.label());
    finding.rule = Some(rule.id.clone());
    finding.blast = Some(rule.blast);
    finding
}

/// Worse than a remark?
pub(super) fn counts(finding: &Finding) -> bool {
    finding.severity > Severity::Info
}
