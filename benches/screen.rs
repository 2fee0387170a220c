//! What a person waits for: a frame, and a key in the filter, with ten thousand tools.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use toolscope::tui::app::fixture::{loaded, many};
use toolscope::tui::runtime::{Input, Program};

fn key(code: KeyCode) -> Input {
    Input::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

/// The limit is 2 ms.
fn frame(c: &mut Criterion) {
    let mut app = loaded(many(10_000));
    let mut terminal = Terminal::new(TestBackend::new(200, 60)).unwrap();
    c.bench_function("frame of 200x60, 10,000 tools, after a step", |b| {
        b.iter(|| {
            app.input(key(KeyCode::Down));
            terminal.draw(|frame| app.draw(frame)).unwrap();
        });
    });
    app.input(key(KeyCode::Char('/')));
    app.input(Input::Paste("pr".to_owned()));
    c.bench_function("frame of 200x60, 10,000 tools, filtered", |b| {
        b.iter(|| terminal.draw(|frame| app.draw(frame)).map(|_| ()).unwrap());
    });
}

/// The limit is 16 ms: the last letter of the word is typed and deleted again, so an iteration filters twice.
fn filter(c: &mut Criterion) {
    for word in ["p", "pr", "crepulreq", "get invoice", "exports link", "tag:invoice !hidden re", "zzzz"] {
        let mut app = loaded(many(10_000));
        app.input(key(KeyCode::Char('/')));
        app.input(Input::Paste(word.to_owned()));
        let last = word.chars().next_back().map(KeyCode::Char).unwrap();
        c.bench_function(&format!("filter 10,000 tools by {word:?}, two keys"), |b| {
            b.iter(|| {
                app.input(key(KeyCode::Backspace));
                app.input(key(last));
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = frame, filter
}
criterion_main!(benches);
