//! Saving a text file: the old file or the new one, whole, and never over what somebody else wrote meanwhile.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::document::decode;

const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

/// A text file as it was when it was read: what an edit is based on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// The file.
    pub path: PathBuf,
    /// Its text, without a byte order mark; empty for a file that is not there.
    pub text: String,
    /// Its bytes; `None` when it was not there.
    bytes: Option<Vec<u8>>,
    /// It is built into the program, or an edit of a file: there is no such file to be written.
    is_virtual: bool,
}

/// Why a file was not saved. It is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// Somebody changed it since it was read: nothing was written.
    #[error("`{}` was changed by somebody else; nothing was written", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The text that the edit was based on.
        base: String,
        /// The text that was to be written.
        mine: String,
        /// The text that is in the file now; `None` when it is gone or is no text any more.
        theirs: Option<String>,
    },
    /// It is no file: it is built into the program.
    #[error("`{}` is built into the program and cannot be written", path.display())]
    BuiltIn {
        /// Its name.
        path: PathBuf,
    },
    /// It is in an encoding that is not written.
    #[error("`{}` is not UTF-8; save it as UTF-8 first", path.display())]
    Encoding {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read or written.
    #[error("`{}` cannot be saved: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl TextFile {
    /// Reads a file; one that is not there is an empty text.
    ///
    /// # Errors
    /// It is there and cannot be read, or is no text.
    pub fn read(path: &Path) -> Result<Self, SaveError> {
        let failed = |error| SaveError::Io { path: path.to_owned(), error };
        let bytes = current(path).map_err(failed)?;
        let text = match &bytes {
            Some(bytes) => {
                decode(bytes).map_err(|error| failed(io::Error::new(io::ErrorKind::InvalidData, error.to_string())))?
            }
            None => String::new(),
        };
        Ok(Self { path: path.to_owned(), text, bytes, is_virtual: false })
    }

    /// A text that is built into the program, under its name.
    pub fn built_in(name: &str, text: &str) -> Self {
        let bytes = Some(text.as_bytes().to_vec());
        Self { path: PathBuf::from(name), text: text.to_owned(), bytes, is_virtual: true }
    }

    /// The same file with another text, to be read and not to be saved; `None` for no file.
    #[must_use]
    pub fn edited(&self, text: Option<&str>) -> Self {
        let bytes = text.map(|text| text.as_bytes().to_vec());
        Self { path: self.path.clone(), text: text.unwrap_or_default().to_owned(), bytes, is_virtual: true }
    }

    /// It is built into the program: there is no file.
    pub fn is_virtual(&self) -> bool {
        self.is_virtual
    }

    /// It was there when it was read.
    pub fn exists(&self) -> bool {
        self.bytes.is_some()
    }

    /// Writes a new text and gives back the file as it is then, for the next edit.
    ///
    /// The text goes into a new file of the same folder, to the disk, and in the place of the old one in one step. The
    /// new file has the old one's permissions. A link is followed and stays one. A byte order mark stays.
    ///
    /// # Errors
    /// The file is not as it was read, or cannot be written; then it is untouched.
    pub fn save(&self, text: &str) -> Result<Self, SaveError> {
        let failed = |error| SaveError::Io { path: self.path.clone(), error };
        if self.is_virtual {
            return Err(SaveError::BuiltIn { path: self.path.clone() });
        }
        let bytes = self.encoded(text)?;
        let path = destination(&self.path).map_err(failed)?;
        let beside = beside(&path);
        let written = write_new(&beside, &bytes, &path).map_err(failed).and_then(|()| {
            // As late as can be: what comes between this and the next line is lost, as with every editor.
            self.check(&path, text)?;
            fs::rename(&beside, &path).map_err(failed)
        });
        if let Err(error) = written {
            // The half-made file is of no use; the first error is the one to tell.
            let _ = fs::remove_file(&beside);
            return Err(error);
        }
        sync_folder(&path);
        Ok(Self { path: self.path.clone(), text: text.to_owned(), bytes: Some(bytes), is_virtual: false })
    }

    fn encoded(&self, text: &str) -> Result<Vec<u8>, SaveError> {
        let Some(old) = &self.bytes else { return Ok(text.as_bytes().to_vec()) };
        let marked = old.starts_with(BYTE_ORDER_MARK);
        let plain = if marked { old.get(BYTE_ORDER_MARK.len()..) } else { Some(old.as_slice()) };
        if plain != Some(self.text.as_bytes()) {
            return Err(SaveError::Encoding { path: self.path.clone() });
        }
        let mark = if marked { BYTE_ORDER_MARK } else { &[] };
        Ok([mark, text.as_bytes()].concat())
    }

    fn check(&self, path: &Path, mine: &str) -> Result<(), SaveError> {
        let now = current(path).map_err(|error| SaveError::Io { path: self.path.clone(), error })?;
        if now == self.bytes {
            return Ok(());
        }
        Err(SaveError::Changed {
            path: self.path.clone(),
            base: self.text.clone(),
            mine: mine.to_owned(),
            theirs: now.and_then(|bytes| decode(&bytes).ok()),
        })
    }
}

