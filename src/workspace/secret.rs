//! References to secrets, and to anything else that the environment supplies: kept as written, resolved at use.

use std::fmt;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};

/// What a reference is resolved against.
pub trait Env {
    /// The value of an environment variable.
    fn variable(&self, name: &str) -> Option<String>;

    /// The text of a file that holds a secret.
    ///
    /// # Errors
    /// The file cannot be read.
    fn file(&self, path: &Path) -> std::io::Result<String>;
}

/// The environment of this process and its files.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessEnv;

impl Env for ProcessEnv {
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn file(&self, path: &Path) -> std::io::Result<String> {
        std::fs::read_to_string(path)
    }
}

/// A text that may refer to the environment: `env:NAME`, `file:PATH`, or `${NAME}` anywhere in it.
///
/// A scheme word may stand before a reference, as in `Bearer env:TOKEN`. Only what was written is kept; a text
/// without any reference is a literal and is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretRef {
    parts: Vec<Part>,
}

#[derive(Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Variable { name: String, braces: bool },
    File { path: PathBuf, written: String },
}

/// Why a reference has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// The variable is not set.
    #[error("the environment variable {name} is not set")]
    Unset {
        /// Its name.
        name: String,
    },
    /// The file cannot be read.
    #[error("the file {path} that holds a secret cannot be read: {why}")]
    File {
        /// Its path.
        path: String,
        /// Why.
        why: String,
    },
}

impl SecretRef {
    /// Reads a reference; a relative `file:` path is taken from `folder`. Every text is accepted:
    /// [`Self::is_literal`] tells whether it refers to anything.
    pub fn parse(text: &str, folder: &Path) -> Self {
        let (scheme, rest) = match text.split_once(' ') {
            Some((scheme, rest)) if is_word(scheme) => (scheme, rest.trim_start()),
            _ => ("", text),
        };
        let whole = if let Some(name) = rest.strip_prefix("env:").filter(|name| is_variable(name)) {
            Some(Part::Variable { name: name.to_owned(), braces: false })
        } else {
            rest.strip_prefix("file:")
                .filter(|path| !path.is_empty())
                .map(|path| Part::File { path: folder.join(path), written: path.to_owned() })
        };
        let parts = match whole {
            Some(part) if scheme.is_empty() => vec![part],
            Some(part) => vec![Part::Text(format!("{scheme} ")), part],
            None => split_braces(text),
        };
        Self { parts }
    }

    /// A reference to one environment variable.
    pub fn variable(name: &str) -> Self {
        Self { parts: vec![Part::Variable { name: name.to_owned(), braces: false }] }
    }

    /// This reference after a fixed text, such as `Bearer `.
    pub fn with_scheme(mut self, scheme: &str) -> Self {
        if !scheme.is_empty() {
            self.parts.insert(0, Part::Text(scheme.to_owned()));
        }
        self
    }

    /// Refers to nothing: the value itself was written down.
    pub fn is_literal(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Text(_)))
    }

    /// Nothing was written.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Text(text) if text.trim().is_empty()))
    }

    /// The value.
    ///
    /// # Errors
    /// A variable is not set or a file cannot be read.
    pub fn resolve(&self, env: &dyn Env) -> Result<SecretString, SecretError> {
        let mut value = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => value.push_str(text),
                Part::Variable { name, .. } => {
                    value.push_str(&env.variable(name).ok_or_else(|| SecretError::Unset { name: name.clone() })?);
                }
                Part::File { path, .. } => {
                    let text = env.file(path).map_err(|error| SecretError::File {
                        path: path.display().to_string(),
                        why: error.to_string(),
                    })?;
                    value.push_str(text.trim_end_matches(['\r', '\n']));
                }
            }
        }
        Ok(SecretString::from(value))
    }

    /// The value of something that is no secret, such as a path with a variable in it.
    ///
    /// # Errors
    /// As [`Self::resolve`].
    pub fn resolve_public(&self, env: &dyn Env) -> Result<String, SecretError> {
        self.resolve(env).map(|value| value.expose_secret().to_owned())
    }
}

