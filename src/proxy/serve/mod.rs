//! The proxy for clients outside the process: streamable HTTP, standard input and output, reload on change.

mod clients;
mod command;
mod http;
mod reload;
mod stdio;

pub use clients::{ClientConfig, client_configs};
pub use command::{LeftOut, own_command};
pub use http::{HttpOptions, HttpServer, ServeError};
pub use reload::{ReloadEvent, Reloader};
pub use stdio::stdio;
