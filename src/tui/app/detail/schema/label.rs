//! What a schema is, in a word, and what is inside it.

use crate::document::{Node, Value, pointer};

/// Chains of references and of arrays in arrays longer than this are not followed.
const LONGEST: usize = 32;

/// A schema as a row shows it.
pub(super) struct Head<'a> {
    /// The schema behind references and arrays, whose members are the row's children.
    pub(super) node: &'a Node,
    /// The array around it, when there is one: its bounds belong to the row too.
    pub(super) array: Option<&'a Node>,
    /// The last reference on the way.
    pub(super) reference: Option<String>,
    /// The type in words.
    pub(super) label: String,
}

/// A row below.
pub(super) struct Child<'a> {
    pub(super) name: String,
    pub(super) required: bool,
    pub(super) node: &'a Node,
}

/// Follows references within `root` and arrays to what the row is about.
pub(super) fn head<'a>(node: &'a Node, root: &'a Node) -> Head<'a> {
    let mut at = node;
    let mut array = None;
    let mut reference = None;
    let mut label = String::new();
    let mut broken = false;
    for _ in 0..LONGEST {
        if let Some(target) = at.text("$ref") {
            reference = Some(target.to_owned());
            let found = target.strip_prefix('#').and_then(|way| pointer::resolve(root, way).ok());
            match found {
                Some(found) => at = found,
                None => {
                    broken = true;
                    break;
                }
            }
        } else if let Some(items) = at.get("items").filter(|items| items.as_map().is_some() && plain_array(at)) {
            array = Some(at);
            label.push_str(if type_words(at).len() > 1 { "array or null of " } else { "array of " });
            at = items;
        } else {
            break;
        }
    }
    let name = reference.as_deref().map(|target| target.rsplit('/').next().unwrap_or(target).to_owned());
    match (name, own_label(at)) {
        (Some(name), _) if broken => label.push_str(&format!("{name} (leads nowhere)")),
        (Some(name), own) if own == "any" => label.push_str(&name),
        (Some(name), own) => label.push_str(&format!("{name} ({own})")),
        (None, own) => label.push_str(&own),
    }
    Head { node: at, array, reference, label }
}

/// An array with one schema for all items, and nothing else inside.
fn plain_array(node: &Node) -> bool {
    let words = type_words(node);
    let array = words.contains(&"array") || words.is_empty();
    array && words.iter().all(|word| matches!(*word, "array" | "null")) && node.get("prefixItems").is_none()
}

fn type_words(node: &Node) -> Vec<&str> {
    match node.get("type") {
        Some(Node { value: Value::String(word), .. }) => vec![word],
        Some(list) => list.items().filter_map(Node::as_str).collect(),
        None => Vec::new(),
    }
}

fn own_label(node: &Node) -> String {
    match node.as_bool() {
        Some(true) => return "anything".to_owned(),
        Some(false) => return "nothing".to_owned(),
        None => {}
    }
    let words = type_words(node);
    let mut label = words.join(" or ");
    if label.is_empty() {
        let count = |key: &str| node.get(key).and_then(Node::as_list).map(<[Node]>::len);
        label = if node.get("properties").is_some() {
            "object".to_owned()
        } else if let Some(count) = count("oneOf") {
            format!("one of {count}")
        } else if let Some(count) = count("anyOf") {
            format!("any of {count}")
        } else if let Some(count) = count("allOf") {
            format!("all of {count}")
        } else if node.get("const").is_some() {
            "constant".to_owned()
        } else if node.get("enum").is_some() {
            "choice".to_owned()
        } else {
            "any".to_owned()
        };
    }
    match node.text("format") {
        Some(format) => format!("{label}({format})"),
        None => label,
    }
}

impl<'a> Head<'a> {
    /// The rows below, in the order of the schema.
    pub(super) fn children(&self) -> Vec<Child<'a>> {
        let node: &'a Node = self.node;
        let required =
            |name: &str| node.get("required").is_some_and(|list| list.items().any(|item| item.as_str() == Some(name)));
        let mut out = Vec::new();
        for entry in node.members() {
            let value = &entry.value;
            let mut one = |name: String, node: &'a Node| out.push(Child { name, required: false, node });
            match &*entry.key {
                "properties" => out.extend(value.members().map(|member| Child {
                    name: member.key.to_string(),
                    required: required(&member.key),
                    node: &member.value,
                })),
                "patternProperties" => {
                    value.members().for_each(|member| one(format!("{{{}}}", member.key), &member.value));
                }
                "dependentSchemas" => {
                    value.members().for_each(|member| one(format!("when {} is set", member.key), &member.value));
                }
                "additionalProperties" if value.as_map().is_some_and(|map| !map.is_empty()) => {
                    one("{any other}".to_owned(), value);
                }
                "prefixItems" => {
                    value.items().enumerate().for_each(|(at, item)| one(format!("[{at}]"), item));
                }
                "items" if value.as_map().is_some() => one("[items]".to_owned(), value),
                "oneOf" | "anyOf" | "allOf" => {
                    let word = match &*entry.key {
                        "oneOf" => "one of",
                        "anyOf" => "any of",
                        _ => "all of",
                    };
                    value.items().enumerate().for_each(|(at, item)| one(format!("{word} #{}", at + 1), item));
                }
                "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "contentSchema"
                | "unevaluatedProperties"
                | "unevaluatedItems"
                    if value.as_map().is_some() =>
                {
                    one(entry.key.to_string(), value);
                }
                _ => {}
            }
        }
        out
    }

    /// Is anything below?
    pub(super) fn has_children(&self) -> bool {
        !self.children().is_empty()
    }
}
