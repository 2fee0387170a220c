//! What one load of a workspace gives.

use std::path::PathBuf;
use std::sync::Arc;

use crate::derive::Catalog;
use crate::document::DocumentSet;

/// Everything that was read and derived in one load. Immutable; a reload makes another one.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The tools.
    pub catalog: Arc<Catalog>,
    /// For each upstream of the catalog the documents before overlays.
    pub originals: Vec<Arc<DocumentSet>>,
    /// For each upstream of the catalog the documents after overlays.
    pub documents: Vec<Arc<DocumentSet>>,
    /// Files on disk that it was made from: workspace file, documents with their parts, overlays.
    pub files: Vec<PathBuf>,
}
