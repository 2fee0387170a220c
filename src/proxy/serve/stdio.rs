//! MCP on standard input and output. Nothing else may be written there.

use std::sync::Arc;

use rmcp::service::ServiceExt;
use tokio_util::sync::CancellationToken;

use super::http::ServeError;
use crate::proxy::engine::Engine;
use crate::proxy::handler::Endpoint;
use crate::proxy::served::View;

/// Serves one client until it closes its end, or until `stop`.
///
/// # Errors
/// The client did not speak the protocol.
pub async fn stdio(engine: Arc<Engine>, view: View, stop: CancellationToken) -> Result<(), ServeError> {
    let endpoint = Endpoint { engine, view, transport: "stdio" };
    let server = tokio::select! {
        server = endpoint.serve(rmcp::transport::io::stdio()) => server,
        () = stop.cancelled() => return Ok(()),
    };
    let server = match server {
        Ok(server) => server,
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Session(error.to_string())),
    };
    let end = server.cancellation_token();
    let waiting = server.waiting();
    tokio::pin!(waiting);
    tokio::select! {
        _ = &mut waiting => {}
        () = stop.cancelled() => {
            end.cancel();
            let _ = waiting.await;
        }
    }
    Ok(())
}
