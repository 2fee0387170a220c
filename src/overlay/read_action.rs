//! Reading one action (Overlay 1.1 section 4.4.3).

use super::measure::stamp;
use super::model::{Action, ActionKind, CopySource, Rules};
use super::read::{check_members, future_feature, place, text_member, with_article};
use crate::document::jsonpath::{Query, QueryError};
use crate::document::{Entry, Finding, Node, Origin};

const ACTION: &[&str] = &["target", "description", "update", "remove", "copy"];
/// Extensions that proxies read as truth values.
const FLAGS: [&str; 2] = ["x-mcp-enabled", "x-mcp-safe"];

/// Reads an action; never fails, for an action that is none is one of kind [`ActionKind::Invalid`].
pub(super) fn read_action(node: &Node, index: u16, rules: Rules) -> Action {
    let stamped = |origin: Origin| Origin { action: Some(index), ..origin };
    let above = format!("/actions/{index}");
    let mut findings = Vec::new();
    let target = read_target(node, &above, &mut findings);
    let mut action = Action {
        index,
        origin: stamped(node.origin),
        target_origin: stamped(node.get("target").unwrap_or(node).origin),
        query: target.as_deref().map_or_else(|| Err(no_target()), Query::parse),
        target: target.unwrap_or_default(),
        description: text_member(node, "description", &above, &mut findings),
        kind: ActionKind::None,
        extensions: Vec::new(),
        findings: Vec::new(),
    };
    let reference = node.get("$ref").is_some();
    let future =
        |entry: &Entry| (&*entry.key == "$ref").then(|| future_feature(rules, "a reference to a reusable action"));
    action.extensions = check_members(node, ACTION, &above, future, &mut findings);
    action.kind = read_kind(node, index, rules, reference, &mut findings);
    if action.query.is_err() && action.target.starts_with('$')
        || matches!(&action.query, Ok(query) if !query.remarks().is_empty())
    {
        note_query("target", &action.query, stamped(action.target_origin), &above, &mut findings);
    }
    if let ActionKind::Copy(source) = &action.kind {
        note_query("copy", &source.query, source.origin, &above, &mut findings);
    }
    if matches!(action.kind, ActionKind::None) {
        let message = "the action has no effect: it has neither `update`, `copy` nor `remove: true`";
        let finding = Finding::warning("overlay-no-effect", message).at(place(node.origin, above.as_str()));
        findings.push(finding.remedy("add one of them"));
    }
    for finding in &mut findings {
        if let Some(place) = &mut finding.place {
            place.origin = stamped(place.origin);
        }
    }
    action.findings = findings;
    action
}

fn no_target() -> QueryError {
    QueryError { offset: 0, message: "there is no target".to_owned(), remedy: None }
}

fn read_target(node: &Node, above: &str, findings: &mut Vec<Finding>) -> Option<String> {
    let code = "overlay-invalid";
    if node.as_map().is_none() {
        let message = format!("an action is an object, this is {}", with_article(node.kind()));
        findings.push(
            Finding::error(code, message).at(place(node.origin, above)).remedy("write it with `target` and `update`"),
        );
        return None;
    }
    let Some(target) = node.get("target") else {
        let message = "the action has no `target`";
        findings.push(
            Finding::error(code, message)
                .at(place(node.origin, above))
                .remedy("add `target`, a JSONPath such as $.info"),
        );
        return None;
    };
    let text = text_member(node, "target", above, findings)?;
    if !text.starts_with('$') {
        let at = place(target.origin, format!("{above}/target"));
        let message = format!("the target `{text}` does not begin with $");
        let remedy =
            Query::parse(&text).err().and_then(|error| error.remedy).unwrap_or_else(|| "begin it with $".to_owned());
        findings.push(Finding::error("overlay-invalid-target", message).at(at).remedy(remedy));
    }
    Some(text)
}

