//! Before anything is sent: is there an address, and has every reference a value?

use std::path::Path;
use std::sync::Arc;

use secrecy::ExposeSecret as _;
use url::Url;

use super::{Patient, Step, StepName, probe};
use crate::derive::Tool;
use crate::proxy::{asked, configured};
use crate::workspace::config::OutboundAuth;
use crate::workspace::{Env as _, ProcessEnv, SecretRef};

/// Where requests go.
pub(super) fn configuration(patient: &Patient<'_>) -> (Step, Option<Url>) {
    let settings = patient.client.settings();
    let failed = |seen: String, remedy: &str| (Step::failed(StepName::Configuration, seen, remedy), None);
    let address = match Url::parse(&settings.base_url) {
        Ok(url) => Some(url),
        // A server relative to the document's own address.
        Err(_) => probe::tools(patient).into_iter().find_map(|tool| {
            let request = patient.engine.preview(&tool, &probe::arguments(&tool), false).ok()?;
            Url::parse(&request.url).ok()
        }),
    };
    let give = "Give it with --base-url, or as `base_url` of the upstream.";
    let Some(address) = address else {
        let seen = match settings.base_url.as_str() {
            "" => "there is no base URL: the document names no server".to_owned(),
            url => format!("`{url}` is no whole URL, and where the document came from is none either"),
        };
        return failed(seen, give);
    };
    if !matches!(address.scheme(), "http" | "https") || address.host().is_none() {
        return failed(format!("`{}` is not reached by HTTP", settings.base_url), give);
    }
    let tls = &settings.tls;
    for (key, path) in
        [("ca_file", &tls.ca_file), ("client_certificate", &tls.client_certificate), ("client_key", &tls.client_key)]
    {
        let unreadable = path.as_deref().and_then(|path| ProcessEnv.file(path).err().map(|error| (path, error)));
        if let Some((path, error)) = unreadable {
            let seen = format!("`connection.{key}`: {} cannot be read: {error}", shown(path));
            return failed(
                seen,
                "Name a PEM file that is there; paths are taken from the folder of the workspace file.",
            );
        }
    }
    (Step::ok(StepName::Configuration, format!("base URL {}", settings.base_url)), Some(address))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Has every secret a value, and does the API ask for one that is not configured?
pub(super) fn secrets(patient: &Patient<'_>) -> Step {
    if patient.is_mock {
        return Step::skipped(StepName::Secrets, "a mock asks for none");
    }
    let settings = patient.client.settings();
    let mut references: Vec<(&str, &SecretRef)> =
        settings.headers.iter().map(|(name, value)| (name.as_str(), value)).collect();
    match &settings.auth {
        OutboundAuth::None => {}
        OutboundAuth::Bearer(token) => references.push(("the bearer token", token)),
        OutboundAuth::ApiKey { header, value, .. } => references.push((header, value)),
        OutboundAuth::Basic { username, password } => {
            references.extend([("the user name", username), ("the password", password)]);
        }
        OutboundAuth::ClientCredentials { client_id, client_secret, .. } => {
            references.extend([("client_id", client_id), ("client_secret", client_secret)]);
        }
    }
    for (what, reference) in &references {
        let why = match reference.resolve(&ProcessEnv) {
            Err(error) => error.to_string(),
            Ok(value) if value.expose_secret().trim().is_empty() => "it is empty".to_owned(),
            Ok(_) => continue,
        };
        let seen = format!("{what} ({reference}) has no value: {why}");
        return Step::failed(
            StepName::Secrets,
            seen,
            "Set the variable, or write the file, before the program starts.",
        );
    }
    let configured = configured(settings);
    let asked = asked_by_most(patient);
    if configured == "nothing" && !asked.is_empty() {
        let seen = format!("nothing is configured, and the document asks for {}", asked.join(" or "));
        let remedy = "Say how calls prove who they are, under `outbound_auth` of the upstream.";
        return Step::warning(StepName::Secrets, seen, remedy);
    }
    match references.len() {
        0 => Step::ok(StepName::Secrets, "none are needed"),
        _ => Step::ok(StepName::Secrets, format!("all have a value: {configured}")),
    }
}

/// What the operations of the upstream ask for, by the first that asks for anything.
fn asked_by_most(patient: &Patient<'_>) -> Vec<String> {
    let served = patient.engine.served();
    let Some(upstream) = served.catalog.upstreams.get(patient.at) else { return Vec::new() };
    let root = &upstream.documents.main.root;
    let own = served.catalog.tools.iter().filter(|tool| tool.upstream == patient.at);
    let of = |tool: &Arc<Tool>| asked(root, &tool.operation.node);
    own.map(of).find(|asked| !asked.is_empty()).unwrap_or_default()
}
