//! Why a command ends early, and with which exit code.

use std::io::Write;

use serde::Serialize;

use super::output::harmless;
use crate::workspace::LoadError;

/// Exit codes. Scripts rely on them.
pub(super) mod exit {
    pub(in super::super) const OK: u8 = 0;
    pub(in super::super) const INTERNAL: u8 = 1;
    pub(in super::super) const USAGE: u8 = 2;
    pub(in super::super) const AUTHENTICATION: u8 = 3;
    pub(in super::super) const UNREACHABLE: u8 = 4;
    pub(in super::super) const TOOL: u8 = 5;
    pub(in super::super) const FINDINGS: u8 = 6;
    pub(in super::super) const INTERRUPTED: u8 = 130;
}

/// Why a command ends early.
#[derive(Debug)]
pub(super) enum Failure {
    /// The workspace cannot be loaded.
    Load(Box<LoadError>),
    /// What was asked for makes no sense.
    Usage { message: String, remedy: Option<String> },
    /// The tools cannot be served as they are: each line is a finding.
    Findings { message: String, lines: Vec<String>, remedy: String },
    /// The program failed, through no fault of what was asked for.
    Internal(String),
    /// The result cannot be written. A closed pipe is no failure at all.
    Output(std::io::Error),
}

impl Failure {
    pub(super) fn usage(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), remedy: Some(remedy.into()) }
    }

    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Self::Load(error) => error.exit_code(),
            Self::Usage { .. } => exit::USAGE,
            Self::Findings { .. } => exit::FINDINGS,
            Self::Internal(_) => exit::INTERNAL,
            Self::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => exit::OK,
            Self::Output(_) => exit::INTERNAL,
        }
    }

    /// Writes it to standard error: as text, or as one line of JSON.
    pub(super) fn report(&self, json: bool, coloured: bool) {
        if matches!(self, Self::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe) {
            return;
        }
        let text = if json { self.json() } else { self.text(coloured) };
        // Nothing is left to be done when standard error is closed.
        let _ = writeln!(std::io::stderr(), "{text}");
    }

    fn text(&self, coloured: bool) -> String {
        match self {
            Self::Load(error) => error.render(coloured),
            Self::Usage { message, remedy } => {
                let error = LoadError::usage(message.clone());
                match remedy {
                    Some(remedy) => error.remedy(remedy.clone()).render(coloured),
                    None => error.render(coloured),
                }
            }
            Self::Findings { message, lines, remedy } => {
                let error = LoadError::usage(format!("{message}\n{}", lines.join("\n")));
                error.remedy(remedy.clone()).render(coloured)
            }
            Self::Internal(message) => format!("error: {message}"),
            Self::Output(error) => format!("error: the result cannot be written: {error}"),
        }
    }

    fn json(&self) -> String {
        let record = match self {
            Self::Load(error) => Record {
                code: error.code(),
                message: &error.message,
                file: error.file.as_deref(),
                line: error.line,
                column: error.column,
                remedy: error.remedy.as_deref(),
            },
            Self::Usage { message, remedy } => Record { remedy: remedy.as_deref(), ..Record::new("usage", message) },
            Self::Findings { message, lines, remedy } => {
                let message = format!("{message}: {}", lines.join("; "));
                return json_line(&Record { remedy: Some(remedy), ..Record::new("findings", &message) });
            }
            Self::Internal(message) => return json_line(&Record::new("internal", message)),
            Self::Output(error) => return json_line(&Record::new("internal", &error.to_string())),
        };
        json_line(&record)
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::Load(Box::new(error))
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

/// The one line of JSON.
#[derive(Serialize)]
pub(super) struct Record<'a> {
    code: &'a str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    remedy: Option<&'a str>,
}

impl<'a> Record<'a> {
    pub(super) fn new(code: &'a str, message: &'a str) -> Self {
        Self { code, message, file: None, line: None, column: None, remedy: None }
    }
}

pub(super) fn json_line(record: &Record<'_>) -> String {
    #[derive(Serialize)]
    struct Envelope<'a> {
        error: &'a Record<'a>,
    }
    // Text and numbers always have a JSON form.
    serde_json::to_string(&Envelope { error: record }).unwrap_or_else(|_| harmless(record.message).into_owned())
}
