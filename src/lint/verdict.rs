//! Targets over a catalog: one word for each tool and target.

use serde::{Deserialize, Serialize};

use crate::derive::{Catalog, ConflictKind, NAME_CONFLICT, Tool};
use crate::document::{Blast, Finding, Severity};
use crate::naming::CollisionPolicy;

use super::judge::{About, judge};
use super::list_rules::ListFacts;
use super::rule::Kind;
use super::target::TargetChoice;
use super::tokens::TokenCount;

/// What a target does with a tool. Ordered: a later one is worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It takes it.
    #[default]
    Ok,
    /// It takes it, but something is not as it should be or may be refused.
    Warn,
    /// It leaves the tool out.
    Dropped,
    /// It refuses every request that carries the tool.
    Refused,
    /// It leaves out all tools of the server.
    PoisonsAll,
}

impl Verdict {
    /// As JSON and screens write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Dropped => "dropped",
            Self::Refused => "refused",
            Self::PoisonsAll => "poisons_all",
        }
    }

    fn of(finding: &Finding) -> Self {
        match finding.blast {
            _ if finding.severity == Severity::Info => Self::Ok,
            _ if finding.severity == Severity::Warning => Self::Warn,
            None | Some(Blast::None) => Self::Warn,
            Some(Blast::ToolDropped | Blast::Silent) => Self::Dropped,
            Some(Blast::RequestRefused) => Self::Refused,
            Some(Blast::ServerDropped) => Self::PoisonsAll,
        }
    }
}

/// A number that a target limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// The rule's id.
    pub rule: String,
    /// What there is.
    pub count: usize,
    /// What there may be.
    pub max: usize,
}

/// One target over all tools.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TargetTotals {
    /// `NAME[:server-name]`.
    pub target: String,
    /// Exposed tools.
    pub tools: usize,
    /// Tools by verdict.
    pub ok: usize,
    /// See [`Verdict::Warn`].
    pub warn: usize,
    /// See [`Verdict::Dropped`].
    pub dropped: usize,
    /// See [`Verdict::Refused`].
    pub refused: usize,
    /// See [`Verdict::PoisonsAll`].
    pub poisons_all: usize,
    /// What the target does with the list as a whole, apart from any one tool.
    pub list: Verdict,
    /// Tools that the model gets: none when the list, or one of the tools, spoils the request or the server.
    pub usable: usize,
    /// Limits on the list.
    pub limits: Vec<Limit>,
    /// Tokens of the tools as the target names them; set by [`Matrix::count_tokens`].
    pub tokens: Option<usize>,
}

/// The verdicts of all targets on all exposed tools.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// For each target, in the order asked.
    pub totals: Vec<TargetTotals>,
    /// For each target the verdict on each tool and its document, in the order of [`Catalog::tools`]. That there are too
    /// many of them is no fault of a tool: see [`TargetTotals::list`].
    pub rows: Vec<Vec<Verdict>>,
    /// For each target all findings, in the order of [`super::check`].
    pub findings: Vec<Vec<Finding>>,
    /// Whom each of them is about.
    abouts: Vec<Vec<About>>,
}

impl Matrix {
    /// The verdict of a target on a tool, both by index.
    pub fn get(&self, target: usize, tool: usize) -> Verdict {
        self.rows.get(target).and_then(|row| row.get(tool)).copied().unwrap_or_default()
    }

    /// Each target with its verdict on the tool of that index.
    pub fn of_tool(&self, tool: usize) -> impl Iterator<Item = (&str, Verdict)> {
        self.totals.iter().enumerate().map(move |(at, totals)| (totals.target.as_str(), self.get(at, tool)))
    }

    /// Why a target, by index, has its verdict on a tool: the findings on the tool, on its document, on the list; and, for
    /// a name that is claimed twice, the catalog's own.
    pub fn reasons<'a>(&'a self, target: usize, tool: usize, catalog: &'a Catalog) -> Vec<&'a Finding> {
        let Some(subject) = catalog.tools.get(tool) else { return Vec::new() };
        let (Some(findings), Some(abouts)) = (self.findings.get(target), self.abouts.get(target)) else {
            return Vec::new();
        };
        let is_meant = |about: &About| match about {
            About::Tool(at) => *at == tool,
            About::Upstream(at) => *at == subject.upstream,
            About::List(_) => true,
        };
        let own = findings.iter().zip(abouts).filter(|(_, about)| is_meant(about)).map(|(finding, _)| finding);
        let conflict =
            subject.findings.iter().filter(|finding| is_claimed(catalog, subject) && finding.code == NAME_CONFLICT);
        conflict.chain(own).collect()
    }

