//! The screen: what the runtime drives, the keys and colours it reads, the harmless form of foreign text.

pub mod app;
mod drafting;
mod hosting;
pub mod keymap;
mod lock;
mod open;
mod outlook;
pub mod runtime;
mod save;
mod settings;
mod smoking;
mod start;
#[cfg(debug_assertions)]
mod test_hook;
pub mod text;
pub mod theme;
pub mod view;
mod work;

#[doc(hidden)]
pub use drafting::{Drafting, overlay_texts};
pub use open::{OpenError, open};
pub use outlook::Outlook;
pub use start::Look;
