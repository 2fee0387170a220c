//! Which operation a request means: path templates of the document against paths as they came.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use percent_encoding::percent_decode_str;

use super::answer::Answer;
use crate::derive::{Catalog, OperationKind, Tool};
use crate::document::{DocumentSet, Version, version};
use crate::wire::Validator;

/// A part of a segment of a path template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Placeholder(String),
}

/// An operation that is answered.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) tool: Arc<Tool>,
    pub(super) documents: Arc<DocumentSet>,
    pub(super) version: Version,
    segments: Vec<Vec<Piece>>,
    /// A compiled schema of the body, when there is one to hold bodies to.
    pub(super) body: OnceLock<Option<Validator>>,
    /// Answers made before.
    pub(super) answers: Mutex<HashMap<String, Arc<Answer>>>,
}

/// Values of the placeholders, decoded, by name.
pub(super) type Captures = Vec<(String, String)>;

/// All operations of a catalog.
#[derive(Debug, Default)]
pub(super) struct Routes {
    /// Prefix of each upstream, the path of its server, and its operations.
    upstreams: Vec<(String, String, Vec<Arc<Route>>)>,
}

/// What a path means.
#[derive(Debug)]
pub(super) enum Match {
    /// Never none. Several have the same path and differ in what a template holds behind `?` or `#`.
    Found(Vec<(Arc<Route>, Captures)>),
    /// The path is there with other methods.
    OtherMethods(Vec<String>),
    Nothing,
}

impl Routes {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let upstreams = catalog.upstreams.iter().enumerate().map(|(at, upstream)| {
            let documents = &upstream.documents;
            let version = version(&documents.main.root).map_or(Version::V3_1, |(version, _)| version);
            let tools = catalog.all().filter(|tool| tool.upstream == at && tool.operation.kind == OperationKind::Path);
            let routes = tools.map(|tool| {
                let path = tool.operation.path.split(['?', '#']).next().unwrap_or_default();
                Arc::new(Route {
                    tool: tool.clone(),
                    documents: documents.clone(),
                    version,
                    segments: path.split('/').skip(1).map(pieces).collect(),
                    body: OnceLock::new(),
                    answers: Mutex::default(),
                })
            });
            let base = upstream.base_url.as_deref().unwrap_or_default();
            let base = match url::Url::parse(base) {
                Ok(url) => url.path().trim_end_matches('/').to_owned(),
                Err(_) => base.trim_end_matches('/').to_owned(),
            };
            (super::prefix(catalog, at), base, routes.collect())
        });
        Self { upstreams: upstreams.collect() }
    }

    pub(super) fn count(&self) -> usize {
        self.upstreams.iter().map(|(_, _, routes)| routes.len()).sum()
    }

    /// The operations that a request may mean; those with the most literal path when several fit.
    pub(super) fn find(&self, method: &str, path: &str) -> Match {
        let mut other = Vec::new();
        for (prefix, base, routes) in &self.upstreams {
            let Some(rest) = path.strip_prefix(prefix.as_str()).filter(|rest| rest.starts_with('/')) else { continue };
            // The server's own path may be in front or not.
            let without = rest.strip_prefix(base.as_str()).filter(|rest| !base.is_empty() && rest.starts_with('/'));
            for rest in [Some(rest), without].into_iter().flatten() {
                let fitting = routes.iter().filter_map(|route| Some((route, route.captures(rest)?)));
                let (right, wrong): (Vec<_>, Vec<_>) =
                    fitting.partition(|(route, _)| *route.tool.operation.method == *method);
                let best = right.iter().map(|(route, _)| route.literalness()).max();
                if let Some(best) = best {
                    let same = right.into_iter().filter(|(route, _)| route.literalness() == best);
                    return Match::Found(same.map(|(route, captures)| (route.clone(), captures)).collect());
                }
                other.extend(wrong.iter().map(|(route, _)| route.tool.operation.method.to_string()));
            }
        }
        if other.is_empty() { Match::Nothing } else { Match::OtherMethods(other) }
    }
}

impl Route {
    fn literalness(&self) -> Vec<usize> {
        let literal = |piece: &Piece| if let Piece::Literal(text) = piece { text.len() + 1 } else { 0 };
        self.segments.iter().map(|pieces| pieces.iter().map(literal).sum()).collect()
    }

    fn captures(&self, path: &str) -> Option<Captures> {
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        if segments.len() != self.segments.len() {
            return None;
        }
        let mut captures = Captures::new();
        for (pieces, segment) in self.segments.iter().zip(segments) {
            // A slash inside a value came as %2F, so segments are split before they are decoded.
            let segment = percent_decode_str(segment).decode_utf8().ok()?;
            take(pieces, &segment, &mut captures).then_some(())?;
        }
        Some(captures)
    }
}

/// Splits a segment of a template into literals and placeholders.
fn pieces(segment: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = segment;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, behind)) = after.split_once('}') else { break };
        if !before.is_empty() {
            pieces.push(literal(before));
        }
        match pieces.last_mut() {
            // Nothing says where one ends and the next begins.
            Some(Piece::Placeholder(before)) => before.clear(),
            _ => pieces.push(Piece::Placeholder(name.to_owned())),
        }
        rest = behind;
    }
    if !rest.is_empty() {
        pieces.push(literal(rest));
    }
    pieces
}

fn literal(text: &str) -> Piece {
    Piece::Literal(percent_decode_str(text).decode_utf8_lossy().into_owned())
}

/// Takes a segment apart; the shortest value for every placeholder but the last one, as long as there is a literal
/// behind it.
fn take(pieces: &[Piece], segment: &str, captures: &mut Captures) -> bool {
    let mut rest = segment;
    let mut left = pieces.iter().peekable();
    while let Some(piece) = left.next() {
        match (piece, left.peek()) {
            (Piece::Literal(text), _) => match rest.strip_prefix(text.as_str()) {
                Some(behind) => rest = behind,
                None => return false,
            },
            (Piece::Placeholder(name), Some(Piece::Literal(next))) => {
                // The last literal of a segment stands at its end.
                let at = if left.len() == 1 { rest.strip_suffix(next.as_str()).map(str::len) } else { rest.find(next) };
                let Some((value, behind)) = at.filter(|at| *at > 0).and_then(|at| rest.split_at_checked(at)) else {
                    return false;
                };
                captures.push((name.clone(), value.to_owned()));
                rest = behind;
            }
            (Piece::Placeholder(name), _) => {
                if rest.is_empty() {
                    return false;
                }
                captures.push((name.clone(), rest.to_owned()));
                rest = "";
            }
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_taken_apart() {
        let cases: [(&str, &str, Option<&[&str]>); 10] = [
            ("pets", "pets", Some(&[])),
            ("pets", "pet", None),
            ("{id}", "a%b", Some(&["a%b"])),
            ("{id}", "", None),
            ("{id}.json", "a.b.json", Some(&["a.b"])),
            ("{id}.json", ".json", None),
            ("{a}-{b}", "1-2-3", Some(&["1", "2-3"])),
            ("v{n}:run", "v7:run", Some(&["7"])),
            ("{a}{b}.xml", "12.xml", Some(&["12"])),
            ("", "", Some(&[])),
        ];
        for (template, segment, expected) in cases {
            let mut captures = Captures::new();
            let fits = take(&pieces(template), segment, &mut captures);
            let values: Vec<&str> = captures.iter().map(|(_, value)| value.as_str()).collect();
            assert_eq!(fits.then_some(values.as_slice()), expected, "{template} {segment}");
        }
    }
}
