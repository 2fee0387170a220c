//! The terminal lent to others: to the shell while the process is stopped, to an editor while it runs.

use std::io;
use std::path::{Path, PathBuf};

use tokio::sync::oneshot;

use super::editor;
use super::event_loop::Loop;
use super::exit::Exit;
use super::keyboard::Keyboard;
use super::program::{Notice, Program};
use super::signals::{self, Signal};
use super::terminal;

impl<P: Program> Loop<'_, P> {
    pub(super) async fn suspend(&mut self) -> io::Result<()> {
        if !signals::can_stop() {
            self.tell(Notice::CannotSuspend);
            return Ok(());
        }
        self.hand_over();
        self.continued_by_us = signals::stop_job();
        self.come_back()
    }

    /// Somebody stopped the process without asking (SIGSTOP) and the shell took the terminal: take it again.
    pub(super) fn continued(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.continued_by_us) {
            return Ok(());
        }
        self.hand_over();
        self.come_back()
    }

    pub(super) async fn edit(&mut self, file: PathBuf, line: Option<usize>) -> io::Result<Option<Exit>> {
        self.hand_over();
        let (ended, exit) = self.run_editor(&file, line).await;
        if exit.is_some() {
            return Ok(exit);
        }
        self.come_back()?;
        self.tell(match ended {
            Ok(()) => Notice::Edited { file },
            Err(reason) => Notice::EditFailed { file, reason },
        });
        Ok(None)
    }

    async fn run_editor(&mut self, file: &Path, line: Option<usize>) -> (Result<(), String>, Option<Exit>) {
        let editor = editor::from_environment();
        let spawned = editor::command(&editor, file, line).and_then(|mut command| command.spawn());
        let mut child = match spawned {
            Ok(child) => child,
            Err(error) => return (Err(format!("`{editor}` did not start: {error}")), None),
        };
        let (sender, mut receiver) = oneshot::channel();
        let waiting = std::thread::Builder::new().name("editor".to_owned()).spawn(move || sender.send(child.wait()));
        if let Err(error) = waiting {
            return (Err(format!("cannot wait for `{editor}`: {error}")), None);
        }
        loop {
            tokio::select! {
                ended = &mut receiver => return (judge(&editor, ended), self.forget_typed_signals().await),
                Some(signal) = self.signals.recv() => match signal {
                    // Ctrl-C and Ctrl-\ were typed into the editor and reach the whole job.
                    Signal::End(number) if is_from_keyboard(number) => signals::ignore_end(),
                    Signal::End(number) => return (Ok(()), Some(Exit::Signal(number))),
                    // The editor has stopped itself; the shell waits until we do too.
                    Signal::Stop => { signals::stop_job(); }
                    Signal::Continue | Signal::Resize => {}
                },
            }
        }
    }

    /// Takes the signals that were sent while the editor ran. They come through another thread, so they may arrive after
    /// the editor's end; a signal that is sent now and awaited marks the point.
    async fn forget_typed_signals(&mut self) -> Option<Exit> {
        if !signals::send_mark() {
            return None;
        }
        loop {
            match self.signals.recv().await {
                Some(Signal::End(number)) if !is_from_keyboard(number) => return Some(Exit::Signal(number)),
                Some(Signal::End(_)) => signals::ignore_end(),
                Some(Signal::Stop | Signal::Resize) => {}
                Some(Signal::Continue) | None => return None,
            }
        }
    }

    /// Lets go of keyboard and screen.
    fn hand_over(&mut self) {
        for event in self.keyboard.take().map(Keyboard::stop).unwrap_or_default() {
            self.hear(event);
        }
        terminal::leave();
    }

    fn come_back(&mut self) -> io::Result<()> {
        terminal::enter()?;
        terminal::set_mouse(self.program.wants_mouse())?;
        self.canvas.forget()?;
        self.keyboard = Some(Keyboard::listen()?);
        self.dirty = true;
        Ok(())
    }
}

type Ended = Result<io::Result<std::process::ExitStatus>, oneshot::error::RecvError>;

fn judge(editor: &str, ended: Ended) -> Result<(), String> {
    match ended {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(format!("`{editor}` ended with {status}")),
        Ok(Err(error)) => Err(format!("cannot wait for `{editor}`: {error}")),
        Err(_gone) => Err(format!("nobody waited for `{editor}`")),
    }
}

#[cfg(unix)]
fn is_from_keyboard(number: i32) -> bool {
    use rustix::process::Signal as Number;
    number == Number::INT.as_raw() || number == Number::QUIT.as_raw()
}

#[cfg(not(unix))]
fn is_from_keyboard(_number: i32) -> bool {
    true
}
