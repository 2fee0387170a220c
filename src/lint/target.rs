//! Targets: the rules of one client or provider, from a TOML file. The built-in files lie in `targets/`; a user can add
//! files of the same form.

use std::sync::Arc;

use crate::derive::Tool;

use super::client::Client;
use super::raw::{self, TargetError};
use super::rule::Rule;

macro_rules! builtin {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("targets/", $name, ".toml")))),*]
    };
}

/// The built-in targets in the order in which they are listed.
const BUILTIN: &[(&str, &str)] = builtin![
    "safe-everywhere",
    "mcp-2025-11-25",
    "mcp-2026-07-28",
    "anthropic-api",
    "claude-code",
    "claude-desktop",
    "openai-chat",
    "openai-responses",
    "openai-strict",
    "azure-openai",
    "gemini-api",
    "vertex-gemini",
    "bedrock-converse",
    "bedrock-agents",
    "agentcore-gateway",
    "mistral",
    "cursor",
    "vscode-copilot",
    "windsurf",
    "agentgateway",
];

/// The rules of one client or provider. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Target(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    name: String,
    title: String,
    about: String,
    client: Client,
    rules: Vec<Rule>,
}

impl Target {
    pub(super) fn new(name: String, title: String, about: String, client: Client, rules: Vec<Rule>) -> Self {
        Self(Arc::new(Inner { name, title, about, client, rules }))
    }

    /// The built-in target of that name.
    pub fn builtin(name: &str) -> Option<Target> {
        let (name, text) = BUILTIN.iter().find(|(known, _)| *known == name)?;
        raw::read(text, &format!("{name}.toml"), false).ok()
    }

    /// All built-in targets, `safe-everywhere` first.
    pub fn builtins() -> Vec<Target> {
        BUILTIN.iter().filter_map(|(name, _)| Self::builtin(name)).collect()
    }

    /// The names of the built-in targets, `safe-everywhere` first.
    pub fn builtin_names() -> impl Iterator<Item = &'static str> {
        BUILTIN.iter().map(|(name, _)| *name)
    }

    /// Reads a target file. `file_name` stands in messages.
    ///
    /// # Errors
    /// Text that is no TOML, unknown keys and kinds, parameters that do not go with the kind, an unknown target in
    /// `extends`, the name of a built-in target; each with line and column.
    pub fn parse(toml_text: &str, file_name: &str) -> Result<Target, TargetError> {
        raw::read(toml_text, file_name, true)
    }

    /// As `--target` writes it.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What it is, in a few words.
    pub fn title(&self) -> &str {
        &self.0.title
    }

    /// What to know of it, in a sentence; may be empty.
    pub fn about(&self) -> &str {
        &self.0.about
    }

    /// How it names tools.
    pub fn client(&self) -> &Client {
        &self.0.client
    }

    /// Its rules, in the order of the file, the parent's first.
    pub fn rules(&self) -> &[Rule] {
        &self.0.rules
    }

    /// The rule of that id.
    pub fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules().iter().find(|rule| rule.id == id)
    }

    pub(super) fn unknown(name: &str) -> String {
        let known: Vec<&str> = Self::builtin_names().collect();
        format!("there is no target `{name}`; there are {}", known.join(", "))
    }

    #[cfg(test)]
    pub(super) fn builtin_text(name: &str) -> Option<&'static str> {
        BUILTIN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }
}

/// A target, and the name under which the client knows the server.
#[derive(Clone, Debug)]
pub struct TargetChoice {
    /// The rules.
    pub target: Target,
    /// The server's name in the client's configuration.
    pub server_name: Option<String>,
}

impl TargetChoice {
    /// A target without a server name.
    pub fn new(target: Target) -> Self {
        Self { target, server_name: None }
    }

    /// Reads `NAME[:server-name]`. Targets of `own` come before the built-in ones.
    ///
    /// # Errors
    /// In words: an unknown target, an empty server name, or a server name for a target that adds none to its tools.
    pub fn parse(text: &str, own: &[Target]) -> Result<Self, String> {
        let (name, server) = match text.split_once(':') {
            Some((name, server)) => (name, Some(server)),
            None => (text, None),
        };
        let found = own.iter().find(|target| target.name() == name).cloned().or_else(|| Target::builtin(name));
        let Some(target) = found else { return Err(Target::unknown(name)) };
        match server {
            Some("") => {
                Err(format!("`{text}` has no server name after the colon; write `{name}:my-server` or `{name}`"))
            }
            Some(server) if !target.client().adds_server() => Err(format!(
                "`{name}` puts no server name before a tool's name, so `:{server}` has no effect; write `{name}`"
            )),
            _ => Ok(Self { target, server_name: server.map(str::to_owned) }),
        }
    }

    /// `NAME[:server-name]`, as [`Self::parse`] reads it and findings give it.
    pub fn label(&self) -> String {
        match &self.server_name {
            Some(server) => format!("{}:{server}", self.target.name()),
            None => self.target.name().to_owned(),
        }
    }

    /// The name under which the model sees the tool.
    pub fn exposed(&self, tool: &Tool) -> String {
        self.target.client().name(tool, self.server_name.as_deref())
    }
}
