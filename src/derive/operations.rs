//! Every operation of a document, in document order: paths, then webhooks, each followed by its callbacks.

use std::sync::Arc;

use crate::document::{Entry, Finding, Node, Origin, Place, Pointer, Version};

use super::context::{Context, Dependencies};
use super::model::OperationKind;

/// An operation and where it stands.
pub(crate) struct Found<'a> {
    pub(crate) kind: OperationKind,
    /// Upper case.
    pub(crate) method: Arc<str>,
    /// Path template; the name of a webhook; the expression of a callback.
    pub(crate) path: Arc<str>,
    /// The path item, references followed.
    pub(crate) item: &'a Node,
    pub(crate) item_pointer: Pointer,
    /// The operation, references followed.
    pub(crate) operation: &'a Node,
    pub(crate) pointer: Pointer,
    /// The method's key.
    pub(crate) key_origin: Origin,
    /// References that were followed to get here.
    pub(crate) depends: Dependencies,
    /// The operation is a reference that leads nowhere.
    pub(crate) broken: Option<String>,
}

/// Finds all operations. What is no operation and should be one is a finding.
pub(crate) fn find<'a>(context: &Context<'a>, findings: &mut Vec<Finding>) -> Vec<Found<'a>> {
    let root = &context.set.main.root;
    let mut search = Search { context, findings, found: Vec::new() };
    let start = Pointer::default();
    if let Some(paths) = root.get("paths") {
        search.items(paths, &start.key("paths"), OperationKind::Path);
    }
    if let Some(webhooks) = root.get("webhooks") {
        search.items(webhooks, &start.key("webhooks"), OperationKind::Webhook);
    }
    search.found
}

/// The methods that a path item of this version may have.
fn methods(version: Version) -> &'static [&'static str] {
    match version {
        Version::Swagger2 => &["get", "put", "post", "delete", "options", "head", "patch"],
        Version::V3_0 | Version::V3_1 => &["get", "put", "post", "delete", "options", "head", "patch", "trace"],
        Version::V3_2 => &["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"],
    }
}

/// A path item while its operations are read.
struct Item<'i, 'a> {
    kind: OperationKind,
    path: &'i Arc<str>,
    node: &'a Node,
    pointer: &'i Pointer,
    depends: &'i Dependencies,
}

struct Search<'c, 'a, 'f> {
    context: &'c Context<'a>,
    findings: &'f mut Vec<Finding>,
    found: Vec<Found<'a>>,
}

impl<'a> Search<'_, 'a, '_> {
    fn items(&mut self, items: &'a Node, pointer: &Pointer, kind: OperationKind) {
        if items.as_map().is_none() {
            let message = format!("`{pointer}` is {}, not an object", items.kind());
            self.report("invalid-paths", message, pointer, items.origin);
        }
        for entry in items.members().filter(|entry| !entry.key.starts_with("x-")) {
            let pointer = pointer.key(entry.key.clone());
            self.item(&entry.value, &entry.key, &pointer, kind, entry.key_origin);
        }
    }

    fn item(&mut self, written: &'a Node, path: &Arc<str>, pointer: &Pointer, kind: OperationKind, origin: Origin) {
        let mut depends = Dependencies::new();
        let item = match self.context.follow(written, &mut depends) {
            Ok(item) => item,
            Err(error) => return self.report("broken-ref", error.to_string(), pointer, origin),
        };
        if item.as_map().is_none() {
            let message = format!("the path item of `{path}` is {}, not an object", item.kind());
            return self.report("invalid-path-item", message, pointer, origin);
        }
        // What stands beside a path item's $ref is the document's own word on it and comes first.
        let own = std::ptr::eq(written, item);
        let around = Item { kind, path, node: item, pointer, depends: &depends };
        for source in [Some(written), (!own).then_some(item)].into_iter().flatten() {
            for entry in source.members() {
                let known = methods(self.context.version).contains(&&*entry.key);
                let pointer = pointer.key(entry.key.clone());
                if known {
                    let method: Arc<str> = entry.key.to_ascii_uppercase().into();
                    self.operation(entry, method, &around, pointer);
                } else if &*entry.key == "additionalOperations" && self.context.version == Version::V3_2 {
                    for extra in entry.value.members() {
                        let pointer = pointer.key(extra.key.clone());
                        self.operation(extra, extra.key.clone(), &around, pointer);
                    }
                } else if methods(Version::V3_2).contains(&entry.key.to_ascii_lowercase().as_str()) {
                    let message = format!("`{}` is no method of a path item in this version", entry.key);
                    self.report("unknown-method", message, &pointer, entry.key_origin);
                }
            }
        }
    }

    fn operation(&mut self, entry: &'a Entry, method: Arc<str>, around: &Item<'_, 'a>, pointer: Pointer) {
        let mut depends = around.depends.clone();
        let (operation, broken) = match self.context.follow(&entry.value, &mut depends) {
            Ok(operation) => (operation, None),
            Err(error) => (&entry.value, Some(error.to_string())),
        };
        if operation.as_map().is_none() {
            let message = format!("the operation is {}, not an object", operation.kind());
            return self.report("invalid-operation", message, &pointer, entry.key_origin);
        }
        self.found.push(Found {
            kind: around.kind,
            method,
            path: around.path.clone(),
            item: around.node,
            item_pointer: around.pointer.clone(),
            operation,
            pointer: pointer.clone(),
            key_origin: entry.key_origin,
            depends,
            broken,
        });
        if around.kind != OperationKind::Callback {
            self.callbacks(operation, &pointer);
        }
    }

    fn callbacks(&mut self, operation: &'a Node, pointer: &Pointer) {
        let Some(callbacks) = operation.get("callbacks") else { return };
        let pointer = pointer.key("callbacks");
        for callback in callbacks.members() {
            let pointer = pointer.key(callback.key.clone());
            match self.context.follow(&callback.value, &mut Dependencies::new()) {
                Ok(found) => self.items(found, &pointer, OperationKind::Callback),
                Err(error) => self.report("broken-ref", error.to_string(), &pointer, callback.key_origin),
            }
        }
    }

    fn report(&mut self, code: &'static str, message: String, pointer: &Pointer, origin: Origin) {
        let place = Place { origin, pointer: pointer.to_string().into() };
        let finding = Finding::error(code, message).at(place).remedy("mend the document at this line");
        self.findings.push(finding);
    }
}
