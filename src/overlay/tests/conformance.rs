//! The data of the OpenAPI Initiative.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::document::Severity;

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/conformance/overlay").join(path)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn every_compliant_set_gives_its_output() {
    let sets: Vec<_> = entries(&data("compliant-sets")).into_iter().filter(|path| path.is_dir()).collect();
    assert_eq!(sets.len(), 8);
    for set in sets {
        let text = |name: &str| fs::read_to_string(set.join(name)).unwrap();
        let applied = apply(&document(0, &text("openapi.yaml")), &[overlay(&text("overlay.yaml"))]);
        assert_eq!(applied.document.root, document(0, &text("output.yaml")).root, "{}", set.display());
        let bad: Vec<_> = applied.findings.iter().filter(|finding| finding.severity > Severity::Info).collect();
        assert!(bad.is_empty(), "{}: {bad:?}", set.display());
    }
}

#[test]
fn schema_tests_get_their_verdict() {
    let mut seen = 0;
    for version in ["v1.0", "v1.1", "v1.2-dev"] {
        for (folder, good) in [("pass", true), ("fail", false)] {
            for path in entries(&data(&format!("schema-tests/{version}/{folder}"))) {
                let document = document(1, &fs::read_to_string(&path).unwrap());
                let findings = match Overlay::read(&document, "o.yaml") {
                    Ok(overlay) => overlay.findings,
                    Err(findings) if good => panic!("{}: {findings:?}", path.display()),
                    Err(findings) => findings,
                };
                let errors: Vec<_> = findings.iter().filter(|f| f.severity == Severity::Error).collect();
                // A target that is no JSONPath is beyond the schema.
                let schema = errors.iter().any(|error| error.code != "overlay-invalid-target" || !good);
                assert_eq!(schema, !good, "{}: {findings:?}", path.display());
                assert!(errors.iter().all(|error| error.place.is_some() && error.remedy.is_some()), "{errors:?}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 103);
}

/// What a person is told of every overlay that is not valid: line, code, message and remedy.
#[test]
fn every_invalid_overlay_gets_a_message_with_line_and_remedy() {
    let mut told = String::new();
    for version in ["v1.0", "v1.1", "v1.2-dev"] {
        for path in entries(&data(&format!("schema-tests/{version}/fail"))) {
            let text = fs::read_to_string(&path).unwrap();
            let document = document(1, &text);
            let findings = match Overlay::read(&document, "o.yaml") {
                Ok(overlay) => overlay.findings,
                Err(findings) => findings,
            };
            told.push_str(&format!("{version} {}\n", path.file_stem().unwrap().to_string_lossy()));
            for finding in findings.iter().filter(|finding| finding.severity == Severity::Error) {
                let start = finding.place.as_ref().unwrap().origin.start as usize;
                let line = text[..start].matches('\n').count() + 1;
                let remedy = finding.remedy.as_deref().unwrap();
                told.push_str(&format!("  line {line}: {} [{}]; {remedy}\n", finding.message, finding.code));
            }
        }
    }
    assert_eq!(told.lines().filter(|line| line.starts_with('v')).count(), 65);
    insta::assert_snapshot!("invalid_overlays", told);
}

#[test]
fn an_invalid_target_leaves_the_other_actions_alone() {
    let text = fs::read_to_string(data("schema-tests/v1.1/pass/actions-traits-example.yaml")).unwrap();
    let overlay = overlay(&text);
    assert_eq!(codes(&overlay.findings), ["overlay-invalid-target"]);
    let remedy = overlay.findings[0].remedy.as_deref().unwrap();
    assert!(remedy.contains("['x-oai-traits']"), "{remedy}");
    let spec = document(0, "{paths: {/a: {get: {}}}}");
    let applied = apply(&spec, &[overlay, actions("- {target: $.paths, update: {x-seen: true}}")]);
    assert_eq!(applied.document.root, document(0, "{paths: {/a: {get: {}}, x-seen: true}}").root);
    assert_eq!(codes(&applied.trails[0].findings), ["overlay-invalid-target"]);
}
