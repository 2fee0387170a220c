//! Files that the screen writes for the person.

use std::path::{Path, PathBuf};

/// Writes a text into a new file that only this user can read: in the folder of the workspace, or where temporary files go
/// when that cannot be written or when there is none.
///
/// # Errors
/// What the system says.
pub(super) fn save(folder: Option<&Path>, what: &str, ending: &str, text: &str) -> Result<PathBuf, String> {
    let temporary = std::env::temp_dir();
    if let Some(folder) = folder
        && let Ok(path) = new_file(folder, what, ending, text)
    {
        return Ok(path);
    }
    new_file(&temporary, what, ending, text).map_err(|error| format!("{}: {error}", temporary.display()))
}

fn new_file(folder: &Path, what: &str, ending: &str, text: &str) -> std::io::Result<PathBuf> {
    use std::io::Write as _;
    for number in 1..10_000 {
        let path = folder.join(format!("toolscope-{what}-{number}.{ending}"));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                return Ok(path);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::Error::other("there are too many files of that name"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use super::*;

    #[test]
    fn nothing_is_written_over_and_a_missing_folder_is_no_hindrance() {
        let folder = tempfile::tempdir().unwrap();
        let paths = [(); 2].map(|()| save(Some(folder.path()), "wire", "jsonl", "text").unwrap());
        assert_ne!(paths[0], paths[1]);
        assert_eq!(std::fs::read_to_string(&paths[1]).unwrap(), "text");
        let elsewhere = save(Some(&folder.path().join("gone")), "wire", "har", "text").unwrap();
        assert_eq!(elsewhere.parent(), Some(std::env::temp_dir().as_path()));
        std::fs::remove_file(elsewhere).unwrap();
    }
}
