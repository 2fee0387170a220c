//! The operation object itself.

use super::super::{DocumentSet, Node};
use super::build::{Context, Members};
use super::parameter::Given;
use super::{Converted, body, parameter, response, servers};

/// A Swagger 2.0 operation in the shape of OpenAPI 3.0, with the parameters of its path item.
///
/// `parameters`, `responses` and `schemes` are converted (see the rules beside each), `consumes` and `produces` go
/// into the contents, every other member stays the same node in its place. Broken pieces become findings and are left
/// out; the rest goes on.
pub fn operation<'a>(set: &'a DocumentSet, path_item: &'a Node, operation: &'a Node) -> Converted {
    let mut context = Context { set, findings: Vec::new() };
    let given = parameter::collect(&mut context, path_item, operation);
    let mut out = Members::default();
    for entry in operation.members() {
        match &*entry.key {
            "consumes" | "produces" | "schemes" | "requestBody" | "servers" => {}
            "parameters" => parameters(&mut context, &mut out, &given, operation),
            "responses" => {
                let responses = response::responses(&mut context, &entry.value, operation);
                out.change(entry, responses);
            }
            _ => out.keep(entry),
        }
    }
    if operation.get("parameters").is_none() && !given.is_empty() {
        parameters(&mut context, &mut out, &given, operation);
    }
    if let Some(servers) = servers::of_operation(context.root(), operation) {
        out.put("servers", servers);
    }
    foreign_members(&mut context, &mut out, operation);
    Converted { operation: out.node(operation.origin), findings_or_losses: context.findings }
}

fn parameters<'a>(context: &mut Context<'a>, out: &mut Members, given: &[Given<'a>], operation: &'a Node) {
    let origin = operation.get("parameters").map_or(operation.origin, |list| list.origin);
    let (bodies, others): (Vec<&Given<'a>>, Vec<&Given<'a>>) = given.iter().partition(|given| given.is_body());
    let converted: Vec<Node> = others.iter().filter_map(|given| parameter::convert(context, given)).collect();
    if operation.get("parameters").is_some() || !converted.is_empty() {
        out.put("parameters", Node::list(converted, origin));
    }
    if let Some(body) = body::request_body(context, &bodies, operation) {
        out.put("requestBody", body);
    }
}

/// Members that belong to OpenAPI 3 and have no meaning in a Swagger 2.0 operation: kept when nothing took their
/// name, for they were meant.
fn foreign_members(context: &mut Context<'_>, out: &mut Members, operation: &Node) {
    for name in ["requestBody", "servers"] {
        let Some(entry) = operation.entry(name) else { continue };
        let (message, remedy) = if out.has(name) {
            (format!("`{name}` belongs to OpenAPI 3 and is ignored in Swagger 2.0"), "remove it")
        } else {
            out.keep(entry);
            (
                format!("`{name}` belongs to OpenAPI 3; it is read although the document is Swagger 2.0"),
                "convert the document",
            )
        };
        context.warn("swagger-foreign-member", &entry.value, message, remedy);
    }
}
