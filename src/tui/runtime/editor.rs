//! The person's editor: which one, and how it is told the line.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::{Command, Stdio};

/// The editor's command line: `$VISUAL`, else `$EDITOR`, else `vi`.
pub(crate) fn from_environment() -> String {
    ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.trim().is_empty())
        .unwrap_or_else(|| "vi".to_owned())
}

/// What runs the editor on a file, with the terminal as its own. The command line goes through the shell, because
/// people write `code --wait` or quoted paths there.
#[cfg(unix)]
pub(crate) fn command(editor: &str, file: &Path, line: Option<usize>) -> io::Result<Command> {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$@\"")).arg("sh").args(arguments(editor, file, line));
    if !io::stdin().is_terminal() {
        // A document was read from standard input; the keys are elsewhere.
        command.stdin(Stdio::from(std::fs::File::open("/dev/tty")?));
    }
    Ok(command)
}

/// What runs the editor on a file, with the console as its own.
#[cfg(not(unix))]
pub(crate) fn command(editor: &str, file: &Path, line: Option<usize>) -> io::Result<Command> {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("notepad"));
    command.args(words).args(arguments(editor, file, line)).stdin(Stdio::inherit());
    Ok(command)
}

/// The arguments after the editor's own: file and line as this editor wants them. An editor that is not known gets
/// the file alone.
fn arguments(editor: &str, file: &Path, line: Option<usize>) -> Vec<OsString> {
    // A relative name that begins with a dash would be read as an option.
    let file = if file.is_relative() { Path::new(".").join(file) } else { file.to_path_buf() };
    let file = file.into_os_string();
    let with_line = |line: usize| {
        let mut text = file.clone();
        text.push(format!(":{line}"));
        text
    };
    match (program_name(editor), line) {
        ("code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf", Some(line)) => {
            vec!["--goto".into(), with_line(line), "--wait".into()]
        }
        ("code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf", None) => {
            vec![file, "--wait".into()]
        }
        ("subl" | "zed" | "zeditor", line) => vec!["--wait".into(), line.map_or_else(|| file.clone(), with_line)],
        ("hx" | "helix", Some(line)) => vec![with_line(line)],
        (
            "vi" | "vim" | "nvim" | "view" | "ex" | "nvi" | "vis" | "gvim" | "nano" | "pico" | "emacs" | "emacsclient"
            | "kak" | "micro" | "joe" | "jed" | "mg" | "ne" | "mcedit",
            Some(line),
        ) => vec![format!("+{line}").into(), file],
        _ => vec![file],
    }
}

/// `/usr/bin/nvim -p` is `nvim`.
fn program_name(editor: &str) -> &str {
    let word = editor.split_whitespace().next().unwrap_or_default();
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.trim_matches(['"', '\'']);
    name.strip_suffix(".exe").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use super::*;

    #[test]
    fn each_editor_is_told_the_line_in_its_own_way() {
        let table: &[(&str, &str, Option<usize>, &[&str])] = &[
            ("vi", "/a/b.yaml", Some(12), &["+12", "/a/b.yaml"]),
            ("/usr/bin/nvim -p", "/a/b.yaml", Some(12), &["+12", "/a/b.yaml"]),
            ("emacsclient -t", "/a/b.yaml", Some(1), &["+1", "/a/b.yaml"]),
            ("vi", "/a/b.yaml", None, &["/a/b.yaml"]),
            ("code", "/a/b.yaml", Some(3), &["--goto", "/a/b.yaml:3", "--wait"]),
            ("code --wait", "/a/b.yaml", None, &["/a/b.yaml", "--wait"]),
            ("'/opt/code'", "/a/b.yaml", Some(3), &["--goto", "/a/b.yaml:3", "--wait"]),
            ("hx", "/a/b.yaml", Some(3), &["/a/b.yaml:3"]),
            ("subl", "/a/b.yaml", Some(3), &["--wait", "/a/b.yaml:3"]),
            ("my-editor", "/a/b.yaml", Some(3), &["/a/b.yaml"]),
            ("vi", "-rf.yaml", Some(3), &["+3", "./-rf.yaml"]),
        ];
        for (editor, file, line, expected) in table {
            let got = arguments(editor, Path::new(file), *line);
            assert_eq!(got, expected.iter().map(OsString::from).collect::<Vec<_>>(), "{editor} {file} {line:?}");
        }
    }
}
