//! The built-in workspace: a pet store and an overlay with deliberate flaws.

use super::source::Source;

/// Name of the document.
pub const SPEC_NAME: &str = "demo:petstore.yaml";
/// Name of the overlay.
pub const OVERLAY_NAME: &str = "demo:petstore.overlay.yaml";
/// The document.
pub const SPEC: &str = include_str!("../../fixtures/demo/petstore.yaml");
/// The overlay.
pub const OVERLAY: &str = include_str!("../../fixtures/demo/petstore.overlay.yaml");
/// The prefix of its tools.
pub const PREFIX: &str = "shop";

/// The document as a source.
pub fn spec() -> Source {
    Source::text(SPEC_NAME, SPEC)
}

/// The overlay as a source.
pub fn overlay() -> Source {
    Source::text(OVERLAY_NAME, OVERLAY)
}
