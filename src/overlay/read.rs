//! Reading an overlay, with every deviation from its schema as a finding (Overlay 1.0, 1.1 section 4; 1.2 draft).

use std::collections::HashMap;

use super::model::{Action, Overlay, Rules};
use super::nearest::nearest;
use super::read_action;
use crate::document::{Document, Entry, Finding, Node, Origin, Place};

/// Members of the root, of `info` and of an action that each version knows.
pub(super) const ROOT: &[&str] = &["overlay", "info", "extends", "actions"];
const INFO: &[&str] = &["title", "version", "description"];

impl Overlay {
    /// Reads an overlay from a parsed file whose name is `name`.
    ///
    /// Reads what can be understood; the rest is in [`Overlay::findings`] and in the findings of the actions. A target
    /// that is no valid JSONPath is a finding of its action, for the schema of overlays does not know of it.
    ///
    /// # Errors
    /// Nothing in the file can be applied: it is no object, has no known version or has no list of actions.
    pub fn read(document: &Document, name: &str) -> Result<Self, Vec<Finding>> {
        let root = &document.root;
        let mut findings = document.findings.clone();
        if root.as_map().is_none() {
            let message = format!("an overlay is an object, this file is {}", with_article(root.kind()));
            let remedy = "begin with `overlay: 1.1.0`, `info` and `actions`";
            findings.push(Finding::error("overlay-invalid", message).at(place(root.origin, "")).remedy(remedy));
            return Err(findings);
        }
        let rules = read_version(root, &mut findings);
        let (title, description) = read_info(root, rules.unwrap_or(Rules::V1_1), &mut findings);
        let extends = text_member(root, "extends", "", &mut findings);
        let extensions = check_members(root, ROOT, "", |entry| future_root(entry, rules), &mut findings);
        let items = action_list(root, &mut findings);
        let (Some(rules), Some(items)) = (rules, items) else {
            return Err(findings);
        };
        let mut actions: Vec<_> = items
            .iter()
            .zip(0..=u16::MAX - 1)
            .map(|(node, index)| read_action::read_action(node, index, rules))
            .collect();
        if items.len() > actions.len() {
            let message = format!("only the first {} of {} actions are read", actions.len(), items.len());
            findings.push(Finding::error("overlay-invalid", message).at(place(root.origin, "/actions")));
        }
        note_repeated(items, &mut actions);
        findings.extend(actions.iter().flat_map(|action| action.findings.iter().cloned()));
        Ok(Self {
            file: document.file,
            name: name.to_owned(),
            version: root.text("overlay").unwrap_or_default().to_owned(),
            rules,
            title,
            description,
            extends_place: extends.as_ref().and(root.get("extends")).map(|node| place(node.origin, "/extends")),
            extends,
            actions,
            extensions,
            findings,
        })
    }
}

/// The byte offset of each action, for [`crate::document::SourceFile::with_actions`].
pub fn action_offsets(overlay: &Overlay) -> Vec<u32> {
    overlay.actions.iter().map(|action| action.origin.start).collect()
}

pub(super) fn place(origin: Origin, pointer: impl Into<std::sync::Arc<str>>) -> Place {
    Place { origin, pointer: pointer.into() }
}

