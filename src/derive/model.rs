//! The catalog: everything that is known of every tool, immutable.

use std::sync::Arc;

use serde::Serialize;

use super::extensions::McpExtensions;
use super::settings::{ArgumentNames, DescriptionRules};
use crate::document::{DocumentSet, FileId, Finding, Node, Place, Sources, Touch};
use crate::naming::{CollisionPolicy, MadeBy, Named, Truncated};

/// Where an argument goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterIn {
    /// A placeholder of the path.
    Path,
    /// The query string, one parameter.
    Query,
    /// The whole query string (OpenAPI 3.2).
    QueryString,
    /// A header.
    Header,
    /// A cookie.
    Cookie,
    /// The body: a member of it, or all of it when `wire_name` is `None`.
    Body,
}

impl ParameterIn {
    /// The word for it: that of `in` in a document, and `body`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::QueryString => "querystring",
            Self::Header => "header",
            Self::Cookie => "cookie",
            Self::Body => "body",
        }
    }
}

/// Serialisation style of a parameter or form field (OpenAPI 3.1 section 4.8.12.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Style {
    /// `;a=1`
    Matrix,
    /// `.1`
    Label,
    /// `1,2`
    Simple,
    /// `a=1&a=2`
    Form,
    /// `a=1%202`
    SpaceDelimited,
    /// `a=1|2`
    PipeDelimited,
    /// `a=1<TAB>2` (Swagger 2.0 `tsv`)
    TabDelimited,
    /// `a[b]=1`
    DeepObject,
    /// `a=1; a=2` (OpenAPI 3.2)
    Cookie,
}

/// One row of the binding: which argument of the tool goes where in the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Binding {
    /// Name of the argument in the InputSchema.
    pub argument: Arc<str>,
    /// Where it goes.
    #[serde(rename = "in")]
    pub location: ParameterIn,
    /// Its name there; `None` when the argument is the whole body.
    pub wire_name: Option<Arc<str>>,
    /// Style; `None` for a member of a JSON body and for `content` parameters.
    pub style: Option<Style>,
    /// Explode; `None` where there is no style.
    pub explode: Option<bool>,
    /// Reserved characters stay as they are.
    pub allow_reserved: bool,
    /// Media type of the body or of a `content` parameter.
    pub media_type: Option<Arc<str>>,
    /// Media type of a form field or of a part of a multipart body, as the document's `encoding` gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<Arc<str>>,
    /// A call without it is refused.
    pub required: bool,
}

/// The body that an operation sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SentBody {
    /// Its media type.
    pub media_type: Arc<str>,
    /// A call has to have one, were it without members.
    pub required: bool,
}

/// What the two messages of a call are made of, besides the arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Messages {
    /// The body of the request; `None` when the operation has none.
    pub body: Option<SentBody>,
    /// Media types of the successful response, in document order.
    pub accept: Vec<Arc<str>>,
    /// The output schema wraps what comes back as `{"result": …}`.
    pub wrapped: bool,
}

/// Something that the document says and the tool does not carry.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Kind in kebab case, such as `media-type` or `broken-ref`.
    pub what: &'static str,
    /// Where.
    pub place: Place,
    /// Why, in one sentence.
    pub why: String,
}

/// MCP tool annotations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// Title for people, from the summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Changes nothing.
    pub read_only_hint: bool,
    /// May destroy.
    pub destructive_hint: bool,
    /// Twice is the same as once.
    pub idempotent_hint: bool,
    /// Reaches beyond the server.
    pub open_world_hint: bool,
}

/// Where an operation is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationKind {
    /// Under `paths`: it can be called.
    Path,
    /// Under `webhooks`: the API calls it.
    Webhook,
    /// Under an operation's `callbacks`: the API calls it.
    Callback,
}

