//! The catalog in the words of the machine-readable contract. Fields are added, never renamed.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::derive::{Annotations, Binding, Catalog, Claimant, ConflictKind, Hidden, HiddenBy, Tool};
use crate::document::{Blast, Finding, Location, Node, Place, Severity, Sources};
use crate::lint::tokens::{self, Counter, TokenCount};
use crate::naming::{Candidates, CollisionPolicy, MadeBy, NameSource, Truncated};

/// A sequence that is made while it is written, so that a list of a thousand tools is never in memory twice.
pub(super) struct Lazy<F>(pub(super) F);

impl<F, I> Serialize for Lazy<F>
where
    F: Fn() -> I,
    I: Iterator,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// `totals` of a list.
#[derive(Serialize)]
pub(super) struct Totals {
    pub(super) tools: usize,
    pub(super) hidden: usize,
    pub(super) conflicts: usize,
    pub(super) truncated: usize,
    pub(super) findings: usize,
    /// Of the exposed tools; null where they were not counted.
    pub(super) tokens: Option<usize>,
    /// The same by upstream and by tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tokens_by: Option<TokensBy>,
}

/// Tokens of the exposed tools, by what they belong to.
#[derive(Serialize)]
pub(super) struct TokensBy {
    upstreams: Vec<Share>,
    tags: Vec<Share>,
}

#[derive(Serialize)]
struct Share {
    name: String,
    tokens: usize,
}

impl Totals {
    pub(super) fn of(catalog: &Catalog) -> Self {
        let truncated =
            |tool: &&Arc<Tool>| tool.named.truncated.is_some() || tool.operation.description_truncated.is_some();
        Self {
            tools: catalog.tools.len(),
            hidden: catalog.hidden.len(),
            conflicts: catalog.conflicts.len(),
            truncated: catalog.tools.iter().filter(truncated).count(),
            findings: catalog.findings.len(),
            tokens: None,
            tokens_by: None,
        }
    }
}

/// Tokens of the exposed and of the hidden tools.
pub(super) struct Tokens {
    exposed: Vec<TokenCount>,
    hidden: Vec<TokenCount>,
}

impl Tokens {
    /// Reads the vocabulary, which takes a while.
    pub(super) fn of(catalog: &Catalog) -> Self {
        let mut counter = Counter::default();
        let mut count = |tools: &[Arc<Tool>]| tools.iter().map(|tool| counter.tool(tool)).collect();
        Self { exposed: count(&catalog.tools), hidden: count(&catalog.hidden) }
    }

    fn totals(&self, catalog: &Catalog) -> Totals {
        let counted = tokens::totals(catalog, &self.exposed);
        let shares = |of: Vec<(String, usize)>| of.into_iter().map(|(name, tokens)| Share { name, tokens }).collect();
        let by = TokensBy { upstreams: shares(counted.upstreams), tags: shares(counted.tags) };
        Totals { tokens: Some(counted.total), tokens_by: Some(by), ..Totals::of(catalog) }
    }
}

/// The whole of `list --format json`.
pub(super) fn list<'a>(catalog: &'a Catalog, tokens: &'a Tokens) -> impl Serialize + use<'a> {
    #[derive(Serialize)]
    struct List<A, B, C, D> {
        tools: A,
        hidden: B,
        conflicts: C,
        findings: D,
        totals: Totals,
    }
    List {
        tools: Lazy(move || tools(catalog, &catalog.tools, &tokens.exposed)),
        hidden: Lazy(move || tools(catalog, &catalog.hidden, &tokens.hidden)),
        conflicts: Lazy(move || catalog.conflicts.iter().map(ConflictJson::new)),
        findings: findings(&catalog.sources, &catalog.findings),
        totals: tokens.totals(catalog),
    }
}

fn tools<'a>(
    catalog: &'a Catalog,
    tools: &'a [Arc<Tool>],
    tokens: &'a [TokenCount],
) -> impl Iterator<Item = ToolJson<'a>> {
    tools.iter().zip(tokens).map(|(tool, tokens)| ToolJson::new(catalog, tool, *tokens))
}

/// Findings, made while they are written.
pub(super) fn findings<'a>(sources: &'a Sources, findings: &'a [Finding]) -> impl Serialize + use<'a> {
    Lazy(move || findings.iter().map(move |finding| FindingJson::new(sources, finding)))
}

/// `TOOL`
#[derive(Serialize)]
pub(super) struct ToolJson<'a> {
    name: &'a str,
    upstream: &'a str,
    method: &'a str,
    path: &'a str,
    operation_id: Option<&'a str>,
    source: NameSource,
    trail: Vec<StepJson<'a>>,
    candidates: &'a Candidates,
    truncated: TruncatedJson<'a>,
    title: Option<&'a str>,
    description: &'a str,
    #[serde(rename = "inputSchema")]
    input_schema: &'a Node,
    #[serde(rename = "outputSchema")]
    output_schema: Option<&'a Node>,
    annotations: &'a Annotations,
    binding: &'a [Binding],
    losses: Vec<LossJson<'a>>,
    findings: Vec<FindingJson<'a>>,
    tokens: TokenCount,
    touched_by: Vec<TouchedJson<'a>>,
    origin: Location,
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<HiddenJson<'a>>,
}

