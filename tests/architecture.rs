//! Which room may use which, and what the core may not touch.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::path::{Path, PathBuf};

/// Room, and the rooms that it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("document", &[]),
    ("overlay", &["document"]),
    ("naming", &[]),
    ("derive", &["document", "naming"]),
    ("lint", &["document", "naming", "derive"]),
    ("wire", &["document", "naming", "derive"]),
    ("workspace", &["document", "overlay", "naming", "derive", "lint"]),
    ("proxy", &["document", "overlay", "naming", "derive", "wire", "workspace"]),
    // Locks and diffs read verdicts; suites and the doctor call through the proxy.
    ("session", &["document", "naming", "derive", "lint", "wire", "workspace", "proxy"]),
    ("cli", &["document", "overlay", "naming", "derive", "lint", "wire", "workspace", "proxy", "session", "tui"]),
    ("tui", &["document", "overlay", "naming", "derive", "lint", "wire", "workspace", "proxy", "session"]),
];

/// Rooms that know no clock, no environment, no file, no network and no screen.
const PURE: &[&str] = &["document", "overlay", "naming", "derive", "lint", "wire"];

const IMPURE: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::io",
    "std::process",
    "std::time",
    "std::thread",
    "tokio",
    "reqwest",
    "ratatui",
    "crossterm",
    "notify",
];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Lines of code: comments are left out.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.split("//").next().unwrap().to_owned()));
    lines.collect()
}

fn each_line(mut check: impl FnMut(&str, &Path, usize, &str)) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    // Tests may read fixtures and take what they like.
    let is_test =
        |path: &&PathBuf| path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"));
    for path in files.iter().filter(|path| !is_test(path)) {
        let inside = path.strip_prefix(&source).unwrap();
        let room = inside.components().next().unwrap().as_os_str().to_str().unwrap().to_owned();
        for (number, line) in code(path) {
            check(&room, inside, number, &line);
        }
    }
}

#[test]
fn rooms_use_only_what_the_table_allows() {
    let mut offenders = Vec::new();
    let mut seen = 0;
    each_line(|room, file, number, line| {
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == room) else { return };
        for (other, _) in MAY_USE {
            let used = line.contains(&format!("crate::{other}::")) || line.contains(&format!("crate::{other};"));
            seen += usize::from(used);
            if used && *other != room && !allowed.contains(other) {
                offenders.push(format!("src/{}:{number}: {room} may not use {other}", file.display()));
            }
        }
    });
    assert!(seen > 20, "the check no longer finds imports: {seen}");
    assert!(offenders.is_empty(), "{}", offenders.join("\n"));
}

#[test]
fn every_room_is_in_the_table() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(source).unwrap().map(|entry| entry.unwrap()).filter(|entry| entry.path().is_dir()) {
        let name = entry.file_name().into_string().unwrap();
        assert!(MAY_USE.iter().any(|(room, _)| *room == name), "src/{name} is in no row of the table");
    }
}

#[test]
fn the_core_is_pure() {
    let mut offenders = Vec::new();
    each_line(|room, file, number, line| {
        if !PURE.contains(&room) {
            return;
        }
        for word in IMPURE.iter().filter(|word| line.contains(*word)) {
            offenders.push(format!("src/{}:{number}: {room} may not use {word}", file.display()));
        }
    });
    assert!(offenders.is_empty(), "{}", offenders.join("\n"));
}

#[test]
fn the_tui_model_does_no_io() {
    let mut offenders = Vec::new();
    each_line(|_, file, number, line| {
        if !file.starts_with("tui/app") {
            return;
        }
        for word in
            ["std::fs", "std::env", "std::time", "std::thread", "tokio"].iter().filter(|word| line.contains(*word))
        {
            offenders.push(format!("src/{}:{number}: the model may not use {word}", file.display()));
        }
    });
    assert!(offenders.is_empty(), "{}", offenders.join("\n"));
}
