//! `lock`: writes down what the tools are.

use std::io::Write as _;
use std::path::Path;

use super::args::LockArgs;
use super::failure::{Failure, exit};
use super::list::plural;
use super::load;
use super::output::{Output, say};
use super::overlay::write_file;
use crate::lint;
use crate::session::lock::Lock;
use crate::workspace::{Snapshot, Workspace};

pub(super) fn run(args: &LockArgs) -> Result<u8, Failure> {
    let (workspace, snapshot) = load(&args.common)?;
    let lock = of(&workspace, &snapshot);
    let text = lock.write(args.full)?;
    if args.output == Path::new("-") {
        let mut out = Output::stdout(args.common.color);
        out.writer().write_all(text.as_bytes())?;
        out.finish()?;
    } else {
        write_file(&args.output, &text)?;
        say(&format!("{}: {}", args.output.display(), plural(lock.tools.len(), "tool")));
    }
    Ok(exit::OK)
}

/// The lock of a load, with the verdicts of the chosen targets.
pub(super) fn of(workspace: &Workspace, snapshot: &Snapshot) -> Lock {
    let matrix = lint::verdicts(&snapshot.catalog, workspace.targets_to_check());
    Lock::of(&snapshot.catalog, &workspace.profile, &matrix)
}
