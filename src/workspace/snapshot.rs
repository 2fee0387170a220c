//! What one load of a workspace gives.

use std::path::PathBuf;
use std::sync::Arc;

use crate::derive::Catalog;
use crate::document::{DocumentSet, FileId};
use crate::overlay::{ActionTrail, Overlay};

/// Everything that was read and derived in one load. Immutable; a reload makes another one.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The tools.
    pub catalog: Arc<Catalog>,
    /// For each upstream of the catalog the documents before overlays.
    pub originals: Vec<Arc<DocumentSet>>,
    /// For each upstream of the catalog the documents after overlays.
    pub documents: Vec<Arc<DocumentSet>>,
    /// For each upstream of the catalog its overlays and what they did.
    pub overlays: Vec<Arc<UpstreamOverlays>>,
    /// Files on disk that it was made from: workspace file, documents with their parts, overlays.
    pub files: Vec<PathBuf>,
}

/// The overlays of one upstream, in the order in which they were applied.
#[derive(Clone, Debug, Default)]
pub struct UpstreamOverlays {
    /// Where each of them is.
    pub files: Vec<OverlayFile>,
    /// As they were read; one for each of `files`.
    pub overlays: Vec<Overlay>,
    /// What each action of each of them did.
    pub trails: Vec<ActionTrail>,
}

/// Where an overlay is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayFile {
    /// Its name in messages.
    pub name: String,
    /// Its number among the sources of the catalog.
    pub file: FileId,
    /// The file that an edit of it is written to, without links; for one that is built into the program its name. `None`
    /// for one that cannot be edited: it came from an address or from standard input.
    pub path: Option<PathBuf>,
}
