//! `f` on a finding: the change of an overlay that mends it, as a proposal.

use super::menu::{ActionRef, Change};
use crate::document::{Finding, Node};
use crate::overlay::Intent;
use crate::tui::app::detail::Tab;
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Focus};
use crate::tui::app::screens::Screen;
use crate::workspace::{Fix, Fixer, Mend};

impl App {
    /// The detail shows findings, and the cursor is on one.
    pub(crate) fn is_on_finding(&self) -> bool {
        self.screen == Screen::Tools && self.focus == Focus::Detail && self.detail.tab() == Tab::Findings
    }

    /// Proposes what mends the selected finding.
    pub(crate) fn fix(&mut self) -> Vec<Effect> {
        self.freshen();
        let finding = match self.screen {
            Screen::Findings => self.selected_finding().cloned(),
            Screen::Tools => self.finding_of_line().cloned(),
            Screen::Overlays => self.finding_of_action().cloned(),
            _ => None,
        };
        let Some(finding) = finding else {
            self.complain("put the cursor on a finding; f proposes what mends it");
            return Vec::new();
        };
        self.propose(&finding)
    }

    /// The finding that the line of the detail belongs to.
    fn finding_of_line(&self) -> Option<&Finding> {
        let line = self.pane().line()?;
        let tool = &self.selected()?.tool;
        let is_it = |finding: &&Finding| finding.place == line.place;
        let text = line.text();
        let named = tool.findings.iter().filter(is_it).find(|finding| text.contains(finding.code));
        named.or_else(|| tool.findings.iter().find(is_it))
    }

    fn propose(&mut self, finding: &Finding) -> Vec<Effect> {
        let Some(snapshot) = self.snapshot.clone() else { return Vec::new() };
        let fix = Fixer::new(&snapshot).fix(finding);
        match fix {
            Some(Fix::Tool { tool, intent }) => {
                let id = self.index.number(tool).and_then(|at| self.index.id(&snapshot.catalog, at));
                let Some(id) = id else { return Vec::new() };
                match intent {
                    Intent::Rename { name } => self.open_value(id, Change::Rename, &name, None),
                    Intent::Describe { text, .. } => self.open_value(id, Change::Describe, &text, None),
                    other => {
                        let whom = format!("{} {}", id.method, id.path);
                        return self.preview_intent(&[id], &whom, other);
                    }
                }
                Vec::new()
            }
            Some(Fix::Action { upstream, overlay, index, ref mend }) => {
                let file = snapshot.overlays.get(upstream).and_then(|all| all.files.get(overlay));
                let Some(path) = file.and_then(|file| file.path.clone()) else {
                    self.complain("the overlay is not a file on this disk, so it cannot be changed here");
                    return Vec::new();
                };
                let action = ActionRef { file: path, index, upstream };
                match mend {
                    Mend::Retarget(target) => {
                        self.open_target(action, target);
                        Vec::new()
                    }
                    Mend::Remove => {
                        let label = format!("take action {} away", index + 1);
                        self.preview_edits(&label, &action, fix.iter().flat_map(Fix::edits).collect())
                    }
                    Mend::Set { value, .. } => {
                        let label = format!("{} in action {}", words(value), index + 1);
                        self.preview_edits(&label, &action, fix.iter().flat_map(Fix::edits).collect())
                    }
                }
            }
            None => {
                let remedy = finding.remedy.as_deref().unwrap_or("see its detail");
                self.complain(format!("no overlay mends this by itself: {remedy}"));
                Vec::new()
            }
        }
    }
}

fn words(value: &Node) -> String {
    crate::document::to_json(value, false)
}
