//! Where an API says that it runs.

use crate::document::{Node, Version, swagger2};

/// The first server's URL with its variables' defaults put in (OpenAPI 3.1 section 4.8.5); for Swagger 2.0 made from
/// `schemes`, `host` and `basePath`. Relative URLs stay relative.
pub(crate) fn first(root: &Node, version: Version) -> Option<String> {
    let server = match version {
        Version::Swagger2 => swagger2::servers(root).into_iter().next()?,
        _ => root.get("servers")?.items().next()?.clone(),
    };
    let mut url = server.text("url")?.to_owned();
    for variable in server.get("variables").into_iter().flat_map(Node::members) {
        if let Some(default) = variable.value.text("default") {
            url = url.replace(&format!("{{{}}}", variable.key), default);
        }
    }
    Some(url)
}
