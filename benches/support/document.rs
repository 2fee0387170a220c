//! The document that benches run on.

use std::fmt::Write;
use std::path::PathBuf;

/// GitHub's document where `TOOLSCOPE_CORPUS` names the folder of the corpus, else a made-up one of 1,000 operations: its
/// name, its text, and the path of an operation `get` in it.
pub(crate) fn document() -> (&'static str, String, &'static str) {
    let github = std::env::var_os("TOOLSCOPE_CORPUS")
        .map(|corpus| PathBuf::from(corpus).join("github/generated__api.github.com.json"));
    match github.and_then(|path| std::fs::read_to_string(path).ok()) {
        Some(text) => ("github", text, "/repos/{owner}/{repo}"),
        None => ("made-up", made_up(1_000), "/things7/{id}"),
    }
}

fn made_up(count: usize) -> String {
    let mut text = String::from("{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{");
    for at in 0..count {
        let comma = if at == 0 { "" } else { "," };
        write!(text, "{comma}\"/things{at}/{{id}}\":{{\"get\":{{\"operationId\":\"getThing{at}\",\"summary\":\"Get thing {at}\",\"parameters\":[{{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{{\"type\":\"string\"}}}}],\"responses\":{{\"200\":{{\"description\":\"d\",\"content\":{{\"application/json\":{{\"schema\":{{\"$ref\":\"#/components/schemas/S{at}\"}}}}}}}}}}}}}}").unwrap();
    }
    text.push_str("},\"components\":{\"schemas\":{");
    for at in 0..count {
        let comma = if at == 0 { "" } else { "," };
        let next = (at + 1) % count;
        let more = if at % 10 == 9 {
            String::new()
        } else {
            format!(",\"next\":{{\"$ref\":\"#/components/schemas/S{next}\"}}")
        };
        write!(
            text,
            "{comma}\"S{at}\":{{\"type\":\"object\",\"properties\":{{\"id\":{{\"type\":\"string\"}}{more}}}}}"
        )
        .unwrap();
    }
    text.push_str("}}}");
    text
}
