//! YAML 1.2 (core schema) to nodes, each with the bytes that it was read from.
//!
//! Plain keys stay text as they are written, so `200:` is the key `200` and `on:` the key `on`.

mod comments;
mod diagnosis;
mod layout;
mod loader;
mod scalar;

use granit_parser::{Event, Options, Parser};

pub use comments::comments;

use super::parse::{Fault, MAX_DEPTH, ParseErrorKind};
use super::source::{FileId, Origin};
use super::{Document, Finding, Format, Pointer};
use loader::Loader;

/// Longest key that is looked for on one line, in characters. YAML asks for 1,024; real documents have longer ones.
const LONGEST_KEY: usize = 16 * 1024;

/// Reads the first document of a YAML text.
///
/// # Errors
/// The first place at which the text is no YAML, or at which a limit is passed.
pub(super) fn read(file: FileId, text: &str) -> Result<Document, Fault> {
    // Loose indentation: what libyaml reads is read.
    let mut options = Options::default();
    options.set_emit_comments(false);
    options.simple_key_max_lookahead = LONGEST_KEY;
    options.flow_nesting_limit = MAX_DEPTH;
    options.block_nesting_limit = MAX_DEPTH;
    let mut parser = Parser::new_from_str_with_options(text, options);
    let mut loader = Loader::new(file, text);
    let mut ended = false;
    while let Some(next) = parser.next_event() {
        let (event, span) = next.map_err(|error| diagnosis::explain(&error, text))?;
        let range = span.byte_range().unwrap_or(0..0);
        match event {
            Event::DocumentEnd => ended = true,
            Event::DocumentStart(..) if ended => {
                several_documents(&mut loader, range.start)?;
                break;
            }
            event => loader.event(event, range)?,
        }
    }
    let empty = || Fault { kind: ParseErrorKind::Empty, ..Fault::syntax(0, "the file has no content but comments") };
    if loader.is_empty() {
        return Err(empty());
    }
    loader.tree.finish(Format::Yaml).ok_or_else(empty)
}

fn several_documents(loader: &mut Loader<'_>, at: usize) -> Result<(), Fault> {
    if loader.is_empty() {
        return Err(Fault {
            kind: ParseErrorKind::Empty,
            ..Fault::syntax(0, "the first document of the file is empty")
        }
        .remedy("remove the `---` that ends it, or what stands before"));
    }
    let origin: Origin = loader.tree.origin(at, at);
    loader.tree.notes.add("several-documents", |notes| {
        let line = notes.line(at);
        let message = format!("the file holds several YAML documents; those from line {line} on are not read");
        let finding = Finding::warning("several-documents", message).remedy("put each document into a file of its own");
        (finding, origin, Pointer::default())
    });
    Ok(())
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
