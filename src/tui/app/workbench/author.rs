//! Marks, and the menu of changes.

use crossterm::event::{KeyCode, KeyEvent};

use super::menu::{ActionRef, Change, Menu, Scope, Step, argument_of, intent};
use crate::derive::DescriptionSource;
use crate::document::jsonpath::Query;
use crate::document::{Pointer, ResponseFormat};
use crate::overlay::{Argument, Edit, Summary};
use crate::tui::app::field::Field;
use crate::tui::app::input::{Typed, typed};
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Layer, WorkLayer};
use crate::tui::app::tools::{Entry, Row, ToolId};

/// Visits that trying a target may take, at every key.
const VISITS: u64 = 200_000;

impl App {
    /// Marks the selected tool, or takes its mark away, and goes on to the next one.
    pub(crate) fn toggle_mark(&mut self) {
        let Some(id) = self.selected_id() else { return };
        let marks = &mut self.workbench.marks;
        match marks.iter().position(|marked| *marked == id) {
            Some(at) => drop(marks.remove(at)),
            None => marks.push(id),
        }
        self.list_step(1);
    }

    /// Takes all marks away.
    pub(crate) fn clear_marks(&mut self) {
        let count = std::mem::take(&mut self.workbench.marks).len();
        self.say(match count {
            0 => "no tool is marked".to_owned(),
            1 => "1 mark is taken away".to_owned(),
            count => format!("{count} marks are taken away"),
        });
    }

    /// Is the tool marked?
    pub(crate) fn is_marked(&self, entry: &Entry) -> bool {
        if self.workbench.marks.is_empty() {
            return false;
        }
        let Some(snapshot) = &self.snapshot else { return false };
        let (upstream, method, path) = entry.tool.id();
        let upstream = snapshot.catalog.upstreams.get(upstream).map_or("", |upstream| &upstream.name);
        let is_it = |id: &ToolId| id.method == method && id.path == path && id.upstream == upstream;
        self.workbench.marks.iter().any(is_it)
    }

    fn selected_id(&self) -> Option<ToolId> {
        self.index.id(&self.snapshot.as_ref()?.catalog, self.list.selected()?)
    }

    pub(super) fn entry_of(&self, id: &ToolId) -> Option<&Entry> {
        self.index.get(self.index.find(&self.snapshot.as_ref()?.catalog, id)?)
    }

    /// Opens the menu of changes.
    pub(crate) fn open_menu(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        let id = |tool: &usize| self.index.id(&snapshot.catalog, *tool);
        let rows = self.list.rows().iter().filter_map(|row| match row {
            Row::Tool(tool) => Some(tool),
            Row::Group(..) => None,
        });
        let shown: Vec<ToolId> = rows.filter_map(id).collect();
        let marked = self.workbench.marks.iter().filter(|id| self.entry_of(id).is_some()).cloned().collect::<Vec<_>>();
        let scope = if marked.is_empty() { Scope::One } else { Scope::Marked };
        let menu = Menu {
            scope,
            one: self.selected_id().into_iter().collect(),
            marked,
            shown,
            step: Step::Choose(0),
            arguments: Vec::new(),
            action: None,
            problem: None,
        };
        self.layers.push(Layer::Work(WorkLayer::Menu(Box::new(menu))));
    }

    /// Opens the field of a change on one tool, with a text in it: what a finding proposes.
    pub(crate) fn open_value(&mut self, tool: ToolId, change: Change, text: &str, argument: Option<Argument>) {
        let mut field = Field::default();
        field.insert(text);
        let menu = Menu {
            scope: Scope::One,
            one: vec![tool],
            marked: Vec::new(),
            shown: Vec::new(),
            step: Step::Value(change, argument, field),
            arguments: Vec::new(),
            action: None,
            problem: None,
        };
        self.layers.push(Layer::Work(WorkLayer::Menu(Box::new(menu))));
        self.judge_value();
    }

    /// Opens the field of an action's target, with a text in it.
    pub(crate) fn open_target(&mut self, action: ActionRef, text: &str) {
        let mut field = Field::default();
        field.insert(text);
        let menu = Menu {
            scope: Scope::One,
            one: Vec::new(),
            marked: Vec::new(),
            shown: Vec::new(),
            step: Step::Value(Change::Retarget, None, field),
            arguments: Vec::new(),
            action: Some(action),
            problem: None,
        };
        self.layers.push(Layer::Work(WorkLayer::Menu(Box::new(menu))));
        self.judge_value();
    }

