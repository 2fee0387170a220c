//! An API made from the document: its examples, else synthetic data that fits its schemas. Requests are held to the
//! document by code that shares nothing with what encodes them.

mod answer;
mod check;
mod faults;
mod parameters;
mod route;
mod sample;
mod server;

pub use faults::{Fault, FaultKind, Faults};
pub use server::{Mock, MockError, MockOptions, Seen};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::derive::Catalog;

/// The path under which the mock serves an upstream: the root when there is one only.
pub(crate) fn prefix(catalog: &Catalog, at: usize) -> String {
    match catalog.upstreams.get(at) {
        Some(upstream) if catalog.upstreams.len() > 1 => {
            format!("/{}", utf8_percent_encode(&upstream.name, NON_ALPHANUMERIC))
        }
        _ => String::new(),
    }
}