/// `a string`, `an object`, `null`.
pub(super) fn with_article(kind: &str) -> String {
    match kind {
        "null" => kind.to_owned(),
        "array" | "object" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

/// Optional text of a map; anything else is an error.
pub(super) fn text_member(map: &Node, key: &str, above: &str, findings: &mut Vec<Finding>) -> Option<String> {
    let node = map.get(key)?;
    let text = node.as_str();
    if text.is_none() {
        let message = format!("`{key}` must be a string, it is {}", with_article(node.kind()));
        let remedy = match &node.value {
            crate::document::Value::List(_) | crate::document::Value::Map(_) => format!("write `{key}` as text"),
            _ => format!("put the value of `{key}` in quotes"),
        };
        let at = place(node.origin, format!("{above}/{key}"));
        findings.push(Finding::error("overlay-invalid", message).at(at).remedy(remedy));
    }
    text.map(str::to_owned)
}

/// The same for text that must be there.
fn required_text(map: &Node, key: &str, above: &str, findings: &mut Vec<Finding>) -> Option<String> {
    if map.get(key).is_none() {
        let owner = above.trim_start_matches('/');
        findings.push(
            Finding::error("overlay-invalid", format!("`{owner}` has no `{key}`"))
                .at(place(map.origin, above))
                .remedy(format!("add `{key}` to `{owner}`")),
        );
    }
    text_member(map, key, above, findings)
}

fn read_version(root: &Node, findings: &mut Vec<Finding>) -> Option<Rules> {
    let Some(node) = root.get("overlay") else {
        let message = "the file has no `overlay` version, so it is no overlay";
        findings
            .push(Finding::error("overlay-version", message).at(place(root.origin, "")).remedy("add `overlay: 1.1.0`"));
        return None;
    };
    let at = place(node.origin, "/overlay");
    let written = match &node.value {
        crate::document::Value::String(text) => text.to_string(),
        crate::document::Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let mut numbers = written.split('.');
    let (major, minor, patch) = (numbers.next(), numbers.next(), numbers.next());
    let rules = match (major, minor) {
        (Some("1"), Some("0")) => Rules::V1_0,
        (Some("1"), Some("1")) => Rules::V1_1,
        (Some("1"), Some("2")) => Rules::V1_2,
        _ => {
            let message = format!("overlay version `{written}` is not known");
            let remedy = "known versions are 1.0.x and 1.1.x; write `overlay: 1.1.0`";
            findings.push(Finding::error("overlay-version", message).at(at).remedy(remedy));
            return None;
        }
    };
    let digits = |patch: &str| !patch.is_empty() && patch.bytes().all(|byte| byte.is_ascii_digit());
    if node.as_str().is_none() || !patch.is_some_and(digits) || numbers.next().is_some() {
        let minor = minor.unwrap_or_default();
        let message =
            format!("overlay version `{written}` must be text of the form 1.{minor}.0; it is read as 1.{minor}");
        findings
            .push(Finding::error("overlay-version", message).at(at).remedy(format!("write `overlay: 1.{minor}.0`")));
    }
    Some(rules)
}

fn read_info(root: &Node, rules: Rules, findings: &mut Vec<Finding>) -> (String, Option<String>) {
    let Some(info) = root.get("info") else {
        let message = "the overlay has no `info`";
        let remedy = "add `info` with `title` and `version`";
        findings.push(Finding::error("overlay-invalid", message).at(place(root.origin, "")).remedy(remedy));
        return Default::default();
    };
    if info.as_map().is_none() {
        let message = format!("`info` must be an object, it is {}", with_article(info.kind()));
        let remedy = "write `info` with `title` and `version`";
        findings.push(Finding::error("overlay-invalid", message).at(place(info.origin, "/info")).remedy(remedy));
        return Default::default();
    }
    let title = required_text(info, "title", "/info", findings);
    required_text(info, "version", "/info", findings);
    let description = text_member(info, "description", "/info", findings);
    if let (Some(node), Rules::V1_0) = (info.get("description"), rules) {
        let message = "`info.description` is new in Overlay 1.1";
        let finding = Finding::warning("overlay-version", message).at(place(node.origin, "/info/description"));
        findings.push(finding.remedy("write `overlay: 1.1.0`"));
    }
    check_members(info, INFO, "/info", |_| None, findings);
    (title.unwrap_or_default(), description)
}

/// Gives back the extensions; members that are neither known nor extensions are errors, unless `future` knows them.
pub(super) fn check_members(
    map: &Node,
    known: &[&str],
    above: &str,
    future: impl Fn(&Entry) -> Option<Finding>,
    findings: &mut Vec<Finding>,
) -> Vec<Entry> {
    let mut extensions = Vec::new();
    for entry in map.members().filter(|entry| !known.contains(&&*entry.key)) {
        if entry.key.starts_with("x-") {
            extensions.push(entry.clone());
            continue;
        }
        let at = place(entry.key_origin, format!("{above}/{}", crate::document::pointer::escape(&entry.key)));
        if let Some(finding) = future(entry) {
            findings.push(finding.at(at));
            continue;
        }
        let remedy = match nearest(&entry.key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("take it away, or name it `x-{}`", entry.key),
        };
        let message = format!("`{}` is not known here and has no effect", entry.key);
        findings.push(Finding::error("overlay-invalid", message).at(at).remedy(remedy));
    }
    extensions
}

/// A part that the 1.2 draft adds.
pub(super) fn future_feature(rules: Rules, what: &str) -> Finding {
    let message = format!("{what} is a feature of the Overlay 1.2 draft and is not applied");
    let remedy = "write the actions out";
    let severity =
        if rules == Rules::V1_2 { crate::document::Severity::Warning } else { crate::document::Severity::Error };
    Finding::new("overlay-future-feature", severity, message).remedy(remedy)
}

fn future_root(entry: &Entry, rules: Option<Rules>) -> Option<Finding> {
    let rules = rules.unwrap_or(Rules::V1_1);
    match &*entry.key {
        "components" => Some(future_feature(rules, "`components` (reusable actions)")),
        "$self" => Some(future_feature(rules, "`$self`")),
        _ => None,
    }
}

fn action_list<'a>(root: &'a Node, findings: &mut Vec<Finding>) -> Option<&'a [Node]> {
    let remedy = "write `actions` as a list with at least one `target`";
    let (origin, message) = match root.get("actions") {
        None => (root.origin, "the overlay has no `actions`".to_owned()),
        Some(node) => match node.as_list() {
            Some([]) => (node.origin, "`actions` is empty".to_owned()),
            Some(items) => return Some(items),
            None => (node.origin, format!("`actions` must be an array, it is {}", with_article(node.kind()))),
        },
    };
    findings.push(Finding::error("overlay-invalid", message).at(place(origin, "/actions")).remedy(remedy));
    None
}

/// Two equal actions are against the schema (`uniqueItems`), both are applied all the same.
fn note_repeated(items: &[Node], actions: &mut [Action]) {
    let mut by_target: HashMap<&str, Vec<&Node>> = HashMap::new();
    for (node, action) in items.iter().zip(actions) {
        let before = by_target.entry(node.text("target").unwrap_or_default()).or_default();
        if before.contains(&node) {
            let message = "this action is the same as one before it";
            action
                .findings
                .push(Finding::error("overlay-invalid", message).at(action.place()).remedy("take one of them away"));
        } else {
            before.push(node);
        }
    }
}