/// What an operation gives, apart from its name.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Upper-case HTTP method.
    pub method: Arc<str>,
    /// Path template.
    pub path: Arc<str>,
    /// `operationId` as written.
    pub operation_id: Option<Arc<str>>,
    /// Where `operationId` stands.
    pub operation_id_place: Option<Place>,
    /// `x-mcp-tool-name`, when it is text.
    pub name_override: Option<Arc<str>>,
    /// Where `x-mcp-tool-name` stands.
    pub name_override_place: Option<Place>,
    /// The method's key in the path item.
    pub place: Place,
    /// The operation after overlays (Swagger 2.0: as written there).
    pub node: Node,
    /// Tags.
    pub tags: Vec<Arc<str>>,
    /// `summary`, for people.
    pub title: Option<String>,
    /// What the model reads, cut.
    pub description: String,
    /// Set when the description was cut.
    pub description_truncated: Option<Truncated>,
    /// JSON Schema 2020-12 of the arguments; its root is an object without combinators.
    pub input_schema: Node,
    /// JSON Schema 2020-12 of the result.
    pub output_schema: Option<Node>,
    /// Hints.
    pub annotations: Annotations,
    /// Where each argument goes, in the order of the InputSchema's properties.
    pub binding: Vec<Binding>,
    /// The body that goes out and the media types that come back.
    pub messages: Messages,
    /// What the tool does not carry.
    pub losses: Vec<Loss>,
    /// What is wrong with the operation.
    pub findings: Vec<Finding>,
    /// The operation could not be derived whole (a broken reference, say).
    pub degraded: bool,
    /// `x-mcp-enabled: false`, and where.
    pub disabled: Option<Place>,
    /// `x-mcp-safe`.
    pub safe: bool,
    /// Transforms, the format of responses, tier and whether a client has to authenticate.
    pub mcp: McpExtensions,
    /// Where it is declared.
    pub kind: OperationKind,
    /// The path item after overlays.
    pub item: Node,
    /// The references that it rests on: the file in which each stands, and its text.
    pub depends: Arc<[(FileId, Arc<str>)]>,
}

impl Operation {
    /// The output schema that clients may be told: none where a response transform makes something else of the body, or
    /// where the body is not given as JSON.
    pub fn told_output(&self) -> Option<&Node> {
        use crate::document::ResponseFormat::{Auto, Json};
        let as_json = self.mcp.response_format.as_ref().is_none_or(|format| matches!(format.value, Json | Auto));
        self.output_schema.as_ref().filter(|_| as_json && self.mcp.response_transform.is_none())
    }
}

/// Why a tool is not exposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum HiddenBy {
    /// `x-mcp-enabled: false`.
    #[serde(rename = "x-mcp-enabled")]
    Extension,
    /// HEAD, OPTIONS, TRACE, webhooks, callbacks.
    #[serde(rename = "method")]
    Method,
    /// A filter of the workspace.
    #[serde(rename = "filter")]
    Filter,
    /// Another tool has the name.
    #[serde(rename = "conflict")]
    Conflict,
    /// It cannot be derived, or the profile refuses its name.
    #[serde(rename = "invalid")]
    Invalid,
}

/// Why and where a tool was hidden.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    /// Which rule.
    pub by: HiddenBy,
    /// In words, with `file:line`.
    pub why: String,
    /// What to edit to show it.
    pub place: Option<Place>,
}

/// One row of the catalog.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Index into [`Catalog::upstreams`].
    pub upstream: usize,
    /// Its name and why.
    pub named: Named,
    /// What the operation gives.
    pub operation: Arc<Operation>,
    /// Set when it is not exposed.
    pub hidden: Option<Hidden>,
    /// Index into [`Catalog::conflicts`].
    pub conflict: Option<usize>,
    /// All findings of this tool: of its operation and of its name.
    pub findings: Vec<Finding>,
    /// Overlay actions that changed something that the tool is made of.
    pub touched_by: Vec<Touched>,
}

/// An overlay action, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Touched {
    /// The overlay.
    pub file: FileId,
    /// Index of the action, from 0.
    pub action: u16,
}

