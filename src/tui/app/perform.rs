//! Actions: what each row of the table does, and when it cannot.

use super::actions::Action;
use super::call::Ask;
use super::detail::Tab;
use super::message::Effect;
use super::model::{App, Focus, Layer, Palette};
use super::overlays::Part;
use super::page::Act;
use super::screens::Screen;
use crate::tui::runtime::Control;

impl App {
    /// Does an action, or says why it cannot.
    pub fn perform(&mut self, action: Action) -> Vec<Effect> {
        if action == Action::Toggle {
            self.freshen();
        }
        if let Some(why) = self.hindrance(action) {
            self.complain(why);
            return Vec::new();
        }
        match action {
            Action::Toggle if matches!(self.act(), Some(Act::Propose(_))) => {
                let Some(Act::Propose(which)) = self.act() else { return Vec::new() };
                return self.take_over(which);
            }
            Action::Reload => {
                self.load.asked = true;
                return self.reload();
            }
            Action::Down => self.step(1),
            Action::Up => self.step(-1),
            Action::PageDown => self.step(self.page()),
            Action::PageUp => self.step(-self.page()),
            Action::First => self.step(isize::MIN),
            Action::Last => self.step(isize::MAX),
            Action::Open if self.screen == Screen::Findings => self.open_finding(),
            Action::Open if self.screen == Screen::Overlays => self.open_overlay(),
            Action::EditHere => return self.edit_here(),
            Action::TakeOver => return self.take_over(0),
            Action::FixAction => return self.fix(),
            Action::NewOverlay => return self.new_overlay(),
            Action::Open if self.screen == Screen::Call => self.focus = Focus::Editor,
            Action::Open | Action::Read => self.focus = Focus::Detail,
            Action::Filter => {
                self.layers.clear();
                self.focus = Focus::Filter;
            }
            Action::ScreenTools => return self.show_screen(Screen::Tools),
            Action::ScreenFindings => return self.show_screen(Screen::Findings),
            Action::ScreenOverlays => return self.show_screen(Screen::Overlays),
            Action::ScreenCall => return self.show_screen(Screen::Call),
            Action::ScreenWire => return self.show_screen(Screen::Wire),
            Action::ScreenSmoke => return self.show_screen(Screen::Smoke),
            Action::ScreenTargets => return self.show_screen(Screen::Targets),
            Action::Edit if self.screen == Screen::Call => return self.edit_draft(),
            Action::Edit if self.screen == Screen::Smoke => self.edit_case(),
            Action::Edit => self.edit(),
            Action::EditFailure => self.edit_failure(),
            Action::Copy => self.copy(),
            Action::Mouse => {
                self.mouse = !self.mouse;
                self.say(if self.mouse {
                    "the mouse works here"
                } else {
                    "the mouse belongs to the terminal: select text with it"
                });
            }
            Action::Back => self.back(),
            Action::Palette => self.layers.push(Layer::Palette(Palette::default())),
            Action::Help => match self.layers.last() {
                Some(Layer::Help(_)) => {
                    self.layers.pop();
                }
                _ => self.layers.push(Layer::Help(0)),
            },
            Action::Quit => {
                // In a layer the key that closes is at hand, and the program must not vanish.
                if self.layers.pop().is_some() {
                    return Vec::new();
                }
                if self.workbench.unsaved() > 0 {
                    self.ask_before_leaving();
                } else if self.call.running.is_some() || self.smoke.run.is_some() {
                    self.layers.push(Layer::Ask(Ask::Quit));
                } else {
                    self.control = Some(Control::Quit);
                }
            }
            Action::Undo => return self.undo(),
            Action::Redo => return self.redo(),
            Action::Fix => return self.fix(),
            Action::TabFindings if self.is_on_finding() => return self.fix(),
            Action::Save => return self.save_drafts(),
            Action::Send => return self.send(),
            Action::Fill => return self.fill(),
            Action::Cancel => return self.cancel_call(),
            Action::Replay => return self.replay(),
            Action::SaveJsonl => return self.save_record(false),
            Action::SaveHar => return self.save_record(true),
            Action::Proxy => return self.toggle_proxy(),
            Action::RunAll => return self.run_all(),
            Action::RunCase => return self.run_case(),
            Action::RunFailed => return self.run_failed(),
            Action::StopRun => return self.stop_run(),
            Action::SmokePlace => return self.next_place(),
            Action::CaseWire => return self.show_exchange(),
            _ => self.perform_here(action),
        }
        Vec::new()
    }

