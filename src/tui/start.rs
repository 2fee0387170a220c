//! What the screen starts with beside the workspace: theme, keys of one's own, targets, and where the person was last time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

use super::app::Launch;
use super::app::checks::Choices;
use super::app::memory::Memory;
use super::app::model::Note;
use super::drafting::{left_behind, unsaved_file};
use super::open::OpenError;
use super::theme::{BUILT_IN, Theme};
use crate::workspace::{Workspace, state_file};

/// The program's folder below those of the system.
const FOLDER: &str = "toolscope";
/// Larger files are none that this program wrote, nor one that a person did.
const LARGEST: u64 = 1 << 20;

/// How the person wants the screen to look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look<'a> {
    /// A built-in theme or a file with one; the default where it is missing.
    pub theme: Option<&'a str>,
    /// Signs of ASCII only.
    pub ascii: bool,
    /// Colours.
    pub colour: bool,
}

/// Everything to start with.
pub(super) fn launch(workspace: &Workspace, inputs: Vec<String>, look: Look<'_>) -> Result<Launch, OpenError> {
    let keys = keys_file()?;
    let keys = keys.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    let mut launch = Launch::new(inputs, theme(look, &workspace.folder)?, keys)?;
    launch.choices = Choices::of(workspace);
    match memory_file(workspace).map(|path| recall(&path)) {
        Some(Ok(memory)) => launch.memory = memory,
        Some(Err(text)) => launch.note = Some(Note { text, error: true }),
        None => {}
    }
    match memory_file(workspace).and_then(|path| unsaved_file(&path)).map(|path| left_behind(&path)) {
        Some(Ok(recovery)) => launch.recovery = recovery,
        Some(Err(text)) => launch.note = Some(Note { text, error: true }),
        None => {}
    }
    Ok(launch)
}

fn theme(look: Look<'_>, folder: &Path) -> Result<Theme, OpenError> {
    let name = look.theme.unwrap_or("terminal");
    let mut theme = match Theme::built_in(name) {
        Some(theme) => theme,
        None => {
            let text = fs::read_to_string(folder.join(name)).map_err(|error| {
                let known: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
                let known = known.join(", ");
                match error.kind() {
                    io::ErrorKind::NotFound => OpenError::NoTheme { name: name.to_owned(), known },
                    _ => OpenError::Unreadable { path: folder.join(name), error },
                }
            })?;
            Theme::from_toml(name, &text).map_err(OpenError::Theme)?
        }
    };
    theme.ascii = look.ascii;
    Ok(if look.colour { theme } else { theme.without_colour() })
}

/// A person's own keys, with the file's name. Most have none.
fn keys_file() -> Result<Option<(String, String)>, OpenError> {
    let Ok(folders) = etcetera::choose_base_strategy() else { return Ok(None) };
    let path = folders.config_dir().join(FOLDER).join("keys.toml");
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path.display().to_string(), text))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(OpenError::Unreadable { path, error }),
    }
}

/// Where it is kept what was open in a workspace.
pub(super) fn memory_file(workspace: &Workspace) -> Option<PathBuf> {
    state_file(workspace, "screen")
}

/// What a state file says; nothing where there is none.
fn recall(path: &Path) -> Result<Option<Memory>, String> {
    let ignored = |why: String| format!("{} is ignored: {why}", path.display());
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ignored(error.to_string())),
        Ok(found) if found.len() > LARGEST => return Err(ignored("it is too large".to_owned())),
        Ok(_) => {}
    }
    let text = fs::read_to_string(path).map_err(|error| ignored(error.to_string()))?;
    Memory::from_json(&text).map(Some).map_err(ignored)
}

/// Writes a state file, whole or not at all.
///
/// # Errors
/// What the system says.
pub(super) fn keep(path: &Path, memory: &Memory) -> io::Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    fs::create_dir_all(folder)?;
    let new = path.with_extension(format!("{}.new", std::process::id()));
    fs::write(&new, memory.to_json())?;
    fs::rename(&new, path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use super::*;

    #[test]
    fn a_state_file_comes_back_and_a_broken_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("x.json");
        assert_eq!(recall(&path), Ok(None));
        let memory = crate::tui::app::fixture::loaded(crate::tui::app::fixture::shop()).memory();
        keep(&path, &memory).unwrap();
        assert_eq!(recall(&path), Ok(Some(memory)));
        for (text, why) in [("{", "EOF"), ("{\"version\": 7}", "version 7"), ("[]", "")] {
            fs::write(&path, text).unwrap();
            let problem = recall(&path).unwrap_err();
            assert!(problem.contains("x.json is ignored") && problem.contains(why), "{text}: {problem}");
        }
    }

    #[test]
    fn themes_are_built_in_or_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("mine.toml"), "inherits = \"dark\"\nerror = \"red\"\n").unwrap();
        fs::write(folder.path().join("wrong.toml"), "inherits = \"dark\"\nerorr = \"red\"\n").unwrap();
        let theme = |name| theme(Look { theme: Some(name), ascii: true, colour: true }, folder.path());
        assert!(theme("light").unwrap().ascii);
        assert!(theme("mine.toml").is_ok());
        let error = theme("wrong.toml").unwrap_err().to_string();
        assert!(error.starts_with("wrong.toml:2:"), "{error}");
        let error = theme("drak").unwrap_err().to_string();
        assert!(error.contains("`drak`") && error.contains("high-contrast"), "{error}");
    }
}
