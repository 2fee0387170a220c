//! No command: the screen.

use std::io::IsTerminal;

use super::args::Common;
use super::failure::Failure;
use super::{Cli, current_folder};
use crate::workspace::{LoadError, LoadErrorKind, Workspace};

/// Opens the screen on the workspace, or on the demo where nothing is named.
pub(super) fn run(common: &Common) -> Result<u8, Failure> {
    let workspace =
        Workspace::resolve_or_demo(&common.options(), &current_folder()?).map_err(|error| hint(error, common))?;
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::usage(
            "the screen needs a terminal",
            "Without one use a command, such as `toolscope list`; `toolscope --help` names all.",
        ));
    }
    open(workspace)
}

/// The one call into the screen.
fn open(workspace: Workspace) -> Result<u8, Failure> {
    Err(Failure::usage(
        format!("`{}` cannot be shown on a screen by this build", workspace.name),
        "Use a command, such as `toolscope list`.",
    ))
}

/// A document that is not there may be a command with a slip in it.
fn hint(error: LoadError, common: &Common) -> Failure {
    use clap::CommandFactory as _;
    let command = Cli::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let meant = match (error.kind, common.specs.as_slice()) {
        (LoadErrorKind::Usage, [spec, ..]) => crate::workspace::config::nearest(spec, names.iter().copied()),
        _ => None,
    };
    match meant {
        Some(name) => error.remedy(format!("Did you mean the command `{name}`?")).into(),
        None => error.into(),
    }
}
