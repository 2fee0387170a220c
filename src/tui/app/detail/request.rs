//! Tab *Request*: what a call with made-up arguments would send, and where in it each argument is.

use super::json;
use crate::derive::{Catalog, Tool};
use crate::document::{FileId, Node, parse};
use crate::tui::app::page::Line;
use crate::tui::theme::Role;
use crate::wire::{self, ArgumentProblem, Extent, HttpRequest, Part, PartPlace, Redactor};

/// Columns of an argument's name.
const NAME: usize = 20;
/// Columns of the word for a place.
const PLACE: usize = 8;
/// The base URL where none is known.
const NOWHERE: &str = "http://base-url.invalid";
/// Lines of a body that are shown.
const BODY: usize = 400;
/// Bytes of a body that are laid out as JSON; a longer one is only named.
const PRETTY: usize = 1 << 18;

/// A tool's request as it would be sent.
struct Made {
    arguments: Node,
    request: HttpRequest,
    redactor: Redactor,
    /// No server is known: [`NOWHERE`] stands in the place of one.
    nowhere: bool,
}

/// Why there is none: the arguments, when there are some, and what is wrong with them.
struct Unmade {
    arguments: Option<Node>,
    problems: Vec<ArgumentProblem>,
}

fn make(catalog: &Catalog, tool: &Tool, all: bool) -> Result<Made, Unmade> {
    let extent = if all { Extent::All } else { Extent::Required };
    let Some(instance) = wire::synthesize(tool, extent).into_iter().next() else {
        return Err(Unmade { arguments: None, problems: Vec::new() });
    };
    let upstream = catalog.upstreams.get(tool.upstream);
    let base = upstream.and_then(|upstream| upstream.base_url.as_deref()).unwrap_or_default();
    let redactor = upstream
        .map_or_else(Redactor::default, |upstream| Redactor::default().with_schemes(&upstream.documents.main.root));
    let mut encoded = wire::encode(tool, base, &instance.value);
    let only_base = |problems: &[ArgumentProblem]| problems.iter().all(|problem| problem.rule == "base-url");
    let nowhere = encoded.as_ref().is_err_and(|problems| only_base(problems));
    if nowhere {
        encoded = wire::encode(tool, NOWHERE, &instance.value);
    }
    match encoded {
        Ok(request) => Ok(Made { arguments: instance.value, request, redactor, nowhere }),
        Err(problems) => {
            let problems = if instance.problems.is_empty() { problems } else { instance.problems };
            Err(Unmade { arguments: Some(instance.value), problems })
        }
    }
}

/// The request as a command for a shell.
///
/// # Errors
/// In words, why there is none.
pub(crate) fn curl(catalog: &Catalog, tool: &Tool, all: bool) -> Result<String, String> {
    match make(catalog, tool, all) {
        Ok(made) => Ok(wire::curl(&made.request, &made.redactor)),
        Err(unmade) => {
            let first = unmade.problems.first().map_or_else(String::new, |problem| format!(": {problem}"));
            Err(format!("no request can be made{first}"))
        }
    }
}

/// The page.
pub(super) fn lines(catalog: &Catalog, tool: &Tool, all: bool) -> Vec<Line> {
    let which = if all { "all arguments, made up" } else { "required arguments only, made up" };
    let mut out = vec![Line::new().seg("Arguments  ", Role::Title).seg(which, Role::Dim)];
    let made = match make(catalog, tool, all) {
        Ok(made) => made,
        Err(unmade) => {
            if let Some(arguments) = &unmade.arguments {
                out.extend(json::lines(arguments));
            }
            out.push(Line::new());
            out.push(Line::new().seg("No request can be made with these:", Role::Error));
            out.extend(problems(&unmade.problems));
            return out;
        }
    };
    out.extend(legend(&made));
    out.push(Line::new());
    out.push(Line::new().seg("Request", Role::Title));
    if made.nowhere {
        let words =
            "no server with a host is known, so a call needs a base URL: --base-url, or base_url of the upstream";
        out.push(Line::new().seg("! ", Role::Warning).seg(words, Role::Text).hang(2));
    }
    out.extend(request(&made.request, &made.redactor));
    out.push(Line::new());
    out.push(Line::new().seg("curl", Role::Title));
    out.extend(wire::curl(&made.request, &made.redactor).lines().map(|line| Line::new().seg(line, Role::Text).hang(2)));
    out
}

