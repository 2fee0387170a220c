//! What is unsaved, as it is kept beside the program's memory, for the case that the program does not end by itself.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::drafts::Drafts;
use crate::workspace::TextFile;

/// The form of the file; another one is not read.
const VERSION: u32 = 1;

/// One unsaved text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovered {
    /// The file.
    pub path: PathBuf,
    /// Its name in messages.
    pub name: String,
    /// The upstream that gets it, for a file that the workspace does not name.
    pub upstream: Option<String>,
    /// The text that the edit was based on; `None` where there was no file.
    pub base: Option<String>,
    /// The edited text.
    pub text: String,
    /// The file as it is now; `None` for one that is built in.
    #[serde(skip)]
    pub now: Option<TextFile>,
}

#[derive(Deserialize, Serialize)]
struct Form {
    version: u32,
    files: Vec<Recovered>,
}

/// What an earlier run left unsaved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// The file that holds it.
    pub file: PathBuf,
    /// When it was written, in words.
    pub when: String,
    /// The texts.
    pub files: Vec<Recovered>,
}

/// What is unsaved, as a recovery file holds it; `None` when nothing is.
pub(super) fn to_json(drafts: &Drafts) -> Option<String> {
    let files: Vec<Recovered> = drafts.dirty_files().iter().filter_map(|path| drafts.to_recover(path)).collect();
    if files.is_empty() {
        return None;
    }
    serde_json::to_string(&Form { version: VERSION, files }).ok()
}

impl Recovered {
    /// Reads a recovery file.
    ///
    /// # Errors
    /// In words, why it cannot be used.
    pub fn from_json(text: &str) -> Result<Vec<Self>, String> {
        let form: Form = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if form.version == VERSION { Ok(form.files) } else { Err(format!("it has the version {}", form.version)) }
    }

    /// The file as the edit was based on it.
    pub(super) fn base_file(&self) -> TextFile {
        let file = match &self.now {
            Some(now) => now.clone(),
            None => TextFile::built_in(&self.path.to_string_lossy(), ""),
        };
        file.edited(self.base.as_deref())
    }

    /// Is the file still as it was when it was edited?
    pub(super) fn is_current(&self, now: &TextFile) -> bool {
        now.exists().then_some(now.text.as_str()) == self.base.as_deref()
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
