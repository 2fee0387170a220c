//! `targets`: the lint targets and their rules, with who says so.

use serde::Serialize;

use super::args::{Format, ShelfArgs};
use super::failure::{Failure, exit};
use super::output::{Cell, Output, Role};
use super::shelf;
use crate::document::{Blast, Severity};
use crate::lint::{Rule, Target};
use crate::workspace::LibraryKind;

pub(super) fn run(args: &ShelfArgs) -> Result<u8, Failure> {
    let library = shelf::library(args, LibraryKind::Target)?;
    let mut all: Vec<(Target, String)> =
        Target::builtins().into_iter().map(|target| (target, shelf::BUILT_IN.to_owned())).collect();
    all.extend(library.targets.iter().map(|own| (own.value.clone(), own.file.clone())));
    if let Some(wanted) = &args.name {
        shelf::only(&mut all, wanted, "lint target", |(target, _)| target.name())?;
    }
    let mut out = Output::stdout(args.color);
    match args.format {
        Format::Json => {
            #[derive(Serialize)]
            struct Targets<'a> {
                targets: Vec<TargetJson<'a>>,
            }
            let targets = all.iter().map(|(target, from)| TargetJson::new(target, from)).collect();
            serde_json::to_writer(out.writer(), &Targets { targets })?;
            out.line("")?;
        }
        Format::Human if args.name.is_some() => {
            for (target, from) in &all {
                whole(&mut out, target, from)?;
            }
        }
        Format::Human => table(&mut out, &all)?,
    }
    out.finish()?;
    Ok(exit::OK)
}

#[derive(Serialize)]
struct TargetJson<'a> {
    name: &'a str,
    title: &'a str,
    about: &'a str,
    /// `built in`, or the file.
    from: &'a str,
    /// Template of a tool's name in the client, for a server with a name and for one without.
    exposes: &'a str,
    alone: &'a str,
    /// May a server's name be given, as in `NAME:server`?
    takes_server: bool,
    rules: &'a [Rule],
}

impl<'a> TargetJson<'a> {
    fn new(target: &'a Target, from: &'a str) -> Self {
        let client = target.client();
        Self {
            name: target.name(),
            title: target.title(),
            about: target.about(),
            from,
            exposes: client.exposes.as_deref().unwrap_or("{name}"),
            alone: client.alone.as_deref().unwrap_or("{name}"),
            takes_server: client.adds_server(),
            rules: target.rules(),
        }
    }
}

fn table(out: &mut Output, all: &[(Target, String)]) -> std::io::Result<()> {
    let heads = ["TARGET", "TITLE", "NAMES", "TOOLS", "RULES", "SOURCES"];
    let mut rows = vec![heads.map(|head| Cell::of(Role::Faint, head)).to_vec()];
    for (target, from) in all {
        let own = if from == shelf::BUILT_IN { String::new() } else { format!("{from}: ") };
        rows.push(vec![
            Cell::of(Role::Strong, target.name()),
            Cell::new(target.title()),
            Cell::new(names(target)),
            Cell::new(counts(target)),
            Cell::new(target.rules().len().to_string()),
            Cell::of(Role::Faint, format!("{own}{}", sources(target))),
        ]);
    }
    out.table("", &rows)
}

/// Longest name, a number in brackets is only warned of, and the characters that it may have.
fn names(target: &Target) -> String {
    let of = |kind: &'static str| target.rules().iter().filter(move |rule| rule.kind() == kind);
    let limits = ["name_length", "combined_length", "own_name_length"];
    let shortest = |is_error: bool| {
        let of_it = limits.into_iter().flat_map(of).filter(|rule| (rule.severity == Severity::Error) == is_error);
        of_it.filter_map(Rule::limit).min()
    };
    let length = match (shortest(true), shortest(false)) {
        (Some(max), Some(less)) if less < max => Some(format!("≤ {max} ({less})")),
        (Some(max), _) => Some(format!("≤ {max}")),
        (None, less) => less.map(|less| format!("≤ ({less})")),
    };
    let pattern = of("name_pattern").next().map(Rule::wants);
    let words: Vec<String> = length.into_iter().chain(pattern).collect();
    if words.is_empty() { "-".to_owned() } else { words.join("  ") }
}

/// How many tools it takes; a number in brackets is only warned of.
fn counts(target: &Target) -> String {
    let of_it = target.rules().iter().filter(|rule| rule.kind() == "tool_count");
    let one = |rule: &Rule| {
        let max = rule.limit()?;
        Some(if rule.severity == Severity::Error { max.to_string() } else { format!("({max})") })
    };
    let words: Vec<String> = of_it.filter_map(one).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(" ") }
}

/// Each source once, with its date.
fn sources(target: &Target) -> String {
    let mut told: Vec<String> = Vec::new();
    for rule in target.rules() {
        let source = format!("{} ({})", rule.source, rule.date);
        if !told.contains(&source) {
            told.push(source);
        }
    }
    told.join("; ")
}

/// One target with all its rules.
fn whole(out: &mut Output, target: &Target, from: &str) -> std::io::Result<()> {
    let head = format!("{}  {}  ", out.paint(Role::Strong, target.name()), out.paint(Role::Plain, target.title()));
    let from = out.paint(Role::Faint, from);
    out.line(&format!("{head}{from}"))?;
    if !target.about().is_empty() {
        let about = out.paint(Role::Plain, target.about());
        out.line(&about)?;
    }
    if let Some(template) = &target.client().exposes {
        let line =
            format!("a tool is shown to the model as {template}; give the server's name: {}:my-server", target.name());
        let line = out.paint(Role::Plain, &line);
        out.line(&line)?;
    }
    for rule in target.rules() {
        out.line("")?;
        let severity = shelf::word(&rule.severity);
        let role = match rule.severity {
            Severity::Error => Role::Error,
            Severity::Warning => Role::Warning,
            Severity::Info => Role::Faint,
        };
        let blast = match rule.blast {
            Blast::None => String::new(),
            blast => format!(", {}", shelf::word(&blast).replace('_', " ")),
        };
        let wants = rule.wants();
        let wants = if wants.is_empty() { rule.kind().replace('_', " ") } else { wants };
        let line = format!(
            "  {}  {}{}  {}",
            out.paint(Role::Strong, &rule.id),
            out.paint(role, &severity),
            out.paint(Role::Plain, &blast),
            out.paint(Role::Plain, &wants)
        );
        out.line(&line)?;
        let mut lines = vec![(Role::Plain, rule.why.clone())];
        lines.extend(rule.remedy.clone().map(|remedy| (Role::Plain, format!("→ {remedy}"))));
        lines.push((
            Role::Faint,
            format!("{}, {}, confidence {}", rule.source, rule.date, shelf::word(&rule.confidence)),
        ));
        for (role, text) in lines.into_iter().filter(|(_, text)| !text.is_empty()) {
            let line = format!("      {}", out.paint(role, &text));
            out.line(&line)?;
        }
    }
    Ok(())
}