/// One line for each problem.
pub(crate) fn problems(problems: &[ArgumentProblem]) -> Vec<Line> {
    // A long list may be wrong all over.
    const MOST: usize = 200;
    let line = |problem: &ArgumentProblem| {
        let mut line = Line::new().seg("✗ ", Role::Error).hang(2);
        if !problem.pointer.is_empty() {
            line = line.seg(&problem.pointer, Role::Key).seg("  ", Role::Text);
        }
        line.seg(&problem.message, Role::Text).seg(format!("  {}", problem.rule), Role::Dim)
    };
    problems.iter().take(MOST).map(line).collect()
}

/// The word for a place and its colour in the request.
fn place(place: &PartPlace) -> (&'static str, Role) {
    match place {
        PartPlace::Path(_) => ("path", Role::Key),
        PartPlace::Query(_) => ("query", Role::String),
        PartPlace::Header(_) => ("header", Role::Number),
        PartPlace::Cookie(..) => ("cookie", Role::Changed),
        PartPlace::Body(_) => ("body", Role::Info),
    }
}

/// Each argument with its value and where in the request it went.
fn legend(made: &Made) -> Vec<Line> {
    let mut out = Vec::new();
    for given in made.arguments.members() {
        let mut places: Vec<&Part> = Vec::new();
        for part in made.request.parts.iter().filter(|part| *part.argument == *given.key) {
            if !places.iter().any(|known| place(&known.place).0 == place(&part.place).0) {
                places.push(part);
            }
        }
        let value = json::brief(&given.value);
        if places.is_empty() {
            // A transform writes the request, and does not say from what.
            let unsent = made.request.unsent.iter().any(|name| **name == *given.key);
            let (word, role) = if unsent { ("unsent", Role::Warning) } else { ("", Role::Text) };
            let line = Line::new().cell(format!("{} ", given.key), NAME, Role::Text).cell(word, PLACE, role);
            out.push(line.seg(&value, Role::Dim).hang(NAME + PLACE));
        }
        for part in places {
            let (word, role) = place(&part.place);
            let mut line = Line::new().cell(format!("{} ", given.key), NAME, role).cell(word, PLACE, role);
            line = line.seg(value.as_str(), Role::Text).hang(NAME + PLACE);
            match &part.place {
                PartPlace::Header(at) | PartPlace::Cookie(at, _) => {
                    let name = made.request.headers.get(*at).map_or("", |(name, _)| name.as_str());
                    line = line.seg(format!("  in {name}"), Role::Dim);
                }
                PartPlace::Body(pointer) if !pointer.is_empty() => {
                    line = line.seg(format!("  at {pointer}"), Role::Dim);
                }
                _ => {}
            }
            out.push(line);
        }
    }
    if out.is_empty() {
        out.push(Line::new().seg("none", Role::Dim));
    }
    out
}

/// Method and URL, headers, body; arguments in the colours of their places, secrets masked.
pub(crate) fn request(request: &HttpRequest, redactor: &Redactor) -> Vec<Line> {
    let mut out = vec![url(request, redactor)];
    for (at, (name, value)) in request.headers.iter().enumerate() {
        let part = request.parts.iter().find(|part| match &part.place {
            PartPlace::Header(header) | PartPlace::Cookie(header, _) => *header == at,
            _ => false,
        });
        let role = part.map_or(Role::Text, |part| place(&part.place).1);
        let line = Line::new().seg(name, Role::Dim).seg(": ", Role::Dim).hang(2);
        out.push(line.seg(redactor.header(name, value), role));
    }
    for argument in &request.unsent {
        let words = format!("the tool has no argument `{argument}`, so it is not sent");
        out.push(Line::new().seg("! ", Role::Warning).seg(words, Role::Text).hang(2));
    }
    if let Some(body) = &request.body {
        out.push(Line::new());
        let text = body.text().map(|text| redactor.text(text));
        out.extend(payload(&body.media_type, text.as_deref(), body.bytes.len() as u64));
    }
    out
}

