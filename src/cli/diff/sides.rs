//! What is compared: each side is told by its content, read, and made a lock of.

use std::path::Path;

use serde::Serialize;

use crate::cli::args::Common;
use crate::cli::failure::Failure;
use crate::cli::{current_folder, lock};
use crate::document::{self, FileId};
use crate::session::lock::Lock;
use crate::workspace::{self, FILE_NAMES, Options, Reader, Source, SpecArg, Workspace};

/// What a side is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::cli) enum Kind {
    /// A lock file.
    Lock,
    /// A document.
    Document,
    /// A workspace file.
    Workspace,
}

impl Kind {
    pub(in crate::cli) fn words(self) -> &'static str {
        match self {
            Self::Lock => "lock file",
            Self::Document => "document",
            Self::Workspace => "workspace",
        }
    }
}

/// One side of the comparison.
pub(in crate::cli) struct State {
    pub(in crate::cli) kind: Kind,
    /// As it was named.
    pub(in crate::cli) name: String,
    pub(in crate::cli) lock: Lock,
}

/// A side before it is loaded.
enum Named {
    Lock(Lock),
    /// A workspace file.
    Workspace(String),
    /// A document; with its text when it was standard input.
    Document(SpecArg, Option<String>),
}

/// Both sides: `old`, and what the other options name.
///
/// # Errors
/// One of them cannot be read, or they cannot be compared.
pub(super) fn both(old: &str, common: &Common) -> Result<(State, State), Failure> {
    let mut reader = Reader::default();
    let folder = current_folder()?;
    let named_old = detect(old, &mut reader, &folder)?;
    let named_new = match common.specs.as_slice() {
        [new] if new != "-" => Some(detect(new, &mut reader, &folder)?),
        _ => None,
    };
    let mut options = common.options();
    if let Some(Named::Workspace(file)) = &named_new {
        options.specs.clear();
        options.config = Some(file.into());
    }
    // A lock says whom it asked; the present is asked the same, unless something else is wished.
    if let (Named::Lock(lock), true) = (&named_old, options.targets.is_empty()) {
        options.targets = lock.targets.keys().cloned().collect();
    }
    let base = match &named_new {
        Some(Named::Lock(_)) => None,
        _ => Some(Workspace::resolve(&options, &folder)?),
    };
    let old = match named_old {
        Named::Lock(lock) => State { kind: Kind::Lock, name: old.to_owned(), lock },
        Named::Workspace(file) => {
            let options = Options { specs: Vec::new(), config: Some(file.into()), demo: false, ..options };
            loaded(Kind::Workspace, old, &Workspace::resolve(&options, &folder)?, &mut reader)?
        }
        Named::Document(spec, text) => {
            let workspace = match &base {
                Some(base) => with_document(base, &spec, text, &folder)?,
                None => Workspace::resolve(&Options { specs: vec![spec], ..options }, &folder)?,
            };
            loaded(Kind::Document, old, &workspace, &mut reader)?
        }
    };
    let new = match (named_new, &base) {
        (Some(Named::Lock(lock)), _) => State { kind: Kind::Lock, name: common.specs.join(" "), lock },
        (_, Some(base)) => {
            let is_document = !base.options.specs.is_empty();
            let kind = if is_document { Kind::Document } else { Kind::Workspace };
            let name = if is_document { common.specs.join(" ") } else { base.name.clone() };
            loaded(kind, &name, base, &mut reader)?
        }
        (_, None) => return Err(Failure::Internal("the new side is nothing that can be loaded".to_owned())),
    };
    Ok((old, new))
}

/// The lock that a file holds.
///
/// # Errors
/// There is none, or it is no lock.
pub(in crate::cli) fn lock_file(path: &Path) -> Result<(String, Lock), Failure> {
    let name = path.display().to_string();
    let text = text(&Source::written(&name, &current_folder()?), &mut Reader::default())?;
    let lock = parse(&name, &text)?;
    Ok((text, lock))
}

fn parse(name: &str, text: &str) -> Result<Lock, Failure> {
    Lock::parse(text).map_err(|error| {
        let remedy = "Write it anew with `toolscope lock`, or name another file.";
        Failure::usage(format!("`{name}`: {error}"), remedy)
    })
}

