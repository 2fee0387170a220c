//! From the tree of a workspace file to [`Config`].

use std::path::Path;

use super::read_checks::{check_groups, check_upstreams};
use super::read_lint::{lint, targets};
use super::section::{Notes, Section, place, wrong_type};
use super::{
    Config, Connection, DescriptionSource, Environment, Group, KeyPlace, NamingSettings, OutboundAuth, SourceConfig,
    SourceText, UpstreamConfig, Validation,
};
use crate::derive::ArgumentNames;
use crate::document::{Finding, Node, Pointer, is_secret_header};
use crate::naming::CollisionPolicy;
use crate::workspace::secret::SecretRef;

pub(super) fn config(root: &Node, folder: &Path) -> Config {
    let notes = Notes::new(folder);
    let section = Section::new(Some(root), Pointer::default(), &notes);
    let (suites, inline_suites) = suites(&section, &notes);
    let mut config = Config {
        naming: naming(section.section("naming")),
        profile: section.text("profile").map(str::to_owned),
        upstreams: section
            .sections("upstreams")
            .into_iter()
            .enumerate()
            .map(|(at, s)| upstream(s, at, &notes))
            .collect(),
        overlays: source_list(&section, "overlays", &notes),
        groups: section.sections("groups").into_iter().map(group).collect(),
        targets: targets(&section, &notes),
        chooses_targets: section.value("targets").is_some(),
        lint: lint(section.section("lint"), &notes),
        environments: environments(&section, &notes),
        suites,
        inline_suites,
        ref_root: section.text("ref_root").map(str::to_owned),
        ref_hosts: owned(section.texts("ref_hosts")),
        findings: Vec::new(),
    };
    section.not_used(&[
        "server",
        "telemetry",
        "inbound_auth",
        "runtime",
        "token_counting",
        "rate_limits",
        "rate_limit_store",
        "tool_search",
        "cache",
        "caches",
        "cache_store",
        "session_store",
    ]);
    section.finish();
    check_upstreams(&config.upstreams, &notes);
    check_groups(&config, &notes);
    config.findings = notes.into_findings();
    config
}

/// Files with suites, and suites that stand in the workspace file.
fn suites(section: &Section<'_>, notes: &Notes<'_>) -> (Vec<String>, Vec<(Node, Pointer)>) {
    let (mut files, mut inline) = (Vec::new(), Vec::new());
    let pointer = section.at("suites");
    for (at, node) in section.list("suites").iter().enumerate() {
        match node.as_str() {
            Some(file) => files.push(file.to_owned()),
            None if node.as_map().is_some() => inline.push((node.clone(), pointer.index(at))),
            None => notes.push(wrong_type(node, &pointer.index(at), "a file or a suite")),
        }
    }
    (files, inline)
}

fn owned(texts: Vec<&str>) -> Vec<String> {
    texts.into_iter().map(str::to_owned).collect()
}

fn naming(section: Section<'_>) -> NamingSettings {
    let policies = [
        ("error", CollisionPolicy::Error),
        ("first_wins", CollisionPolicy::FirstWins),
        ("skip", CollisionPolicy::Skip),
        ("suffix", CollisionPolicy::Suffix),
        ("hash", CollisionPolicy::Hash),
    ];
    let sources = [
        ("summary", DescriptionSource::Summary),
        ("description", DescriptionSource::Description),
        ("both", DescriptionSource::Both),
    ];
    let arguments = [("as_written", ArgumentNames::AsWritten), ("legal", ArgumentNames::Legal)];
    let slug = section.section("default_slug_rules");
    // Slashes and braces are always replaced: no name could hold them.
    slug.accepted(&["replace_slashes", "replace_braces"]);
    let (lowercase, collapse) = (slug.flag("lowercase"), slug.flag("collapse_separators"));
    slug.finish();
    let settings = NamingSettings {
        separator: section.text("separator").map(str::to_owned),
        max_length: section.size("max_length"),
        conflict: section.choice("conflict_resolution", &policies),
        description_max_length: section.size("description_max_length"),
        description_suffix: section.text("description_truncation_suffix").map(str::to_owned),
        description_source: section.choice("description_source", &sources),
        argument_names: section.choice("argument_names", &arguments),
        lowercase,
        collapse,
    };
    section.finish();
    settings
}

