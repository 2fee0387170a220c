//! What one load of a workspace gives.

use std::path::PathBuf;
use std::sync::Arc;

use crate::derive::Catalog;
use crate::document::DocumentSet;
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

/// The overlays of one upstream, and what each of their actions did.
#[derive(Clone, Debug, Default)]
pub struct UpstreamOverlays {
    /// The overlays, in the order in which they are applied.
    pub overlays: Vec<Overlay>,
    /// One trail for each action of each overlay, in order.
    pub trails: Vec<ActionTrail>,
}