/// The URL in runs: what an argument wrote is in the colour of its place. Each run is masked by itself, since masking the
/// whole would move the places.
fn url(request: &HttpRequest, redactor: &Redactor) -> Line {
    let url = &request.url;
    let mut spans: Vec<(usize, usize, Role)> = request
        .parts
        .iter()
        .filter_map(|part| match &part.place {
            PartPlace::Path(range) | PartPlace::Query(range) => Some((range.start, range.end, place(&part.place).1)),
            _ => None,
        })
        .collect();
    spans.sort_unstable_by_key(|span| (span.0, span.1));
    let query = url.find('?').unwrap_or(url.len());
    let shown = |from: usize, to: usize| {
        let text = url.get(from..to).unwrap_or_default();
        if from > query { redactor.url(&format!("?{text}")).split_off(1) } else { redactor.url(text) }
    };
    let mut line = Line::new().seg(&*request.method, Role::Accent).seg(" ", Role::Text).hang(2);
    let mut at = 0;
    for (from, to, role) in spans {
        if from < at || to > url.len() {
            continue;
        }
        line = line.seg(shown(at, from), Role::Text).seg(shown(from, to), role);
        at = to;
    }
    line.seg(shown(at, url.len()), Role::Text)
}

/// A body: JSON laid out, other text as it is, anything else by its size.
pub(crate) fn payload(media_type: &str, text: Option<&str>, size: u64) -> Vec<Line> {
    let Some(text) = text else {
        let words = format!("{size} bytes of {}", if media_type.is_empty() { "no declared type" } else { media_type });
        return vec![Line::new().seg(words, Role::Dim)];
    };
    let mut out = pretty(text)
        .unwrap_or_else(|| text.lines().take(BODY + 1).map(|line| Line::new().seg(line, Role::Text)).collect());
    if out.len() > BODY {
        out.truncate(BODY);
        out.push(Line::new().seg(format!("… the rest of {size} bytes is not shown"), Role::Dim));
    }
    out
}

/// A JSON object or list, laid out; `None` when the text is something else.
pub(crate) fn pretty(text: &str) -> Option<Vec<Line>> {
    if text.len() > PRETTY || !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let document = parse(FileId(0), "body.json", text).ok()?;
    let mut lines = json::lines(&document.root);
    for line in &mut lines {
        // It is no place of a document that is open.
        line.place = None;
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use super::*;

    #[test]
    fn arguments_are_marked_where_they_are_and_secrets_are_not_shown() {
        let made = HttpRequest {
            method: "GET".into(),
            url: "https://me:pw@api.example/pets/7?api_key=abcdef&tag=x".to_owned(),
            headers: vec![("X-Api-Key".to_owned(), "abcdef".to_owned()), ("X-Trace".to_owned(), "t1".to_owned())],
            parts: vec![
                Part { argument: "petId".into(), place: PartPlace::Path(31..32) },
                Part { argument: "key".into(), place: PartPlace::Query(33..47) },
                Part { argument: "tag".into(), place: PartPlace::Query(48..53) },
                Part { argument: "trace".into(), place: PartPlace::Header(1) },
            ],
            ..HttpRequest::default()
        };
        let lines = request(&made, &Redactor::default());
        let text: Vec<String> = lines.iter().map(Line::text).collect();
        assert_eq!(text[0], "GET https://***@api.example/pets/7?api_key=***&tag=x");
        assert_eq!(text[1..], ["X-Api-Key: ***", "X-Trace: t1"]);
        let marked: Vec<(&str, Role)> = lines[0]
            .segs
            .iter()
            .filter(|seg| !matches!(seg.role, Role::Text | Role::Accent))
            .map(|seg| (seg.text.as_str(), seg.role))
            .collect();
        assert_eq!(marked, [("7", Role::Key), ("api_key=***", Role::String), ("tag=x", Role::String)]);
    }

    #[test]
    fn bodies_are_json_text_or_a_size() {
        let shown =
            |media: &str, text: Option<&str>| payload(media, text, 9).iter().map(Line::text).collect::<Vec<_>>();
        assert_eq!(shown("application/json", Some("{\"a\":[1]}")), ["{", "  \"a\": [", "    1", "  ]", "}"]);
        assert_eq!(shown("text/plain", Some("a\nb")), ["a", "b"]);
        assert_eq!(shown("application/json", Some("{a")), ["{a"]);
        assert_eq!(shown("image/png", None), ["9 bytes of image/png"]);
        let long = "x\n".repeat(1000);
        assert_eq!(payload("text/plain", Some(&long), 2000).len(), BODY + 1);
    }
}
