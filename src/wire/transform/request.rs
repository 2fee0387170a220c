//! What a request transform gives, as values and rows that say where they go.

use std::sync::Arc;

use crate::derive::{Binding, Operation, ParameterIn, Style};
use crate::document::{Entry, Node, Value, pointer};

use super::super::nearest::nearest;
use super::super::problem::ArgumentProblem;
use super::super::request::HttpRequest;
use super::compiled::{REQUEST, Transforms};
use super::filter::Filter;
use super::meter::Bounds;

/// Members that a transform may give.
const MEMBERS: [&str; 4] = ["path", "query", "headers", "body"];

/// Stands between the member and the name in the name of a value; no name of a parameter holds it.
const BETWEEN: char = '\0';

/// What a transform gave, in the form that the encoder takes.
#[derive(Debug)]
pub(crate) struct Rewritten {
    /// Values by `member NUL name`.
    pub(crate) arguments: Node,
    /// Where each goes.
    pub(crate) binding: Vec<Binding>,
    /// Headers that go in place of those that every request has.
    own_headers: Vec<(String, String)>,
}

/// Runs the request transform of an operation, if it has one.
///
/// # Errors
/// It does not compile, fails, or gives something else than `{path, query, headers, body}`.
pub(crate) fn rewrite(
    operation: &Operation,
    arguments: &Node,
    compiled: Option<&Transforms>,
) -> Result<Option<Rewritten>, Vec<ArgumentProblem>> {
    let Some(written) = &operation.mcp.request_transform else { return Ok(None) };
    let bounds = compiled.map_or_else(Bounds::default, |compiled| compiled.bounds);
    let known = compiled.and_then(|compiled| compiled.request.as_ref());
    let own;
    let filter = match known.filter(|known| known.text() == &*written.value) {
        Some(known) => known,
        None => {
            own = Filter::compile(&written.value)
                .map_err(|error| vec![problem(format!("`{REQUEST}` is no jq: {error}"))])?;
            &own
        }
    };
    let none = Node::map(Vec::new(), arguments.origin);
    let input = if matches!(arguments.value, Value::Null) { &none } else { arguments };
    let output = filter.run_once(input, &bounds);
    let output = output.map_err(|error| vec![problem(format!("`{REQUEST}` failed: {error}"))])?;
    read(operation, &output).map(Some)
}

fn problem(message: String) -> ArgumentProblem {
    ArgumentProblem::call("request-transform", message)
}

fn at(pointer: String, message: String) -> ArgumentProblem {
    ArgumentProblem { argument: String::new(), pointer, rule: "request-transform".to_owned(), message }
}

fn read(operation: &Operation, output: &Node) -> Result<Rewritten, Vec<ArgumentProblem>> {
    if output.as_map().is_none() {
        let message = format!(
            "`{REQUEST}` gives {}; it has to give an object of `path`, `query`, `headers` and `body`",
            output.kind()
        );
        return Err(vec![problem(message)]);
    }
    let mut reader =
        Reader { operation, values: Vec::new(), binding: Vec::new(), own: Vec::new(), problems: Vec::new() };
    for member in output.members().filter(|member| !MEMBERS.contains(&&*member.key)) {
        let near = nearest(&member.key, MEMBERS.into_iter());
        let near = near.map(|near| format!("; `{near}` is close")).unwrap_or_default();
        let message =
            format!("`{REQUEST}` gives `{}`, and only path, query, headers and body are known{near}", member.key);
        reader.problems.push(at(format!("/{}", pointer::escape(&member.key)), message));
    }
    reader.path(output.get("path"));
    reader.names("query", output.get("query"), ParameterIn::Query, Style::Form, true);
    reader.names("headers", output.get("headers"), ParameterIn::Header, Style::Simple, false);
    reader.body(output.get("body"));
    if !reader.problems.is_empty() {
        return Err(reader.problems);
    }
    let arguments = Node::map(reader.values, output.origin);
    Ok(Rewritten { arguments, binding: reader.binding, own_headers: reader.own })
}

struct Reader<'o> {
    operation: &'o Operation,
    values: Vec<Entry>,
    binding: Vec<Binding>,
    own: Vec<(String, String)>,
    problems: Vec<ArgumentProblem>,
}

