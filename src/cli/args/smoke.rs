//! Arguments of `smoke`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::Common;
use super::proxy::duration;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SmokeFormat {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
    /// JUnit XML, for test reports
    Junit,
}

/// Without a suite the workspace's suites are run, and a generated case for every tool that changes nothing.
#[derive(Args, Debug)]
#[command(
    override_usage = "toolscope smoke [OPTIONS] [SUITE|SPEC]...",
    after_help = "\
A SPEC may also be a suite: a file with `cases`, the name of a suite of the workspace, or `generated`. With any, only those \
are run.

Examples:
  toolscope smoke openapi.yaml --mock             every tool that changes nothing, against a mock
  toolscope smoke --env staging                   suites of the workspace and generated cases, on staging
  toolscope smoke pets.suite.yaml openapi.yaml --base-url http://localhost:8080
  toolscope smoke --env staging --failed          what failed last time
  toolscope smoke --env staging --format junit > smoke.xml

Exit codes: 0 all passed (cases may be skipped), 6 a case failed or its answer does not fit the output schema, 4 what failed \
had no answer, 3 what failed was refused for its credentials, 130 interrupted."
)]
pub(in crate::cli) struct SmokeArgs {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// File with a suite, whatever is in it
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) suite: Vec<PathBuf>,
    /// Environment of the workspace file, for all cases
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) env: Option<String>,
    /// Only cases in which all words are found: in name, tool, suite or path; also suite:, tool:, method:, tag:
    #[arg(long, value_name = "FILTER")]
    pub(in crate::cli) only: Option<String>,
    /// Only cases that failed last time
    #[arg(long)]
    pub(in crate::cli) failed: bool,
    /// No generated cases
    #[arg(long)]
    pub(in crate::cli) no_generated: bool,
    /// Cases at one time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(in crate::cli) jobs: u16,
    /// The time that a call has when its case gives none, such as 10s
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(in crate::cli) timeout: Option<Duration>,
    /// Call a mock of the API within the program
    #[arg(long, conflicts_with = "env")]
    pub(in crate::cli) mock: bool,
    /// Run cases with `write: true` where no environment allows it
    #[arg(long)]
    pub(in crate::cli) allow_writes: bool,
    /// Run cases with `write: true` in an environment that is marked as production
    #[arg(long)]
    pub(in crate::cli) allow_production: bool,
    /// Output
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: SmokeFormat,
}
