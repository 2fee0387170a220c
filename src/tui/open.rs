//! The screen on a workspace: opened, shown until the person quits, and what is kept for the next time.

use std::path::PathBuf;

use super::app::App;
use super::drafting;
use super::keymap::KeymapError;
use super::lock::lock;
use super::outlook::Outlook;
use super::runtime::{Exit, RunError, run};
use super::start::{Look, keep, launch, memory_file};
#[cfg(debug_assertions)]
use super::test_hook;
use super::theme::ThemeError;
use super::work::Work;
use crate::workspace::Workspace;

/// Why the screen could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The keys are at fault.
    #[error("{0}")]
    Keys(#[from] KeymapError),
    /// The theme's file is at fault.
    #[error("{0}")]
    Theme(ThemeError),
    /// There is no such theme.
    #[error("there is neither a theme nor a file `{name}`; the built-in themes are {known}")]
    NoTheme {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A file of the person's settings cannot be read.
    #[error("{} cannot be read: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The terminal is.
    #[error("{0}")]
    Run(#[from] RunError),
}

/// Shows a workspace on the terminal until the person quits; calls go where `outlook` says. Where the person was is kept for the next time.
///
/// # Errors
/// [`OpenError`]. A workspace that cannot be loaded is none: that is a screen.
pub fn open(workspace: Workspace, look: Look<'_>, outlook: Outlook) -> Result<Exit, OpenError> {
    let mut launch = launch(&workspace, names(&workspace), look)?;
    launch.destination = outlook.destination(&workspace);
    let mut app = App::new(launch);
    let kept = memory_file(&workspace);
    let unsaved = kept.as_deref().and_then(drafting::unsaved_file);
    let work = Work::new(workspace, outlook, unsaved.clone());
    let is_over = work.is_over.clone();
    #[cfg(debug_assertions)]
    if let Some(place) = test_hook::Place::asked() {
        return Ok(run(&mut test_hook::Hooked { app, place }, test_hook::HookedEffects(work))?);
    }
    let exit = run(&mut app, work)?;
    if let Some(path) = unsaved {
        // Whoever did not save and was not asked finds it at the next start.
        // A worker that is still about to write would write what was before.
        let mut is_over = lock(&is_over);
        *is_over = true;
        let (text, instead_of) = app.unsaved_text();
        let _written = drafting::remember(&path, text.as_deref(), instead_of);
    }
    if let Some(path) = kept {
        // Nothing is lost but the way back to where one was; the work is in the files.
        let _written = keep(&path, &app.memory());
    }
    Ok(exit)
}

/// The documents and overlays of a workspace, as they were given.
fn names(workspace: &Workspace) -> Vec<String> {
    let upstreams = workspace.upstreams.iter();
    upstreams
        .flat_map(|upstream| std::iter::once(&upstream.document).chain(&upstream.overlays))
        .map(|source| source.name.clone())
        .collect()
}
