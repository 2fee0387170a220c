//! Actions: what each row of the table does, and when it cannot.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};

use super::actions::{ACTIONS, Action, Spec};
use super::call::Ask;
use super::detail::{About, Tab};
use super::field::Field;
use super::message::Effect;
use super::model::{App, Focus, Layer, Palette};
use super::overlays::Part;
use super::page::Act;
use super::pane::Pane;
use super::screens::Screen;
use super::tools::{Entry, Marks};
use crate::document::Severity;
use crate::tui::runtime::Control;

/// A match in the title of an action counts for so much more than one in its help.
const TITLE_BONUS: u32 = 100;

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

    /// Opens a tab; where the detail is not on the screen, it comes there.
    fn open_tab(&mut self, tab: Tab) {
        self.detail.open(tab);
        if self.hits.one_pane {
            self.focus = Focus::Detail;
        }
    }

    /// Rows of a page of what has the focus.
    pub(crate) fn page(&self) -> isize {
        let rows = match self.focus {
            Focus::Detail => self.hits.detail_height,
            Focus::List | Focus::Filter | Focus::Editor => self.hits.list_height,
        };
        // One row stays, so that the eye finds its place.
        isize::try_from(rows.saturating_sub(1).max(1)).unwrap_or(1)
    }

    /// The pane of the screen that is shown.
    pub(crate) fn pane(&self) -> &Pane {
        match self.screen {
            Screen::Tools => &self.detail.pane,
            Screen::Findings => &self.findings.pane,
            Screen::Overlays => &self.overlays.pane,
            Screen::Call => &self.call.pane,
            Screen::Wire => &self.wire.pane,
            Screen::Smoke => &self.smoke.pane,
            Screen::Targets => &self.table.pane,
        }
    }

    /// The same, to be changed.
    pub(crate) fn pane_mut(&mut self) -> &mut Pane {
        match self.screen {
            Screen::Tools => &mut self.detail.pane,
            Screen::Findings => &mut self.findings.pane,
            Screen::Overlays => &mut self.overlays.pane,
            Screen::Call => &mut self.call.pane,
            Screen::Wire => &mut self.wire.pane,
            Screen::Smoke => &mut self.smoke.pane,
            Screen::Targets => &mut self.table.pane,
        }
    }

    /// The tool of the table's selected row.
    pub(crate) fn table_tool(&self) -> Option<&Entry> {
        self.index.get(self.table.selected()?)
    }

    /// Is there anything of which the pane could tell?
    pub(crate) fn has_detail(&self) -> bool {
        match self.screen {
            Screen::Tools => self.list.selected().is_some(),
            Screen::Findings => self.findings.selected().is_some(),
            Screen::Overlays => self.overlays.selected().is_some() || self.overlays.editing.is_some(),
            Screen::Call => self.list.selected().is_some(),
            Screen::Wire => self.wire.selected().is_some(),
            Screen::Smoke => self.smoke.selected().is_some(),
            Screen::Targets => true,
        }
    }

    /// Makes the detail's page for what is selected now. Keys may come faster than frames, and what they do to the page
    /// must be done to the right one.
    pub(crate) fn freshen(&mut self) {
        let width = match (self.hits.detail_width, self.hits.one_pane) {
            (0, true) => usize::from(self.hits.body.width).saturating_sub(2),
            (width, _) => width,
        };
        self.prepare(width);
    }

    /// Makes the page for what is selected at a width.
    pub(crate) fn prepare(&mut self, width: usize) {
        match self.screen {
            Screen::Tools => {
                if let (Some(snapshot), Some(tool)) = (self.snapshot.clone(), self.list.selected()) {
                    let Self { index, checks, detail, shown_generation, .. } = self;
                    let about = About { snapshot: &snapshot, generation: *shown_generation, index, checks };
                    detail.prepare(about, tool, width);
                }
            }
            Screen::Findings => self.freshen_finding(width),
            Screen::Overlays if self.overlays.editing.is_some() => self.freshen_live(width),
            Screen::Overlays => self.freshen_overlay(width),
            Screen::Call => self.freshen_call(width),
            Screen::Wire => self.freshen_hop(width),
            Screen::Smoke => self.freshen_case(width),
            Screen::Targets => self.freshen_cell(width),
        }
    }

    fn step(&mut self, by: isize) {
        if let Some(Layer::Help(offset)) = self.layers.last_mut() {
            *offset = offset.saturating_add_signed(by);
            return;
        }
        if self.snapshot.is_none() {
            self.fault_offset = self.fault_offset.saturating_add_signed(by);
            return;
        }
        match self.focus {
            Focus::Detail => {
                self.freshen();
                self.pane_mut().step(by);
            }
            Focus::List | Focus::Filter | Focus::Editor => self.list_step(by),
        }
    }

    pub(crate) fn list_step(&mut self, by: isize) {
        match self.screen {
            Screen::Tools => {}
            Screen::Findings => {
                self.findings.step(by);
                return self.findings.pane.rewind();
            }
            Screen::Overlays => {
                if let Some(editing) = self.overlays.editing.as_mut() {
                    return editing.editor.step(by);
                }
                self.overlays.step(by);
                return self.overlays.pane.rewind();
            }
            Screen::Call => return self.call.editor.step(by),
            Screen::Wire => return self.wire.step(by),
            Screen::Smoke => return self.smoke.step(by),
            Screen::Targets => {
                self.table.step(by);
                return self.row_moved();
            }
        }
        let before = self.list.selected();
        match by {
            isize::MIN => self.list.first(),
            isize::MAX => self.list.last(),
            by => self.list.step(by),
        }
        self.selection_moved(before);
    }

    /// The detail begins anew when another tool is selected.
    pub(crate) fn selection_moved(&mut self, before: Option<usize>) {
        if self.list.selected() != before {
            self.detail.reset();
        }
        if self.list.selected().is_none() && matches!(self.focus, Focus::Detail | Focus::Editor) {
            self.focus = Focus::List;
        }
    }

    /// The filter has changed.
    pub(crate) fn refilter(&mut self) {
        if self.screen == Screen::Findings {
            return self.refresh_findings();
        }
        if self.screen == Screen::Smoke {
            return self.smoke.refilter();
        }
        if self.screen == Screen::Overlays {
            return self.overlays.filtered();
        }
        let Some(snapshot) = self.snapshot.clone() else { return };
        let before = self.list.selected();
        let checked = self.checks.checked.clone();
        self.list.filtered(&self.index, &snapshot.catalog, checked.as_ref().map(|checked| &checked.matrix));
        self.selection_moved(before);
        self.refresh_table();
    }

    /// The filter of the screen.
    pub(crate) fn filter_mut(&mut self) -> &mut Field {
        match self.screen {
            Screen::Tools | Screen::Targets | Screen::Call | Screen::Wire => &mut self.list.filter,
            Screen::Findings => &mut self.findings.filter,
            Screen::Overlays => &mut self.overlays.filter,
            Screen::Smoke => &mut self.smoke.filter,
        }
    }

    /// The same, to be read, and what is wrong with it.
    pub(crate) fn filter(&self) -> (&Field, Option<&str>) {
        match self.screen {
            Screen::Tools | Screen::Targets | Screen::Call | Screen::Wire => {
                (&self.list.filter, self.list.query.problem.as_deref())
            }
            Screen::Findings => (&self.findings.filter, self.findings.query.problem.as_deref()),
            Screen::Overlays => (&self.overlays.filter, self.overlays.query.problem.as_deref()),
            Screen::Smoke => (&self.smoke.filter, None),
        }
    }

    fn rearrange(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let keep = self.list.selected();
        let checked = self.checks.checked.clone();
        self.list.refresh(&self.index, &snapshot.catalog, checked.as_ref().map(|checked| &checked.matrix), keep);
    }

    fn regroup(&mut self) {
        self.list.grouping = self.list.grouping.next();
        self.rearrange();
        self.say(self.list.grouping.label());
    }

    fn resort(&mut self) {
        match self.screen {
            Screen::Tools => {}
            Screen::Findings => {
                self.findings.order = self.findings.order.next();
                self.refresh_findings();
                return self.say(self.findings.order.label());
            }
            Screen::Overlays | Screen::Call | Screen::Wire | Screen::Smoke => return,
            Screen::Targets => return self.rearrange_table(),
        }
        self.list.order = self.list.order.next();
        self.rearrange();
        self.say(self.list.order.label());
    }

    fn seek_problem(&mut self, forward: bool) {
        match self.screen {
            Screen::Tools => {}
            Screen::Findings => {
                self.findings.next_kind(forward);
                return self.findings.pane.rewind();
            }
            Screen::Overlays => return self.seek_flaw(forward),
            Screen::Call => return,
            Screen::Wire => return self.seek_failed(forward),
            Screen::Smoke => return self.seek_bad_case(forward),
            Screen::Targets => return self.seek_minded(forward),
        }
        let before = self.list.selected();
        let Self { list, index, .. } = self;
        let found = list.seek(forward, |tool| {
            let problem = |marks: Marks| marks.conflict || marks.truncated || marks.finding >= Some(Severity::Warning);
            index.get(tool).is_some_and(|entry| problem(entry.marks))
        });
        if !found {
            self.say("no tool in the list has a conflict, a cut, an error or a warning");
        }
        self.selection_moved(before);
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

    /// Shows a tool on the screen of tools.
    pub(crate) fn jump(&mut self, tool: usize) {
        if self.screen != Screen::Tools {
            self.screen = Screen::Tools;
            self.focus = Focus::List;
        }
        let before = self.list.selected();
        if !self.list.select(tool) {
            // The filter hides it, and a jump is worth more than a filter.
            self.list.filter.set("");
            self.refilter();
            self.list.select(tool);
        }
        self.selection_moved(before);
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

    /// Actions that the palette shows for what is typed: the best match first.
    pub(crate) fn palette_matches(&self) -> Vec<&'static Spec> {
        let Some(Layer::Palette(palette)) = self.layers.last() else { return Vec::new() };
        let here = |spec: &&Spec| self.is_here(spec.context) && spec.action != Action::Palette;
        let pattern = Pattern::parse(palette.field.text(), CaseMatching::Ignore, Normalization::Smart);
        let mut matcher = super::tools::query::matcher();
        let mut buffer = Vec::new();
        let mut hits: Vec<(u32, &Spec)> = ACTIONS
            .iter()
            .filter(here)
            .filter_map(|spec| {
                let text = format!("{} {}", spec.title, spec.help);
                let score = pattern.score(nucleo_matcher::Utf32Str::new(&text, &mut buffer), &mut matcher)?;
                // What the title says counts for more than what the sentence about it happens to hold.
                let title = pattern.score(nucleo_matcher::Utf32Str::new(spec.title, &mut buffer), &mut matcher);
                Some((score + title.map_or(0, |title| title + TITLE_BONUS), spec))
            })
            .collect();
        hits.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        hits.into_iter().map(|(_, spec)| spec).collect()
    }
}
