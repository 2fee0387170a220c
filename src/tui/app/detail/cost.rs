//! Tab *Cost*: what the tool costs the model in tokens.

use crate::tui::app::checks::Checks;
use crate::tui::app::page::Line;
use crate::tui::app::tools::Entry;
use crate::tui::theme::Role;

/// Columns of the first word of a line.
const LABEL: usize = 14;
/// Columns of a number.
const NUMBER: usize = 9;

/// The page.
pub(super) fn lines(entry: &Entry, checks: &Checks) -> Vec<Line> {
    let Some(tool) = entry.exposed else {
        return vec![
            Line::new().seg("The tool is hidden: the model does not see it, and it costs nothing.", Role::Dim),
        ];
    };
    let counted = checks.counted.as_deref();
    let Some((counted, count)) = counted.and_then(|counted| Some((counted, counted.tools.get(tool)?))) else {
        let words = checks.state().unwrap_or("tokens are not counted");
        return vec![Line::new().seg(words, Role::Dim)];
    };
    let mut out = vec![Line::new().seg("Tokens", Role::Title), Line::new()];
    let parts = [("name", count.name), ("description", count.description), ("schema", count.schema)];
    for (label, tokens) in parts {
        out.push(part(label, tokens, count.total));
    }
    out.push(number("total", count.total, Role::Title));
    out.push(Line::new());
    let rank = counted.ranked.partition_point(|other| *other > count.total) + 1;
    let share = percent(count.total, counted.total);
    let line = number("catalog", counted.total, Role::Number);
    out.push(line.seg(format!("  this tool is {share} of it, number {rank} of {}", counted.ranked.len()), Role::Text));
    if let Some(saved) = counted.saved.get(tool) {
        let saved = usize::try_from(*saved).unwrap_or(usize::MAX);
        let line = number("$defs save", saved, Role::Number);
        let words = if saved == 0 {
            "  nothing is referred to more than once"
        } else {
            "  would be added if every reference were written out, six levels deep"
        };
        out.push(line.seg(words, Role::Dim).hang(LABEL + NUMBER + 2));
    }
    out.push(Line::new());
    let words = "Counted with the vocabulary o200k_base. Other models differ by some ten percent.";
    out.push(Line::new().seg(words, Role::Dim));
    out
}

fn number(label: &str, tokens: usize, role: Role) -> Line {
    let digits = format!("{tokens:>NUMBER$}");
    Line::new().cell(label, LABEL, Role::Accent).seg(digits, role).hang(LABEL + NUMBER + 2)
}

fn part(label: &str, tokens: usize, total: usize) -> Line {
    number(label, tokens, Role::Number).seg(format!("  {:>6}", percent(tokens, total)), Role::Dim)
}

/// A share with one digit after the point.
fn percent(part: usize, whole: usize) -> String {
    let tenths = (part * 1000 + whole / 2).checked_div(whole).unwrap_or(0);
    format!("{}.{}%", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded() {
        for (part, whole, expected) in
            [(1, 3, "33.3%"), (2, 3, "66.7%"), (0, 0, "0.0%"), (5, 5, "100.0%"), (1, 2000, "0.1%")]
        {
            assert_eq!(percent(part, whole), expected, "{part} of {whole}");
        }
    }
}
