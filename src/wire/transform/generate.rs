//! The request transform that says what a tool's binding says: to be read, and to be copied into an overlay and changed.

use crate::derive::{Binding, Family, ParameterIn, Style, Tool};
use crate::document::{Node, Origin, to_json};

use super::super::percent::Coding;

/// The jq expression for the request of a tool: arguments in, `{path, query, headers, body}` out.
///
/// Run as a transform it gives the request that the binding gives. Where jq and this form cannot say the same (reserved
/// characters that stay, commas between the items of one query value, labels and matrices in a path, fields of a form with
/// a style of their own) a comment says so.
pub fn generated_jq(tool: &Tool) -> String {
    let operation = &tool.operation;
    let mut writer = Writer { schema: &operation.input_schema, notes: Vec::new() };
    let rows = |location: ParameterIn| operation.binding.iter().filter(move |row| row.location == location);
    let path: Vec<Piece> = rows(ParameterIn::Path).map(|row| writer.path(row)).collect();
    let query = operation.binding.iter().filter_map(|row| match row.location {
        ParameterIn::Query => Some(writer.query(row)),
        ParameterIn::QueryString => Some(writer.query_string(row)),
        _ => None,
    });
    let query: Vec<Piece> = query.collect();
    let mut headers: Vec<Piece> = rows(ParameterIn::Header).map(|row| writer.header(row)).collect();
    let cookies: Vec<String> = rows(ParameterIn::Cookie).filter_map(|row| writer.cookie(row)).collect();
    if !cookies.is_empty() {
        let pairs = format!("[{}] | if . == [] then null else join(\"; \") end", cookies.join(", "));
        headers.push(Piece::Member("Cookie".to_owned(), format!("({pairs})")));
    }
    let body = body(&mut writer, tool);
    let members = [("path", joined(&path)), ("query", joined(&query)), ("headers", joined(&headers)), ("body", body)];
    let members: Vec<String> =
        members.into_iter().filter_map(|(name, value)| Some(format!("  {name}: {}", value?))).collect();
    let notes: String = writer.notes.iter().map(|note| format!("# {note}\n")).collect();
    match members.is_empty() {
        true => format!("{notes}{{}}"),
        false => format!("{notes}. as $in | {{\n{}\n}}", members.join(",\n")),
    }
}

/// A part of an object.
enum Piece {
    /// A member: name and value.
    Member(String, String),
    /// An expression that gives an object with members.
    Members(String),
}

/// The parts as one object, in their order.
fn joined(pieces: &[Piece]) -> Option<String> {
    let mut sums: Vec<String> = Vec::new();
    let mut members: Vec<String> = Vec::new();
    let close = |members: &mut Vec<String>, sums: &mut Vec<String>| {
        if !members.is_empty() {
            sums.push(format!("{{{}}}", members.join(", ")));
            members.clear();
        }
    };
    for piece in pieces {
        match piece {
            Piece::Member(name, value) => members.push(format!("{}: {value}", key(name))),
            Piece::Members(expression) => {
                close(&mut members, &mut sums);
                sums.push(format!("({expression})"));
            }
        }
    }
    close(&mut members, &mut sums);
    match sums.len() {
        0 => None,
        1 => sums.pop(),
        _ => Some(format!("({})", sums.join(" + "))),
    }
}

struct Writer<'t> {
    schema: &'t Node,
    notes: Vec<String>,
}

