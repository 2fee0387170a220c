//! Rules on the documents that tools come from.

use crate::derive::Upstream;
use crate::document::Place;

use super::reader::{MOST, refusals};
use super::rule::{Check, Kind};

/// What a rule has against a document.
#[derive(Debug)]
pub(super) struct DocumentBreach {
    pub(super) what: String,
    pub(super) place: Place,
    /// Worth knowing only, whatever the rule's severity.
    pub(super) remark: bool,
}

/// Checks one rule on one upstream.
pub(super) fn breaches(check: &Check, upstream: &Upstream) -> Vec<DocumentBreach> {
    match check {
        Check::Words(Kind::Versions, words) => {
            let known = words.iter().any(|word| upstream.version.starts_with(word.as_str()));
            let what = format!("the document is of version {}", upstream.version);
            if known { Vec::new() } else { vec![breach(what, version_place(upstream))] }
        }
        Check::Plain(Kind::OneServer) => {
            let root = &upstream.documents.main.root;
            let Some(entry) = root.entry("servers").filter(|entry| entry.value.items().len() > 1) else {
                return Vec::new();
            };
            let what = format!("the document has {} servers", entry.value.items().len());
            vec![breach(what, Place { origin: entry.key_origin, pointer: "/servers".into() })]
        }
        Check::Plain(Kind::OpenApiV3) => reads(upstream),
        _ => Vec::new(),
    }
}

fn reads(upstream: &Upstream) -> Vec<DocumentBreach> {
    let found = refusals(&upstream.documents);
    if found.is_empty() && !upstream.version.starts_with("3.0") {
        let what = format!(
            "the crate openapiv3 knows 3.0; it reads this {} document as 3.0 and passes over the rest",
            upstream.version
        );
        return vec![DocumentBreach { what, place: version_place(upstream), remark: true }];
    }
    let all = found.len() < MOST;
    let words = |message: String| format!("the crate openapiv3 cannot read this: {message}");
    let mut out: Vec<DocumentBreach> =
        found.into_iter().map(|refusal| breach(words(refusal.message), refusal.place)).collect();
    if !all {
        let what =
            format!("only the first {MOST} places that the crate openapiv3 cannot read are told; there may be more");
        out.push(DocumentBreach { what, place: version_place(upstream), remark: true });
    }
    out
}

fn breach(what: String, place: Place) -> DocumentBreach {
    DocumentBreach { what, place, remark: false }
}

fn version_place(upstream: &Upstream) -> Place {
    let root = &upstream.documents.main.root;
    let entry = root.entry("openapi").or_else(|| root.entry("swagger"));
    let pointer = entry.map(|entry| format!("/{}", entry.key)).unwrap_or_default();
    Place { origin: entry.map_or(root.origin, |entry| entry.key_origin), pointer: pointer.into() }
}
