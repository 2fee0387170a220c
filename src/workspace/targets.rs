//! Which lint targets are meant: names of the workspace file and of the command line become rules.

use super::config::{TargetChoice as Written, nearest_all};
use super::error::{LoadError, LoadErrorKind};
use super::library::{Kind, Library};
use super::resolve::Workspace;
use crate::document::Sources;
use crate::lint::{Target, TargetChoice};

/// Where the names stand.
pub(super) enum From<'a> {
    /// `--target`.
    CommandLine,
    /// `targets` of the workspace file or of `--set`.
    File(&'a Sources),
}

/// `--target none`: no target at all, not even those of the workspace file.
pub(super) const NONE: &str = "none";

/// As many near names are told.
const SUGGESTIONS: usize = 4;

/// The rules of the targets that are named, each once.
pub(super) fn resolve(written: &[Written], library: &Library, from: &From<'_>) -> Result<Vec<TargetChoice>, LoadError> {
    let own = library.own_targets();
    let mut choices: Vec<TargetChoice> = Vec::new();
    for target in written {
        let choice = one(target, &own, library).map_err(|error| placed(error, target, from))?;
        if choices.iter().all(|known| known.label() != choice.label()) {
            choices.push(choice);
        }
    }
    Ok(choices)
}

fn one(written: &Written, own: &[Target], library: &Library) -> Result<TargetChoice, LoadError> {
    let name = written.name.as_str();
    let is_known = own.iter().any(|target| target.name() == name) || Target::builtin(name).is_some();
    if is_known {
        return TargetChoice::parse(&written.text(), own).map_err(LoadError::usage);
    }
    if let Some(error) = library.broken_for(Kind::Target, name) {
        return Err(error.clone());
    }
    let mut known: Vec<&str> = Target::builtin_names().collect();
    known.extend(own.iter().map(Target::name));
    let error = LoadError::usage(format!("there is no lint target `{name}`"));
    let near: Vec<String> =
        nearest_all(name, known.iter().copied(), SUGGESTIONS).into_iter().map(|near| format!("`{near}`")).collect();
    Err(if near.is_empty() {
        let known = known.join(", ");
        error.remedy(format!("Use one of {known}, or add targets/{name}.toml; see `toolscope targets`."))
    } else {
        error.remedy(format!("Did you mean {}? `toolscope targets` lists all.", near.join(", ")))
    })
}

fn placed(error: LoadError, written: &Written, from: &From<'_>) -> LoadError {
    if error.line.is_some() {
        return error;
    }
    match from {
        From::CommandLine => LoadError { message: format!("--target {}: {}", written.text(), error.message), ..error },
        From::File(sources) => {
            let at = written.place.as_ref().and_then(|place| Some((sources.get(place.origin.file)?, place.origin)));
            match at {
                Some((file, origin)) => {
                    LoadError { kind: LoadErrorKind::Input, ..error }.at(file, origin.start, origin.end)
                }
                None => error,
            }
        }
    }
}

impl Workspace {
    /// The targets that `check` looks at: the chosen ones. Without a choice none, so that what a script is told of a
    /// document does not depend on what clients do this month.
    pub fn targets_to_check(&self) -> &[TargetChoice] {
        self.lint_targets.as_deref().unwrap_or_default()
    }

    /// The chosen targets, else all that there are, the user's own last.
    pub fn targets_to_show(&self) -> Vec<TargetChoice> {
        match &self.lint_targets {
            Some(chosen) => chosen.clone(),
            None => Target::builtins().into_iter().chain(self.library.own_targets()).map(TargetChoice::new).collect(),
        }
    }
}
