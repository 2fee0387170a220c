//! Reading the bytes of a document or overlay: from a file, a URL, standard input or the program itself.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use url::Url;

use super::error::{LoadError, LoadErrorKind};
use super::http;
use super::secret::{Env, ProcessEnv, SecretRef};

/// No source is read beyond this.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// A document or overlay and how to get at it.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// As the user named it; also the name in every message.
    pub name: String,
    /// Where it is.
    pub location: Location,
    /// The folder from which a relative path is taken.
    pub folder: PathBuf,
    /// Headers for a URL.
    pub headers: Vec<(String, SecretRef)>,
    /// The file that a text stands for: what would be written to it, or was read from it.
    pub stands_for: Option<PathBuf>,
}

/// Where a source is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A path or URL, perhaps with `${NAME}` in it.
    Written(String),
    /// Standard input.
    Stdin,
    /// The text itself.
    Text(Arc<str>),
}

/// Where a source is, with every reference resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file.
    File(PathBuf),
    /// A URL with the scheme `http` or `https`.
    Url(Url),
    /// Standard input.
    Stdin,
    /// The text itself.
    Text(Arc<str>),
}

impl Source {
    /// A path, a URL or `-` as a user writes it; relative paths are taken from `folder`.
    pub fn written(text: &str, folder: &Path) -> Self {
        let location = if text == "-" { Location::Stdin } else { Location::Written(text.to_owned()) };
        Self {
            name: http::without_password(text),
            location,
            folder: folder.to_owned(),
            headers: Vec::new(),
            stands_for: None,
        }
    }

    /// A text under a name.
    pub fn text(name: &str, text: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.to_owned(),
            location: Location::Text(text.into()),
            folder: PathBuf::new(),
            headers: Vec::new(),
            stands_for: None,
        }
    }

    /// The same with a text in the place of what is in its file.
    #[must_use]
    pub fn with_text(&self, text: impl Into<Arc<str>>, file: &Path) -> Self {
        let stands_for = Some(file.to_owned());
        Self { location: Location::Text(text.into()), stands_for, ..self.clone() }
    }

    /// With headers for a URL.
    pub fn with_headers(mut self, headers: impl IntoIterator<Item = (String, SecretRef)>) -> Self {
        self.headers.extend(headers);
        self
    }

    /// Shown under another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Where it is.
    ///
    /// # Errors
    /// A variable in it is not set, or it is a URL that cannot be read.
    pub fn place(&self, env: &dyn Env) -> Result<Place, LoadError> {
        let written = match &self.location {
            Location::Stdin => return Ok(Place::Stdin),
            Location::Text(text) => return Ok(Place::Text(text.clone())),
            Location::Written(written) => written,
        };
        let text = if written.contains("${") {
            let reference = SecretRef::parse(written, &self.folder);
            reference.resolve_public(env).map_err(|error| {
                LoadError::usage(format!("`{}` cannot be resolved: {error}", self.name))
                    .remedy("Set the variable, or write the value.")
            })?
        } else {
            written.clone()
        };
        let Some((scheme, _)) = text.split_once("://").filter(|(scheme, _)| is_scheme(scheme)) else {
            return Ok(Place::File(self.folder.join(text)));
        };
        let wrong = |why: String| LoadError::usage(format!("`{}` {why}", self.name)).in_file(&self.name);
        let url = Url::parse(&text).map_err(|error| wrong(format!("is no URL: {error}")))?;
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => Ok(Place::Url(url)),
            "file" => {
                url.to_file_path().map(Place::File).map_err(|()| wrong("names no file of this machine".to_owned()))
            }
            other => {
                Err(wrong(format!("has the scheme `{other}`, which is not read")).remedy("Use http, https or a file."))
            }
        }
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// Reads sources. Standard input is read once.
pub struct Reader {
    /// What references are resolved against.
    pub env: Box<dyn Env>,
    /// Standard input; `None` when it was read.
    pub stdin: Option<Box<dyn Read>>,
    /// No source is read beyond this.
    pub max_bytes: usize,
    /// Time-outs of requests.
    pub timeouts: http::Timeouts,
    /// Whatever a previous load has read is as it was then; no file and no address is asked again.
    pub holds: bool,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            env: Box::new(ProcessEnv),
            stdin: Some(Box::new(std::io::stdin())),
            max_bytes: MAX_BYTES,
            timeouts: http::Timeouts::default(),
            holds: false,
        }
    }
}

