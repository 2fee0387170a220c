//! A text of several lines that a person types into, with its colours.

mod cursor;
pub mod highlight;
mod text;
mod typing;

pub use text::{Editor, LONGEST};
