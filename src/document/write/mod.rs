//! Nodes to text: JSON, YAML, and whatever serde knows.

mod json;
mod scalar;
mod serialize;
mod yaml;

pub use json::to_json;
pub use yaml::to_yaml;

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