fn note_query(
    field: &str,
    query: &Result<Query, QueryError>,
    origin: Origin,
    above: &str,
    findings: &mut Vec<Finding>,
) {
    let at = || place(origin, format!("{above}/{field}"));
    match query {
        Err(error) => {
            let mut finding =
                Finding::error("overlay-invalid-target", format!("`{field}` is no valid JSONPath: {error}")).at(at());
            finding.remedy = error.remedy.clone();
            findings.push(finding);
        }
        Ok(query) => findings.extend(query.remarks().iter().map(|remark| {
            let message = format!("`{field}`: {} (at character {})", remark.message, remark.offset + 1);
            Finding::warning("overlay-target-pattern", message).at(at()).remedy("mend the pattern")
        })),
    }
}

fn read_kind(node: &Node, index: u16, rules: Rules, reference: bool, findings: &mut Vec<Finding>) -> ActionKind {
    let above = format!("/actions/{index}");
    let (update, copy) = (node.get("update"), node.get("copy"));
    let removes = match node.get("remove") {
        None => false,
        Some(remove) => match remove.as_bool() {
            Some(flag) => flag,
            None => {
                let message = format!("`remove` must be true or false, it is {}", with_article(remove.kind()));
                let at = place(remove.origin, format!("{above}/remove"));
                findings.push(
                    Finding::error("overlay-invalid", message).at(at).remedy("write `remove: true` without quotes"),
                );
                return ActionKind::Invalid;
            }
        },
    };
    if node.as_map().is_none() || reference {
        return ActionKind::Invalid;
    }
    if removes {
        for (field, ignored) in [("update", update), ("copy", copy)] {
            if let Some(ignored) = ignored {
                let message = format!("`{field}` is ignored beside `remove: true`");
                let at = place(ignored.origin, format!("{above}/{field}"));
                findings.push(Finding::info("overlay-ignored-field", message).at(at).remedy("take one of them away"));
            }
        }
        return ActionKind::Remove;
    }
    match (update, copy) {
        (None, None) => ActionKind::None,
        (Some(update), None) => {
            note_flags(update, &format!("{above}/update"), findings);
            ActionKind::Update(stamp(update, index))
        }
        (None, Some(copy)) => read_copy(node, copy, index, rules, findings),
        (Some(_), Some(copy)) => {
            let message = "`update` and `copy` in one action: neither is applied";
            let at = place(copy.origin, format!("{above}/copy"));
            findings.push(Finding::error("overlay-invalid", message).at(at).remedy("make two actions of it"));
            ActionKind::Invalid
        }
    }
}

fn read_copy(node: &Node, copy: &Node, index: u16, rules: Rules, findings: &mut Vec<Finding>) -> ActionKind {
    let above = format!("/actions/{index}");
    let at = place(copy.origin, format!("{above}/copy"));
    if rules == Rules::V1_0 {
        let message = "`copy` is new in Overlay 1.1 and not applied under 1.0";
        findings.push(Finding::error("overlay-version", message).at(at).remedy("write `overlay: 1.1.0`"));
        return ActionKind::Invalid;
    }
    let Some(text) = text_member(node, "copy", &above, findings) else {
        return ActionKind::Invalid;
    };
    let origin = Origin { action: Some(index), ..copy.origin };
    ActionKind::Copy(CopySource { query: Query::parse(&text), text, origin })
}

/// `x-mcp-enabled: "false"` is text, which programs that want a truth value ignore or refuse.
fn note_flags(update: &Node, above: &str, findings: &mut Vec<Finding>) {
    let mut open = vec![update];
    while let Some(node) = open.pop() {
        for entry in node.members().filter(|entry| FLAGS.contains(&&*entry.key)) {
            if let Some(text) = entry.value.as_str() {
                let key = &entry.key;
                let message = format!("`{key}` is the text \"{text}\" and not a boolean");
                let remedy = format!("write `{key}: {}` without quotes", text != "false");
                let at = place(entry.value.origin, above);
                findings.push(Finding::warning("overlay-type-surprise", message).at(at).remedy(remedy));
            }
        }
        // Reversed, so that what stands first is told first.
        open.extend(node.members().rev().map(|entry| &entry.value));
        open.extend(node.items().rev());
    }
}
