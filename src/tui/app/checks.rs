//! What targets say of the tools and what the tools cost: made away from the screen, kept for each catalog.

use std::sync::Arc;

use super::findings::FindingIndex;
use super::room::{Room, rooms};
use crate::derive::Catalog;
use crate::lint::tokens::{self, TokenCount};
use crate::lint::{DEFAULT_TARGETS, Matrix, Target, TargetChoice, Verdict, similar, verdicts};
use crate::naming::Profile;
use crate::wire::{check_instances, check_transforms};
use crate::workspace::Workspace;

/// What is asked of a catalog beside what it says itself: the targets that the person chose, then all others, and what
/// else the workspace wants to know.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// In the order of the columns.
    pub all: Arc<[TargetChoice]>,
    /// So many of them, from the first, were chosen.
    pub chosen: usize,
    /// The naming profiles to compare with: those that are built in and the person's own.
    pub profiles: Arc<[Profile]>,
    /// From which likeness on two tools are told of; `None` for never.
    pub near_duplicates: Option<f64>,
}

impl Choices {
    /// What a workspace asks for, with the person's own targets and profiles.
    pub fn of(workspace: &Workspace) -> Self {
        let own = |targets: Vec<Target>| targets.into_iter().map(TargetChoice::new).collect::<Vec<_>>();
        let mut choices = Self::new(workspace.targets_to_check(), &own(workspace.library.own_targets()));
        let profiles = workspace.library.profiles.iter().map(|own| own.value.clone());
        choices.profiles = choices.profiles.iter().cloned().chain(profiles).collect();
        choices.near_duplicates = workspace.lint.near_duplicates;
        choices
    }

    /// The chosen targets, or the default ones, and behind them all others that are built in or `own`.
    pub fn new(chosen: &[TargetChoice], own: &[TargetChoice]) -> Self {
        let mut all = chosen.to_vec();
        if all.is_empty() {
            all.extend(DEFAULT_TARGETS.iter().filter_map(|name| Target::builtin(name)).map(TargetChoice::new));
        }
        let count = all.len();
        let others = Target::builtins().into_iter().map(TargetChoice::new).chain(own.iter().cloned());
        let unnamed = |other: &TargetChoice| !all.iter().any(|one| one.target.name() == other.target.name());
        let others: Vec<TargetChoice> = others.filter(unnamed).collect();
        all.extend(others);
        Self {
            all: all.into(),
            chosen: count,
            profiles: Profile::builtins().into(),
            near_duplicates: Some(similar::DEFAULT_THRESHOLD),
        }
    }

    /// The same targets with that name of the server in all clients that put it before a tool's name. Without a name
    /// they are as they were chosen.
    #[must_use]
    pub fn named(&self, server: &str) -> Self {
        let server = server.trim();
        if server.is_empty() {
            return self.clone();
        }
        let named = |choice: &TargetChoice| TargetChoice {
            target: choice.target.clone(),
            server_name: choice.target.client().adds_server().then(|| server.to_owned()),
        };
        Self { all: self.all.iter().map(named).collect(), ..self.clone() }
    }
}

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct CheckJob {
    /// To be named in the answers.
    pub generation: u64,
    /// The tools.
    pub catalog: Arc<Catalog>,
    /// Asked.
    pub choices: Choices,
    /// Counted before for the same catalog.
    pub counted: Option<Arc<Counted>>,
}

impl PartialEq for CheckJob {
    fn eq(&self, other: &Self) -> bool {
        self.generation == other.generation && Arc::ptr_eq(&self.catalog, &other.catalog)
    }
}

impl Eq for CheckJob {}

/// What the targets say.
#[derive(Debug)]
pub struct Checked {
    /// Who was asked.
    pub choices: Choices,
    /// What they do with each exposed tool.
    pub matrix: Matrix,
    /// For each exposed tool what the worst of them does.
    pub worst: Vec<Verdict>,
    /// How much room each client leaves for the server's name.
    pub rooms: Vec<Room>,
    /// The catalog's findings with those of the targets.
    pub findings: Arc<FindingIndex>,
}

/// Tokens of a catalog.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Of each exposed tool.
    pub tools: Vec<TokenCount>,
    /// For each exposed tool what its `$defs` save.
    pub saved: Vec<u64>,
    /// Of all exposed tools.
    pub total: usize,
    /// The totals of the exposed tools, the dearest first, to find a tool's rank.
    pub ranked: Vec<usize>,
    /// For each target the tokens of all tools under the names that it shows.
    pub targets: Vec<Option<usize>>,
}

/// Asks the targets.
pub fn check(job: &CheckJob) -> Checked {
    let catalog = &*job.catalog;
    let choices = job.choices.clone();
    let matrix = verdicts(catalog, &choices.all);
    let worst = |tool: usize| (0..choices.all.len()).map(|target| matrix.get(target, tool)).max().unwrap_or_default();
    let worst: Vec<Verdict> = (0..catalog.tools.len()).map(worst).collect();
    // The same that the command `check` asks.
    let mut own = choices.near_duplicates.map(|from| similar::near_duplicates(catalog, from)).unwrap_or_default();
    own.extend(check_transforms(catalog));
    own.extend(check_instances(catalog));
    let findings = FindingIndex::new(catalog, own, Some((&matrix, choices.chosen)));
    Checked { rooms: rooms(catalog, &choices.all), worst, findings: Arc::new(findings), matrix, choices }
}

/// Counts tokens, unless it is known what the tools have.
pub fn count(job: &CheckJob, checked: &Checked) -> Counted {
    let catalog = &*job.catalog;
    let mut counted = match &job.counted {
        Some(known) => (**known).clone(),
        None => {
            let tools = tokens::count_all(catalog);
            let mut ranked: Vec<usize> = tools.iter().map(|count| count.total).collect();
            ranked.sort_unstable_by(|a, b| b.cmp(a));
            let saved = tokens::saved_by_defs(catalog);
            Counted { total: ranked.iter().sum(), ranked, tools, saved, targets: Vec::new() }
        }
    };
    let mut totals = Matrix::default();
    totals.totals.clone_from(&checked.matrix.totals);
    totals.count_tokens(catalog, &checked.choices.all, &counted.tools);
    counted.targets = totals.totals.into_iter().map(|totals| totals.tokens).collect();
    counted
}

/// The answers that there are.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Of the question asked last.
    pub generation: u64,
    /// Targets have not answered yet.
    pub checking: bool,
    /// Tokens are not counted yet.
    pub counting: bool,
    /// What the targets say of the catalog that is shown.
    pub checked: Option<Arc<Checked>>,
    /// Its tokens.
    pub counted: Option<Arc<Counted>>,
    /// Counts answers.
    pub version: u64,
}

impl Checks {
    /// What is still done, in words.
    pub fn state(&self) -> Option<&'static str> {
        match (self.checking, self.counting) {
            (true, _) => Some("checking targets …"),
            (false, true) => Some("counting tokens …"),
            (false, false) => None,
        }
    }
}