impl Reader {
    /// The bytes at a place. Blocks; must not be called on a thread of an asynchronous runtime.
    ///
    /// # Errors
    /// It does not exist, cannot be read or reached, or is too large; each with what to do.
    pub fn read(&mut self, source: &Source, place: &Place) -> Result<Vec<u8>, LoadError> {
        let bytes = match place {
            Place::Text(text) => return Ok(text.as_bytes().to_vec()),
            Place::File(path) => self.file(&source.name, path)?,
            Place::Stdin => self.standard_input(&source.name)?,
            Place::Url(url) => self.url(source, url)?,
        };
        match looks_like_html(&bytes) {
            true => Err(LoadError::input(format!("`{}` is a web page, not a document", source.name))
                .in_file(&source.name)
                .remedy("Name the raw JSON or YAML file; a page about it often links to it.")),
            false => Ok(bytes),
        }
    }

    fn file(&self, name: &str, path: &Path) -> Result<Vec<u8>, LoadError> {
        let failed = |error: &std::io::Error| file_error(name, path, error);
        let file = std::fs::File::open(path).map_err(|error| failed(&error))?;
        let metadata = file.metadata().map_err(|error| failed(&error))?;
        if metadata.is_dir() {
            return Err(LoadError::usage(format!("`{name}` is a folder"))
                .in_file(name)
                .remedy("Name the document in it, such as openapi.yaml."));
        }
        let capacity = usize::try_from(metadata.len()).unwrap_or(usize::MAX).min(self.max_bytes);
        self.limited(name, file, capacity)?.map_err(|error| failed(&error))
    }

    fn standard_input(&mut self, name: &str) -> Result<Vec<u8>, LoadError> {
        let stdin = self.stdin.take().ok_or_else(|| {
            LoadError::usage("standard input can be read once only").remedy("Name files for the other documents.")
        })?;
        self.limited(name, stdin, 0)?
            .map_err(|error| LoadError::input(format!("standard input cannot be read: {error}")).in_file(name))
    }

    fn url(&self, source: &Source, url: &Url) -> Result<Vec<u8>, LoadError> {
        let response = http::get(source, url, self.env.as_ref(), self.timeouts)?;
        self.limited(&source.name, response, 0)?.map_err(|error| http::interrupted(&source.name, &error, self.timeouts))
    }

    /// Reads to the end or to the limit, whichever comes first.
    fn limited(&self, name: &str, from: impl Read, capacity: usize) -> Result<std::io::Result<Vec<u8>>, LoadError> {
        let mut bytes = Vec::with_capacity(capacity);
        let limit = u64::try_from(self.max_bytes).unwrap_or(u64::MAX).saturating_add(1);
        if let Err(error) = from.take(limit).read_to_end(&mut bytes) {
            return Ok(Err(error));
        }
        if bytes.len() > self.max_bytes {
            let most = self.max_bytes / (1024 * 1024);
            return Err(LoadError::input(format!("`{name}` is larger than {most} MiB"))
                .in_file(name)
                .remedy("Split it into files, or cut it down to the operations that are used."));
        }
        Ok(Ok(bytes))
    }
}

fn file_error(name: &str, path: &Path, error: &std::io::Error) -> LoadError {
    if error.kind() == std::io::ErrorKind::NotFound {
        let found = LoadError::usage(format!("there is no file `{name}`")).in_file(name);
        return match near_file(path) {
            Some(near) => found.remedy(format!("Did you mean `{near}`?")),
            None => found.remedy("Check the path; a URL starts with https://."),
        };
    }
    LoadError::usage(format!("`{name}` cannot be read: {error}")).in_file(name)
}

/// A file of the same folder with nearly that name.
fn near_file(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names: Vec<String> =
        std::fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    super::config::nearest(wanted, names.iter().map(String::as_str)).map(str::to_owned)
}

fn looks_like_html(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let starts = |tag: &[u8]| start.get(..tag.len()).is_some_and(|found| found.eq_ignore_ascii_case(tag));
    starts(b"<!doctype html") || starts(b"<html") || starts(b"<head")
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("stdin", &self.stdin.is_some()).finish_non_exhaustive()
    }
}

/// The kind of error for a status of HTTP.
pub(super) fn kind_of_status(status: u16) -> LoadErrorKind {
    match status {
        401 | 403 | 407 => LoadErrorKind::Authentication,
        _ => LoadErrorKind::Unreachable,
    }
}
