//! The secrets that are planted, and the search for them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A secret.
#[derive(Debug)]
pub(crate) struct Planted {
    /// Where it goes.
    pub(crate) name: &'static str,
    pub(crate) value: &'static str,
    /// Calls take it to the API.
    pub(crate) is_sent: bool,
}

const fn planted(name: &'static str, value: &'static str, is_sent: bool) -> Planted {
    Planted { name, value, is_sent }
}

pub(crate) const PLANTED: [Planted; 24] = [
    planted("bearer", "bearer/Qm7+Zk2=Vt9xW4", true),
    planted("key-header", "keyheader-Hn5tRw8yLp2c", true),
    planted("key-query", "keyquery Jd3/fGs+6uBv9=", true),
    planted("key-cookie", "keycookie-Xe1qMz7oKa4i", true),
    planted("basic", "basic\"Pw:\\8rTy3hNb6vCx", true),
    planted("oauth-secret", "oauth&secret=Lk9jHg7f/Ds5", true),
    planted("oauth-token", "oauthtoken.Zx3cVb6nMq8w", true),
    planted("oauth-refused", "oauthrefused+Er2tYu5iOp7", false),
    planted("static", "static-Wq4eRt6yUi8oPa", true),
    planted("literal", "literal-As2dFg4hJk6lZx", true),
    planted("base-user", "baseuser@Cv3bNm5qWe7r", true),
    planted("inbound", "inbound-Ty1uIo3pAs5dFg", false),
    planted("client", "clienttoken-Gh7jKl9zXc", false),
    planted("document-header", "docheader-Vb2nMq4wEr6t", false),
    planted("document-user", "docuser:Yu8iOp1aSd3f", false),
    planted("document-key", "dockey&Gh5jKl7zXc9v", false),
    planted("document-literal", "docliteral-Bn1mQw3eRt5y", false),
    planted("argument-header", "argheader-Ui7oPa9sDf2g", true),
    planted("argument-format", "argformat-Hj4kLz6xCv8b", true),
    planted("argument-query", "argquery Nm1qWe3r/Ty5u", true),
    planted("argument-body", "argbody\"Io7pAs9d\\Fg2h", true),
    planted("argument-nested", "argnested-Jk4lZx6cVb8n", true),
    planted("cookie-answer", "cookieanswer-Mq1wEr3tYu5", false),
    planted("proxy-user", "proxyuser-Io7pAs9dFg2hJ", false),
];

impl Planted {
    /// The variable that holds it.
    pub(crate) fn variable(&self) -> String {
        format!("PLANTED_{}", self.name.to_ascii_uppercase().replace('-', "_"))
    }
}

pub(crate) fn value(name: &str) -> &'static str {
    PLANTED.iter().find(|planted| planted.name == name).unwrap_or_else(|| panic!("{name}")).value
}

/// As it stands in a URL.
pub(crate) fn encoded(value: &str) -> String {
    utf8_percent_encode(value, NON_ALPHANUMERIC).to_string()
}

/// A secret as texts may hold it.
pub(crate) fn forms(value: &str) -> Vec<String> {
    let in_json = serde_json::to_string(value).unwrap();
    let twice = serde_json::to_string(in_json.trim_matches('"')).unwrap();
    let form: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
    let mut found = vec![
        value.to_owned(),
        in_json[1..in_json.len() - 1].to_owned(),
        twice[1..twice.len() - 1].to_owned(),
        form.clone(),
        encoded(value),
        utf8_percent_encode(value, UNRESERVED).to_string(),
        STANDARD.encode(value),
        STANDARD.encode(format!("me:{value}")),
        STANDARD.encode(format!("me:{form}")),
    ];
    found.sort();
    found.dedup();
    found
}

/// The names of the secrets in a text.
pub(crate) fn leaks(text: &str) -> Vec<&'static str> {
    let holds = |planted: &&Planted| forms(planted.value).iter().any(|form| text.contains(form.as_str()));
    PLANTED.iter().filter(holds).map(|planted| planted.name).collect()
}
