//! One action of an overlay by itself: the workspace just before it and just after it.

use std::sync::Arc;

use super::effect::Effect;
use super::error::LoadError;
use super::pipeline;
use super::resolve::Workspace;
use super::snapshot::{Snapshot, UpstreamOverlays};
use crate::derive::{Catalog, UpstreamInput};
use crate::document::{Document, DocumentSet, Node, Touch};
use crate::overlay::{ActionTrail, Applied, Overlay};

/// What one action did to a document, and to the tools.
#[derive(Clone, Debug)]
pub struct Stepped {
    /// The document before the action, with all actions before it applied.
    pub before: Node,
    /// The document after it. It shares with `before` what the action did not touch.
    pub after: Node,
    /// What became of the tools.
    pub effect: Effect,
}

/// Applies the overlays of an upstream up to an action, and then the action. `action` counts over all overlays of the
/// upstream, from 0, as [`UpstreamOverlays::trails`] does; the upstreams are those of the snapshot's catalog.
///
/// Nothing is read: all comes from the snapshot. `None` when there is no such upstream or action.
///
/// # Errors
/// The settings of the workspace do not go together.
pub fn step(
    workspace: &Workspace,
    snapshot: &Snapshot,
    upstream: usize,
    action: usize,
) -> Result<Option<Stepped>, LoadError> {
    let settings = pipeline::settings(workspace)?;
    let (Some(layers), Some(original)) = (snapshot.overlays.get(upstream), snapshot.originals.get(upstream)) else {
        return Ok(None);
    };
    let Some(only) = layers.trails.get(action).and_then(|trail| alone(layers, trail)) else { return Ok(None) };
    let before = pipeline::apply(&original.main, &first(layers, action));
    let after = pipeline::apply(&before.document, &[only]);
    let derive = |main: &Document, touches: &[Touch], previous: &Catalog| {
        let inputs = inputs(snapshot, upstream, main, touches);
        let sources = (*snapshot.catalog.sources).clone();
        let mut catalog = pipeline::catalog(&inputs, &settings, sources, Some(previous));
        let documents: Vec<_> = inputs.iter().map(|input| input.documents.clone()).collect();
        super::groups::apply(&workspace.groups, &mut catalog, &documents);
        catalog
    };
    let Applied { document: main_before, touches, .. } = before;
    let tools_before = derive(&main_before, &touches, &snapshot.catalog);
    let touches: Vec<Touch> = touches.iter().chain(&after.touches).cloned().collect();
    let tools_after = derive(&after.document, &touches, &tools_before);
    let effect = Effect::between(&tools_before, &tools_after);
    Ok(Some(Stepped { before: main_before.root, after: after.document.root, effect }))
}

/// The document of an upstream just before an action, as targets of that action see it.
pub fn before(snapshot: &Snapshot, upstream: usize, action: usize) -> Option<Node> {
    let (layers, original) = (snapshot.overlays.get(upstream)?, snapshot.originals.get(upstream)?);
    Some(pipeline::apply(&original.main, &first(layers, action)).document.root)
}

/// The overlays with no more than their first actions.
fn first(layers: &UpstreamOverlays, count: usize) -> Vec<Overlay> {
    let mut left = count;
    let mut kept = Vec::new();
    for overlay in &layers.overlays {
        let taken = overlay.actions.len().min(left);
        if taken == 0 {
            break;
        }
        left -= taken;
        let mut overlay = overlay.clone();
        overlay.actions.truncate(taken);
        kept.push(overlay);
    }
    kept
}

/// An overlay with that action and no other.
fn alone(layers: &UpstreamOverlays, trail: &ActionTrail) -> Option<Overlay> {
    let overlay = layers.overlays.iter().find(|overlay| overlay.file == trail.overlay)?;
    let action = overlay.actions.iter().find(|action| action.index == trail.index)?.clone();
    Some(Overlay { actions: vec![action], ..overlay.clone() })
}

fn inputs(snapshot: &Snapshot, upstream: usize, main: &Document, touches: &[Touch]) -> Vec<UpstreamInput> {
    let all = snapshot.catalog.upstreams.iter().zip(&snapshot.documents).enumerate();
    let input = |(at, (known, documents)): (usize, (&crate::derive::Upstream, &Arc<DocumentSet>))| UpstreamInput {
        name: known.name.clone(),
        prefix: known.prefix.clone(),
        base_url: known.base_url.clone(),
        documents: if at == upstream { Arc::new(documents.with_main(main.clone())) } else { documents.clone() },
        touches: if at == upstream { touches.to_vec() } else { Vec::new() },
        findings: Vec::new(),
    };
    all.map(input).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use std::path::Path;

    use super::*;
    use crate::workspace::{Options, OverlayArg, SpecArg, load};

    /// Steps through all actions.
    fn walk(options: &Options, folder: &Path) {
        let workspace = Workspace::resolve(options, folder).unwrap();
        let snapshot = load(&workspace, None).unwrap();
        let mut last = snapshot.originals[0].main.root.clone();
        let count = snapshot.overlays[0].trails.len();
        assert!(count > 1);
        for action in 0..count {
            let stepped = step(&workspace, &snapshot, 0, action).unwrap().unwrap();
            assert!(stepped.before == last, "action {action} begins where the one before ended");
            assert_eq!(before(&snapshot, 0, action).unwrap(), last);
            last = stepped.after;
        }
        assert!(last == snapshot.documents[0].main.root, "the last one ends where all together do");
        assert!(step(&workspace, &snapshot, 0, count).unwrap().is_none());
        assert!(step(&workspace, &snapshot, 9, 0).unwrap().is_none());
    }

    #[test]
    fn steps_make_the_way() {
        walk(&Options { demo: true, ..Options::default() }, Path::new("."));
    }

    /// Where the corpus is: on a document of twelve megabytes, with targets that search through all of it.
    #[test]
    fn steps_through_a_large_document() {
        let Some(corpus) = std::env::var_os("TOOLSCOPE_CORPUS") else { return };
        let folder = tempfile::tempdir().unwrap();
        let overlay = "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions:\n- target: $.paths.*[?@.operationId]\n  update: {x-mcp-safe: true}\n- target: $..[?@.deprecated == true]\n  remove: true\n- target: $.paths['/meta'].get\n  update: {x-mcp-tool-name: meta}\n";
        std::fs::write(folder.path().join("o.yaml"), overlay).unwrap();
        let document = Path::new(&corpus).join("github/generated__api.github.com.json");
        let options = Options {
            specs: vec![SpecArg::parse(document.to_str().unwrap())],
            overlays: vec![OverlayArg::parse("o.yaml")],
            ..Options::default()
        };
        walk(&options, folder.path());
    }
}
