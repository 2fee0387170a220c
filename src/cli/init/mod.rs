//! `init`: a workspace file for a document, with a comment for everything that one may want to change.

mod auth;
mod servers;
mod text;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::args::InitArgs;
use super::current_folder;
use super::failure::{Failure, exit};
use super::list::plural;
use super::output::{Output, say};
use super::overlay::write_file;
use crate::workspace::{self, Options, SpecArg, Workspace};

pub(super) fn run(args: &InitArgs) -> Result<u8, Failure> {
    let to_stdout = args.output == Path::new("-");
    if !to_stdout && args.output.exists() {
        let message = format!("`{}` is there already, and is not overwritten", args.output.display());
        return Err(Failure::usage(message, "Name another file with -o, or - to see the text."));
    }
    let spec = SpecArg::parse(&args.spec);
    if spec.location == "-" {
        return Err(Failure::usage("standard input has no name that a file could hold", "Name a file or a URL."));
    }
    let prefix = args.prefix.clone().or_else(|| spec.prefix.clone()).filter(|prefix| !prefix.is_empty());
    let source = source(&spec.location, &args.output)?;
    let options = Options { specs: vec![spec], prefix: None, headers: args.header.clone(), ..Options::default() };
    let workspace = Workspace::resolve(&options, &current_folder()?)?;
    let snapshot = workspace::load(&workspace, None)?;
    let written = text::sketch(&snapshot.catalog, &source, prefix.as_deref(), &args.header);
    if to_stdout {
        let mut out = Output::stdout(args.color);
        out.writer().write_all(written.as_bytes())?;
        out.finish()?;
        return Ok(exit::OK);
    }
    write_file(&args.output, &written)?;
    let tools = plural(snapshot.catalog.tools.len(), "tool");
    let config = if args.output == Path::new("toolscope.yaml") {
        String::new()
    } else {
        format!(" --config {}", args.output.display())
    };
    say(&format!("{}: one API, {tools}", args.output.display()));
    say(&format!(
        "next: `toolscope check{config}` says what is to be mended, `toolscope doctor{config}` whether it can be called"
    ));
    Ok(exit::OK)
}

/// The document as the file names it: from the file's own folder.
fn source(location: &str, output: &Path) -> Result<String, Failure> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    if location.contains("://") || Path::new(location).is_absolute() || folder.is_none() || output == Path::new("-") {
        return Ok(location.to_owned());
    }
    let path: PathBuf = current_folder()?.join(location);
    Ok(path.display().to_string())
}
