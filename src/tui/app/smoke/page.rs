//! The page of one case.

use serde_json::Value as Json;

use crate::document::to_json;
use crate::proxy::units;
use crate::session::run::written;
use crate::session::{CaseResult, Check, Item, Verdict};
use crate::tui::app::detail::request::payload;
use crate::tui::app::page::{Act, Line};
use crate::tui::app::wire::hop_lines;
use crate::tui::theme::Role;

/// Columns of the first word of a line.
const LABEL: usize = 12;

/// The colour of a verdict.
pub(crate) fn role(verdict: Verdict) -> Role {
    match verdict {
        Verdict::Pass => Role::Success,
        Verdict::Fail => Role::Error,
        Verdict::Drift => Role::Warning,
        Verdict::Skipped => Role::Dim,
    }
}

fn fact(label: &str, text: impl AsRef<str>) -> Line {
    Line::new().cell(label, LABEL, Role::Accent).seg(text, Role::Text).hang(LABEL)
}

fn title(text: &str, out: &mut Vec<Line>) {
    out.push(Line::new());
    out.push(Line::new().seg(text, Role::Title));
}

/// The page. `tool` is the number of its tool in the index.
pub(super) fn lines(item: &Item, result: Option<&CaseResult>, runs: bool, tool: Option<usize>) -> Vec<Line> {
    let mut out = head(item, tool);
    let Some(result) = result else {
        out.push(fact("verdict", if runs { "its call is under way …" } else { "not run yet" }));
        arguments(item, &mut out);
        return out;
    };
    let mut verdict =
        Line::new().cell("verdict", LABEL, Role::Accent).seg(result.verdict.word(), role(result.verdict)).hang(LABEL);
    if result.exchange.is_some() {
        let status = result.status.map_or("no answer".to_owned(), |status| format!("HTTP {status}"));
        verdict = verdict.seg(format!("  {status}, {}", units::shown(result.elapsed)), Role::Dim);
    }
    out.push(verdict);
    if !result.why.is_empty() {
        out.push(fact("why", &result.why));
    }
    if !result.checks.is_empty() {
        title("Expectations", &mut out);
        out.extend(result.checks.iter().map(check));
    }
    drift(result, &mut out);
    arguments(item, &mut out);
    for hop in result.exchange.iter().flat_map(|exchange| &exchange.http) {
        title("Exchange", &mut out);
        out.extend(hop_lines(hop));
    }
    out
}

fn head(item: &Item, tool: Option<usize>) -> Vec<Line> {
    let mut name = fact("tool", item.tool_name());
    if let Some(tool) = tool {
        name = name.act(Act::Jump(tool));
    }
    let mut out = vec![fact("case", &item.case.name), fact("suite", &*item.suite), name];
    if let Some(tool) = &item.tool {
        out.push(fact("operation", format!("{} {}", tool.operation.method, tool.operation.path)));
    }
    if item.role != crate::session::Role::Case {
        out.push(fact("part", item.role.word()));
    }
    out.extend(item.environment.as_ref().map(|name| fact("environment", name)));
    if !item.case.at.is_empty() {
        out.push(fact("stands in", &item.case.at));
    }
    out
}

fn check(check: &Check) -> Line {
    let (sign, role) = match (check.ok, check.drift) {
        (true, _) => ("+ ", Role::Success),
        (false, true) => ("~ ", Role::Warning),
        (false, false) => ("! ", Role::Error),
    };
    let line = Line::new().seg(sign, role).seg(&check.what, Role::Text).hang(4);
    if check.why.is_empty() { line } else { line.seg(format!(": {}", check.why), role) }
}

fn drift(result: &CaseResult, out: &mut Vec<Line>) {
    if result.drift.is_empty() {
        return;
    }
    title("The answer does not fit the output schema", out);
    for point in &result.drift {
        out.push(Line::new().seg("~ ", Role::Warning).seg(point.sentence(), Role::Text).hang(2));
    }
    for point in result.fixes() {
        let what = if point.fix.len() == 1 { "Overlay action" } else { "Overlay actions" };
        title(&format!("{what}: {}", point.remedy.as_deref().unwrap_or_default()), out);
        for action in &point.fix {
            out.extend(payload("application/json", Some(&to_json(action, false)), 0));
        }
    }
}

fn arguments(item: &Item, out: &mut Vec<Line>) {
    let Some(arguments) = written(item).filter(|arguments| !arguments.is_empty()) else { return };
    title("Arguments", out);
    out.extend(payload("application/json", Some(&Json::Object(arguments).to_string()), 0));
}
