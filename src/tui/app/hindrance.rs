//! When an action cannot be done, and where its keys reach it.

use super::actions::{Action, Context};
use super::detail::Tab;
use super::findings::Row;
use super::model::{App, Focus, Layer};
use super::page::Line;
use super::screens::Screen;

impl App {
    /// Why an action cannot be done now; `None` when it can.
    pub fn hindrance(&self, action: Action) -> Option<&'static str> {
        use Action as A;
        let (undo, redo) = self.workbench.drafts.steps();
        match action {
            A::Undo if undo.is_none() => return Some("there is nothing to undo"),
            A::Redo if redo.is_none() => return Some("there is nothing to redo"),
            A::Save if self.workbench.unsaved() == 0 => return Some("nothing is unsaved"),
            A::Undo | A::Redo | A::Save => return None,
            _ => {}
        }
        if self.snapshot.is_none() {
            return match action {
                A::Edit if self.load.failure.is_some() => None,
                A::EditFailure if self.load.failure.is_none() => Some("no load has failed"),
                A::EditFailure | A::Down | A::Up | A::PageDown | A::PageUp | A::First | A::Last | A::Reload => None,
                A::Back | A::Help | A::Palette | A::Quit | A::Mouse => None,
                A::ScreenTools
                | A::ScreenFindings
                | A::ScreenOverlays
                | A::ScreenCall
                | A::ScreenWire
                | A::ScreenSmoke
                | A::ScreenTargets => None,
                _ => Some("nothing is loaded yet"),
            };
        }
        match action {
            A::EditFailure if self.load.failure.is_none() => Some("no load has failed"),
            A::Toggle if self.focus != Focus::Detail => Some("the detail does not have the focus"),
            A::Open | A::Read if self.focus == Focus::Detail => Some("it is open"),
            A::Clients if self.wire.serving.is_none() => Some("the proxy is not running; p starts it"),
            _ => match self.screen {
                Screen::Tools => self.hindrance_of_tools(action),
                Screen::Findings => self.hindrance_of_findings(action),
                Screen::Overlays => self.hindrance_of_overlays(action),
                Screen::Call => self.hindrance_of_call(action),
                Screen::Wire => self.hindrance_of_wire(action),
                Screen::Smoke => self.hindrance_of_smoke(action),
                Screen::Targets => self.hindrance_of_targets(action),
            },
        }
    }

    fn hindrance_of_tools(&self, action: Action) -> Option<&'static str> {
        use Action as A;
        let selected = self.list.selected().is_some();
        match action {
            A::Open | A::NextTab | A::PreviousTab | A::TabName | A::TabSchema | A::TabRequest | A::TabSource
                if !selected =>
            {
                Some("no tool is selected")
            }
            A::TabFindings | A::TabCost | A::Edit | A::Copy | A::Exact | A::ToggleAll | A::Toggle if !selected => {
                Some("no tool is selected")
            }
            A::Change | A::Mark if !selected => Some("no tool is selected"),
            A::ClearMarks if self.workbench.marks.is_empty() => Some("no tool is marked"),
            A::ToggleAll if !matches!(self.detail.tab(), Tab::Schema | Tab::Request) => Some("only the schema folds"),
            A::Toggle if self.detail.tab() != Tab::Schema && !self.leads_on() => {
                Some("nothing folds on this line, nor does it lead to a tool")
            }
            _ => None,
        }
    }

    fn hindrance_of_findings(&self, action: Action) -> Option<&'static str> {
        use Action as A;
        match action {
            A::Fix if matches!(self.findings.selected(), Some(Row::Kind(_))) => {
                Some("a kind is selected; unfold it and select one of its findings")
            }
            A::Fix if self.selected_finding().is_none() => Some("no finding is selected"),
            A::Open | A::Read | A::Edit | A::Copy | A::Fold | A::Unfold | A::ToggleAll
                if self.findings.selected().is_none() =>
            {
                Some("there is no finding to select")
            }
            A::Toggle if !self.leads_on() => Some("this line does not lead to a tool"),
            A::AllTargets if self.checks.checked.is_none() => Some("the targets have not answered yet"),
            _ => None,
        }
    }

    fn hindrance_of_targets(&self, action: Action) -> Option<&'static str> {
        use Action as A;
        match action {
            A::ToggleAll => Some("nothing folds here"),
            A::Toggle if !self.leads_on() => Some("this line does not lead to a tool"),
            A::GoToTool if self.table.selected().is_none() => Some("no tool is selected"),
            A::Edit if self.table.selected().is_none() && self.focus != Focus::Detail => Some("no tool is selected"),
            A::Server if self.checks.checked.is_none() => Some("the targets have not answered yet"),
            _ => None,
        }
    }

    /// Does the line that the cursor is on lead to something: a fold, a tool, an action?
    pub(crate) fn leads_on(&self) -> bool {
        let by_overlay = |line: &Line| line.place.as_ref().is_some_and(|place| place.origin.action.is_some());
        self.pane().line().is_some_and(|line| line.act.is_some() || by_overlay(line))
    }

    /// Is the context of an action the present one?
    pub(crate) fn is_here(&self, context: Context) -> bool {
        match context {
            Context::Global => true,
            Context::List => self.focus != Focus::Detail,
            Context::Detail => self.focus == Focus::Detail,
            Context::Tools
            | Context::Findings
            | Context::Overlays
            | Context::Call
            | Context::Wire
            | Context::Smoke
            | Context::Targets => context == Context::of(self.screen),
        }
    }

    /// Do the keys of an action reach it? Under the help only what moves or closes it, and what opens another layer.
    pub(crate) fn reaches(&self, action: Action) -> bool {
        use Action as A;
        let in_help = matches!(
            action,
            A::Down | A::Up | A::PageDown | A::PageUp | A::First | A::Last | A::Back | A::Help | A::Palette | A::Quit
        );
        in_help || !matches!(self.layers.last(), Some(Layer::Help(_)))
    }
}
