//! The file of findings that are known.

use std::path::Path;

use crate::cli::current_folder;
use crate::cli::diff::text;
use crate::cli::failure::Failure;
use crate::cli::list::plural;
use crate::cli::output::{Output, Role, say};
use crate::cli::overlay::write_file;
use crate::document::{Finding, Sources};
use crate::session::baseline::{Baseline, Known};
use crate::workspace::{Reader, Source};

/// As many findings that were mended are named.
const SHOWN: usize = 5;

pub(super) fn write(path: &Path, sources: &Sources, findings: &[Finding]) -> Result<(), Failure> {
    let baseline = Baseline::of(sources, findings);
    write_file(path, &baseline.write()?)?;
    say(&format!("{}: {}", path.display(), plural(baseline.findings.len(), "known finding")));
    Ok(())
}

pub(super) fn read(path: &Path) -> Result<Baseline, Failure> {
    let name = path.display().to_string();
    let text = text(&Source::written(&name, &current_folder()?), &mut Reader::default())?;
    Baseline::parse(&text).map_err(|error| {
        Failure::usage(format!("`{name}`: {error}"), "Write it anew with `toolscope check --write-baseline`.")
    })
}

/// What the baseline holds and nobody finds any more.
pub(super) fn fixed(out: &mut Output, fixed: &[Known], all: bool) -> std::io::Result<()> {
    if fixed.is_empty() {
        return Ok(());
    }
    out.line("")?;
    let heading = out.paint(Role::Good, &format!("Fixed ({})", fixed.len()));
    out.line(&heading)?;
    let most = if all { usize::MAX } else { SHOWN };
    for known in fixed.iter().take(most) {
        let text = out.paint(Role::Plain, &format!("{}  [{}]", known.message, known.code));
        out.line(&format!("  {text}"))?;
    }
    if fixed.len() > most {
        let more = out.paint(Role::Faint, &format!("  … and {} more, which --all shows", fixed.len() - most));
        out.line(&more)?;
    }
    let remedy = out.paint(Role::Faint, "  → --write-baseline writes the baseline without them");
    out.line(&remedy)
}
