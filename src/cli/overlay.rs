//! `overlay apply` and `overlay check`: what overlays make of a document, and what each action did.

use std::path::Path;

use serde::Serialize;

use super::args::{Format, OverlayApplyArgs, OverlayCheckArgs};
use super::failure::{Failure, exit};
use super::json::FindingJson;
use super::list::plural;
use super::output::{Output, Role, say};
use super::resolve;
use crate::document::{self, Document, Finding, Node, Severity, Sources};
use crate::overlay::{ActionTrail, Overlay, Summary, dialect_hints, propose};
use crate::workspace::{Opened, Overlaid, Reader, Workspace, open_and_apply};

/// The finding of a target that matches nothing.
const NO_MATCH: &str = "overlay-no-match";
/// Remarks on other programs' extensions that are shown to people.
const SHOWN_HINTS: usize = 10;

pub(super) fn apply(args: &OverlayApplyArgs) -> Result<u8, Failure> {
    let workspace = resolve(&args.common)?;
    let (opened, overlaid) = open(&workspace)?;
    let [overlaid] = overlaid.as_slice() else {
        return Err(Failure::usage(
            format!("`overlay apply` writes one document, and there are {}", overlaid.len()),
            "Name one SPEC with its --overlay.",
        ));
    };
    let main = &overlaid.documents.main;
    let text = match main.format {
        document::Format::Json => format!("{}\n", document::to_json(&main.root, true).trim_end()),
        document::Format::Yaml => document::to_yaml(&main.root),
    };
    match &args.output {
        Some(path) => write_file(path, &text)?,
        None => {
            let mut out = Output::stdout(args.common.color);
            std::io::Write::write_all(out.writer(), text.as_bytes())?;
            out.finish()?;
        }
    }
    for finding in overlay_findings(overlaid).filter(|finding| finding.severity > Severity::Info) {
        let place = finding.place.as_ref().map(|place| format!("{}: ", opened.sources.cite(place))).unwrap_or_default();
        say(&format!("{}: {place}{}", word(finding.severity), super::output::harmless(&finding.message)));
    }
    Ok(exit::OK)
}

pub(super) fn check(args: &OverlayCheckArgs) -> Result<u8, Failure> {
    let workspace = resolve(&args.common)?;
    let (opened, mut overlaid) = open(&workspace)?;
    if overlaid.iter().all(|overlaid| overlaid.overlays.is_empty()) {
        return Err(Failure::usage("no overlay is named", "Add --overlay FILE, or `overlays` in the workspace file."));
    }
    if args.strict {
        overlaid.iter_mut().for_each(make_strict);
    }
    let since = since(args, &overlaid)?;
    let since = since.as_ref().map(|document| &document.root);
    if args.retarget || args.convert {
        return super::overlay_mend::run(args, &workspace, (&opened, &overlaid), since);
    }
    if args.dry_run {
        return Err(Failure::usage("there is nothing to try", "Add --retarget or --convert to --dry-run."));
    }
    let hints: Vec<Finding> = overlaid.iter().flat_map(hints).collect();
    let mut out = Output::stdout(args.common.color);
    match args.format {
        Format::Json => {
            #[derive(Serialize)]
            struct Check<'a> {
                overlays: Vec<OverlayJson<'a>>,
                hints: Vec<FindingJson<'a>>,
            }
            let overlays =
                reports(&opened, &overlaid).map(|report| OverlayJson::new(&opened.sources, report, since)).collect();
            let hints = hints.iter().map(|finding| FindingJson::new(&opened.sources, finding)).collect();
            serde_json::to_writer(out.writer(), &Check { overlays, hints })?;
            out.line("")?;
        }
        Format::Human => {
            for report in reports(&opened, &overlaid) {
                human(&mut out, &opened.sources, &report, since)?;
            }
            human_hints(&mut out, &opened.sources, &hints)?;
        }
    }
    out.finish()?;
    let fails = overlaid.iter().flat_map(overlay_findings).any(|finding| finding.severity == Severity::Error);
    Ok(if fails { exit::FINDINGS } else { exit::OK })
}

