//! One key and its text: `q`, `G`, `/`, `Enter`, `shift-Tab`, `ctrl-c`.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key as key maps compare it: by the character that it produces, whatever had to be held for it on this keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Hash)]
pub struct Key {
    code: KeyCode,
    ctrl: bool,
    alt: bool,
    shift: bool,
}

/// Why a text is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyTextError {
    /// No such key.
    #[error(
        "`{0}` is not a key; write a character, Enter, Esc, Tab, Space, an arrow such as Up, PageDown or F1, with ctrl-, alt- or shift- before it"
    )]
    Unknown(String),
    /// Shift before a character, whose shift state is not looked at.
    #[error("`{0}`: write the character that shift produces, as in `G` or `?`")]
    ShiftedCharacter(String),
}

const NAMED: &[(&str, KeyCode)] = &[
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Tab", KeyCode::Tab),
    ("Space", KeyCode::Char(' ')),
    ("Backspace", KeyCode::Backspace),
    ("Delete", KeyCode::Delete),
    ("Insert", KeyCode::Insert),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PageUp", KeyCode::PageUp),
    ("PageDown", KeyCode::PageDown),
];

impl Key {
    fn new(code: KeyCode, modifiers: KeyModifiers) -> Self {
        let ctrl = modifiers.contains(KeyModifiers::CONTROL);
        let mut shift = modifiers.contains(KeyModifiers::SHIFT);
        let code = match code {
            // Terminals report shift-Tab as a key of its own, with and without the modifier.
            KeyCode::BackTab => {
                shift = true;
                KeyCode::Tab
            }
            // With ctrl most terminals cannot tell the cases apart.
            KeyCode::Char(c) if ctrl => KeyCode::Char(c.to_ascii_lowercase()),
            // Some report the unshifted letter and the modifier.
            KeyCode::Char(c) if shift => KeyCode::Char(c.to_ascii_uppercase()),
            other => other,
        };
        shift = shift && !matches!(code, KeyCode::Char(_));
        Self { code, ctrl, alt: modifiers.contains(KeyModifiers::ALT), shift }
    }
}

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        let mut modifiers = event.modifiers;
        // AltGr arrives from some terminals as ctrl and alt together, but it only produces the character.
        let alt_gr = KeyModifiers::CONTROL | KeyModifiers::ALT;
        if matches!(event.code, KeyCode::Char(c) if !c.is_ascii_alphanumeric()) && modifiers.contains(alt_gr) {
            modifiers.remove(alt_gr);
        }
        Self::new(event.code, modifiers)
    }
}

impl FromStr for Key {
    type Err = KeyTextError;

    fn from_str(text: &str) -> Result<Self, KeyTextError> {
        let unknown = || KeyTextError::Unknown(text.to_owned());
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        while let Some((word, after)) = rest.split_once('-') {
            let modifier = match word {
                "ctrl" => KeyModifiers::CONTROL,
                "alt" => KeyModifiers::ALT,
                "shift" => KeyModifiers::SHIFT,
                _ => break,
            };
            modifiers |= modifier;
            rest = after;
        }
        let code = named(rest).or_else(|| function_key(rest)).or_else(|| single_character(rest)).ok_or_else(unknown)?;
        if matches!(code, KeyCode::Char(_)) && modifiers.contains(KeyModifiers::SHIFT) {
            return Err(KeyTextError::ShiftedCharacter(text.to_owned()));
        }
        Ok(Self::new(code, modifiers))
    }
}

fn named(text: &str) -> Option<KeyCode> {
    NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, code)| *code)
}

fn function_key(text: &str) -> Option<KeyCode> {
    let number = text.strip_prefix(['F', 'f'])?.parse().ok()?;
    (1..=24).contains(&number).then_some(KeyCode::F(number))
}

