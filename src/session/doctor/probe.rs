//! What the server says: to a request without credentials, and to a tool that changes nothing.

use std::sync::Arc;

use serde_json::{Map, Value};
use url::Url;

use super::network::is_direct;
use super::{Patient, Step, StepName};
use crate::derive::Tool;
use crate::document::Node;
use crate::proxy::{
    CallOptions, Caller, Exchange, FailureKind, SendFailure, Stage, UpstreamClient, UpstreamSettings, View, configured,
};
use crate::wire::{Extent, HttpRequest, Redactor, synthesize, to_value};
use crate::workspace::ProcessEnv;
use crate::workspace::config::OutboundAuth;

/// The connection made secure, and an answer of any status, without any credential.
pub(super) async fn http(patient: &Patient<'_>, address: &Url) -> Vec<Step> {
    let settings = patient.client.settings();
    let bare = UpstreamSettings { auth: OutboundAuth::None, headers: Vec::new(), retries: 0, ..settings.clone() };
    let client = UpstreamClient::new(bare, Redactor::default(), Arc::new(ProcessEnv));
    let request = HttpRequest { method: "GET".into(), url: address.to_string(), ..HttpRequest::default() };
    let sent = client.send(request, patient.limit, Redactor::default()).await;
    let secure = address.scheme() == "https";
    let tls =
        |seen: &str| if secure { Step::ok(StepName::Tls, seen) } else { Step::skipped(StepName::Tls, "plain http") };
    match sent.outcome {
        Ok(response) => {
            let version = sent.hops.last().map(|hop| hop.version.clone()).unwrap_or_default();
            let seen = format!("{version} {} to GET {address} without credentials", response.status);
            vec![tls("the certificate is trusted"), Step::ok(StepName::Http, seen)]
        }
        Err(failure) => {
            // That it takes connections was seen before, so what did not end is the handshake.
            let in_handshake = secure
                && match failure.stage {
                    Some(Stage::Tls) => true,
                    Some(Stage::Connect) => is_direct(patient, address),
                    _ => false,
                };
            unanswered(&failure, in_handshake, &tls("the connection is secure"))
        }
    }
}

fn unanswered(failure: &SendFailure, in_handshake: bool, tls: &Step) -> Vec<Step> {
    let message = failure.message.clone();
    match failure.stage {
        _ if in_handshake => {
            let remedy = "Name the authority's certificate as `connection.ca_file`, or mend the server's.";
            vec![Step::failed(StepName::Tls, message, remedy)]
        }
        Some(Stage::Resolve) => {
            vec![Step::failed(StepName::Resolve, message, "Check the base URL and the proxy of the system.")]
        }
        Some(Stage::Connect) => {
            vec![Step::failed(StepName::Connect, message, "Check the base URL and `connection.proxy`.")]
        }
        _ => {
            let remedy = "Check that the base URL is that of an HTTP server, and its scheme (http or https).";
            vec![tls.clone(), Step::failed(StepName::Http, message, remedy)]
        }
    }
}

/// The tools of the upstream that change nothing, those that need the least first.
pub(super) fn tools(patient: &Patient<'_>) -> Vec<Arc<Tool>> {
    let served = patient.engine.served();
    let own = served.catalog.tools.iter().filter(|tool| tool.upstream == patient.at);
    let mut safe: Vec<Arc<Tool>> = own.filter(|tool| tool.operation.annotations.read_only_hint).cloned().collect();
    safe.retain(|tool| tool.conflict.is_none());
    let cost = |tool: &Arc<Tool>| {
        let needed = tool.operation.binding.iter().filter(|row| row.required).count();
        let is_odd =
            tool.operation.node.get("deprecated").and_then(Node::as_bool) == Some(true) || tool.operation.degraded;
        (tool.operation.path.matches('{').count(), needed, is_odd, tool.operation.path.len())
    };
    safe.sort_by_key(cost);
    safe
}

/// Arguments for a tool: what it needs and no more.
pub(super) fn arguments(tool: &Tool) -> Node {
    let made = synthesize(tool, Extent::Required).into_iter().next();
    made.map_or_else(|| Node::map(Vec::new(), tool.operation.input_schema.origin), |made| made.value)
}

/// The first tool that can be called: whether its credentials are taken, and what it gives.
pub(super) async fn call(patient: &Patient<'_>) -> Vec<Step> {
    let configured = configured(patient.client.settings());
    let Some(tool) = tools(patient).into_iter().next() else {
        let seen = "no tool changes nothing, so none was called";
        let why = format!("not tried; configured: {configured}");
        return vec![Step::skipped(StepName::Auth, why), Step::skipped(StepName::Call, seen)];
    };
    let name = tool.named.name.clone();
    let given = match to_value(&arguments(&tool)) {
        Value::Object(map) => map,
        _ => Map::new(),
    };
    let is_made_up = !given.is_empty();
    let options = CallOptions { validate: Some(false), timeout: Some(patient.limit), response: None };
    let caller = Caller { name: "doctor".to_owned() };
    let reply = patient.engine.call(&View::default(), &name, Some(given), options, &caller).await;
    let Ok(reply) = reply else {
        return vec![Step::skipped(StepName::Call, format!("`{name}` is not served"))];
    };
    let exchange = patient.engine.tap().get(reply.exchange);
    let status = exchange.as_deref().and_then(Exchange::last_hop).and_then(|hop| hop.status);
    let said = match status {
        Some(status) => format!("HTTP {status} to `{name}` ({} {})", tool.operation.method, tool.operation.path),
        None => format!("`{name}` got no answer: {}", first_text(&reply.result.content)),
    };
    match (reply.failure, status) {
        (Some(FailureKind::Authentication), _) | (_, Some(401 | 403)) => {
            let remedy = match configured.as_str() {
                "nothing" => "Say how calls prove who they are, under `outbound_auth` of the upstream.",
                _ => "Check that the credential is that of this API and environment, and has the right to read.",
            };
            vec![Step::failed(StepName::Auth, format!("{said}; configured: {configured}"), remedy)]
        }
        (Some(FailureKind::Unreachable | FailureKind::TimedOut), _) => {
            vec![Step::failed(
                StepName::Http,
                said,
                "It answered before; try again, or give it more time with --timeout.",
            )]
        }
        _ => vec![
            Step::ok(StepName::Auth, accepted(&configured)),
            called(said, status, reply.result.is_error, is_made_up),
        ],
    }
}

fn accepted(configured: &str) -> String {
    if configured == "nothing" { "none was asked for".to_owned() } else { format!("taken: {configured}") }
}

fn called(said: String, status: Option<u16>, is_error: bool, is_made_up: bool) -> Step {
    match status {
        _ if !is_error => Step::ok(StepName::Call, said),
        Some(400..=499) if is_made_up => {
            let remedy = "Its arguments were made up; call it with real ones: `toolscope call`.";
            Step::warning(StepName::Call, said, remedy)
        }
        Some(404) => Step::failed(StepName::Call, said, "Check the path in the base URL, such as a missing /v1."),
        _ => Step::failed(StepName::Call, said, "`toolscope call` with the tool shows the whole answer."),
    }
}

fn first_text(content: &[crate::wire::Content]) -> String {
    let text = content.iter().find_map(|content| match content {
        crate::wire::Content::Text { text } => Some(text.clone()),
        _ => None,
    });
    text.unwrap_or_default()
}
