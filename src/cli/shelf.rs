//! What `profiles` and `targets` have in common: the user's own files, and one entry by its name.

use serde::Serialize;

use super::args::{ShelfArgs, user_folder};
use super::current_folder;
use super::failure::Failure;
use crate::workspace::config::nearest;
use crate::workspace::{Library, LibraryKind, Options};

/// Where an entry comes from that no file of the user defines.
pub(super) const BUILT_IN: &str = "built in";

/// The user's own profiles and targets.
///
/// # Errors
/// A file of that kind is broken: the list would not be whole.
pub(super) fn library(args: &ShelfArgs, kind: LibraryKind) -> Result<Library, Failure> {
    let options = Options { config: args.config.clone(), user_folder: user_folder(), ..Options::default() };
    let library = Library::read(&options, &current_folder()?);
    match library.broken.iter().find(|broken| broken.kind == kind) {
        Some(broken) => Err(broken.error.clone().into()),
        None => Ok(library),
    }
}

/// Leaves the entry of that name.
///
/// # Errors
/// There is none.
pub(super) fn only<T>(all: &mut Vec<T>, wanted: &str, what: &str, name: fn(&T) -> &str) -> Result<(), Failure> {
    if !all.iter().any(|entry| name(entry) == wanted) {
        let names: Vec<&str> = all.iter().map(name).collect();
        let remedy = match nearest(wanted, names.iter().copied()) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("There are {}.", names.join(", ")),
        };
        return Err(Failure::usage(format!("there is no {what} `{wanted}`"), remedy));
    }
    all.retain(|entry| name(entry) == wanted);
    Ok(())
}

/// The word that a value has in the contract.
pub(super) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
