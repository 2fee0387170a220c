//! Foreign text on the screen: harmless, and as wide as the terminal draws it.
//!
//! Names and descriptions come from documents that nobody has vouched for. A control character in them could move the
//! cursor or speak to the terminal, a bidi override could make a name read as another, and characters without width
//! can hide whole sentences that a model reads and a person does not see. All of them are shown as escapes.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Columns from one tab stop to the next.
const TAB: usize = 4;
/// Combining marks that one character may carry. Languages need three or four; hundreds of them paint over the lines
/// above and below.
const MARKS: usize = 6;

/// One line of text with everything harmful made visible: `\u{1b}`, `\n`, `\u{202e}`. Tabs become spaces. Text that has
/// nothing of this comes back as it is.
#[must_use]
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut column = 0;
    for cluster in text.graphemes(true) {
        let before = shown.len();
        if cluster == "\t" {
            let spaces = TAB - column % TAB;
            shown.extend(std::iter::repeat_n(' ', spaces));
        } else {
            push_cluster(&mut shown, cluster);
        }
        column += width(shown.get(before..).unwrap_or_default());
    }
    if shown == text { Cow::Borrowed(text) } else { Cow::Owned(shown) }
}

fn push_cluster(shown: &mut String, cluster: &str) {
    let mut marks = 0;
    let mut before: Option<char> = None;
    for c in cluster.chars() {
        let is_mark = before.is_some() && width_of(c) == 0;
        let shown_as_is = match c {
            // A joiner belongs after letters of some scripts and after emoji, once; elsewhere it only hides.
            '\u{200c}' | '\u{200d}' => before.is_some_and(takes_joiner),
            // A selector of presentation belongs after the character it is for, once.
            '\u{fe00}'..='\u{fe0f}' => before.is_some_and(|c| !is_selector(c)),
            c if is_harmful(c) => false,
            _ if is_mark => {
                marks += 1;
                marks <= MARKS
            }
            // A mark with nothing to stand on would move onto whatever is drawn before it.
            c => width_of(c) > 0,
        };
        if shown_as_is {
            shown.push(c);
        } else {
            push_escape(shown, c);
        }
        before = Some(c);
    }
}

fn takes_joiner(before: char) -> bool {
    !before.is_ascii() && !matches!(before, '\u{200c}' | '\u{200d}') && !is_harmful(before)
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}')
}

fn width_of(c: char) -> usize {
    unicode_width::UnicodeWidthChar::width(c).unwrap_or(0)
}

fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' // soft hyphen
            | '\u{34f}' // joiner without effect
            | '\u{61c}' // Arabic letter mark
            | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' // Hangul fillers, drawn as nothing
            | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' // zero width space, directional marks
            | '\u{2028}' | '\u{2029}' // line and paragraph separator
            | '\u{202a}'..='\u{202e}' // bidi embeddings and overrides
            | '\u{2060}'..='\u{206f}' // word joiner, invisible operators, bidi isolates, deprecated controls
            | '\u{feff}' // byte order mark
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}' // tags and further selectors: whole hidden texts are written in them
            | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}') // private use: no two fonts agree
}

fn push_escape(shown: &mut String, c: char) {
    match c {
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        '\t' => shown.push_str("\\t"),
        // Writing to a string cannot fail.
        c => write!(shown, "\\u{{{:x}}}", u32::from(c)).unwrap_or_default(),
    }
}

/// Columns that a text takes, cluster by cluster, as the screen's buffer counts them.
#[must_use]
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(UnicodeWidthStr::width).sum() }
}

/// The text, cut to a width with `…` at the end where it is too long. Never cuts a character in two, so the result may
/// be a column short.
#[must_use]
pub fn truncate_to_width(text: &str, columns: usize) -> String {
    truncate_with(text, columns, Glyphs::UNICODE.ellipsis)
}

/// [`truncate_to_width`] with another ellipsis.
#[must_use]
pub fn truncate_with(text: &str, columns: usize, ellipsis: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mark = if width(ellipsis) <= columns { ellipsis } else { "" };
    let room = columns - width(mark);
    if let Some(head) = text.get(..room).filter(|_| text.is_ascii()) {
        return format!("{head}{mark}");
    }
    let mut used = 0;
    let mut cut = String::with_capacity(text.len().min(columns * 4));
    for cluster in text.graphemes(true) {
        used += cluster.width();
        if used > room {
            break;
        }
        cut.push_str(cluster);
    }
    cut.push_str(mark);
    cut
}

/// The signs that the program draws itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Glyphs {
    pub ellipsis: &'static str,
    pub arrow: &'static str,
    pub bullet: &'static str,
    pub folded: &'static str,
    pub unfolded: &'static str,
    pub ok: &'static str,
    pub bad: &'static str,
    pub separator: &'static str,
    pub scroll_thumb: &'static str,
    pub border: ratatui::symbols::border::Set<'static>,
}

impl Glyphs {
    /// For terminals whose font has box drawing and a few arrows. All are one column wide everywhere.
    pub const UNICODE: Self = Self {
        ellipsis: "…",
        arrow: "→",
        bullet: "•",
        folded: "▸",
        unfolded: "▾",
        ok: "✓",
        bad: "✗",
        separator: "│",
        scroll_thumb: "█",
        border: ratatui::symbols::border::PLAIN,
    };

