//! Findings as SARIF 2.1.0, the format of code scanning services.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::report::{location, relative, sentence, sentences};
use crate::derive::Catalog;
use crate::document::{Blast, Finding, Location, Severity};
use crate::lint::Rule;
use crate::session::baseline::fingerprint;
use crate::workspace::Workspace;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What a URI reference cannot hold as it is.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The whole log: one run, with a rule for each kind of finding that occurs.
pub(super) fn log(workspace: &Workspace, catalog: &Catalog, findings: &[Finding]) -> Value {
    let mut ids: Vec<String> = Vec::new();
    let mut rules: Vec<Value> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    for finding in findings {
        let id = rule_id(finding);
        let index = match ids.iter().position(|known| *known == id) {
            Some(index) => index,
            None => {
                rules.push(rule(workspace, findings, finding, &id));
                ids.push(id.clone());
                ids.len() - 1
            }
        };
        results.push(result(catalog, finding, &id, index));
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "toolscope",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// The code, and for a rule of a target also its name (without the server's) and the rule's.
fn rule_id(finding: &Finding) -> String {
    let target = finding.target.as_deref().and_then(|target| target.split(':').next());
    [Some(finding.code), target, finding.rule.as_deref()].into_iter().flatten().collect::<Vec<_>>().join("/")
}

fn rule(workspace: &Workspace, findings: &[Finding], first: &Finding, id: &str) -> Value {
    let known = of_target(workspace, first);
    let remedy = match &known {
        Some((_, rule)) => rule.remedy.clone(),
        None => findings.iter().filter(|other| other.code == first.code).find_map(|other| other.remedy.clone()),
    };
    let words = first.code.strip_prefix("target-").unwrap_or(first.code).replace('-', " ");
    let short = match &known {
        Some((title, rule)) if !rule.wants().is_empty() => format!("{title}: {words}, {}", rule.wants()),
        Some((title, _)) => format!("{title}: {words}"),
        None => words,
    };
    let mut out = Map::new();
    out.insert("id".to_owned(), id.into());
    out.insert("shortDescription".to_owned(), json!({"text": sentence(&short)}));
    if let Some((_, rule)) = &known {
        let full = format!("{} Source: {}, {}.", sentence(&rule.why), rule.source, rule.date);
        out.insert("fullDescription".to_owned(), json!({"text": full}));
    }
    let help = remedy.unwrap_or_else(|| "see the message; `toolscope explain TOOL` tells more of a tool".to_owned());
    out.insert("help".to_owned(), json!({"text": sentence(&help)}));
    out.insert("defaultConfiguration".to_owned(), json!({"level": level(first.severity)}));
    Value::Object(out)
}

/// The title of a finding's target, and the rule.
fn of_target(workspace: &Workspace, finding: &Finding) -> Option<(String, Rule)> {
    let choices = workspace.targets_to_check();
    let choice = choices.iter().find(|choice| Some(choice.label()) == finding.target)?;
    Some((choice.target.title().to_owned(), choice.target.rule(finding.rule.as_deref()?)?.clone()))
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(catalog: &Catalog, finding: &Finding, id: &str, index: usize) -> Value {
    let mut place = Map::new();
    let found = location(catalog, finding);
    if let Some(found) = &found {
        let region = json!({"startLine": found.line, "startColumn": found.column});
        let physical = json!({"artifactLocation": {"uri": uri(&found.file)}, "region": region});
        place.insert("physicalLocation".to_owned(), physical);
    }
    if let Some(tool) = &finding.tool {
        let logical = json!([{"name": tool, "fullyQualifiedName": tool, "kind": "function"}]);
        place.insert("logicalLocations".to_owned(), logical);
    }
    let locations: Vec<Map<String, Value>> = if place.is_empty() { Vec::new() } else { vec![place] };
    json!({
        "ruleId": id,
        "ruleIndex": index,
        "level": level(finding.severity),
        "message": {"text": sentences(finding)},
        "locations": locations,
        "partialFingerprints": {"toolscope/v1": fingerprint(&catalog.sources, finding)},
        "properties": properties(finding, found.as_ref()),
    })
}

/// What of the finding has no place elsewhere in SARIF.
fn properties(finding: &Finding, found: Option<&Location>) -> Map<String, Value> {
    let blast = finding.blast.filter(|blast| *blast != Blast::None);
    let pointer = found.map(|found| found.pointer.as_str()).filter(|pointer| !pointer.is_empty());
    let all = [
        ("code", Some(finding.code.into())),
        ("target", finding.target.clone().map(Value::from)),
        ("blast", blast.and_then(|blast| serde_json::to_value(blast).ok())),
        ("remedy", finding.remedy.clone().map(Value::from)),
        ("pointer", pointer.map(Value::from)),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// A file's name as a URI reference: URLs as they are, paths relative where they are below the folder.
fn uri(file: &str) -> String {
    let has_scheme = file.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    if has_scheme && url::Url::parse(file).is_ok() {
        return file.replace(' ', "%20");
    }
    let path = relative(file);
    let escaped = utf8_percent_encode(&path, ESCAPED).to_string();
    match (path.starts_with('/'), path.split('/').next().is_some_and(|first| first.contains(':'))) {
        (true, _) => format!("file://{escaped}"),
        // A colon in the first step would make a scheme of it.
        (false, true) => format!("./{escaped}"),
        (false, false) => escaped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_uri_references() {
        let cases = [
            ("a.yaml", "a.yaml"),
            ("./sub/a b.yaml", "sub/a%20b.yaml"),
            ("../é%.yaml", "../%C3%A9%25.yaml"),
            ("/nowhere/a.yaml", "file:///nowhere/a.yaml"),
            ("https://h/a.yaml?x=1", "https://h/a.yaml?x=1"),
            ("demo:petstore.yaml", "demo:petstore.yaml"),
            ("-", "-"),
            ("toolscope.yaml (shop openapi.inline)", "toolscope.yaml%20(shop%20openapi.inline)"),
            ("--set a", "--set%20a"),
            ("1:2.yaml", "./1:2.yaml"),
        ];
        for (file, expected) in cases {
            assert_eq!(uri(file), expected, "{file}");
        }
    }
}
