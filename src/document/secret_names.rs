//! Names that usually carry secrets, and addresses that can be shown.

/// What stands in the place of a secret.
pub const MASK: &str = "***";

const HEADERS: [&str; 10] = [
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-api-key",
    "api-key",
    "apikey",
    "private-token",
    "ocp-apim-subscription-key",
    "x-goog-api-key",
];
/// A header whose name ends like this is one too, such as `X-Vault-Token`.
const HEADER_ENDS: [&str; 7] =
    ["-token", "-secret", "-password", "-api-key", "-apikey", "-access-key", "-authorization"];

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

/// Members of JSON bodies, form fields and arguments, without signs between their words.
const MEMBERS: [&str; 11] = [
    "password",
    "passwd",
    "secret",
    "clientsecret",
    "token",
    "accesstoken",
    "refreshtoken",
    "idtoken",
    "apikey",
    "privatekey",
    "authorization",
];

/// A header of that name carries a secret.
pub fn is_secret_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    HEADERS.contains(&name.as_str()) || HEADER_ENDS.iter().any(|end| name.ends_with(end))
}

/// A key of that name in the query of a URL carries a secret.
pub fn is_secret_key(name: &str) -> bool {
    KEYS.contains(&name.to_ascii_lowercase().as_str())
}

/// A member of a body or an argument of that name is a secret.
pub fn is_secret_member(name: &str) -> bool {
    let bare: String = name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect();
    // An argument may be a header under a name that every client takes. `page_token` is none.
    let header = name.replace('_', "-").to_ascii_lowercase();
    MEMBERS.contains(&bare.as_str())
        || ((header.starts_with("x-") || header.contains("cookie")) && is_secret_header(&header))
}

/// A URL with user name and password and the values of secret query keys masked; nothing else changes. Other texts stay,
/// but for what stands before an `@` in something that is nearly a URL.
pub fn mask_url(url: &str, is_secret: &dyn Fn(&str) -> bool) -> String {
    let url = mask_authority(url);
    let (head, fragment) = match url.split_once('#') {
        Some((head, fragment)) => (head, Some(fragment)),
        None => (url.as_str(), None),
    };
    let (path, query) = match head.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (head, None),
    };
    let mut out = path.to_owned();
    for (sign, part) in [('?', query), ('#', fragment)] {
        if let Some(part) = part {
            out.push(sign);
            out.push_str(&mask_query(part, is_secret));
        }
    }
    out
}

fn mask_query(query: &str, is_secret: &dyn Fn(&str) -> bool) -> String {
    let name = |name: &str| percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned();
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some((key, _)) if is_secret(&name(key)) => format!("{key}={MASK}"),
        _ => pair.to_owned(),
    });
    pairs.collect::<Vec<_>>().join("&")
}

fn mask_authority(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = |signs: &[char]| rest.find(signs).unwrap_or(rest.len());
    let mut authority = rest.get(..end(&['/', '?', '#'])).unwrap_or(rest);
    if !authority.contains('@') {
        // A password with one of these signs in it makes a port that is none.
        let port = authority.rsplit_once(':').map_or("", |(_, port)| port);
        if !port.chars().all(|c| c.is_ascii_digit() || c == ']') {
            authority = rest.get(..end(&['/'])).unwrap_or(rest);
        }
    }
    match authority.rsplit_once('@') {
        Some((user, _)) => format!("{scheme}://{MASK}{}", rest.get(user.len()..).unwrap_or_default()),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_secrets() {
        let cases = [
            ("https://host/a?b=c", "https://host/a?b=c"),
            ("https://user:pw@host/a?b=c", "https://***@host/a?b=c"),
            ("https://user@host:8443", "https://***@host:8443"),
            ("https://user:p#w?x@host/a", "https://***@host/a"),
            ("https://host?mail=a@b", "https://host?mail=a@b"),
            ("https://[::1]:80?mail=a@b", "https://[::1]:80?mail=a@b"),
            ("https://h/a?Api_Key=x&page=2#token=y", "https://h/a?Api_Key=***&page=2#token=***"),
            ("https://h/a?api%5Fkey=x", "https://h/a?api%5Fkey=***"),
            ("/a?token=x", "/a?token=***"),
            ("a:b@c.yaml", "a:b@c.yaml"),
            ("api.yaml", "api.yaml"),
        ];
        for (url, expected) in cases {
            assert_eq!(mask_url(url, &is_secret_key), expected);
        }
    }

    #[test]
    fn names_tell_secrets() {
        for name in ["Authorization", "X-API-Key", "X-Vault-Token", "x-shopify-access-token", "Set-Cookie"] {
            assert!(is_secret_header(name) && is_secret_member(name), "{name}");
        }
        for name in ["X-Trace", "Token-Count", "Accept", "X-Key-Id"] {
            assert!(!is_secret_header(name) && !is_secret_member(name), "{name}");
        }
        for name in ["password", "clientSecret", "client_secret", "API-KEY", "X_Api_Key", "idToken"] {
            assert!(is_secret_member(name), "{name}");
        }
        for name in ["name", "tokens", "next", "key", "secretary", "page_token", "pageToken"] {
            assert!(!is_secret_member(name), "{name}");
        }
    }
}