/// The revision that the overlays were written for.
fn since(args: &OverlayCheckArgs, overlaid: &[Overlaid]) -> Result<Option<Document>, Failure> {
    let Some(spec) = &args.since else { return Ok(None) };
    if overlaid.len() != 1 {
        let message = format!("--since is of one document, and there are {}", overlaid.len());
        return Err(Failure::usage(message, "Name one SPEC with its --overlay."));
    }
    super::overlay_make::bare_document(spec, &args.common.header, &mut Reader::default()).map(Some)
}

/// What other programs' extensions say of the tools.
fn hints(overlaid: &Overlaid) -> Vec<Finding> {
    let hints = dialect_hints(&overlaid.documents.main.root, Summary::First);
    hints.into_iter().map(|hint| hint.finding).collect()
}

fn human_hints(out: &mut Output, sources: &Sources, hints: &[Finding]) -> std::io::Result<()> {
    if hints.is_empty() {
        return Ok(());
    }
    out.line(&out.paint(Role::Strong, "Extensions of other programs"))?;
    for finding in hints.iter().take(SHOWN_HINTS) {
        super::check::finding(out, sources, finding)?;
    }
    if hints.len() > SHOWN_HINTS {
        let more = format!("  … and {} more  --format json lists them", hints.len() - SHOWN_HINTS);
        out.line(&out.paint(Role::Faint, &more))?;
    }
    Ok(())
}

fn open(workspace: &Workspace) -> Result<(Opened, Vec<Overlaid>), Failure> {
    Ok(open_and_apply(workspace, None, &mut Reader::default())?)
}

/// Findings of the overlays, without those of the document.
fn overlay_findings(overlaid: &Overlaid) -> impl Iterator<Item = &Finding> {
    let of_actions = overlaid.trails.iter().flat_map(|trail| &trail.findings);
    overlaid.overlays.iter().flat_map(of_itself).chain(of_actions)
}

/// Findings of an overlay that are of no action.
fn of_itself(overlay: &Overlay) -> impl Iterator<Item = &Finding> {
    let of_action = |finding: &&Finding| overlay.actions.iter().any(|action| action.findings.contains(finding));
    overlay.findings.iter().filter(move |finding| !of_action(finding))
}

fn make_strict(overlaid: &mut Overlaid) {
    let unmatched = overlaid.trails.iter_mut().flat_map(|trail| &mut trail.findings);
    for finding in unmatched.filter(|finding| finding.code == NO_MATCH) {
        finding.severity = Severity::Error;
    }
}

/// One overlay as it was applied to one document.
struct Report<'a> {
    upstream: &'a str,
    overlay: &'a Overlay,
    trails: Vec<&'a ActionTrail>,
    /// The document after all overlays.
    root: &'a Node,
}

fn reports<'a>(opened: &'a Opened, overlaid: &'a [Overlaid]) -> impl Iterator<Item = Report<'a>> {
    opened.upstreams.iter().zip(overlaid).flat_map(|(upstream, overlaid)| {
        overlaid.overlays.iter().map(|overlay| Report {
            upstream: &upstream.source.name,
            overlay,
            trails: overlaid.trails.iter().filter(|trail| trail.overlay == overlay.file).collect(),
            root: &overlaid.documents.main.root,
        })
    })
}

#[derive(Serialize)]
struct OverlayJson<'a> {
    file: &'a str,
    version: &'a str,
    upstream: &'a str,
    title: &'a str,
    actions: Vec<ActionJson<'a>>,
    findings: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
struct ActionJson<'a> {
    index: u16,
    line: usize,
    target: &'a str,
    kind: &'a str,
    matches: usize,
    pointers: Vec<String>,
    changed: usize,
    overridden_by: Vec<u16>,
    /// The overlays of `overridden_by`, in the same order.
    overridden_by_overlay: Vec<&'a str>,
    overridden: bool,
    /// What a target that matches nothing probably means now.
    proposals: Vec<ProposalJson>,
    findings: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
