//! One call: check the arguments, encode, send, decode.

use std::sync::Arc;

use serde_json::Value as Json;

use super::convert;
use super::engine::CallOptions;
use super::record::redact;
use super::served::{Entry, Served};
use super::tap::HttpHop;
use super::upstream::{FailureKind, Sent, UpstreamClient, asked, configured};
use crate::wire::{self, CallResult, Content, HttpRequest, HttpResponse, Options, Redactor, Rules};

/// The request of a call.
pub(super) fn encode(
    tool: &crate::derive::Tool,
    transforms: Option<Arc<wire::Transforms>>,
    upstream: &UpstreamClient,
    arguments: &crate::document::Node,
) -> Result<HttpRequest, Vec<wire::ArgumentProblem>> {
    let settings = upstream.settings();
    let options = Options { document_url: settings.document_url.clone(), transforms };
    wire::encode_with(tool, &settings.base_url, arguments, &options)
}

/// Does what may run a transform: for a tool that has one, away from the tasks that other calls wait on.
fn aside<T>(entry: &Entry, work: impl FnOnce() -> T) -> T {
    use tokio::runtime::{Handle, RuntimeFlavor};
    let many = Handle::try_current().is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
    if many && entry.transforms_anything() { tokio::task::block_in_place(work) } else { work() }
}

/// What a call made.
pub(super) struct Made {
    pub(super) result: CallResult,
    pub(super) failure: Option<FailureKind>,
    pub(super) http: Vec<HttpHop>,
    /// Masks the secrets of the call.
    pub(super) redactor: Redactor,
}

impl Made {
    pub(super) fn failure(kind: FailureKind, message: impl Into<String>, redactor: Redactor) -> Self {
        Self::of(CallResult::failure(message), Some(kind), redactor)
    }

    fn of(result: CallResult, failure: Option<FailureKind>, redactor: Redactor) -> Self {
        Self { result, failure, http: Vec::new(), redactor }
    }
}

/// One call, with all that it needs: a reload meanwhile changes nothing for it.
pub(super) struct Job {
    pub(super) entry: Arc<Entry>,
    pub(super) upstream: Option<Arc<UpstreamClient>>,
    pub(super) options: CallOptions,
    pub(super) served: Arc<Served>,
    /// Knows the secrets of the document and of the arguments.
    pub(super) redactor: Redactor,
}

impl Job {
    pub(super) async fn run(self, arguments: Json) -> Made {
        let tool = &self.entry.tool;
        let arguments = convert::from_json(arguments);
        let refused = |problems: &[wire::ArgumentProblem]| {
            let mut result = CallResult::refused(problems);
            mask_texts(&mut result, &self.redactor);
            Made::of(result, Some(FailureKind::Arguments), self.redactor.clone())
        };
        let Some(upstream) = &self.upstream else {
            let words = "The tool belongs to no upstream.";
            return Made::failure(FailureKind::Internal, words, self.redactor.clone());
        };
        let settings = upstream.settings();
        if self.options.validate.unwrap_or(settings.validation.request) {
            let problems = self.entry.input().arguments(tool, &arguments);
            if !problems.is_empty() {
                return refused(&problems);
            }
        }
        let encoded = aside(&self.entry, || encode(tool, self.entry.transforms(), upstream, &arguments));
        let request = match encoded {
            Ok(request) => request,
            Err(problems) => return refused(&problems),
        };
        let limit = self.options.timeout.unwrap_or(settings.timeout);
        let Sent { hops, outcome, redactor } = upstream.send(request, limit, self.redactor.clone()).await;
        let (mut result, failure) = match outcome {
            Ok(response) => self.decode(&response, upstream),
            Err(failure) => (CallResult::failure(failure.message), Some(failure.kind)),
        };
        // What an API says of a refused credential may repeat it, and some repeat every request that they get. A client
        // knows nothing of the credential and must not learn it.
        let masks = if failure.is_some() { redactor.clone() } else { redactor.only_long() };
        mask_texts(&mut result, &masks);
        Made { result, failure, http: hops, redactor }
    }

    fn decode(&self, response: &HttpResponse, upstream: &UpstreamClient) -> (CallResult, Option<FailureKind>) {
        let validation = &upstream.settings().validation;
        let checks = self.options.response.unwrap_or(validation.response);
        let rules = Rules {
            success_status: validation.success_status.clone(),
            fail_on_drift: validation.response && validation.response_fails,
            output: self.entry.output(),
            transforms: self.entry.transforms(),
        };
        let mut result = aside(&self.entry, || wire::decode(response, &self.entry.tool, &rules));
        if !checks {
            result.drift = None;
        }
        if !result.is_error {
            return (result, None);
        }
        if let Some(note) = self.note(response, upstream) {
            result.content.push(Content::text(note));
        }
        let kind = match response.status {
            401 | 403 | 407 => FailureKind::Authentication,
            _ => FailureKind::Tool,
        };
        (result, Some(kind))
    }

    /// What a person has to know besides what the API said.
    fn note(&self, response: &HttpResponse, upstream: &UpstreamClient) -> Option<String> {
        match response.status {
            401 | 403 => {
                let tool = &self.entry.tool;
                let document = &self.served.catalog.upstreams.get(tool.upstream)?.documents.main.root;
                let asked = asked(document, &tool.operation.node);
                let asked = if asked.is_empty() { "nothing".to_owned() } else { asked.join(", or ") };
                let configured = configured(upstream.settings());
                Some(format!("The document asks for {asked}. Configured for this upstream: {configured}."))
            }
            300..=399 if response.status != 304 => {
                let to = response.header("location")?;
                let shown = Redactor::default().url(to);
                Some(format!(
                    "The API redirects to {shown}. That was not followed: only the same origin is, and only where the \
                     method stays. If that is where the API is now, change the base URL."
                ))
            }
            _ => None,
        }
    }
}

fn mask_texts(result: &mut CallResult, redactor: &Redactor) {
    let mut any = false;
    for content in &mut result.content {
        if let Content::Text { text } = content
            && redactor.meets(text)
        {
            *text = redactor.text(text);
            any = true;
        }
    }
    // The structured value says again what the text says.
    if let (true, Some(structured)) = (any, &mut result.structured) {
        let mut value = wire::to_value(structured);
        redact(&mut value, redactor);
        *structured = convert::from_json(value);
    }
}
