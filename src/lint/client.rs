//! The name under which a client shows a tool to the model.

use regex::Regex;
use serde::Deserialize;

use crate::derive::Tool;

/// How a client makes a tool's name. Without a template the tool keeps its own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Template for a server with a name, of `{server}`, `{name}` and `{operation_id}`.
    pub exposes: Option<String>,
    /// The same for a server without a name; `{name}` when it is not there.
    pub alone: Option<String>,
    /// The characters of the server's name that stay, as a class such as `[A-Za-z0-9_-]`.
    pub server_keeps: Option<String>,
    /// What each other character becomes.
    #[serde(default)]
    pub server_replacement: String,
    #[serde(skip)]
    drops: Option<Regex>,
}

impl Client {
    /// Checks the templates and reads the class.
    ///
    /// # Errors
    /// In words, what is wrong.
    pub(super) fn prepare(&mut self) -> Result<(), String> {
        for template in [&self.exposes, &self.alone].into_iter().flatten() {
            let rest = ["{server}", "{name}", "{operation_id}"].iter().fold(template.clone(), |t, p| t.replace(p, ""));
            if rest.contains(['{', '}']) || !(template.contains("{name}") || template.contains("{operation_id}")) {
                return Err(format!("`{template}` is no template of {{server}} and {{name}} or {{operation_id}}"));
            }
        }
        if let Some(class) = &self.server_keeps {
            let wrong = || format!("`{class}` is no class of characters such as [A-Za-z0-9_-]");
            let inside = class.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or_else(wrong)?;
            self.drops = Some(Regex::new(&format!("[^{inside}]")).map_err(|_| wrong())?);
        }
        Ok(())
    }

    /// Does the server's name become part of the tool's?
    pub fn adds_server(&self) -> bool {
        self.exposes.is_some()
    }

    /// The server's name as it stands in the tool's.
    pub fn server(&self, name: &str) -> String {
        match &self.drops {
            Some(drops) => drops.replace_all(name, self.server_replacement.as_str()).into_owned(),
            None => name.to_owned(),
        }
    }

    /// The name that the model sees.
    pub fn name(&self, tool: &Tool, server: Option<&str>) -> String {
        let name = tool.named.name.as_str();
        let id = tool.operation.operation_id.as_deref().unwrap_or(name);
        let template = if server.is_some() { self.exposes.as_deref() } else { self.alone.as_deref() };
        let mut rest = template.unwrap_or("{name}");
        let server = server.map(|server| self.server(server)).unwrap_or_default();
        // Piece by piece, so that braces in a name are not taken for the template's.
        let mut out = String::with_capacity(rest.len() + name.len() + server.len());
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let (word, after) = after.split_once('}').unwrap_or((after, ""));
            out.push_str(match word {
                "server" => &server,
                "operation_id" => id,
                _ => name,
            });
            rest = after;
        }
        out + rest
    }
}
