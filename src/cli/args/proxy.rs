//! Arguments of `call`, `serve` and `mock`.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use clap::Args;

use super::{Common, Format};
use crate::proxy::mock::Fault;
use crate::proxy::units;

#[derive(Args, Debug)]
pub(in crate::cli) struct CallArgs {
    /// Its name, its operationId, or 'METHOD /path'
    #[arg(value_name = "TOOL")]
    pub(in crate::cli) tool: String,
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// One argument: name=value, name:=json or name@file
    #[arg(long, value_name = "NAME=VALUE")]
    pub(in crate::cli) arg: Vec<String>,
    /// All arguments: a JSON object, @FILE or - ; --arg goes over them
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(in crate::cli) args: Option<String>,
    /// Environment of the workspace file
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) env: Option<String>,
    /// The time that the call has, such as 30s
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(in crate::cli) timeout: Option<Duration>,
    /// Send the arguments even when they do not fit the schema
    #[arg(long)]
    pub(in crate::cli) no_validate: bool,
    /// Call a mock of the API within the program
    #[arg(long, conflicts_with = "env")]
    pub(in crate::cli) mock: bool,
    /// Show the request and send nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Output
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct ServeArgs {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Where to listen: ADDRESS:PORT or a port of 127.0.0.1; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8808", value_parser = address, conflicts_with = "stdio")]
    pub(in crate::cli) http: SocketAddr,
    /// Serve one client on standard input and output
    #[arg(long)]
    pub(in crate::cli) stdio: bool,
    /// Call a mock of the API within the program
    #[arg(long, conflicts_with = "env")]
    pub(in crate::cli) mock: bool,
    /// Only tools that change nothing
    #[arg(long)]
    pub(in crate::cli) read_only: bool,
    /// Environment of the workspace file
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) env: Option<String>,
    /// The time that every call has, such as 30s
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(in crate::cli) timeout: Option<Duration>,
    /// Bearer token that clients have to send: env:NAME or file:PATH
    #[arg(long, value_name = "REFERENCE")]
    pub(in crate::cli) token: Option<String>,
    /// Web page that may call, such as http://localhost:6274
    #[arg(long, value_name = "URL")]
    pub(in crate::cli) allow_origin: Vec<String>,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct MockArgs {
    #[command(flatten)]
    pub(in crate::cli) common: Common,
    /// Where to listen: ADDRESS:PORT or a port of 127.0.0.1; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8809", value_parser = address)]
    pub(in crate::cli) http: SocketAddr,
    /// Wait before every answer, such as 200ms
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(in crate::cli) delay: Option<Duration>,
    /// What goes wrong, and how often: reset, truncate, wrong-type, invalid-json, error or hang
    #[arg(long, value_name = "KIND[:RATE%]", value_parser = Fault::parse)]
    pub(in crate::cli) fault: Vec<Fault>,
    /// Answer requests that do not fit the document as well
    #[arg(long)]
    pub(in crate::cli) lenient: bool,
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let read = units::duration(text).filter(|duration| !duration.is_zero());
    read.ok_or_else(|| "write it like 30s, 500ms or 1m30s".to_owned())
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix(':').unwrap_or(text);
    if let Ok(port) = port.parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let text = text.replace("localhost:", "127.0.0.1:");
    text.parse().map_err(|_| "write it as 127.0.0.1:8808, [::1]:8808 or 8808".to_owned())
}
