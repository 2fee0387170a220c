//! What `check` and `explain` ask of the lint room. Not part of loading, which has to be fast.

use crate::derive::{Catalog, Tool};
use crate::document::Finding;
use crate::lint::{self, Matrix, TargetChoice, Verdict, similar};
use crate::wire;
use crate::workspace::Workspace;

/// The findings of the catalog, of tools that are too much alike, of transforms that fail,
/// of arguments that cannot be made up, and of each target in turn.
pub(super) fn findings(workspace: &Workspace, catalog: &Catalog) -> Vec<Finding> {
    let mut findings = catalog.findings.clone();
    if let Some(threshold) = workspace.lint.near_duplicates {
        findings.extend(similar::near_duplicates(catalog, threshold));
    }
    findings.extend(wire::check_transforms(catalog));
    findings.extend(wire::check_instances(catalog));
    findings.extend(lint::check(catalog, workspace.targets_to_check()));
    findings
}

/// What one target does with one tool, and why.
pub(super) struct Opinion {
    /// `NAME[:server-name]`.
    pub(super) target: String,
    /// `None` for a tool that no client gets.
    pub(super) verdict: Option<Verdict>,
    /// What the target does with the list as a whole.
    pub(super) list: Verdict,
    /// The name under which the model sees it.
    pub(super) exposed: String,
    /// On the tool, its document and the list.
    pub(super) reasons: Vec<Finding>,
}

/// The opinions of the chosen targets, else of all.
pub(super) fn opinions(workspace: &Workspace, catalog: &Catalog, tool: &Tool) -> Vec<Opinion> {
    let choices = workspace.targets_to_show();
    let at = catalog.tools.iter().position(|other| other.id() == tool.id());
    // A tool that is hidden is asked about by nobody.
    let matrix = if at.is_some() { lint::verdicts(catalog, &choices) } else { Matrix::default() };
    let opinion = |(number, choice): (usize, &TargetChoice)| Opinion {
        target: choice.label(),
        verdict: at.map(|at| matrix.get(number, at)),
        list: matrix.totals.get(number).map_or(Verdict::Ok, |totals| totals.list),
        exposed: choice.exposed(tool),
        reasons: at.map(|at| matrix.reasons(number, at, catalog).into_iter().cloned().collect()).unwrap_or_default(),
    };
    choices.iter().enumerate().map(opinion).collect()
}
