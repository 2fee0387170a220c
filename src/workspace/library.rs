//! Naming profiles and lint targets of the user: TOML files in `profiles/` and `targets/`, beside the workspace file and
//! in the user's configuration folder.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::error::LoadError;
use super::options::Options;
use crate::document::{FileId, Finding, Origin, Place, SourceFile, Sources};
use crate::lint::Target;
use crate::naming::Profile;

/// Larger files are none of ours.
const MAX_BYTES: u64 = 1 << 20;

/// The user's own profiles and targets. Those beside the workspace file come first.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Naming profiles, by file name.
    pub profiles: Vec<Own<Profile>>,
    /// Lint targets, by file name.
    pub targets: Vec<Own<Target>>,
    /// Files that cannot be used. They fail nothing until something that they may define is asked for.
    pub broken: Vec<Broken>,
}

/// Something that a file defines.
#[derive(Clone, Debug)]
pub struct Own<T> {
    /// What it defines.
    pub value: T,
    /// The file as messages name it.
    pub file: String,
    /// The file.
    pub path: PathBuf,
}

/// A file that cannot be used.
#[derive(Clone, Debug)]
pub struct Broken {
    /// What it should have been.
    pub kind: Kind,
    /// The file.
    pub path: PathBuf,
    /// Why it cannot be used, with its line.
    pub error: LoadError,
    text: String,
    offset: u32,
}

/// What a file of the library defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A naming profile.
    Profile,
    /// A lint target.
    Target,
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Self::Profile => "profiles",
            Self::Target => "targets",
        }
    }

    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Profile => "naming profile",
            Self::Target => "lint target",
        }
    }
}

/// A folder that may hold `profiles/` and `targets/`, and how messages call it.
struct Shelf {
    path: PathBuf,
    shown: PathBuf,
}

impl Library {
    /// Reads the files beside the workspace file (of the folder `cwd`, when the options name none) and those of
    /// [`Options::user_folder`]. Never fails: what cannot be used is in [`Self::broken`].
    pub fn read(options: &Options, cwd: &Path) -> Self {
        let beside = options.config.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let mut shelves = vec![Shelf { path: cwd.join(beside), shown: beside.to_owned() }];
        shelves.extend(options.user_folder.iter().map(|path| Shelf { path: path.clone(), shown: path.clone() }));
        let mut library = Self::default();
        for shelf in shelves {
            library.read_all(&shelf, Kind::Profile);
            library.read_all(&shelf, Kind::Target);
        }
        library
    }

    fn read_all(&mut self, shelf: &Shelf, kind: Kind) {
        let folder = shelf.path.join(kind.folder());
        // Most people have no such folder.
        let Ok(entries) = std::fs::read_dir(&folder) else { return };
        let mut names: Vec<PathBuf> =
            entries.filter_map(|entry| Some(PathBuf::from(entry.ok()?.file_name()))).collect();
        names.retain(|name| name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")));
        names.sort();
        for name in names {
            let path = folder.join(&name);
            let shown = shelf.shown.join(kind.folder()).join(&name).display().to_string();
            if path.is_file() && !self.paths().any(|known| *known == path) {
                self.read_one(kind, path, shown);
            }
        }
    }

    fn read_one(&mut self, kind: Kind, path: PathBuf, shown: String) {
        let text = match read_text(&path) {
            Ok(text) => text,
            Err(why) => {
                let error = LoadError::input(format!("the {} cannot be read: {why}", kind.word())).in_file(&shown);
                self.broken.push(Broken { kind, path, error, text: String::new(), offset: 0 });
                return;
            }
        };
        let fault = match kind {
            Kind::Profile => match Profile::parse(&text, &shown) {
                Ok(value) => return self.add_profile(Own { value, file: shown, path }, text),
                Err(error) => (error.line, error.column, error.message),
            },
            Kind::Target => match Target::parse(&text, &shown) {
                Ok(value) => return self.add_target(Own { value, file: shown, path }, text),
                Err(error) => (error.line, error.column, error.message),
            },
        };
        self.add_broken(kind, path, &shown, text, fault);
    }

    fn add_profile(&mut self, own: Own<Profile>, text: String) {
        match self.profiles.iter().find(|known| known.value.name() == own.value.name()) {
            Some(known) => {
                let message = taken("profile", own.value.name(), &known.file);
                self.add_broken(Kind::Profile, own.path, &own.file, text, (1, 1, message));
            }
            None => self.profiles.push(own),
        }
    }

    fn add_target(&mut self, own: Own<Target>, text: String) {
        match self.targets.iter().find(|known| known.value.name() == own.value.name()) {
            Some(known) => {
                let message = taken("target", own.value.name(), &known.file);
                self.add_broken(Kind::Target, own.path, &own.file, text, (1, 1, message));
            }
            None => self.targets.push(own),
        }
    }

    fn add_broken(&mut self, kind: Kind, path: PathBuf, shown: &str, text: String, fault: (usize, usize, String)) {
        let (line, column, message) = fault;
        let file = SourceFile::new(shown, text.as_str());
        let offset = offset_of(&text, line, column);
        let error = LoadError::input(message).at(&file, offset, offset.saturating_add(1));
        self.broken.push(Broken { kind, path, error, text, offset });
    }

    /// The profile of that name.
    pub fn profile(&self, name: &str) -> Option<&Profile> {
        self.profiles.iter().map(|own| &own.value).find(|profile| profile.name() == name)
    }

    /// The targets alone.
    pub fn own_targets(&self) -> Vec<Target> {
        self.targets.iter().map(|own| own.value.clone()).collect()
    }

    /// All files, the broken ones too.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let whole = self.profiles.iter().map(|own| &own.path).chain(self.targets.iter().map(|own| &own.path));
        whole.chain(self.broken.iter().map(|broken| &broken.path))
    }

    /// The broken file that would define something of that name: its own name says so.
    pub fn broken_for(&self, kind: Kind, name: &str) -> Option<&LoadError> {
        let is_it = |broken: &&Broken| broken.kind == kind && broken.path.file_stem().is_some_and(|stem| stem == name);
        self.broken.iter().find(is_it).map(|broken| &broken.error)
    }

    /// A finding for each broken file, at its line.
    pub(super) fn findings(&self, sources: &mut Sources) -> Vec<Finding> {
        let mut findings = Vec::new();
        for broken in &self.broken {
            let shown = broken.error.file.clone().unwrap_or_default();
            let code = if broken.kind == Kind::Profile { "profile-file" } else { "target-file" };
            let message = format!("the {} cannot be used: {}", broken.kind.word(), broken.error.message);
            let file: FileId = sources.put(SourceFile::new(shown, broken.text.as_str()));
            let start = broken.offset as usize;
            let origin = Origin::new(file, start, (start + 1).min(broken.text.len()).max(start));
            let place = Place { origin, pointer: "".into() };
            findings.push(Finding::warning(code, message).at(place).remedy("mend the file, or move it away"));
        }
        findings
    }
}

fn taken(what: &str, name: &str, file: &str) -> String {
    format!("the {what} `{name}` is in `{file}` already; give one of the two another name")
}

fn read_text(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err("it is larger than 1 MiB".to_owned());
    }
    String::from_utf8(bytes).map_err(|_| "it is no UTF-8 text".to_owned())
}

/// Byte offset of a line and column, both from 1, the column in characters.
pub(super) fn offset_of(text: &str, line: usize, column: usize) -> u32 {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(before..).unwrap_or_default();
    let inside: usize = rest.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
    u32::try_from(before + inside).unwrap_or(u32::MAX)
}