/// The text of a file, a URL or standard input.
pub(in crate::cli) fn text(source: &Source, reader: &mut Reader) -> Result<String, Failure> {
    let place = source.place(reader.env.as_ref())?;
    let bytes = reader.read(source, &place)?;
    document::decode(&bytes).map_err(|error| Failure::usage(format!("`{}`: {error}", source.name), error.remedy))
}

fn detect(named: &str, reader: &mut Reader, folder: &Path) -> Result<Named, Failure> {
    let spec = SpecArg::parse(named);
    let document = |text| Ok(Named::Document(spec.clone(), text));
    if spec.prefix.is_some() || spec.location.contains("://") {
        return document(None);
    }
    if folder.join(named).is_dir() {
        let inside = FILE_NAMES.iter().map(|name| Path::new(named).join(name)).find(|path| folder.join(path).is_file());
        let message = || format!("the folder `{named}` holds no workspace file");
        let path =
            inside.ok_or_else(|| Failure::usage(message(), "Name a document, a lock file or a workspace file."))?;
        return Ok(Named::Workspace(path.display().to_string()));
    }
    let text = text(&Source::written(named, folder), reader)?;
    if Lock::is_meant(&text) {
        return parse(named, &text).map(Named::Lock);
    }
    let from_stdin = named == "-";
    if is_workspace(named, &text) && !from_stdin {
        return Ok(Named::Workspace(named.to_owned()));
    }
    document(from_stdin.then_some(text))
}

/// Has a text the keys of a workspace file, and none of a document?
fn is_workspace(name: &str, text: &str) -> bool {
    // Big documents say in their first lines what they are, and need not be parsed for it.
    let deepest = if text.trim_start().starts_with('{') { 4 } else { 0 };
    if text.lines().take(50).any(|line| says_openapi(line, deepest)) {
        return false;
    }
    let Ok(parsed) = document::parse(FileId(0), name, text) else { return false };
    let has = |key: &str| parsed.root.get(key).is_some();
    !has("openapi") && !has("swagger") && ["upstreams", "naming", "environments", "targets"].iter().any(|key| has(key))
}

/// `openapi:` or `swagger:` at the start of a line that is indented no more than so.
fn says_openapi(line: &str, deepest: usize) -> bool {
    let bare = line.trim_start();
    if line.len() - bare.len() > deepest {
        return false;
    }
    let bare = bare.trim_start_matches(['{', ' ', '"', '\'']);
    ["openapi", "swagger"].iter().any(|key| {
        let rest = bare.strip_prefix(key).map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
        rest.is_some_and(|rest| rest.starts_with(':'))
    })
}

/// The workspace with another document in the place of its own.
fn with_document(base: &Workspace, spec: &SpecArg, text: Option<String>, folder: &Path) -> Result<Workspace, Failure> {
    let mut workspace = base.clone();
    match workspace.upstreams.as_mut_slice() {
        [upstream] => {
            let headers = upstream.document.headers.clone();
            upstream.document = match text {
                Some(text) => Source::text("stdin", text),
                None => Source::written(&spec.location, folder).with_headers(headers),
            };
            Ok(workspace)
        }
        all => {
            let message = format!("`{}` is one document, and the other side has {}", spec.location, all.len());
            Err(Failure::usage(message, "Compare one document with one, or lock files, or workspace files."))
        }
    }
}

fn loaded(kind: Kind, name: &str, workspace: &Workspace, reader: &mut Reader) -> Result<State, Failure> {
    let snapshot = workspace::load_with(workspace, None, reader)?;
    Ok(State { kind, name: name.to_owned(), lock: lock::of(workspace, &snapshot) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_files_are_told_from_documents() {
        let cases = [
            ("openapi: 3.1.0\npaths: {}\n", false),
            ("{\n  \"swagger\": \"2.0\"}\n", false),
            ("{\"info\": {}, \"openapi\": \"3.0.0\", \"targets\": []}", false),
            ("upstreams: []\n", true),
            ("# a comment\nnaming: {separator: _}\n", true),
            ("upstreams:\n- name: x\n  openapi:\n    source: a.yaml\n", true),
            ("overlay: 1.0.0\nactions: []\n", false),
            ("{\n  \"upstreams\": [\n    {\n      \"openapi\": {\"source\": \"a.yaml\"}}]}", true),
            ("{\"upstreams\": [{\"name\": \"x\", \"openapi\": {}}]}", true),
            ("nothing", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_workspace("a.yaml", text), expected, "{text}");
        }
    }
}
