//! `serve`: the tools as an MCP server.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio_util::sync::CancellationToken;

use super::args::ServeArgs;
use super::call::unusable;
use super::failure::{Failure, exit};
use super::output::say;
use super::{current_folder, load, own_mock, signals};
use crate::proxy::serve::{
    HttpOptions, HttpServer, LeftOut, ReloadEvent, Reloader, ServeError, client_configs, own_command, stdio,
};
use crate::proxy::{Conflicts, Engine, Overrides, View, asked, configured};
use crate::wire::Redactor;
use crate::workspace::{ProcessEnv, SecretRef, Snapshot, Workspace, shown_arguments};

/// Calls that run when the program is told to stop may take as long.
const DRAIN: Duration = Duration::from_secs(10);

/// Serves until a signal, or until the client on standard input has gone.
pub(super) fn run(args: &ServeArgs) -> Result<u8, Failure> {
    let (workspace, snapshot) = load(&args.common)?;
    refuse_conflicts(&snapshot)?;
    let token = token(args, &current_folder()?)?;
    let runtime = signals::runtime()?;
    let ended = runtime.block_on(serve(args, workspace, Arc::new(snapshot), token));
    // A read of standard input cannot be interrupted; it must not keep the program.
    runtime.shutdown_background();
    ended.map(|()| exit::OK)
}

fn refuse_conflicts(snapshot: &Snapshot) -> Result<(), Failure> {
    let conflicts = Conflicts::of(&snapshot.catalog);
    if conflicts.is_empty() {
        return Ok(());
    }
    Err(Failure::Findings {
        message: "names are claimed more than once, so nothing is served".to_owned(),
        lines: conflicts.lines(),
        remedy: "Rename one with x-mcp-tool-name in an overlay, or choose who wins: --set \
                 naming.conflict_resolution=first_wins (or suffix, hash, skip)."
            .to_owned(),
    })
}

fn token(args: &ServeArgs, folder: &Path) -> Result<Option<SecretString>, Failure> {
    let Some(text) = &args.token else { return Ok(None) };
    let reference = SecretRef::parse(text, folder);
    let remedy = "Write a reference: --token env:TOOLSCOPE_TOKEN or --token file:PATH.";
    if reference.is_literal() {
        return Err(Failure::usage("--token takes a reference, since others can read a command line", remedy));
    }
    let token = reference.resolve(&ProcessEnv).map_err(|error| Failure::usage(format!("--token: {error}"), remedy))?;
    if token.expose_secret().trim().is_empty() {
        return Err(Failure::usage("--token: the token is empty", remedy));
    }
    Ok(Some(token))
}

async fn serve(
    args: &ServeArgs,
    workspace: Workspace,
    snapshot: Arc<Snapshot>,
    token: Option<SecretString>,
) -> Result<(), Failure> {
    let is_mocked = own_mock::is_wanted(args.mock, &workspace, args.env.as_ref());
    let mock = own_mock::start(is_mocked, &snapshot).await?.map(Arc::new);
    let overrides = Overrides {
        environment: args.env.clone(),
        mock: mock.as_ref().map(|mock| mock.url()),
        timeout: args.timeout,
        validate: None,
    };
    let engine = Engine::new(&workspace, &snapshot, overrides).map_err(|error| unusable(&error))?;
    warn_of_unverified(&engine);
    let stop = signals::stop();
    let told = |event: ReloadEvent| say(&reloaded(&event));
    let reloader = Reloader::start(workspace.clone(), snapshot.clone(), engine.clone(), mock, told);
    if let Err(error) = &reloader {
        say(&format!("warning: {error}"));
    }
    if args.stdio {
        over_stdio(args, engine, stop).await
    } else {
        let config = workspace.config_path.as_deref();
        over_http(args, engine, &snapshot, config, token, stop).await
    }
}

/// Certificates that nobody looks at are no secret matter.
pub(super) fn warn_of_unverified(engine: &Engine) {
    for upstream in engine.served().upstreams().iter().filter(|upstream| upstream.settings().tls.skip_verify) {
        let name = &upstream.settings().name;
        say(&format!(
            "warning: certificates of `{name}` are NOT verified (tls_skip_verify): whoever is in between can read and \
             change every call, credentials too"
        ));
    }
}

