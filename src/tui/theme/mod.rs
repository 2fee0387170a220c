//! Roles.

use ratatui::style::{Color, Modifier, Style};

/// What a text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Role {
    Text,
    Dim,
    Title,
    Accent,
    Border,
    Key,
    String,
    Number,
    Literal,
    Match,
    Error,
    Warning,
    Info,
    Added,
    Removed,
    Changed,
    Selection,
    Status,
}

/// A theme.
#[derive(Clone, Debug, Default)]
pub struct Theme {
    /// ASCII glyphs only.
    pub ascii: bool,
}

impl Theme {
    /// Style of a role.
    pub fn style(&self, role: Role) -> Style {
        let s = Style::new();
        match role {
            Role::Text | Role::String => s,
            Role::Dim | Role::Border => s.add_modifier(Modifier::DIM),
            Role::Title => s.add_modifier(Modifier::BOLD),
            Role::Accent | Role::Key => s.fg(Color::Cyan),
            Role::Number | Role::Literal => s.fg(Color::Magenta),
            Role::Match => s.fg(Color::Yellow).add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            Role::Error | Role::Removed => s.fg(Color::Red),
            Role::Warning | Role::Changed => s.fg(Color::Yellow),
            Role::Info => s.fg(Color::Blue),
            Role::Added => s.fg(Color::Green),
            Role::Selection | Role::Status => s.add_modifier(Modifier::REVERSED),
        }
    }
}