fn single_character(text: &str) -> Option<KeyCode> {
    let mut characters = text.chars();
    let first = characters.next().filter(|c| !c.is_control())?;
    characters.next().is_none().then_some(KeyCode::Char(first))
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, name) in [(self.ctrl, "ctrl-"), (self.alt, "alt-"), (self.shift, "shift-")] {
            if held {
                f.write_str(name)?;
            }
        }
        if let Some((name, _)) = NAMED.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::F(number) => write!(f, "F{number}"),
            // Only keys with a text are in a map.
            other => write!(f, "{other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use super::*;

    const NONE: KeyModifiers = KeyModifiers::NONE;
    const CTRL: KeyModifiers = KeyModifiers::CONTROL;
    const SHIFT: KeyModifiers = KeyModifiers::SHIFT;

    #[test]
    fn texts_meet_the_events_they_name() {
        let alt_gr = KeyModifiers::CONTROL | KeyModifiers::ALT;
        let table = [
            ("q", KeyCode::Char('q'), NONE),
            ("G", KeyCode::Char('G'), SHIFT),
            ("G", KeyCode::Char('G'), NONE),
            ("G", KeyCode::Char('g'), SHIFT),
            ("?", KeyCode::Char('?'), SHIFT),
            ("?", KeyCode::Char('?'), NONE),
            ("/", KeyCode::Char('/'), SHIFT),
            (":", KeyCode::Char(':'), NONE),
            ("-", KeyCode::Char('-'), NONE),
            ("ctrl--", KeyCode::Char('-'), CTRL),
            ("Enter", KeyCode::Enter, NONE),
            ("enter", KeyCode::Enter, NONE),
            ("Esc", KeyCode::Esc, NONE),
            ("Space", KeyCode::Char(' '), NONE),
            ("Tab", KeyCode::Tab, NONE),
            ("shift-Tab", KeyCode::BackTab, SHIFT),
            ("shift-Tab", KeyCode::BackTab, NONE),
            ("ctrl-c", KeyCode::Char('c'), CTRL),
            ("ctrl-c", KeyCode::Char('C'), CTRL | SHIFT),
            ("alt-x", KeyCode::Char('x'), KeyModifiers::ALT),
            ("shift-Up", KeyCode::Up, SHIFT),
            ("PageDown", KeyCode::PageDown, NONE),
            ("F1", KeyCode::F(1), NONE),
            ("f", KeyCode::Char('f'), NONE),
            ("[", KeyCode::Char('['), alt_gr),
            ("é", KeyCode::Char('é'), NONE),
        ];
        for (text, code, modifiers) in table {
            let key: Key = text.parse().unwrap();
            assert_eq!(key, Key::from(KeyEvent::new(code, modifiers)), "{text} and {code:?} {modifiers:?}");
        }
    }

    #[test]
    fn different_keys_stay_different() {
        let table = [
            ("g", KeyCode::Char('G'), SHIFT),
            ("q", KeyCode::Char('q'), CTRL),
            ("Tab", KeyCode::BackTab, SHIFT),
            ("Up", KeyCode::Up, SHIFT),
            ("ctrl-a", KeyCode::Char('a'), CTRL | KeyModifiers::ALT),
        ];
        for (text, code, modifiers) in table {
            let key: Key = text.parse().unwrap();
            assert_ne!(key, Key::from(KeyEvent::new(code, modifiers)), "{text} and {code:?} {modifiers:?}");
        }
    }

    #[test]
    fn texts_come_back_as_written() {
        for text in ["q", "G", "/", "-", "ctrl--", "Enter", "shift-Tab", "ctrl-c", "ctrl-alt-F12", "Space", "PageDown"]
        {
            assert_eq!(text.parse::<Key>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "ctrl-", "Entre", "F0", "F25", "meta-x", "ab", "\u{7}"] {
            assert_eq!(text.parse::<Key>(), Err(KeyTextError::Unknown(text.to_owned())));
        }
        for text in ["shift-g", "ctrl-shift-a"] {
            assert_eq!(text.parse::<Key>(), Err(KeyTextError::ShiftedCharacter(text.to_owned())));
        }
    }
}
