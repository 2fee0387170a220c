//! Styles (OpenAPI 3.1 section 4.8.12.3): values become text, with the separators of a style between.

use std::borrow::Cow;

use crate::derive::Style;
use crate::document::{Node, Value, to_json};

use super::percent::Coding;

/// Objects nested deeper than this are written as JSON.
const DEEPEST: usize = 32;

/// Why a value cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unwritable {
    pub(crate) rule: &'static str,
    pub(crate) message: String,
}

impl Unwritable {
    pub(crate) fn new(rule: &'static str, message: impl Into<String>) -> Self {
        Self { rule, message: message.into() }
    }
}

/// A value as a style sees it. Members that are null are left out, as RFC 6570 section 2.3 does with undefined ones.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shape<'a> {
    /// Null, an empty list, an empty object: there is nothing to write.
    Nothing,
    Text(Cow<'a, str>),
    List(Vec<Cow<'a, str>>),
    Pairs(Vec<(&'a str, Cow<'a, str>)>),
}

/// The text of one value; what is nested deeper than styles go is JSON.
pub(crate) fn text(node: &Node) -> Cow<'_, str> {
    match &node.value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Number(number) => Cow::Owned(number.to_string()),
        Value::Bool(flag) => Cow::Borrowed(if *flag { "true" } else { "false" }),
        Value::Null | Value::List(_) | Value::Map(_) => Cow::Owned(to_json(node, false)),
    }
}

/// # Errors
/// A null in a list: no style can write it, and without it the others would move up.
pub(crate) fn shape(node: &Node) -> Result<Shape<'_>, Unwritable> {
    Ok(match &node.value {
        Value::Null => Shape::Nothing,
        Value::List(items) if items.is_empty() => Shape::Nothing,
        Value::List(items) => {
            if items.iter().any(|item| matches!(item.value, Value::Null)) {
                return Err(Unwritable::new(
                    "null-item",
                    "a null in a list cannot be written outside JSON; leave it out",
                ));
            }
            Shape::List(items.iter().map(text).collect())
        }
        Value::Map(map) => {
            let given = map.iter().filter(|member| !matches!(member.value.value, Value::Null));
            let pairs: Vec<_> = given.map(|member| (&*member.key, text(&member.value))).collect();
            if pairs.is_empty() { Shape::Nothing } else { Shape::Pairs(pairs) }
        }
        _ => Shape::Text(text(node)),
    })
}

