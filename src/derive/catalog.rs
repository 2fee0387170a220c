//! All upstreams become one catalog.

use std::sync::Arc;

use crate::document::{Sources, Version, version};

use super::context::Context;
use super::model::{Catalog, Hidden, HiddenBy, Operation, OperationKind, Tool, Upstream};
use super::reuse::{Earlier, Reuse};
use super::servers;
use super::settings::{Settings, UpstreamInput};
use super::touched::Touches;
use super::{conflicts, names, tool_findings};
use super::{operation, operations};

/// Derives the tools of all upstreams, in document order. The same input gives the same catalog.
///
/// `previous` only saves work: operations of which nothing changed are taken from it.
pub fn catalog(
    inputs: &[UpstreamInput],
    settings: &Settings,
    sources: Arc<Sources>,
    previous: Option<&Catalog>,
) -> Catalog {
    let previous = previous.filter(|previous| {
        previous.description_rules == settings.description && previous.argument_names == settings.arguments
    });
    let mut catalog = Catalog {
        sources,
        description_rules: settings.description.clone(),
        argument_names: settings.arguments,
        ..Catalog::default()
    };
    conflicts::prefixes(inputs, settings, &mut catalog);
    let mut tools: Vec<Tool> = Vec::new();
    for (index, input) in inputs.iter().enumerate() {
        catalog.findings.extend(input.findings.iter().cloned());
        catalog.touches.extend(input.touches.iter().cloned());
        let earlier = previous.and_then(|previous| Earlier::of(previous, index, input));
        let operations = derive_upstream(input, settings, earlier, &mut catalog);
        let mut touches = Touches::new(input.documents.main.file, &input.touches);
        for operation in operations {
            let touched_by = touches.of(&operation);
            let named = names::name(&operation, input.prefix.as_deref(), settings);
            let hidden = hidden(&operation, &named, settings, &catalog.sources);
            tools.push(Tool {
                upstream: index,
                named,
                operation,
                hidden,
                conflict: None,
                findings: Vec::new(),
                touched_by,
            });
        }
    }
    conflicts::settle(&mut tools, settings, &mut catalog);
    for tool in &mut tools {
        tool.findings = tool_findings::of(tool, &catalog);
        catalog.findings.extend(tool.findings.iter().cloned());
    }
    for tool in tools {
        let list = if tool.hidden.is_some() { &mut catalog.hidden } else { &mut catalog.tools };
        list.push(Arc::new(tool));
    }
    catalog
}

/// The operations of one upstream, those of `earlier` where nothing changed. Adds the upstream to the catalog.
fn derive_upstream(
    input: &UpstreamInput,
    settings: &Settings,
    mut earlier: Option<Earlier<'_, '_>>,
    catalog: &mut Catalog,
) -> Vec<Arc<Operation>> {
    let set = &*input.documents;
    let root = &set.main.root;
    let read = version(root);
    let text = |key: &str| root.get("info").and_then(|info| info.text(key)).unwrap_or_default().to_owned();
    let written = root.get("openapi").or_else(|| root.get("swagger"));
    catalog.upstreams.push(Upstream {
        name: input.name.clone(),
        prefix: input.prefix.clone(),
        title: text("title"),
        version: written
            .map(|node| node.as_str().map_or_else(|| crate::document::to_json(node, false), str::to_owned))
            .unwrap_or_default(),
        base_url: input
            .base_url
            .clone()
            .or_else(|| servers::first(root, read.as_ref().map_or(Version::V3_1, |(version, _)| *version))),
        documents: input.documents.clone(),
    });
    let version = match read {
        Ok((version, mut noticed)) => {
            catalog.findings.append(&mut noticed);
            version
        }
        Err(finding) => {
            catalog.findings.push(*finding);
            return Vec::new();
        }
    };
    let mut context = Context::new(set, version, settings);
    let mut findings = Vec::new();
    let found = operations::find(&context, &mut findings);
    catalog.findings.append(&mut findings);
    let derived = found.iter().map(|found| match earlier.as_mut().map(|earlier| earlier.take(found)) {
        Some(Reuse::Whole(known)) => known,
        Some(Reuse::Shape(known)) => Arc::new(operation::derive(&mut context, found, Some(&known))),
        Some(Reuse::Nothing) | None => Arc::new(operation::derive(&mut context, found, None)),
    });
    derived.collect()
}

/// Why a tool is not exposed, before collisions are looked at.
fn hidden(
    operation: &Operation,
    named: &crate::naming::Named,
    settings: &Settings,
    sources: &Sources,
) -> Option<Hidden> {
    let (by, why, place) = if let Some(place) = &operation.disabled {
        (HiddenBy::Extension, format!("x-mcp-enabled is false at {}", sources.cite(place)), Some(place.clone()))
    } else if operation.kind != OperationKind::Path {
        let what = if operation.kind == OperationKind::Webhook { "a webhook" } else { "a callback" };
        (HiddenBy::Method, format!("{what} is called by the API, not by a client"), Some(operation.place.clone()))
    } else if settings.hidden_methods.iter().any(|method| **method == *operation.method) {
        let why = format!("{} operations are not exposed", operation.method);
        (HiddenBy::Method, why, Some(operation.place.clone()))
    } else if let Some(why) = &named.rejected {
        (HiddenBy::Invalid, why.clone(), None)
    } else {
        return None;
    };
    Some(Hidden { by, why, place })
}
