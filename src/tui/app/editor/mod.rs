//! A text of several lines that a person types into, with its colours.

pub mod highlight;
mod text;

pub use text::{Editor, LONGEST};
