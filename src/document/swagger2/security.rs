//! `securityDefinitions` to security schemes.

use super::super::Node;
use super::build::Members;

/// The security schemes of a Swagger 2.0 document in the shape of OpenAPI 3 (`components.securitySchemes`), under
/// their own names; `None` when the document has none. `basic` becomes `http`, `oauth2` gets its flow under `flows`,
/// everything else stays as it is.
pub fn security_schemes(root: &Node) -> Option<Node> {
    let definitions = root.get("securityDefinitions")?;
    let mut out = Members::default();
    for entry in definitions.as_map()? {
        let scheme = match entry.value.text("type") {
            Some("basic") => basic(&entry.value),
            Some("oauth2") => oauth2(&entry.value),
            _ => entry.value.clone(),
        };
        out.change(entry, scheme);
    }
    Some(out.node(definitions.origin))
}

fn basic(scheme: &Node) -> Node {
    let mut out = Members::default();
    for entry in scheme.members() {
        if &*entry.key == "type" {
            out.change(entry, Node::string("http", entry.value.origin));
            out.put("scheme", Node::string("basic", entry.value.origin));
        } else {
            out.keep(entry);
        }
    }
    out.node(scheme.origin)
}

fn oauth2(scheme: &Node) -> Node {
    let mut out = Members::default();
    let mut flow = Members::default();
    for entry in scheme.members() {
        match &*entry.key {
            "flow" => {}
            "authorizationUrl" | "tokenUrl" | "scopes" => flow.keep(entry),
            _ => out.keep(entry),
        }
    }
    let Some(kind) = scheme.get("flow") else { return scheme.clone() };
    if !flow.has("scopes") {
        flow.put("scopes", Node::map(Vec::new(), kind.origin));
    }
    let name = match kind.as_str() {
        Some("application") => "clientCredentials",
        Some("accessCode") => "authorizationCode",
        Some(other) => other,
        None => return scheme.clone(),
    };
    let mut flows = Members::default();
    flows.put(name, flow.node(scheme.origin));
    out.put("flows", flows.node(kind.origin));
    out.node(scheme.origin)
}