    /// Sets the tokens of each target, from the counts of [`super::tokens::count_all`]. Under names with a server's
    /// name before them the names are counted anew.
    pub fn count_tokens(&mut self, catalog: &Catalog, targets: &[TargetChoice], counts: &[TokenCount]) {
        let mut counter = super::tokens::Counter::default();
        for (totals, choice) in self.totals.iter_mut().zip(targets) {
            let one = |(tool, count): (&std::sync::Arc<crate::derive::Tool>, &TokenCount)| {
                let name = choice.exposed(tool);
                let named = if name == tool.named.name { count.name } else { counter.count(&name) };
                (count.total + named).saturating_sub(count.name)
            };
            totals.tokens = Some(catalog.tools.iter().zip(counts).map(one).sum());
        }
    }
}

/// Does another tool claim the name, with nobody giving way? Then no client can have both.
fn is_claimed(catalog: &Catalog, tool: &Tool) -> bool {
    let conflict = tool.conflict.and_then(|at| catalog.conflicts.get(at));
    conflict.is_some_and(|conflict| conflict.kind == ConflictKind::Name && conflict.policy == CollisionPolicy::Error)
}

/// What each target does with each exposed tool, with totals.
pub fn verdicts(catalog: &Catalog, targets: &[TargetChoice]) -> Matrix {
    let mut matrix = Matrix::default();
    let sizes = targets.iter().flat_map(|choice| choice.target.rules()).any(|rule| rule.check.kind() == Kind::ListSize);
    let list = ListFacts::of(catalog, sizes);
    for (choice, judgements) in targets.iter().zip(judge(catalog, targets)) {
        let mut row = vec![Verdict::Ok; catalog.tools.len()];
        let (mut of_list, mut kept) = (Verdict::Ok, usize::MAX);
        for judgement in &judgements {
            let verdict = Verdict::of(&judgement.finding);
            match judgement.about {
                About::List(most) => {
                    of_list = of_list.max(verdict);
                    kept = if verdict >= Verdict::Dropped { kept.min(most) } else { kept };
                }
                about => apply(catalog, about, verdict, &mut row),
            }
        }
        for (slot, _) in row.iter_mut().zip(&catalog.tools).filter(|(_, tool)| is_claimed(catalog, tool)) {
            *slot = (*slot).max(Verdict::Dropped);
        }
        let of = |verdict: Verdict| row.iter().filter(|other| **other == verdict).count();
        let spoiled = row.iter().any(|verdict| *verdict >= Verdict::Refused);
        let limit = |rule: &super::rule::Rule| {
            let count = list.count(rule.check.kind())?;
            Some(Limit { rule: rule.id.clone(), count, max: rule.limit()? })
        };
        matrix.totals.push(TargetTotals {
            target: choice.label(),
            tools: row.len(),
            ok: of(Verdict::Ok),
            warn: of(Verdict::Warn),
            dropped: of(Verdict::Dropped),
            refused: of(Verdict::Refused),
            poisons_all: of(Verdict::PoisonsAll),
            list: of_list,
            usable: if spoiled { 0 } else { kept.min(of(Verdict::Ok) + of(Verdict::Warn)) },
            limits: choice.target.rules().iter().filter_map(limit).collect(),
            tokens: None,
        });
        matrix.rows.push(row);
        matrix.abouts.push(judgements.iter().map(|judgement| judgement.about).collect());
        matrix.findings.push(judgements.into_iter().map(|judgement| judgement.finding).collect());
    }
    matrix
}

fn apply(catalog: &Catalog, about: About, verdict: Verdict, row: &mut [Verdict]) {
    for (at, slot) in row.iter_mut().enumerate() {
        let meant = match about {
            About::Tool(tool) => at == tool,
            About::Upstream(upstream) => catalog.tools.get(at).is_some_and(|tool| tool.upstream == upstream),
            About::List(_) => false,
        };
        if meant {
            *slot = (*slot).max(verdict);
        }
    }
}
