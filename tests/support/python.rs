//! A Python with a package of its own, for a test that asks an implementation that is not ours.
#![allow(dead_code, unreachable_pub, missing_docs)]
#![allow(clippy::unwrap_used)]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The exit code of a child, or `None` when it was killed because it took too long.
pub fn wait(child: &mut Child, limit: Duration) -> Option<i32> {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Reads a pipe to its end, so that the child never waits for a reader.
pub fn drain(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

/// Runs a command that may not take longer.
pub fn run_for(command: &mut Command, limit: Duration) -> Option<Output> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()?;
    let out = drain(child.stdout.take().unwrap());
    let err = drain(child.stderr.take().unwrap());
    wait(&mut child, limit)?;
    let status = child.wait().ok()?;
    Some(Output { status, stdout: out.join().unwrap(), stderr: err.join().unwrap() })
}

/// A Python in `folder` (under the target folder) for which the code `probe` works; the package is installed on the
/// first run, which may take `limit`. `None` where that cannot be.
pub fn python(folder: &str, probe: &str, package: &str, limit: Duration) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let python = folder.join("bin/python");
    let works = || {
        let mut command = Command::new(&python);
        command.args(["-c", probe]);
        run_for(&mut command, Duration::from_secs(60)).is_some_and(|output| output.status.success())
    };
    if works() {
        return Some(python);
    }
    let mut make = Command::new("python3");
    make.args(["-m", "venv"]).arg(&folder);
    run_for(&mut make, Duration::from_secs(120)).filter(|output| output.status.success())?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    install.args(["--retries", "0", "--timeout", "10", package]);
    run_for(&mut install, limit).filter(|output| output.status.success())?;
    works().then_some(python)
}
