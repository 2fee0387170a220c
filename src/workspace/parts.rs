//! The files that the references of a document lead to: which there are, where they lie, and which may be read.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;
use url::Url;

use super::source::Place;
use crate::document::{Entry, Node};

/// What relative references of a file are read against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// A folder.
    Folder(PathBuf),
    /// A URL.
    Url(Url),
    /// Nothing: the document came from standard input or from the program.
    Nowhere,
}

/// What references may lead to.
#[derive(Clone, Debug, Default)]
pub(super) struct Policy {
    /// The folder that files must be in, without links and dots; `None` allows no file.
    pub(super) root: Option<PathBuf>,
    /// The hosts that may be asked.
    pub(super) hosts: Vec<String>,
}

impl Base {
    /// The base for the references of the file at a place.
    pub(super) fn of(place: &Place, fallback: Option<&Path>) -> Self {
        match place {
            Place::File(path) => Self::Folder(path.parent().unwrap_or(Path::new("")).to_owned()),
            Place::Url(url) => Self::Url(url.clone()),
            Place::Stdin | Place::Text(_) => fallback.map_or(Self::Nowhere, |folder| Self::Folder(folder.to_owned())),
        }
    }
}

impl Policy {
    /// Where a reference without its fragment leads to.
    ///
    /// # Errors
    /// Why it may not be read, in words that follow "was not read:".
    pub(super) fn locate(&self, base: &Base, reference: &str) -> Result<Place, String> {
        if let Some(url) = Url::parse(reference).ok().filter(|_| reference.contains("://")) {
            return self.allowed_url(url);
        }
        match base {
            Base::Url(base) => {
                let url = base.join(reference).map_err(|error| format!("it is no URL ({error})"))?;
                self.allowed_url(url)
            }
            Base::Folder(folder) => self.allowed_file(folder, reference),
            Base::Nowhere => Err("the document has no folder; --ref-root DIR gives it one".to_owned()),
        }
    }

    fn allowed_url(&self, url: Url) -> Result<Place, String> {
        if !["http", "https"].contains(&url.scheme()) {
            return Err(format!("the scheme `{}` is not followed", url.scheme()));
        }
        let host = url.host_str().unwrap_or_default();
        if self.hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(host)) {
            return Ok(Place::Url(url));
        }
        Err(format!("the host {host} is not allowed; `ref_hosts: [{host}]` in the workspace file allows it"))
    }

    fn allowed_file(&self, folder: &Path, reference: &str) -> Result<Place, String> {
        let path = reference.split_once('?').map_or(reference, |(path, _)| path);
        let path = percent_decode_str(path).decode_utf8().map_err(|_| "its name is not UTF-8".to_owned())?;
        let path = folder.join(&*path);
        // Without links and dots, so that neither leads out of the root.
        let real = path.canonicalize().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        })?;
        match &self.root {
            Some(root) if real.starts_with(root) => Ok(Place::File(real)),
            Some(root) => Err(format!("it is outside of {}; --ref-root DIR allows more", root.display())),
            None => Err("no folder is allowed; --ref-root DIR allows one".to_owned()),
        }
    }
}

/// References of a tree to other files, without fragments, each once, in document order.
///
/// What is the same in `known` (the tree as it was before) is passed over.
pub(super) fn references<'a>(root: &'a Node, known: Option<&'a Node>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut open = vec![(root, known)];
    while let Some((node, known)) = open.pop() {
        if known.is_some_and(|known| known.same(node)) {
            continue;
        }
        for entry in node.members() {
            for text in written_references(entry) {
                let uri = text.split_once('#').map_or(text, |(uri, _)| uri);
                if !uri.is_empty() && seen.insert(uri) {
                    found.push(uri);
                }
            }
        }
        open.extend(node.members().rev().map(|entry| (&entry.value, known.and_then(|known| known.get(&entry.key)))));
        let before = |at: usize| known.and_then(|known| known.as_list()?.get(at));
        open.extend(node.items().enumerate().rev().map(|(at, item)| (item, before(at))));
    }
    found
}

