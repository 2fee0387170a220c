//! What is restored next time: where the person was in a workspace. Nothing that could be a secret is in it.

use serde::{Deserialize, Serialize};

use super::detail::Tab;
use super::findings::FindingOrder;
use super::model::{App, Split};
use super::overlays::{ActionQuery, Part};
use super::screens::Screen;
use super::targets::Arrangement;
use super::tools::{Grouping, Order, Query, ToolId};

/// The form of the file; another one is not read.
const VERSION: u32 = 1;

/// Where a person was. Whatever is missing in a file is as at a first start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    version: u32,
    screen: Screen,
    tool: Option<SavedTool>,
    tab: Tab,
    exact: bool,
    filter: String,
    grouping: Grouping,
    order: Order,
    split: Split,
    finding_filter: String,
    finding_order: FindingOrder,
    all_targets: bool,
    overlay_filter: String,
    /// The tab of actions.
    part: Part,
    /// File and index of the selected action.
    action: Option<(String, u16)>,
    /// How the table is ordered: `list`, `name`, `worst`, or `target:NAME`.
    table_order: String,
    /// The selected target's name.
    target: String,
    /// The server's name typed for clients that put it before a tool's.
    server: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct SavedTool {
    upstream: String,
    method: String,
    path: String,
}

impl Memory {
    /// Reads a state file.
    ///
    /// # Errors
    /// In words, why it cannot be used.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let memory: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if memory.version == VERSION { Ok(memory) } else { Err(format!("it has the version {}", memory.version)) }
    }

    /// As the state file holds it.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

impl App {
    /// What is to be restored next time.
    pub fn memory(&self) -> Memory {
        // Quit before anything was loaded: what was known stays known.
        let tool = self.snapshot.as_ref().zip(self.list.selected());
        let id = tool.and_then(|(snapshot, tool)| self.index.id(&snapshot.catalog, tool));
        let saved = |id: ToolId| SavedTool { upstream: id.upstream, method: id.method, path: id.path };
        let target = |at: usize| self.choices.all.get(at).map_or("", |choice| choice.target.name()).to_owned();
        Memory {
            version: VERSION,
            screen: self.screen,
            tool: id.map(saved).or_else(|| self.memory.as_ref().and_then(|memory| memory.tool.clone())),
            tab: self.detail.tab(),
            exact: self.detail.exact,
            filter: self.list.filter.text().to_owned(),
            grouping: self.list.grouping,
            order: self.list.order,
            split: self.split,
            finding_filter: self.findings.filter.text().to_owned(),
            finding_order: self.findings.order,
            all_targets: self.findings.all_targets,
            overlay_filter: self.overlays.filter.text().to_owned(),
            part: self.overlays.part,
            action: self.overlays.identity().or_else(|| self.overlays.wanted.clone()),
            table_order: match self.table.arrangement {
                Arrangement::List => "list".to_owned(),
                Arrangement::Name => "name".to_owned(),
                Arrangement::Worst => "worst".to_owned(),
                Arrangement::Target(at) => format!("target:{}", target(at)),
            },
            target: target(self.table.column()),
            server: self.table.server.text().to_owned(),
        }
    }

    /// Takes in what was open last time; the selection follows when there are tools.
    pub(crate) fn remember(&mut self, memory: Memory) {
        let target = |name: &str| self.choices.all.iter().position(|choice| choice.target.name() == name);
        self.table.arrangement = match memory.table_order.as_str() {
            "name" => Arrangement::Name,
            "worst" => Arrangement::Worst,
            other => {
                let named = other.strip_prefix("target:").and_then(target);
                named.map_or(Arrangement::List, Arrangement::Target)
            }
        };
        if let Some(column) = target(&memory.target) {
            self.table.select_column(column);
        }
        self.table.server.insert(&memory.server);
        self.screen = memory.screen;
        self.detail.open(memory.tab);
        self.detail.exact = memory.exact;
        self.list.filter.insert(&memory.filter);
        self.list.query = Query::parse(self.list.filter.text());
        self.list.grouping = memory.grouping;
        self.list.order = memory.order;
        let percent = |share: u16| share.clamp(20, 80);
        let Split { beside, above, table } = memory.split;
        self.split = Split { beside: percent(beside), above: percent(above), table: percent(table) };
        self.findings.filter.insert(&memory.finding_filter);
        self.findings.query = super::findings::FindingQuery::parse(self.findings.filter.text());
        self.findings.order = memory.finding_order;
        self.findings.all_targets = memory.all_targets;
        self.overlays.filter.insert(&memory.overlay_filter);
        self.overlays.query = ActionQuery::parse(self.overlays.filter.text());
        self.overlays.part = memory.part;
        self.overlays.wanted.clone_from(&memory.action);
        self.memory = Some(memory);
    }

    /// Selects the tool of last time, once: when the first catalog is there.
    pub(crate) fn restore_selection(&mut self) {
        let Some(saved) = self.memory.take().and_then(|memory| memory.tool) else { return };
        let Some(snapshot) = self.snapshot.clone() else { return };
        let id = ToolId { upstream: saved.upstream, method: saved.method, path: saved.path };
        if let Some(tool) = self.index.find(&snapshot.catalog, &id) {
            self.list.select(tool);
        }
    }
}
