//! What the list needs of every tool, made once for each catalog, so that a key in the filter touches no text twice.

use std::sync::Arc;

use nucleo_matcher::Utf32String;

use crate::derive::{Catalog, Tool};
use crate::document::Severity;
use crate::naming::NameSource;
use crate::tui::text::{harmless, width};

/// Who a tool is over reloads: its upstream's name, method and path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolId {
    /// Name of the upstream.
    pub upstream: String,
    /// Upper-case method.
    pub method: String,
    /// Path template.
    pub path: String,
}

/// What the marks before a name say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// What the name is made from.
    pub source: NameSource,
    /// Another tool claims the name.
    pub conflict: bool,
    /// Name or description was cut.
    pub truncated: bool,
    /// Not exposed.
    pub hidden: bool,
    /// The worst finding.
    pub finding: Option<Severity>,
    /// An overlay changed something that the tool is made of.
    pub changed: bool,
}

/// One tool as the list knows it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The tool.
    pub tool: Arc<Tool>,
    /// Its number among the exposed tools of the catalog.
    pub exposed: Option<usize>,
    /// Its marks.
    pub marks: Marks,
    /// The name, to be matched.
    pub name: Utf32String,
    /// The path, to be matched.
    pub path: Utf32String,
    /// Method, tags and summary, to be matched.
    pub rest: Utf32String,
}

/// All tools, exposed and hidden, in document order.
#[derive(Clone, Debug, Default)]
pub struct Index {
    entries: Vec<Entry>,
    /// For each tool of [`Catalog::all`] its number here.
    numbers: Vec<usize>,
    names: Widths,
    paths: Widths,
}

/// Columns that texts need.
#[derive(Clone, Copy, Debug, Default)]
pub struct Widths {
    /// Three of four: a few long ones do not push the others aside.
    pub usual: u16,
    /// All.
    pub longest: u16,
}

impl Widths {
    fn of(widths: impl Iterator<Item = usize>) -> Self {
        let mut widths: Vec<u16> = widths.map(|width| u16::try_from(width).unwrap_or(u16::MAX)).collect();
        widths.sort_unstable();
        let usual = (widths.len() * 3).div_ceil(4).saturating_sub(1);
        let get = |at: usize| widths.get(at).copied().unwrap_or_default();
        Self { usual: get(usual), longest: get(widths.len().saturating_sub(1)) }
    }
}

impl Index {
    /// The index of a catalog.
    pub fn new(catalog: &Catalog) -> Self {
        let merged = merge(&catalog.tools, &catalog.hidden);
        let mut numbers = vec![0; merged.len()];
        for (at, (_, all)) in merged.iter().enumerate() {
            if let Some(number) = numbers.get_mut(*all) {
                *number = at;
            }
        }
        let exposed = catalog.tools.len();
        let entries: Vec<Entry> =
            merged.into_iter().map(|(tool, all)| entry(tool, (all < exposed).then_some(all))).collect();
        let names = Widths::of(entries.iter().map(|entry| width(&harmless(&entry.tool.named.name))));
        let paths = Widths::of(entries.iter().map(|entry| width(&harmless(&entry.tool.operation.path))));
        Self { entries, numbers, names, paths }
    }

    /// The tool of that number.
    pub fn get(&self, at: usize) -> Option<&Entry> {
        self.entries.get(at)
    }

    /// The number here of the tool that is at that place in [`Catalog::all`]; exposed tools are at the same place there as
    /// in [`Catalog::tools`].
    pub fn number(&self, all: usize) -> Option<usize> {
        self.numbers.get(all).copied()
    }

    /// All tools in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Entry> {
        self.entries.iter()
    }

    /// Number of tools.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// What names need.
    pub fn names(&self) -> Widths {
        self.names
    }

    /// What paths need.
    pub fn paths(&self) -> Widths {
        self.paths
    }

    /// No tools?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Who the tool of that number is.
    pub fn id(&self, catalog: &Catalog, at: usize) -> Option<ToolId> {
        let (upstream, method, path) = self.get(at)?.tool.id();
        let upstream = catalog.upstreams.get(upstream).map_or("", |upstream| &upstream.name);
        Some(ToolId { upstream: upstream.to_owned(), method: method.to_owned(), path: path.to_owned() })
    }

    /// The number of the tool with that identity.
    pub fn find(&self, catalog: &Catalog, id: &ToolId) -> Option<usize> {
        self.entries.iter().position(|entry| {
            let (upstream, method, path) = entry.tool.id();
            method == id.method
                && path == id.path
                && catalog.upstreams.get(upstream).map_or("", |upstream| &upstream.name) == id.upstream
        })
    }
}

/// Exposed and hidden tools as one sequence, each with its place in [`Catalog::all`]. Each keeps its order; a hidden one
/// comes where its operation stands among the exposed ones of the same file.
fn merge<'a>(exposed: &'a [Arc<Tool>], hidden: &'a [Arc<Tool>]) -> Vec<(&'a Arc<Tool>, usize)> {
    let mut all = Vec::with_capacity(exposed.len() + hidden.len());
    let mut hidden = hidden.iter().zip(exposed.len()..).peekable();
    for (at, tool) in exposed.iter().enumerate() {
        while let Some(before) = hidden.next_if(|(hidden, _)| stands_before(hidden, tool)) {
            all.push(before);
        }
        all.push((tool, at));
    }
    all.extend(hidden);
    all
}

fn stands_before(a: &Tool, b: &Tool) -> bool {
    let (x, y) = (a.operation.place.origin, b.operation.place.origin);
    a.upstream < b.upstream
        || (a.upstream == b.upstream && (x.file, x.action) == (y.file, y.action) && x.start < y.start)
}

fn entry(tool: &Arc<Tool>, exposed: Option<usize>) -> Entry {
    let operation = &*tool.operation;
    let mut rest = operation.method.to_string();
    for word in operation.tags.iter().map(|tag| &**tag).chain(operation.title.as_deref()) {
        rest.push(' ');
        rest.push_str(word);
    }
    Entry {
        marks: Marks {
            source: tool.named.source,
            conflict: tool.conflict.is_some(),
            truncated: tool.named.truncated.is_some() || operation.description_truncated.is_some(),
            hidden: tool.hidden.is_some(),
            finding: tool.findings.iter().map(|finding| finding.severity).max(),
            changed: !tool.touched_by.is_empty(),
        },
        // The same cleaning as on the screen, so that matched letters are found where they are drawn.
        name: Utf32String::from(&*harmless(&tool.named.name)),
        path: Utf32String::from(&*harmless(&operation.path)),
        rest: Utf32String::from(&*harmless(&rest)),
        tool: tool.clone(),
        exposed,
    }
}
