//! What can stand where the cursor is: names of members, targets, values of extensions.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};

use super::context::Context;
use crate::document::jsonpath::{Query, is_shorthand, quoted};
use crate::document::{Format, Node, ResponseFormat};

/// As many are offered.
const MOST: usize = 100;
/// Nodes whose members are offered below a path.
const MOST_PARENTS: usize = 200;
/// Visits that finding them may take.
const VISITS: u64 = 300_000;

/// Something that can stand at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// As it is shown.
    pub label: String,
    /// What takes the place of what is typed.
    pub text: String,
    /// What it is for.
    pub note: String,
}

type Words = &'static [(&'static str, &'static str)];

const ROOT: Words = &[
    ("overlay", "version of the specification, such as 1.1.0"),
    ("info", "title and version of this overlay"),
    ("extends", "the document that it is meant for"),
    ("actions", "what is done, in order"),
];
const INFO: Words =
    &[("title", "what the overlay is for"), ("version", "its own version"), ("description", "more about it (1.1)")];
const ACTION: Words = &[
    ("target", "JSONPath of what is changed"),
    ("description", "why"),
    ("update", "is merged into the targets"),
    ("remove", "true takes the targets away"),
    ("copy", "JSONPath of what is merged into the targets (1.1)"),
];
/// What this program and the proxies that read the same extensions make of an operation.
const EXTENSIONS: Words = &[
    ("x-mcp-tool-name", "name of the tool"),
    ("x-mcp-enabled", "false hides the tool"),
    ("x-mcp-safe", "true: it changes nothing, whatever its method says"),
    ("x-mcp-response-format", "json, text, image, audio, binary or auto"),
    ("x-mcp-request-transform", "jq from arguments to the request"),
    ("x-mcp-response-transform", "jq over the body of a success"),
    ("x-mcp-error-transform", "jq over the body of a failure"),
    ("x-mcp-auth-required", "false: callable without a client's credentials"),
    ("x-mcp-tier", "tier, for filters of groups"),
];
const OPERATION: Words = &[
    ("summary", "short text; what the model reads first"),
    ("description", "long text"),
    ("operationId", "unique name of the operation"),
    ("tags", "groups of operations"),
    ("parameters", "more parameters: a list is added to"),
    ("deprecated", "true or false"),
];
const FLAG: Words = &[("true", ""), ("false", "")];
const VERSIONS: Words = &[("1.1.0", "copy, primitive targets"), ("1.0.0", "what every program reads")];
const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// What fits, the best first. `root` is the document that targets are looked for in, `operations` its operations as
/// readable paths.
pub(super) fn suggestions(
    context: &Context,
    root: Option<&Node>,
    operations: &[String],
    format: Format,
) -> Vec<Suggestion> {
    let path: Vec<&str> = context.path.iter().map(String::as_str).collect();
    match (path.as_slice(), context.key.as_deref()) {
        (["actions"], Some("target" | "copy")) => targets(context, root, operations, format),
        (_, Some("remove" | "x-mcp-enabled" | "x-mcp-safe" | "x-mcp-auth-required" | "deprecated")) => {
            values(context, FLAG)
        }
        ([], Some("overlay")) => values(context, VERSIONS),
        (_, Some("x-mcp-response-format")) => {
            let all = ResponseFormat::ALL.map(|format| Suggestion {
                label: format.word().to_owned(),
                text: format.word().to_owned(),
                note: String::new(),
            });
            ranked(all.to_vec(), &context.prefix)
        }
        (_, Some(_)) => Vec::new(),
        ([], None) => names(context, ROOT, format),
        (["info"], None) => names(context, INFO, format),
        (["actions"], None) => names(context, ACTION, format),
        (["actions", "update"], None) => members(context, root, format),
        _ => Vec::new(),
    }
}

fn values(context: &Context, words: Words) -> Vec<Suggestion> {
    let all = words.iter().map(|(word, note)| Suggestion {
        label: (*word).to_owned(),
        text: (*word).to_owned(),
        note: (*note).to_owned(),
    });
    ranked(all.collect(), &context.prefix)
}

fn names(context: &Context, words: Words, format: Format) -> Vec<Suggestion> {
    let all = words.iter().map(|(name, note)| named(name, note, context, format));
    ranked(all.collect(), &context.prefix)
}

