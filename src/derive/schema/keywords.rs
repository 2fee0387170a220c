//! Which JSON Schema 2020-12 keyword takes what.

use crate::document::{Node, Value};

/// What stands under a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A schema that applies to a part of the instance.
    Schema,
    /// A schema that applies to the instance itself.
    SchemaInPlace,
    /// A list of schemas that apply to parts.
    Schemas,
    /// A list of schemas that apply to the instance itself.
    SchemasInPlace,
    /// A map of schemas that apply to parts.
    SchemaMap,
    /// A map of schemas that apply to the instance itself.
    SchemaMapInPlace,
    /// Any value.
    Any,
    /// Text.
    Text,
    /// A truth value.
    Flag,
    /// A number.
    Number,
    /// A number above zero.
    PositiveNumber,
    /// A whole number from zero.
    Count,
    /// A list of any values.
    List,
    /// A map of lists of texts.
    TextLists,
}

/// What the keyword takes; `None` when JSON Schema 2020-12 has no such keyword, or when it is handled by itself.
pub(crate) fn kind(keyword: &str) -> Option<Kind> {
    Some(match keyword {
        "additionalProperties"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "propertyNames"
        | "contains"
        | "contentSchema" => Kind::Schema,
        "not" | "if" | "then" | "else" => Kind::SchemaInPlace,
        "prefixItems" => Kind::Schemas,
        "allOf" | "anyOf" | "oneOf" => Kind::SchemasInPlace,
        "patternProperties" => Kind::SchemaMap,
        "dependentSchemas" => Kind::SchemaMapInPlace,
        "default" | "const" => Kind::Any,
        "title" | "description" | "format" | "pattern" | "contentMediaType" | "contentEncoding" => Kind::Text,
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => Kind::Flag,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Kind::Number,
        "multipleOf" => Kind::PositiveNumber,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => Kind::Count,
        "examples" => Kind::List,
        "dependentRequired" => Kind::TextLists,
        _ => return None,
    })
}

/// Keywords that describe and do not constrain: they may stand beside a `$ref` in every version.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "deprecated"
            | "example"
            | "examples"
            | "readOnly"
            | "writeOnly"
            | "summary"
            | "externalDocs"
            | "xml"
            | "nullable"
    ) || keyword.starts_with("x-")
}

/// Keywords of identification, which would change what `#/$defs/…` means; references through them are resolved first.
pub(crate) fn is_identification(keyword: &str) -> bool {
    matches!(
        keyword,
        "$schema"
            | "$id"
            | "id"
            | "$anchor"
            | "$dynamicAnchor"
            | "$recursiveAnchor"
            | "$vocabulary"
            | "$comment"
            | "$defs"
            | "definitions"
    )
}

/// Does the value suit the keyword (for the kinds that hold no schemas)?
pub(crate) fn suits(kind: Kind, node: &Node) -> bool {
    match kind {
        Kind::Any => true,
        Kind::Text => node.as_str().is_some(),
        Kind::Flag => node.as_bool().is_some(),
        Kind::Number => node.as_number().is_some(),
        Kind::PositiveNumber => node.as_number().is_some_and(|number| number.as_f64() > 0.0),
        Kind::Count => node.as_number().and_then(|number| number.as_i128()).is_some_and(|count| count >= 0),
        Kind::List => node.as_list().is_some(),
        Kind::TextLists => {
            node.as_map().is_some()
                && node.members().all(|entry| {
                    entry.value.as_list().is_some() && entry.value.items().all(|item| item.as_str().is_some())
                })
        }
        Kind::Schema | Kind::SchemaInPlace => matches!(node.value, Value::Map(_) | Value::Bool(_)),
        Kind::Schemas | Kind::SchemasInPlace => node.as_list().is_some(),
        Kind::SchemaMap | Kind::SchemaMapInPlace => node.as_map().is_some(),
    }
}

/// The seven types of JSON Schema.
pub(crate) fn is_type(name: &str) -> bool {
    matches!(name, "null" | "boolean" | "object" | "array" | "number" | "string" | "integer")
}
