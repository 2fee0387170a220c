//! What a branch of a choice says itself of the member that tells the branches apart.

use crate::document::Node;

use super::graph::{Graph, reference_of};

/// References and `allOf` that are looked through.
const DEEPEST: usize = 8;

/// The values that a schema allows for a member by `enum` or `const`; `None` when it does not say.
pub(super) fn member_values(graph: &mut Graph<'_>, schema: &Node, property: &str, depth: usize) -> Option<Vec<Node>> {
    if depth > DEEPEST {
        return None;
    }
    let map = schema.as_map()?;
    if let Some(reference) = reference_of(map) {
        let target = graph.resolve(reference, None).ok()?;
        return member_values(graph, target.node, property, depth + 1);
    }
    let own = schema.get("properties").and_then(|properties| properties.get(property));
    if let Some(found) = own.and_then(|own| values(graph, own, depth + 1)) {
        return Some(found);
    }
    let branches: Vec<&Node> = schema.get("allOf").into_iter().flat_map(Node::items).collect();
    branches.into_iter().find_map(|branch| member_values(graph, branch, property, depth + 1))
}

fn values(graph: &mut Graph<'_>, schema: &Node, depth: usize) -> Option<Vec<Node>> {
    if depth > DEEPEST {
        return None;
    }
    if let Some(reference) = schema.as_map().and_then(|map| reference_of(map)) {
        let target = graph.resolve(reference, None).ok()?;
        return values(graph, target.node, depth + 1);
    }
    let constant = schema.get("const").map(|value| vec![value.clone()]);
    constant.or_else(|| schema.get("enum")?.as_list().map(<[Node]>::to_vec))
}
