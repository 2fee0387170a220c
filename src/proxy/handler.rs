//! The MCP server: lists and calls of one view of the engine, for every transport.

use std::sync::Arc;
use std::time::Duration;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam, ContentBlock, DiscoverResult,
    ErrorData, Implementation, InitializeRequestParams, InitializeResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, RoleServer, SubscriptionContext};
use serde_json::{Value as Json, json};

use super::convert;
use super::engine::{CallOptions, Caller, Engine, Reply};
use super::messages::Message;
use super::served::View;

/// Tools on a page of `tools/list`.
const PAGE: usize = 100;
/// A call that takes longer tells how far it is, as often.
const PROGRESS: Duration = Duration::from_secs(1);
/// How often a session that has nothing to say looks whether its client is still there.
const STILL_THERE: Duration = Duration::from_secs(60);
/// What clients are told when the lists are others.
const CHANGED: &str = "notifications/tools/list_changed";
/// The key of `_meta` under which a client within the process and its server talk.
pub(super) const META: &str = "dev.toolscope/call";

/// A request without the proxy's token: it sees what needs none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anonymous;

/// One endpoint.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    pub(super) engine: Arc<Engine>,
    pub(super) view: View,
    /// How its clients come: `memory`, `http` or `stdio`.
    pub(super) transport: &'static str,
}

impl Endpoint {
    /// What the client of a request may see.
    fn view(&self, context: &RequestContext<RoleServer>) -> View {
        let parts = context.extensions.get::<axum::http::request::Parts>();
        let anonymous = parts.is_some_and(|parts| parts.extensions.get::<Anonymous>().is_some());
        View { public_only: self.view.public_only || anonymous, ..self.view.clone() }
    }

    fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        Caller { name: self.named(context.client_info().as_ref()) }
    }

    fn named(&self, client: Option<&Implementation>) -> String {
        match client {
            Some(client) => format!("{} {} ({})", client.name, client.version, self.transport),
            None => self.transport.to_owned(),
        }
    }

    /// The client of a session.
    fn peer(&self, peer: &Peer<RoleServer>) -> String {
        self.named(peer.peer_info().map(|info| info.client_info.clone()).as_ref())
    }

    fn page(&self, view: &View, cursor: Option<&str>) -> Result<ListToolsResult, ErrorData> {
        let served = self.engine.served();
        if let Some(cursor) = cursor.filter(|cursor| served.find(cursor).is_none()) {
            let message = format!("the cursor `{cursor}` is not known (any more); list from the start");
            return Err(ErrorData::invalid_params(message, None));
        }
        // The cursor is the last name sent, so that no list has to be remembered.
        let mut rest = served.tools_after(view, cursor);
        let page: Vec<Tool> = rest.by_ref().take(PAGE).map(|entry| entry.listed().clone()).collect();
        let next = rest.next().and_then(|_| page.last()).map(|last| last.name.to_string());
        let mut result = ListToolsResult::with_all_items(page).with_ttl_ms(0);
        result.next_cursor = next;
        Ok(result)
    }

    /// What a client within the process asks for; others cannot.
    fn options(&self, context: &RequestContext<RoleServer>) -> CallOptions {
        let Some(asked) = context.meta.0.0.get(META).filter(|_| self.transport == "memory") else {
            return CallOptions::default();
        };
        CallOptions {
            validate: asked.get("validate").and_then(Json::as_bool),
            response: asked.get("response").and_then(Json::as_bool),
            timeout: asked.get("timeout_ms").and_then(Json::as_u64).map(Duration::from_millis),
        }
    }

    /// Tells a client that waits how long it has been waiting.
    async fn progress(&self, context: &RequestContext<RoleServer>, caller: &str) -> std::convert::Infallible {
        let Some(token) = context.meta.get_progress_token() else { return std::future::pending().await };
        let mut seconds = 0.0;
        loop {
            tokio::time::sleep(PROGRESS).await;
            seconds += PROGRESS.as_secs_f64();
            let told = ProgressNotificationParam::new(token.clone(), seconds)
                .with_message(format!("waiting for the API, {seconds} s"));
            Message::told(self.engine.tap(), "notifications/progress", caller.to_owned(), &told);
            if context.peer.notify_progress(told).await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    fn answer(&self, reply: &Reply) -> CallToolResult {
        let mut result = convert::result(&reply.result);
        if self.transport == "memory" {
            let failure = reply.failure.map(super::upstream::FailureKind::word);
            let mut meta = MetaObject::new();
            meta.0.insert(META.to_owned(), json!({"exchange": reply.exchange, "failure": failure}));
            result.meta = Some(meta);
        }
        result
    }
}

impl ServerHandler for Endpoint {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("toolscope", env!("CARGO_PKG_VERSION")))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.engine.served().tool(&self.view, name).map(|entry| entry.listed().clone())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let tap = self.engine.tap();
        let message = Message::heard(tap, "initialize", self.named(Some(&request.client_info)), &request);
        context.peer.set_peer_info(request.clone());
        let answer = self.negotiate_initialize(&request);
        message.answered(tap, &answer);
        answer
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let tap = self.engine.tap();
        let message = Message::heard(tap, "server/discover", self.caller(&context).name, &Json::Null);
        let versions = self.supported_protocol_versions().into_owned();
        let answer = Ok(DiscoverResult::from_server_info(versions, self.get_info()));
        message.answered(tap, &answer);
        answer
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tap = self.engine.tap();
        let message = Message::heard(tap, "tools/list", self.caller(&context).name, &request);
        let cursor = request.and_then(|request| request.cursor);
        let answer = self.page(&self.view(&context), cursor.as_deref());
        message.answered(tap, &answer);
        answer
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (view, caller, options) = (self.view(&context), self.caller(&context), self.options(&context));
        let call = self.engine.call(&view, &request.name, request.arguments, options, &caller);
        tokio::select! {
            reply = call => match reply {
                Ok(reply) => Ok(self.answer(&reply).into()),
                Err(unknown) => Err(ErrorData::invalid_params(unknown.to_string(), None)),
            },
            () = context.ct.cancelled() => {
                Ok(CallToolResult::error(vec![ContentBlock::text("The call was cancelled.")]).into())
            }
            never = self.progress(&context, &caller.name) => match never {},
        }
    }

    fn accepted_subscription_filter(&self, asked: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(asked.clone())
    }

    /// Protocol 2026-07-28: the client keeps a stream open for what changes.
    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let tap = self.engine.tap();
        Message::notified(tap, "subscriptions/listen", self.transport.to_owned(), &Json::Null);
        let mut changes = self.engine.changes();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = changes.changed() => {
                    if changed.is_err() || context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                    Message::told(tap, CHANGED, self.transport.to_owned(), &Json::Null);
                }
            }
        }
    }

    async fn on_cancelled(&self, notification: CancelledNotificationParam, context: NotificationContext<RoleServer>) {
        Message::notified(self.engine.tap(), "notifications/cancelled", self.peer(&context.peer), &notification);
    }

    /// Protocols up to 2025-11-25: the session is told.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let (peer, mut changes) = (context.peer.clone(), self.engine.changes());
        let (tap, caller) = (self.engine.tap().clone(), self.peer(&peer));
        Message::notified(&tap, "notifications/initialized", caller.clone(), &Json::Null);
        tokio::spawn(async move {
            while !peer.is_transport_closed() {
                match tokio::time::timeout(STILL_THERE, changes.changed()).await {
                    Ok(Ok(())) if peer.notify_tool_list_changed().await.is_ok() => {
                        Message::told(&tap, CHANGED, caller.clone(), &Json::Null);
                    }
                    Err(_) => {}
                    _ => break,
                }
            }
        });
    }
}