/// References as written; literal text is shown as `[REDACTED]` (a scheme word before a reference is kept).
impl fmt::Display for SecretRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let literal = self.is_literal();
        for part in &self.parts {
            match part {
                Part::Text(text) if !literal && is_word(text.trim_end()) && text.ends_with(' ') => f.write_str(text)?,
                Part::Text(text) if text.is_empty() => {}
                Part::Text(_) => f.write_str("[REDACTED]")?,
                Part::Variable { name, braces: true } => write!(f, "${{{name}}}")?,
                Part::Variable { name, braces: false } => write!(f, "env:{name}")?,
                Part::File { written, .. } => write!(f, "file:{written}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for SecretRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretRef({self})")
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Splits at every `${NAME}`; what only looks like one stays text.
fn split_braces(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        plain.push_str(before);
        match after.split_once('}') {
            Some((name, behind)) if is_variable(name) => {
                if !plain.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                }
                parts.push(Part::Variable { name: name.to_owned(), braces: true });
                rest = behind;
            }
            _ => {
                plain.push_str("${");
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() || parts.is_empty() {
        parts.push(Part::Text(plain));
    }
    parts
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    struct Fixed;

    impl Env for Fixed {
        fn variable(&self, name: &str) -> Option<String> {
            (name == "TOKEN").then(|| "s3cret".to_owned())
        }

        fn file(&self, path: &Path) -> std::io::Result<String> {
            if path == Path::new("/conf/key.txt") {
                Ok("from-file\r\n".to_owned())
            } else {
                Err(std::io::ErrorKind::NotFound.into())
            }
        }
    }

    #[test]
    fn references_are_read_resolved_and_shown() {
        // written, literal?, value (or what the error names), shown
        let cases = [
            ("env:TOKEN", false, Ok("s3cret"), "env:TOKEN"),
            ("${TOKEN}", false, Ok("s3cret"), "${TOKEN}"),
            ("Bearer ${TOKEN}", false, Ok("Bearer s3cret"), "Bearer ${TOKEN}"),
            ("Bearer env:TOKEN", false, Ok("Bearer s3cret"), "Bearer env:TOKEN"),
            ("file:key.txt", false, Ok("from-file"), "file:key.txt"),
            ("Token file:/conf/key.txt", false, Ok("Token from-file"), "Token file:/conf/key.txt"),
            ("p-${TOKEN}-s", false, Ok("p-s3cret-s"), "[REDACTED]${TOKEN}[REDACTED]"),
            ("hunter2", true, Ok("hunter2"), "[REDACTED]"),
            ("Bearer hunter2", true, Ok("Bearer hunter2"), "[REDACTED]"),
            ("${not closed", true, Ok("${not closed"), "[REDACTED]"),
            ("${9}", true, Ok("${9}"), "[REDACTED]"),
            ("env:", true, Ok("env:"), "[REDACTED]"),
            ("env:MISSING", false, Err("MISSING"), "env:MISSING"),
            ("file:gone", false, Err("/conf/gone"), "file:gone"),
        ];
        for (written, literal, value, shown) in cases {
            let reference = SecretRef::parse(written, Path::new("/conf"));
            assert_eq!(reference.is_literal(), literal, "{written}");
            assert_eq!(reference.to_string(), shown, "{written}");
            match (reference.resolve(&Fixed), value) {
                (Ok(found), Ok(expected)) => assert_eq!(found.expose_secret(), expected, "{written}"),
                (Err(error), Err(named)) => assert!(error.to_string().contains(named), "{error}"),
                (found, _) => panic!("{written}: {found:?}"),
            }
        }
    }

    #[test]
    fn a_literal_is_never_printed() {
        let reference = SecretRef::parse("hunter2", Path::new(""));
        assert!(!format!("{reference} {reference:?}").contains("hunter2"));
        assert!(!format!("{:?}", reference.resolve(&Fixed).unwrap()).contains("hunter2"));
    }
}
