//! What other programs' extensions say of tools, as actions that say the same in `x-mcp-*`.
//!
//! - `x-speakeasy-mcp` on an operation: `{disabled, name, description}` (`title` and `scopes` have no counterpart);
//! - `x-kong-mcp-tool-name`, `x-kong-mcp-tool-description`, `x-kong-mcp-exclude` on an operation;
//! - `x-gram` on an operation: `{name, description}`;
//! - `x-tyk-mcp-server` at the root: `primitives` with `source.operationId`, `name`, `description`, `allow`.

use super::author::{Draft, Intent, Summary, plan};
use crate::document::{Finding, Node, Place, Pointer, Step};

/// What a dialect says of one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct DialectHint {
    /// The extension, such as `x-gram`.
    pub extension: String,
    /// The operation.
    pub operation: Pointer,
    /// The actions that say the same; never empty.
    pub drafts: Vec<Draft>,
    /// The same as a remark at the extension, with the action that matters most as its fix.
    pub finding: Finding,
}

/// Everything that dialects say and `x-mcp-*` does not say yet, in document order.
pub fn dialect_hints(root: &Node, reads: Summary) -> Vec<DialectHint> {
    let mut hints = Vec::new();
    let operations = operations(root);
    for (pointer, operation) in &operations {
        for said in said_of(operation) {
            hints.extend(hint(root, pointer, &said, reads));
        }
    }
    let primitives = root.get("x-tyk-mcp-server").and_then(|server| server.get("primitives"));
    for primitive in primitives.into_iter().flat_map(Node::items) {
        let id = primitive.get("source").and_then(|source| source.text("operationId"));
        let is_it = |(_, operation): &&(Pointer, &Node)| id.is_some() && operation.text("operationId") == id;
        if let Some((pointer, _)) = operations.iter().find(is_it) {
            let said = Said {
                extension: "x-tyk-mcp-server",
                at: primitive,
                name: primitive.text("name"),
                description: primitive.text("description"),
                hidden: primitive.get("allow").and_then(Node::as_bool) == Some(false),
            };
            hints.extend(hint(root, pointer, &said, reads));
        }
    }
    hints
}

/// The operations of `paths`, by their shape.
fn operations(root: &Node) -> Vec<(Pointer, &Node)> {
    const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
    let mut found = Vec::new();
    for item in root.get("paths").into_iter().flat_map(Node::members) {
        for entry in item.value.members().filter(|entry| METHODS.contains(&&*entry.key)) {
            let steps = vec![Step::Key("paths".into()), Step::Key(item.key.clone()), Step::Key(entry.key.clone())];
            found.push((Pointer(steps), &entry.value));
        }
    }
    found
}

/// What one extension says.
struct Said<'a> {
    extension: &'a str,
    at: &'a Node,
    name: Option<&'a str>,
    description: Option<&'a str>,
    hidden: bool,
}

fn said_of(operation: &Node) -> Vec<Said<'_>> {
    let mut all = Vec::new();
    for extension in ["x-speakeasy-mcp", "x-gram"] {
        if let Some(at) = operation.get(extension).filter(|node| node.as_map().is_some()) {
            let hidden = at.get("disabled").and_then(Node::as_bool) == Some(true);
            all.push(Said { extension, at, name: at.text("name"), description: at.text("description"), hidden });
        }
    }
    for entry in operation.members() {
        let at = &entry.value;
        let nothing = Said { extension: &entry.key, at, name: None, description: None, hidden: false };
        match &*entry.key {
            "x-kong-mcp-tool-name" => all.push(Said { name: at.as_str(), ..nothing }),
            "x-kong-mcp-tool-description" => all.push(Said { description: at.as_str(), ..nothing }),
            "x-kong-mcp-exclude" => all.push(Said { hidden: at.as_bool() == Some(true), ..nothing }),
            _ => {}
        }
    }
    all
}

