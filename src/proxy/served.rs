//! What is served: one catalog with everything that its calls need, immutable. A reload makes another one.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use rmcp::model as mcp;

use super::convert;
use super::upstream::{Overrides, SettingsError, UpstreamClient, UpstreamSettings};
use crate::derive::{Catalog, Claimant, Tool};
use crate::naming::CollisionPolicy;
use crate::wire::{Redactor, Transforms, Validator};
use crate::workspace::config::{Environment, Group, nearest};
use crate::workspace::{Env, Snapshot, Workspace, group_members};

/// A tool and what was compiled for it.
#[derive(Debug)]
pub struct Entry {
    /// The tool of the catalog.
    pub tool: Arc<Tool>,
    compiled: Arc<Compiled>,
}

/// Made on the first use, and kept over reloads as long as the operation and its name stay.
#[derive(Debug, Default)]
struct Compiled {
    listed: OnceLock<mcp::Tool>,
    input: OnceLock<Validator>,
    output: OnceLock<Option<Arc<Validator>>>,
    transforms: OnceLock<Option<Arc<Transforms>>>,
}

impl Entry {
    fn new(tool: Arc<Tool>, before: Option<&Served>) -> Self {
        let known = before.and_then(|before| before.find(&tool.named.name));
        let known = known.filter(|entry| Arc::ptr_eq(&entry.tool.operation, &tool.operation));
        let compiled = known.map(|entry| entry.compiled.clone()).unwrap_or_default();
        Self { tool, compiled }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.tool.named.name
    }

    /// Changes nothing: GET, HEAD, or `x-mcp-safe`.
    pub fn is_safe(&self) -> bool {
        self.tool.operation.annotations.read_only_hint
    }

    /// `x-mcp-auth-required: false`: a client without the proxy's token may call it.
    pub fn is_public(&self) -> bool {
        self.tool.operation.mcp.auth_required.as_ref().is_some_and(|required| !required.value)
    }

    pub(super) fn listed(&self) -> &mcp::Tool {
        self.compiled.listed.get_or_init(|| convert::tool(&self.tool))
    }

    pub(super) fn input(&self) -> &Validator {
        self.compiled.input.get_or_init(|| Validator::new(&self.tool.operation.input_schema))
    }

    pub(super) fn output(&self) -> Option<Arc<Validator>> {
        let schema = self.tool.operation.output_schema.as_ref();
        self.compiled.output.get_or_init(|| schema.map(|schema| Arc::new(Validator::new(schema)))).clone()
    }

    /// Has it any `x-mcp-…-transform`? Running one takes a processor for as long as its bounds allow.
    pub(super) fn transforms_anything(&self) -> bool {
        let mcp = &self.tool.operation.mcp;
        mcp.request_transform.is_some() || mcp.response_transform.is_some() || mcp.error_transform.is_some()
    }

    /// Its transforms, compiled. `None` where it has none or one does not compile; then each call says what is wrong.
    pub(super) fn transforms(&self) -> Option<Arc<Transforms>> {
        let compile = || {
            let compiled = self.transforms_anything().then(|| Transforms::compile(&self.tool.operation));
            compiled?.ok().map(Arc::new)
        };
        self.compiled.transforms.get_or_init(compile).clone()
    }
}

/// Tools with one name that the policy `error` leaves standing: nothing can be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflicts(pub Vec<(String, Vec<Claimant>)>);

impl Conflicts {
    /// The conflicts of a catalog that keep it from being served.
    pub fn of(catalog: &Catalog) -> Self {
        let open = catalog.conflicts.iter().filter(|conflict| conflict.policy == CollisionPolicy::Error);
        Self(open.map(|conflict| (conflict.name.clone(), conflict.tools.clone())).collect())
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One line for each name with its claimants.
    pub fn lines(&self) -> Vec<String> {
        let line = |(name, claimants): &(String, Vec<Claimant>)| {
            let each: Vec<String> = claimants.iter().map(shown).collect();
            format!("`{name}` is claimed by {}", each.join(" and by "))
        };
        self.0.iter().map(line).collect()
    }
}

fn shown(claimant: &Claimant) -> String {
    let Claimant { upstream, method, path } = claimant;
    if method.is_empty() { format!("upstream {upstream}") } else { format!("{method} {path} ({upstream})") }
}

/// Which tools an endpoint shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct View {
    /// A group of the workspace, by name; `None` for all tools.
    pub group: Option<String>,
    /// Only tools that change nothing.
    pub read_only: bool,
    /// Only tools that need no authentication at the proxy.
    pub public_only: bool,
}

/// One load, ready to be called.
#[derive(Debug)]
pub struct Served {
    /// The catalog.
    pub catalog: Arc<Catalog>,
    /// Its groups.
    pub groups: Vec<Group>,
    entries: Vec<Arc<Entry>>,
    by_name: HashMap<String, usize>,
    members: HashMap<String, Vec<bool>>,
    upstreams: Vec<Arc<UpstreamClient>>,
}

