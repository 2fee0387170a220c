//! Names that several operations claim, for people: one entry for a name, with all that claim it.

use super::human::{heading, label, more, remedy};
use crate::cli::output::{Output, Role};
use crate::derive::{Catalog, Conflict, NAME_CONFLICT, Tool};
use crate::document::Finding;

/// A name, and the first of the findings that say it is claimed more than once.
pub(super) struct Claimed<'a> {
    index: usize,
    conflict: &'a Conflict,
    first: &'a Finding,
}

/// Takes the findings together that are of one claimed name; the second half are those of another kind.
pub(super) fn by_name<'a>(catalog: &'a Catalog, findings: &[&'a Finding]) -> (Vec<Claimed<'a>>, Vec<&'a Finding>) {
    let (mut claimed, mut others) = (Vec::<Claimed<'a>>::new(), Vec::new());
    for finding in findings {
        let index = Some(*finding).filter(|finding| finding.code == NAME_CONFLICT).and_then(|it| conflict(catalog, it));
        match index.and_then(|index| Some((index, catalog.conflicts.get(index)?))) {
            Some((index, _)) if claimed.iter().any(|known| known.index == index) => {}
            Some((index, conflict)) => claimed.push(Claimed { index, conflict, first: finding }),
            None => others.push(*finding),
        }
    }
    (claimed, others)
}

/// The conflict that a finding of the catalog tells of. A lock's findings have the same code and are of no tool.
fn conflict(catalog: &Catalog, finding: &Finding) -> Option<usize> {
    let is_it =
        |own: &Finding| (own.code, &own.place, &own.message) == (finding.code, &finding.place, &finding.message);
    let mut tools = catalog.tools.iter().filter(|tool| tool.conflict.is_some());
    tools.find(|tool| tool.findings.iter().any(is_it))?.conflict
}

/// Writes an entry for each name.
pub(super) fn write(out: &mut Output, catalog: &Catalog, claimed: &[Claimed<'_>], most: usize) -> std::io::Result<()> {
    for Claimed { index, conflict, first } in claimed.iter().take(most) {
        let tools: Vec<&Tool> =
            catalog.tools.iter().filter(|tool| tool.conflict == Some(*index)).map(|it| &**it).collect();
        let (role, _) = heading(first.severity);
        let said = format!("`{}` is claimed by {} operations: {}", conflict.name, tools.len(), conflict.how());
        let line = format!("  {}  [{}]", out.paint(Role::Plain, &said), out.paint(role, &label(first)));
        out.line(&line)?;
        let of_several = tools.iter().any(|tool| Some(tool.upstream) != tools.first().map(|first| first.upstream));
        for tool in tools.iter().take(most) {
            let place = out.paint(Role::Strong, &format!("{}: ", catalog.sources.cite(tool.name_place())));
            let operation = &tool.operation;
            let upstream = catalog.upstreams.get(tool.upstream).filter(|_| of_several);
            let of = upstream.map(|upstream| format!(" of `{}`", upstream.name)).unwrap_or_default();
            let operation = out.paint(Role::Plain, &format!("{} {}{of}", operation.method, operation.path));
            out.line(&format!("      {place}{operation}"))?;
        }
        more(out, "      ", tools.len(), most)?;
        remedy(out, "      ", first)?;
    }
    more(out, "  ", claimed.len(), most)
}
