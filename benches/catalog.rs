//! From bytes to the catalog, and from an overlay edit to the next one.
//!
//! Runs on GitHub's document where `TOOLSCOPE_CORPUS` names the folder of the corpus, else on a made-up one of 1,000
//! operations.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/document.rs"]
mod document;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use document::document;
use toolscope::derive::{Catalog, Settings, UpstreamInput, catalog};
use toolscope::document::{Document, DocumentSet, SourceFile, Sources, parse};
use toolscope::naming::Profile;
use toolscope::overlay::{Overlay, action_offsets, apply};

const EXACT: &str = "overlay: 1.0.0\ninfo: {title: t, version: '1'}\nactions:\n  - target: $.paths['PATH'].get\n    update: {x-mcp-tool-name: NAME}\n";
const WILDCARD: &str = "overlay: 1.0.0\ninfo: {title: t, version: '1'}\nactions:\n  - target: $.paths.*[?@.operationId]\n    update: {x-mcp-safe: true, description: NAME}\n";

struct Bench {
    sources: Sources,
    original: Document,
    settings: Settings,
}

impl Bench {
    fn read(text: &str) -> Self {
        let mut sources = Sources::default();
        let file = sources.put(SourceFile::new("api.json", text));
        let original = parse(file, "api.json", text).unwrap();
        Self { sources, original, settings: Settings::new(Profile::builtin("default").unwrap()) }
    }

    /// What happens between a keystroke in an overlay and the new list.
    fn edit(&mut self, overlay: &str, previous: Option<&Catalog>) -> Catalog {
        let file = self.sources.put(SourceFile::new("o.yaml", overlay));
        let document = parse(file, "o.yaml", overlay).unwrap();
        let overlay_read = Overlay::read(&document, "o.yaml").unwrap();
        self.sources.put(SourceFile::new("o.yaml", overlay).with_actions(action_offsets(&overlay_read)));
        let applied = apply(&self.original, &[overlay_read]);
        self.derive(applied.document, applied.touches, previous)
    }

    fn derive(&self, main: Document, touches: Vec<toolscope::document::Touch>, previous: Option<&Catalog>) -> Catalog {
        let input = UpstreamInput {
            name: "api".into(),
            prefix: Some("api".into()),
            base_url: None,
            documents: Arc::new(DocumentSet::single(main)),
            touches,
            findings: Vec::new(),
        };
        catalog(&[input], &self.settings, Arc::new(self.sources.clone()), previous)
    }
}

fn bytes_to_catalog(c: &mut Criterion) {
    let (name, text, path) = document();
    let mut group = c.benchmark_group(name);
    group.sample_size(10);
    group.bench_function("parse", |b| b.iter(|| Bench::read(black_box(&text))));
    group.bench_function("bytes to catalog", |b| {
        b.iter(|| {
            let bench = Bench::read(black_box(&text));
            bench.derive(bench.original.clone(), Vec::new(), None)
        });
    });
    for (title, overlay) in [("edit of one operation", EXACT), ("edit of all operations", WILDCARD)] {
        let mut bench = Bench::read(&text);
        let overlay = overlay.replace("PATH", path);
        let mut last = bench.edit(&overlay.replace("NAME", "start"), None);
        let mut number = 0;
        group.bench_function(title, |b| {
            b.iter(|| {
                number += 1;
                last = bench.edit(&overlay.replace("NAME", &format!("name_{number}")), Some(&last));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, bytes_to_catalog);
criterion_main!(benches);
