//! Themes and their files.

use std::collections::BTreeMap;

use ratatui::style::Style;

use super::{Role, style};
use crate::tui::settings::{Settings, SettingsError};

/// The built-in themes by name; the first is the default.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("terminal", include_str!("../../../themes/terminal.toml")),
    ("dark", include_str!("../../../themes/dark.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("high-contrast", include_str!("../../../themes/high-contrast.toml")),
    ("mono", include_str!("../../../themes/mono.toml")),
];

/// A style for every role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Theme {
    styles: BTreeMap<Role, Style>,
    /// Draw with ASCII glyphs only.
    pub ascii: bool,
}

impl Theme {
    /// A built-in theme.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Self> {
        let (name, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Self::default().patched(name, text).ok()
    }

    /// Reads a theme file: one `role = "style"` a line, and `inherits` with the name of a built-in theme that gives
    /// the roles not named (`terminal` where it is missing). `name` is the file's name for messages.
    ///
    /// # Errors
    /// The first of: no TOML, unknown role, a style that cannot be read, unknown theme to inherit; with its line.
    pub fn from_toml(name: &str, text: &str) -> Result<Self, SettingsError> {
        let settings = Settings { name, text };
        let table = settings.parse()?;
        let base = match table.get("inherits") {
            None => Self::built_in("terminal").unwrap_or_default(),
            Some(value) => {
                let parent = settings.text_of("inherits", value)?;
                Self::built_in(parent).ok_or_else(|| {
                    let known: Vec<_> = BUILT_IN.iter().map(|(name, _)| *name).collect();
                    let message = format!("there is no theme `{parent}` to inherit; there are {}", known.join(", "));
                    settings.error(value.span().start, message)
                })?
            }
        };
        base.patched(name, text)
    }

    fn patched(mut self, name: &str, text: &str) -> Result<Self, SettingsError> {
        let settings = Settings { name, text };
        for (key, value) in &settings.parse()? {
            let word = key.get_ref().as_ref();
            if word == "inherits" {
                continue;
            }
            let role = Role::ALL.iter().find(|role| role.name() == word);
            let role = role.ok_or_else(|| settings.error(key.span().start, unknown_role(word)))?;
            let style = style::parse(settings.text_of(word, value)?)
                .map_err(|error| settings.error(value.span().start, format!("{word}: {error}")))?;
            self.styles.insert(*role, style);
        }
        Ok(self)
    }

    /// The same theme without colours, for `NO_COLOR`: what it says by bold, underline or reverse video stays.
    #[must_use]
    pub fn without_colour(mut self) -> Self {
        self.styles.values_mut().for_each(|style| *style = style::without_colour(*style));
        self
    }

    /// The style of a role.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(&role).copied().unwrap_or_default()
    }
}

fn unknown_role(word: &str) -> String {
    let known: Vec<_> = Role::ALL.iter().map(|role| role.name()).collect();
    format!("there is no role `{word}`; there are {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use super::*;
    use ratatui::style::{Color, Modifier};

    #[test]
    fn built_in_themes_name_every_role() {
        for (name, text) in BUILT_IN {
            let theme = Theme::default().patched(name, text).unwrap_or_else(|error| panic!("{error}"));
            let missing: Vec<_> = Role::ALL.iter().filter(|role| !theme.styles.contains_key(role)).collect();
            assert!(missing.is_empty(), "{name} lacks {missing:?}");
        }
    }

    #[test]
    fn the_default_theme_works_on_every_background() {
        let theme = Theme::built_in("terminal").unwrap();
        for role in Role::ALL {
            let style = theme.style(*role);
            assert_eq!(style.bg, None, "{role:?} sets a background");
            let relative = matches!(style.fg, Some(Color::Black | Color::White | Color::Gray | Color::Rgb(..)));
            assert!(!relative, "{role:?} disappears on some background");
        }
        assert!(theme.style(Role::Selection).add_modifier.contains(Modifier::REVERSED));
    }

    #[test]
    fn selection_is_reverse_video_in_every_theme() {
        for (name, _) in BUILT_IN {
            let selection = Theme::built_in(name).unwrap().style(Role::Selection);
            assert!(selection.add_modifier.contains(Modifier::REVERSED), "{name}");
        }
    }

    #[test]
    fn mono_has_no_colour() {
        let mono = Theme::built_in("mono").unwrap();
        assert_eq!(mono, mono.clone().without_colour());
        let dark = Theme::built_in("dark").unwrap();
        assert_ne!(dark, dark.clone().without_colour());
    }

    /// WCAG contrast of what the 256-colour themes print on the background they are meant for.
    #[test]
    fn themes_with_fixed_colours_are_readable() {
        for (name, background, least) in
            [("dark", (0, 0, 0), 4.5), ("light", (255, 255, 255), 4.5), ("high-contrast", (0, 0, 0), 7.0)]
        {
            let theme = Theme::built_in(name).unwrap();
            for role in Role::ALL {
                let Some(Color::Indexed(index)) = theme.style(*role).fg else { continue };
                let ratio = contrast(rgb(index), background);
                assert!(ratio >= least, "{name}: {} has contrast {ratio:.1}", role.name());
            }
        }
    }

    /// The fixed part of the 256 colours: the cube and the greys.
    fn rgb(index: u8) -> (u8, u8, u8) {
        assert!(index >= 16, "the first 16 colours belong to the terminal's own scheme");
        if index >= 232 {
            let grey = 8 + (index - 232) * 10;
            return (grey, grey, grey);
        }
        let level = |step: u8| if step == 0 { 0 } else { 55 + step * 40 };
        let cube = index - 16;
        (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
    }

    fn contrast(one: (u8, u8, u8), other: (u8, u8, u8)) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn luminance((red, green, blue): (u8, u8, u8)) -> f64 {
        let linear = |channel: u8| {
            let channel = f64::from(channel) / 255.0;
            if channel <= 0.03928 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    #[test]
    fn a_file_changes_what_it_names_and_inherits_the_rest() {
        let theme = Theme::from_toml("mine.toml", "inherits = \"dark\"\ntitle = \"underline red\"\n").unwrap();
        assert_eq!(theme.style(Role::Title), Style::new().fg(Color::Red).add_modifier(Modifier::UNDERLINED));
        assert_eq!(theme.style(Role::Error), Theme::built_in("dark").unwrap().style(Role::Error));
        assert_eq!(Theme::from_toml("empty.toml", "").unwrap(), Theme::built_in("terminal").unwrap());
    }

    #[test]
    fn errors_name_file_line_and_cause() {
        let table = [
            ("\ntitel = \"red\"", 2, "there is no role `titel`"),
            ("text = \"\"\ntitle = \"rde\"", 2, "title: `rde` is neither"),
            ("title = 3", 1, "title must be a string, not integer"),
            ("text = \"\"\n[title]\nfg = \"red\"", 2, "title must be a string, not table"),
            ("\n\ninherits = \"drak\"", 3, "there is no theme `drak`"),
            ("title = ", 1, ""),
        ];
        for (text, line, message) in table {
            let error = Theme::from_toml("mine.toml", text).unwrap_err();
            assert_eq!((error.source_name.as_str(), error.line), ("mine.toml", line), "{text}: {error}");
            assert!(error.message.contains(message), "{text}: {error}");
        }
    }
}
