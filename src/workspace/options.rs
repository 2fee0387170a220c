//! What a command line may say about the workspace, as plain values.

use std::path::PathBuf;

/// The options that every command takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `SPEC…` and `P=SPEC…`.
    pub specs: Vec<SpecArg>,
    /// `--overlay FILE` and `--overlay NAME=FILE`, in order.
    pub overlays: Vec<OverlayArg>,
    /// `--config FILE`.
    pub config: Option<PathBuf>,
    /// `--prefix P`.
    pub prefix: Option<String>,
    /// `--base-url URL`.
    pub base_url: Option<String>,
    /// `--profile NAME`.
    pub profile: Option<String>,
    /// `--demo`.
    pub demo: bool,
    /// `--target NAME[:server-name]`.
    pub targets: Vec<String>,
    /// `--set key=value`.
    pub settings: Vec<SettingArg>,
    /// `--header 'Name: REFERENCE'`, sent when documents are read from URLs.
    pub headers: Vec<HeaderArg>,
    /// `--ref-root DIR`.
    pub ref_root: Option<PathBuf>,
    /// The folder with the user's own `profiles` and `targets`, such as `~/.config/toolscope`.
    pub user_folder: Option<PathBuf>,
}

/// A document: a path, a URL or `-`, with or without a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecArg {
    /// The part before `=`.
    pub prefix: Option<String>,
    /// The document.
    pub location: String,
}

/// An overlay, for every upstream or for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayArg {
    /// The part before `=`: an upstream's name or prefix.
    pub upstream: Option<String>,
    /// The overlay: a path, a URL or `-`.
    pub location: String,
}

/// One workspace key, dotted, and its value as YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingArg {
    /// Steps to the key.
    pub path: Vec<String>,
    /// The value as written.
    pub value: String,
}

/// A request header whose value is a secret reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderArg {
    /// Its name.
    pub name: String,
    /// Its value as written.
    pub value: String,
}

/// Splits `NAME=REST`. A URL with `=` in its query and a path with a folder before `=` are no such pair.
fn split_name(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, rest)) if is_name(name) && !rest.is_empty() => (Some(name), rest),
        _ => (None, text),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

impl SpecArg {
    /// Reads `SPEC` or `P=SPEC`, where `P` is made of ASCII letters, digits, `_` and `-`.
    pub fn parse(text: &str) -> Self {
        let (prefix, location) = split_name(text);
        Self { prefix: prefix.map(str::to_owned), location: location.to_owned() }
    }
}

impl OverlayArg {
    /// Reads `FILE` or `NAME=FILE`.
    pub fn parse(text: &str) -> Self {
        let (upstream, location) = split_name(text);
        Self { upstream: upstream.map(str::to_owned), location: location.to_owned() }
    }
}

impl SettingArg {
    /// Reads `key.key=value`.
    ///
    /// # Errors
    /// There is no `=`, or a step of the key is empty.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (key, value) =
            text.split_once('=').ok_or_else(|| "write it as KEY=VALUE, such as naming.max_length=64".to_owned())?;
        let path: Vec<String> = key.split('.').map(|step| step.trim().to_owned()).collect();
        if path.iter().any(String::is_empty) {
            return Err(format!("`{key}` is no key; write the steps with dots, such as naming.max_length"));
        }
        Ok(Self { path, value: value.to_owned() })
    }
}

impl HeaderArg {
    /// Reads `Name: value`.
    ///
    /// # Errors
    /// There is no `:` or the name is no header name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let hint = "write it as 'Name: env:VARIABLE'";
        let (name, value) = text.split_once(':').ok_or_else(|| hint.to_owned())?;
        let name = name.trim();
        reqwest::header::HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| format!("`{name}` is no header name; {hint}"))?;
        Ok(Self { name: name.to_owned(), value: value.trim().to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_told_from_a_query() {
        let cases = [
            ("api.yaml", (None, "api.yaml")),
            ("shop=api.yaml", (Some("shop"), "api.yaml")),
            ("shop-2_b=https://h/a?x=1", (Some("shop-2_b"), "https://h/a?x=1")),
            ("https://h/a?x=1", (None, "https://h/a?x=1")),
            ("./a=b.yaml", (None, "./a=b.yaml")),
            ("dir/a=b.yaml", (None, "dir/a=b.yaml")),
            ("shop=-", (Some("shop"), "-")),
            ("-", (None, "-")),
            ("shop=", (None, "shop=")),
            ("=api.yaml", (None, "=api.yaml")),
            ("a.b=c.yaml", (None, "a.b=c.yaml")),
            ("é=c.yaml", (None, "é=c.yaml")),
        ];
        for (text, (prefix, location)) in cases {
            let spec = SpecArg::parse(text);
            assert_eq!((spec.prefix.as_deref(), spec.location.as_str()), (prefix, location), "{text}");
            let overlay = OverlayArg::parse(text);
            assert_eq!((overlay.upstream.as_deref(), overlay.location.as_str()), (prefix, location), "{text}");
        }
    }

    #[test]
    fn settings_and_headers_are_read_or_refused() {
        let setting = SettingArg::parse("naming.separator==");
        assert_eq!(setting.map(|s| (s.path.join("/"), s.value)), Ok(("naming/separator".to_owned(), "=".to_owned())));
        for wrong in ["naming", "a..b=1", ".a=1", "=1"] {
            assert!(SettingArg::parse(wrong).is_err(), "{wrong}");
        }
        let header = HeaderArg::parse("Authorization: Bearer env:TOKEN");
        assert_eq!(header.map(|h| (h.name, h.value)), Ok(("Authorization".to_owned(), "Bearer env:TOKEN".to_owned())));
        for wrong in ["Authorization", ": x", "a b: x"] {
            assert!(HeaderArg::parse(wrong).is_err(), "{wrong}");
        }
    }
}