    /// Does an action that belongs to a screen.
    fn perform_here(&mut self, action: Action) {
        match action {
            Action::Group => self.regroup(),
            Action::Sort => self.resort(),
            Action::NextProblem => self.seek_problem(true),
            Action::PreviousProblem => self.seek_problem(false),
            Action::Toggle => self.toggle(),
            Action::ToggleAll if self.screen == Screen::Findings => {
                let open = self.findings.fold_all();
                self.findings.pane.rewind();
                self.say(if open { "all kinds are unfolded" } else { "all kinds are folded" });
            }
            Action::ToggleAll if self.screen == Screen::Overlays => {
                let open = self.overlays.fold_all();
                self.overlays.pane.rewind();
                self.say(if open { "all overlays are unfolded" } else { "all overlays are folded" });
            }
            Action::EditHere | Action::FixAction | Action::TakeOver | Action::NewOverlay => {}
            Action::NextPart => self.open_part(self.overlays.part.step(1)),
            Action::PreviousPart => self.open_part(self.overlays.part.step(Part::ALL.len() - 1)),
            Action::NextAction => self.step_action(true),
            Action::PreviousAction => self.step_action(false),
            Action::Moment => self.turn_moment(),
            Action::ToggleAll if self.detail.tab() == Tab::Request => {
                let all = self.detail.toggle_whole();
                self.say(if all { "with all arguments" } else { "with the required arguments only" });
            }
            Action::ToggleAll => {
                let all = self.detail.toggle_all();
                self.say(if all { "everything is unfolded" } else { "all but the first levels is folded" });
            }
            Action::Exact => {
                self.open_tab(Tab::Schema);
                self.detail.toggle_exact();
            }
            Action::NextTab => self.open_tab(self.detail.tab().step(1)),
            Action::PreviousTab => self.open_tab(self.detail.tab().step(Tab::ALL.len() - 1)),
            Action::TabName => self.open_tab(Tab::Name),
            Action::TabSchema => self.open_tab(Tab::Schema),
            Action::TabRequest => self.open_tab(Tab::Request),
            Action::TabSource => self.open_tab(Tab::Source),
            Action::TabFindings => self.open_tab(Tab::Findings),
            Action::TabCost => self.open_tab(Tab::Cost),
            Action::Mark => self.toggle_mark(),
            Action::ClearMarks => self.clear_marks(),
            Action::Change => self.open_menu(),
            Action::Look => self.focus = Focus::Detail,
            Action::Side => self.turn_side(),
            Action::Clients => self.layers.push(Layer::Clients(0)),
            Action::Unfold => self.fold_finding(true),
            Action::Fold => self.fold_finding(false),
            Action::AllTargets => self.toggle_all_targets(),
            Action::NextTarget => self.step_target(true),
            Action::PreviousTarget => self.step_target(false),
            Action::GoToTool => {
                if let Some(tool) = self.table.selected() {
                    self.jump(tool);
                }
            }
            Action::CaseTool => self.show_case_tool(),
            Action::Server => self.layers.push(Layer::Meter(self.table.server.clone())),
            // Done by `perform`; named one by one, so that no new action is forgotten in both.
            Action::Reload | Action::Mouse | Action::Back | Action::Palette | Action::Help | Action::Quit => {}
            Action::Down | Action::Up | Action::PageDown | Action::PageUp | Action::First | Action::Last => {}
            Action::ScreenTools | Action::ScreenFindings | Action::ScreenTargets | Action::ScreenOverlays => {}
            Action::ScreenSmoke => {}
            Action::RunAll | Action::RunCase | Action::RunFailed | Action::StopRun => {}
            Action::SmokePlace | Action::CaseWire => {}
            Action::ScreenCall | Action::ScreenWire | Action::Send | Action::Fill | Action::Cancel => {}
            Action::Undo | Action::Redo | Action::Save | Action::Fix => {}
            Action::Replay | Action::SaveJsonl | Action::SaveHar | Action::Proxy => {}
            Action::Open | Action::Read | Action::Filter | Action::Edit | Action::EditFailure | Action::Copy => {}
        }
    }

    /// What Enter does on the line that the cursor is on.
    fn act(&self) -> Option<Act> {
        self.pane().line().and_then(|line| line.act.clone())
    }

    fn toggle(&mut self) {
        let line = self.pane().line();
        // What an overlay wrote leads to the action that did, unless the line leads elsewhere.
        let place = line.and_then(|line| line.place.as_ref()).filter(|_| self.screen != Screen::Overlays);
        let by =
            place.and_then(|place| place.origin.action.map(|action| Act::Action { file: place.origin.file, action }));
        match line.and_then(|line| line.act.clone()).or(by) {
            Some(Act::Fold(pointer)) => self.detail.toggle_fold(&pointer),
            Some(Act::Jump(tool)) => self.jump(tool),
            Some(Act::Action { file, action }) => self.go_to_action(file, action),
            Some(Act::Propose(_)) => self.say("a takes the first proposal over"),
            None => self.say("nothing folds on this line"),
        }
    }

    fn back(&mut self) {
        if self.layers.pop().is_some() {
            return;
        }
        if self.focus != Focus::List {
            self.focus = Focus::List;
        } else if !matches!(self.screen, Screen::Call | Screen::Wire) && !self.filter().0.text().is_empty() {
            self.filter_mut().set("");
            self.refilter();
        } else {
            self.say("q quits");
        }
    }
}