fn written_references(entry: &Entry) -> impl Iterator<Item = &str> {
    let single = match &*entry.key {
        "$ref" | "$dynamicRef" => entry.value.as_str(),
        _ => None,
    };
    // A value of a mapping is a reference or the bare name of a schema.
    let mapping = if &*entry.key == "discriminator" { entry.value.get("mapping") } else { None };
    let mapped = mapping.into_iter().flat_map(Node::members).filter_map(|entry| entry.value.as_str());
    single.into_iter().chain(mapped.filter(|text| is_file_reference(text)))
}

fn is_file_reference(text: &str) -> bool {
    let path = text.split_once('#').map_or(text, |(path, _)| path);
    text.contains('#') || [".json", ".yaml", ".yml"].iter().any(|ending| path.ends_with(ending))
}

/// A relative path on a folder as a user would write it: without `.` and needless `..`.
pub(super) fn join(folder: &str, relative: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let path = Path::new(folder).join(relative);
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match parts.last().map(String::as_str) {
                Some("/") => {}
                None | Some("..") => parts.push("..".to_owned()),
                Some(_) => {
                    parts.pop();
                }
            },
            Component::RootDir => parts.push("/".to_owned()),
            other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    match parts.split_first() {
        Some((first, rest)) if first == "/" => format!("/{}", rest.join("/")),
        _ => parts.join("/"),
    }
}

/// The name of the file that a reference in the file `from` leads to, for messages.
pub(super) fn name_of(from: &str, reference: &str) -> String {
    if reference.contains("://") {
        return super::http::without_password(reference);
    }
    if let Some(url) = Url::parse(from).ok().filter(|_| from.contains("://")).and_then(|url| url.join(reference).ok()) {
        return super::http::without_password(url.as_str());
    }
    let folder = Path::new(from).parent().unwrap_or(Path::new("")).to_string_lossy().into_owned();
    let decoded = percent_decode_str(reference).decode_utf8_lossy();
    join(&folder, &decoded)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn names_of_parts() {
        let cases = [
            ("api/openapi.yaml", "./models/pet.yaml", "api/models/pet.yaml"),
            ("api/models/pet.yaml", "../common.yaml", "api/common.yaml"),
            ("openapi.yaml", "a%20b.yaml", "a b.yaml"),
            ("openapi.yaml", "../x.yaml", "../x.yaml"),
            ("/abs/openapi.yaml", "../../../x.yaml", "/x.yaml"),
            ("https://h/v1/openapi.yaml", "pet.yaml", "https://h/v1/pet.yaml"),
            ("openapi.yaml", "https://u:p@h/pet.yaml", "https://h/pet.yaml"),
        ];
        for (from, reference, expected) in cases {
            let name = name_of(from, reference);
            assert_eq!(name, expected, "{from} {reference}");
        }
    }

    #[test]
    fn files_stay_under_the_root_and_hosts_are_listed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("api")).unwrap();
        for file in ["api/a.yaml", "secret.yaml"] {
            std::fs::write(root.join(file), "x").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.join("secret.yaml"), root.join("api/link.yaml")).unwrap();
        let folder = Base::Folder(root.join("api"));
        let web = Base::Url(Url::parse("https://example.com/v1/api.yaml").unwrap());
        let policy = Policy { root: Some(root.join("api")), hosts: vec!["example.com".into()] };
        let cases: [(&Base, &str, &str); 10] = [
            (&folder, "a.yaml", ""),
            (&folder, "../api/a.yaml", ""),
            (&folder, "../secret.yaml", "outside"),
            (&folder, "/etc/passwd", "outside"),
            #[cfg(unix)]
            (&folder, "link.yaml", "outside"),
            (&folder, "none.yaml", "no such file"),
            (&folder, "https://example.com/x.yaml", ""),
            (&folder, "https://other.example/x.yaml", "ref_hosts: [other.example]"),
            (&web, "x.yaml", ""),
            (&web, "file:///etc/passwd", "scheme `file`"),
        ];
        for (base, reference, why) in cases {
            match policy.locate(base, reference) {
                Ok(_) => assert_eq!(why, "", "{reference}"),
                Err(found) => assert!(!why.is_empty() && found.contains(why), "{reference}: {found}"),
            }
        }
        assert!(Policy::default().locate(&Base::Nowhere, "a.yaml").unwrap_err().contains("--ref-root"));
    }
}
