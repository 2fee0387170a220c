//! Where the last frame drew what, so that the mouse points at what is seen.

use ratatui::layout::{Position, Rect};

use super::actions::Action;
use super::detail::Tab;
use super::overlays::Part;
use super::screens::Screen;

/// What a part of the screen is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// The list, for the wheel.
    List,
    /// A row of the list.
    ListRow(usize),
    /// The filter.
    Filter,
    /// The detail, for the wheel.
    Detail,
    /// A line of the detail.
    DetailLine(usize),
    /// A tab.
    Tab(Tab),
    /// A tab of an action.
    Part(Part),
    /// A screen's title.
    Screen(Screen),
    /// A target of the table.
    Column(usize),
    /// A cell of the table: row and target.
    Cell(usize, usize),
    /// The line between list and detail.
    Splitter,
    /// An action in the footer or a row of the palette.
    Action(Action),
    /// Inside what lies over the screen.
    Layer,
    /// Outside of it.
    Outside,
}

/// The map of a frame.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    areas: Vec<(Rect, Hit)>,
    /// Where list and detail are, when both are: the splitter moves in it.
    pub body: Rect,
    /// List and detail are side by side, not one above the other.
    pub beside: bool,
    /// Rows that the list has.
    pub list_height: usize,
    /// Lines that the detail has; 0 when it is not on the screen.
    pub detail_height: usize,
    /// Columns of the detail's text; 0 when it is not on the screen.
    pub detail_width: usize,
    /// Of a text that is edited: the column of the screen at which it begins, how many columns of the cursor's
    /// line are left of that, and which line that is.
    pub text: Option<(u16, usize, usize)>,
    /// The list and the detail are not on the screen together.
    pub one_pane: bool,
}

impl Hits {
    /// Later areas lie over earlier ones.
    pub fn put(&mut self, area: Rect, hit: Hit) {
        if !area.is_empty() {
            self.areas.push((area, hit));
        }
    }

    /// What is seen at a cell, topmost first.
    pub fn at(&self, column: u16, row: u16) -> impl Iterator<Item = Hit> + '_ {
        let cell = Position::new(column, row);
        self.areas.iter().rev().filter(move |(area, _)| area.contains(cell)).map(|(_, hit)| *hit)
    }
}