impl<'a> ToolJson<'a> {
    pub(super) fn new(catalog: &'a Catalog, tool: &'a Tool, tokens: TokenCount) -> Self {
        let sources = &*catalog.sources;
        let operation = &*tool.operation;
        let name_origin = sources.locate(tool.name_place());
        let step = |step: &'a crate::naming::NameStep| StepJson {
            stage: step.stage,
            rule: &step.rule,
            before: &step.before,
            after: &step.after,
            origin: name_origin.clone(),
        };
        let touched = |touched: &crate::derive::Touched| TouchedJson {
            overlay: sources.get(touched.file).map_or("", |file| file.name.as_str()),
            action: touched.action,
        };
        Self {
            name: &tool.named.name,
            upstream: catalog.upstreams.get(tool.upstream).map_or("", |upstream| upstream.name.as_str()),
            method: &operation.method,
            path: &operation.path,
            operation_id: operation.operation_id.as_deref(),
            source: tool.named.source,
            trail: tool.named.trail.iter().map(step).collect(),
            candidates: &tool.named.candidates,
            truncated: TruncatedJson {
                name: tool.named.truncated.as_ref(),
                description: operation.description_truncated.as_ref(),
            },
            title: operation.title.as_deref(),
            description: &operation.description,
            input_schema: &operation.input_schema,
            output_schema: operation.told_output(),
            annotations: &operation.annotations,
            binding: &operation.binding,
            losses: operation.losses.iter().map(|loss| LossJson::new(sources, loss)).collect(),
            findings: tool.findings.iter().map(|finding| FindingJson::new(sources, finding)).collect(),
            tokens,
            touched_by: tool.touched_by.iter().map(touched).collect(),
            origin: sources.locate(&operation.place),
            hidden: tool.hidden.as_ref().map(|hidden| HiddenJson::new(sources, hidden)),
        }
    }
}

#[derive(Serialize)]
struct StepJson<'a> {
    stage: &'a str,
    rule: &'a str,
    before: &'a str,
    after: &'a str,
    origin: Location,
}

#[derive(Serialize)]
struct TruncatedJson<'a> {
    name: Option<&'a Truncated>,
    description: Option<&'a Truncated>,
}

#[derive(Serialize)]
struct LossJson<'a> {
    what: &'a str,
    pointer: &'a str,
    why: &'a str,
    origin: Location,
}

impl<'a> LossJson<'a> {
    fn new(sources: &Sources, loss: &'a crate::derive::Loss) -> Self {
        Self { what: loss.what, pointer: &loss.place.pointer, why: &loss.why, origin: sources.locate(&loss.place) }
    }
}

#[derive(Serialize)]
struct TouchedJson<'a> {
    overlay: &'a str,
    action: u16,
}

#[derive(Serialize)]
struct HiddenJson<'a> {
    by: HiddenBy,
    why: &'a str,
    origin: Option<Location>,
}

impl<'a> HiddenJson<'a> {
    fn new(sources: &Sources, hidden: &'a Hidden) -> Self {
        Self { by: hidden.by, why: &hidden.why, origin: hidden.place.as_ref().map(|place| sources.locate(place)) }
    }
}

/// `FINDING`
#[derive(Serialize)]
pub(super) struct FindingJson<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    origin: Option<Location>,
    tool: Option<&'a str>,
    target: Option<&'a str>,
    blast: Option<Blast>,
    fix: Option<&'a Node>,
    remedy: Option<&'a str>,
    /// The rule of the target.
    rule: Option<&'a str>,
}

impl<'a> FindingJson<'a> {
    pub(super) fn new(sources: &Sources, finding: &'a Finding) -> Self {
        let locate = |place: &Place| sources.locate(place);
        Self {
            code: finding.code,
            severity: finding.severity,
            message: &finding.message,
            origin: finding.place.as_ref().map(locate),
            tool: finding.tool.as_deref(),
            target: finding.target.as_deref(),
            blast: finding.blast,
            fix: finding.fix.as_ref(),
            remedy: finding.remedy.as_deref(),
            rule: finding.rule.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct ConflictJson<'a> {
    name: &'a str,
    kind: ConflictKind,
    made_by: MadeBy,
    policy: CollisionPolicy,
    tools: &'a [Claimant],
}

impl<'a> ConflictJson<'a> {
    fn new(conflict: &'a crate::derive::Conflict) -> Self {
        Self {
            name: &conflict.name,
            kind: conflict.kind,
            made_by: conflict.made_by,
            policy: conflict.policy,
            tools: &conflict.tools,
        }
    }
}
