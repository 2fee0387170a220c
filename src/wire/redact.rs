//! Secrets are left out of everything that is shown, copied or written.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::derive::Tool;
use crate::document::{MASK, Node, is_secret_header, is_secret_key, mask_url, swagger2};

use super::percent::Coding;
use super::request::HttpRequest;

/// Everything but the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Knows which headers and query keys carry secrets.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    names: Vec<String>,
    secrets: Vec<String>,
}

impl Redactor {
    /// Adds the names under which the document's security schemes put their keys (`components.securitySchemes`, or
    /// `securityDefinitions` of Swagger 2.0).
    #[must_use]
    pub fn with_schemes(mut self, document: &Node) -> Self {
        let converted = swagger2::security_schemes(document);
        let schemes = document.get("components").and_then(|it| it.get("securitySchemes")).or(converted.as_ref());
        let keys =
            schemes.into_iter().flat_map(Node::members).filter(|scheme| scheme.value.text("type") == Some("apiKey"));
        self.names.extend(keys.filter_map(|scheme| scheme.value.text("name")).map(str::to_ascii_lowercase));
        self
    }

    /// Adds a name of a header, a cookie or a query key.
    #[must_use]
    pub fn with_name(mut self, name: &str) -> Self {
        self.names.push(name.to_ascii_lowercase());
        self
    }

    /// Adds a secret itself: it is masked wherever [`Redactor::text`] meets it, also as URLs and JSON write it. Very short
    /// ones would mask half the page and are not taken.
    #[must_use]
    pub fn with_secret(mut self, secret: &str) -> Self {
        if secret.len() < 4 {
            return self;
        }
        let quoted = |text: &str| {
            let quoted = serde_json::to_string(text).unwrap_or_default();
            quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
        };
        let in_json = quoted(secret);
        // JSON within JSON, as an API that repeats a request writes it.
        let in_json_twice = quoted(&in_json);
        let in_form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let in_url = utf8_percent_encode(secret, ENCODED).to_string();
        for form in [secret.to_owned(), in_json, in_json_twice, in_form, in_url] {
            if !self.secrets.contains(&form) {
                self.secrets.push(form);
            }
        }
        // The longest first: one may be the start of another.
        self.secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        self
    }

    /// The same in every form that the secret has in texts: as it is, within JSON, and in the codings of URLs and forms.
    #[must_use]
    pub fn with_secret_in_all_forms(self, secret: &str) -> Self {
        let in_json = |text: &str| {
            let quoted = serde_json::Value::from(text).to_string();
            quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
        };
        // A text of a result holds a body, which may be JSON itself.
        let (quoted, twice) = (in_json(secret), in_json(&in_json(secret)));
        let codings = [
            Coding::Path { reserved: false },
            Coding::Path { reserved: true },
            Coding::Query { reserved: false },
            Coding::Query { reserved: true },
            Coding::Form,
        ];
        let known = self.with_secret(secret).with_secret(&quoted).with_secret(&twice);
        codings.into_iter().fold(known, |known, coding| known.with_secret(&coding.value(secret)))
    }

    /// No secret itself is known, only names of what holds some.
    pub fn knows_none(&self) -> bool {
        self.secrets.is_empty()
    }

    /// Adds the secrets among the arguments of a call: what goes into headers, cookies and query keys of secret names, members
    /// such as `password`, and what the schema says is one (`format: password`).
    #[must_use]
    pub fn with_arguments(self, tool: &Tool, arguments: &serde_json::Value) -> Self {
        super::secret_arguments::with_arguments(self, tool, arguments)
    }

    /// A header, a cookie or a query key of that name carries a secret.
    pub fn is_secret(&self, name: &str) -> bool {
        is_secret_header(name) || self.is_secret_in(name, is_secret_key)
    }

    fn is_secret_in(&self, name: &str, usual: impl Fn(&str) -> bool) -> bool {
        usual(name) || self.names.contains(&name.to_ascii_lowercase())
    }

    /// The value of a header, masked when it is a secret; `Bearer` and `Basic` stay, and so do the names of cookies.
    pub fn header<'v>(&self, name: &str, value: &'v str) -> Cow<'v, str> {
        if !self.is_secret_in(name, is_secret_header) {
            let looks_like_url = value.starts_with("http://") || value.starts_with("https://") || value.contains('?');
            let shown = if looks_like_url { self.url(value) } else { value.to_owned() };
            return Cow::Owned(self.text(&shown));
        }
        let lower = name.to_ascii_lowercase();
        if lower == "cookie" {
            let pairs = value.split("; ").map(|pair| match pair.split_once('=') {
                Some((name, _)) => format!("{name}={MASK}"),
                None => MASK.to_owned(),
            });
            return pairs.collect::<Vec<_>>().join("; ").into();
        }
        match value.split_once(' ') {
            Some((scheme, _))
                if lower.ends_with("authorization") && scheme.chars().all(|c| c.is_ascii_alphanumeric()) =>
            {
                format!("{scheme} {MASK}").into()
            }
            _ => MASK.into(),
        }
    }

    /// A URL: what stands before the host and the values of secret query keys are masked, nothing else changes.
    pub fn url(&self, url: &str) -> String {
        self.text(&mask_url(url, &|name| self.is_secret_in(name, is_secret_key)))
    }

    /// Any text: the secrets that are known as such are masked.
    pub fn text(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), MASK))
    }

    /// Only what is too long to be met by chance, for what is handed on and not only shown.
    pub fn only_long(&self) -> Self {
        let secrets = self.secrets.iter().filter(|secret| secret.len() >= 8).cloned().collect();
        Self { names: self.names.clone(), secrets }
    }

    /// A text holds a secret that is known as such.
    pub fn meets(&self, text: &str) -> bool {
        self.secrets.iter().any(|secret| text.contains(secret.as_str()))
    }

    /// A request that can be shown. A body that is text has known secrets masked; other bodies stay. The places of
    /// arguments are left out, since the bytes have moved.
    pub fn request(&self, request: &HttpRequest) -> HttpRequest {
        let mut shown = request.clone();
        shown.url = self.url(&request.url);
        for (name, value) in &mut shown.headers {
            *value = self.header(name, value).into_owned();
        }
        if let Some(body) = shown.body.as_mut().filter(|_| !self.secrets.is_empty()) {
            let masked = body.text().map(|text| self.text(text).into_bytes());
            body.bytes = masked.unwrap_or_else(|| std::mem::take(&mut body.bytes));
        }
        shown.parts.clear();
        shown
    }
}
