//! What the document asks for in the way of credentials, beside what is configured.

use crate::document::{Node, swagger2};
use crate::wire::Redactor;
use crate::workspace::config::{KeyPlace, OutboundAuth};

use super::settings::UpstreamSettings;

/// What an operation asks for: one text per alternative, such as `apiKey (header X-Api-Key) and oauth (OAuth 2)`.
/// Empty when it asks for nothing (OpenAPI 3.1 section 4.8.30).
pub fn asked(document: &Node, operation: &Node) -> Vec<String> {
    let converted = swagger2::security_schemes(document);
    let schemes = document.get("components").and_then(|it| it.get("securitySchemes")).or(converted.as_ref());
    let requirements = operation.get("security").or_else(|| document.get("security"));
    let Some(requirements) = requirements.and_then(Node::as_list) else { return Vec::new() };
    let one = |requirement: &Node| {
        let names = requirement.members().map(|member| {
            let scheme = schemes.and_then(|schemes| schemes.get(&member.key));
            match scheme.map(kind) {
                Some(kind) => format!("{} ({kind})", member.key),
                None => format!("{} (not declared)", member.key),
            }
        });
        let names: Vec<String> = names.collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" and ") }
    };
    let alternatives: Vec<String> = requirements.iter().map(one).collect();
    if alternatives.iter().all(|alternative| alternative == "none") { Vec::new() } else { alternatives }
}

fn kind(scheme: &Node) -> String {
    match (scheme.text("type"), scheme.text("scheme")) {
        (Some("apiKey"), _) => {
            format!("{} {}", scheme.text("in").unwrap_or("header"), scheme.text("name").unwrap_or_default())
        }
        (Some("http"), Some(scheme)) => format!("HTTP {scheme}"),
        (Some("basic"), _) => "HTTP basic".to_owned(),
        (Some("oauth2"), _) => "OAuth 2".to_owned(),
        (Some("openIdConnect"), _) => "OpenID Connect".to_owned(),
        (Some("mutualTLS"), _) => "client certificate".to_owned(),
        (Some(other), _) => other.to_owned(),
        (None, _) => "no type".to_owned(),
    }
}

/// What is configured, in the same words.
pub fn configured(settings: &UpstreamSettings) -> String {
    let mut found = Vec::new();
    match &settings.auth {
        OutboundAuth::None => {}
        OutboundAuth::Bearer(reference) => found.push(format!("bearer token ({reference})")),
        OutboundAuth::ApiKey { header, place, value } => {
            let place = match place {
                KeyPlace::Header => "header",
                KeyPlace::Query => "query",
                KeyPlace::Cookie => "cookie",
            };
            found.push(format!("API key ({place} {header}, {value})"));
        }
        OutboundAuth::Basic { password, .. } => found.push(format!("HTTP basic ({password})")),
        OutboundAuth::ClientCredentials { token_url, .. } => {
            found.push(format!("OAuth 2 ({})", Redactor::default().url(token_url)));
        }
    }
    found.extend(settings.headers.iter().map(|(name, _)| format!("header {name}")));
    if settings.tls.client_certificate.is_some() {
        found.push("client certificate".to_owned());
    }
    if found.is_empty() { "nothing".to_owned() } else { found.join(", ") }
}
