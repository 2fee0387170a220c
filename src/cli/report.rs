//! What the formats for other programs (SARIF, workflow commands, JUnit) have in common.

use crate::derive::Catalog;
use crate::document::{Finding, Location};

/// A place for every finding: its own, else the first line of the first document, since a report without a place is
/// shown nowhere.
pub(super) fn location(catalog: &Catalog, finding: &Finding) -> Option<Location> {
    if let Some(place) = &finding.place {
        return Some(catalog.sources.locate(place));
    }
    let main = catalog.upstreams.first().map(|upstream| upstream.documents.main.file);
    let file = main.and_then(|file| catalog.sources.get(file));
    let file = file.or_else(|| catalog.sources.iter().next().map(|(_, file)| file))?;
    Some(Location { kind: "spec", file: file.name.clone(), line: 1, column: 1, pointer: String::new(), action: None })
}

/// Message and remedy as sentences.
pub(super) fn sentences(finding: &Finding) -> String {
    match &finding.remedy {
        Some(remedy) => format!("{} {}", sentence(&finding.message), sentence(remedy)),
        None => sentence(&finding.message),
    }
}

/// With a capital at the start, where it starts with a plain word, and a full stop at the end.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    let first = text.split(char::is_whitespace).next().unwrap_or_default();
    // Code such as x-mcp-tool-name or operationId stays as it is written.
    let is_word = first.trim_end_matches([',', ';', ':', '.']).chars().all(|c| c.is_ascii_lowercase());
    let mut chars = text.chars();
    let start = match chars.next() {
        Some(c) if is_word => c.to_uppercase().collect::<String>(),
        Some(c) => c.to_string(),
        None => return String::new(),
    };
    let stop = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{start}{}{stop}", chars.as_str())
}

/// Where the file is, from where the program runs: `./a.yaml` and absolute paths below the folder become `a.yaml`.
pub(super) fn relative(file: &str) -> String {
    let below = std::env::current_dir().ok().and_then(|folder| {
        let rest = std::path::Path::new(file).strip_prefix(folder).ok()?;
        Some(rest.display().to_string())
    });
    let mut file = below.unwrap_or_else(|| file.to_owned());
    while let Some(rest) = file.strip_prefix("./") {
        file = rest.to_owned();
    }
    if cfg!(windows) { file.replace('\\', "/") } else { file }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_start_and_end() {
        let cases = [
            ("say what", "Say what."),
            ("`a` is", "`a` is."),
            ("x-mcp-tool-name is", "x-mcp-tool-name is."),
            ("operationId is it?", "operationId is it?"),
            ("é", "é."),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(sentence(text), expected);
        }
    }
}
