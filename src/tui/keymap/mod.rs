//! Which key does what. Actions are a table of the application, keys are data: `default.toml`, patched by the person's
//! own file.

mod key;
mod map;

pub use super::settings::SettingsError as KeymapError;
pub use key::{Key, KeyTextError};
pub use map::{ActionInfo, DEFAULT, GLOBAL, Keymap};
