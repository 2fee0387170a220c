//! What a person does, as the program hears it.

use std::collections::VecDeque;

use crossterm::event::{Event, KeyEvent, KeyEventKind, MouseEvent, MouseEventKind};

/// One thing that the person or the terminal did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key went down or repeats. Releases never arrive.
    Key(KeyEvent),
    /// Pasted text, whole; line ends are `\n`.
    Paste(String),
    /// Click, wheel or drag.
    Mouse(MouseEvent),
    /// The new size in columns and rows.
    Resize(u16, u16),
    /// The terminal window became active.
    FocusGained,
    /// The terminal window is no longer active.
    FocusLost,
}

impl Input {
    /// Drops what must not reach the program: some terminals report the release of a key too, and a program that
    /// takes it for a press does everything twice.
    pub(crate) fn from_event(event: Event) -> Option<Self> {
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => None,
            Event::Key(key) => Some(Self::Key(key)),
            Event::Paste(text) => Some(Self::Paste(text.replace("\r\n", "\n").replace('\r', "\n"))),
            Event::Mouse(mouse) => Some(Self::Mouse(mouse)),
            Event::Resize(columns, rows) => Some(Self::Resize(columns, rows)),
            Event::FocusGained => Some(Self::FocusGained),
            Event::FocusLost => Some(Self::FocusLost),
        }
    }

    fn replaces(&self, earlier: &Self) -> bool {
        match (self, earlier) {
            (Self::Resize(..), Self::Resize(..)) => true,
            (Self::Mouse(new), Self::Mouse(old)) => {
                new.kind == old.kind
                    && new.modifiers == old.modifiers
                    && matches!(new.kind, MouseEventKind::Drag(_) | MouseEventKind::Moved)
            }
            _ => false,
        }
    }
}

/// Input that waits for its turn. Of several sizes or pointer positions in a row only the newest is kept; keys,
/// pastes, clicks and wheel steps all count.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    waiting: VecDeque<Input>,
}

impl Inbox {
    pub(crate) fn push(&mut self, input: Input) {
        match self.waiting.back_mut() {
            Some(last) if input.replaces(last) => *last = input,
            _ => self.waiting.push_back(input),
        }
    }

    pub(crate) fn pop(&mut self) -> Option<Input> {
        self.waiting.pop_front()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use super::*;
    use crossterm::event::{KeyCode, KeyModifiers, MouseButton};

    fn mouse(kind: MouseEventKind, column: u16) -> Input {
        Input::Mouse(MouseEvent { kind, column, row: 0, modifiers: KeyModifiers::NONE })
    }

    fn key(c: char) -> Input {
        Input::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE))
    }

    #[test]
    fn only_positions_and_sizes_are_replaced() {
        let drag = MouseEventKind::Drag(MouseButton::Left);
        let wheel = MouseEventKind::ScrollDown;
        let table = [
            (vec![Input::Resize(1, 1), Input::Resize(2, 2)], vec![Input::Resize(2, 2)]),
            (vec![key('a'), key('a')], vec![key('a'), key('a')]),
            (vec![mouse(drag, 1), mouse(drag, 2), mouse(drag, 3)], vec![mouse(drag, 3)]),
            (vec![mouse(wheel, 1), mouse(wheel, 1)], vec![mouse(wheel, 1), mouse(wheel, 1)]),
            (vec![mouse(drag, 1), key('a'), mouse(drag, 2)], vec![mouse(drag, 1), key('a'), mouse(drag, 2)]),
        ];
        for (pushed, expected) in table {
            let mut inbox = Inbox::default();
            pushed.iter().cloned().for_each(|input| inbox.push(input));
            let popped: Vec<_> = std::iter::from_fn(|| inbox.pop()).collect();
            assert_eq!(popped, expected, "pushed {pushed:?}");
        }
    }

    #[test]
    fn releases_never_arrive() {
        let with = |kind| Event::Key(KeyEvent::new_with_kind(KeyCode::Char('x'), KeyModifiers::NONE, kind));
        assert!(Input::from_event(with(KeyEventKind::Press)).is_some());
        assert!(Input::from_event(with(KeyEventKind::Repeat)).is_some());
        assert_eq!(Input::from_event(with(KeyEventKind::Release)), None);
    }

    #[test]
    fn pasted_line_ends_become_newlines() {
        assert_eq!(Input::from_event(Event::Paste("a\r\nb\rc\n".into())), Some(Input::Paste("a\nb\nc\n".into())));
    }
}
