//! Tools for which no arguments can be made up.

use crate::derive::Catalog;
use crate::document::Finding;

use super::{Extent, synthesize};

/// A remark for each exposed tool whose InputSchema no made-up arguments fit: previews, dry runs and generated cases of
/// it show something that a call would refuse. As a rule the schema contradicts itself or an example contradicts it.
pub fn check_instances(catalog: &Catalog) -> Vec<Finding> {
    let unfit = catalog.tools.iter().filter_map(|tool| {
        let instances = synthesize(tool, Extent::All);
        let problem = instances.iter().flat_map(|instance| &instance.problems).next()?;
        let message = format!("no arguments can be made up that fit the InputSchema: {problem}");
        let mut finding = Finding::info("no-instance", message)
            .at(tool.operation.place.clone())
            .remedy("mend the schema, or give it an example that fits");
        finding.tool = Some(tool.named.name.clone());
        Some(finding)
    });
    unfit.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
    use std::sync::Arc;

    use super::*;
    use crate::derive::{Settings, UpstreamInput, catalog};
    use crate::document::{DocumentSet, SourceFile, Sources, parse};
    use crate::naming::Profile;

    #[test]
    fn a_schema_that_contradicts_itself_is_told() {
        let text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a: {get: {operationId: a, summary: s, responses: {}, parameters: [{name: q, in: query, required: true, schema: {type: string, minLength: 5, maxLength: 2}}]}}\n  /b: {get: {operationId: b, summary: s, responses: {}}}\n";
        let mut sources = Sources::default();
        let file = sources.put(SourceFile::new("a.yaml", text));
        let documents = Arc::new(DocumentSet::single(parse(file, "a.yaml", text).unwrap()));
        let input = UpstreamInput {
            name: "a".into(),
            prefix: None,
            base_url: None,
            documents,
            touches: Vec::new(),
            findings: Vec::new(),
        };
        let settings = Settings::new(Profile::builtin("default").unwrap());
        let findings = check_instances(&catalog(&[input], &settings, Arc::new(sources), None));
        let told: Vec<_> = findings.iter().map(|finding| (finding.code, finding.tool.as_deref())).collect();
        assert_eq!(told, [("no-instance", Some("a"))]);
        assert!(findings[0].message.contains("/q"), "{}", findings[0].message);
    }
}
