//! Copying: the terminal's clipboard, or a file where the text is too long for it.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;

/// Longest text, in bytes, that is sent to the terminal's clipboard. Many terminals drop longer ones without a word.
pub const COPY_LIMIT: usize = 100_000;

/// Where a copied text went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Copied {
    /// To the terminal, which puts it on the clipboard if it is allowed to; there is no answer to read.
    Terminal {
        /// Length of the text.
        bytes: usize,
    },
    /// Into a file that only this user can read.
    File {
        /// Length of the text.
        bytes: usize,
        /// The file.
        path: PathBuf,
    },
}

impl fmt::Display for Copied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terminal { bytes } => write!(f, "copied {bytes} bytes to the terminal's clipboard (OSC 52)"),
            Self::File { bytes, path } => {
                write!(f, "{bytes} bytes are too long for the clipboard: saved as {}", path.display())
            }
        }
    }
}

/// Copies a text: up to [`COPY_LIMIT`] bytes as OSC 52 to `out`, longer ones into a new file in `folder`.
///
/// # Errors
/// When neither can be written.
pub(crate) fn copy(text: &str, out: &mut impl Write, folder: &Path) -> io::Result<Copied> {
    let bytes = text.len();
    if bytes <= COPY_LIMIT {
        execute!(out, CopyToClipboard::to_clipboard_from(text))?;
        return Ok(Copied::Terminal { bytes });
    }
    let path = save(text, folder)?;
    Ok(Copied::File { bytes, path })
}

/// Never writes to a file that exists: in a shared folder its name could have been laid there by somebody else.
fn save(text: &str, folder: &Path) -> io::Result<PathBuf> {
    let process = std::process::id();
    for number in 0..1000 {
        let path = folder.join(format!("toolscope-copy-{process}-{number}.txt"));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(mut file) => return file.write_all(text.as_bytes()).map(|()| path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("too many copies in {}", folder.display())))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use super::*;

    #[test]
    fn a_short_text_goes_to_the_terminal() {
        let folder = tempfile::tempdir().unwrap();
        let mut out = Vec::new();
        assert_eq!(copy("hello", &mut out, folder.path()).unwrap(), Copied::Terminal { bytes: 5 });
        assert!(out.starts_with(b"\x1b]52;c;aGVsbG8="), "{out:?}");
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn a_long_text_goes_into_a_new_private_file_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let text = "x".repeat(COPY_LIMIT + 1);
        let mut out = Vec::new();
        let mut paths = Vec::new();
        for _ in 0..2 {
            let Copied::File { bytes, path } = copy(&text, &mut out, folder.path()).unwrap() else {
                panic!("not saved");
            };
            assert_eq!(bytes, COPY_LIMIT + 1);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
            #[cfg(unix)]
            assert_eq!(std::os::unix::fs::MetadataExt::mode(&path.metadata().unwrap()) & 0o777, 0o600);
            paths.push(path);
        }
        assert_ne!(paths[0], paths[1]);
        assert!(out.is_empty());
    }
}
