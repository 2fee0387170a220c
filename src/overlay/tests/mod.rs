#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod application;
mod conformance;
mod making;
mod reading;

use super::{Applied, Overlay, apply};
use crate::document::testing::document;

/// An overlay from YAML text, as file 1.
fn overlay(text: &str) -> Overlay {
    overlay_as(1, text)
}

fn overlay_as(file: u32, text: &str) -> Overlay {
    Overlay::read(&document(file, text), "tools.overlay.yaml").unwrap_or_else(|findings| panic!("{findings:?}"))
}

/// An overlay of these actions (YAML list items) under version 1.1.
fn actions(items: &str) -> Overlay {
    overlay(&format!("overlay: 1.1.0\ninfo: {{title: t, version: '1'}}\nactions:\n{items}"))
}

/// The document with these actions applied.
fn run(spec: &str, items: &str) -> Applied {
    apply(&document(0, spec), &[actions(items)])
}

fn codes(findings: &[crate::document::Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.code).collect()
}

fn texts(pointers: &[crate::document::Pointer]) -> Vec<String> {
    pointers.iter().map(ToString::to_string).collect()
}
