//! What to write into the configuration of the usual clients.

use serde_json::{Value as Json, json};

/// One client's part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientConfig {
    /// The client.
    pub client: &'static str,
    /// Where it goes: a file, or a shell.
    pub place: &'static str,
    /// What to write there.
    pub text: String,
}

/// The configurations for an endpoint: over HTTP at `url`, or by starting `command` with its arguments for clients that
/// only do that. With a token the text names the variable in which it is expected.
pub fn client_configs(name: &str, url: &str, command: &[String], needs_token: bool) -> Vec<ClientConfig> {
    let pretty = |value: &Json| serde_json::to_string_pretty(value).unwrap_or_default();
    let header = needs_token.then(|| json!({"Authorization": "Bearer ${TOOLSCOPE_TOKEN}"}));
    let mut remote = json!({"url": url});
    let mut typed = json!({"type": "http", "url": url});
    for entry in [&mut remote, &mut typed] {
        if let (Some(header), Some(map)) = (&header, entry.as_object_mut()) {
            map.insert("headers".to_owned(), header.clone());
        }
    }
    let program = command.first().map(String::as_str).unwrap_or("toolscope");
    let arguments = command.get(1..).unwrap_or_default();
    let started = json!({"command": program, "args": arguments});
    let flag = if needs_token { " --header \"Authorization: Bearer $TOOLSCOPE_TOKEN\"" } else { "" };
    vec![
        ClientConfig {
            client: "Claude Code",
            place: "in a shell",
            text: format!("claude mcp add --transport http {name} {url}{flag}"),
        },
        ClientConfig {
            client: "Claude Desktop",
            place: "claude_desktop_config.json",
            text: pretty(&json!({"mcpServers": {name: started}})),
        },
        ClientConfig {
            client: "Cursor",
            place: ".cursor/mcp.json",
            text: pretty(&json!({"mcpServers": {name: remote}})),
        },
        ClientConfig { client: "VS Code", place: ".vscode/mcp.json", text: pretty(&json!({"servers": {name: typed}})) },
    ]
}