impl Writer<'_> {
    fn note(&mut self, row: &Binding, what: &str) {
        self.notes.push(format!("{}: {what}", quoted(&row.argument)));
    }

    fn reserved(&mut self, row: &Binding) {
        if row.allow_reserved {
            self.note(row, "reserved characters are percent-encoded here");
        }
    }

    fn path(&mut self, row: &Binding) -> Piece {
        self.reserved(row);
        let value = of(row);
        let value = match row.style {
            None => content(row),
            Some(Style::Label | Style::Matrix) => {
                self.note(row, "a label or matrix has no form here; the plain value is sent");
                value
            }
            Some(_) => value,
        };
        Piece::Member(name(row), value)
    }

    fn query(&mut self, row: &Binding) -> Piece {
        self.reserved(row);
        let (value, name) = (of(row), name(row));
        let between = match row.style {
            None => return Piece::Member(name, content(row)),
            Some(Style::DeepObject) => return deep(&value, &name),
            _ if self.kind(row) == Kind::Scalar => return Piece::Member(name, value),
            Some(style) if row.explode.unwrap_or(style == Style::Form) => return self.spread(row, value, name),
            Some(Style::SpaceDelimited) => " ",
            Some(Style::PipeDelimited) => "|",
            Some(Style::TabDelimited) => "\t",
            Some(_) => ",",
        };
        if between == "," {
            self.note(row, "items are sent as one text, so the commas between them are percent-encoded");
        }
        let joined = format!("if . == [] then null else join({}) end", quoted(between));
        let list = format!("map({TEXT}) | {joined}");
        let pairs = format!("[to_entries[] | select(.value != null) | .key, (.value | {TEXT})] | {joined}");
        let text = match self.kind(row) {
            Kind::Scalars => format!("{value} // [] | {joined}"),
            Kind::List => format!("{value} // [] | {list}"),
            Kind::Object => format!("{value} // {{}} | {pairs}"),
            _ => format!("{value} | if type == \"array\" then {list} elif type == \"object\" then {pairs} else . end"),
        };
        Piece::Member(name, format!("({text})"))
    }

    /// A list repeats by itself; the members of an object become parameters of their own.
    fn spread(&self, row: &Binding, value: String, name: String) -> Piece {
        match self.kind(row) {
            Kind::Scalar | Kind::Scalars => Piece::Member(name, value),
            Kind::List => Piece::Member(name, format!("({value} // [] | map({TEXT}))")),
            Kind::Object => Piece::Members(format!("{value} // {{}} | map_values({TEXT})")),
            Kind::Unknown => Piece::Members(format!(
                "{value} | if type == \"object\" then map_values({TEXT}) else {{{}: (if type == \"array\" then map({TEXT}) else . end)}} end",
                key(&name)
            )),
        }
    }

    fn query_string(&mut self, row: &Binding) -> Piece {
        let form = row.media_type.as_deref().is_none_or(|media_type| Family::of(media_type) == Family::Form);
        if !form {
            self.note(row, "a query that is no form has no form here; it is not sent");
            return Piece::Members("{}".to_owned());
        }
        Piece::Members(format!("{} | map_values(if type == \"object\" then tojson else . end)?", of(row)))
    }

    fn header(&mut self, row: &Binding) -> Piece {
        let value = of(row);
        let pair = if row.explode == Some(true) { "\"\\(.key)=\\(.value)\"" } else { ".key, .value" };
        let pairs = format!("[to_entries[] | select(.value != null) | {pair}]");
        let text = match (row.style, self.kind(row)) {
            (None, _) => content(row),
            (_, Kind::Scalar | Kind::Scalars | Kind::List) => value,
            (_, Kind::Object) => format!("({value} // {{}} | {pairs})"),
            (_, Kind::Unknown) => format!("({value} | if type == \"object\" then {pairs} else . end)"),
        };
        Piece::Member(name(row), text)
    }

    fn cookie(&mut self, row: &Binding) -> Option<String> {
        let name = Coding::Query { reserved: false }.name(row.wire_name.as_deref().unwrap_or_default());
        let coded = if row.style == Some(Style::Cookie) { "tostring" } else { "@uri" };
        let pair = |value: &str| format!("\"{}=\\({value})\"", name.replace('\\', "\\\\").replace('"', "\\\""));
        let one = pair(coded);
        let value = match (row.style, self.kind(row), row.explode.unwrap_or(true)) {
            (None, ..) => return Some(format!("({} | values | {})", content(row), pair("@uri"))),
            (_, Kind::Scalar, _) => one,
            (_, Kind::Scalars, true) => format!(".[] | {one}"),
            (_, Kind::Scalars, false) => format!("select(. != []) | map({coded}) | join(\",\") | {}", pair(".")),
            _ => {
                self.note(row, "a list or an object in a cookie is sent as JSON here");
                one
            }
        };
        Some(format!("({} | values | {value})", of(row)))
    }

    /// What the InputSchema says of an argument.
    fn kind(&self, row: &Binding) -> Kind {
        let schema = self.schema.get("properties").and_then(|properties| properties.get(&row.argument));
        schema.map_or(Kind::Unknown, Kind::of)
    }
}

