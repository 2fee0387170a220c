//! Arguments of the `overlay` commands.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Color, Common, Format, examples};
use crate::workspace::{HeaderArg, SettingArg};

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum OverlayCommand {
    /// Write the document after the overlays, in its own format
    #[command(after_help = examples::OVERLAY_APPLY)]
    Apply(OverlayApplyArgs),
    /// Say what each action matches and changes
    #[command(after_help = examples::OVERLAY_CHECK)]
    Check(OverlayCheckArgs),
    /// Write an action into an overlay file; every other byte of it stays
    #[command(after_help = examples::OVERLAY_ADD)]
    Add(OverlayAddArgs),
    /// Write into the overlays what the findings of `check` propose as their fix; every other byte of them stays
    #[command(after_help = examples::OVERLAY_FIX)]
    Fix(OverlayFixArgs),
    /// Write the overlay that turns one document into another
    #[command(after_help = examples::OVERLAY_MAKE)]
    Make(OverlayMakeArgs),
    /// Show what the overlays change in the document or, with --tools, in the tools
    #[command(after_help = examples::OVERLAY_DIFF)]
    Diff(OverlayDiffArgs),
}

/// What is wanted of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum What {
    /// VALUE is its name
    Rename,
    /// VALUE is what the model reads
    Describe,
    /// Not exposed
    Hide,
    /// Exposed again
    Show,
    /// Changes nothing although its method says so; VALUE is true or false
    Safe,
    /// VALUE is json, text, image, audio, binary or auto
    Format,
    /// VALUE is an argument that has to be given
    Require,
    /// VALUE is an argument that may be left out
    Optional,
    /// VALUE is ARGUMENT=VALUE, the value as JSON or text
    Default,
    /// VALUE is a jq program over the arguments
    RequestTransform,
    /// VALUE is a jq program over the response
    ResponseTransform,
    /// VALUE is a jq program over an error
    ErrorTransform,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct OverlayAddArgs {
    /// The overlay file; made when it is not there
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,
    /// What is wanted
    #[arg(value_enum, value_name = "WHAT")]
    pub(in crate::cli) what: What,
    /// The tool: its name, its operationId, or 'METHOD /path'
    #[arg(value_name = "TOOL")]
    pub(in crate::cli) tool: String,
    /// What WHAT asks for
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    pub(in crate::cli) value: Option<String>,
    /// Print the patch and write nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Document that has the tool [default: those of the workspace file]
    #[arg(long, value_name = "SPEC")]
    pub(in crate::cli) spec: Vec<String>,
    /// Other overlays that are applied before, in order; NAME=FILE binds one to one upstream
    #[arg(long, value_name = "[NAME=]FILE")]
    pub(in crate::cli) overlay: Vec<String>,
    /// Workspace file
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Prefix of the tools' names
    #[arg(long, value_name = "P")]
    pub(in crate::cli) prefix: Option<String>,
    /// Naming profile
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) profile: Option<String>,
    /// Any key of the workspace file
    #[arg(long, value_name = "KEY=VALUE", value_parser = SettingArg::parse)]
    pub(in crate::cli) set: Vec<SettingArg>,
    /// Header for documents that are read from URLs
    #[arg(long, value_name = "NAME: REFERENCE", value_parser = HeaderArg::parse)]
    pub(in crate::cli) header: Vec<HeaderArg>,
    /// Colours
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(in crate::cli) color: Color,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct OverlayFixArgs {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Only findings of this code, such as overlay-no-match [default: of all]
    #[arg(long, value_name = "CODE")]
    pub(in crate::cli) code: Vec<String>,
    /// Print the patch and write nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct OverlayMakeArgs {
    /// The document that the overlay is for
    #[arg(value_name = "OLD")]
    pub(in crate::cli) old: String,
    /// What it is to become
    #[arg(value_name = "NEW")]
    pub(in crate::cli) new: String,
    /// Write to a file instead of standard output; .json makes it JSON
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Title of the overlay
    #[arg(long, value_name = "TEXT")]
    pub(in crate::cli) title: Option<String>,
    /// Header for documents that are read from URLs
    #[arg(long, value_name = "NAME: REFERENCE", value_parser = HeaderArg::parse)]
    pub(in crate::cli) header: Vec<HeaderArg>,
    /// Colours
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(in crate::cli) color: Color,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct OverlayDiffArgs {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Only the first N actions, counted over all overlays
    #[arg(long, value_name = "N")]
    pub(in crate::cli) upto: Option<usize>,
    /// What becomes of the tools: renamed, hidden, shown, changed
    #[arg(long)]
    pub(in crate::cli) tools: bool,
    /// Output
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct OverlayApplyArgs {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct OverlayCheckArgs {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Output
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
    /// A target that matches nothing is an error
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// The revision of the document that the overlays were written for: finds again what moved since
    #[arg(long, value_name = "OLD")]
    pub(in crate::cli) since: Option<String>,
    /// Give targets that match nothing the one that they clearly mean now; with --since also what moved
    #[arg(long)]
    pub(in crate::cli) retarget: bool,
    /// Say in x-mcp-* what other programs' extensions say, in the last overlay
    #[arg(long)]
    pub(in crate::cli) convert: bool,
    /// With --retarget or --convert: print the patch and write nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
}