struct ProposalJson {
    target: String,
    why: String,
}

impl<'a> OverlayJson<'a> {
    fn new(sources: &'a Sources, report: Report<'a>, since: Option<&Node>) -> Self {
        let Report { upstream, overlay, trails, root } = report;
        let proposals = |trail: &ActionTrail| {
            let found = propose(trail, root, since).into_iter();
            found.map(|proposal| ProposalJson { target: proposal.target, why: proposal.why }).collect()
        };
        let name = |file| sources.get(file).map_or("", |file| file.name.as_str());
        let action = |trail: &'a ActionTrail| ActionJson {
            index: trail.index,
            line: sources.line_column(trail.origin).0,
            target: &trail.target,
            kind: trail.kind,
            matches: trail.matches.len(),
            pointers: trail.matches.iter().map(ToString::to_string).collect(),
            changed: trail.changed.len(),
            overridden_by: trail.overridden_by.iter().map(|(_, index)| *index).collect(),
            overridden_by_overlay: trail.overridden_by.iter().map(|(file, _)| name(*file)).collect(),
            overridden: trail.overridden,
            proposals: proposals(trail),
            findings: trail.findings.iter().map(|finding| FindingJson::new(sources, finding)).collect(),
        };
        Self {
            file: &overlay.name,
            version: &overlay.version,
            upstream,
            title: &overlay.title,
            actions: trails.into_iter().map(action).collect(),
            findings: of_itself(overlay).map(|finding| FindingJson::new(sources, finding)).collect(),
        }
    }
}

fn human(out: &mut Output, sources: &Sources, report: &Report<'_>, since: Option<&Node>) -> std::io::Result<()> {
    let Report { upstream, overlay, trails, root } = report;
    let title = format!("{} on {upstream}", overlay.name);
    out.line(&out.paint(Role::Strong, &title))?;
    for finding in of_itself(overlay) {
        super::check::finding(out, sources, finding)?;
    }
    for trail in trails {
        let line = sources.line_column(trail.origin).0;
        let (role, matches) = match trail.matches.len() {
            0 => (Role::Warning, "matches nothing".to_owned()),
            count => (Role::Good, format!("{}, {} changed", plural_matches(count), trail.changed.len())),
        };
        // People count from 1, as every other citation of an action does.
        let head = format!("  #{}  line {line}  {}  ", u32::from(trail.index) + 1, trail.kind);
        let text = format!("{head}{}  {}", out.paint(Role::Plain, &trail.target), out.paint(role, &matches));
        out.line(&text)?;
        if !trail.overridden_by.is_empty() {
            let by: Vec<String> = trail
                .overridden_by
                .iter()
                .map(|(file, index)| match *file == trail.overlay {
                    true => format!("#{}", u32::from(*index) + 1),
                    false => {
                        let name = sources.get(*file).map_or("", |file| &file.name);
                        format!("#{} of {name}", u32::from(*index) + 1)
                    }
                })
                .collect();
            let how = if trail.overridden { "overridden" } else { "partly overridden" };
            let text = format!("      {how} by {}", by.join(", "));
            out.line(&out.paint(Role::Warning, &text))?;
        }
        for finding in &trail.findings {
            super::check::finding(out, sources, finding)?;
        }
        for proposal in propose(trail, root, since) {
            let text = format!("      probably {}  ({})", proposal.target, proposal.why);
            out.line(&out.paint(Role::Plain, &text))?;
        }
    }
    Ok(())
}

fn plural_matches(count: usize) -> String {
    let text = plural(count, "match");
    if count == 1 { text } else { text.replace("matchs", "matches") }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// Writes beside the file and renames, so that a reader never sees half of it.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::usage(format!("`{}` cannot be written: {error}", path.display()), "Check the folder and its rights.")
    };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    std::fs::write(&beside, text).map_err(failed)?;
    std::fs::rename(&beside, path).map_err(|error| {
        // The half-made file is of no use; the first error is the one to tell.
        let _ = std::fs::remove_file(&beside);
        failed(error)
    })
}
