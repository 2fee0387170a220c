//! Where requests go: the base URL, joined with a path and never resolved against it.

use url::Url;

use crate::document::{is_secret_key, mask_url};

use super::problem::ArgumentProblem;

/// A base URL, taken apart.
#[derive(Debug)]
pub(crate) struct Base {
    /// Scheme, host and base path, without a slash at the end.
    pub(crate) prefix: String,
    /// The query of the base URL, which every request keeps.
    pub(crate) query: Option<String>,
}

/// Reads a base URL. One that is relative (`/v1`) is resolved against the address of the document.
///
/// # Errors
/// It is empty and there is no document address, is no `http` or `https` URL, or has variables left.
pub(crate) fn base(text: &str, document: Option<&str>) -> Result<Base, ArgumentProblem> {
    let text = text.trim();
    let fail = |message: String| ArgumentProblem::call("base-url", message);
    let given = text;
    // It is repeated in what is said of it, and may hold a password.
    let text = mask_url(given, &is_secret_key);
    if let Some((_, rest)) = given.split_once('{') {
        let name = rest.split('}').next().unwrap_or(rest);
        return Err(fail(format!("the base URL `{text}` has the variable `{name}` without a value; give a base URL")));
    }
    let url = match (Url::parse(given), document.map(Url::parse)) {
        (Ok(url), _) => url,
        (Err(url::ParseError::RelativeUrlWithoutBase), Some(Ok(document))) if is_web(&document) => {
            let resolved = document.join(given);
            resolved.map_err(|error| fail(format!("the base URL `{text}` cannot be read: {error}")))?
        }
        (Err(url::ParseError::RelativeUrlWithoutBase), _) if text.is_empty() => {
            return Err(fail("no server is known for this tool; give a base URL".to_owned()));
        }
        (Err(url::ParseError::RelativeUrlWithoutBase), _) => {
            return Err(fail(format!(
                "the server `{text}` is relative and the document was not read from the web; give a base URL with a host"
            )));
        }
        (Err(error), _) => return Err(fail(format!("the base URL `{text}` cannot be read: {error}"))),
    };
    if !is_web(&url) {
        return Err(fail(format!("the base URL `{text}` is neither http nor https")));
    }
    let query = url.query().filter(|query| !query.is_empty()).map(str::to_owned);
    let mut bare = url;
    bare.set_query(None);
    bare.set_fragment(None);
    Ok(Base { prefix: bare.as_str().trim_end_matches('/').to_owned(), query })
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]
    use super::base;

    #[test]
    fn base_urls() {
        let spec = Some("https://example.com/specs/api.yaml");
        let cases = [
            ("https://api.example.com", None, Ok("https://api.example.com")),
            ("https://api.example.com/v1/", None, Ok("https://api.example.com/v1")),
            ("/myapp", spec, Ok("https://example.com/myapp")),
            ("v1", spec, Ok("https://example.com/specs/v1")),
            ("/", spec, Ok("https://example.com")),
            ("//other.org/x", spec, Ok("https://other.org/x")),
            ("/myapp", None, Err("give a base URL")),
            ("/myapp", Some("file:///api.yaml"), Err("give a base URL")),
            ("", None, Err("no server")),
            ("https://{host}/v1", None, Err("variable `host`")),
            ("ftp://x/y", None, Err("neither http nor https")),
            ("http://", None, Err("cannot be read")),
        ];
        for (text, document, expected) in cases {
            match (base(text, document), expected) {
                (Ok(base), Ok(expected)) => assert_eq!(base.prefix, expected, "{text}"),
                (Err(problem), Err(part)) => assert!(problem.message.contains(part), "{text}: {}", problem.message),
                (given, expected) => panic!("{text}: {given:?}, expected {expected:?}"),
            }
        }
    }
}
