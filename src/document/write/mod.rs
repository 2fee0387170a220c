//! Nodes to text: JSON, YAML, and whatever serde knows.

mod json;
mod scalar;
mod serialize;
mod yaml;

pub use json::to_json;
pub use yaml::{YamlLayout, to_yaml, to_yaml_with};

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