/// A name with the colon behind it, closed as it was opened.
fn named(name: &str, note: &str, context: &Context, format: Format) -> Suggestion {
    let text = match (context.quote, format) {
        (Some(quote), _) => format!("{name}{quote}: "),
        (None, Format::Json) => format!("\"{name}\": "),
        (None, Format::Yaml) => format!("{name}: "),
    };
    Suggestion { label: name.to_owned(), text, note: note.to_owned() }
}

/// Members of an `update`: what its target is decides.
fn members(context: &Context, root: Option<&Node>, format: Format) -> Vec<Suggestion> {
    let query = context.target.as_deref().and_then(|target| Query::parse(target).ok());
    let exact = query.as_ref().and_then(Query::exact);
    let of_operation = match (&query, &exact) {
        (_, Some(pointer)) => pointer.0.len() == 3 && is_method(pointer),
        // Whatever a search finds may be operations.
        (Some(_), None) | (None, _) => true,
    };
    let mut all: Vec<Suggestion> = Vec::new();
    if of_operation {
        all.extend(EXTENSIONS.iter().chain(OPERATION).map(|(name, note)| named(name, note, context, format)));
    }
    let node = exact.zip(root).and_then(|(pointer, root)| pointer.find(root));
    for entry in node.into_iter().flat_map(Node::members) {
        if !all.iter().any(|known| *known.label == *entry.key) {
            all.push(named(&entry.key, "is there already", context, format));
        }
    }
    ranked(all, &context.prefix)
}

fn is_method(pointer: &crate::document::Pointer) -> bool {
    use crate::document::Step;
    matches!(pointer.0.as_slice(), [Step::Key(top), _, Step::Key(method)] if **top == *"paths" && METHODS.contains(&&**method))
}

/// Paths that go on from what is typed, then operations that look like it.
fn targets(context: &Context, root: Option<&Node>, operations: &[String], format: Format) -> Vec<Suggestion> {
    let prefix = &context.prefix;
    let mut all = root.map(|root| below(prefix, root)).unwrap_or_default();
    let typed = prefix.trim_start_matches(['$', '.']);
    let mut alike: Vec<(u32, &String)> = Vec::new();
    let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = nucleo_matcher::Matcher::new(nucleo_matcher::Config::DEFAULT);
    let mut buffer = Vec::new();
    for operation in operations {
        if let Some(score) = pattern.score(nucleo_matcher::Utf32Str::new(operation, &mut buffer), &mut matcher) {
            alike.push((score, operation));
        }
    }
    alike.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    for (_, operation) in alike.into_iter().take(MOST) {
        if !all.iter().any(|(known, _)| known == operation) {
            all.push((operation.clone(), "operation"));
        }
    }
    all.truncate(MOST);
    let written = |(path, note): (String, &str)| Suggestion {
        text: escaped(&path, context.quote, format),
        label: path,
        note: note.to_owned(),
    };
    all.into_iter().map(written).collect()
}

/// A path as it stands in the file.
fn escaped(path: &str, quote: Option<char>, format: Format) -> String {
    let json = || serde_json::to_string(path).unwrap_or_default();
    match (quote, format) {
        (Some('\''), _) => path.replace('\'', "''"),
        (Some(_), _) => json().trim_matches('"').to_owned(),
        (None, Format::Json) => json(),
        (None, Format::Yaml) if path.contains(": ") || path.contains(" #") => json(),
        (None, Format::Yaml) => path.to_owned(),
    }
}

/// The members of what the beginning of a path selects, as paths.
fn below(prefix: &str, root: &Node) -> Vec<(String, &'static str)> {
    let Some(cut) = last_step(prefix) else { return Vec::new() };
    let (head, partial) = prefix.split_at(cut);
    let Ok(query) = Query::parse(head) else { return Vec::new() };
    let partial = partial.trim_start_matches(['.', '[', '\'', '"']).to_lowercase();
    let mut names: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for node in query.reach(root, query.segments().len(), MOST_PARENTS, VISITS) {
        names.extend(node.members().map(|entry| &*entry.key).filter(|key| seen.insert(*key)));
    }
    let mut fits: Vec<(bool, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let small = name.to_lowercase();
            small.contains(&partial).then(|| (!small.starts_with(&partial), name))
        })
        .collect();
    // What begins so comes first; the rest in document order.
    fits.sort_by_key(|(later, _)| *later);
    let path =
        |name: &str| if is_shorthand(name) { format!("{head}.{name}") } else { format!("{head}[{}]", quoted(name)) };
    fits.into_iter().take(MOST).map(|(_, name)| (path(name), "member")).collect()
}