    /// For all others.
    pub const ASCII: Self = Self {
        ellipsis: "...",
        arrow: "->",
        bullet: "*",
        folded: "+",
        unfolded: "-",
        ok: "ok",
        bad: "x",
        separator: "|",
        scroll_thumb: "#",
        border: ratatui::symbols::border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        },
    };

    /// The set for a mode.
    #[must_use]
    pub const fn of(ascii: bool) -> &'static Self {
        if ascii { &Self::ASCII } else { &Self::UNICODE }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use super::*;

    #[test]
    fn harmful_characters_become_visible() {
        let zalgo = format!("a{}", "\u{301}".repeat(20));
        let zalgo_shown = format!("a{}{}", "\u{301}".repeat(6), "\\u{301}".repeat(14));
        let table = [
            ("plain text", "plain text"),
            ("", ""),
            ("red \x1b[31m", "red \\u{1b}[31m"),
            ("bell\x07 del\x7f nul\0", "bell\\u{7} del\\u{7f} nul\\u{0}"),
            ("c1 \u{9b}31m", "c1 \\u{9b}31m"),
            ("two\nlines\r\n", "two\\nlines\\r\\n"),
            ("bidi \u{202e}txt.exe", "bidi \\u{202e}txt.exe"),
            ("isolate \u{2066}x\u{2069}", "isolate \\u{2066}x\\u{2069}"),
            ("zero\u{200b}width", "zero\\u{200b}width"),
            ("a\u{200d}b", "a\\u{200d}b"),
            ("\u{feff}bom", "\\u{feff}bom"),
            ("line\u{2028}sep", "line\\u{2028}sep"),
            ("tag\u{e0041}\u{e007f}", "tag\\u{e0041}\\u{e007f}"),
            ("selector \u{1f600}\u{e0100}", "selector \u{1f600}\\u{e0100}"),
            ("\u{2764}\u{fe0f}\u{fe0e}", "\u{2764}\u{fe0f}\\u{fe0e}"),
            ("\u{301}alone", "\\u{301}alone"),
            (&zalgo, &zalgo_shown),
            ("hidden \u{ad}hyphen", "hidden \\u{ad}hyphen"),
            ("\u{e000}", "\\u{e000}"),
        ];
        for (text, expected) in table {
            assert_eq!(harmless(text), expected, "{text:?}");
        }
    }

    #[test]
    fn honest_text_comes_back_as_it_is() {
        let texts = ["Grüße", "日本語", "e\u{301}", "👩‍👩‍👧", "🇩🇪", "❤️", "هذا", "می‌خواهم", "क्षि", "한글", "→ ✓ …", "👍🏽"];
        for text in texts {
            assert!(matches!(harmless(text), Cow::Borrowed(same) if same == text), "{text}: {}", harmless(text));
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_harmful_is_left(text in "[\\PC\\p{C}\\p{M}a]{0,40}") {
            let shown = harmless(&text);
            proptest::prop_assert!(!shown.chars().any(is_harmful), "{:?}", shown);
            proptest::prop_assert!(shown.graphemes(true).all(|cluster| cluster.width() > 0), "{:?}", shown);
        }
    }

    #[test]
    fn tabs_go_to_the_next_stop() {
        let table = [("\ta", "    a"), ("ab\tc", "ab  c"), ("abcd\te", "abcd    e"), ("日\tx", "日  x")];
        for (text, expected) in table {
            assert_eq!(harmless(text), expected, "{text:?}");
        }
    }

    #[test]
    fn widths() {
        let table = [
            ("", 0),
            ("abc", 3),
            ("Grüße", 5),
            ("日本", 4),
            ("e\u{301}", 1),
            ("👩‍👩‍👧", 2),
            ("🇩🇪", 2),
            ("❤️", 2),
            ("한글", 4),
            ("…", 1),
        ];
        for (text, expected) in table {
            assert_eq!(width(text), expected, "{text}");
        }
    }

    #[test]
    fn truncation_keeps_characters_whole() {
        let table = [
            ("abcdef", 6, "abcdef"),
            ("abcdef", 5, "abcd…"),
            ("abcdef", 1, "…"),
            ("abcdef", 0, ""),
            ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"),
            ("日本語", 2, "…"),
            ("ae\u{301}bc", 3, "ae\u{301}…"),
            ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"),
            ("👩‍👩‍👧👩‍👩‍👧", 2, "…"),
        ];
        for (text, columns, expected) in table {
            assert_eq!(truncate_to_width(text, columns), expected, "{text} in {columns}");
        }
        assert_eq!(truncate_with("abcdef", 5, Glyphs::ASCII.ellipsis), "ab...");
        assert_eq!(truncate_with("abcdef", 2, Glyphs::ASCII.ellipsis), "ab");
    }

    #[test]
    fn glyphs_hold_what_their_names_say() {
        let Glyphs { ellipsis, arrow, bullet, folded, unfolded, ok, bad, separator, scroll_thumb, border } =
            Glyphs::ASCII;
        for glyph in [ellipsis, arrow, bullet, folded, unfolded, ok, bad, separator, scroll_thumb, border.top_left] {
            assert!(glyph.is_ascii(), "{glyph}");
        }
        let Glyphs { ellipsis, arrow, bullet, folded, unfolded, ok, bad, separator, .. } = Glyphs::UNICODE;
        for glyph in [ellipsis, arrow, bullet, folded, unfolded, ok, bad, separator] {
            assert_eq!(width(glyph), 1, "{glyph}");
        }
    }
}
