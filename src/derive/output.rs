//! The output schema: what a successful call returns.

use std::sync::Arc;

use crate::document::Node;

use super::build::{entry, strings};
use super::context::{Context, Dependencies};
use super::media::Family;
use super::report::{Path, Report};
use super::schema::Translation;

/// An output schema that reaches more schemas than this is left out: it would be hundreds of kilobytes for each tool
/// (Stripe's would be 182 MB in all), which no client has a use for.
const MOST_SCHEMAS: usize = 200;

/// The schema of the first 2xx JSON response; one whose root is no object is wrapped as `{"result": …}`, as the
/// result itself is; `wrapped` is told.
pub(crate) fn read<'a>(
    context: &mut Context<'a>,
    operation: &Node,
    path: &Path<'_>,
    wrapped: &mut bool,
    depends: &mut Dependencies,
    report: &mut Report,
) -> Option<Node> {
    let responses = operation.get("responses")?;
    let path = path.key("responses");
    let (status, response) = success(responses)?;
    let path = path.key(status);
    let response = match context.follow(response, depends) {
        Ok(response) => response,
        Err(error) => {
            report.lose("broken-ref", path.place(response), error.to_string());
            return None;
        }
    };
    let content = response.get("content")?;
    let path = path.key("content");
    let media = content.members().find(|media| Family::of(&media.key) == Family::Json)?;
    let path = path.key(&media.key);
    let path = path.key("schema");
    let schema = media.value.get("schema")?;
    // A broken reference in an answer does not keep the tool from being called.
    let mut aside = Report::default();
    let mut translation = Translation::new(&mut context.responses);
    translation.plan_opened(schema);
    let count = translation.reached();
    if count > MOST_SCHEMAS {
        let why = format!("the answer is described by {count} schemas, too many to send to a client");
        report.lose("output-schema-size", path.place(schema), why);
        depends.extend(translation.dependencies());
        return None;
    }
    let translated = translation.schema_opened(schema, &path, &mut aside);
    depends.extend(translation.dependencies());
    let definitions = translation.finish(&mut aside);
    report.losses.extend(aside.losses.into_iter().filter(|loss| matches!(loss.what, "broken-ref" | "circular-schema")));
    *wrapped = !is_object(&translated);
    Some(wrap(translated, definitions))
}

/// Media types of the successful response, in document order.
pub(crate) fn media_types<'a>(context: &Context<'a>, operation: &Node, depends: &mut Dependencies) -> Vec<Arc<str>> {
    let success = operation.get("responses").and_then(success);
    // A broken reference is reported where the schema is read.
    let response = success.and_then(|(_, response)| context.follow(response, depends).ok());
    let content = response.and_then(|response| response.get("content"));
    content.into_iter().flat_map(Node::members).map(|media| media.key.clone()).collect()
}

/// The first 2xx response in document order, `2XX` and `default` after those with a number.
fn success(responses: &Node) -> Option<(&str, &Node)> {
    let rank = |status: &str| match status {
        "2XX" | "2xx" => Some(1),
        "default" => Some(2),
        number if number.len() == 3 && number.starts_with('2') => Some(0),
        _ => None,
    };
    let ranked = responses.members().filter_map(|response| Some((rank(&response.key)?, response)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, response)| (&*response.key, &response.value))
}

/// An object without choices at its root.
fn is_object(schema: &Node) -> bool {
    let choice = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "enum", "const"];
    schema.text("type") == Some("object") && choice.iter().all(|key| schema.get(key).is_none())
}

fn wrap(schema: Node, definitions: Option<Node>) -> Node {
    let origin = schema.origin;
    let mut root = if is_object(&schema) {
        schema
    } else {
        let result = Node::map(vec![entry("result", schema)], origin);
        let required = strings(["result"], origin);
        let object = Node::string("object", origin);
        Node::map(vec![entry("type", object), entry("properties", result), entry("required", required)], origin)
    };
    if let (Some(definitions), Some(map)) = (definitions, root.map_mut()) {
        map.insert(entry("$defs", definitions));
    }
    root
}
