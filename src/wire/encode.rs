//! Arguments and a binding become a request.

use std::borrow::Cow;
use std::sync::Arc;

use crate::derive::{Binding, Operation, ParameterIn, Tool};
use crate::document::{Node, Origin, Value, pointer};

use super::address;
use super::problem::ArgumentProblem;
use super::request::{HttpRequest, Part, PartPlace};
use super::style::Unwritable;
use super::transform::{self, Transforms};

/// What encoding may be told besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The address that the document was read from, for servers that are relative to it.
    pub document_url: Option<String>,
    /// The tool's transforms, compiled before; without them each call of a tool that has any compiles them again.
    pub transforms: Option<Arc<Transforms>>,
}

/// Encodes a call: see [`encode_with`]. A relative base URL is refused, since nothing says what it is relative to.
///
/// # Errors
/// As for [`encode_with`].
pub fn encode(tool: &Tool, base_url: &str, arguments: &Node) -> Result<HttpRequest, Vec<ArgumentProblem>> {
    encode_with(tool, base_url, arguments, &Options::default())
}

/// Encodes a call. `arguments` is a map, or null for none; `base_url` is joined with the path, never replaced by it.
///
/// A request transform of the tool is run over the arguments, and what it gives is encoded in place of the binding:
/// `path` fills placeholders, `query` and `headers` are names with values, lists repeat in a query, `body` is the body.
/// Such a request does not know where its arguments are: `parts` and `unsent` are empty.
///
/// Else only the tool's binding says what goes where (OpenAPI 3.1 section 4.8.12, RFC 6570, RFC 3986). What was not supplied
/// is not sent. Schemas are not looked at: see [`validate`](fn@super::validate).
///
/// # Errors
/// Everything that cannot be written: a base URL without a host, a path value that is missing, empty or a dot, a text
/// that holds the separator of its style, a header with a line break, bytes that are no base64; a transform that fails or
/// gives something of another form.
pub fn encode_with(
    tool: &Tool,
    base_url: &str,
    arguments: &Node,
    options: &Options,
) -> Result<HttpRequest, Vec<ArgumentProblem>> {
    if !matches!(arguments.value, Value::Map(_) | Value::Null) {
        let message = format!("the arguments are an object, not {}", arguments.kind());
        return Err(vec![ArgumentProblem::call("type", message)]);
    }
    let Some(rewritten) = transform::rewrite(&tool.operation, arguments, options.transforms.as_deref())? else {
        return written(tool, base_url, arguments, &tool.operation.binding, options);
    };
    let request = written(tool, base_url, &rewritten.arguments, &rewritten.binding, options);
    request.map(|request| rewritten.finish(request)).map_err(|problems| rewritten.explain(problems))
}

/// Writes a request from values and the rows that say where they go.
fn written(
    tool: &Tool,
    base_url: &str,
    arguments: &Node,
    binding: &[Binding],
    options: &Options,
) -> Result<HttpRequest, Vec<ArgumentProblem>> {
    let mut encoder = Encoder {
        operation: &tool.operation,
        binding,
        arguments,
        origin: arguments.origin,
        url: String::new(),
        headers: vec![("Accept".to_owned(), accept(&tool.operation))],
        parts: Vec::new(),
        problems: Vec::new(),
    };
    let query = match address::base(base_url, options.document_url.as_deref()) {
        Ok(base) => {
            encoder.url = base.prefix;
            base.query
        }
        Err(problem) => {
            encoder.problems.push(problem);
            None
        }
    };
    let path = encoder.without_given(&tool.operation.path);
    encoder.path(&path);
    encoder.query(query.as_deref());
    encoder.headers();
    let body = encoder.body();
    let unsent = arguments.members().filter(|given| !encoder.knows(&given.key)).map(|given| given.key.to_string());
    let unsent = unsent.collect();
    let Encoder { url, mut headers, parts, problems, .. } = encoder;
    if !problems.is_empty() {
        return Err(problems);
    }
    if let Some(body) = &body {
        headers.push(("Content-Type".to_owned(), body.media_type.clone()));
    }
    Ok(HttpRequest { method: tool.operation.method.clone(), url, headers, body, parts, unsent })
}

/// The media types of the successful response, and anything else if it must be.
fn accept(operation: &Operation) -> String {
    let declared = &operation.messages.accept;
    let usable = |media_type: &&Arc<str>| {
        media_type.contains('/') && !media_type.chars().any(|c| c.is_control() || c == ',' || !c.is_ascii())
    };
    let mut names: Vec<&str> = declared.iter().filter(usable).map(|media_type| &**media_type).collect();
    if names.is_empty() {
        names.push("application/json");
    }
    if names.iter().any(|name| name.trim() == "*/*") {
        return names.join(", ");
    }
    format!("{}, */*;q=0.5", names.join(", "))
}

/// A request in the making.
pub(crate) struct Encoder<'a> {
    pub(crate) operation: &'a Operation,
    /// Where each value goes.
    pub(crate) binding: &'a [Binding],
    arguments: &'a Node,
    pub(crate) origin: Origin,
    pub(crate) url: String,
    pub(crate) headers: Vec<(String, String)>,
    parts: Vec<Part>,
    pub(crate) problems: Vec<ArgumentProblem>,
}

impl<'a> Encoder<'a> {
    /// What was given for a row of the binding.
    pub(crate) fn value(&self, row: &Binding) -> Option<&'a Node> {
        self.arguments.get(&row.argument)
    }

    /// Notes where an argument is.
    pub(crate) fn part(&mut self, row: &Binding, place: PartPlace) {
        self.parts.push(Part { argument: row.argument.clone(), place });
    }

    /// Notes that an argument cannot be written.
    pub(crate) fn refuse(&mut self, row: &Binding, why: Unwritable) {
        self.problems.push(ArgumentProblem {
            argument: row.argument.to_string(),
            pointer: format!("/{}", pointer::escape(&row.argument)),
            rule: why.rule.to_owned(),
            message: why.message,
        });
    }

    /// The path template without those pairs of its query for which an argument is given: the argument replaces them.
    fn without_given<'t>(&self, template: &'t str) -> Cow<'t, str> {
        let Some((path, query)) = template.split_once('?') else { return template.into() };
        let is_given = |pair: &&str| {
            let name = pair.split_once('=').map_or(*pair, |(name, _)| name);
            let named = |row: &&Binding| row.location == ParameterIn::Query && row.wire_name.as_deref() == Some(name);
            self.binding.iter().find(named).is_some_and(|row| self.value(row).is_some())
        };
        let kept: Vec<&str> = query.split('&').filter(|pair| !is_given(pair)).collect();
        if kept.is_empty() { path.into() } else { format!("{path}?{}", kept.join("&")).into() }
    }

    fn knows(&self, argument: &str) -> bool {
        self.binding.iter().any(|row| *row.argument == *argument)
    }
}
