//! `call`: one call through the embedded proxy.

use std::io::{IsTerminal, Write};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json, json};

use super::args::{CallArgs, Format};
use super::failure::{Failure, exit};
use super::output::{Output, Role, harmless, say};
use super::{arguments, current_folder, find, load, own_mock, signals};
use crate::derive::Tool;
use crate::proxy::{
    CallOptions, Engine, Exchange, FailureKind, Memory, MemoryError, MemoryReply, Mock, Overrides, SettingsError, View,
    from_json, units,
};
use crate::wire::{self, HttpRequest, Redactor};
use crate::workspace::{Snapshot, Workspace};

/// Calls the tool, or shows what would be sent.
pub(super) fn run(args: &CallArgs) -> Result<u8, Failure> {
    let (workspace, snapshot) = load(&args.common)?;
    let tool = find::tool(&snapshot.catalog, &args.tool)?.clone();
    callable(&snapshot, &tool)?;
    let schema = &tool.operation.input_schema;
    let given = arguments::read(args.args.as_deref(), &args.arg, schema, &current_folder()?)?;
    if args.dry_run {
        return dry_run(args, &workspace, &snapshot, &tool, given);
    }
    signals::runtime()?.block_on(call(args, &workspace, &snapshot, &tool, given))
}

/// Only what is exposed can be called, and only under a name that is its own.
fn callable(snapshot: &Snapshot, tool: &Arc<Tool>) -> Result<(), Failure> {
    let name = &tool.named.name;
    if let Some(hidden) = &tool.hidden {
        let message = format!("`{name}` is not exposed, so it cannot be called: {}", hidden.why);
        return Err(Failure::usage(message, "Change what hides it; `toolscope explain` says where that is."));
    }
    match snapshot.catalog.find(name) {
        Some(first) if !Arc::ptr_eq(first, tool) => {
            let operation = &first.operation;
            let message =
                format!("the name `{name}` leads to {} {}, which has it too", operation.method, operation.path);
            Err(Failure::usage(message, "Give one of them another name, or set naming.conflict_resolution=suffix."))
        }
        _ => Ok(()),
    }
}

pub(super) fn unusable(error: &SettingsError) -> Failure {
    Failure::usage(error.to_string(), "Mend it in the workspace file, or leave the option out.")
}

fn overrides(args: &CallArgs, mock: Option<String>) -> Overrides {
    let validate = args.no_validate.then_some(false);
    Overrides { environment: args.env.clone(), mock, timeout: args.timeout, validate }
}

fn dry_run(
    args: &CallArgs,
    workspace: &Workspace,
    snapshot: &Snapshot,
    tool: &Arc<Tool>,
    given: Map<String, Json>,
) -> Result<u8, Failure> {
    let engine = Engine::new(workspace, snapshot, overrides(args, None)).map_err(|error| unusable(&error))?;
    let request = engine.preview(tool, &from_json(Json::Object(given)), !args.no_validate).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
        let message = format!("the arguments do not fit\n{}", lines.join("\n"));
        Failure::usage(message, format!("`toolscope explain {}` shows what it takes.", tool.named.name))
    })?;
    let mut output = Output::stdout(args.common.color);
    match args.format {
        Format::Json => {
            let shown = json!({
                "method": &*request.method,
                "url": request.url,
                "headers": request.headers,
                "body": body(request.body.as_ref().map(|body| (body.media_type.as_str(), body.bytes.as_slice()))),
            });
            output.line(&serde_json::to_string_pretty(&shown)?)?;
        }
        Format::Human => human_request(&mut output, &request)?,
    }
    output.finish()?;
    Ok(exit::OK)
}

fn human_request(output: &mut Output, request: &HttpRequest) -> std::io::Result<()> {
    let line = output.paint(Role::Strong, &format!("{} {}", request.method, request.url));
    output.line(&line)?;
    for (name, value) in &request.headers {
        let line = format!("{}: {}", output.paint(Role::Faint, name), harmless(value));
        output.line(&line)?;
    }
    if let Some(body) = &request.body {
        output.line("")?;
        match body.text() {
            Some(text) => text.lines().try_for_each(|line| output.line(&harmless(line)))?,
            None => output.line(&format!("{} bytes of {}", body.bytes.len(), body.media_type))?,
        }
    }
    output.line("")?;
    output.line(&wire::curl(request, &Redactor::default()))
}

fn body(body: Option<(&str, &[u8])>) -> Json {
    match body {
        None => Json::Null,
        Some((media_type, bytes)) => match std::str::from_utf8(bytes) {
            Ok(text) => json!({"media_type": media_type, "text": text}),
            Err(_) => json!({"media_type": media_type, "base64": STANDARD.encode(bytes)}),
        },
    }
}

