//! What is to be said of arguments before they are sent: made away from the screen.

use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::state::Fault;
use crate::derive::Tool;
use crate::document::{Node, to_json};
use crate::proxy::from_json;
use crate::tui::app::detail::request;
use crate::tui::app::page::Line;
use crate::tui::theme::Role;
use crate::wire::{self, ArgumentProblem, Extent, HttpRequest, Redactor};

/// Where the arguments come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draft {
    /// As typed.
    Typed(Arc<str>),
    /// Made up: the required ones, or all.
    Made {
        /// All of them.
        whole: bool,
    },
}

/// Arguments to be judged.
#[derive(Clone, Debug)]
pub struct JudgeJob {
    /// To be named in the answer.
    pub generation: u64,
    /// The tool.
    pub tool: Arc<Tool>,
    /// The arguments.
    pub draft: Draft,
}

impl PartialEq for JudgeJob {
    fn eq(&self, other: &Self) -> bool {
        self.generation == other.generation && Arc::ptr_eq(&self.tool, &other.tool) && self.draft == other.draft
    }
}

impl Eq for JudgeJob {}

/// The judgement.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The arguments, where they were made up.
    pub text: Option<String>,
    /// What does not fit.
    pub problems: Vec<ArgumentProblem>,
    /// The request, ready to be shown.
    pub request: Vec<Line>,
    /// Scheme, host and port that it would go to.
    pub server: Option<String>,
    /// The request as a command, secrets masked.
    pub curl: Option<String>,
}

/// Reads arguments: a JSON object, or nothing for none.
///
/// # Errors
/// Where the text stops to be one.
pub fn arguments(text: &str) -> Result<Map<String, Json>, Fault> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str::<Json>(text) {
        Ok(Json::Object(map)) => Ok(map),
        Ok(_) => Err(Fault { line: 1, column: 1, message: "the arguments are an object: { … }".to_owned() }),
        Err(error) => {
            let said = error.to_string();
            let message = said.rsplit_once(" at line ").map_or(said.as_str(), |(message, _)| message).to_owned();
            Err(Fault { line: error.line().max(1), column: error.column().max(1), message })
        }
    }
}

/// Judges arguments. `encode` makes the request that would be sent, with secrets masked, or says in words why there is none.
pub fn judge(
    job: &JudgeJob,
    encode: impl FnOnce(&Tool, &Node) -> Result<Result<HttpRequest, Vec<ArgumentProblem>>, String>,
) -> Judged {
    let mut judged = Judged::default();
    let node = match &job.draft {
        Draft::Made { whole } => {
            let extent = if *whole { Extent::All } else { Extent::Required };
            let Some(made) = wire::synthesize(&job.tool, extent).into_iter().next() else { return judged };
            judged.text = Some(to_json(&made.value, true).trim_end().to_owned());
            made.value
        }
        Draft::Typed(text) => match arguments(text) {
            Ok(map) => from_json(Json::Object(map)),
            // It is said where the text is.
            Err(_) => return judged,
        },
    };
    judged.problems = wire::validate(&job.tool, &node);
    match encode(&job.tool, &node) {
        Ok(Ok(made)) => {
            judged.request = request::request(&made, &Redactor::default());
            judged.server = Some(server(&made.url).to_owned());
            judged.curl = Some(wire::curl(&made, &Redactor::default()));
        }
        Ok(Err(problems)) => {
            judged.request.push(Line::new().seg("No request can be made:", Role::Error));
            judged.request.extend(request::problems(&problems));
            let new = |problem: &ArgumentProblem| !judged.problems.iter().any(|known| known.pointer == problem.pointer);
            let more: Vec<ArgumentProblem> = problems.into_iter().filter(new).collect();
            judged.problems.extend(more);
        }
        Err(why) => judged.request.push(Line::new().seg(why, Role::Error)),
    }
    judged
}

/// `https://api.example:8443` of a URL.
fn server(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let length = url.get(host..).and_then(|rest| rest.find(['/', '?', '#']));
    length.and_then(|length| url.get(..host + length)).unwrap_or(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_of_a_url_is_named() {
        for (url, expected) in [
            ("https://api.example:8443/v2/pets?x=/", "https://api.example:8443"),
            ("http://api.example?x", "http://api.example"),
            ("http://api.example", "http://api.example"),
            ("pets", "pets"),
        ] {
            assert_eq!(server(url), expected);
        }
    }

    #[test]
    fn arguments_are_an_object_or_the_place_is_named() {
        let cases = [
            ("", Ok(0)),
            (" \n", Ok(0)),
            ("{\"a\": 1}", Ok(1)),
            ("[1]", Err((1, 1))),
            ("{\n  \"a\": 1,\n}", Err((3, 1))),
            ("{\"a\": }", Err((1, 7))),
            ("{\"a\"", Err((1, 4))),
        ];
        for (text, expected) in cases {
            let read = arguments(text).map(|map| map.len()).map_err(|fault| (fault.line, fault.column));
            assert_eq!(read, expected, "{text:?}");
        }
    }
}