fn reloaded(event: &ReloadEvent) -> String {
    match event {
        ReloadEvent::Reloaded { tools, changed: true } => format!("Reloaded: {tools} tools; clients were told."),
        ReloadEvent::Reloaded { tools, changed: false } => format!("Reloaded: {tools} tools, none of them changed."),
        ReloadEvent::Kept { why } => format!("Not reloaded; the tools from before are still served.\n{why}"),
    }
}

async fn over_stdio(args: &ServeArgs, engine: Arc<Engine>, stop: CancellationToken) -> Result<(), Failure> {
    let view = View { read_only: args.read_only, ..View::default() };
    let end = CancellationToken::new();
    let serving = stdio(engine.clone(), view, end.clone());
    tokio::pin!(serving);
    let ended = tokio::select! {
        ended = &mut serving => ended,
        () = stop.cancelled() => {
            tokio::select! {
                ended = &mut serving => ended,
                _ = drained(&engine) => {
                    end.cancel();
                    serving.await
                }
            }
        }
    };
    ended.map_err(|error| Failure::Internal(error.to_string()))
}

/// Waits for the calls that run, and a moment for their results to be written.
async fn drained(engine: &Engine) -> bool {
    let running = engine.active();
    let done = engine.drain(DRAIN).await;
    if !done {
        say(&format!("{} calls did not end and are given up.", engine.active()));
    } else if running > 0 {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    done
}

async fn over_http(
    args: &ServeArgs,
    engine: Arc<Engine>,
    snapshot: &Snapshot,
    config: Option<&Path>,
    token: Option<SecretString>,
    stop: CancellationToken,
) -> Result<(), Failure> {
    let command = stdio_command(config);
    let needs_token = token.is_some();
    let options = HttpOptions {
        address: args.http,
        token,
        allowed_origins: args.allow_origin.clone(),
        read_only: args.read_only,
    };
    let server = HttpServer::start(engine.clone(), options).await.map_err(|error| cannot_serve(&error))?;
    announce(args, &engine, snapshot, &server);
    if let Some((name, url)) = server.endpoints().first() {
        for config in client_configs(name, url, &command, needs_token) {
            say(&format!("\n{} ({}):\n{}", config.client, config.place, config.text));
        }
    }
    stop.cancelled().await;
    drained(&engine).await;
    server.stop().await;
    Ok(())
}

fn cannot_serve(error: &ServeError) -> Failure {
    let remedy = match error {
        ServeError::Open { .. } => "Give a token with --token env:NAME, or listen on 127.0.0.1.",
        ServeError::Endpoint { .. } => "Give each group of the workspace file its own `endpoint`.",
        ServeError::Bind { .. } | ServeError::Session(_) => {
            "Give another address with --http; port 0 takes a free one."
        }
    };
    Failure::usage(error.to_string(), remedy)
}

/// URLs with their tools, and what the APIs ask for beside what is configured.
fn announce(args: &ServeArgs, engine: &Engine, snapshot: &Snapshot, server: &HttpServer) {
    let served = engine.served();
    for (name, url) in server.endpoints() {
        let group = Some(name.clone()).filter(|_| !served.groups.is_empty());
        let view = View { group, read_only: args.read_only, public_only: false };
        say(&format!("{url}  {} tools", served.tools(&view).count()));
    }
    for (client, upstream) in served.upstreams().iter().zip(&snapshot.catalog.upstreams) {
        let settings = client.settings();
        let base = if settings.base_url.is_empty() {
            "no base URL".to_owned()
        } else {
            Redactor::default().url(&settings.base_url)
        };
        say(&format!("{}: {base}; credentials: {}", settings.name, configured(settings)));
        let root = &upstream.documents.main.root;
        // The document stands for an operation that asks for nothing of its own.
        let asked = asked(root, root);
        if !asked.is_empty() {
            say(&format!("    the document asks for {}", asked.join(", or ")));
        }
    }
}

/// How a client would start this program: the same arguments, over standard input and output, secrets masked.
fn stdio_command(config: Option<&Path>) -> Vec<String> {
    // What only concerns HTTP is left out.
    let left_out = LeftOut { flags: &[], options: &["--http", "--token", "--allow-origin"] };
    let mut command = own_command(&left_out);
    if let Some(config) = config.filter(|_| !command.iter().any(|argument| argument.starts_with("--config"))) {
        command.extend(["--config".to_owned(), config.display().to_string()]);
    }
    command.push("--stdio".to_owned());
    shown_arguments(command)
}
