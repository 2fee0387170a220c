//! Whoever follows the README gets what it shows: every command in it is run, every output in it is compared, and the
//! pictures of the screen are what the program draws.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "readme/blocks.rs"]
mod blocks;
mod support;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use blocks::{Block, blocks, picture, shell_lines, words};
use rustix::process::{Pid, Signal, kill_process};
use support::pty::Pty;
use toolscope::tui::app::actions::{ACTIONS, Context, infos};
use toolscope::tui::keymap::{DEFAULT, Keymap};

const PROGRAM: &str = env!("CARGO_BIN_EXE_toolscope");

/// Commands that say what they found with an exit code of their own.
const NOT_ZERO: &[(&str, i32)] =
    &[("toolscope check --demo", 6), ("toolscope diff old.yaml new.yaml --format markdown", 6)];

/// What the README calls overlay.yaml.
const OVERLAY: &str = "\
overlay: 1.0.0
info: {title: Names, version: 1.0.0}
actions:
  - target: $.paths['/pets'].post
    update: {x-mcp-tool-name: add_pet}
";

/// Commands that set things up, which the checks of the project do by themselves.
const SET_UP: &[&str] = &["cargo run --release", "cargo test", "cargo install --path ."];

fn readme() -> Vec<Block> {
    blocks(&fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap())
}

/// A folder with the files that the README's commands name, and those that it shows: the first line of such a block is its
/// name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo");
    let spec = fs::read_to_string(demo.join("petstore.yaml")).unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("openapi.yaml", &spec);
    write("old.yaml", &spec);
    write("new.yaml", &spec.replace("operationId: getPet\n", "operationId: getOnePet\n"));
    write("overlay.yaml", OVERLAY);
    for block in readme() {
        let first = block.text.lines().next().and_then(|line| line.strip_prefix("# "));
        if let Some(name) = first.filter(|name| name.ends_with(".yaml") || name.ends_with(".toml")) {
            write(name, &block.text);
        }
    }
    // The commands that need something from before.
    for command in ["check openapi.yaml --write-baseline known.json", "lock openapi.yaml"] {
        let made = program(folder.path(), &format!("toolscope {command}")).output().unwrap();
        assert!(made.status.success(), "{command}: {}", String::from_utf8_lossy(&made.stderr));
    }
    folder
}

/// Ready to run in the folder, with nothing of whoever tests.
fn program(folder: &Path, command: &str) -> Command {
    let mut program = Command::new(PROGRAM);
    program.args(words(command).into_iter().skip(1)).current_dir(folder).stdin(Stdio::null());
    program
        .env_remove("NO_COLOR")
        .env("XDG_CONFIG_HOME", folder.join("none"))
        .env("XDG_STATE_HOME", folder.join("state"));
    program
}

/// The subcommands that there are, from the program's own help.
fn subcommands() -> BTreeSet<String> {
    let help = Command::new(PROGRAM).arg("--help").output().unwrap();
    let text = String::from_utf8(help.stdout).unwrap();
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| line.starts_with(' '));
    let names = listed.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let found: BTreeSet<String> = names.filter_map(|line| line.split(' ').next().map(str::to_owned)).collect();
    assert!(found.contains("list") && found.contains("serve"), "{text}");
    found
}

#[test]
fn every_command_runs() {
    let known = subcommands();
    let mut shown = BTreeSet::new();
    for command in readme().iter().filter(|block| block.language == "sh").flat_map(|block| shell_lines(&block.text)) {
        if SET_UP.contains(&command.as_str()) {
            continue;
        }
        let words = words(&command);
        assert_eq!(words[0], "toolscope", "neither run nor known as set-up: {command}");
        let folder = folder();
        match words.get(1).map(String::as_str) {
            Some("serve" | "mock") => goes_on_until_told(folder.path(), &command),
            Some(name) if known.contains(name) => ends(folder.path(), &command),
            _ => opens_the_screen(folder.path(), &words[1..]),
        }
        shown.extend(words.get(1).cloned());
    }
    let missing: Vec<_> = known.iter().filter(|name| *name != "help" && !shown.contains(*name)).collect();
    assert!(missing.is_empty(), "commands that the README does not show: {missing:?}");
}

fn ends(folder: &Path, command: &str) {
    let output = program(folder, command).output().unwrap();
    let expected = NOT_ZERO.iter().find(|(known, _)| *known == command).map_or(0, |(_, code)| *code);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(expected), "{command}\n{said}");
}

