//! The command line as clap sees it.

mod examples;
mod overlay;
mod proxy;
mod session;
mod smoke;
mod tools;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(super) use overlay::{
    OverlayAddArgs, OverlayApplyArgs, OverlayCheckArgs, OverlayCommand, OverlayDiffArgs, OverlayFixArgs,
    OverlayMakeArgs, What,
};
pub(super) use proxy::{CallArgs, MockArgs, ServeArgs};
pub(super) use session::{DiffArgs, DiffFailOn, DiffFormat, LockArgs};
pub(super) use smoke::{SmokeArgs, SmokeFormat};
pub(super) use tools::{CompletionsArgs, DoctorArgs, InitArgs, ManArgs};

use crate::workspace::{HeaderArg, Options, OverlayArg, SettingArg, SpecArg};

/// Shows how an HTTP API will look to an LLM: OpenAPI documents and overlays in, MCP tools out, with the reason for
/// every name.
#[derive(Debug, Parser)]
#[command(
    name = "toolscope",
    version,
    args_conflicts_with_subcommands = true,
    after_help = examples::MAIN
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) common: Common,
    #[command(flatten)]
    pub(super) screen: ScreenArgs,
}

/// How the screen looks, and where its calls go.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct ScreenArgs {
    /// Theme of the screen: terminal, dark, light, high-contrast, mono, or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) theme: Option<String>,
    /// Draw the screen with ASCII signs only
    #[arg(long)]
    pub(super) ascii: bool,
    /// Environment of the workspace file to which the screen's calls go
    #[arg(long, value_name = "NAME", conflicts_with = "mock")]
    pub(super) env: Option<String>,
    /// Let the screen's calls go to a mock of the API within the program
    #[arg(long)]
    pub(super) mock: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the tools with their operations
    #[command(after_help = examples::LIST)]
    List(ListArgs),
    /// Say of one tool why it has its name, and where every argument goes
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArgs),
    /// Report what is wrong; exit code 6 when something is
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Apply, check, write and compare overlays
    #[command(subcommand)]
    Overlay(OverlayCommand),
    /// List the naming profiles with their parameters
    #[command(after_help = examples::PROFILES)]
    Profiles(ShelfArgs),
    /// List the lint targets, or the rules of one
    #[command(after_help = examples::TARGETS)]
    Targets(ShelfArgs),
    /// Call a tool through the embedded proxy; exit code 3, 4 or 5 when it fails
    #[command(after_help = examples::CALL)]
    Call(CallArgs),
    /// Serve the tools as an MCP server, over HTTP or standard input and output
    #[command(after_help = examples::SERVE)]
    Serve(ServeArgs),
    /// Answer like the API that the documents describe
    #[command(after_help = examples::MOCK)]
    Mock(MockArgs),
    /// Call many tools and look at the answers; exit code 6 when one is not as expected
    Smoke(SmokeArgs),
    /// Write down what the tools are, one line for each, to compare with later
    #[command(after_help = examples::LOCK)]
    Lock(LockArgs),
    /// Compare the tools with a lock file, another document or another workspace; exit code 6 when callers break
    #[command(after_help = examples::DIFF, mut_arg("specs", |arg| arg.value_name("NEW").help(
        "What is: documents, a lock file, a workspace file or its folder [default: toolscope.yaml of the folder]"
    )))]
    Diff(DiffArgs),
    /// Write a commented workspace file for a document
    #[command(after_help = examples::INIT)]
    Init(InitArgs),
    /// Ask an API step by step whether it can be reached; exit code 2, 3, 4 or 5 by the step that fails
    #[command(after_help = examples::DOCTOR, mut_arg("specs", |arg| arg.value_name("UPSTREAM|SPEC").help(
        "Upstreams of the workspace file, by name, or documents [default: all upstreams]"
    )))]
    Doctor(DoctorArgs),
    /// Write what a shell needs to complete commands and options
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Write manual pages, one for each command
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
}

