//! Findings as workflow commands of GitHub Actions: one line each, shown at the line of the file.

use super::output::{Output, harmless};
use super::report::{location, relative, sentences};
use crate::derive::Catalog;
use crate::document::{Finding, Severity};

/// Writes `::error file=…,line=…,col=…,title=…::message` for each finding.
pub(super) fn write(out: &mut Output, catalog: &Catalog, findings: &[Finding]) -> std::io::Result<()> {
    for finding in findings {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let mut properties = Vec::new();
        if let Some(place) = location(catalog, finding) {
            properties.push(format!("file={}", property(&relative(&place.file))));
            properties.push(format!("line={}", place.line));
            properties.push(format!("col={}", place.column));
        }
        properties.push(format!("title={}", property(&title(finding))));
        let line = format!("::{command} {}::{}", properties.join(","), data(&sentences(finding)));
        out.line(&line)?;
    }
    Ok(())
}

/// Code, target and tool.
fn title(finding: &Finding) -> String {
    let target = finding.target.as_deref().map(|target| format!(" ({target})")).unwrap_or_default();
    let tool = finding.tool.as_deref().map(|tool| format!(": {tool}")).unwrap_or_default();
    format!("{}{target}{tool}", finding.code)
}

/// The escapes of a message; other control characters become visible.
fn data(text: &str) -> String {
    harmless(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")).into_owned()
}

/// The escapes of a property, which ends at a comma or colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_a_command() {
        let cases = [
            ("plain", "plain", "plain"),
            ("50 %", "50 %25", "50 %25"),
            ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
            ("a: b, c", "a: b, c", "a%3A b%2C c"),
            ("x\n::error::y", "x%0A::error::y", "x%0A%3A%3Aerror%3A%3Ay"),
            ("\u{1b}[2J", "\\u{1b}[2J", "\\u{1b}[2J"),
        ];
        for (text, as_data, as_property) in cases {
            assert_eq!((data(text).as_str(), property(text).as_str()), (as_data, as_property));
        }
    }
}
