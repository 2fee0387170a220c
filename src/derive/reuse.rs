//! What of an earlier catalog still holds, so that only what changed is derived again.

use std::collections::HashMap;
use std::sync::Arc;

use crate::document::{DocumentSet, FileId, Node};

use super::model::{Catalog, Operation};
use super::operation::only_tells;
use super::operations::Found;
use super::settings::UpstreamInput;

/// The operations of one upstream in an earlier catalog, as far as they can be taken over.
pub(crate) struct Earlier<'p, 'n> {
    old: &'p DocumentSet,
    new: &'n DocumentSet,
    operations: HashMap<Arc<str>, &'p Arc<Operation>>,
    /// By file and address of the reference's text: does it lead to what it led to?
    unchanged: HashMap<(FileId, usize), bool>,
    /// The same by what the reference says, since many say the same.
    by_text: HashMap<(FileId, Arc<str>), bool>,
}

/// How much of an operation still holds.
pub(crate) enum Reuse {
    /// All of it.
    Whole(Arc<Operation>),
    /// What it takes and gives; what is said about it has changed.
    Shape(Arc<Operation>),
    Nothing,
}

/// Members of the root that decide over every operation.
const DECIDES_FOR_ALL: [&str; 9] = [
    "openapi",
    "swagger",
    "consumes",
    "produces",
    "schemes",
    "security",
    "securityDefinitions",
    "parameters",
    "responses",
];

impl<'p, 'n> Earlier<'p, 'n> {
    /// What an earlier catalog has of this upstream; `None` when nothing of it can hold.
    pub(crate) fn of(catalog: &'p Catalog, index: usize, input: &'n UpstreamInput) -> Option<Self> {
        let upstream = catalog.upstreams.get(index).filter(|upstream| upstream.name == input.name)?;
        let (old, new) = (&*upstream.documents, &*input.documents);
        let (before, after) = (&old.main.root, &new.main.root);
        let same_root = DECIDES_FOR_ALL.iter().all(|key| same(before.get(key), after.get(key)));
        let schemes = |root: &Node| root.get("components").and_then(|node| node.get("securitySchemes")).cloned();
        if !same_root || schemes(before) != schemes(after) {
            return None;
        }
        let of_upstream = catalog.all().filter(|tool| tool.upstream == index);
        let operations = of_upstream.map(|tool| (tool.operation.place.pointer.clone(), &tool.operation)).collect();
        Some(Self { old, new, operations, unchanged: HashMap::new(), by_text: HashMap::new() })
    }

    /// What was derived before and still holds of an operation.
    pub(crate) fn take(&mut self, found: &Found<'_>) -> Reuse {
        let Some(known) = self.operations.get(found.pointer.to_string().as_str()).copied() else {
            return Reuse::Nothing;
        };
        let holds = !known.degraded
            && found.broken.is_none()
            && known.place.origin == found.key_origin
            && same_shape(&known.node, found.operation)
            && same(known.item.get("parameters"), found.item.get("parameters"))
            && known.depends.iter().all(|(file, text)| self.is_unchanged(*file, text));
        match (holds, known.node.same(found.operation)) {
            (true, true) => Reuse::Whole(known.clone()),
            (true, false) => Reuse::Shape(known.clone()),
            (false, _) => Reuse::Nothing,
        }
    }

    fn is_unchanged(&mut self, file: FileId, text: &Arc<str>) -> bool {
        let (old, new) = (self.old, self.new);
        let by_text = &mut self.by_text;
        let leads_there = || {
            let (Ok(before), Ok(after)) = (old.resolve_text(text, file), new.resolve_text(text, file)) else {
                return false;
            };
            // The reference may lead on: both ends have to be what they were.
            before.node.same(after.node)
                && match (old.follow(before.node), new.follow(after.node)) {
                    (Ok(before), Ok(after)) => before.same(after),
                    _ => false,
                }
        };
        *self
            .unchanged
            .entry((file, Arc::as_ptr(text).cast::<u8>() as usize))
            .or_insert_with(|| *by_text.entry((file, text.clone())).or_insert_with(leads_there))
    }
}

/// Are all members the same that say what an operation takes and gives?
fn same_shape(before: &Node, after: &Node) -> bool {
    let decides = |node: &'_ Node| node.members().filter(|entry| !only_tells(&entry.key)).count();
    before.same(after)
        || (decides(before) == decides(after)
            && after
                .members()
                .filter(|entry| !only_tells(&entry.key))
                .all(|entry| before.get(&entry.key).is_some_and(|before| same(Some(before), Some(&entry.value)))))
}

fn same(before: Option<&Node>, after: Option<&Node>) -> bool {
    match (before, after) {
        (None, None) => true,
        (Some(before), Some(after)) => before.same(after) || (before == after && before.origin == after.origin),
        _ => false,
    }
}
