//! Arguments of `init`, `doctor`, `completions` and `man`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap_complete::Shell;

use super::proxy::duration;
use super::{Color, Common, Format};
use crate::workspace::HeaderArg;

#[derive(Args, Debug)]
pub(in crate::cli) struct InitArgs {
    /// The document: path or URL
    #[arg(value_name = "SPEC")]
    pub(in crate::cli) spec: String,
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "toolscope.yaml")]
    pub(in crate::cli) output: PathBuf,
    /// Prefix of the tools' names
    #[arg(long, value_name = "P")]
    pub(in crate::cli) prefix: Option<String>,
    /// Header for a document that is read from a URL, such as 'Authorization: Bearer env:TOKEN'
    #[arg(long, value_name = "NAME: REFERENCE", value_parser = HeaderArg::parse)]
    pub(in crate::cli) header: Vec<HeaderArg>,
    /// Colours
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(in crate::cli) color: Color,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct DoctorArgs {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Environment of the workspace file
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) env: Option<String>,
    /// The time that each step has, such as 10s
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "10s")]
    pub(in crate::cli) timeout: Duration,
    /// Ask a mock of the API within the program
    #[arg(long, conflicts_with = "env")]
    pub(in crate::cli) mock: bool,
    /// Output
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(in crate::cli) shell: Shell,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct ManArgs {
    /// The folder to write a page for each command into; without it the main page goes to standard output
    #[arg(value_name = "DIR")]
    pub(in crate::cli) dir: Option<PathBuf>,
}
