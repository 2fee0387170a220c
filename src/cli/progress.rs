//! A bar on standard error while something runs; only where that is a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// It is drawn no more often.
const PAUSE: Duration = Duration::from_millis(80);
/// Cells of the bar.
const WIDTH: usize = 30;

/// The bar.
pub(super) struct Progress {
    shown: bool,
    drawn: Option<Instant>,
    is_on_screen: bool,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self { shown: std::io::stderr().is_terminal(), drawn: None, is_on_screen: false }
    }

    /// Draws how far it is; words stand behind the bar.
    pub(super) fn draw(&mut self, done: usize, total: usize, words: &str) {
        if !self.shown || self.drawn.is_some_and(|drawn| drawn.elapsed() < PAUSE) {
            return;
        }
        self.drawn = Some(Instant::now());
        self.is_on_screen = true;
        // Nothing is left to be done when standard error is closed.
        let _ = write!(std::io::stderr(), "\r\u{1b}[2K{}", bar(done, total, words));
        let _ = std::io::stderr().flush();
    }

    /// Takes it off the screen, before something else is written.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.is_on_screen) {
            let _ = write!(std::io::stderr(), "\r\u{1b}[2K");
            let _ = std::io::stderr().flush();
            self.drawn = None;
        }
    }
}

fn bar(done: usize, total: usize, words: &str) -> String {
    let filled = (done * WIDTH).checked_div(total).unwrap_or(WIDTH).min(WIDTH);
    format!("[{}{}] {done}/{total}{words}", "#".repeat(filled), "-".repeat(WIDTH - filled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills() {
        let cases = [
            (0, 4, "[------------------------------] 0/4"),
            (2, 4, "[###############---------------] 2/4"),
            (4, 4, "[##############################] 4/4"),
            (0, 0, "[##############################] 0/0"),
        ];
        for (done, total, expected) in cases {
            assert_eq!(bar(done, total, ""), expected);
        }
    }
}