    pub(super) fn menu_mut(&mut self) -> Option<&mut Menu> {
        match self.layers.last_mut() {
            Some(Layer::Work(WorkLayer::Menu(menu))) => Some(menu),
            _ => None,
        }
    }

    fn menu(&self) -> Option<&Menu> {
        match self.layers.last() {
            Some(Layer::Work(WorkLayer::Menu(menu))) => Some(menu),
            _ => None,
        }
    }

    /// Keys over the menu.
    pub(super) fn menu_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some(menu) = self.menu_mut() else { return Vec::new() };
        if let Step::Value(change, argument, field) = &mut menu.step {
            let (change, argument) = (*change, argument.clone());
            match key.code {
                KeyCode::Esc => drop(self.layers.pop()),
                KeyCode::Enter => {
                    let value = field.text().to_owned();
                    return self.decide(change, argument.as_ref(), &value);
                }
                _ => {
                    if let Typed::Changed = typed(field, key) {
                        self.judge_value();
                    }
                }
            }
            return Vec::new();
        }
        menu.problem = None;
        let last = menu.rows().saturating_sub(1);
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => drop(self.layers.pop()),
            KeyCode::Down | KeyCode::Char('j') => menu.row().into_iter().for_each(|row| *row = (*row + 1).min(last)),
            KeyCode::Up | KeyCode::Char('k') => menu.row().into_iter().for_each(|row| *row = row.saturating_sub(1)),
            KeyCode::Tab if matches!(menu.step, Step::Choose(_)) => menu.next_scope(),
            KeyCode::Char(letter) if matches!(menu.step, Step::Choose(_)) => {
                if let Some(row) = Change::MENU.iter().find(|row| row.0 == letter) {
                    return self.choose(row.1);
                }
            }
            KeyCode::Enter => return self.choose_row(),
            _ => {}
        }
        Vec::new()
    }

    fn choose_row(&mut self) -> Vec<Effect> {
        let Some(menu) = self.menu() else { return Vec::new() };
        match menu.step.clone() {
            Step::Choose(row) => Change::MENU.get(row).map(|row| row.1).map_or_else(Vec::new, |one| self.choose(one)),
            Step::Format(row) => {
                let word = ResponseFormat::ALL.get(row).map_or("", |format| format.word());
                self.decide(Change::Format, None, word)
            }
            Step::Argument(change, row) => {
                let Some((_, argument)) = menu.arguments.get(row).cloned() else { return Vec::new() };
                if !change.asks_value() {
                    return self.decide(change, Some(&argument), "");
                }
                let text = self.present(change, Some(&argument));
                self.type_value(change, Some(argument), &text);
                Vec::new()
            }
            Step::Value(..) => Vec::new(),
        }
    }

    /// Goes on with a change: to its argument, to its value, or to the preview.
    fn choose(&mut self, change: Change) -> Vec<Effect> {
        let arguments = self.arguments();
        let text = self.present(change, None);
        let Some(menu) = self.menu_mut() else { return Vec::new() };
        let problem = match menu.tools() {
            [] => Some("no tool is selected".to_owned()),
            tools if change.is_single() && tools.len() > 1 => {
                Some("several tools cannot have one name; Tab takes the selected one alone".to_owned())
            }
            _ if change.asks_argument() && arguments.is_empty() => {
                Some("the tools have no argument in common".to_owned())
            }
            _ => None,
        };
        if problem.is_some() {
            menu.problem = problem;
            return Vec::new();
        }
        if change == Change::Format {
            menu.step = Step::Format(0);
        } else if change.asks_argument() {
            menu.arguments = arguments;
            menu.step = Step::Argument(change, 0);
        } else if change.asks_value() {
            self.type_value(change, None, &text);
        } else {
            return self.decide(change, None, "");
        }
        Vec::new()
    }

    fn type_value(&mut self, change: Change, argument: Option<Argument>, text: &str) {
        let mut field = Field::default();
        field.insert(text);
        if let Some(menu) = self.menu_mut() {
            menu.step = Step::Value(change, argument, field);
        }
        self.judge_value();
    }

    /// Arguments that all tools of the scope have.
    fn arguments(&self) -> Vec<(String, Argument)> {
        let Some(menu) = self.menu() else { return Vec::new() };
        let mut common: Option<Vec<(String, Argument)>> = None;
        for entry in menu.tools().iter().filter_map(|id| self.entry_of(id)) {
            let own = entry.tool.operation.binding.iter();
            let own: Vec<(String, Argument)> =
                own.filter_map(|binding| Some((binding.argument.to_string(), argument_of(binding)?))).collect();
            common = Some(match common {
                None => own,
                Some(mut common) => {
                    common.retain(|(_, argument)| own.iter().any(|(_, other)| other == argument));
                    common
                }
            });
        }
        common.unwrap_or_default()
    }

    /// What a single tool has now, to start typing from.
    fn present(&self, change: Change, argument: Option<&Argument>) -> String {
        let Some([id]) = self.menu().map(Menu::tools) else { return String::new() };
        let Some(entry) = self.entry_of(id) else { return String::new() };
        let operation = &entry.tool.operation;
        let node = &operation.node;
        match change {
            Change::Rename => {
                let base = operation.name_override.as_deref().or(operation.operation_id.as_deref());
                base.unwrap_or(&entry.tool.named.name).to_owned()
            }
            Change::Describe => match self.reads() {
                Summary::Last => node.text("description").or(node.text("summary")),
                Summary::First | Summary::Both => node.text("summary").or(node.text("description")),
            }
            .unwrap_or_default()
            .to_owned(),
            Change::Request => node.text("x-mcp-request-transform").unwrap_or_default().to_owned(),
            Change::Response => node.text("x-mcp-response-transform").unwrap_or_default().to_owned(),
            Change::Error => node.text("x-mcp-error-transform").unwrap_or_default().to_owned(),
            Change::ArgumentText | Change::Default => {
                let is_it = |binding: &&crate::derive::Binding| argument_of(binding).as_ref() == argument;
                let Some(binding) = operation.binding.iter().find(is_it) else { return String::new() };
                let properties = operation.input_schema.get("properties");
                let Some(schema) = properties.and_then(|all| all.get(&binding.argument)) else { return String::new() };
                match change {
                    Change::Default => {
                        schema.get("default").map(|node| crate::document::to_json(node, false)).unwrap_or_default()
                    }
                    _ => schema.text("description").unwrap_or_default().to_owned(),
                }
            }
            _ => String::new(),
        }
    }

    /// Which text of an operation the model reads.
    pub(super) fn reads(&self) -> Summary {
        match self.snapshot.as_ref().map(|snapshot| snapshot.catalog.description_rules.source) {
            Some(DescriptionSource::Description) => Summary::Last,
            Some(DescriptionSource::Both) => Summary::Both,
            _ => Summary::First,
        }
    }

    /// Says what is wrong with the value as it is typed.
    fn judge_value(&mut self) {
        let Some(menu) = self.menu() else { return };
        let Step::Value(change, argument, field) = &menu.step else { return };
        let problem = match (change, &menu.action) {
            (Change::Retarget, Some(action)) => self.judge_target(action, field.text()).err(),
            _ => intent(*change, argument.as_ref(), field.text(), self.reads()).err(),
        };
        if let Some(menu) = self.menu_mut() {
            menu.problem = problem;
        }
    }

    /// The places that a target matches, or what is wrong with it.
    pub(crate) fn judge_target(&self, action: &ActionRef, target: &str) -> Result<Vec<Pointer>, String> {
        let query = Query::parse(target).map_err(|error| error.to_string())?;
        let documents = self.snapshot.as_ref().and_then(|snapshot| snapshot.documents.get(action.upstream));
        let Some(documents) = documents else { return Ok(Vec::new()) };
        match query.locate_within(&documents.main.root, VISITS) {
            Ok(found) if found.is_empty() => Err("it matches nothing in the document".to_owned()),
            Ok(found) => Ok(found),
            // Too much work for every key; the preview tells.
            Err(_) => Ok(Vec::new()),
        }
    }

    /// A value is there: the preview is asked for.
    fn decide(&mut self, change: Change, argument: Option<&Argument>, value: &str) -> Vec<Effect> {
        let Some(menu) = self.menu() else { return Vec::new() };
        if let (Change::Retarget, Some(action)) = (change, menu.action.clone()) {
            let label = format!("target of action {}", action.index + 1);
            return self.preview_edits(&label, &action, vec![Edit::retarget(action.index, value)]);
        }
        let wanted = intent(change, argument, value, self.reads());
        let (tools, whom) = (menu.tools().to_vec(), menu.whom());
        match wanted {
            Ok(intent) => self.preview_intent(&tools, &whom, intent),
            Err(problem) => {
                if let Some(menu) = self.menu_mut() {
                    menu.problem = Some(problem);
                }
                Vec::new()
            }
        }
    }
}
