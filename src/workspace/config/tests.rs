#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
use std::path::Path;

use super::*;
use crate::document::{self, FileId, Number, Origin, SourceFile, Sources, Value};

fn read(text: &str) -> Config {
    let document = document::parse(FileId(0), "toolscope.yaml", text).unwrap();
    Config::read(&document.root, Path::new("/conf"))
}

/// `code line message | remedy` of each finding.
fn told(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    sources.put(SourceFile::new("toolscope.yaml", text));
    let tell = |finding: &Finding| {
        let line = finding.place.as_ref().map_or(0, |place| sources.locate(place).line);
        format!("{} {line} {} | {}", finding.code, finding.message, finding.remedy.as_deref().unwrap_or("-"))
    };
    read(text).findings.iter().map(tell).collect()
}

/// The configuration that the proxy's own documentation shows, shortened.
const WHOLE: &str = r#"
server:
  port: 8080
  read_timeout: 30s
telemetry:
  otlp_endpoint: "otel-collector:4317"
inbound_auth:
  strategy: introspection
  introspection:
    client_id: "${INTROSPECTION_CLIENT_ID}"
    client_secret: "${INTROSPECTION_CLIENT_SECRET}"
naming:
  separator: "__"
  max_length: 128
  conflict_resolution: first_wins
  description_max_length: 1024
  description_truncation_suffix: "..."
  default_slug_rules:
    replace_slashes: true
    replace_braces: true
    lowercase: true
    collapse_separators: false
upstreams:
  - name: petstore
    enabled: true
    tool_prefix: pets
    base_url: "https://api.petstore.io/v2"
    max_response_body: 10MB
    timeout: 10s
    headers:
      X-Proxy-Source: "mcp-anything"
      Authorization: "Bearer ${TOKEN}"
    openapi:
      source: "/etc/specs/petstore.yaml"
      auth_header: "Bearer ${TOKEN}"
      refresh_interval: 0
      allow_external_refs: false
      version: "3.0"
    overlay:
      source: "/etc/overlays/petstore.yaml"
      auth_header: ""
    outbound_auth:
      strategy: oauth2_client_credentials
      oauth2_client_credentials:
        token_url: "https://idp.example.com/oauth/token"
        client_id: "${PETSTORE_CLIENT_ID}"
        client_secret: "${PETSTORE_CLIENT_SECRET}"
        scopes: ["read:pets", "write:pets"]
    validation:
      validate_request: true
      validate_response: false
      response_validation_failure: fail
      success_status: [200, 201]
      error_status: [400]
  - name: github
    enabled: false
    tool_prefix: gh
    openapi: {source: "https://example.com/api.yaml"}
    overlays: [a.yaml, {source: b.yaml}, {inline: "overlay: 1.0.0"}]
    outbound_auth:
      strategy: api_key
      api_key: {header: X-Key, value_env: KEY, prefix: "ApiKey "}
groups:
  - name: readonly
    endpoint: /mcp/readonly
    upstreams: [petstore]
    filter: "$.paths.*.get[?(@['x-mcp-safe'] == true)]"
profile: agents
targets: [openai, "claude-code:shop", {name: gemini, server_name: s}]
environments:
  - {name: staging, base_url: "https://staging.example.com"}
  - {name: live, base_url: "https://example.com", production: true, outbound_auth: {strategy: bearer, bearer: {token_env: LIVE}}}
suites: [smoke.yaml]
ref_root: ..
ref_hosts: [example.com]
"#;