fn upstream(section: Section<'_>, at: usize, notes: &Notes<'_>) -> UpstreamConfig {
    let kind = section.text("type").unwrap_or("http");
    let openapi = section.section("openapi");
    let described = kind == "http";
    let mut overlays: Vec<SourceConfig> = Vec::new();
    if let Some(node) = section.value("overlay") {
        overlays.extend(source_item(node, &section.at("overlay"), notes));
    }
    overlays.extend(source_list(&section, "overlays", notes));
    let name = section.text("name").map_or_else(|| format!("upstream-{}", at + 1), str::to_owned);
    let upstream = UpstreamConfig {
        name,
        enabled: section.flag("enabled").unwrap_or(true),
        prefix: section.text("tool_prefix").filter(|text| !text.is_empty()).map(str::to_owned),
        base_url: section.text("base_url").filter(|text| !text.is_empty()).map(str::to_owned),
        openapi: if described { source(openapi, notes) } else { None },
        overlays,
        headers: headers(section.section("headers"), notes),
        auth: outbound_auth(section.section("outbound_auth"), notes).unwrap_or_default(),
        validation: validation(section.section("validation")),
        timeout: section.text("timeout").map(str::to_owned),
        max_response_body: section.text("max_response_body").map(str::to_owned),
        connection: Connection {
            skip_verify: skip_verify(&section, notes),
            ..connection(section.section("connection"))
        },
        place: section.place(),
    };
    if section.text("name").is_none() {
        let mut finding =
            Finding::error("config-missing", format!("upstream {} has no name", at + 1)).remedy("Give it a `name`.");
        finding.place = section.place();
        notes.push(finding);
    }
    if upstream.openapi.is_none() {
        let (message, remedy) = if described {
            (format!("upstream `{}` names no document", upstream.name), "Write `openapi: {source: FILE or URL}`.")
        } else {
            (
                format!("upstream `{}` is of type `{kind}`, which has no document to show", upstream.name),
                "Only upstreams of type `http` are shown.",
            )
        };
        let severity = if described { crate::document::Severity::Error } else { crate::document::Severity::Info };
        let mut finding = Finding::new("config-no-document", severity, message).remedy(remedy);
        finding.place = section.place();
        notes.push(finding);
    }
    section.not_used(&[
        "transport",
        "startup_validation_timeout",
        "inbound_auth_override",
        "commands",
        "scripts",
        "rate_limit",
        "app_ui",
        "cache",
    ]);
    section.finish();
    upstream
}

/// `{source | inline, auth_header}`
fn source(section: Section<'_>, notes: &Notes<'_>) -> Option<SourceConfig> {
    if !section.is_present() {
        return None;
    }
    let written = section.text("source").filter(|text| !text.is_empty());
    let inline = section.text("inline").filter(|text| !text.is_empty());
    let location = match (written, inline) {
        (Some(source), _) => Some(SourceText::At(source.to_owned())),
        (None, Some(text)) => Some(SourceText::Inline(text.to_owned())),
        (None, None) => None,
    };
    let key = if written.is_some() || inline.is_none() { "source" } else { "inline" };
    if location.is_none() {
        let mut finding =
            Finding::error("config-missing", "a source is not named").remedy("Write `source: FILE or URL`.");
        finding.place = section.place();
        notes.push(finding);
    }
    let auth_header = section.secret("auth_header");
    let place = section.place_of(key);
    section.not_used(&["refresh_interval", "max_refresh_failures", "allow_external_refs", "version"]);
    section.finish();
    Some(SourceConfig { location: location?, auth_header, place })
}

/// A source as a text or as a map.
fn source_item(node: &Node, pointer: &Pointer, notes: &Notes<'_>) -> Option<SourceConfig> {
    match node.as_str() {
        Some(text) => Some(SourceConfig {
            location: SourceText::At(text.to_owned()),
            auth_header: None,
            place: Some(place(node.origin, pointer)),
        }),
        None => source(Section::new(Some(node), pointer.clone(), notes), notes),
    }
}