/// An object in brackets: a name for each value within that is no object and no list.
fn deep(value: &str, name: &str) -> Piece {
    let leaf = "type != \"object\" and type != \"array\" and . != null";
    let named = format!("{{({} + ($path | map(\"[\\(.)]\") | join(\"\"))): .}}", quoted(name));
    Piece::Members(format!(
        "{value} // {{}} | [paths as $path | getpath($path) | select({leaf}) | {named}] | add // {{}}"
    ))
}

/// What is no text and no number becomes JSON.
const TEXT: &str = "if type == \"object\" or type == \"array\" then tojson else . end";

/// What values of an argument look like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Scalar,
    /// A list of scalars.
    Scalars,
    List,
    Object,
    Unknown,
}

impl Kind {
    fn of(schema: &Node) -> Self {
        let types: Vec<&str> = match schema.get("type") {
            Some(node) => node.as_str().into_iter().chain(node.items().filter_map(Node::as_str)).collect(),
            None => Vec::new(),
        };
        let types: Vec<&str> = types.into_iter().filter(|name| *name != "null").collect();
        match types[..] {
            [] => Self::Unknown,
            ["array"] => match schema.get("items").map(Self::of) {
                Some(Self::Scalar) => Self::Scalars,
                _ => Self::List,
            },
            ["object"] => Self::Object,
            _ if types.iter().all(|name| matches!(*name, "string" | "number" | "integer" | "boolean")) => Self::Scalar,
            _ => Self::Unknown,
        }
    }
}

/// The body: members that are given, or the one argument that is all of it.
fn body(writer: &mut Writer<'_>, tool: &Tool) -> Option<String> {
    let operation = &tool.operation;
    let rows: Vec<&Binding> = operation.binding.iter().filter(|row| row.location == ParameterIn::Body).collect();
    rows.first()?;
    if let Some(whole) = rows.iter().find(|row| row.wire_name.is_none()) {
        return Some(of(whole));
    }
    for row in rows.iter().filter(|row| row.style.is_some() || row.content_type.is_some()) {
        writer.note(row, "the form's encoding for this field has no form here");
    }
    let names: Vec<String> = rows.iter().map(|row| format!("{}: {}", key(&name(row)), quoted(&row.argument))).collect();
    let members = format!(
        "({{{}}} | with_entries(.value as $name | select($in | has($name)) | .value = $in[$name])",
        names.join(", ")
    );
    // Without members there is nothing to send; a body that has to be there is sent empty by itself.
    Some(format!("{members} | if . == {{}} then null else . end)"))
}

fn name(row: &Binding) -> String {
    row.wire_name.as_deref().unwrap_or_default().to_owned()
}

/// The argument of a row, as a path from the arguments.
fn of(row: &Binding) -> String {
    let plain = is_plain(&row.argument);
    if plain { format!("$in.{}", row.argument) } else { format!("$in[{}]", quoted(&row.argument)) }
}

/// A `content` parameter: JSON, or text as it is where the media type is not JSON. Nothing stays nothing.
fn content(row: &Binding) -> String {
    let json = row.media_type.as_deref().is_none_or(|media_type| Family::of(media_type) == Family::Json);
    let text = if json { "tojson" } else { "tostring" };
    format!("(if $in | has({0}) then {1} | {text} else null end)", quoted(&row.argument), of(row))
}

fn is_plain(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A name before a colon.
fn key(name: &str) -> String {
    const KEYWORDS: [&str; 4] = ["__loc__", "import", "include", "module"];
    if is_plain(name) && !KEYWORDS.contains(&name) { name.to_owned() } else { quoted(name) }
}

/// A text of jq. What would start an interpolation is a backslash, which JSON escapes.
fn quoted(text: &str) -> String {
    to_json(&Node::string(text, Origin::new(crate::document::FileId(u32::MAX), 0, 0)), false)
}
