//! The page beside a text that is edited: what it makes of the tools now, and what the cursor is in.

use super::super::tools;
use super::Editing;
use crate::tui::app::page::Line;
use crate::tui::app::tools::Index;
use crate::tui::app::workbench::Workbench;
use crate::tui::theme::Role;

/// The page.
pub(super) fn lines(editing: &Editing, workbench: &Workbench, index: &Index) -> Vec<Line> {
    let mut out = Vec::new();
    if !editing.checked.trial.is_empty() {
        out.push(Line::new().seg("At the cursor", Role::Dim));
        out.extend(editing.checked.trial.iter().cloned());
        out.push(Line::new());
    }
    match (&workbench.problem, workbench.deriving) {
        (Some(problem), false) => {
            let line = Line::new().seg("✗ ", Role::Error).seg(&problem.message, Role::Text).hang(2);
            out.push(match problem.cite() {
                Some(cited) => line.seg(format!("  {cited}"), Role::Key),
                None => line,
            });
            if let Some(remedy) = &problem.remedy {
                out.push(Line::new().seg("→ ", Role::Accent).seg(remedy, Role::Text).hang(2));
            }
            out.push(Line::new().seg("The tools are those of the text before.", Role::Dim));
        }
        (_, true) => out.push(Line::new().seg("deriving …", Role::Dim)),
        (None, false) => {}
    }
    out.push(Line::new().seg("Against the files as they are saved", Role::Dim));
    match workbench.difference.as_deref() {
        Some(difference) if workbench.unsaved() > 0 => out.extend(tools::lines(difference, index)),
        _ => out.push(Line::new().seg("+0 ~0 −0 tools", Role::Title)),
    }
    out
}
