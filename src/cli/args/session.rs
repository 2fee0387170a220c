//! Arguments of `lock` and `diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Common;

#[derive(Args, Debug)]
pub(in crate::cli) struct LockArgs {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = crate::session::lock::FILE_NAME)]
    pub(in crate::cli) output: PathBuf,
    /// Keep the descriptions and schemas themselves too, so that `diff` can say what changed inside of them
    #[arg(long)]
    pub(in crate::cli) full: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DiffFormat {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
    /// For the comment of a pull request
    Markdown,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DiffFailOn {
    /// What breaks callers
    #[default]
    Breaking,
    /// Anything
    Any,
    /// Nothing
    None,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct DiffArgs {
    /// What was: a lock file, a document, a workspace file or its folder, or - for standard input
    #[arg(value_name = "OLD", required_unless_present = "rules")]
    pub(in crate::cli) old: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Output
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: DiffFormat,
    /// What makes the exit code 6
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub(in crate::cli) fail_on: DiffFailOn,
    /// Show every change, not only some of each kind
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// Show which changes break callers, and why, and compare nothing
    #[arg(long)]
    pub(in crate::cli) rules: bool,
}
