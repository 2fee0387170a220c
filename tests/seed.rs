//! The first example end to end, through the real binary: four operations, one overlay, a prefix.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use support::program::program;

fn toolscope(args: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/seed");
    program(&folder).args(args).output().unwrap()
}

fn list() -> Value {
    let output =
        toolscope(&["list", "shop.yaml", "--overlay", "shop.overlay.yaml", "--prefix", "shop", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn three_tools_with_their_reasons() {
    let list = list();
    let rows: Vec<_> = list["tools"].as_array().unwrap().iter().map(|tool| (&tool["name"], &tool["source"])).collect();
    let expected = [("shop__list_pets", "slug"), ("shop__fetchPet", "operationId"), ("shop__place_order", "override")];
    assert_eq!(rows.len(), expected.len());
    for ((name, source), (wanted_name, wanted_source)) in rows.into_iter().zip(expected) {
        assert_eq!((name, source), (&json!(wanted_name), &json!(wanted_source)));
    }
    let origins: Vec<_> = list["tools"].as_array().unwrap().iter().map(|tool| &tool["trail"][0]["origin"]).collect();
    let brief = |origin: &Value| (origin["kind"].clone(), origin["file"].clone(), origin["line"].clone());
    assert_eq!(brief(origins[0]), (json!("spec"), json!("shop.yaml"), json!(9)));
    assert_eq!(brief(origins[1]), (json!("spec"), json!("shop.yaml"), json!(31)));
    assert_eq!(brief(origins[2]), (json!("overlay"), json!("shop.overlay.yaml"), json!(6)));
    assert_eq!(list["tools"][2]["candidates"]["operationId"], "shop__createOrder");
    assert_eq!(list["tools"][2]["touched_by"], json!([{"overlay": "shop.overlay.yaml", "action": 0}]));
}

#[test]
fn the_disabled_operation_is_listed_with_the_line_that_hid_it() {
    let list = list();
    assert_eq!(list["hidden"].as_array().unwrap().len(), 1);
    let hidden = &list["hidden"][0];
    assert_eq!((&hidden["method"], &hidden["path"]), (&json!("DELETE"), &json!("/orders/{orderId}")));
    assert_eq!(hidden["hidden"]["by"], "x-mcp-enabled");
    assert_eq!(hidden["hidden"]["why"], "x-mcp-enabled is false at shop.overlay.yaml:10");
    assert_eq!(hidden["hidden"]["origin"]["line"], 10);
}

#[test]
fn enum_and_bounds_are_in_the_input_schema() {
    let list = list();
    let properties = &list["tools"][0]["inputSchema"]["properties"];
    assert_eq!(properties["status"]["enum"], json!(["available", "pending", "sold"]));
    assert_eq!(properties["limit"], json!({"type": "integer", "minimum": 1, "maximum": 100, "default": 20}));
    assert_eq!(list["tools"][1]["inputSchema"]["required"], json!(["petId"]));
}

#[test]
fn two_upstreams_with_one_prefix_are_an_error_that_names_both() {
    let output = toolscope(&["check", "--config", "two-with-one-prefix.yaml", "--format", "json"]);
    assert_eq!(output.status.code(), Some(6));
    let check: Value = serde_json::from_slice(&output.stdout).unwrap();
    let finding =
        &check["findings"].as_array().unwrap().iter().find(|finding| finding["code"] == "prefix-conflict").unwrap();
    let message = finding["message"].as_str().unwrap();
    assert!(message.contains("shop-eu") && message.contains("shop-us"), "{message}");
    assert_eq!(finding["severity"], "error");
}
