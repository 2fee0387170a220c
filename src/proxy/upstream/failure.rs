//! Why there is no response, in one plain sentence.

use std::error::Error;
use std::time::Duration;

use crate::proxy::units::shown;

/// What kind of failure a call ended with; decides exit codes and colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The arguments do not fit; nothing was sent.
    Arguments,
    /// A credential is missing or was refused.
    Authentication,
    /// There was no connection, or it broke.
    Unreachable,
    /// There was no answer in time.
    TimedOut,
    /// The API answered with an error, or with something that cannot be used.
    Tool,
    /// The caller gave up.
    Cancelled,
    /// A defect of this program.
    Internal,
}

impl FailureKind {
    /// The stable word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Arguments => "arguments",
            Self::Authentication => "authentication",
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed-out",
            Self::Tool => "tool",
            Self::Cancelled => "cancelled",
            Self::Internal => "internal",
        }
    }

    /// The kind of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        use FailureKind::{Arguments, Authentication, Cancelled, Internal, TimedOut, Tool, Unreachable};
        [Arguments, Authentication, Unreachable, TimedOut, Tool, Cancelled, Internal]
            .into_iter()
            .find(|kind| kind.word() == word)
    }
}

/// How far a request came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The host's name has no address.
    Resolve,
    /// There was no connection.
    Connect,
    /// The connection was not made secure.
    Tls,
    /// There was a connection, and no whole answer.
    Answer,
}

/// Why a request has no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SendFailure {
    /// What kind.
    pub kind: FailureKind,
    /// One or two sentences; no secret is in them.
    pub message: String,
    /// How far it came, when it set out.
    pub stage: Option<Stage>,
}

impl SendFailure {
    pub(crate) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), stage: None }
    }

    fn at(self, stage: Stage) -> Self {
        Self { stage: Some(stage), ..self }
    }

    /// No answer within the time that a call has.
    pub(crate) fn timeout(limit: Duration, while_doing: &str) -> Self {
        let message = format!("The API gave no answer within {} seconds ({while_doing}).", limit.as_secs_f64());
        Self::new(FailureKind::TimedOut, message)
    }

    /// The sentence for an error of the client. `to` is `host:port`.
    pub(crate) fn of(error: &reqwest::Error, to: &str, connect_timeout: Duration) -> Self {
        let causes = causes(error);
        let last = causes.last().map(String::as_str).unwrap_or_default();
        let said = |part: &str| causes.iter().any(|cause| cause.to_ascii_lowercase().contains(part));
        let unreachable = |message: String| Self::new(FailureKind::Unreachable, message);
        if error.is_timeout() && error.is_connect() {
            let message = format!("{to} accepted no connection within {}.", shown(connect_timeout));
            return Self::new(FailureKind::TimedOut, message).at(Stage::Connect);
        }
        // A connection that is not made yet has got no further than its handshake.
        let broken = if error.is_connect() { Stage::Tls } else { Stage::Answer };
        match io_kind(error) {
            Some(std::io::ErrorKind::ConnectionRefused) => {
                return unreachable(format!(
                    "{to} refused the connection. Nothing listens there; check the base URL and that the API runs."
                ))
                .at(Stage::Connect);
            }
            Some(std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::BrokenPipe) => {
                return unreachable(format!("{to} broke the connection before it had answered.")).at(broken);
            }
            _ => {}
        }
        if said("dns error") || said("failed to lookup") {
            return unreachable(format!("The name of {to} cannot be resolved ({last}). Check the base URL."))
                .at(Stage::Resolve);
        }
        if said("certificate") || said("tls") || said("corrupt message") || said("handshake") {
            return unreachable(format!(
                "There is no secure connection to {to}: {last}. A certificate of your own goes into `connection.ca_file`."
            ))
            .at(Stage::Tls);
        }
        if said("closed before message completed") || said("unexpected eof") || said("connection closed") {
            return unreachable(format!("{to} closed the connection before it had answered.")).at(broken);
        }
        if error.is_builder() {
            return Self::new(FailureKind::Tool, format!("The request cannot be sent: {last}."));
        }
        unreachable(format!("The request to {to} failed: {last}.")).at(if error.is_connect() {
            Stage::Connect
        } else {
            Stage::Answer
        })
    }

    /// A body that broke off.
    pub(crate) fn of_body(error: &reqwest::Error, status: u16, got: &[u8]) -> Self {
        let causes = causes(error);
        let last = causes.last().map(String::as_str).unwrap_or_default();
        let why = if error.is_decode() && !is_of_connection(error) {
            format!("the body is compressed, and incomplete or damaged ({last})")
        } else {
            format!("the body broke off after {} bytes ({last})", got.len())
        };
        let mut message = format!("HTTP {status}: {why}.");
        let begin = String::from_utf8_lossy(got.get(..got.len().min(2000)).unwrap_or_default());
        if !begin.trim().is_empty() {
            message.push_str(&format!(" It begins with:\n{begin}"));
        }
        Self::new(FailureKind::Unreachable, message)
    }
}

/// The messages of an error and of all that caused it, without the URL, which may hold a key.
fn causes(error: &reqwest::Error) -> Vec<String> {
    let mut causes = Vec::new();
    let mut below: Option<&(dyn Error + 'static)> = error.source();
    while let Some(cause) = below {
        causes.push(cause.to_string());
        below = cause.source();
    }
    if causes.is_empty() {
        let url = error.url().map(ToString::to_string).unwrap_or_default();
        let text = error.to_string();
        causes.push(if url.is_empty() { text } else { text.replace(&url, "…") });
    }
    causes
}

/// Is it the connection that broke, and not what came over it?
fn is_of_connection(error: &reqwest::Error) -> bool {
    let mut below: Option<&(dyn Error + 'static)> = error.source();
    while let Some(cause) = below {
        if cause.is::<hyper::Error>() {
            return true;
        }
        below = cause.source();
    }
    false
}

fn io_kind(error: &reqwest::Error) -> Option<std::io::ErrorKind> {
    let mut below: Option<&(dyn Error + 'static)> = error.source();
    let mut found = None;
    while let Some(cause) = below {
        if let Some(io) = cause.downcast_ref::<std::io::Error>() {
            found = Some(io.kind());
        }
        below = cause.source();
    }
    found
}
