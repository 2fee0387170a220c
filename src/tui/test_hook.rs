//! A way for tests to make the real program panic, so that they can look at the terminal afterwards. Not in releases.

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::app::{App, Effect, Msg};
use super::runtime::{Control, Effects, Input, Kind, Notice, Program, Reply};

/// Where `!` panics; from `TOOLSCOPE_TEST_PANIC`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// On the screen's thread.
    Screen,
    /// In an effect.
    Effect,
}

impl Place {
    /// `ui` or `effect` in the environment; `None` when nothing is asked for.
    pub(super) fn asked() -> Option<Self> {
        match std::env::var("TOOLSCOPE_TEST_PANIC").ok()?.as_str() {
            "ui" => Some(Self::Screen),
            "effect" => Some(Self::Effect),
            _ => None,
        }
    }
}

/// The program with the hook.
pub(super) struct Hooked {
    pub(super) app: App,
    pub(super) place: Place,
}

/// What the program wants done, or a panic.
pub(super) enum HookedEffect {
    /// The program's own.
    Own(Effect),
    /// A panic.
    Panic,
}

fn own(effects: Vec<Effect>) -> Vec<HookedEffect> {
    effects.into_iter().map(HookedEffect::Own).collect()
}

#[expect(clippy::panic, reason = "panicking is what it is for")]
fn go_wrong(what: &str) {
    panic!("{what} went wrong");
}

impl Program for Hooked {
    type Msg = Msg;
    type Effect = HookedEffect;

    fn start(&mut self) -> Vec<HookedEffect> {
        own(self.app.start())
    }

    fn input(&mut self, input: Input) -> Vec<HookedEffect> {
        let asked = matches!(input, Input::Key(KeyEvent { code: KeyCode::Char('!'), .. }));
        match self.place {
            Place::Screen if asked => {
                go_wrong("screen");
                Vec::new()
            }
            Place::Effect if asked => vec![HookedEffect::Panic],
            _ => own(self.app.input(input)),
        }
    }

    fn message(&mut self, msg: Msg) -> Vec<HookedEffect> {
        own(self.app.message(msg))
    }

    fn notice(&mut self, notice: Notice) -> Vec<HookedEffect> {
        own(self.app.notice(notice))
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        self.app.draw(frame);
    }

    fn wants_mouse(&self) -> bool {
        self.app.wants_mouse()
    }

    fn control(&mut self) -> Option<Control> {
        self.app.control()
    }
}

/// The effects with the hook.
pub(super) struct HookedEffects<T>(pub(super) T);

impl<T: Effects<Effect, Msg>> Effects<HookedEffect, Msg> for HookedEffects<T> {
    fn kind(&self, effect: &HookedEffect) -> Kind {
        match effect {
            HookedEffect::Own(effect) => self.0.kind(effect),
            HookedEffect::Panic => Kind::Each,
        }
    }

    fn run(&self, effect: HookedEffect, reply: Reply<Msg>) {
        match effect {
            HookedEffect::Own(effect) => self.0.run(effect, reply),
            HookedEffect::Panic => go_wrong("effect"),
        }
    }
}
