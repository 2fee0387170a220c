//! `overlay make`: the overlay that turns one document into another.

use super::args::OverlayMakeArgs;
use super::failure::{Failure, exit};
use super::list::plural;
use super::output::{Output, say};
use super::overlay::write_file;
use crate::document::{Document, Format};
use crate::overlay::{MakeError, make};
use crate::workspace::{HeaderArg, Options, Reader, SpecArg, Workspace, open_and_apply};

pub(super) fn run(args: &OverlayMakeArgs) -> Result<u8, Failure> {
    let mut reader = Reader::default();
    let old = bare_document(&args.old, &args.header, &mut reader)?;
    let new = bare_document(&args.new, &args.header, &mut reader)?;
    let format = match &args.output {
        Some(path) if path.extension().is_some_and(|extension| extension == "json") => Format::Json,
        Some(_) => Format::Yaml,
        None => old.format,
    };
    let title =
        args.title.clone().unwrap_or_else(|| format!("Changes from {} to {}", short(&args.old), short(&args.new)));
    let made = match make(&old, &new, &title, format) {
        Ok(made) => made,
        Err(MakeError::Equal) => {
            say("the two documents are equal; there is nothing to write");
            return Ok(exit::OK);
        }
        Err(error) => return Err(Failure::usage(error.to_string(), "Compare the two documents with a diff tool.")),
    };
    match &args.output {
        Some(path) => {
            write_file(path, &made.text)?;
            say(&format!("{}: {}", path.display(), plural(made.actions, "action")));
        }
        None => {
            let mut out = Output::stdout(args.color);
            std::io::Write::write_all(out.writer(), made.text.as_bytes())?;
            out.finish()?;
        }
    }
    Ok(exit::OK)
}

/// A document without its parts and without overlays.
pub(super) fn bare_document(spec: &str, headers: &[HeaderArg], reader: &mut Reader) -> Result<Document, Failure> {
    let location = SpecArg { prefix: None, location: spec.to_owned() };
    let options = Options { specs: vec![location], headers: headers.to_vec(), ..Options::default() };
    let workspace = Workspace::resolve(&options, &super::current_folder()?)?;
    let (opened, _) = open_and_apply(&workspace, None, reader)?;
    let document = opened.upstreams.first().map(|upstream| upstream.original.main.clone());
    document.ok_or_else(|| Failure::usage(format!("`{spec}` was not read"), "Name a document."))
}

/// The last part of a path or URL.
fn short(spec: &str) -> &str {
    spec.rsplit('/').find(|part| !part.is_empty()).unwrap_or(spec)
}
