//! Colours by meaning: the code names roles, themes are data.

mod file;
mod style;

pub use super::settings::SettingsError as ThemeError;
pub use file::{BUILT_IN, Theme};

macro_rules! roles {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What a text or a line on the screen means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Role {
            $($(#[$doc])* $variant,)*
        }

        impl Role {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name in theme files.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

roles! {
    /// Ordinary text.
    Text = "text",
    /// What matters less: hints, units, counts.
    Dim = "dim",
    /// Headings of panes.
    Title = "title",
    /// What draws the eye: keys in the footer, names in prose.
    Accent = "accent",
    /// Frame of a pane.
    Border = "border",
    /// Frame of the pane that has the keys.
    BorderFocus = "border_focus",
    /// The selected row.
    Selection = "selection",
    /// Letters that a filter matched.
    Match = "match",
    /// Errors.
    Error = "error",
    /// Warnings.
    Warning = "warning",
    /// Hints of the linter.
    Info = "info",
    /// What went well.
    Success = "success",
    /// Added lines and tools.
    Added = "added",
    /// Removed lines and tools.
    Removed = "removed",
    /// What an overlay changed.
    Changed = "changed",
    /// What an overlay hides.
    Hidden = "hidden",
    /// A name from an override.
    SourceOverride = "source_override",
    /// A name from an operationId.
    SourceOperationId = "source_operation_id",
    /// A name from method and path.
    SourceSlug = "source_slug",
    /// A key of a JSON object.
    Key = "json_key",
    /// A JSON string.
    String = "json_string",
    /// A JSON number.
    Number = "json_number",
    /// `true`, `false`, `null`.
    Literal = "json_literal",
    /// The status line.
    Status = "status",
    /// A text field.
    Field = "field",
}
