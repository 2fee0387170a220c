//! From a workspace to its tools: read, apply overlays, derive.

use std::sync::Arc;

use super::drafts::overlay_path;
use super::error::LoadError;
use super::open::{Opened, OpenedUpstream, open_with};
use super::pipeline;
use super::pipeline::sentence;
use super::resolve::{UpstreamSource, Workspace};
use super::snapshot::{OverlayFile, Snapshot, UpstreamOverlays};
use super::source::{Reader, Source};
use crate::derive::UpstreamInput;
use crate::document::{DocumentSet, Finding, Severity, Sources};
use crate::overlay::{ActionTrail, Applied, Overlay};

/// Reads everything that a workspace names, applies the overlays and derives the tools.
///
/// Files whose bytes are those of `previous` keep their trees, so that what did not change is not derived again.
/// Blocks (files, network); must not be called on a thread of an asynchronous runtime.
///
/// # Errors
/// A document or overlay cannot be read or is none, or the settings do not go together. Everything else is a finding
/// of the catalog.
pub fn load(workspace: &Workspace, previous: Option<&Snapshot>) -> Result<Snapshot, LoadError> {
    load_with(workspace, previous, &mut Reader::default())
}

/// The same with another environment, standard input or limits.
///
/// # Errors
/// As [`load`].
pub fn load_with(
    workspace: &Workspace,
    previous: Option<&Snapshot>,
    reader: &mut Reader,
) -> Result<Snapshot, LoadError> {
    let settings = pipeline::settings(workspace)?;
    let (mut opened, applied) = open_and_apply(workspace, previous, reader)?;
    for overlaid in &applied {
        check_version(&overlaid.documents, &opened.sources)?;
    }
    let mut inputs = Vec::new();
    let (mut originals, mut documents, mut overlays) = (Vec::new(), Vec::new(), Vec::new());
    for (upstream, applied) in std::mem::take(&mut opened.upstreams).into_iter().zip(applied) {
        if !upstream.source.enabled {
            let message = format!("the upstream `{}` is not enabled; its tools are not shown", upstream.source.name);
            opened.findings.push(Finding::info("upstream-disabled", message));
            continue;
        }
        originals.push(upstream.original);
        documents.push(applied.documents.clone());
        overlays.push(Arc::new(overlays_of(&upstream.source, applied.overlays, applied.trails, reader)));
        inputs.push(UpstreamInput {
            name: upstream.source.name,
            prefix: upstream.source.prefix,
            base_url: upstream.source.base_url,
            documents: applied.documents,
            touches: applied.touches,
            findings: applied.findings,
        });
    }
    let before = previous.map(|previous| &*previous.catalog);
    let mut catalog = pipeline::catalog(&inputs, &settings, opened.sources, before);
    super::groups::apply(&workspace.groups, &mut catalog, &documents);
    catalog.findings.splice(0..0, opened.findings);
    Ok(Snapshot { catalog: Arc::new(catalog), originals, documents, overlays, files: opened.files })
}

fn overlays_of(
    source: &UpstreamSource,
    overlays: Vec<Overlay>,
    trails: Vec<ActionTrail>,
    reader: &Reader,
) -> UpstreamOverlays {
    let file = |(source, overlay): (&Source, &Overlay)| OverlayFile {
        name: source.name.clone(),
        file: overlay.file,
        path: overlay_path(source, reader.env.as_ref()),
    };
    let files = source.overlays.iter().zip(&overlays).map(file).collect();
    UpstreamOverlays { files, overlays, trails }
}

/// One upstream after its overlays.
#[derive(Clone, Debug)]
pub struct Overlaid {
    /// The documents after overlays.
    pub documents: Arc<DocumentSet>,
    /// The overlays, in order.
    pub overlays: Vec<Overlay>,
    /// What each action did, and to what.
    pub trails: Vec<ActionTrail>,
    /// What was changed.
    pub touches: Vec<crate::document::Touch>,
    /// Of the readers and of the overlays.
    pub findings: Vec<Finding>,
}

