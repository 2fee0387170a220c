//! What a person waits for: a frame, and a key in the filter, with ten thousand tools.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use toolscope::tui::app::fixture::{checked, loaded, many};
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

/// The limits are 2 ms for a frame and 16 ms for a key, with what twenty targets say of ten thousand tools.
fn screens(c: &mut Criterion) {
    let mut app = checked(many(10_000));
    let mut terminal = Terminal::new(TestBackend::new(200, 60)).unwrap();
    for (name, screen, rest) in [("findings", '2', "zt"), ("targets", '7', "")] {
        app.input(key(KeyCode::Char(screen)));
        for letter in rest.chars() {
            app.input(key(KeyCode::Char(letter)));
        }
        c.bench_function(&format!("frame of 200x60, {name} of 10,000 tools, after a step"), |b| {
            b.iter(|| {
                app.input(key(KeyCode::Down));
                terminal.draw(|frame| app.draw(frame)).unwrap();
            });
        });
    }
    for (name, screen, word) in [
        ("findings", '2', "error"),
        ("findings", '2', "code:root revision_99"),
        ("findings", '2', "target:openai"),
        ("targets", '7', "pr"),
        ("targets", '7', "target:openai"),
    ] {
        app.input(key(KeyCode::Esc));
        app.input(key(KeyCode::Esc));
        app.input(key(KeyCode::Char(screen)));
        app.input(key(KeyCode::Char('/')));
        app.input(key(KeyCode::End));
        for _ in 0..64 {
            app.input(key(KeyCode::Backspace));
        }
        app.input(Input::Paste(word.to_owned()));
        let last = word.chars().next_back().map(KeyCode::Char).unwrap();
        c.bench_function(&format!("filter {name} of 10,000 tools by {word:?}, two keys"), |b| {
            b.iter(|| {
                app.input(key(KeyCode::Backspace));
                app.input(key(last));
            });
        });
    }
}

/// Typing the server's name: a frame with the names of all tools measured.
fn meter(c: &mut Criterion) {
    let mut app = checked(many(10_000));
    let mut terminal = Terminal::new(TestBackend::new(200, 60)).unwrap();
    app.input(key(KeyCode::Char('7')));
    app.input(key(KeyCode::Char('v')));
    c.bench_function("frame of 200x60, a letter of the server's name", |b| {
        b.iter(|| {
            app.input(key(KeyCode::Char('s')));
            app.input(key(KeyCode::Backspace));
            terminal.draw(|frame| app.draw(frame)).unwrap();
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = frame, filter, screens, meter
}
criterion_main!(benches);
