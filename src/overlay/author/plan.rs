//! From an intent to actions.

use super::argument::{self, Wanted};
use super::draft::{Draft, DraftEffect, entry, nowhere, text};
use super::intent::{Intent, Summary};
use super::target::targets;
use crate::document::jsonpath::readable;
use crate::document::{Entry, Node, Pointer, Value};

/// The actions that an intent needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// In this order.
    pub drafts: Vec<Draft>,
    /// What a person should know before they are kept.
    pub remarks: Vec<String>,
}

/// Why an intent cannot become an action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct IntentError {
    /// What is in the way.
    pub message: String,
    /// What to do.
    pub remedy: String,
    /// All is as it should be already.
    pub nothing: bool,
}

impl IntentError {
    pub(super) fn new(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { message: message.into(), remedy: remedy.into(), nothing: false }
    }

    pub(super) fn nothing() -> Self {
        let error = Self::new("it is so already; there is nothing to write", "nothing is to be done");
        Self { nothing: true, ..error }
    }
}

/// The actions that make an intent true for the operations, which are given by their pointers in the document as it is
/// when the actions run.
///
/// One operation is named by its path; several that get the same are named by a query that was checked to match exactly
/// them, or one by one where there is none.
///
/// # Errors
/// The document has no such operation, the intent makes no sense for it, or all is so already.
pub fn plan(root: &Node, operations: &[Pointer], intent: &Intent) -> Result<Plan, IntentError> {
    if let (Intent::Rename { .. }, true) = (intent, operations.len() > 1) {
        return Err(IntentError::new("several tools cannot have one name", "rename them one by one"));
    }
    let mut plan = Plan::default();
    // Operations by what they get, in the order of the first of each.
    let mut groups: Vec<(Node, Vec<Pointer>)> = Vec::new();
    let mut nothing = None;
    let described = match intent {
        Intent::ArgumentText { text: words, .. } => text(words),
        _ => text(""),
    };
    for pointer in operations {
        let operation = pointer.find(root).filter(|node| node.as_map().is_some()).ok_or_else(|| not_here(pointer))?;
        let wanted = match intent {
            Intent::Required { argument, required } => Some((argument, Wanted::Required(*required))),
            Intent::Default { argument, value } => Some((argument, Wanted::Default(value))),
            Intent::ArgumentText { text, .. } if text.trim().is_empty() => {
                return Err(IntentError::new("a description cannot be empty", "say what the argument is for"));
            }
            Intent::ArgumentText { argument, .. } => Some((argument, Wanted::Description(&described))),
            _ => None,
        };
        if let Some((argument, wanted)) = wanted {
            match argument::drafts(root, pointer, argument, &wanted) {
                Ok((drafts, remarks)) => {
                    for draft in drafts {
                        if !plan.drafts.contains(&draft) {
                            plan.drafts.push(draft);
                        }
                    }
                    plan.remarks.extend(remarks);
                }
                Err(error) if error.nothing => nothing = Some(error),
                Err(error) => return Err(error),
            }
            continue;
        }
        let mut members = members(operation, intent)?;
        members.retain(|member| operation.get(&member.key) != Some(&member.value));
        if members.is_empty() {
            nothing = Some(IntentError::nothing());
            continue;
        }
        let mut drafts = argument::merge(&readable(pointer), operation, members);
        let Some(Draft { effect: DraftEffect::Update(value), .. }) = drafts.pop() else { continue };
        plan.drafts.extend(drafts);
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, group)) => group.push(pointer.clone()),
            None => groups.push((value, vec![pointer.clone()])),
        }
    }
    for (value, group) in groups {
        plan.drafts.extend(targets(root, &group).iter().map(|target| Draft::update(target, value.clone())));
    }
    plan.remarks.sort();
    plan.remarks.dedup();
    if plan.drafts.is_empty() { Err(nothing.unwrap_or_else(IntentError::nothing)) } else { Ok(plan) }
}

fn not_here(pointer: &Pointer) -> IntentError {
    IntentError::new(
        format!("the document has no operation at {pointer}"),
        "an overlay changes the document itself; an operation that a reference brings in is changed in its own file",
    )
}

fn members(operation: &Node, intent: &Intent) -> Result<Vec<Entry>, IntentError> {
    let flag = |key: &str, flag: bool| vec![entry(key, Node::new(Value::Bool(flag), nowhere()))];
    Ok(match intent {
        Intent::Rename { name } if name.trim().is_empty() => {
            return Err(IntentError::new("a name cannot be empty", "give the tool a name"));
        }
        Intent::Rename { name } => vec![entry("x-mcp-tool-name", text(name))],
        Intent::Describe { text, .. } if text.trim().is_empty() => {
            return Err(IntentError::new("a description cannot be empty", "say what the tool does"));
        }
        Intent::Describe { text, reads } => describe(operation, text, *reads),
        Intent::Hide => flag("x-mcp-enabled", false),
        // Without the extension it is shown already.
        Intent::Show if operation.get("x-mcp-enabled").is_none() => Vec::new(),
        Intent::Show => flag("x-mcp-enabled", true),
        Intent::Safe(false) if operation.get("x-mcp-safe").is_none() => Vec::new(),
        Intent::Safe(safe) => flag("x-mcp-safe", *safe),
        Intent::Format(format) => vec![entry("x-mcp-response-format", text(format.word()))],
        Intent::Transform { over, program } => vec![entry(over.key(), text(program))],
        // Told by the caller.
        Intent::Required { .. } | Intent::Default { .. } | Intent::ArgumentText { .. } => Vec::new(),
    })
}

/// Sets what the model reads. A summary that would hide the description is set as well.
fn describe(operation: &Node, words: &str, reads: Summary) -> Vec<Entry> {
    let has_summary = operation.get("summary").is_some_and(|node| node.as_str().is_none_or(|t| !t.trim().is_empty()));
    let description = entry("description", text(words));
    match reads {
        Summary::First if has_summary => vec![entry("summary", text(words)), description],
        _ => vec![description],
    }
}
