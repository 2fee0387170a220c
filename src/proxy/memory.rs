//! A client within the process: a real MCP hop over a pipe in memory.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest, Implementation,
    ProtocolVersion, RequestMetaObject, ServerResult, Tool,
};
use rmcp::service::{
    ClientCacheConfig, ClientLifecycleMode, ClientServiceExt, PeerRequestOptions, RoleClient, RunningService,
    ServiceError, ServiceExt,
};
use serde_json::{Map, Value as Json, json};
use tokio_util::sync::CancellationToken;

use super::engine::{CallOptions, Engine};
use super::handler::{Endpoint, META};
use super::served::View;
use super::tap::Exchange;
use super::upstream::FailureKind;

/// Bytes that the pipe holds.
const PIPE: usize = 1 << 16;
/// The hop itself may take as long, beyond the call.
const GRACE: Duration = Duration::from_secs(5);

/// Why there is no result at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// Client and server did not come together, or came apart.
    #[error("the connection to the embedded proxy failed: {0}")]
    Connection(String),
    /// The proxy refused the request, such as a call of an unknown tool.
    #[error("the proxy refused the request: {0}")]
    Refused(String),
    /// The caller gave up.
    #[error("cancelled")]
    Cancelled,
}

/// A result as MCP returns it.
#[derive(Clone, Debug)]
pub struct MemoryReply {
    /// `CallToolResult` as JSON, as it came over the pipe, without what client and server told each other.
    pub result: Json,
    /// It is an error.
    pub is_error: bool,
    /// What kind of failure it is.
    pub failure: Option<FailureKind>,
    /// The record of the call.
    pub exchange: Option<Arc<Exchange>>,
}

/// The client, connected.
#[derive(Debug)]
pub struct Memory {
    engine: Arc<Engine>,
    client: RunningService<RoleClient, ClientConfig>,
}

impl Memory {
    /// Connects to an engine, with the newest protocol.
    ///
    /// # Errors
    /// [`MemoryError::Connection`].
    pub async fn connect(engine: Arc<Engine>, view: View) -> Result<Self, MemoryError> {
        let (near, far) = tokio::io::duplex(PIPE);
        let endpoint = Endpoint { engine: engine.clone(), view, transport: "memory" };
        tokio::spawn(async move {
            if let Ok(server) = endpoint.serve(far).await {
                // Ends with the pipe, which the client holds.
                let _ = server.waiting().await;
            }
        });
        let identity = Implementation::new("toolscope", env!("CARGO_PKG_VERSION"));
        let config = ClientConfig::new(ClientCapabilities::default(), identity);
        let mode = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        };
        let failed = |error: &dyn std::fmt::Display| MemoryError::Connection(error.to_string());
        let client = config.serve_with_lifecycle(near, mode).await.map_err(|error| failed(&error))?;
        // A stale list must never look like a fresh one.
        client.peer().set_response_cache_config(ClientCacheConfig::disabled()).await;
        Ok(Self { engine, client })
    }

    /// All tools, page by page.
    ///
    /// # Errors
    /// [`MemoryError`].
    pub async fn tools(&self) -> Result<Vec<Json>, MemoryError> {
        let tools: Vec<Tool> = self.client.peer().list_all_tools().await.map_err(|error| told(&error))?;
        Ok(tools.iter().map(|tool| serde_json::to_value(tool).unwrap_or_default()).collect())
    }

    /// Calls a tool. `cancel` ends the call on both hops.
    ///
    /// # Errors
    /// [`MemoryError`]. What goes wrong beyond the proxy is a result.
    pub async fn call(
        &self,
        name: &str,
        arguments: Map<String, Json>,
        options: CallOptions,
        cancel: &CancellationToken,
    ) -> Result<MemoryReply, MemoryError> {
        let mut params = CallToolRequestParams::new(name.to_owned());
        params.arguments = Some(arguments);
        let mut meta = RequestMetaObject::new();
        let timeout = options.timeout.map(|it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX));
        meta.0.0.insert(
            META.to_owned(),
            json!({"validate": options.validate, "response": options.response, "timeout_ms": timeout}),
        );
        let mut request = PeerRequestOptions::no_options().with_meta(meta);
        // The proxy ends a call in its own time; this only catches a proxy that does not.
        request.timeout = options.timeout.map(|timeout| timeout + GRACE);
        let request_message = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = self.client.peer().send_cancellable_request(request_message, request).await;
        let handle = sent.map_err(|error| told(&error))?;
        let id = handle.id.clone();
        let answer = tokio::select! {
            answer = handle.await_response() => answer.map_err(|error| told(&error))?,
            () = cancel.cancelled() => {
                let params = rmcp::model::CancelledNotificationParam::new(Some(id), Some("cancelled".to_owned()));
                // A connection that is gone has nothing left to cancel.
                let _ = self.client.peer().notify_cancelled(params).await;
                return Err(MemoryError::Cancelled);
            }
        };
        match answer {
            ServerResult::CallToolResult(result) => Ok(self.reply(serde_json::to_value(&result).unwrap_or_default())),
            other => Err(MemoryError::Refused(format!("an answer of another kind: {other:?}"))),
        }
    }

    fn reply(&self, mut result: Json) -> MemoryReply {
        let mut meta = Json::Null;
        if let Some(map) = result.as_object_mut() {
            map.shift_remove("resultType");
            if let Some(all) = map.get_mut("_meta").and_then(Json::as_object_mut) {
                meta = all.shift_remove(META).unwrap_or_default();
            }
            if map.get("_meta").and_then(Json::as_object).is_some_and(Map::is_empty) {
                map.shift_remove("_meta");
            }
        }
        MemoryReply {
            is_error: result.get("isError").and_then(Json::as_bool).unwrap_or(false),
            failure: meta.get("failure").and_then(Json::as_str).and_then(FailureKind::of_word),
            exchange: meta.get("exchange").and_then(Json::as_u64).and_then(|id| self.engine.tap().get(id)),
            result,
        }
    }

    /// The engine that it calls.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Ends the connection.
    pub async fn close(self) {
        // A task that panicked has ended as well.
        let _ = self.client.cancel().await;
    }
}

fn told(error: &ServiceError) -> MemoryError {
    match error {
        ServiceError::McpError(refused) => MemoryError::Refused(refused.message.to_string()),
        other => MemoryError::Connection(other.to_string()),
    }
}
