//! The one place at which the loader calls the pure rooms.

use std::sync::Arc;

use super::config::{DescriptionSource, NamingSettings, nearest};
use super::error::LoadError;
use super::library::{Kind, offset_of};
use super::resolve::Workspace;
use crate::derive::{self, Catalog, Settings, UpstreamInput};
use crate::document::{self, Document, FileId, Finding, SourceFile};
use crate::naming::{Amendments, Profile};
use crate::overlay::{self, Overlay};

/// Why a text is no document: a byte offset in it, what is wrong, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) offset: usize,
    pub(super) message: String,
    pub(super) remedy: Option<String>,
}

/// Bytes of a file to text. The error is a sentence and a remedy.
pub(super) fn decode(bytes: &[u8]) -> Result<String, (String, Option<String>)> {
    document::decode(bytes).map_err(|error| (error.to_string(), Some(error.remedy.to_owned())))
}

/// A text to a tree.
pub(super) fn parse(file: FileId, name: &str, text: &str) -> Result<Document, Unreadable> {
    document::parse(file, name, text).map_err(|error| Unreadable {
        offset: error.offset,
        message: error.message,
        remedy: error.remedy,
    })
}

/// The document says a version that is known.
pub(super) fn check_version(document: &Document) -> Result<(), Box<Finding>> {
    document::version(&document.root).map(drop)
}

/// A tree to an overlay, and the offsets of its actions for the line index.
pub(super) fn overlay(document: &Document, name: &str) -> Result<(Overlay, Vec<u32>), Vec<Finding>> {
    let overlay = Overlay::read(document, name)?;
    let offsets = overlay::action_offsets(&overlay);
    Ok((overlay, offsets))
}

/// A warning when an overlay says that it extends another document.
pub(super) fn check_extends(overlay: &Overlay, document: &str) -> Option<Finding> {
    overlay::check_extends(overlay, document)
}

/// A document after overlays, with the trail of every action.
pub(super) fn apply(document: &Document, overlays: &[Overlay]) -> overlay::Applied {
    overlay::apply(document, overlays)
}

/// All tools.
pub(super) fn catalog(
    inputs: &[UpstreamInput],
    settings: &Settings,
    sources: document::Sources,
    previous: Option<&Catalog>,
) -> Catalog {
    derive::catalog(inputs, settings, Arc::new(sources), previous)
}

/// The settings of derivation that a workspace stands for.
pub(super) fn settings(workspace: &Workspace) -> Result<Settings, LoadError> {
    let profile = profile(workspace)?;
    let NamingSettings { description_source, .. } = workspace.naming;
    let profile = profile.amended(&amendments(&workspace.naming)).map_err(|problem| {
        LoadError::usage(format!("`naming` does not go with the profile `{}`: {}", workspace.profile, problem.message))
            .remedy(format!("The parameter is `{}`; see `toolscope profiles`.", problem.key))
    })?;
    let mut settings = Settings::new(profile);
    if let Some(length) = workspace.naming.description_max_length {
        settings.description.max_length = length;
    }
    if let Some(suffix) = &workspace.naming.description_suffix {
        settings.description.suffix.clone_from(suffix);
    }
    settings.description.source = match description_source.unwrap_or_default() {
        DescriptionSource::Summary => derive::DescriptionSource::Summary,
        DescriptionSource::Description => derive::DescriptionSource::Description,
        DescriptionSource::Both => derive::DescriptionSource::Both,
    };
    settings.arguments = workspace.naming.argument_names.unwrap_or_default();
    Ok(settings)
}

fn amendments(naming: &NamingSettings) -> Amendments {
    Amendments {
        separator: naming.separator.clone(),
        max_length: naming.max_length,
        lowercase: naming.lowercase,
        collapse: naming.collapse,
        conflict: naming.conflict,
        description_max_length: naming.description_max_length,
        description_suffix: naming.description_suffix.clone(),
        ..Amendments::default()
    }
}

/// The profile of the workspace: a built-in one, one of the user's own by its name, or the one in a TOML file.
fn profile(workspace: &Workspace) -> Result<Profile, LoadError> {
    let (name, folder, library) = (workspace.profile.as_str(), &workspace.folder, &workspace.library);
    if let Some(profile) = Profile::builtin(name).or_else(|| library.profile(name).cloned()) {
        return Ok(profile);
    }
    if let Some(error) = library.broken_for(Kind::Profile, name) {
        return Err(error.clone());
    }
    if name.to_ascii_lowercase().ends_with(".toml") {
        let text = std::fs::read_to_string(folder.join(name)).map_err(|error| {
            LoadError::usage(format!("the profile `{name}` cannot be read: {error}"))
                .in_file(name)
                .remedy("Check the path.")
        })?;
        return Profile::parse(&text, name).map_err(|error| {
            let file = SourceFile::new(name, text.as_str());
            let at = offset_of(&text, error.line, error.column);
            LoadError::input(error.message).at(&file, at, at.saturating_add(1))
        });
    }
    let error = LoadError::usage(format!("there is no naming profile `{name}`"));
    let mut known: Vec<&str> = Profile::builtin_names().collect();
    known.extend(library.profiles.iter().map(|own| own.value.name()));
    Err(match nearest(name, known.iter().copied()) {
        Some(near) => error.remedy(format!("Did you mean `{near}`?")),
        None => error.remedy(format!("Use one of {}, or a file that ends in .toml.", known.join(", "))),
    })
}

/// A workspace may be loaded with this profile.
pub(super) fn check_profile(workspace: &Workspace) -> Result<(), LoadError> {
    profile(workspace).map(drop)
}

/// The error for bytes that are no text.
pub(super) fn undecodable(name: &str, message: &str, remedy: Option<String>) -> LoadError {
    let error = LoadError::input(format!("`{name}` is no text: {message}")).in_file(name);
    match remedy {
        Some(remedy) => error.remedy(sentence(&remedy)),
        None => error,
    }
}

/// The error for a text that is no document.
pub(super) fn unreadable(file: Option<&SourceFile>, error: Unreadable) -> LoadError {
    let mut failed = LoadError::input(error.message);
    if let Some(file) = file {
        let at = u32::try_from(error.offset.min(file.text.len())).unwrap_or(u32::MAX);
        failed = failed.at(file, at, at.saturating_add(1));
    }
    match error.remedy {
        Some(remedy) => failed.remedy(sentence(&remedy)),
        None => failed,
    }
}

/// With a capital at the start and a full stop at the end.
pub(super) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    let stop = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{stop}", chars.as_str())
}
