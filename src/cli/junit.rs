//! Findings as JUnit XML: a suite for the documents and one for each target, a case for each finding.

use super::output::Output;
use super::report::{location, relative, sentence, sentences};
use crate::derive::Catalog;
use crate::document::{Finding, Severity};

/// Writes the report. A finding below `least` is a case that passes and says so; one that is known is skipped. What
/// differs from a lock fails whatever its severity, unless nothing does.
pub(super) fn write(
    out: &mut Output,
    catalog: &Catalog,
    findings: &[Finding],
    known: &[Finding],
    least: Option<Severity>,
) -> std::io::Result<()> {
    let fails =
        |finding: &&Finding| least.is_some_and(|least| finding.severity >= least || finding.code.starts_with("lock-"));
    out.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let failures = findings.iter().filter(fails).count();
    let tests = findings.len() + known.len();
    let line = format!("<testsuites name=\"toolscope check\" tests=\"{tests}\" failures=\"{failures}\">");
    out.line(&line)?;
    for (name, of_suite) in suites(findings) {
        let failures = of_suite.iter().copied().filter(fails).count();
        let line = format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">",
            escape(&name),
            of_suite.len()
        );
        out.line(&line)?;
        for finding in of_suite {
            case(out, catalog, finding, fails(&finding))?;
        }
        out.line("  </testsuite>")?;
    }
    skipped(out, catalog, known)?;
    out.line("</testsuites>")
}

fn suites(findings: &[Finding]) -> Vec<(String, Vec<&Finding>)> {
    let mut suites: Vec<(String, Vec<&Finding>)> = Vec::new();
    for finding in findings {
        let name = finding.target.clone().unwrap_or_else(|| "documents".to_owned());
        match suites.iter_mut().find(|(known, _)| *known == name) {
            Some((_, of_suite)) => of_suite.push(finding),
            None => suites.push((name, vec![finding])),
        }
    }
    suites
}

/// What the baseline knows.
fn skipped(out: &mut Output, catalog: &Catalog, known: &[Finding]) -> std::io::Result<()> {
    if known.is_empty() {
        return Ok(());
    }
    let count = known.len();
    out.line(&format!(
        "  <testsuite name=\"baseline\" tests=\"{count}\" failures=\"0\" errors=\"0\" skipped=\"{count}\">"
    ))?;
    for finding in known {
        open(out, catalog, finding)?;
        out.line("      <skipped message=\"known by the baseline\"/>\n    </testcase>")?;
    }
    out.line("  </testsuite>")
}

/// The start of a case; gives back where its finding is.
fn open(out: &mut Output, catalog: &Catalog, finding: &Finding) -> std::io::Result<String> {
    let place = location(catalog, finding).map(|place| (relative(&place.file), place.line, place.column));
    let cited = place.map(|(file, line, column)| format!("{file}:{line}:{column}")).unwrap_or_default();
    let name = match &finding.tool {
        Some(tool) => format!("{tool} at {cited}"),
        None => cited.clone(),
    };
    out.line(&format!("    <testcase classname=\"{}\" name=\"{}\">", escape(finding.code), escape(&name)))?;
    Ok(cited)
}

fn case(out: &mut Output, catalog: &Catalog, finding: &Finding, fails: bool) -> std::io::Result<()> {
    let cited = open(out, catalog, finding)?;
    let text = escape(&format!("{cited}: {}", sentences(finding)));
    let line = if fails {
        let message = escape(&sentence(&finding.message));
        format!("      <failure type=\"{}\" message=\"{message}\">{text}</failure>", escape(finding.code))
    } else {
        format!("      <system-out>{text}</system-out>")
    };
    out.line(&line)?;
    out.line("    </testcase>")
}

/// Text for XML 1.0, which has no form at all for most control characters.
pub(super) fn escape(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => clean.push_str("&amp;"),
            '<' => clean.push_str("&lt;"),
            '>' => clean.push_str("&gt;"),
            '"' => clean.push_str("&quot;"),
            '\n' => clean.push_str("&#10;"),
            '\t' => clean.push_str("&#9;"),
            '\r' => clean.push_str("&#13;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => clean.push(char::REPLACEMENT_CHARACTER),
            c => clean.push(c),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let cases = [
            ("a < b & \"c\" > d", "a &lt; b &amp; &quot;c&quot; &gt; d"),
            ("one\ntwo\t\r", "one&#10;two&#9;&#13;"),
            ("\u{1b}[2J\0", "\u{FFFD}[2J\u{FFFD}"),
        ];
        for (text, expected) in cases {
            assert_eq!(escape(text), expected);
        }
    }
}
