//! From a keystroke in an overlay to the list that is drawn with it: the whole path of the screen.
//!
//! Every letter goes into the draft, the tools are derived with it as the screen's worker does it, the state takes them
//! over and the frame is drawn. Prints the time at the median, the 99th percentile and the worst for an action on one
//! operation and for a wildcard over all of them. Runs on GitHub's document where `TOOLSCOPE_CORPUS` names the folder of the
//! corpus, else on a made-up one of 1,000 operations.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

#[path = "support/document.rs"]
mod document;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use document::document;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use toolscope::tui::app::overlays::StudyJob;
use toolscope::tui::app::overlays::study::study;
use toolscope::tui::app::workbench::OverlayText;
use toolscope::tui::app::{App, Effect, Msg, fixture};
use toolscope::tui::runtime::Program;
use toolscope::tui::{Drafting, overlay_texts};
use toolscope::workspace::{Options, OverlayArg, SpecArg, Workspace, load};

/// Letters that are typed for each action.
const KEYS: usize = 200;
const HEAD: &str = "overlay: 1.1.0\ninfo: {title: t, version: '1'}\nactions:\n";

struct Bench {
    workspace: Workspace,
    saved: Arc<toolscope::workspace::Snapshot>,
    drafting: Drafting,
    app: App,
    terminal: Terminal<TestBackend>,
    file: PathBuf,
}

impl Bench {
    fn new(folder: &std::path::Path) -> Self {
        let options = Options {
            specs: vec![SpecArg::parse("api=api.json")],
            overlays: vec![OverlayArg::parse("o.yaml")],
            ..Options::default()
        };
        let workspace = Workspace::resolve(&options, folder).unwrap();
        let saved = Arc::new(load(&workspace, None).unwrap());
        for (_, file) in saved.catalog.sources.iter() {
            file.line_count();
        }
        let mut app = fixture::loaded(saved.clone());
        let texts: Vec<OverlayText> = overlay_texts(&workspace);
        let file = texts[0].file.path.clone();
        app.update(Msg::OverlaysRead(texts));
        let terminal = Terminal::new(TestBackend::new(160, 50)).unwrap();
        Self { workspace, saved, drafting: Drafting::default(), app, terminal, file }
    }

    /// Looks at the action as the screen of overlays does: steps up to it, compares documents and tools.
    fn look(&self) -> Duration {
        let job = StudyJob { generation: 1, snapshot: self.saved.clone(), item: 0, upstream: 0, trail: 0 };
        let begun = Instant::now();
        let found = study(&self.workspace, &job);
        assert!(!found.change.is_empty());
        begun.elapsed()
    }

    /// One letter; gives what it took: deriving, taking over, drawing.
    fn key(&mut self, text: &str) -> [Duration; 3] {
        let begun = Instant::now();
        let effects = self.app.type_overlay(&self.file, text);
        let Some(Effect::Derive(job)) = effects.first() else { panic!("{effects:?}") };
        let derived = self.drafting.derive(job, &self.workspace, Some(&self.saved)).map_err(|error| error.0).unwrap();
        let to_derive = begun.elapsed();
        let _others = self.app.update(Msg::Derived(job.generation, Ok(Arc::new(derived))));
        let to_take = begun.elapsed();
        self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
        let took = [to_derive, to_take - to_derive, begun.elapsed() - to_take];
        // Done by the worker while the person looks.
        self.drafting.tidy();
        took
    }
}

fn main() {
    let (name, text, path) = document();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("api.json"), text).unwrap();
    let exact = format!("{HEAD}  - target: $.paths['{path}'].get\n    update: {{x-mcp-tool-name: NAME}}\n");
    let renamed = "  - target: $.paths.*[?@.operationId]\n    update: {x-mcp-safe: true, description: NAME}\n";
    let wildcard = format!("{HEAD}{renamed}");
    for (title, overlay) in [("one operation", exact), ("all operations", wildcard)] {
        fs::write(folder.path().join("o.yaml"), overlay.replace("NAME", "a")).unwrap();
        let mut bench = Bench::new(folder.path());
        println!("{name}, {} tools, {title}:", bench.saved.catalog.tools.len());
        let mut looked: Vec<Duration> = (0..20).map(|_| bench.look()).collect();
        looked.sort();
        println!("  step to it median {:?}, worst {:?}", looked[10], looked[19]);
        let mut typed = String::from("a");
        let mut took: Vec<[Duration; 3]> = Vec::new();
        for at in 0..KEYS {
            typed.push(char::from(b'a' + u8::try_from(at % 26).unwrap()));
            took.push(bench.key(&overlay.replace("NAME", &typed)));
        }
        // The first letter has nothing to build on.
        let first = took.remove(0);
        println!("  first letter {:?}", first.iter().sum::<Duration>());
        for (part, what) in [(Some(0), "derive"), (Some(1), "take over"), (Some(2), "draw"), (None, "in all")] {
            let mut times: Vec<Duration> =
                took.iter().map(|one| part.map_or_else(|| one.iter().sum(), |part: usize| one[part])).collect();
            times.sort();
            let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
            println!("  {what:<10} median {:?}, p99 {:?}, worst {:?}", at(50), at(99), times[times.len() - 1]);
        }
    }
}
