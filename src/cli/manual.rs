//! `completions` and `man`: what shells and manuals know of the command line.

use std::io::Write as _;
use std::path::Path;

use clap::CommandFactory as _;

use super::args::{Cli, Color, CompletionsArgs, ManArgs};
use super::failure::{Failure, exit};
use super::list::plural;
use super::output::{Output, say};
use super::overlay::write_file;

pub(super) fn completions(args: &CompletionsArgs) -> Result<u8, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "toolscope", &mut text);
    written(&text)
}

pub(super) fn man(args: &ManArgs) -> Result<u8, Failure> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.dir else { return written(&page(command)?) };
    let mut pages = vec![("toolscope".to_owned(), page(command.clone())?)];
    below(&command, "toolscope", &mut pages)?;
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::usage(format!("`{}` cannot be made: {error}", folder.display()), "Name another folder.")
    })?;
    for (name, page) in &pages {
        write_file(&Path::new(folder).join(format!("{name}.1")), &String::from_utf8_lossy(page))?;
    }
    say(&format!("{}: {}", folder.display(), plural(pages.len(), "page")));
    Ok(exit::OK)
}

fn below(command: &clap::Command, name: &str, pages: &mut Vec<(String, Vec<u8>)>) -> Result<(), Failure> {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let name = format!("{name}-{}", inner.get_name());
        pages.push((name.clone(), page(inner.clone())?));
        below(inner, &name, pages)?;
    }
    Ok(())
}

fn page(command: clap::Command) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    Ok(text)
}

fn written(text: &[u8]) -> Result<u8, Failure> {
    let mut out = Output::stdout(Color::Never);
    out.writer().write_all(text)?;
    out.finish()?;
    Ok(exit::OK)
}
