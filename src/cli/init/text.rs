//! The text of the workspace file.

use std::fmt::Write as _;

use super::auth::{Way, ways};
use super::servers::{Server, servers};
use crate::cli::list::plural;
use crate::cli::output::harmless;
use crate::derive::Catalog;
use crate::document::Node;
use crate::workspace::HeaderArg;

/// As many other servers become environments.
const ENVIRONMENTS: usize = 6;
/// The longest name that most clients and providers take.
const LONGEST_NAME: usize = 64;

/// The whole file for a document that was loaded without settings.
pub(super) fn sketch(catalog: &Catalog, source: &str, prefix: Option<&str>, headers: &[HeaderArg]) -> String {
    let Some(upstream) = catalog.upstreams.first() else { return String::new() };
    let root = &upstream.documents.main.root;
    let name = slug(&upstream.title, '-').unwrap_or_else(|| "api".to_owned());
    let stem = slug(&upstream.title, '_').unwrap_or_else(|| "api".to_owned()).to_uppercase();
    let operations: Vec<&Node> = catalog.tools.iter().map(|tool| &tool.operation.node).collect();
    let (servers, ways) = (servers(root), ways(root, &operations, &stem));
    let mut text = head(catalog);
    let title = comment(&format!("{} ({})", upstream.title, plural(catalog.tools.len(), "tool")), 100);
    let _ = write!(text, "upstreams:\n  # {title}\n  - name: {}\n", scalar(&name));
    match prefix {
        Some(prefix) => drop(writeln!(text, "    tool_prefix: {}", scalar(prefix))),
        None => {
            let _ = writeln!(text, "    # Stands before every name; with a second API each needs its own.");
            let _ =
                writeln!(text, "    # tool_prefix: {}", slug(&upstream.title, '_').unwrap_or_else(|| "api".to_owned()));
        }
    }
    let _ = writeln!(text, "    openapi:\n      source: {}", scalar(source));
    // The file has a place for one header of the document, and no place for secrets.
    let of_document = headers.iter().find(|header| header.name.eq_ignore_ascii_case("authorization"));
    if let Some(header) = of_document {
        let _ = writeln!(text, "      auth_header: {}", scalar(&header.value));
    }
    let _ = writeln!(
        text,
        "    # Overlays, in order. `toolscope overlay add names.overlay.yaml rename TOOL NAME` starts one."
    );
    let _ = writeln!(text, "    overlays: []");
    where_it_runs(&mut text, &servers);
    who_calls(&mut text, &ways);
    let _ = writeln!(text, "    # timeout: 30s\n    # max_response_body: 10MB");
    environments(&mut text, &servers);
    text
}

fn head(catalog: &Catalog) -> String {
    let claimed = catalog.conflicts.len();
    let long = catalog.tools.iter().filter(|tool| tool.named.name.chars().count() > LONGEST_NAME).count();
    let mut text = String::from(
        "# Which APIs toolscope shows in this folder, under which names, and for whom. `toolscope` opens it,\n\
         # `toolscope check` checks it. A secret is always a reference: env:NAME, ${NAME} or file:PATH.\n\n\
         # How tools get their names; `toolscope profiles` lists the ways.\nprofile: default\n\n\
         # The clients and model providers that the tools are for; `toolscope targets` lists them. With a server's name, as\n\
         # in claude-code:shop, names are checked as that client shows them.\ntargets: [safe-everywhere]\n\n\
         naming:\n  # Between prefix and name.\n  separator: \"__\"\n",
    );
    let told = match long {
        0 => String::new(),
        1 => " (1 name here is longer)".to_owned(),
        _ => format!(" ({long} of the names here are longer)"),
    };
    let _ = writeln!(text, "  # Longest name, 0 for no limit; {LONGEST_NAME} is what most clients take{told}.");
    let _ = writeln!(text, "  max_length: {LONGEST_NAME}");
    if claimed > 0 {
        let _ = writeln!(
            text,
            "  # {} claimed twice. suffix numbers them; error leaves them to you.",
            plural(claimed, "name")
        );
    } else {
        let _ = writeln!(text, "  # When two tools claim one name: error, first_wins, skip, suffix or hash.");
    }
    let _ = writeln!(text, "  conflict_resolution: error");
    let _ = writeln!(
        text,
        "  # How much of a description a model reads, 0 for all of it.\n  # description_max_length: 1024\n"
    );
    text
}