/// `a,1,b,2` or, exploded, `a=1,b=2`.
fn joined_pairs(pairs: &[(&str, Cow<'_, str>)], explode: bool, separator: &str, coding: Coding) -> String {
    let between = if explode { "=" } else { separator };
    let written = pairs.iter().map(|(key, value)| format!("{}{between}{}", coding.name(key), coding.value(value)));
    written.collect::<Vec<_>>().join(separator)
}

fn joined(items: &[Cow<'_, str>], separator: &str, coding: Coding) -> String {
    items.iter().map(|item| coding.value(item)).collect::<Vec<_>>().join(separator)
}

/// `simple`, `label` and `matrix`: one text for a placeholder or a header.
///
/// # Errors
/// The value cannot be told apart from its separators, or cannot be written at all.
pub(crate) fn expand(
    name: &str,
    node: &Node,
    style: Style,
    explode: bool,
    coding: Coding,
) -> Result<Option<String>, Unwritable> {
    let shape = shape(node)?;
    if coding == Coding::Raw {
        apart(&shape, ",", explode)?;
    }
    let written = match style {
        Style::Label => match &shape {
            Shape::Nothing => return Ok(None),
            // A full stop is no reserved character, but here it separates.
            Shape::Text(text) => format!(".{}", coding.value(text)),
            Shape::List(items) => {
                let items: Vec<_> = items.iter().map(|item| coding.value(item).replace('.', "%2E")).collect();
                format!(".{}", items.join(if explode { "." } else { "," }))
            }
            Shape::Pairs(pairs) if explode => {
                let dotless = |text: String| text.replace('.', "%2E");
                let pair = |(key, value): &(&str, Cow<'_, str>)| {
                    format!(".{}={}", dotless(coding.name(key)), dotless(coding.value(value)))
                };
                pairs.iter().map(pair).collect()
            }
            Shape::Pairs(pairs) => format!(".{}", joined_pairs(pairs, false, ",", coding)),
        },
        Style::Matrix => {
            let name = coding.name(name);
            match &shape {
                Shape::Nothing => return Ok(None),
                Shape::Text(text) if text.is_empty() => format!(";{name}"),
                Shape::Text(text) => format!(";{name}={}", coding.value(text)),
                Shape::List(items) if explode => {
                    items.iter().map(|item| format!(";{name}={}", coding.value(item))).collect()
                }
                Shape::List(items) => format!(";{name}={}", joined(items, ",", coding)),
                Shape::Pairs(pairs) if explode => {
                    pairs.iter().map(|(key, value)| format!(";{}={}", coding.name(key), coding.value(value))).collect()
                }
                Shape::Pairs(pairs) => format!(";{name}={}", joined_pairs(pairs, false, ",", coding)),
            }
        }
        _ => match &shape {
            Shape::Nothing => return Ok(None),
            Shape::Text(text) => coding.value(text),
            Shape::List(items) => joined(items, ",", coding),
            Shape::Pairs(pairs) => joined_pairs(pairs, explode, ",", coding),
        },
    };
    Ok(Some(written))
}

/// Refuses texts that hold their own separator where no coding keeps them apart.
fn apart(shape: &Shape<'_>, separator: &str, explode: bool) -> Result<(), Unwritable> {
    let holds = |text: &str| text.contains(separator);
    let offender = match shape {
        Shape::List(items) => items.iter().map(|item| &**item).find(|item| holds(item)),
        Shape::Pairs(pairs) => {
            let keys = pairs.iter().map(|(key, _)| *key).find(|key| holds(key) || (explode && key.contains('=')));
            keys.or_else(|| pairs.iter().map(|(_, value)| &**value).find(|value| holds(value)))
        }
        Shape::Nothing | Shape::Text(_) => None,
    };
    match offender {
        None => Ok(()),
        Some(text) => {
            let separator = match separator {
                " " => "a space",
                "\t" => "a tab",
                other => other,
            };
            let message =
                format!("`{text}` holds {separator}, which separates the items here, and would arrive as two");
            Err(Unwritable::new("separator-in-item", message))
        }
    }
}

/// Names and values of a query, a cookie or a form, both encoded: `form`, the delimited styles and `deepObject`.
///
/// # Errors
/// As for [`expand`].
pub(crate) fn pairs(
    name: &str,
    node: &Node,
    style: Style,
    explode: bool,
    coding: Coding,
) -> Result<Vec<(String, String)>, Unwritable> {
    if style == Style::DeepObject {
        let mut out = Vec::new();
        deep(&coding.name(name), node, coding, 0, &mut out)?;
        return Ok(out);
    }
    let shape = shape(node)?;
    // `%` forms of what separates are not told from the same characters in a value once they are decoded.
    let (separator, plain) = match style {
        Style::SpaceDelimited => ("%20", " "),
        Style::PipeDelimited => ("%7C", "|"),
        Style::TabDelimited => ("%09", "\t"),
        _ => (",", ","),
    };
    let separator = if coding == Coding::Raw { plain } else { separator };
    if !explode && (separator != "," || coding == Coding::Raw) {
        apart(&shape, plain, false)?;
    }
    let named = || coding.name(name);
    Ok(match &shape {
        Shape::Nothing => Vec::new(),
        Shape::Text(text) => vec![(named(), coding.value(text))],
        Shape::List(items) if explode => items.iter().map(|item| (named(), coding.value(item))).collect(),
        Shape::List(items) => vec![(named(), joined(items, separator, coding))],
        Shape::Pairs(pairs) if explode => {
            pairs.iter().map(|(key, value)| (coding.name(key), coding.value(value))).collect()
        }
        Shape::Pairs(pairs) => vec![(named(), joined_pairs(pairs, false, separator, coding))],
    })
}

/// `name[key][key]=value`, and `name[0]` for items: the specification leaves nesting open, and this is what most
/// servers read and what loses nothing.
fn deep(
    name: &str,
    node: &Node,
    coding: Coding,
    depth: usize,
    out: &mut Vec<(String, String)>,
) -> Result<(), Unwritable> {
    match &node.value {
        Value::Map(map) if depth < DEEPEST => {
            for member in map.iter() {
                if member.key.contains(['[', ']']) {
                    let message = format!("the key `{}` holds a bracket, which separates keys here", member.key);
                    return Err(Unwritable::new("separator-in-item", message));
                }
                let name = format!("{name}%5B{}%5D", coding.name(&member.key));
                deep(&name, &member.value, coding, depth + 1, out)?;
            }
        }
        Value::List(items) if depth < DEEPEST => {
            for (at, item) in items.iter().enumerate() {
                if matches!(item.value, Value::Null) {
                    return Err(Unwritable::new(
                        "null-item",
                        "a null in a list cannot be written outside JSON; leave it out",
                    ));
                }
                deep(&format!("{name}%5B{at}%5D"), item, coding, depth + 1, out)?;
            }
        }
        Value::Null => {}
        _ => out.push((name.to_owned(), coding.value(&text(node)))),
    }
    Ok(())
}
