//! The screen: what the runtime drives, the keys and colours it reads, the harmless form of foreign text.

pub mod keymap;
pub mod runtime;
mod settings;
pub mod text;
pub mod theme;