fn where_it_runs(text: &mut String, servers: &[Server]) {
    match servers.first() {
        Some(first) if first.is_whole() => {
            let _ = writeln!(text, "    # Where it runs, when that is not the first server of the document.");
            let _ = writeln!(text, "    # base_url: {}", scalar(&first.url));
        }
        Some(first) => {
            let _ = writeln!(text, "    # Where it runs: the document says only `{}`.", comment(&first.url, 80));
            let _ = writeln!(text, "    # base_url: https://api.example.com");
        }
        None => {
            let _ = writeln!(text, "    # Where it runs: the document does not say, and calls need it.");
            let _ = writeln!(text, "    # base_url: https://api.example.com");
        }
    }
}

fn who_calls(text: &mut String, ways: &[Way]) {
    let Some((first, others)) = ways.split_first() else {
        let _ =
            writeln!(text, "    # The document asks for no credentials. If the API does: bearer, api_key, basic or");
        let _ = writeln!(text, "    # oauth2_client_credentials.");
        let _ = writeln!(text, "    # outbound_auth: {{strategy: bearer, bearer: {{token_env: API_TOKEN}}}}");
        return;
    };
    let needs = match first.variables.as_slice() {
        [] => String::new(),
        variables => format!("; set {}", variables.join(" and ")),
    };
    let _ = writeln!(text, "    # `{}` of the document{needs}.", comment(&first.scheme, 60));
    remarks(text, first);
    for line in &first.lines {
        let _ = writeln!(text, "    {line}");
    }
    for way in others {
        let _ = writeln!(text, "    # Or `{}`:", comment(&way.scheme, 60));
        remarks(text, way);
        for line in &way.lines {
            let _ = writeln!(text, "    #   {line}");
        }
    }
}

fn remarks(text: &mut String, way: &Way) {
    for remark in &way.remarks {
        let _ = writeln!(text, "    # {remark}");
    }
}

fn environments(text: &mut String, servers: &[Server]) {
    let others: Vec<(usize, &Server)> =
        servers.iter().enumerate().skip(1).filter(|(_, server)| server.is_whole()).take(ENVIRONMENTS).collect();
    if others.is_empty() {
        let _ = writeln!(
            text,
            "\n# Other places where the same API runs, for `toolscope call --env staging`.\n# environments:\n\
             #   - {{name: staging, base_url: 'https://staging.example.com'}}"
        );
        return;
    }
    let _ = writeln!(text, "\n# The other servers of the document, for `toolscope call --env NAME`.\nenvironments:");
    let mut taken: Vec<String> = Vec::new();
    for (at, server) in others {
        let mut name = server.environment(at);
        if taken.contains(&name) {
            name = format!("server-{}", at + 1);
        }
        if !server.description.is_empty() {
            let _ = writeln!(text, "  # {}", comment(&server.description, 110));
        }
        let _ = writeln!(text, "  - {{name: {name}, base_url: {}}}", scalar(&server.url));
        taken.push(name);
    }
}

/// Text for one line of a comment.
pub(super) fn comment(text: &str, most: usize) -> String {
    let line = harmless(text.trim()).into_owned();
    match line.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// A text as YAML: plain where that is safe, else quoted.
pub(super) fn scalar(text: &str) -> String {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '.');
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let word = text.to_ascii_lowercase();
    let is_other = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", ".", "..", ".nan", ".inf"]
        .contains(&word.as_str());
    if starts && text.chars().all(plain) && !is_other {
        return text.to_owned();
    }
    // A JSON string is a double-quoted scalar of YAML.
    serde_json::to_string(text).unwrap_or_default()
}

/// Letters and digits, and a separator for everything between; `None` when nothing is left.
fn slug(text: &str, separator: char) -> Option<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).take(4).collect();
    let joined = words.join(&separator.to_string());
    joined.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_scalars() {
        let cases = [
            ("Pet Store API – v2", Some("pet-store-api-v2")),
            ("  ", None),
            ("日本", None),
            ("1Password Connect", None),
            ("A very long title of an API", Some("a-very-long-title")),
        ];
        for (title, expected) in cases {
            assert_eq!(slug(title, '-').as_deref(), expected, "{title}");
        }
        let cases = [
            ("openapi.yaml", "openapi.yaml"),
            ("../a/b-c.json", "../a/b-c.json"),
            ("https://h/a?x=1#y", "\"https://h/a?x=1#y\""),
            ("no", "\"no\""),
            ("1.0", "\"1.0\""),
            ("a: b", "\"a: b\""),
            ("a\nb", "\"a\\nb\""),
            ("", "\"\""),
        ];
        for (text, expected) in cases {
            assert_eq!(scalar(text), expected);
        }
        assert_eq!(comment("a\nb", 10), "a\\nb");
        assert_eq!(comment("abcdef", 3), "abc…");
    }
}
