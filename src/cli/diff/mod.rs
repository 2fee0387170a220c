//! `diff`: what became of the tools, and what of it breaks callers.

mod human;
mod json;
mod markdown;
mod sides;

use super::args::{DiffArgs, DiffFailOn, DiffFormat};
use super::failure::{Failure, exit};
use super::output::{Cell, Output, Role};
use crate::session::diff::{Diff, RULES};

pub(super) use json::DiffJson;
pub(super) use sides::{Kind, State, lock_file, text};

pub(super) fn run(args: &DiffArgs) -> Result<u8, Failure> {
    let mut out = Output::stdout(args.common.color);
    let Some(old) = args.old.as_deref().filter(|_| !args.rules) else {
        rules(&mut out, args.format)?;
        out.finish()?;
        return Ok(exit::OK);
    };
    let (old, new) = sides::both(old, &args.common)?;
    let diff = Diff::between(&old.lock, &new.lock);
    match args.format {
        DiffFormat::Human => human::write(&mut out, &old, &new, &diff, args.all)?,
        DiffFormat::Markdown => markdown::write(&mut out, &old, &new, &diff, args.all)?,
        DiffFormat::Json => {
            serde_json::to_writer(out.writer(), &DiffJson::new(&old, &new, &diff))?;
            out.line("")?;
        }
    }
    out.finish()?;
    let fails = match args.fail_on {
        DiffFailOn::Breaking => diff.breaking(),
        DiffFailOn::Any => !diff.is_empty(),
        DiffFailOn::None => false,
    };
    Ok(if fails { exit::FINDINGS } else { exit::OK })
}

/// The table of rules.
fn rules(out: &mut Output, format: DiffFormat) -> Result<(), Failure> {
    match format {
        DiffFormat::Json => {
            serde_json::to_writer(out.writer(), &serde_json::json!({"rules": json::rules()}))?;
            out.line("")?;
        }
        DiffFormat::Markdown => {
            out.line("| rule | breaks callers | why |\n| --- | --- | --- |")?;
            for rule in RULES {
                let breaks = if rule.breaking() { "yes" } else { "no" };
                out.line(&format!("| `{}` | {breaks} | {} |", rule.id(), rule.why()))?;
            }
        }
        DiffFormat::Human => {
            let heads = ["RULE", "BREAKS CALLERS", "WHY"];
            let mut rows = vec![heads.map(|head| Cell::of(Role::Faint, head)).to_vec()];
            for rule in RULES {
                let (role, breaks) = if rule.breaking() { (Role::Error, "yes") } else { (Role::Faint, "no") };
                rows.push(vec![Cell::of(Role::Strong, rule.id()), Cell::of(role, breaks), Cell::new(rule.why())]);
            }
            out.table("", &rows)?;
        }
    }
    Ok(())
}

/// What a reader has to know about the comparison itself.
fn notes(old: &State, new: &State, diff: &Diff) -> Vec<String> {
    let mut notes = Vec::new();
    let (before, after) = (&old.lock, &new.lock);
    if before.profile != after.profile {
        notes.push(format!("the names were made under two profiles: `{}` and `{}`", before.profile, after.profile));
    }
    let bare = |state: &State| state.kind == Kind::Lock && state.lock.tools.iter().any(|tool| tool.full.is_none());
    let is_vague = diff.changes().any(|change| {
        use crate::session::diff::Rule::{ArgumentChanged, Description, OutputChanged};
        matches!(change.rule, ArgumentChanged | Description | OutputChanged)
    });
    if is_vague && (bare(old) || bare(new)) {
        notes.push("a lock holds hashes: it tells that a text or a nested schema changed, and not how; `lock --full` keeps them".to_owned());
    }
    if old.kind == Kind::Lock && before.targets.is_empty() && !after.targets.is_empty() {
        notes.push("the lock holds no verdicts of targets to compare with; write it with --target".to_owned());
    }
    notes
}

/// The comparison in one line.
fn compared(old: &State, new: &State) -> String {
    let side = |state: &State| {
        let of = if state.kind == Kind::Lock { " in" } else { " of" };
        let tools = super::list::plural(state.lock.tools.len(), "tool");
        format!("{tools}{of} the {} {}", state.kind.words(), state.name)
    };
    format!("{}, then {}", side(old), side(new))
}
