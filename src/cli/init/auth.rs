//! From the security schemes of a document (OpenAPI 3.1 section 4.8.27) to `outbound_auth`, every secret a reference.

use super::text::{comment, scalar};
use crate::document::{Node, swagger2};

/// One way to prove who one is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// The scheme's name in the document.
    pub(super) scheme: String,
    /// Remarks, each on its own line.
    pub(super) remarks: Vec<String>,
    /// Lines of YAML, relative to the upstream.
    pub(super) lines: Vec<String>,
    /// Environment variables that it needs.
    pub(super) variables: Vec<String>,
}

/// The schemes that a document asks for, the ones that most operations take first. `stem` starts the variables' names.
pub(super) fn ways(root: &Node, operations: &[&Node], stem: &str) -> Vec<Way> {
    let converted = swagger2::security_schemes(root);
    let declared = root.get("components").and_then(|it| it.get("securitySchemes")).or(converted.as_ref());
    let mut found: Vec<(usize, Way)> = Vec::new();
    for scheme in declared.into_iter().flat_map(Node::members) {
        let uses = operations.iter().filter(|operation| asks(root, operation, &scheme.key)).count();
        found.extend(way(&scheme.key, &scheme.value, stem).map(|way| (uses, way)));
    }
    // Stable: among equals the order of the document stays.
    found.sort_by_key(|(uses, _)| usize::MAX - uses);
    found.into_iter().map(|(_, way)| way).collect()
}

fn asks(root: &Node, operation: &Node, scheme: &str) -> bool {
    let requirements = operation.get("security").or_else(|| root.get("security"));
    requirements.into_iter().flat_map(Node::items).any(|requirement| requirement.get(scheme).is_some())
}

fn way(name: &str, scheme: &Node, stem: &str) -> Option<Way> {
    let mut way = Way { scheme: name.to_owned(), remarks: Vec::new(), lines: Vec::new(), variables: Vec::new() };
    if let Some(first) = scheme.text("description").and_then(|text| text.lines().next()) {
        way.remarks.push(comment(first, 110));
    }
    let variable = |suffix: &str| format!("{stem}_{suffix}");
    let http = scheme.text("scheme").map(str::to_ascii_lowercase);
    match (scheme.text("type")?, http.as_deref()) {
        ("http", Some("basic")) | ("basic", _) => {
            let (user, password) = (variable("USERNAME"), variable("PASSWORD"));
            way.lines = vec![
                "outbound_auth:".to_owned(),
                "  strategy: basic".to_owned(),
                format!("  basic: {{username: 'env:{user}', password_env: {password}}}"),
            ];
            way.variables = vec![user, password];
        }
        ("apiKey", _) => {
            let key = variable("API_KEY");
            let place = scheme.text("in").unwrap_or("header");
            way.lines = vec![
                "outbound_auth:".to_owned(),
                "  strategy: api_key".to_owned(),
                format!("  api_key: {{name: {}, in: {place}, value_env: {key}}}", scalar(scheme.text("name")?)),
            ];
            way.variables = vec![key];
        }
        ("oauth2", _) => client_credentials(scheme, &mut way, &variable),
        ("mutualTLS", _) => {
            way.remarks.push("A client certificate, as PEM files:".to_owned());
            way.lines = vec!["connection: {client_certificate: client.pem, client_key: client.key}".to_owned()];
        }
        ("http" | "openIdConnect", _) => bearer(&mut way, &variable),
        _ => return None,
    }
    Some(way)
}

fn bearer(way: &mut Way, variable: &impl Fn(&str) -> String) {
    let token = variable("TOKEN");
    way.lines =
        vec!["outbound_auth:".to_owned(), "  strategy: bearer".to_owned(), format!("  bearer: {{token_env: {token}}}")];
    way.variables = vec![token];
}

/// The only flow that needs no browser; for the others a token is fetched elsewhere.
fn client_credentials(scheme: &Node, way: &mut Way, variable: &impl Fn(&str) -> String) {
    let flow = scheme.get("flows").and_then(|flows| flows.get("clientCredentials"));
    let old = (scheme.text("flow") == Some("application")).then_some(scheme);
    let flow = flow.or(old);
    let Some((flow, url)) =
        flow.and_then(|flow| Some((flow, flow.text("tokenUrl")?))).filter(|(_, url)| url.contains("://"))
    else {
        way.remarks.push("OAuth 2 with a browser: fetch a token by other means, and give it as a variable.".to_owned());
        return bearer(way, variable);
    };
    let (id, secret) = (variable("CLIENT_ID"), variable("CLIENT_SECRET"));
    way.lines = vec![
        "outbound_auth:".to_owned(),
        "  strategy: oauth2_client_credentials".to_owned(),
        "  oauth2_client_credentials:".to_owned(),
        format!("    token_url: {}", scalar(url)),
        format!("    client_id: 'env:{id}'"),
        format!("    client_secret: 'env:{secret}'"),
        "    scopes: []".to_owned(),
    ];
    let scopes: Vec<&str> =
        flow.get("scopes").into_iter().flat_map(Node::members).map(|scope| &*scope.key).take(8).collect();
    if !scopes.is_empty() {
        way.remarks.push(comment(&format!("Scopes: {}", scopes.join(", ")), 110));
    }
    way.variables = vec![id, secret];
}