fn source_list(section: &Section<'_>, key: &'static str, notes: &Notes<'_>) -> Vec<SourceConfig> {
    let pointer = section.at(key);
    let items = section.list(key).iter().enumerate();
    items.filter_map(|(at, node)| source_item(node, &pointer.index(at), notes)).collect()
}

fn headers(section: Section<'_>, notes: &Notes<'_>) -> Vec<(String, SecretRef)> {
    let mut headers = Vec::new();
    for entry in section.members() {
        let pointer = section.at(&entry.key);
        let Some(text) = entry.value.as_str() else {
            notes.push(wrong_type(&entry.value, &pointer, "text"));
            continue;
        };
        let value = SecretRef::parse(text, notes.folder);
        if is_secret_header(&entry.key) {
            section.check_literal(&entry.key, &value, Some(place(entry.value.origin, &pointer)));
        }
        headers.push((entry.key.to_string(), value));
    }
    headers
}

fn connection(section: Section<'_>) -> Connection {
    let text = |key| section.text(key).filter(|text| !text.is_empty()).map(str::to_owned);
    let connection = Connection {
        connect_timeout: text("connect_timeout"),
        max_connections: section.size("max_connections"),
        retries: section.size("retries"),
        proxy: text("proxy"),
        ca_file: text("ca_file"),
        client_certificate: text("client_certificate"),
        client_key: text("client_key"),
        skip_verify: false,
    };
    section.finish();
    connection
}

/// `tls_skip_verify`: works, and never in silence.
fn skip_verify(section: &Section<'_>, notes: &Notes<'_>) -> bool {
    let skips = section.flag("tls_skip_verify").unwrap_or(false);
    if skips {
        let message = "`tls_skip_verify` is on: whoever is in between can read and change every call, credentials too";
        let mut finding = Finding::warning("tls-not-verified", message)
            .remedy("Name the certificate in `connection.ca_file` instead.");
        finding.place = section.place_of("tls_skip_verify");
        notes.push(finding);
    }
    skips
}

fn outbound_auth(section: Section<'_>, notes: &Notes<'_>) -> Option<OutboundAuth> {
    if !section.is_present() {
        return None;
    }
    let bearer = section.section("bearer");
    let token = bearer.text("token_env").map(SecretRef::variable).or_else(|| bearer.secret("token"));
    bearer.finish();
    let key = section.section("api_key");
    let prefix = key.text("prefix").unwrap_or_default();
    let value = key.text("value_env").map(SecretRef::variable).or_else(|| key.secret("value"));
    let header = key.text("name").or_else(|| key.text("header")).unwrap_or("X-API-Key").to_owned();
    let places = [("header", KeyPlace::Header), ("query", KeyPlace::Query), ("cookie", KeyPlace::Cookie)];
    let place = key.choice("in", &places).unwrap_or_default();
    key.finish();
    let basic = section.section("basic");
    let username = basic.text("username").map(|text| SecretRef::parse(text, notes.folder));
    let password = basic.text("password_env").map(SecretRef::variable).or_else(|| basic.secret("password"));
    basic.finish();
    let oauth = section.section("oauth2_client_credentials");
    let client_id = oauth.text("client_id").map(|text| SecretRef::parse(text, notes.folder));
    let client_secret = oauth.secret("client_secret");
    let token_url = oauth.text("token_url").map(str::to_owned);
    let scopes = owned(oauth.texts("scopes"));
    oauth.finish();
    let strategy = section.text("strategy").unwrap_or("none");
    let found = match strategy {
        "none" | "" => Ok(OutboundAuth::None),
        "bearer" => token.map(OutboundAuth::Bearer).ok_or("bearer.token_env"),
        "api_key" => value
            .map(|value| OutboundAuth::ApiKey { header, place, value: value.with_scheme(prefix) })
            .ok_or("api_key.value_env"),
        "basic" => match (username, password) {
            (Some(username), Some(password)) => Ok(OutboundAuth::Basic { username, password }),
            (None, _) => Err("basic.username"),
            (_, None) => Err("basic.password_env"),
        },
        "oauth2_client_credentials" => match (token_url, client_id, client_secret) {
            (Some(token_url), Some(client_id), Some(client_secret)) => {
                Ok(OutboundAuth::ClientCredentials { token_url, client_id, client_secret, scopes })
            }
            (None, ..) => Err("oauth2_client_credentials.token_url"),
            (_, None, _) => Err("oauth2_client_credentials.client_id"),
            (.., None) => Err("oauth2_client_credentials.client_secret"),
        },
        other => {
            let scripted = ["lua", "js"].contains(&other);
            let severity = if scripted { crate::document::Severity::Info } else { crate::document::Severity::Error };
            let mut finding = Finding::new("config-auth", severity, format!("the strategy `{other}` is not used here"))
                .remedy("Here: none, bearer, api_key, basic, oauth2_client_credentials.");
            finding.place = section.place_of("strategy");
            notes.push(finding);
            Ok(OutboundAuth::None)
        }
    };
    let auth = found.unwrap_or_else(|missing| {
        let mut finding = Finding::error("config-missing", format!("the strategy `{strategy}` needs `{missing}`"))
            .remedy(format!("Add `{missing}`."));
        finding.place = section.place();
        notes.push(finding);
        OutboundAuth::None
    });
    section.not_used(&["lua", "js"]);
    section.finish();
    Some(auth)
}

