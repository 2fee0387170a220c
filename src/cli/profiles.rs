//! `profiles`: the naming profiles and their parameters.

use serde::Serialize;

use super::args::{Format, ShelfArgs};
use super::failure::{Failure, exit};
use super::output::{Cell, Output, Role};
use super::shelf;
use crate::naming::{Parameter, Profile};
use crate::workspace::LibraryKind;

#[derive(Serialize)]
struct ProfileJson {
    name: String,
    about: String,
    /// `built in`, or the file.
    from: String,
    parameters: Vec<Parameter>,
}

pub(super) fn run(args: &ShelfArgs) -> Result<u8, Failure> {
    let library = shelf::library(args, LibraryKind::Profile)?;
    let mut profiles: Vec<(Profile, String)> =
        Profile::builtins().into_iter().map(|profile| (profile, shelf::BUILT_IN.to_owned())).collect();
    profiles.extend(library.profiles.iter().map(|own| (own.value.clone(), own.file.clone())));
    if let Some(wanted) = &args.name {
        shelf::only(&mut profiles, wanted, "naming profile", |(profile, _)| profile.name())?;
    }
    let mut out = Output::stdout(args.color);
    match args.format {
        Format::Json => {
            #[derive(Serialize)]
            struct Profiles {
                profiles: Vec<ProfileJson>,
            }
            let profiles = profiles.iter().map(|(profile, from)| ProfileJson {
                name: profile.name().to_owned(),
                about: profile.rules().about.clone(),
                from: from.clone(),
                parameters: profile.parameters(),
            });
            serde_json::to_writer(out.writer(), &Profiles { profiles: profiles.collect() })?;
            out.line("")?;
        }
        Format::Human => {
            for (at, (profile, from)) in profiles.iter().enumerate() {
                if at > 0 {
                    out.line("")?;
                }
                let title = format!(
                    "{}  {}  {}",
                    out.paint(Role::Strong, profile.name()),
                    out.paint(Role::Plain, &profile.rules().about),
                    out.paint(Role::Faint, from)
                );
                out.line(&title)?;
                let parameters = profile.parameters();
                let row = |parameter: &Parameter| {
                    vec![Cell::new(&parameter.key), Cell::new(&parameter.value), Cell::of(Role::Faint, &parameter.from)]
                };
                out.table("  ", &parameters.iter().map(row).collect::<Vec<_>>())?;
            }
        }
    }
    out.finish()?;
    Ok(exit::OK)
}
