//! The palette: actions by what is typed.

use crossterm::event::{KeyCode, KeyEvent};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};

use super::actions::{ACTIONS, Action, Spec};
use super::input::{Typed, typed};
use super::message::Effect;
use super::model::{App, Layer};

/// A match in the title of an action counts for so much more than one in its help.
const TITLE_BONUS: u32 = 100;

impl App {
    /// Actions that the palette shows for what is typed: the best match first.
    pub(crate) fn palette_matches(&self) -> Vec<&'static Spec> {
        let Some(Layer::Palette(palette)) = self.layers.last() else { return Vec::new() };
        let here = |spec: &&Spec| self.is_here(spec.context) && spec.action != Action::Palette;
        let pattern = Pattern::parse(palette.field.text(), CaseMatching::Ignore, Normalization::Smart);
        let mut matcher = super::tools::query::matcher();
        let mut buffer = Vec::new();
        let mut hits: Vec<(u32, &Spec)> = ACTIONS
            .iter()
            .filter(here)
            .filter_map(|spec| {
                let text = format!("{} {}", spec.title, spec.help);
                let score = pattern.score(nucleo_matcher::Utf32Str::new(&text, &mut buffer), &mut matcher)?;
                // What the title says counts for more than what the sentence about it happens to hold.
                let title = pattern.score(nucleo_matcher::Utf32Str::new(spec.title, &mut buffer), &mut matcher);
                Some((score + title.map_or(0, |title| title + TITLE_BONUS), spec))
            })
            .collect();
        hits.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        hits.into_iter().map(|(_, spec)| spec).collect()
    }

    pub(super) fn palette_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let matches = self.palette_matches();
        let Some(Layer::Palette(palette)) = self.layers.last_mut() else { return Vec::new() };
        let last = matches.len().saturating_sub(1);
        match key.code {
            KeyCode::Esc => {
                self.layers.pop();
            }
            KeyCode::Down => palette.cursor = (palette.cursor + 1).min(last),
            KeyCode::Up => palette.cursor = palette.cursor.saturating_sub(1),
            KeyCode::PageDown | KeyCode::End => palette.cursor = last,
            KeyCode::PageUp | KeyCode::Home => palette.cursor = 0,
            KeyCode::Enter => {
                if let Some(hit) = matches.get(palette.cursor) {
                    self.layers.pop();
                    return self.perform(hit.action);
                }
            }
            _ => match typed(&mut palette.field, key) {
                Typed::Changed => palette.cursor = 0,
                Typed::Taken | Typed::Left => {}
            },
        }
        Vec::new()
    }
}
