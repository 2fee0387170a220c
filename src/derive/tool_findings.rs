//! What a person should know about one tool.

use crate::document::{Finding, Severity};

use super::model::{Catalog, Loss, Tool};

/// Findings of the operation, its name, its cuts and its losses.
pub(crate) fn of(tool: &Tool, catalog: &Catalog) -> Vec<Finding> {
    let operation = &*tool.operation;
    let mut findings = operation.findings.clone();
    let name_place = || tool.name_place().clone();
    let named = &tool.named;
    for (code, words) in &named.warnings {
        findings.push(Finding::warning(code, words.clone()).at(name_place()));
    }
    if let Some(why) = &named.rejected {
        let remedy = "give it another name with `x-mcp-tool-name` in an overlay";
        findings.push(Finding::error("name-rejected", why.clone()).at(name_place()).remedy(remedy));
    }
    if let Some(truncated) = &named.truncated {
        let message =
            format!("the name is cut to {} characters: `{}` is lost", named.name.chars().count(), truncated.cut);
        let remedy = "give it a shorter name with `x-mcp-tool-name` in an overlay";
        findings.push(Finding::warning("name-truncated", message).at(name_place()).remedy(remedy));
    }
    if let Some(truncated) = &operation.description_truncated {
        let count = truncated.cut.chars().count();
        let message = format!("the description is cut: its last {count} characters are lost");
        let remedy = "say it shorter with an overlay, or raise `naming.description_max_length`";
        findings.push(Finding::info("description-truncated", message).at(operation.place.clone()).remedy(remedy));
    }
    if let Some(conflict) = tool.conflict.and_then(|index| catalog.conflicts.get(index)) {
        let upstream = catalog.upstreams.get(tool.upstream).map_or("", |upstream| upstream.name.as_str());
        findings.push(super::conflicts::finding(tool, upstream, conflict));
    }
    // What is wrong with an operation that is not exposed concerns nobody but its own row.
    let quiet = tool.hidden.is_some();
    for loss in &operation.losses {
        let known =
            findings.iter().any(|finding| finding.code == loss.what && finding.place.as_ref() == Some(&loss.place));
        if !known {
            findings.push(of_loss(loss));
        }
    }
    for finding in &mut findings {
        finding.tool = Some(named.name.clone());
        if quiet && tool.conflict.is_none() {
            finding.severity = Severity::Info;
        }
    }
    findings
}

fn of_loss(loss: &Loss) -> Finding {
    let severity = match loss.what {
        "body-without-arguments"
        | "undeclared-path-parameter"
        | "unused-path-parameter"
        | "broken-ref"
        | "circular-schema"
        | "required-without-property"
        | "invalid-schema"
        | "duplicate-parameter" => Severity::Warning,
        _ => Severity::Info,
    };
    Finding::new(loss.what, severity, loss.why.clone()).at(loss.place.clone())
}
