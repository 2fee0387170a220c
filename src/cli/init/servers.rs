//! The servers that a document names, with the defaults of their variables (OpenAPI 3.1 section 4.8.5).

use crate::document::{Node, swagger2};

/// One server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Server {
    /// Its URL; relative ones stay relative.
    pub(super) url: String,
    /// What the document says of it.
    pub(super) description: String,
}

/// All of them, in order, each URL once.
pub(super) fn servers(root: &Node) -> Vec<Server> {
    let old = swagger2::servers(root);
    let listed = root.get("servers").into_iter().flat_map(Node::items).chain(&old);
    let mut found: Vec<Server> = Vec::new();
    for server in listed {
        let Some(mut url) = server.text("url").map(str::to_owned) else { continue };
        for variable in server.get("variables").into_iter().flat_map(Node::members) {
            if let Some(default) = variable.value.text("default") {
                url = url.replace(&format!("{{{}}}", variable.key), default);
            }
        }
        if found.iter().all(|known| known.url != url) {
            found.push(Server { url, description: server.text("description").unwrap_or_default().to_owned() });
        }
    }
    found
}

impl Server {
    /// It can be called as it stands.
    pub(super) fn is_whole(&self) -> bool {
        let parsed = url::Url::parse(&self.url);
        parsed.is_ok_and(|url| matches!(url.scheme(), "http" | "https")) && !self.url.contains('{')
    }

    /// A name for an environment: what the description or the host says, else its number.
    pub(super) fn environment(&self, at: usize) -> String {
        let words = format!("{} {}", self.description, self.url).to_lowercase();
        let known = ["sandbox", "staging", "test", "development", "dev", "demo", "local", "eu", "production"];
        let parts: Vec<&str> = words.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        match known.into_iter().find(|word| parts.contains(word)) {
            Some(word) => word.to_owned(),
            None => format!("server-{}", at + 1),
        }
    }
}
