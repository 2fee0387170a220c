//! `init`, `completions` and `man`, through the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use support::program::program;

fn run(folder: &Path, args: &[&str]) -> Output {
    program(folder).args(args).output().unwrap()
}

fn ok(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

fn document(head: &str) -> String {
    format!(
        "openapi: 3.1.0\ninfo: {{title: 'The Shop: API', version: '1'}}\n{head}\npaths: {{/a: {{get: {{operationId: a, summary: A, responses: {{'200': {{description: ok}}}}}}}}}}\n"
    )
}

fn scheme(scheme: &str) -> String {
    format!("security: [{{s: []}}]\ncomponents: {{securitySchemes: {{s: {scheme}}}}}")
}

#[test]
fn what_init_writes_loads_without_a_finding_about_itself() {
    let servers = "servers: [{url: 'https://{env}.example.com/v1', variables: {env: {default: api}}}, {url: 'https://sandbox.example.com', description: \"For tests: safe\\n# really\"}, {url: /relative}]";
    // what the document says, what is in the file
    let cases: Vec<(String, &[&str])> = vec![
        (String::new(), &["name: the-shop-api", "# base_url: https://api.example.com", "asks for no credentials"]),
        (
            servers.to_owned(),
            &[
                "# base_url: \"https://api.example.com/v1\"",
                "{name: sandbox, base_url: \"https://sandbox.example.com\"}",
            ],
        ),
        (
            scheme("{type: http, scheme: bearer, description: \"x: y\\n- z\"}"),
            &["bearer: {token_env: THE_SHOP_API_TOKEN}"],
        ),
        (
            scheme("{type: http, scheme: Basic}"),
            &["password_env: THE_SHOP_API_PASSWORD", "username: 'env:THE_SHOP_API_USERNAME'"],
        ),
        (
            scheme("{type: apiKey, in: query, name: 'api key'}"),
            &["{name: \"api key\", in: query, value_env: THE_SHOP_API_API_KEY}"],
        ),
        (
            scheme("{type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://h/token', scopes: {read: r}}}}"),
            &["strategy: oauth2_client_credentials", "token_url: \"https://h/token\"", "# Scopes: read"],
        ),
        (
            scheme(
                "{type: oauth2, flows: {authorizationCode: {authorizationUrl: 'https://h/a', tokenUrl: 'https://h/t', scopes: {}}}}",
            ),
            &["strategy: bearer", "OAuth 2 with a browser"],
        ),
        (scheme("{type: mutualTLS}"), &["client_certificate: client.pem"]),
    ];
    for (head, parts) in cases {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.yaml"), document(&head)).unwrap();
        ok(folder.path(), &["init", "a.yaml"]);
        let text = std::fs::read_to_string(folder.path().join("toolscope.yaml")).unwrap();
        for part in parts {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        let list: Value = serde_json::from_str(&ok(folder.path(), &["list", "--format", "json"])).unwrap();
        assert_eq!(
            (&list["tools"][0]["name"], &list["totals"]["findings"]),
            (&"a".into(), &0.into()),
            "{text}\n{}",
            list["findings"]
        );
        // Nobody's file is written over.
        let again = run(folder.path(), &["init", "a.yaml"]);
        assert_eq!(again.status.code(), Some(2));
        assert_eq!(std::fs::read_to_string(folder.path().join("toolscope.yaml")).unwrap(), text);
    }
}

#[test]
fn every_line_that_is_offered_as_a_comment_can_be_taken() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.yaml"), document("")).unwrap();
    let text = ok(folder.path(), &["init", "a.yaml", "-o", "-", "--prefix", "shop"]);
    assert!(text.contains("tool_prefix: shop\n"), "{text}");
    let offered = |line: &str| {
        let bare = line.trim_start().strip_prefix("# ")?;
        let key = bare.trim_start().split(':').next()?;
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        (is_key || bare.trim_start().starts_with("- {name")).then(|| line.replacen("# ", "", 1))
    };
    let mut count = 0;
    let taken: Vec<String> = text
        .lines()
        .map(|line| match offered(line) {
            Some(line) => {
                count += 1;
                line
            }
            None => line.to_owned(),
        })
        .collect();
    assert!(count >= 6, "{count} lines are offered in\n{text}");
    std::fs::write(folder.path().join("toolscope.yaml"), taken.join("\n")).unwrap();
    let list: Value = serde_json::from_str(&ok(folder.path(), &["list", "--format", "json"])).unwrap();
    assert_eq!(list["findings"], Value::Array(Vec::new()), "{}", taken.join("\n"));
    assert_eq!(list["tools"][0]["name"], "shop__a");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = ok(folder.path(), &["completions", shell]);
        for word in ["explain", "doctor", "write-baseline"] {
            assert!(text.contains(word), "{shell} lacks {word}");
        }
    }
    let main = ok(folder.path(), &["man"]);
    assert!(main.contains(".TH toolscope 1") && main.contains("toolscope\\-diff(1)"), "{main}");
    ok(folder.path(), &["man", "pages"]);
    let mut pages: Vec<String> = std::fs::read_dir(folder.path().join("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    for page in
        ["toolscope.1", "toolscope-list.1", "toolscope-overlay.1", "toolscope-overlay-add.1", "toolscope-diff.1"]
    {
        assert!(pages.contains(&page.to_owned()), "{page} is missing in {pages:?}");
        let text = std::fs::read_to_string(folder.path().join("pages").join(page)).unwrap();
        assert!(
            text.contains(&format!(".TH {} 1", page.trim_end_matches(".1"))),
            "{page}: {}",
            text.lines().take(5).collect::<Vec<_>>().join("\n")
        );
    }
}