async fn call(
    args: &CallArgs,
    workspace: &Workspace,
    snapshot: &Snapshot,
    tool: &Arc<Tool>,
    given: Map<String, Json>,
) -> Result<u8, Failure> {
    let is_mocked = own_mock::is_wanted(args.mock, workspace, args.env.as_ref());
    let mock = own_mock::start(is_mocked, snapshot).await?;
    let overrides = overrides(args, mock.as_ref().map(Mock::url));
    let engine = Engine::new(workspace, snapshot, overrides).map_err(|error| unusable(&error))?;
    super::serve::warn_of_unverified(&engine);
    let broken = |error: MemoryError| Failure::Internal(error.to_string());
    let client = Memory::connect(engine, View::default()).await.map_err(broken)?;
    let options = CallOptions { validate: args.no_validate.then_some(false), response: None, timeout: args.timeout };
    let stop = signals::stop();
    let reply = match client.call(&tool.named.name, given, options, &stop).await {
        Ok(reply) => reply,
        Err(MemoryError::Cancelled) => {
            say("cancelled");
            return Ok(exit::INTERRUPTED);
        }
        Err(error) => return Err(broken(error)),
    };
    client.close().await;
    show(args, &reply)?;
    Ok(match (reply.failure, reply.is_error) {
        (Some(FailureKind::Authentication), _) => exit::AUTHENTICATION,
        (Some(FailureKind::Unreachable | FailureKind::TimedOut), _) => exit::UNREACHABLE,
        (_, true) => exit::TOOL,
        (_, false) => exit::OK,
    })
}

fn show(args: &CallArgs, reply: &MemoryReply) -> Result<(), Failure> {
    let mut output = Output::stdout(args.common.color);
    match args.format {
        Format::Json => {
            let mut result = reply.result.clone();
            if let Some(map) = result.as_object_mut() {
                map.insert("exchange".to_owned(), reply.exchange.as_deref().map_or(Json::Null, exchange));
            }
            output.line(&serde_json::to_string_pretty(&result)?)?;
        }
        Format::Human => {
            for content in reply.result.get("content").and_then(Json::as_array).into_iter().flatten() {
                write_content(&mut output, content)?;
            }
        }
    }
    output.finish()?;
    if args.format == Format::Human
        && let Some(exchange) = reply.exchange.as_deref()
    {
        say(&summary(exchange));
    }
    Ok(())
}

fn exchange(exchange: &Exchange) -> Json {
    let hop = exchange.last_hop();
    let request = hop.map(|hop| {
        let sent = &hop.request_body;
        json!({
            "method": hop.method,
            "url": hop.url,
            "headers": hop.request_headers,
            "body": body((sent.size > 0).then_some((sent.media_type.as_str(), sent.bytes.as_slice()))),
        })
    });
    let milliseconds = (exchange.elapsed.as_secs_f64() * 1000.0 * 1000.0).round() / 1000.0;
    json!({
        "request": request,
        "status": hop.and_then(|hop| hop.status),
        "headers": hop.map(|hop| &hop.response_headers),
        "elapsed_ms": milliseconds,
        "bytes": hop.map_or(0, |hop| hop.response_body.size),
    })
}

fn write_content(output: &mut Output, content: &Json) -> Result<(), Failure> {
    let text = |key: &str| content.get(key).and_then(Json::as_str).unwrap_or_default();
    match text("type") {
        "text" => {
            let text = text("text");
            let pretty = serde_json::from_str::<Json>(text).ok().filter(|value| value.is_object() || value.is_array());
            let pretty = pretty.and_then(|value| serde_json::to_string_pretty(&value).ok());
            let shown = pretty.as_deref().unwrap_or(text);
            // A terminal must not obey what an API answers; a file gets every byte.
            if std::io::stdout().is_terminal() {
                shown.lines().try_for_each(|line| output.line(&harmless(line)))?;
            } else {
                writeln!(output.writer(), "{}", shown.strip_suffix('\n').unwrap_or(shown))?;
            }
        }
        kind @ ("image" | "audio") => {
            let size = text("data").len() / 4 * 3;
            output.line(&format!("{kind}: {}, about {size} bytes; --format json has them", text("mimeType")))?;
        }
        kind => output.line(&format!("{kind}; --format json has it"))?,
    }
    Ok(())
}

/// One line about both hops, and what does not fit.
fn summary(exchange: &Exchange) -> String {
    let elapsed = units::shown(exchange.elapsed);
    let Some(hop) = exchange.last_hop() else { return format!("nothing was sent, {elapsed}") };
    let status = hop.status.map_or("no answer".to_owned(), |status| format!("HTTP {status}"));
    let mut text = format!("{} {}: {status}, {} bytes, {elapsed}", hop.method, hop.url, hop.response_body.size);
    if let Some(drift) = &exchange.drift {
        text.push_str("\nThe response differs from what the document promises:");
        for problem in drift.problems.iter().take(10) {
            text.push_str(&format!("\n- {problem}"));
        }
    }
    text
}