impl Served {
    /// Makes a load ready. Connections and tokens of `before` live on where the settings are the same.
    pub(super) fn new(
        workspace: &Workspace,
        snapshot: &Snapshot,
        overrides: &Overrides,
        env: &Arc<dyn Env + Send + Sync>,
        before: Option<&Self>,
    ) -> Result<Self, SettingsError> {
        let catalog = snapshot.catalog.clone();
        let environment = environment(workspace, overrides.environment.as_deref())?;
        let mut upstreams: Vec<Arc<UpstreamClient>> = Vec::new();
        let sources = workspace.upstreams.iter().filter(|source| source.enabled);
        for (at, (source, upstream)) in sources.zip(&catalog.upstreams).enumerate() {
            let mut own = overrides.clone();
            if let Some(mock) = &mut own.mock {
                mock.push_str(&super::mock::prefix(&catalog, at));
            }
            let settings = UpstreamSettings::of(source, upstream, environment, &own, env.as_ref())?;
            let root = &upstream.documents.main.root;
            let same = |client: &&Arc<UpstreamClient>| *client.settings() == settings;
            let kept = before.and_then(|before| before.upstreams.get(at)).filter(same).cloned();
            upstreams.push(kept.unwrap_or_else(|| {
                let known = Redactor::default().with_schemes(root);
                Arc::new(UpstreamClient::new(settings, known, env.clone()))
            }));
        }
        let entry = |tool: &Arc<Tool>| Arc::new(Entry::new(tool.clone(), before));
        let entries: Vec<Arc<Entry>> = catalog.tools.iter().map(entry).collect();
        let mut by_name = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            by_name.entry(entry.name().to_owned()).or_insert(at);
        }
        let groups = workspace.groups.clone();
        let members = groups
            .iter()
            .map(|group| (group.name.clone(), group_members(group, &catalog, &snapshot.documents)))
            .collect();
        Ok(Self { catalog, groups, entries, by_name, members, upstreams })
    }

    /// The tool of a name, of those that a view shows.
    pub fn tool(&self, view: &View, name: &str) -> Option<&Arc<Entry>> {
        let at = *self.by_name.get(name)?;
        self.shows(view, at).then(|| self.entries.get(at)).flatten()
    }

    /// The tool of a name.
    pub fn find(&self, name: &str) -> Option<&Arc<Entry>> {
        self.entries.get(*self.by_name.get(name)?)
    }

    /// The tools that a view shows, in catalog order. Of several with one name the first.
    pub fn tools<'a>(&'a self, view: &'a View) -> impl Iterator<Item = &'a Arc<Entry>> {
        self.tools_after(view, None)
    }

    /// The same, beginning behind a name.
    pub(super) fn tools_after<'a>(
        &'a self,
        view: &'a View,
        name: Option<&str>,
    ) -> impl Iterator<Item = &'a Arc<Entry>> {
        let skipped = name.and_then(|name| self.by_name.get(name)).map_or(0, |at| at + 1);
        let first = |(at, entry): &(usize, &Arc<Entry>)| self.by_name.get(entry.name()) == Some(at);
        let rest = self.entries.iter().enumerate().skip(skipped);
        rest.filter(first).filter(|(at, _)| self.shows(view, *at)).map(|(_, entry)| entry)
    }

    fn shows(&self, view: &View, at: usize) -> bool {
        let Some(entry) = self.entries.get(at) else { return false };
        let in_group = match &view.group {
            Some(group) => self.members.get(group).and_then(|members| members.get(at)).copied().unwrap_or(false),
            None => true,
        };
        in_group && (!view.read_only || entry.is_safe()) && (!view.public_only || entry.is_public())
    }

    /// The client of a tool's upstream.
    pub fn upstream(&self, tool: &Tool) -> Option<&Arc<UpstreamClient>> {
        self.upstreams.get(tool.upstream)
    }

    /// All upstreams, in catalog order.
    pub fn upstreams(&self) -> &[Arc<UpstreamClient>] {
        &self.upstreams
    }

    /// Do clients see the same lists?
    pub(super) fn lists_like(&self, other: &Self) -> bool {
        self.entries.len() == other.entries.len()
            && self.members == other.members
            && self
                .entries
                .iter()
                .zip(&other.entries)
                .all(|(one, two)| Arc::ptr_eq(&one.compiled, &two.compiled) || one.listed() == two.listed())
    }
}

/// The environment of a name; none where none is asked for.
///
/// # Errors
/// The workspace has none of that name.
pub fn environment<'a>(workspace: &'a Workspace, name: Option<&str>) -> Result<Option<&'a Environment>, SettingsError> {
    let Some(name) = name else { return Ok(None) };
    let found = workspace.environments.iter().find(|environment| environment.name == name);
    let names = || workspace.environments.iter().map(|environment| environment.name.as_str());
    found.map(Some).ok_or_else(|| {
        let hint = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if workspace.environments.is_empty() => "the workspace names no environments".to_owned(),
            None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        let upstream = workspace.name.clone();
        SettingsError { upstream, message: format!("there is no environment `{name}`; {hint}") }
    })
}