impl Reader<'_> {
    /// The members of `path`, `query` or `headers`; none for null.
    fn members<'n>(&mut self, member: &str, node: Option<&'n Node>) -> Vec<&'n Entry> {
        match node.map(|node| (node, &node.value)) {
            None | Some((_, Value::Null)) => Vec::new(),
            Some((_, Value::Map(map))) => map.iter().collect(),
            Some((node, _)) => {
                let message = format!("`{REQUEST}` gives {} as `{member}`; it has to be an object", node.kind());
                self.problems.push(at(format!("/{member}"), message));
                Vec::new()
            }
        }
    }

    fn path(&mut self, node: Option<&Node>) {
        let given = self.members("path", node);
        let operation = self.operation;
        let rows = operation.binding.iter().filter(|row| row.location == ParameterIn::Path);
        let known: Vec<&str> = rows.filter_map(|row| row.wire_name.as_deref()).collect();
        for member in &given {
            if !known.contains(&&*member.key) {
                let near = nearest(&member.key, known.iter().copied());
                let near = near.map(|near| format!("; `{near}` is close")).unwrap_or_default();
                let message = format!("`{}` is no placeholder of the path {}{near}", member.key, operation.path);
                self.problems.push(at(pointer_of("path", &member.key), message));
            }
        }
        for name in known {
            let given = given.iter().find(|member| *member.key == *name);
            match given.map(|member| &member.value).filter(|value| !matches!(value.value, Value::Null)) {
                Some(value) => self.add("path", name, value, ParameterIn::Path, Style::Simple, false),
                None => {
                    let message = format!("`{REQUEST}` gives no value for the placeholder `{{{name}}}`");
                    self.problems.push(at(pointer_of("path", name), message));
                }
            }
        }
    }

    fn names(&mut self, member: &str, node: Option<&Node>, location: ParameterIn, style: Style, explode: bool) {
        for given in self.members(member, node) {
            if given.value.as_map().is_some() {
                let message = "it is an object, which has no one form here; give text, a number, a boolean or a list";
                self.problems.push(at(pointer_of(member, &given.key), message.to_owned()));
                continue;
            }
            let replaced = ["accept", "content-type"].iter().any(|name| given.key.eq_ignore_ascii_case(name));
            if location == ParameterIn::Header && replaced {
                match given.value.as_str() {
                    Some(text) if !text.chars().any(char::is_control) => {
                        self.own.push((given.key.to_string(), text.to_owned()));
                    }
                    _ if matches!(given.value.value, Value::Null) => {}
                    _ => {
                        let message = "it has to be text without control characters".to_owned();
                        self.problems.push(at(pointer_of(member, &given.key), message));
                    }
                }
                continue;
            }
            self.add(member, &given.key, &given.value, location, style, explode);
        }
    }

    fn body(&mut self, node: Option<&Node>) {
        let Some(body) = node.filter(|node| !matches!(node.value, Value::Null)) else { return };
        let declared = self.operation.messages.body.as_ref().map(|body| body.media_type.clone());
        self.values.push(entry("body", body));
        self.binding.push(Binding {
            argument: "body".into(),
            location: ParameterIn::Body,
            wire_name: None,
            style: None,
            explode: None,
            allow_reserved: false,
            media_type: Some(declared.unwrap_or_else(|| "application/json".into())),
            content_type: None,
            required: false,
        });
    }

    fn add(&mut self, member: &str, name: &str, value: &Node, location: ParameterIn, style: Style, explode: bool) {
        let argument: Arc<str> = format!("{member}{BETWEEN}{name}").into();
        self.values.push(entry(argument.clone(), value));
        self.binding.push(Binding {
            argument,
            location,
            wire_name: Some(name.into()),
            style: Some(style),
            explode: Some(explode),
            allow_reserved: false,
            media_type: None,
            content_type: None,
            required: false,
        });
    }
}

fn entry(key: impl Into<Arc<str>>, value: &Node) -> Entry {
    Entry { key: key.into(), key_origin: value.origin, value: value.clone() }
}

fn pointer_of(member: &str, name: &str) -> String {
    format!("/{member}/{}", pointer::escape(name))
}

impl Rewritten {
    /// The request with the headers that the transform gave in place of the usual ones.
    pub(crate) fn finish(&self, mut request: HttpRequest) -> HttpRequest {
        request.parts.clear();
        request.unsent.clear();
        for (name, value) in &self.own_headers {
            match request.headers.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
                Some((_, known)) => *known = value.clone(),
                None => request.headers.push((name.clone(), value.clone())),
            }
            if let (true, Some(body)) = (name.eq_ignore_ascii_case("content-type"), &mut request.body) {
                body.media_type.clone_from(value);
            }
        }
        request
    }

    /// Problems of the encoder in the words of the transform: the pointers lead into what it gave.
    pub(crate) fn explain(&self, problems: Vec<ArgumentProblem>) -> Vec<ArgumentProblem> {
        let explained = problems.into_iter().map(|mut problem| {
            if problem.argument.is_empty() {
                return problem;
            }
            let (member, name) = problem.argument.split_once(BETWEEN).unwrap_or((&problem.argument, ""));
            problem.message = format!("what `{REQUEST}` gives cannot be sent: {}", problem.message);
            problem.pointer = if name.is_empty() { format!("/{member}") } else { pointer_of(member, name) };
            problem.argument = String::new();
            problem
        });
        explained.collect()
    }
}
