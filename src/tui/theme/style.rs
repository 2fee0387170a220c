//! A style as themes write it: `bold cyan`, `black on yellow`, `underline #ffcc00`, `reverse`.

use ratatui::style::{Color, Modifier, Style};

const COLOURS: &[(&str, Color)] = &[
    ("default", Color::Reset),
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
    ("bright-black", Color::DarkGray),
    ("bright-red", Color::LightRed),
    ("bright-green", Color::LightGreen),
    ("bright-yellow", Color::LightYellow),
    ("bright-blue", Color::LightBlue),
    ("bright-magenta", Color::LightMagenta),
    ("bright-cyan", Color::LightCyan),
    ("bright-white", Color::White),
];

const MODIFIERS: &[(&str, Modifier)] = &[
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
    ("strike", Modifier::CROSSED_OUT),
];

/// Reads a style: modifiers and a colour in any order, `on` before the background. Empty text is the plain style.
///
/// # Errors
/// What is wrong with which word.
pub(super) fn parse(text: &str) -> Result<Style, String> {
    let mut style = Style::new();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if let Some((_, modifier)) = MODIFIERS.iter().find(|(name, _)| *name == word) {
            style = style.add_modifier(*modifier);
        } else if word == "on" {
            if style.bg.is_some() {
                return Err("there are two backgrounds".to_owned());
            }
            style = style.bg(colour(words.next().ok_or("a colour must follow `on`")?)?);
        } else if style.fg.is_some() {
            return Err(format!("`{word}`: there is a colour already; a background is written `on {word}`"));
        } else {
            style = style.fg(colour(word)?);
        }
    }
    Ok(style)
}

fn colour(word: &str) -> Result<Color, String> {
    if let Some((_, colour)) = COLOURS.iter().find(|(name, _)| *name == word) {
        return Ok(*colour);
    }
    let rgb =
        word.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
    if let Some(rgb) = rgb.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
        return Ok(Color::from_u32(rgb));
    }
    word.parse().map(Color::Indexed).map_err(|_| {
        format!(
            "`{word}` is neither a colour (red, bright-red, 0 to 255, #rrggbb, default) nor one of bold, dim, italic, \
             underline, reverse, strike"
        )
    })
}

/// The same style without its colours.
pub(super) fn without_colour(style: Style) -> Style {
    Style { fg: None, bg: None, underline_color: None, ..style }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use super::*;

    #[test]
    fn styles_read_as_written() {
        let table = [
            ("", Style::new()),
            ("cyan", Style::new().fg(Color::Cyan)),
            ("bold cyan", Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD)),
            ("cyan bold dim", Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD | Modifier::DIM)),
            ("black on bright-yellow", Style::new().fg(Color::Black).bg(Color::LightYellow)),
            ("on 236", Style::new().bg(Color::Indexed(236))),
            ("#ff8000 on default", Style::new().fg(Color::Rgb(255, 128, 0)).bg(Color::Reset)),
            ("reverse", Style::new().add_modifier(Modifier::REVERSED)),
        ];
        for (text, expected) in table {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn wrong_words_are_named() {
        let table = [
            ("blod", "`blod` is neither"),
            ("256", "`256` is neither"),
            ("#ff80", "`#ff80` is neither"),
            ("#+12345", "`#+12345` is neither"),
            ("on", "must follow `on`"),
            ("red blue", "written `on blue`"),
            ("on red on blue", "two backgrounds"),
        ];
        for (text, message) in table {
            let error = parse(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn without_colour_keeps_the_modifiers() {
        let style = parse("bold underline red on blue").unwrap();
        assert_eq!(without_colour(style), parse("bold underline").unwrap());
    }
}
