//! Actions that are to be written, and overlays made of them.

use crate::document::{Entry, FileId, Format, Node, Origin, Value, to_json, to_yaml};

/// An action that is to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Its target.
    pub target: String,
    /// Its description.
    pub description: Option<String>,
    /// What it does.
    pub effect: DraftEffect,
}

/// What a drafted action does.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftEffect {
    /// `update` with this value.
    Update(Node),
    /// `remove: true`.
    Remove,
}

impl Draft {
    /// An update.
    pub fn update(target: &str, value: Node) -> Self {
        Self { target: target.to_owned(), description: None, effect: DraftEffect::Update(value) }
    }

    /// A removal.
    pub fn remove(target: &str) -> Self {
        Self { target: target.to_owned(), description: None, effect: DraftEffect::Remove }
    }

    /// The action as it stands in an overlay.
    pub fn to_node(&self) -> Node {
        let mut members = vec![entry("target", text(&self.target))];
        members.extend(self.description.as_ref().map(|description| entry("description", text(description))));
        members.push(match &self.effect {
            DraftEffect::Update(value) => entry("update", value.clone()),
            DraftEffect::Remove => entry("remove", Node::new(Value::Bool(true), nowhere())),
        });
        Node::map(members, nowhere())
    }
}

/// The text of a new overlay with these actions.
pub fn overlay_text(title: &str, drafts: &[Draft], format: Format) -> String {
    let info = Node::map(vec![entry("title", text(title)), entry("version", text("1.0.0"))], nowhere());
    let actions = Node::list(drafts.iter().map(Draft::to_node).collect(), nowhere());
    let members = vec![entry("overlay", text("1.1.0")), entry("info", info), entry("actions", actions)];
    let root = Node::map(members, nowhere());
    match format {
        Format::Json => format!("{}\n", to_json(&root, true)),
        // Plain: a version is no number.
        Format::Yaml => to_yaml(&root).replacen("overlay: \"1.1.0\"", "overlay: 1.1.0", 1).replacen(
            "  version: \"1.0.0\"",
            "  version: 1.0.0",
            1,
        ),
    }
}

/// A member that no file has yet.
pub(super) fn entry(key: &str, value: Node) -> Entry {
    Entry { key: key.into(), key_origin: nowhere(), value }
}

/// A text that no file has yet.
pub(super) fn text(words: &str) -> Node {
    Node::string(words, nowhere())
}

/// The origin of what no file has yet.
pub(super) fn nowhere() -> Origin {
    Origin::new(FileId(0), 0, 0)
}
