//! A mock as a process of its own.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A mock that answers at `url`; it ends with the test.
pub(crate) struct Mock {
    child: Child,
    pub(crate) url: String,
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts `toolscope mock` for a document, or `--demo`, on a free port.
pub(crate) fn mock(document: impl AsRef<OsStr>, args: &[&str]) -> Mock {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolscope"));
    command.arg("mock").arg(document).args(["--http", "127.0.0.1:0"]).args(args);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let url =
        line.split_whitespace().find(|word| word.starts_with("http://")).unwrap_or_else(|| panic!("{line}")).to_owned();
    std::thread::spawn(move || said.lines().map_while(Result::ok).for_each(drop));
    Mock { child, url }
}
