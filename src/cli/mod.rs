//! The command line: arguments, one file per command, output formats, exit codes.
//!
//! Data on standard output, words on standard error. `json` holds the machine-readable contract.

mod args;
mod arguments;
mod call;
mod check;
mod diff;
mod doctor;
mod explain;
mod failure;
mod find;
mod github;
mod init;
mod json;
mod junit;
mod lint;
mod list;
mod lock;
mod manual;
mod mock;
mod opinion;
mod output;
mod overlay;
mod overlay_add;
mod overlay_diff;
mod overlay_fix;
mod overlay_make;
mod overlay_mend;
mod own_mock;
mod profiles;
mod progress;
mod report;
mod sarif;
mod screen;
mod serve;
mod shelf;
mod signals;
mod smoke;
mod smoke_report;
mod targets;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Parser;
use clap::error::ErrorKind;

use args::{CheckFormat, Cli, Color, Command, Common, DiffFormat, Format, ListFormat, OverlayCommand, SmokeFormat};
use failure::{Failure, exit};

use crate::workspace::{self, Snapshot, Workspace};

/// Runs the program with its arguments (the first is its own name) and gives back the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return refused(&error, &arguments),
    };
    let (json, color) = manner(&cli);
    match dispatch(&cli) {
        Ok(code) => code,
        Err(failure) => {
            failure.report(json, output::wants_colour(color, std::io::stderr().is_terminal()));
            failure.exit_code()
        }
    }
}

fn dispatch(cli: &Cli) -> Result<u8, Failure> {
    match &cli.command {
        None => screen::run(&cli.common, &cli.screen),
        Some(Command::List(args)) => list::run(args),
        Some(Command::Explain(args)) => explain::run(args),
        Some(Command::Check(args)) => check::run(args),
        Some(Command::Overlay(OverlayCommand::Apply(args))) => overlay::apply(args),
        Some(Command::Overlay(OverlayCommand::Check(args))) => overlay::check(args),
        Some(Command::Overlay(OverlayCommand::Add(args))) => overlay_add::run(args),
        Some(Command::Overlay(OverlayCommand::Fix(args))) => overlay_fix::run(args),
        Some(Command::Overlay(OverlayCommand::Make(args))) => overlay_make::run(args),
        Some(Command::Overlay(OverlayCommand::Diff(args))) => overlay_diff::run(args),
        Some(Command::Profiles(args)) => profiles::run(args),
        Some(Command::Call(args)) => call::run(args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Mock(args)) => mock::run(args),
        Some(Command::Smoke(args)) => smoke::run(args),
        Some(Command::Targets(args)) => targets::run(args),
        Some(Command::Lock(args)) => lock::run(args),
        Some(Command::Diff(args)) => diff::run(args),
        Some(Command::Init(args)) => init::run(args),
        Some(Command::Doctor(args)) => doctor::run(args),
        Some(Command::Completions(args)) => manual::completions(args),
        Some(Command::Man(args)) => manual::man(args),
    }
}

/// Are failures told as JSON, and with which colours otherwise?
fn manner(cli: &Cli) -> (bool, Color) {
    let json = |format: Format| format == Format::Json;
    match &cli.command {
        None => (false, cli.common.color),
        Some(Command::List(args)) => (matches!(args.format, ListFormat::Json | ListFormat::Mcp), args.common.color),
        Some(Command::Explain(args)) => (json(args.format), args.common.color),
        Some(Command::Check(args)) => (args.format == CheckFormat::Json, args.common.color),
        Some(Command::Overlay(OverlayCommand::Apply(args))) => (false, args.common.color),
        Some(Command::Overlay(OverlayCommand::Check(args))) => (json(args.format), args.common.color),
        Some(Command::Call(args)) => (json(args.format), args.common.color),
        Some(Command::Serve(args)) => (false, args.common.color),
        Some(Command::Mock(args)) => (false, args.common.color),
        Some(Command::Smoke(args)) => (args.format == SmokeFormat::Json, args.common.color),
        Some(Command::Lock(args)) => (false, args.common.color),
        Some(Command::Init(args)) => (false, args.color),
        Some(Command::Doctor(args)) => (json(args.format), args.common.color),
        Some(Command::Completions(_) | Command::Man(_)) => (false, Color::Auto),
        Some(Command::Diff(args)) => (args.format == DiffFormat::Json, args.common.color),
        Some(Command::Profiles(args) | Command::Targets(args)) => (json(args.format), args.color),
        Some(Command::Overlay(OverlayCommand::Add(args))) => (false, args.color),
        Some(Command::Overlay(OverlayCommand::Fix(args))) => (false, args.common.color),
        Some(Command::Overlay(OverlayCommand::Make(args))) => (false, args.color),
        Some(Command::Overlay(OverlayCommand::Diff(args))) => (json(args.format), args.common.color),
    }
}

/// Help and version are no failures; everything else that clap refuses is one of usage.
fn refused(error: &clap::Error, arguments: &[OsString]) -> u8 {
    let wants_words = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if !wants_words && asks_for_json(arguments) {
        let text = error.render().to_string();
        // The first paragraph says what is wrong, the others how it is done right.
        let lines: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let message = lines.join(" ");
        output::say(&failure::json_line(&failure::Record::new("usage", message.trim_start_matches("error: "))));
        return exit::USAGE;
    }
    // Nothing is left to be done when the stream is closed.
    let _ = error.print();
    if wants_words { exit::OK } else { exit::USAGE }
}

fn asks_for_json(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument == "--format=json")
        || arguments.windows(2).any(|pair| matches!(pair, [option, value] if option == "--format" && value == "json"))
}

/// The workspace that the options stand for.
fn resolve(common: &Common) -> Result<Workspace, Failure> {
    Ok(Workspace::resolve(&common.options(), &current_folder()?)?)
}

/// The tools of the workspace that the options stand for.
fn load(common: &Common) -> Result<(Workspace, Snapshot), Failure> {
    let workspace = resolve(common)?;
    let snapshot = workspace::load(&workspace, None)?;
    Ok((workspace, snapshot))
}

fn current_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| {
        Failure::usage(format!("the current folder cannot be used: {error}"), "Change to a folder that exists.")
    })
}
