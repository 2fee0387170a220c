//! Actions: what each row of the table does, and when it cannot.

use std::path::{Path, PathBuf};

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};

use super::actions::{ACTIONS, Action, Context, Spec};
use super::detail::Tab;
use super::message::Effect;
use super::model::{App, Focus, Layer, Palette};
use super::page::Act;
use super::tools::Marks;
use crate::document::{Place, Severity, to_json};
use crate::tui::runtime::Control;

impl App {
    /// Why an action cannot be done now; `None` when it can.
    pub fn hindrance(&self, action: Action) -> Option<&'static str> {
        use Action as A;
        let loaded = self.snapshot.is_some();
        let selected = self.list.selected().is_some();
        match action {
            A::Filter | A::Group | A::Sort if !loaded => Some("nothing is loaded yet"),
            A::Edit if self.snapshot.is_none() && self.load.failure.is_some() => None,
            A::EditFailure if self.load.failure.is_none() => Some("no load has failed"),
            A::Open
            | A::NextTab
            | A::PreviousTab
            | A::TabName
            | A::TabSchema
            | A::TabSource
            | A::TabFindings
            | A::Edit
            | A::Copy
            | A::Exact
            | A::ToggleAll
            | A::Toggle
                if !selected =>
            {
                Some("no tool is selected")
            }
            A::ToggleAll if self.detail.tab() != Tab::Schema => Some("only the schema folds"),
            A::Toggle if self.focus != Focus::Detail => Some("the detail does not have the focus"),
            A::Toggle
                if self.detail.tab() != Tab::Schema && self.detail.line().is_none_or(|line| line.act.is_none()) =>
            {
                Some("nothing folds on this line, nor does it lead to a tool")
            }
            A::Open if self.focus == Focus::Detail => Some("it is open"),
            A::NextProblem | A::PreviousProblem if !loaded => Some("nothing is loaded yet"),
            _ => None,
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
            Action::Reload => return self.reload(),
            Action::Down => self.step(1),
            Action::Up => self.step(-1),
            Action::PageDown => self.step(self.page()),
            Action::PageUp => self.step(-self.page()),
            Action::First => self.step(isize::MIN),
            Action::Last => self.step(isize::MAX),
            Action::Open => self.focus = Focus::Detail,
            Action::Filter => {
                self.layers.clear();
                self.focus = Focus::Filter;
            }
            Action::Group => self.regroup(),
            Action::Sort => self.resort(),
            Action::NextProblem => self.seek_problem(true),
            Action::PreviousProblem => self.seek_problem(false),
            Action::Toggle => self.toggle(),
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
            Action::TabSource => self.open_tab(Tab::Source),
            Action::TabFindings => self.open_tab(Tab::Findings),
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
                if self.layers.pop().is_none() {
                    self.control = Some(Control::Quit);
                }
            }
        }
        Vec::new()
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
            Focus::List | Focus::Filter => self.hits.list_height,
        };
        // One row stays, so that the eye finds its place.
        isize::try_from(rows.saturating_sub(1).max(1)).unwrap_or(1)
    }

    /// Makes the detail's page for what is selected now. Keys may come faster than frames, and what they do to the page
    /// must be done to the right one.
    pub(crate) fn freshen(&mut self) {
        let width = match (self.hits.detail_width, self.hits.one_pane) {
            (0, true) => usize::from(self.hits.body.width).saturating_sub(2),
            (width, _) => width,
        };
        if let (Some(snapshot), Some(tool)) = (self.snapshot.clone(), self.list.selected()) {
            self.detail.prepare(&snapshot, &self.index, tool, self.shown_generation, width);
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
                self.detail.step(by);
            }
            Focus::List | Focus::Filter => self.list_step(by),
        }
    }

    pub(crate) fn list_step(&mut self, by: isize) {
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
        if self.list.selected().is_none() && self.focus == Focus::Detail {
            self.focus = Focus::List;
        }
    }

    /// The filter has changed.
    pub(crate) fn refilter(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let before = self.list.selected();
        self.list.filtered(&self.index, &snapshot.catalog);
        self.selection_moved(before);
    }

    fn rearrange(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let keep = self.list.selected();
        self.list.refresh(&self.index, &snapshot.catalog, keep);
    }

    fn regroup(&mut self) {
        self.list.grouping = self.list.grouping.next();
        self.rearrange();
        self.say(self.list.grouping.label());
    }

    fn resort(&mut self) {
        self.list.order = self.list.order.next();
        self.rearrange();
        self.say(self.list.order.label());
    }

    fn seek_problem(&mut self, forward: bool) {
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

    fn toggle(&mut self) {
        match self.detail.line().and_then(|line| line.act.clone()) {
            Some(Act::Fold(pointer)) => self.detail.toggle_fold(&pointer),
            Some(Act::Jump(tool)) => self.jump(tool),
            None => self.say("nothing folds on this line"),
        }
    }

    fn jump(&mut self, tool: usize) {
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
        } else if !self.list.filter.text().is_empty() {
            self.list.filter.set("");
            self.refilter();
        } else {
            self.say("q quits");
        }
    }

    /// The place of what is selected: of the line in the detail, else of the tool's name.
    fn place(&self) -> Option<Place> {
        let line = (self.focus == Focus::Detail).then(|| self.detail.line()).flatten();
        let of_line = line.and_then(|line| line.place.clone());
        of_line.or_else(|| self.selected().map(|entry| entry.tool.name_place().clone()))
    }

    fn edit(&mut self) {
        self.freshen();
        let Some(snapshot) = self.snapshot.clone() else { return self.edit_failure() };
        let Some(place) = self.place() else { return };
        let sources = &snapshot.catalog.sources;
        let file = sources.get(place.origin.file).map(|file| file.name.clone());
        self.open_editor(file, Some(sources.line_column(place.origin).0));
    }

    fn edit_failure(&mut self) {
        if let Some(failure) = self.load.failure.clone() {
            self.open_editor(failure.file, failure.line);
        }
    }

    fn open_editor(&mut self, file: Option<String>, line: Option<usize>) {
        let Some(name) = file else { return self.complain("it is not known in which file this stands") };
        match self.path_of(&name) {
            Some(file) => self.control = Some(Control::Edit { file, line }),
            None => self.complain(format!("{name} is not a file on this disk, so no editor can open it")),
        }
    }

    /// The file on disk that a name means. The name is as it was given, perhaps from another folder, so a path that ends
    /// like it is taken, else the only one with its last part.
    fn path_of(&self, name: &str) -> Option<PathBuf> {
        let known = self.snapshot.as_ref().map_or(&[][..], |snapshot| &snapshot.files).iter().chain(&self.watched);
        let wanted = Path::new(name.strip_prefix("file://").unwrap_or(name));
        let wanted = wanted.strip_prefix("./").unwrap_or(wanted);
        if let Some(path) = known.clone().find(|path| path.ends_with(wanted)) {
            return Some(path.clone());
        }
        let mut alike = known.filter(|path| path.file_name() == wanted.file_name() && !name.contains("://"));
        let first = alike.next()?;
        alike.all(|other| other == first).then(|| first.clone())
    }

    fn copy(&mut self) {
        self.freshen();
        let Some(tool) = self.selected().map(|entry| entry.tool.clone()) else { return };
        let text = match self.detail.tab() {
            Tab::Name => tool.named.name.clone(),
            Tab::Schema => to_json(&tool.operation.input_schema, true),
            Tab::Source | Tab::Findings => self.detail.text(),
        };
        self.control = Some(Control::Copy(text));
    }

    /// Actions that the palette shows for what is typed: the best match first.
    pub(crate) fn palette_matches(&self) -> Vec<&'static Spec> {
        let Some(Layer::Palette(palette)) = self.layers.last() else { return Vec::new() };
        let here = |spec: &&Spec| match spec.context {
            Context::Global => spec.action != Action::Palette,
            Context::List => self.focus != Focus::Detail,
            Context::Detail => self.focus == Focus::Detail,
        };
        let pattern = Pattern::parse(palette.field.text(), CaseMatching::Ignore, Normalization::Smart);
        let mut matcher = super::tools::query::matcher();
        let mut buffer = Vec::new();
        let mut hits: Vec<(u32, &Spec)> = ACTIONS
            .iter()
            .filter(here)
            .filter_map(|spec| {
                let text = format!("{} {}", spec.title, spec.help);
                let text = nucleo_matcher::Utf32Str::new(&text, &mut buffer);
                Some((pattern.score(text, &mut matcher)?, spec))
            })
            .collect();
        hits.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        hits.into_iter().map(|(_, spec)| spec).collect()
    }
}
