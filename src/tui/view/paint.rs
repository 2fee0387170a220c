//! Text into cells: cut to the room it has, styled by role.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use crate::tui::app::field::Field;
use crate::tui::app::page::Seg;
use crate::tui::text::{harmless, truncate_to_width, width};
use crate::tui::theme::{Role, Theme};

/// The signs that the program draws itself, and what stands for them where the font has ASCII only.
const ASCII: [(&str, &str); 19] = [
    ("•", "*"),
    ("−", "-"),
    ("…", "~"),
    ("│", "|"),
    ("─", "-"),
    ("→", ">"),
    ("▸", "+"),
    ("▾", "-"),
    ("·", "."),
    ("›", ">"),
    ("█", "#"),
    ("└", "`"),
    ("┘", "'"),
    ("┌", "."),
    ("┐", "."),
    ("≥", ">"),
    ("≤", "<"),
    ("✗", "x"),
    ("✓", "v"),
];

/// A frame's cells with a theme.
pub(super) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    theme: &'a Theme,
    /// Where the terminal's cursor goes, when a field has the focus.
    pub(super) cursor: Option<Position>,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(buffer: &'a mut Buffer, theme: &'a Theme) -> Self {
        Self { buffer, theme, cursor: None }
    }

    pub(super) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// Harmless text from `x` on in the first row of `area`, cut at its end with `…`. Gives the column behind it.
    pub(super) fn text(&mut self, area: Rect, x: u16, text: &str, role: Role) -> u16 {
        self.styled(area, x, text, self.style(role))
    }

    fn styled(&mut self, area: Rect, x: u16, text: &str, style: Style) -> u16 {
        let room = area.right().saturating_sub(x);
        if room == 0 || area.height == 0 || x < area.x {
            return x;
        }
        let clean = harmless(text);
        if width(&clean) <= usize::from(room) {
            self.buffer.set_stringn(x, area.y, &clean, usize::from(room), style).0
        } else {
            let cut = truncate_to_width(&clean, usize::from(room));
            self.buffer.set_stringn(x, area.y, &cut, usize::from(room), style).0
        }
    }

    /// Text that ends at the right end of `area`; nothing when it does not fit. Gives the column where it starts.
    pub(super) fn right(&mut self, area: Rect, text: &str, role: Role) -> u16 {
        let length = u16::try_from(width(&harmless(text))).unwrap_or(u16::MAX);
        if length > area.width {
            return area.right();
        }
        let x = area.right() - length;
        self.text(area, x, text, role);
        x
    }

    /// Runs one after the other.
    pub(super) fn segs(&mut self, area: Rect, segs: &[Seg]) {
        let mut x = area.x;
        for seg in segs {
            x = self.text(area, x, &seg.text, seg.role);
        }
    }

    /// A text with some of its graphemes (by index) marked as matched. One too long loses its middle, because paths
    /// differ at their ends.
    pub(super) fn matched(&mut self, area: Rect, text: &str, letters: &[u32], role: Role, keep_end: bool) {
        let clean = harmless(text);
        if letters.is_empty() && (!keep_end || width(&clean) <= usize::from(area.width)) {
            self.text(area, area.x, &clean, role);
            return;
        }
        let graphemes: Vec<&str> = clean.graphemes(true).collect();
        let room = usize::from(area.width);
        let total: usize = graphemes.iter().map(|grapheme| width(grapheme)).sum();
        let (head, tail) = if total <= room { (total, 0) } else { split_room(room, keep_end) };
        let (mut x, mut used, mut cut) = (area.x, 0, false);
        let mut left = total;
        for (at, grapheme) in graphemes.iter().enumerate() {
            let columns = width(grapheme);
            let before = used;
            used += columns;
            let fits = used <= head || left <= tail;
            left = total - before - columns;
            if fits {
                let hit = u32::try_from(at).is_ok_and(|at| letters.binary_search(&at).is_ok());
                let style = if hit { self.style(role).patch(self.style(Role::Match)) } else { self.style(role) };
                x = self.styled(area, x, grapheme, style);
            } else if !cut {
                cut = true;
                x = self.text(area, x, "…", Role::Dim);
            }
        }
    }

    /// Lays a role over everything in an area.
    pub(super) fn cover(&mut self, area: Rect, role: Role) {
        let style = self.style(role);
        self.buffer.set_style(area, style);
    }

    /// Blanks in a role.
    pub(super) fn clear(&mut self, area: Rect, role: Role) {
        let style = self.style(role);
        for y in area.top()..area.bottom() {
            // A wide letter that reaches into the area would push everything after it.
            let left = area.x.checked_sub(1).and_then(|x| self.buffer.cell_mut((x, y)));
            if let Some(cell) = left.filter(|cell| width(cell.symbol()) > 1) {
                cell.set_symbol(" ");
            }
            for x in area.left()..area.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.reset();
                    cell.set_style(style);
                }
            }
        }
    }

    /// A line across.
    pub(super) fn horizontal(&mut self, area: Rect, role: Role) {
        for x in area.left()..area.right() {
            self.text(area, x, "─", role);
        }
    }

    /// A line down.
    pub(super) fn vertical(&mut self, area: Rect) {
        for y in area.top()..area.bottom() {
            self.text(Rect { y, height: 1, ..area }, area.x, "│", Role::Border);
        }
    }

    /// A frame with a title around an area; gives what is inside.
    pub(super) fn boxed(&mut self, area: Rect, title: &str) -> Rect {
        self.clear(area, Role::Text);
        if area.width < 2 || area.height < 2 {
            return Rect { width: 0, height: 0, ..area };
        }
        let role = Role::BorderFocus;
        let (left, right) = (area.x, area.right() - 1);
        for (y, ends) in [(area.y, ["┌", "┐"]), (area.bottom() - 1, ["└", "┘"])] {
            let row = Rect { y, height: 1, ..area };
            self.horizontal(row, role);
            for (x, end) in [left, right].into_iter().zip(ends) {
                self.text(row, x, end, role);
            }
        }
        for y in area.y + 1..area.bottom() - 1 {
            for x in [left, right] {
                self.text(Rect { y, height: 1, ..area }, x, "│", role);
            }
        }
        self.text(Rect { width: area.width - 1, ..area }, left + 2, title, Role::Title);
        Rect { x: left + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 }
    }

    /// Which part of `total` rows is visible, in the last column of an area; nothing when all of it is. Over a border only
    /// the thumb is drawn, so that the border stays one line.
    pub(super) fn scrollbar(&mut self, area: Rect, offset: usize, total: usize) {
        let height = usize::from(area.height);
        if height == 0 || total <= height || area.width == 0 {
            return;
        }
        let thumb = (height * height / total).max(1);
        let top = offset * (height - thumb) / (total - height).max(1);
        let x = area.right() - 1;
        for (at, y) in (area.top()..area.bottom()).enumerate() {
            let inside = at >= top && at < top + thumb;
            let sign = if inside { "█" } else { "│" };
            self.text(Rect { y, height: 1, ..area }, x, sign, Role::Border);
        }
    }

    /// A field; the end with the cursor is visible when it is too long.
    pub(super) fn field(&mut self, area: Rect, field: &Field, focused: bool) {
        let (before, after) = field.halves();
        let before = harmless(before);
        let room = usize::from(area.width).saturating_sub(1);
        let mut skip = width(&before).saturating_sub(room);
        let visible: String = before
            .graphemes(true)
            .skip_while(|grapheme| {
                let hidden = skip > 0;
                skip = skip.saturating_sub(width(grapheme));
                hidden
            })
            .collect();
        let x = self.text(area, area.x, &visible, Role::Text);
        self.text(area, x, after, Role::Text);
        if focused && area.height > 0 && x < area.right() {
            self.cursor = Some(Position::new(x, area.y));
        }
    }

    /// The last step: blanks that held words together become plain ones, and signs that an ASCII terminal lacks are
    /// replaced, each by one of the same width.
    pub(super) fn finish(&mut self) {
        let ascii = self.theme.ascii;
        for cell in &mut self.buffer.content {
            if cell.symbol() == "\u{a0}" {
                cell.set_symbol(" ");
            } else if ascii && let Some((_, plain)) = ASCII.iter().find(|(sign, _)| *sign == cell.symbol()) {
                cell.set_symbol(plain);
            }
        }
    }
}

/// Columns for the beginning and the end of a text that loses what is between.
fn split_room(room: usize, keep_end: bool) -> (usize, usize) {
    let room = room.saturating_sub(1);
    let tail = if keep_end { room * 2 / 5 } else { 0 };
    (room - tail, tail)
}

/// Rows of an area, from the top.
pub(super) fn rows(area: Rect) -> impl Iterator<Item = Rect> {
    (area.top()..area.bottom()).map(move |y| Rect { y, height: 1, ..area })
}

/// An area without so many rows at its top.
pub(super) fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}
