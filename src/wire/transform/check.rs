//! Every transform tried before the first call: compiled, and run over synthetic arguments and bodies.

use std::sync::Arc;

use crate::derive::{Catalog, Tool, Written};
use crate::document::{FileId, Finding, Place, parse};

use super::super::encode::{Options, encode_with};
use super::super::problem::ArgumentProblem;
use super::super::synthesize::{Extent, Instance, synthesize, synthesize_schema};
use super::compiled::{ERROR, REQUEST, RESPONSE, Transforms};
use super::filter::{Filter, FilterError};
use super::locate;
use super::meter::Bounds;

/// A request needs some address to be written; it is never sent.
const ADDRESS: &str = "https://api.invalid";
/// Steps of a dry run: enough for what is made of one synthetic value.
const STEPS: u64 = 500_000;
/// The body of a failure (RFC 9457) that error transforms are tried on.
const FAILURE: &str = r#"{"type":"about:blank","title":"Not Found","status":404,"detail":"There is no such thing.","instance":"/things/1"}"#;

/// Tries each transform of each exposed tool: compiles it, and runs it over synthetic instances (all members, required
/// ones only, one per branch). Request transforms have to give a request that can be written; response transforms are
/// run over bodies that fit the output schema, error transforms over a problem details object.
///
/// Gives findings `transform-invalid` (error: no jq) and `transform-fails` (error for requests, warning for responses),
/// each at the place in the expression, as well as the file's form lets tell.
pub fn check_transforms(catalog: &Catalog) -> Vec<Finding> {
    let mut findings = Vec::new();
    for tool in &catalog.tools {
        let mcp = &tool.operation.mcp;
        let mut check = Check { catalog, tool, findings: &mut findings };
        if let Some((written, filter)) = check.compile(REQUEST, mcp.request_transform.as_ref()) {
            check.request(written, filter);
        }
        if let Some((written, filter)) = check.compile(RESPONSE, mcp.response_transform.as_ref()) {
            check.response(written, &filter);
        }
        if let Some((written, filter)) = check.compile(ERROR, mcp.error_transform.as_ref()) {
            check.failure(written, &filter);
        }
    }
    findings
}

struct Check<'c> {
    catalog: &'c Catalog,
    tool: &'c Arc<Tool>,
    findings: &'c mut Vec<Finding>,
}

type Expression = Written<Arc<str>>;

impl<'c> Check<'c> {
    fn compile(&mut self, member: &str, written: Option<&'c Expression>) -> Option<(&'c Expression, Filter)> {
        let written = written?;
        match Filter::compile(&written.value) {
            Ok(filter) => Some((written, filter)),
            Err(error) => {
                self.invalid(member, written, &error);
                None
            }
        }
    }

    fn invalid(&mut self, member: &str, written: &Expression, error: &FilterError) {
        let (line, column) = error.line_column(&written.value);
        let place = locate::within(&self.catalog.sources, written, error.offset);
        let cited = self.cite(&place);
        let message =
            format!("`{member}` is no jq: {} (line {line}, column {column} of the expression; {cited})", error.message);
        let finding = Finding::error("transform-invalid", message).at(place).remedy(error.remedy.clone());
        self.add(finding);
    }

    /// `file:line:column` of the very bytes; a place in an overlay is otherwise cited by the line of its action.
    fn cite(&self, place: &Place) -> String {
        let (line, column) = self.catalog.sources.line_column(place.origin);
        let file = self.catalog.sources.get(place.origin.file).map(|file| file.name.clone()).unwrap_or_default();
        format!("{file}:{line}:{column}")
    }

    fn add(&mut self, mut finding: Finding) {
        finding.tool = Some(self.tool.named.name.clone());
        self.findings.push(finding);
    }

    fn request(&mut self, written: &Expression, filter: Filter) {
        let transforms = Transforms { request: Some(filter), bounds: bounds(), ..Transforms::default() };
        let options = Options { transforms: Some(Arc::new(transforms)), ..Options::default() };
        for instance in three(|extent| synthesize(self.tool, extent)) {
            let Err(problems) = encode_with(self.tool, ADDRESS, &instance.value, &options) else { continue };
            let what = format!("with {}", words(&instance.label, "arguments"));
            return self.fails(
                written,
                |code, text| Finding::error(code, text),
                &format!("{what}: {}", first(&problems)),
            );
        }
    }

    fn response(&mut self, written: &Expression, filter: &Filter) {
        let Some(schema) = &self.tool.operation.output_schema else { return };
        let wrapped = self.tool.operation.messages.wrapped;
        for instance in three(|extent| synthesize_schema(schema, extent)) {
            let inner = if wrapped { instance.value.get("result").cloned() } else { Some(instance.value) };
            let Some(body) = inner else { continue };
            let Err(error) = filter.run_once(&body, &bounds()) else { continue };
            let what = format!("over a response with {}", words(&instance.label, "members"));
            let message = format!("`{RESPONSE}` fails {what}: {error}");
            return self.fails(written, |code, text| Finding::warning(code, text), &message);
        }
    }

    fn failure(&mut self, written: &Expression, filter: &Filter) {
        let Ok(body) = parse(FileId(u32::MAX), "failure.json", FAILURE) else { return };
        if let Err(error) = filter.run_once(&body.root, &bounds()) {
            let message = format!("`{ERROR}` fails over a problem details object (RFC 9457): {error}");
            self.fails(written, |code, text| Finding::warning(code, text), &message);
        }
    }

    fn fails(&mut self, written: &Expression, make: fn(&'static str, &str) -> Finding, message: &str) {
        let remedy = "let the expression take what may be missing: `.a?`, `.a // \"…\"`, `(.items // [])[]`";
        self.add(make("transform-fails", message).at(written.place.clone()).remedy(remedy));
    }
}

fn bounds() -> Bounds {
    Bounds { steps: STEPS, ..Bounds::default() }
}

/// Instances that fit their schema; what cannot be made says nothing about a transform.
fn three(make: impl Fn(Extent) -> Vec<Instance>) -> Vec<Instance> {
    let extents = [Extent::All, Extent::Required, Extent::Branches];
    extents.into_iter().flat_map(make).filter(|instance| instance.problems.is_empty()).collect()
}

fn words(label: &str, what: &str) -> String {
    match label {
        "all" => format!("all {what}"),
        "required" => format!("the required {what} only"),
        branch => format!("{what} of {branch}"),
    }
}

fn first(problems: &[ArgumentProblem]) -> String {
    problems.first().map(|problem| problem.message.clone()).unwrap_or_default()
}
