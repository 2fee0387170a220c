//! Our values to and from those of jq.

use std::sync::Arc;

use jaq_core::ValT;
use jaq_json::{Num, Val};

use crate::document::{Node, Number, Origin, Value};

use super::super::json::member;
use super::meter::Bounds;

/// What is still allowed of the outputs.
pub(crate) struct Room {
    values: usize,
    bytes: usize,
    nesting: usize,
}

impl Room {
    pub(crate) fn of(bounds: &Bounds) -> Self {
        Self { values: bounds.values, bytes: bounds.bytes, nesting: bounds.nesting }
    }

    fn take(&mut self, bytes: usize) -> Result<(), String> {
        let values = self.values.checked_sub(1);
        self.values = values.ok_or_else(|| "it gives more values than a transform may".to_owned())?;
        let bytes = self.bytes.checked_sub(bytes);
        self.bytes = bytes.ok_or_else(|| "it gives more text than a transform may".to_owned())?;
        Ok(())
    }
}

/// A node as a value of jq. Numbers keep the form in which they are written.
///
/// # Errors
/// It is nested deeper than `nesting`.
pub(crate) fn to_val(node: &Node, nesting: usize) -> Result<Val, String> {
    let below =
        || nesting.checked_sub(1).ok_or_else(|| "the input is nested deeper than a transform can take".to_owned());
    Ok(match &node.value {
        Value::Null => Val::Null,
        Value::Bool(flag) => Val::Bool(*flag),
        Value::Number(Number::Int(value)) => Val::Num(Num::from_integral(*value)),
        // As an integer it would lose its sign.
        Value::Number(Number::Text(text)) if &**text == "-0" => Val::Num(Num::Dec(text.to_string().into())),
        Value::Number(Number::Text(text)) => Val::from_num(text).map_err(|_| format!("`{text}` is no number to jq"))?,
        Value::String(text) => text_val(text),
        Value::List(items) => {
            let below = below()?;
            items.iter().map(|item| to_val(item, below)).collect::<Result<Val, _>>()?
        }
        Value::Map(map) => {
            let below = below()?;
            let members = map.iter().map(|member| Ok((text_val(&member.key), to_val(&member.value, below)?)));
            Val::obj(members.collect::<Result<_, String>>()?)
        }
    })
}

fn text_val(text: &str) -> Val {
    Val::from(text.to_owned())
}

/// A value of jq as a node; its nodes have the origin given.
///
/// # Errors
/// It is larger or deeper than the room left, or is nothing that JSON can say.
pub(crate) fn to_node(value: &Val, origin: Origin, room: &mut Room) -> Result<Node, String> {
    to_node_within(value, origin, room, room.nesting)
}

fn to_node_within(value: &Val, origin: Origin, room: &mut Room, nesting: usize) -> Result<Node, String> {
    let below = || nesting.checked_sub(1).ok_or_else(|| "it gives a value that is nested too deep".to_owned());
    room.take(match value {
        Val::TStr(text) | Val::BStr(text) => text.len(),
        _ => 0,
    })?;
    Ok(match value {
        Val::Null => Node::new(Value::Null, origin),
        Val::Bool(flag) => Node::new(Value::Bool(*flag), origin),
        Val::Num(number) => Node::new(number_value(number)?, origin),
        Val::TStr(bytes) => Node::string(&*String::from_utf8_lossy(bytes), origin),
        Val::BStr(_) => return Err("it gives bytes, which JSON has not; `@base64` makes text of them".to_owned()),
        Val::Arr(items) => {
            let below = below()?;
            let items = items.iter().map(|item| to_node_within(item, origin, room, below));
            Node::list(items.collect::<Result<_, _>>()?, origin)
        }
        Val::Obj(members) => {
            let below = below()?;
            let mut entries = Vec::with_capacity(members.len());
            for (key, value) in members.iter() {
                let Val::TStr(key) = key else {
                    return Err("it gives an object with a name that is no text".to_owned());
                };
                room.take(key.len())?;
                let key: Arc<str> = String::from_utf8_lossy(key).into();
                entries.push(member(key, to_node_within(value, origin, room, below)?));
            }
            Node::map(entries, origin)
        }
    })
}

/// As jq does it, what is not a number is null and what is infinite is the largest double. A whole double is written as an
/// integer.
fn number_value(number: &Num) -> Result<Value, String> {
    let text = match number {
        Num::Float(value) if value.is_nan() => return Ok(Value::Null),
        Num::Float(value) if value.is_infinite() => {
            let sign = if *value < 0.0 { "-" } else { "" };
            format!("{sign}1.7976931348623157e+308")
        }
        Num::Float(value) if value.fract() == 0.0 && value.abs() < 1e17 => format!("{value:.0}"),
        other => other.to_string(),
    };
    Number::parse(&text).map(Value::Number).ok_or_else(|| format!("it gives `{text}`, which is no number of JSON"))
}