/// Reads everything and applies the overlays, without deriving: what the overlay commands need.
///
/// # Errors
/// As [`load`].
pub fn open_and_apply(
    workspace: &Workspace,
    previous: Option<&Snapshot>,
    reader: &mut Reader,
) -> Result<(Opened, Vec<Overlaid>), LoadError> {
    let (mut opened, mut opening) = open_with(workspace, previous, reader)?;
    let mut applied = Vec::new();
    for upstream in &opened.upstreams {
        let overlaid = apply(upstream, &mut opening.sources)?;
        applied.push(overlaid);
    }
    for (upstream, overlaid) in opened.upstreams.iter().zip(&mut applied) {
        if !Arc::ptr_eq(&upstream.original, &overlaid.documents) {
            opening.follow_overlaid(upstream, overlaid);
        }
    }
    opened.sources = opening.sources;
    opened.files = opening.files;
    opened.files.extend(workspace.library.paths().cloned());
    opened.files.extend(workspace.suites.iter().cloned());
    opened.files.sort();
    opened.files.dedup();
    Ok((opened, applied))
}

fn apply(upstream: &OpenedUpstream, sources: &mut Sources) -> Result<Overlaid, LoadError> {
    let mut findings: Vec<Finding> =
        upstream.original.documents().flat_map(|document| document.findings.iter().cloned()).collect();
    let mut overlays = Vec::new();
    for document in &upstream.overlays {
        let name = sources.get(document.file).map(|file| file.name.clone()).unwrap_or_default();
        let (overlay, offsets) =
            pipeline::overlay(document, &name).map_err(|findings| no_overlay(&name, &findings, sources))?;
        sources.set_actions(document.file, offsets);
        findings.extend(overlay.findings.iter().cloned());
        findings.extend(pipeline::check_extends(&overlay, &upstream.source.document.name));
        overlays.push(overlay);
    }
    if overlays.is_empty() {
        let documents = upstream.original.clone();
        return Ok(Overlaid { documents, overlays, trails: Vec::new(), touches: Vec::new(), findings });
    }
    let Applied { document, trails, touches, findings: noticed } = pipeline::apply(&upstream.original.main, &overlays);
    findings.extend(noticed);
    let documents = Arc::new(upstream.original.with_main(document));
    Ok(Overlaid { documents, overlays, trails, touches, findings })
}

/// A document whose version is unknown, or that is no OpenAPI document, is an error of the load.
fn check_version(documents: &DocumentSet, sources: &Sources) -> Result<(), LoadError> {
    let Err(finding) = pipeline::check_version(&documents.main) else { return Ok(()) };
    let error = LoadError::input(finding.message);
    let place = finding.place.and_then(|place| Some((sources.get(place.origin.file)?, place.origin)));
    let error = match (place, sources.get(documents.main.file)) {
        (Some((file, origin)), _) => error.at(file, origin.start, origin.end),
        (None, Some(file)) => error.at(file, 0, 1),
        (None, None) => error,
    };
    Err(match finding.remedy {
        Some(remedy) => error.remedy(sentence(&remedy)),
        None => error,
    })
}

fn no_overlay(name: &str, findings: &[Finding], sources: &Sources) -> LoadError {
    let worst = findings.iter().find(|finding| finding.severity == Severity::Error);
    let Some(finding) = worst.or(findings.first()) else {
        return LoadError::input(format!("`{name}` is no overlay")).in_file(name);
    };
    let error = LoadError::input(format!("`{name}` is no overlay: {}", finding.message)).in_file(name);
    let error = match finding.place.as_ref().and_then(|place| Some((place, sources.get(place.origin.file)?))) {
        Some((place, file)) => error.at(file, place.origin.start, place.origin.end),
        None => error,
    };
    match &finding.remedy {
        Some(remedy) => error.remedy(sentence(remedy)),
        None => error.remedy("An overlay starts with `overlay: 1.0.0` and has `info` and `actions`."),
    }
}
