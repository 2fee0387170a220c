//! A small program on the runtime, for `tests/terminal_guard.rs`.

use std::path::PathBuf;
use std::process::ExitCode;

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::widgets::Paragraph;
use toolscope::tui::runtime::{Control, Effects, Input, Kind, Notice, Program, Reply, run};

#[derive(Default)]
struct Demo {
    draws: usize,
    mouse: bool,
    last: String,
    control: Option<Control>,
}

enum Effect {
    Panic,
    Count(u32),
}

struct Worker;

impl Effects<Effect, String> for Worker {
    fn kind(&self, _effect: &Effect) -> Kind {
        Kind::Latest("demo")
    }

    fn run(&self, effect: Effect, reply: Reply<String>) {
        match effect {
            #[allow(clippy::panic)]
            Effect::Panic => panic!("effect went wrong"),
            Effect::Count(to) => {
                for number in 1..=to {
                    if !reply.send(format!("count {number} of {to}")) {
                        break;
                    }
                }
            }
        }
    }
}

impl Demo {
    #[allow(clippy::panic)]
    fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) -> Vec<Effect> {
        self.last = format!("key {code}");
        match code {
            KeyCode::Char('z') if modifiers.contains(KeyModifiers::CONTROL) => self.control = Some(Control::Suspend),
            KeyCode::Char('q') => self.control = Some(Control::Quit),
            KeyCode::Char('m') => self.mouse = !self.mouse,
            KeyCode::Char('c') => self.control = Some(Control::Copy("hello".to_owned())),
            KeyCode::Char('n') => return vec![Effect::Count(1000)],
            KeyCode::Char('e') => {
                let file = PathBuf::from(std::env::var_os("DEMO_FILE").unwrap_or_default());
                self.control = Some(Control::Edit { file, line: Some(3) });
            }
            KeyCode::Char('!') => match std::env::var("TOOLSCOPE_TEST_PANIC").as_deref() {
                Ok("ui") => panic!("screen went wrong"),
                Ok("effect") => return vec![Effect::Panic],
                _ => {}
            },
            _ => {}
        }
        Vec::new()
    }
}

impl Program for Demo {
    type Msg = String;
    type Effect = Effect;

    fn start(&mut self) -> Vec<Effect> {
        self.mouse = true;
        Vec::new()
    }

    fn input(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Key(key) => return self.key(key.code, key.modifiers),
            Input::Paste(text) => self.last = format!("paste {text:?}"),
            Input::Mouse(mouse) => self.last = format!("mouse at {},{}", mouse.column, mouse.row),
            Input::Resize(columns, rows) => self.last = format!("size {columns}x{rows}"),
            Input::FocusGained | Input::FocusLost => {}
        }
        Vec::new()
    }

    fn message(&mut self, msg: String) -> Vec<Effect> {
        self.last = msg;
        Vec::new()
    }

    fn notice(&mut self, notice: Notice) -> Vec<Effect> {
        self.last = format!("notice {notice}");
        Vec::new()
    }

    fn draw(&mut self, frame: &mut ratatui::Frame<'_>) {
        self.draws += 1;
        let text = format!("demo is ready\nlast: {}\ndraws: {}.", self.last, self.draws);
        frame.render_widget(Paragraph::new(text), frame.area());
    }

    fn wants_mouse(&self) -> bool {
        self.mouse
    }

    fn control(&mut self) -> Option<Control> {
        self.control.take()
    }
}

fn main() -> ExitCode {
    match run(&mut Demo::default(), Worker) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(error) => {
            let _written = std::io::Write::write_all(&mut std::io::stderr(), format!("{error}\n").as_bytes());
            ExitCode::FAILURE
        }
    }
}