/// Starts a server, on a port of its own where the line names one, and ends it.
fn goes_on_until_told(folder: &Path, command: &str) {
    let stdio = command.contains("--stdio");
    let command = match command.split_once("--http") {
        Some((before, after)) => {
            format!("{before} --http 0 {}", after.trim_start().split_once(' ').map_or("", |rest| rest.1))
        }
        None if stdio => command.to_owned(),
        None => format!("{command} --http 0"),
    };
    let mut child = program(folder, &command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    if !stdio {
        let mut heard = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(heard.any(|line| line.unwrap().contains("http://127.0.0.1:")), "{command} says no address");
        // The rest is read on, so that the program never waits for a reader.
        std::thread::spawn(move || heard.for_each(drop));
        kill_process(Pid::from_raw(child.id().try_into().unwrap()).unwrap(), Signal::TERM).unwrap();
    }
    let code = child.wait().unwrap().code();
    assert!(code == Some(0) || code == Some(143), "{command} ended with {code:?}");
}

fn opens_the_screen(folder: &Path, args: &[String]) {
    let home = folder.to_str().unwrap();
    let args: Vec<String> =
        args.iter().map(|arg| if folder.join(arg).is_file() { format!("{home}/{arg}") } else { arg.clone() }).collect();
    let mut pty = Pty::spawn(Path::new(PROGRAM), &args, &[], (100, 30));
    pty.wait_text("1 Tools");
    pty.wait_text("all 2");
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
}

#[test]
fn every_output_is_what_the_program_prints() {
    let folder = folder();
    let mut compared = 0;
    for block in readme().iter().filter(|block| block.language == "console") {
        let mut lines = block.text.lines().peekable();
        while let Some(line) = lines.next() {
            let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("no command before {line:?}"));
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                expected.push(line.trim_end());
            }
            let output = program(folder.path(), command).output().unwrap();
            let mut printed = String::from_utf8(output.stdout).unwrap();
            printed.push_str(&String::from_utf8(output.stderr).unwrap());
            assert!(blocks::matches(&expected, &printed), "{command} prints now:\n{printed}");
            compared += 1;
        }
    }
    assert!(compared > 0, "the README shows no output");
}

#[test]
fn every_picture_is_what_the_screen_shows() {
    let mut compared = 0;
    for block in readme() {
        let Some(picture) = picture(&block.note) else { continue };
        let pty = Pty::spawn(Path::new(PROGRAM), &["--demo"], &[], picture.size);
        pty.wait_text("all 2");
        for step in picture.steps.chunks(2) {
            pty.send(&step[0]);
            step.get(1).into_iter().for_each(|text| pty.wait_text(text));
        }
        let drawn = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        let wanted = drawn(&block.text);
        pty.wait(&format!("such screen as the README has:\n{wanted}\n"), |screen| drawn(&screen.contents()) == wanted);
        compared += 1;
    }
    assert!(compared > 0, "the README has no picture");
}

/// The table of actions as the README has it, for each context.
fn key_tables() -> String {
    let keymap = Keymap::from_toml(&infos(), DEFAULT, None).unwrap();
    let mut text = String::new();
    for context in Context::ALL {
        writeln!(text, "| {} | | name |\n| --- | --- | --- |", context.title().to_lowercase()).unwrap();
        for spec in ACTIONS.iter().filter(|spec| spec.context == context) {
            let keys: Vec<String> = keymap.keys_for(spec.id).iter().map(|key| format!("`{key}`")).collect();
            writeln!(text, "| {} | {} | `{}` |", keys.join(" "), spec.help, spec.id).unwrap();
        }
        text.push('\n');
    }
    text
}

#[test]
fn every_key_is_in_the_readme() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let wanted = key_tables();
    assert!(wanted.contains("| `q` |"), "{wanted}");
    assert!(readme.contains(&wanted), "the README's keys are to be:\n{wanted}");
}

#[test]
fn the_workspace_file_is_read_without_a_finding_about_itself() {
    let folder = folder();
    let file =
        readme().into_iter().find(|block| block.language == "yaml" && block.text.starts_with("naming:")).unwrap();
    fs::write(folder.path().join("toolscope.yaml"), &file.text).unwrap();
    for name in ["names.overlay.yaml", "safety.overlay.yaml"] {
        fs::write(folder.path().join(name), OVERLAY).unwrap();
    }
    let output = program(folder.path(), "toolscope check --format json --fail-on never").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let codes: Vec<&str> = said["findings"].as_array().unwrap().iter().filter_map(|it| it["code"].as_str()).collect();
    assert!(!codes.iter().any(|code| code.starts_with("config")), "{codes:?}");
    let smoke = program(folder.path(), "toolscope smoke --mock --no-generated").output().unwrap();
    assert!(smoke.status.success(), "{}", String::from_utf8_lossy(&smoke.stdout));
}
