//! What the model reads of an operation.

use crate::document::{Finding, Node};
use crate::naming::{Truncated, truncate_description};

use super::report::{Path, Report};
use super::settings::{DescriptionRules, DescriptionSource};

/// A description and what was cut off it.
pub(crate) struct Description {
    pub(crate) text: String,
    pub(crate) truncated: Option<Truncated>,
}

/// Makes the description of an operation.
///
/// A summary that hides a description which an overlay wrote is a finding: its author will not see any effect.
pub(crate) fn describe(
    operation: &Node,
    path: &Path<'_>,
    rules: &DescriptionRules,
    report: &mut Report,
) -> Description {
    let text = |key: &str| operation.text(key).map(str::trim).filter(|text| !text.is_empty());
    let (summary, description) = (text("summary"), text("description"));
    let full = match (rules.source, summary, description) {
        (DescriptionSource::Both, Some(summary), Some(description)) if summary != description => {
            format!("{summary}\n\n{description}")
        }
        (DescriptionSource::Description, summary, description) => {
            description.or(summary).unwrap_or_default().to_owned()
        }
        (_, summary, description) => summary.or(description).unwrap_or_default().to_owned(),
    };
    let written = operation.get("description").filter(|node| node.origin.action.is_some());
    if let (DescriptionSource::Summary, Some(_), Some(written)) = (rules.source, summary, written) {
        let finding = Finding::warning("description-hidden", "the summary hides the description that the overlay set")
            .at(path.key("description").place(written))
            .remedy("set `summary` as well, or set `naming.description_source` to `description` or `both`");
        report.findings.push(finding);
    }
    if full.is_empty() {
        let finding = Finding::info("no-description", "the operation has neither summary nor description")
            .at(path.place(operation))
            .remedy("say with an overlay what it does: a model has only its name to go by");
        report.findings.push(finding);
    }
    match truncate_description(&full, rules.max_length, &rules.suffix) {
        (text, Some(cut)) => Description { text, truncated: Some(Truncated { full, cut }) },
        (text, None) => Description { text, truncated: None },
    }
}