#[test]
fn the_whole_schema_is_read() {
    let config = read(WHOLE);
    let naming = &config.naming;
    assert_eq!(
        (naming.separator.as_deref(), naming.max_length, naming.conflict),
        (Some("__"), Some(128), Some(CollisionPolicy::FirstWins))
    );
    assert_eq!(
        (naming.lowercase, naming.collapse, naming.description_max_length),
        (Some(true), Some(false), Some(1024))
    );
    let [petstore, github] = config.upstreams.as_slice() else { panic!("{:?}", config.upstreams) };
    assert_eq!((petstore.enabled, github.enabled), (true, false));
    assert_eq!(
        (petstore.prefix.as_deref(), petstore.base_url.as_deref()),
        (Some("pets"), Some("https://api.petstore.io/v2"))
    );
    let openapi = petstore.openapi.as_ref().unwrap();
    assert_eq!(openapi.location, SourceText::At("/etc/specs/petstore.yaml".into()));
    assert_eq!(openapi.auth_header.as_ref().unwrap().to_string(), "Bearer ${TOKEN}");
    assert_eq!(petstore.overlays.len(), 1);
    assert!(petstore.overlays[0].auth_header.is_none());
    let overlays: Vec<_> = github.overlays.iter().map(|overlay| overlay.location.clone()).collect();
    assert_eq!(
        overlays,
        [SourceText::At("a.yaml".into()), SourceText::At("b.yaml".into()), SourceText::Inline("overlay: 1.0.0".into())]
    );
    let OutboundAuth::ClientCredentials { client_secret, scopes, .. } = &petstore.auth else {
        panic!("{:?}", petstore.auth)
    };
    assert_eq!((client_secret.to_string().as_str(), scopes.len()), ("${PETSTORE_CLIENT_SECRET}", 2));
    let OutboundAuth::ApiKey { header, value, place: KeyPlace::Header } = &github.auth else {
        panic!("{:?}", github.auth)
    };
    assert_eq!((header.as_str(), value.to_string().as_str()), ("X-Key", "ApiKey env:KEY"));
    assert!(petstore.validation.response_fails && !petstore.validation.response);
    assert_eq!(petstore.validation.success_status, [200, 201]);
    assert_eq!(config.groups[0].filter.as_deref(), Some("$.paths.*.get[?(@['x-mcp-safe'] == true)]"));
    assert_eq!(config.profile.as_deref(), Some("agents"));
    let targets: Vec<_> = config.targets.iter().map(|t| (t.name.as_str(), t.server_name.as_deref())).collect();
    assert_eq!(targets, [("openai", None), ("claude-code", Some("shop")), ("gemini", Some("s"))]);
    let environments: Vec<_> = config.environments.iter().map(|e| (e.name.as_str(), e.production)).collect();
    assert_eq!(environments, [("staging", false), ("live", true)]);
    assert_eq!(config.environments[1].auth, Some(OutboundAuth::Bearer(SecretRef::variable("LIVE"))));
    assert_eq!((config.suites.as_slice(), config.ref_root.as_deref()), (&["smoke.yaml".to_owned()][..], Some("..")));
    let unused: Vec<String> = told(WHOLE);
    assert!(unused.iter().all(|finding| finding.starts_with("config-not-used")), "{unused:#?}");
    for key in ["`server`", "`telemetry`", "`inbound_auth`", "`upstreams[0].openapi.refresh_interval`"] {
        assert!(unused.iter().any(|finding| finding.contains(key)), "{key} is missing in {unused:#?}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let good = "openapi: {source: a.yaml}";
    let cases: &[(String, &[&str])] = &[
        (
            "upstream: []".into(),
            &["config-unknown-key 1 `upstream` is no key that is known here | Did you mean `upstreams`?"],
        ),
        (
            "naming:\n  seperator: x\n".into(),
            &["config-unknown-key 2 `naming.seperator` is no key that is known here | Did you mean `separator`?"],
        ),
        (
            "naming:\n  max_length: \"64\"\n".into(),
            &[
                "config-type 2 `naming.max_length` is text, not a whole number from 0 | Write a whole number from 0 there.",
            ],
        ),
        (
            "naming: {max_length: -1}".into(),
            &[
                "config-type 1 `naming.max_length` is a number, not a whole number from 0 | Write a whole number from 0 there.",
            ],
        ),
        ("naming: []".into(), &["config-type 1 `naming` is a list, not a map | Write a map there."]),
        ("- a".into(), &["config-type 1 the workspace file is a list, not a map | Write a map there."]),
        ("naming:\n".into(), &[]),
        (
            "naming:\n  conflict_resolution: last_wins".into(),
            &[
                "config-value 2 `conflict_resolution` is `last_wins`, which it cannot be | Write one of: error, first_wins, skip, suffix, hash.",
            ],
        ),
        (format!("upstreams:\n- {good}"), &["config-missing 2 upstream 1 has no name | Give it a `name`."]),
        (
            "upstreams:\n- name: a".into(),
            &["config-no-document 2 upstream `a` names no document | Write `openapi: {source: FILE or URL}`."],
        ),
        (
            "upstreams:\n- {name: a, type: command, commands: []}".into(),
            &[
                "config-no-document 2 upstream `a` is of type `command`, which has no document to show | Only upstreams of type `http` are shown.",
                "config-not-used 2 `upstreams[0].commands` is not used here | -",
            ],
        ),
        (
            format!("upstreams:\n- {{name: a, {good}}}\n- {{name: a, {good}}}"),
            &["config-duplicate 3 two upstreams are named `a` | Give each upstream its own `name`."],
        ),
        (
            format!(
                "upstreams:\n- name: a\n  {good}\n  headers:\n    Authorization: Bearer hunter2\n    X-Fine: hunter2"
            ),
            &[
                "literal-secret 5 `Authorization` holds a secret as plain text | Write a reference: `env:NAME`, `${NAME}` or `file:PATH`.",
            ],
        ),
        (
            "inbound_auth:\n  introspection:\n    client_secret: hunter2".into(),
            &[
                "config-not-used 1 `inbound_auth` is not used here | -",
                "literal-secret 3 `client_secret` holds a secret as plain text | Write a reference: `env:NAME`, `${NAME}` or `file:PATH`.",
            ],
        ),
        (
            format!("upstreams:\n- name: a\n  {good}\n  outbound_auth:\n    strategy: bearer"),
            &["config-missing 5 the strategy `bearer` needs `bearer.token_env` | Add `bearer.token_env`."],
        ),
        (
            format!("upstreams:\n- name: a\n  {good}\n  outbound_auth:\n    strategy: lua"),
            &[
                "config-auth 5 the strategy `lua` is not used here | Here: none, bearer, api_key, basic, oauth2_client_credentials.",
            ],
        ),
        (
            "environments:\n  a: {production: true}\n  b: {production: true}".into(),
            &["config-production 3 `a` and `b` are both marked as production | Leave `production: true` on one."],
        ),
        (
            format!("upstreams:\n- {{name: shop, {good}}}\ngroups:\n- {{name: g, upstreams: [shopp]}}"),
            &[
                "config-unknown-upstream 4 `groups[0]` names the upstream `shopp`, which is not there | Did you mean `shop`?",
            ],
        ),
        ("x-note: anything".into(), &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(told(text), *expected, "{text}");
    }
}

#[test]
fn no_finding_repeats_a_secret() {
    let text = "upstreams:\n- name: a\n  openapi: {source: a.yaml, auth_header: hunter2}\n  outbound_auth:\n    strategy: oauth2_client_credentials\n    oauth2_client_credentials: {token_url: u, client_id: i, client_secret: hunter2}\n";
    let config = read(text);
    assert_eq!(config.findings.iter().filter(|finding| finding.code == "literal-secret").count(), 2);
    assert!(!format!("{config:?}").contains("hunter2"));
}

#[test]
fn set_reaches_every_key() {
    let origin = Origin::new(FileId(9), 0, 1);
    let value = || Node::new(Value::Number(Number::Int(7)), origin);
    let cases: [(&str, &str, Result<&str, &str>); 8] = [
        ("{}", "a.b", Ok(r#"{"a":{"b":7}}"#)),
        ("null", "a", Ok(r#"{"a":7}"#)),
        ("{a: 1, b: 2}", "a", Ok(r#"{"a":7,"b":2}"#)),
        ("{a: [{n: 1}, {n: 2}]}", "a.1.n", Ok(r#"{"a":[{"n":1},{"n":7}]}"#)),
        ("{a: [{name: x}]}", "a.x.n", Ok(r#"{"a":[{"name":"x","n":7}]}"#)),
        ("{a: [1]}", "a.5", Err("there is no item `5`")),
        ("{a: [1]}", "a.y", Err("there is no item `y`")),
        ("{a: text}", "a.b", Err("what is above it is string")),
    ];
    for (text, path, expected) in cases {
        let mut root = document::parse(FileId(0), "x.yaml", text).unwrap().root;
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        match (set(&mut root, &path, value()), expected) {
            (Ok(()), Ok(json)) => assert_eq!(document::to_json(&root, false), json, "{text}"),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (found, _) => panic!("{text}: {found:?}"),
        }
    }
}

#[test]
fn how_an_upstream_is_reached() {
    let text = r"
upstreams:
  - name: a
    openapi: {source: a.yaml}
    outbound_auth: {strategy: basic, basic: {username: me, password_env: PASSWORD}}
    connection: {connect_timeout: 5s, max_connections: 8, retries: 2, proxy: none, ca_file: ca.pem}
  - name: b
    openapi: {source: b.yaml}
    outbound_auth: {strategy: api_key, api_key: {name: k, in: query, value_env: KEY}}
    connection: {retires: 2}
";
    let config = read(text);
    let [a, b] = &config.upstreams[..] else { panic!("{:?}", config.upstreams) };
    let OutboundAuth::Basic { username, password } = &a.auth else { panic!("{:?}", a.auth) };
    assert_eq!((username.is_literal(), password.to_string().as_str()), (true, "env:PASSWORD"));
    let connection = &a.connection;
    assert_eq!((connection.max_connections, connection.retries), (Some(8), Some(2)));
    let texts = [&connection.connect_timeout, &connection.proxy, &connection.ca_file];
    assert_eq!(texts.map(Option::as_deref), [Some("5s"), Some("none"), Some("ca.pem")]);
    assert!(
        matches!(&b.auth, OutboundAuth::ApiKey { header, place: KeyPlace::Query, .. } if header == "k"),
        "{:?}",
        b.auth
    );
    let [finding] = &config.findings[..] else { panic!("{:?}", config.findings) };
    assert!(finding.message.contains("retires") && format!("{finding:?}").contains("retries"), "{finding:?}");
}