fn current(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Where the bytes lie, links followed, also one to a file that is not there yet.
fn destination(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "too many links"))
}

/// A name in the same folder that nothing else has.
fn beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    path.with_file_name(name)
}

/// Writes a file that must not be there yet, with the permissions of `like`.
fn write_new(path: &Path, bytes: &[u8], like: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    if let Ok(old) = fs::metadata(like) {
        file.set_permissions(old.permissions())?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the new name last through a power cut; not every file system can, and the content is safe either way.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    #[cfg(not(unix))]
    let _ = path;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_is_saved_whole_with_its_mark_and_permissions() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("o.yaml");
        let file = TextFile::read(&path).unwrap();
        assert!(!file.exists());
        let file = file.save("a").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a");
        fs::write(&path, b"\xEF\xBB\xBFa").unwrap();
        assert!(matches!(file.save("b"), Err(SaveError::Changed { .. })));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        }
        let file = TextFile::read(&path).unwrap().save("é").unwrap();
        file.save("éé").unwrap();
        assert_eq!(fs::read(&path).unwrap(), "\u{FEFF}éé".as_bytes());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        }
        assert_eq!(names(dir.path()), ["o.yaml"]);
    }

    #[test]
    fn what_somebody_else_wrote_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("o.yaml");
        fs::write(&path, "base").unwrap();
        let file = TextFile::read(&path).unwrap();
        fs::write(&path, "theirs").unwrap();
        let Err(SaveError::Changed { base, mine, theirs, .. }) = file.save("mine") else { panic!() };
        assert_eq!((base.as_str(), mine.as_str(), theirs.as_deref()), ("base", "mine", Some("theirs")));
        fs::remove_file(&path).unwrap();
        assert!(matches!(file.save("mine"), Err(SaveError::Changed { theirs: None, .. })));
        assert!(names(dir.path()).is_empty());
        // One that came up meanwhile is not overwritten either.
        let fresh = TextFile::read(&path).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert!(matches!(fresh.save("mine"), Err(SaveError::Changed { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        fs::write(&path, b"\xFF\xFEa\0").unwrap();
        assert!(matches!(TextFile::read(&path).unwrap().save("b"), Err(SaveError::Encoding { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("o.yaml"), dir.path().join("link.yaml"));
        fs::write(&path, "a").unwrap();
        std::os::unix::fs::symlink("o.yaml", &link).unwrap();
        TextFile::read(&link).unwrap().save("b").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"b");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    /// Set for the child that saves without end until it is killed.
    const CHILD: &str = "TOOLSCOPE_TEST_SAVES";

    fn content(letter: char) -> String {
        letter.to_string().repeat(200_000)
    }

    #[test]
    fn killed_in_the_middle_of_a_save_the_file_is_the_old_or_the_new_one() {
        if let Some(path) = std::env::var_os(CHILD) {
            let mut file = TextFile::read(Path::new(&path)).unwrap();
            for letter in ['a', 'b'].into_iter().cycle() {
                file = file.save(&content(letter)).unwrap();
            }
        }
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("o.yaml");
        fs::write(&path, content('a')).unwrap();
        let mut changed = 0;
        for round in 0..25 {
            let mut child = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["killed_in_the_middle_of_a_save", "--nocapture"])
                .env(CHILD, &path)
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap();
            let before = fs::metadata(&path).unwrap().modified().unwrap();
            let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
            // Killed at another moment of its work each time, and not before it has begun.
            while fs::metadata(&path).unwrap().modified().unwrap() == before && std::time::Instant::now() < deadline {
                std::thread::yield_now();
            }
            std::thread::sleep(std::time::Duration::from_micros(173 * round));
            child.kill().unwrap();
            child.wait().unwrap();
            changed += usize::from(fs::metadata(&path).unwrap().modified().unwrap() != before);
            let found = fs::read_to_string(&path).unwrap();
            assert!(found == content('a') || found == content('b'), "{} bytes", found.len());
        }
        assert_eq!(changed, 25);
    }
}
