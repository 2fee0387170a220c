//! `profiles`: the naming profiles and their parameters.

use serde::Serialize;

use super::args::{Format, ProfilesArgs};
use super::failure::{Failure, exit};
use super::output::{Cell, Output, Role};
use crate::naming::{Parameter, Profile};

#[derive(Serialize)]
struct ProfileJson {
    name: String,
    about: String,
    parameters: Vec<Parameter>,
}

pub(super) fn run(args: &ProfilesArgs) -> Result<u8, Failure> {
    let mut out = Output::stdout(args.color);
    let profiles = Profile::builtins();
    match args.format {
        Format::Json => {
            #[derive(Serialize)]
            struct Profiles {
                profiles: Vec<ProfileJson>,
            }
            let profiles = profiles.iter().map(|profile| ProfileJson {
                name: profile.name().to_owned(),
                about: profile.rules().about.clone(),
                parameters: profile.parameters(),
            });
            serde_json::to_writer(out.writer(), &Profiles { profiles: profiles.collect() })?;
            out.line("")?;
        }
        Format::Human => {
            for (at, profile) in profiles.iter().enumerate() {
                if at > 0 {
                    out.line("")?;
                }
                let title = format!(
                    "{}  {}",
                    out.paint(Role::Strong, profile.name()),
                    out.paint(Role::Plain, &profile.rules().about)
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