fn hint(root: &Node, pointer: &Pointer, said: &Said<'_>, reads: Summary) -> Option<DialectHint> {
    let operation = pointer.find(root)?;
    let mut intents = Vec::new();
    let mut words = Vec::new();
    // What x-mcp-* says already is the last word.
    if let Some(name) = said.name.filter(|name| !name.is_empty() && operation.get("x-mcp-tool-name").is_none()) {
        words.push(format!("names the tool `{name}`"));
        intents.push(Intent::Rename { name: name.to_owned() });
    }
    if said.hidden && operation.get("x-mcp-enabled").is_none() {
        words.push("hides the tool".to_owned());
        intents.push(Intent::Hide);
    }
    if let Some(text) = said.description.filter(|text| !text.trim().is_empty()) {
        words.push("describes it for a model".to_owned());
        intents.push(Intent::Describe { text: text.to_owned(), reads });
    }
    let plans = intents.iter().filter_map(|intent| plan(root, std::slice::from_ref(pointer), intent).ok());
    let drafts = joined(plans.flat_map(|plan| plan.drafts).collect());
    let fix = drafts.first()?.to_node();
    let message = format!("`{}` {}; this program reads x-mcp-* only", said.extension, words.join(", "));
    let place = Place { origin: said.at.origin, pointer: pointer.to_string().into() };
    let mut finding = Finding::info("dialect-hint", message)
        .at(place)
        .remedy("say the same in x-mcp-*: `overlay check --convert` does, or a on the screen of overlays");
    finding.fix = Some(fix);
    Some(DialectHint { extension: said.extension.to_owned(), operation: pointer.clone(), drafts, finding })
}

/// Updates of one target become one.
fn joined(drafts: Vec<Draft>) -> Vec<Draft> {
    use super::author::DraftEffect::Update;
    let mut all: Vec<Draft> = Vec::new();
    for draft in drafts {
        let same = all.iter_mut().find(|known| known.target == draft.target);
        match (same.map(|known| &mut known.effect), &draft.effect) {
            (Some(Update(known)), Update(value)) => {
                if let Some(map) = known.map_mut() {
                    value.members().cloned().for_each(|entry| drop(map.insert(entry)));
                }
            }
            _ => all.push(draft),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::document::testing::document;
    use crate::document::to_json;

    #[test]
    fn dialects_are_read_and_converted() {
        let spec = "
paths:
  /a:
    get: {summary: s, x-speakeasy-mcp: {name: get-a, disabled: true, scopes: [read]}}
    put: {x-kong-mcp-tool-name: put-a, x-mcp-tool-name: mine}
    post: {x-kong-mcp-exclude: true}
    delete: {operationId: d, x-gram: {name: rm_a, description: Removes}}
  /b:
    get: {operationId: b}
x-tyk-mcp-server:
  primitives:
    - {source: {operationId: b}, name: get_b, allow: false}
    - {source: {operationId: none}, name: x}
";
        let hints = dialect_hints(&document(0, spec).root, Summary::First);
        let found: Vec<(String, Vec<String>)> = hints
            .iter()
            .map(|hint| {
                let drafts = hint.drafts.iter().map(|draft| to_json(&draft.to_node(), false)).collect();
                (hint.extension.clone(), drafts)
            })
            .collect();
        let expected: Vec<(&str, &str)> = vec![
            (
                "x-speakeasy-mcp",
                r#"{"target":"$.paths['/a'].get","update":{"x-mcp-tool-name":"get-a","x-mcp-enabled":false}}"#,
            ),
            ("x-kong-mcp-exclude", r#"{"target":"$.paths['/a'].post","update":{"x-mcp-enabled":false}}"#),
            (
                "x-gram",
                r#"{"target":"$.paths['/a'].delete","update":{"x-mcp-tool-name":"rm_a","description":"Removes"}}"#,
            ),
            (
                "x-tyk-mcp-server",
                r#"{"target":"$.paths['/b'].get","update":{"x-mcp-tool-name":"get_b","x-mcp-enabled":false}}"#,
            ),
        ];
        let expected: Vec<(String, Vec<String>)> =
            expected.into_iter().map(|(extension, draft)| (extension.to_owned(), vec![draft.to_owned()])).collect();
        assert_eq!(found, expected);
        assert!(hints.iter().all(|hint| hint.finding.fix.is_some() && hint.finding.place.is_some()));
    }
}