impl Tool {
    /// Where the name's source stands: the override, the operationId, else the method in the path item.
    pub fn name_place(&self) -> &Place {
        use crate::naming::NameSource;
        let operation = &*self.operation;
        let of_source = match self.named.source {
            NameSource::Override => operation.name_override_place.as_ref(),
            NameSource::OperationId => operation.operation_id_place.as_ref(),
            NameSource::Slug => None,
        };
        of_source.unwrap_or(&operation.place)
    }

    /// Identity over reloads and renames: upstream, method, path.
    pub fn id(&self) -> (usize, &str, &str) {
        (self.upstream, &self.operation.method, &self.operation.path)
    }
}

/// Two or more tools with one name, or two upstreams with one prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The name or prefix.
    pub name: String,
    /// What is claimed twice.
    pub kind: ConflictKind,
    /// How it came about.
    pub made_by: MadeBy,
    /// What was done.
    pub policy: CollisionPolicy,
    /// The claimants, in document order.
    pub tools: Vec<Claimant>,
}

/// What is claimed twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ConflictKind {
    /// A tool's name.
    Name,
    /// An upstream's prefix.
    Prefix,
}

/// A tool that claims a name. For a prefix: the upstream, with method and path empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claimant {
    /// Name of the upstream.
    pub upstream: String,
    /// Upper-case method.
    pub method: String,
    /// Path template.
    pub path: String,
}

/// One API behind the tools.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// Its name in the workspace, else the file's stem.
    pub name: String,
    /// The prefix of its tools.
    pub prefix: Option<String>,
    /// `info.title`.
    pub title: String,
    /// The document's version field, such as `3.1.0`.
    pub version: String,
    /// `--base-url` or the workspace's, else the first server.
    pub base_url: Option<String>,
    /// Its documents after overlays.
    pub documents: Arc<DocumentSet>,
}

/// All tools of all upstreams, in document order. The only truth that lists, screens and servers read.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The files, to turn places into lines.
    pub sources: Arc<Sources>,
    /// The APIs, in the order given.
    pub upstreams: Vec<Upstream>,
    /// Exposed tools; under the policy `error` all claimants of a name are among them.
    pub tools: Vec<Arc<Tool>>,
    /// Operations that are not exposed, each with the reason.
    pub hidden: Vec<Arc<Tool>>,
    /// Names and prefixes claimed twice.
    pub conflicts: Vec<Conflict>,
    /// All findings: of files, overlays, upstreams and tools.
    pub findings: Vec<Finding>,
    /// What the overlays changed.
    pub touches: Vec<Touch>,
    /// How the descriptions were made.
    pub description_rules: DescriptionRules,
    /// How arguments are called.
    pub argument_names: ArgumentNames,
}

impl Catalog {
    /// The exposed tool of that name; among claimants of one name the first in document order.
    pub fn find(&self, name: &str) -> Option<&Arc<Tool>> {
        self.tools.iter().find(|tool| tool.named.name == name)
    }

    /// The tool that a person means by its name, its operationId, or `METHOD /path`; exposed ones first.
    pub fn lookup(&self, wanted: &str) -> Option<&Arc<Tool>> {
        let wanted = wanted.trim();
        let by_name = self.all().find(|tool| tool.named.name == wanted);
        let by_id = || self.all().find(|tool| tool.operation.operation_id.as_deref() == Some(wanted));
        let by_operation = || {
            let (method, path) = wanted.split_once(char::is_whitespace)?;
            let is_it = |tool: &&Arc<Tool>| {
                tool.operation.method.eq_ignore_ascii_case(method) && *tool.operation.path == *path.trim_start()
            };
            self.all().find(is_it)
        };
        by_name.or_else(by_id).or_else(by_operation)
    }

    /// Tools, exposed and hidden, in no particular mix: exposed first.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Tool>> {
        self.tools.iter().chain(&self.hidden)
    }
}
