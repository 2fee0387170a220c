//! `host`, `basePath` and `schemes` to servers.

use std::sync::Arc;

use super::super::Node;
use super::super::source::Origin;
use super::build::Members;

/// The servers of a Swagger 2.0 document as server objects of OpenAPI 3: one for each scheme, or one relative URL
/// when there is no `host`. Without `schemes` it is `https`. `{x}` in host or base path becomes a server variable
/// whose default is `unknown`. `x-servers`, where there is one, is taken as it is.
pub fn servers(root: &Node) -> Vec<Node> {
    if let Some(own) = root.get("x-servers").and_then(Node::as_list).filter(|own| !own.is_empty()) {
        return own.to_vec();
    }
    urls(root, &schemes(root))
}

/// The servers of an operation whose `schemes` differ from the document's.
pub(super) fn of_operation(root: &Node, operation: &Node) -> Option<Node> {
    let own = schemes(operation);
    let list = operation.get("schemes")?;
    let shared = schemes(root);
    let same = own.len() == shared.len() && own.iter().all(|scheme| shared.contains(scheme));
    (!own.is_empty() && !same && host(root).is_some()).then(|| Node::list(urls(root, &own), list.origin))
}

fn schemes(node: &Node) -> Vec<&Node> {
    let Some(list) = node.get("schemes") else { return Vec::new() };
    let single = list.as_str().map(|_| list);
    single.into_iter().chain(list.items()).filter(|item| item.as_str().is_some_and(|text| !text.is_empty())).collect()
}

fn host(root: &Node) -> Option<&Node> {
    root.get("host").filter(|host| host.as_str().is_some_and(|text| !text.trim().is_empty()))
}

fn urls(root: &Node, schemes: &[&Node]) -> Vec<Node> {
    let base = root.get("basePath");
    let path = base.and_then(Node::as_str).unwrap_or_default().trim().trim_end_matches('/');
    let slash = if path.is_empty() || path.starts_with('/') { "" } else { "/" };
    let Some(host) = host(root) else {
        let url = if path.is_empty() { "/".to_owned() } else { format!("{slash}{path}") };
        return vec![server(&url, base.unwrap_or(root).origin)];
    };
    let text = host.as_str().unwrap_or_default().trim().trim_end_matches('/');
    // A host with a scheme is wrong and says what is meant.
    if text.contains("://") {
        return vec![server(&format!("{text}{slash}{path}"), host.origin)];
    }
    let url = |scheme: &str, origin| server(&format!("{scheme}://{text}{slash}{path}"), origin);
    if schemes.is_empty() {
        return vec![url("https", host.origin)];
    }
    schemes.iter().map(|scheme| url(scheme.as_str().unwrap_or_default(), scheme.origin)).collect()
}

/// A server object; its variables are made from the braces in the URL.
fn server(url: &str, origin: Origin) -> Node {
    let url = url.replace("{{", "{").replace("}}", "}");
    let mut variables = Members::default();
    for part in url.split('{').skip(1) {
        if let Some((name, _)) = part.split_once('}') {
            let mut variable = Members::default();
            variable.put("default", Node::string("unknown", origin));
            variables.put(Arc::<str>::from(name), variable.node(origin));
        }
    }
    let mut server = Members::default();
    server.put("url", Node::string(url, origin));
    if !variables.is_empty() {
        server.put("variables", variables.node(origin));
    }
    server.node(origin)
}