/// Which documents, with which settings. All commands take these.
#[derive(Args, Clone, Debug)]
pub(super) struct Common {
    /// Documents: path, URL or - ; P=SPEC gives a prefix (write ./a=b.yaml for such a file name)
    #[arg(value_name = "SPEC")]
    pub(super) specs: Vec<String>,
    /// Overlay, in order; NAME=FILE binds it to one upstream
    #[arg(long, value_name = "[NAME=]FILE")]
    pub(super) overlay: Vec<String>,
    /// Workspace file [default: toolscope.yaml of the folder, when no SPEC is given]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Prefix of the tools' names
    #[arg(long, value_name = "P")]
    pub(super) prefix: Option<String>,
    /// Where the API runs, instead of what the document says
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Naming profile (see `profiles`), or a TOML file with one
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<String>,
    /// Open the built-in pet store
    #[arg(long)]
    pub(super) demo: bool,
    /// Lint target (see `targets`) and the name that clients give to the server; none for no target
    #[arg(long, value_name = "NAME[:SERVER]")]
    pub(super) target: Vec<String>,
    /// Any key of the workspace file, such as naming.max_length=64
    #[arg(long, value_name = "KEY=VALUE", value_parser = SettingArg::parse)]
    pub(super) set: Vec<SettingArg>,
    /// Header for documents that are read from URLs, such as 'Authorization: Bearer env:TOKEN'
    #[arg(long, value_name = "NAME: REFERENCE", value_parser = HeaderArg::parse)]
    pub(super) header: Vec<HeaderArg>,
    /// Folder that references to files may not leave [default: the folder of the document]
    #[arg(long, value_name = "DIR")]
    pub(super) ref_root: Option<PathBuf>,
    /// Colours
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(super) color: Color,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ListFormat {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
    /// A table for documentation
    Markdown,
    /// The answer to `tools/list` as MCP clients get it
    Mcp,
}

#[derive(Args, Debug)]
pub(super) struct ListArgs {
    #[command(flatten)]
    pub(super) common: Common,
    /// Output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: ListFormat,
}

#[derive(Args, Debug)]
pub(super) struct ExplainArgs {
    /// Its name, its operationId, or 'METHOD /path'
    #[arg(value_name = "TOOL")]
    pub(super) tool: String,
    #[command(flatten)]
    pub(super) common: Common,
    /// Output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Only errors
    #[default]
    Error,
    /// Warnings and errors
    Warning,
    /// Everything
    Info,
    /// Nothing: the exit code is 0 whatever is found
    Never,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions, which annotate the lines
    Github,
    /// JUnit XML, for test reports
    Junit,
}

#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) common: Common,
    /// Output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: CheckFormat,
    /// Show people every finding, not only some of each kind
    #[arg(long)]
    pub(super) all: bool,
    /// The least severity that makes the exit code 6
    #[arg(long, value_enum, default_value_t, value_name = "SEVERITY")]
    pub(super) fail_on: FailOn,
    /// Compare the tools with a lock file too; whatever differs is a finding and makes the exit code 6
    #[arg(long, value_name = "FILE")]
    pub(super) lock: Option<PathBuf>,
    /// Findings that are known: they are counted, and neither shown nor failed for
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    pub(super) baseline: Option<PathBuf>,
    /// Write all findings to a file for --baseline; the exit code is 0
    #[arg(long, value_name = "FILE")]
    pub(super) write_baseline: Option<PathBuf>,
}

/// Options of the commands that list profiles and targets.
#[derive(Args, Debug)]
pub(super) struct ShelfArgs {
    /// Only the one of that name
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Workspace file, beside which your own `profiles` and `targets` lie [default: the current folder]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// Colours
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(super) color: Color,
}

impl Common {
    /// The options as plain values.
    pub(super) fn options(&self) -> Options {
        Options {
            specs: self.specs.iter().map(|text| SpecArg::parse(text)).collect(),
            overlays: self.overlay.iter().map(|text| OverlayArg::parse(text)).collect(),
            config: self.config.clone(),
            prefix: self.prefix.clone(),
            base_url: self.base_url.clone(),
            profile: self.profile.clone(),
            demo: self.demo,
            targets: self.target.clone(),
            settings: self.set.clone(),
            headers: self.header.clone(),
            ref_root: self.ref_root.clone(),
            user_folder: user_folder(),
        }
    }
}

/// `toolscope` in the folder for settings, by the XDG rules.
pub(super) fn user_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy as _;
    etcetera::choose_base_strategy().ok().map(|strategy| strategy.config_dir().join("toolscope"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn documents_and_commands_are_told_apart() {
        let parse = |args: &[&str]| Cli::try_parse_from(std::iter::once(&"toolscope").chain(args));
        let cases: [(&[&str], Option<&str>, &[&str]); 6] = [
            (&[], None, &[]),
            (&["api.yaml", "b=c.yaml"], None, &["api.yaml", "b=c.yaml"]),
            (&["-"], None, &["-"]),
            (&["list"], Some("list"), &[]),
            (&["list", "api.yaml", "--prefix", "x"], Some("list"), &["api.yaml"]),
            (&["explain", "tool", "api.yaml"], Some("explain"), &["api.yaml"]),
        ];
        for (args, command, specs) in cases {
            let cli = parse(args).unwrap_or_else(|error| panic!("{args:?}: {error}"));
            let (found, common) = match &cli.command {
                None => (None, &cli.common),
                Some(Command::List(args)) => (Some("list"), &args.common),
                Some(Command::Explain(args)) => (Some("explain"), &args.common),
                Some(other) => panic!("{other:?}"),
            };
            assert_eq!(
                (found, common.specs.as_slice()),
                (command, &specs.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()[..])
            );
        }
        for wrong in
            [&["list", "--set", "x"][..], &["list", "--header", "x"], &["explain"], &["list", "--format", "xml"]]
        {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
