#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod http;
mod loading;
mod resolving;

use std::collections::BTreeMap;
use std::path::Path;

use super::{Env, Options, OverlayArg, Reader, SpecArg};

/// An environment of some variables.
pub(super) struct Variables(pub(super) BTreeMap<&'static str, &'static str>);

impl Env for Variables {
    fn variable(&self, name: &str) -> Option<String> {
        self.0.get(name).map(|value| (*value).to_owned())
    }

    fn file(&self, _: &Path) -> std::io::Result<String> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

pub(super) fn reader(stdin: &'static str) -> Reader {
    Reader {
        env: Box::new(Variables([("TOKEN", "s3cret"), ("DIR", "sub")].into())),
        stdin: Some(Box::new(stdin.as_bytes())),
        ..Reader::default()
    }
}

pub(super) fn options(specs: &[&str], overlays: &[&str]) -> Options {
    Options {
        specs: specs.iter().map(|text| SpecArg::parse(text)).collect(),
        overlays: overlays.iter().map(|text| OverlayArg::parse(text)).collect(),
        ..Options::default()
    }
}

/// A folder with files.
pub(super) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}
