//! No command: the screen.

use std::io::IsTerminal;
use std::path::Path;

use super::args::{Color, Common};
use super::failure::Failure;
use super::output::wants_colour;
use super::{Cli, current_folder};
use crate::tui::theme::Theme;
use crate::workspace::Workspace;

/// Opens the screen on the workspace, or on the demo where nothing is named.
pub(super) fn run(common: &Common) -> Result<u8, Failure> {
    let folder = current_folder()?;
    refuse_slip(common, &folder)?;
    let workspace = Workspace::resolve_or_demo(&common.options(), &folder)?;
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::usage(
            "the screen needs a terminal",
            "Without one use a command, such as `toolscope list`; `toolscope --help` names all.",
        ));
    }
    open(workspace, common.color)
}

/// The one call into the screen.
fn open(workspace: Workspace, color: Color) -> Result<u8, Failure> {
    let theme = Theme::built_in("terminal").unwrap_or_default();
    let theme = if wants_colour(color, true) { theme } else { theme.without_colour() };
    match crate::tui::open(workspace, theme) {
        Ok(exit) => Ok(exit.code()),
        Err(error) => Err(Failure::Output(std::io::Error::other(error))),
    }
}

/// A document that is not there may be a command with a slip in it.
fn refuse_slip(common: &Common, folder: &Path) -> Result<(), Failure> {
    use clap::CommandFactory as _;
    let Some(word) = common.specs.first() else { return Ok(()) };
    let is_word = word.chars().all(|c| c.is_ascii_alphabetic() || c == '-') && word != "-";
    if !is_word || folder.join(word).exists() {
        return Ok(());
    }
    let command = Cli::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    match crate::workspace::config::nearest(word, names.iter().copied()) {
        Some(name) => Err(Failure::usage(
            format!("there is no command and no file `{word}`"),
            format!("Did you mean the command `{name}`?"),
        )),
        None => Ok(()),
    }
}
