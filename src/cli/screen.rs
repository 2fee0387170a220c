//! No command: the screen.

use std::io::IsTerminal;
use std::path::Path;

use super::args::{Common, ScreenArgs};
use super::call::unusable;
use super::failure::Failure;
use super::output::wants_colour;
use super::{Cli, current_folder};
use crate::proxy::environment;
use crate::tui::runtime::Exit;
use crate::tui::{Look, OpenError, Outlook};
use crate::workspace::Workspace;

/// Opens the screen on the workspace, or on the demo where nothing is named.
pub(super) fn run(common: &Common, screen: &ScreenArgs) -> Result<u8, Failure> {
    let folder = current_folder()?;
    refuse_slip(common, &folder)?;
    let workspace = Workspace::resolve_or_demo(&common.options(), &folder)?;
    environment(&workspace, screen.env.as_deref()).map_err(|error| unusable(&error))?;
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::usage(
            "the screen needs a terminal",
            "Without one use a command, such as `toolscope list`; `toolscope --help` names all.",
        ));
    }
    let colour = wants_colour(common.color, true);
    let outlook = Outlook { environment: screen.env.clone(), mock: screen.mock };
    open(workspace, Look { theme: screen.theme.as_deref(), ascii: screen.ascii, colour }, outlook)
}

/// The one call into the screen.
fn open(workspace: Workspace, look: Look<'_>, outlook: Outlook) -> Result<u8, Failure> {
    crate::tui::open(workspace, look, outlook).map(Exit::code).map_err(|error| {
        let remedy = match &error {
            OpenError::Run(_) => return Failure::Output(std::io::Error::other(error)),
            OpenError::Keys(_) => "Mend the file, or move it away to have the built-in keys.",
            OpenError::Theme(_) | OpenError::NoTheme { .. } => "Name another theme with --theme, or leave it out.",
            OpenError::Unreadable { .. } => "Make the file readable, or move it away.",
        };
        Failure::usage(error.to_string(), remedy)
    })
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
