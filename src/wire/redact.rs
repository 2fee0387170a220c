//! Secrets are left out of everything that is shown, copied or written.

use std::borrow::Cow;

use crate::document::{Node, swagger2};

use super::percent::Coding;
use super::request::HttpRequest;

/// What stands in the place of a secret.
const MASK: &str = "***";

const HEADERS: [&str; 14] = [
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-api-key",
    "api-key",
    "apikey",
    "x-auth-token",
    "x-access-token",
    "x-csrf-token",
    "x-amz-security-token",
    "private-token",
    "ocp-apim-subscription-key",
    "x-goog-api-key",
];

const KEYS: [&str; 16] = [
    "api_key",
    "apikey",
    "api-key",
    "key",
    "token",
    "access_token",
    "auth_token",
    "refresh_token",
    "id_token",
    "client_secret",
    "secret",
    "password",
    "passwd",
    "signature",
    "sig",
    "x-amz-signature",
];

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

    /// Adds a secret itself: it is masked wherever [`Redactor::text`] meets it. Very short ones would mask half the
    /// page and are not taken.
    #[must_use]
    pub fn with_secret(mut self, secret: &str) -> Self {
        if secret.len() >= 4 && !self.secrets.iter().any(|known| known == secret) {
            self.secrets.push(secret.to_owned());
            // The longest first: one may be the start of another.
            self.secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        }
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

    fn is_secret(&self, name: &str, usual: &[&str]) -> bool {
        let name = name.to_ascii_lowercase();
        usual.contains(&name.as_str()) || self.names.contains(&name)
    }

    /// The value of a header, masked when it is a secret; `Bearer` and `Basic` stay, and so do the names of cookies.
    pub fn header<'v>(&self, name: &str, value: &'v str) -> Cow<'v, str> {
        if !self.is_secret(name, &HEADERS) {
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

    /// A URL: the password of its authority and the values of secret query keys are masked, nothing else changes.
    pub fn url(&self, url: &str) -> String {
        let (head, fragment) = match url.split_once('#') {
            Some((head, fragment)) => (head, Some(fragment)),
            None => (url, None),
        };
        let (path, query) = match head.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (head, None),
        };
        let mut out = mask_authority(path);
        if let Some(query) = query {
            out.push('?');
            out.push_str(&self.query(query));
        }
        if let Some(fragment) = fragment {
            out.push('#');
            out.push_str(&self.query(fragment));
        }
        self.text(&out)
    }

    fn query(&self, query: &str) -> String {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _))
                if self.is_secret(&percent_encoding::percent_decode_str(name).decode_utf8_lossy(), &KEYS) =>
            {
                format!("{name}={MASK}")
            }
            _ => pair.to_owned(),
        });
        pairs.collect::<Vec<_>>().join("&")
    }

    /// Any text: the secrets that are known as such are masked.
    pub fn text(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), MASK))
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

fn mask_authority(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{MASK}@{host}{path}"),
        None => url.to_owned(),
    }
}