fn validation(section: Section<'_>) -> Validation {
    let default = Validation::default();
    let statuses = section.list("success_status").iter();
    let validation = Validation {
        request: section.flag("validate_request").unwrap_or(default.request),
        response: section.flag("validate_response").unwrap_or(default.response),
        response_fails: section
            .choice("response_validation_failure", &[("warn", false), ("fail", true)])
            .unwrap_or(default.response_fails),
        success_status: statuses.filter_map(|node| u16::try_from(node.as_number()?.as_i128()?).ok()).collect(),
    };
    section.accepted(&["error_status"]);
    section.finish();
    validation
}

fn group(section: Section<'_>) -> Group {
    let group = Group {
        name: section.text("name").unwrap_or_default().to_owned(),
        endpoint: section.text("endpoint").unwrap_or("/mcp").to_owned(),
        upstreams: owned(section.texts("upstreams")),
        filter: section.text("filter").filter(|text| !text.is_empty()).map(str::to_owned),
        filter_place: section.place_of("filter"),
    };
    section.finish();
    group
}

/// A list of maps with `name`, or a map by name.
fn environments(section: &Section<'_>, notes: &Notes<'_>) -> Vec<Environment> {
    let named: Vec<(Option<String>, Section<'_>)> = match section.value("environments") {
        Some(node) if node.as_map().is_some() => {
            let pointer = section.at("environments");
            let below = |entry: &crate::document::Entry| pointer.key(entry.key.clone());
            node.members()
                .map(|entry| (Some(entry.key.to_string()), Section::new(Some(&entry.value), below(entry), notes)))
                .collect()
        }
        _ => section.sections("environments").into_iter().map(|section| (None, section)).collect(),
    };
    let mut environments: Vec<Environment> = Vec::new();
    for (at, (name, section)) in named.into_iter().enumerate() {
        let written = section.text("name").map(str::to_owned);
        let environment = Environment {
            name: name.or(written).unwrap_or_else(|| format!("environment-{}", at + 1)),
            base_url: section.text("base_url").map(str::to_owned),
            production: section.flag("production").unwrap_or(false),
            allow_writes: section.flag("allow_writes").unwrap_or(false),
            headers: headers(section.section("headers"), notes),
            auth: outbound_auth(section.section("outbound_auth"), notes),
        };
        if environment.production
            && let Some(other) = environments.iter().find(|other| other.production)
        {
            let message = format!("`{}` and `{}` are both marked as production", other.name, environment.name);
            let mut finding = Finding::error("config-production", message).remedy("Leave `production: true` on one.");
            finding.place = section.place_of("production");
            notes.push(finding);
        }
        section.finish();
        environments.push(environment);
    }
    environments
}