/// Where the last step of a path that is being typed begins, outside of quotes and filters.
fn last_step(prefix: &str) -> Option<usize> {
    if !prefix.starts_with('$') {
        return None;
    }
    let mut quote = None;
    let mut depth = 0_usize;
    let mut last = None;
    for (at, character) in prefix.char_indices() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, '[') => {
                if depth == 0 {
                    last = Some(at);
                }
                depth += 1;
            }
            (None, ']') => depth = depth.saturating_sub(1),
            (None, '.') if depth == 0 => last = Some(at),
            (None, _) => {}
        }
    }
    let last = last.unwrap_or(prefix.len());
    // `..name` searches: the members of everything are no help.
    if prefix.get(..last)?.ends_with('.') { None } else { Some(last) }
}

/// Those that have the letters in this order: what begins with them first.
fn ranked(all: Vec<Suggestion>, prefix: &str) -> Vec<Suggestion> {
    let pattern = Pattern::parse(prefix, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = nucleo_matcher::Matcher::new(nucleo_matcher::Config::DEFAULT);
    let mut buffer = Vec::new();
    let mut fits: Vec<(bool, u32, Suggestion)> = all
        .into_iter()
        .filter_map(|one| {
            let score = pattern.score(nucleo_matcher::Utf32Str::new(&one.label, &mut buffer), &mut matcher)?;
            Some((one.label.starts_with(prefix), score, one))
        })
        .collect();
    fits.sort_by_key(|(begins, score, _)| (!begins, std::cmp::Reverse(*score)));
    fits.into_iter().map(|(_, _, one)| one).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;
    use crate::tui::app::fixture::json_node;

    fn labels(path: &[&str], key: Option<&str>, prefix: &str, target: Option<&str>) -> Vec<String> {
        let root = json_node(
            r#"{"info": {"title": "t"}, "paths": {"/pets": {"get": {"summary": "s", "x-own": 1}}, "/pets/{id}": {}}, "tags": []}"#,
        );
        let context = Context {
            path: path.iter().map(ToString::to_string).collect(),
            key: key.map(str::to_owned),
            prefix: prefix.to_owned(),
            target: target.map(str::to_owned),
            ..Context::default()
        };
        let operations = ["$.paths['/pets'].get".to_owned()];
        suggestions(&context, Some(&root), &operations, Format::Yaml).into_iter().map(|one| one.label).collect()
    }

    #[test]
    fn what_is_offered_fits_the_place() {
        assert_eq!(labels(&[], None, "ov", None), ["overlay"]);
        assert_eq!(labels(&["actions"], None, "", None), ["target", "description", "update", "remove", "copy"]);
        assert_eq!(labels(&["actions"], Some("remove"), "t", None), ["true"]);
        let target = Some("$.paths['/pets'].get");
        assert_eq!(labels(&["actions", "update"], None, "x-mcp-t", target)[0], "x-mcp-tool-name");
        assert!(labels(&["actions", "update"], None, "x-o", target).contains(&"x-own".to_owned()));
        assert_eq!(labels(&["actions", "update"], None, "", Some("$.info")), ["title"]);
        assert_eq!(labels(&["actions"], Some("target"), "$.pa", None)[0], "$.paths");
        let paths = labels(&["actions"], Some("target"), "$.paths['/pets/", None);
        assert_eq!(paths.first().map(String::as_str), Some("$.paths['/pets/{id}']"));
        assert_eq!(labels(&["actions"], Some("target"), "$.paths['/pets'].", None)[0], "$.paths['/pets'].get");
        assert_eq!(labels(&["actions"], Some("target"), "pets", None), ["$.paths['/pets'].get"]);
        assert_eq!(labels(&["actions"], Some("description"), "x", None), [""; 0]);
    }
}
