//! Reload: a new catalog takes the place of the old one only when it is good.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use toolscope::proxy::View;
use toolscope::proxy::serve::{ReloadEvent, Reloader};

use crate::{Bench, DOCUMENT};

#[test]
fn a_broken_catalog_does_not_replace_a_good_one() {
    let bench = Bench::new(DOCUMENT, "    base_url: http://127.0.0.1:9", "");
    let engine = bench.engine();
    let changes = engine.changes();
    let (sender, events) = channel();
    let tell = move |event| sender.send(event).unwrap();
    let snapshot = Arc::new(bench.snapshot.clone());
    let _reloader = Reloader::start(bench.workspace.clone(), snapshot, engine.clone(), None, tell).unwrap();
    let file = bench.folder.path().join("api.yaml");
    let names = || {
        let served = engine.served();
        served.tools(&View::default()).map(|entry| entry.name().to_owned()).collect::<Vec<_>>()
    };
    let next = || events.recv_timeout(Duration::from_secs(60)).expect("no reload");

    std::fs::write(&file, DOCUMENT.replace("operationId: list", "operationId: all")).unwrap();
    assert_eq!(next(), ReloadEvent::Reloaded { tools: 4, changed: true });
    assert_eq!(names(), ["all", "make", "one", "remove"]);
    assert!(changes.has_changed().unwrap());

    std::fs::write(&file, "openapi: [").unwrap();
    let ReloadEvent::Kept { why } = next() else { panic!("a broken document is served") };
    assert!(why.contains("api.yaml:1"), "{why}");
    assert_eq!(names().len(), 4);

    std::fs::write(&file, DOCUMENT.replace("operationId: list", "operationId: one")).unwrap();
    let ReloadEvent::Kept { why } = next() else { panic!("two tools with one name are served") };
    assert!(why.contains("`one` is claimed by GET /things (things) and by GET /things/{id} (things)"), "{why}");

    std::fs::write(&file, DOCUMENT.replace("operationId: list", "operationId: all")).unwrap();
    assert_eq!(next(), ReloadEvent::Reloaded { tools: 4, changed: false });
}
