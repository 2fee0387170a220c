//! The workbench of overlays on a real terminal: what is mended by keys alone is in the file, and nothing is lost.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use support::pty::Pty;

const SIZE: (u16, u16) = (120, 40);
const PATIENCE: Duration = Duration::from_secs(60);

/// The demo's files in a folder of their own.
struct Shop {
    folder: tempfile::TempDir,
}

impl Shop {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo");
        for name in ["petstore.yaml", "petstore.overlay.yaml"] {
            fs::copy(demo.join(name), folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn overlay(&self) -> String {
        fs::read_to_string(self.file("petstore.overlay.yaml")).unwrap()
    }

    fn args(&self) -> [String; 3] {
        let path = |name| self.file(name).to_str().unwrap().to_owned();
        [format!("shop={}", path("petstore.yaml")), "--overlay".to_owned(), path("petstore.overlay.yaml")]
    }

    fn start(&self) -> Pty {
        let env = [("XDG_STATE_HOME", self.folder.path().to_str().unwrap())];
        let pty = Pty::spawn(Path::new(env!("CARGO_BIN_EXE_toolscope")), &self.args(), &env, SIZE);
        pty.wait_text("23");
        pty
    }

    /// What the program keeps of what is unsaved.
    fn unsaved(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.file("toolscope/unsaved")) else { return Vec::new() };
        let paths = entries.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect()
    }

    fn check(&self, more: &[&str]) -> (Option<i32>, serde_json::Value) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolscope"));
        command.arg("check").args(self.args()).args(["--format", "json"]).args(more).stdin(Stdio::null());
        let output = command.output().unwrap();
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
    }
}

fn quit(mut pty: Pty) {
    pty.send("q");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
}

fn wait_gone(pty: &Pty, text: &str) {
    pty.wait(&format!("no more {text:?}"), |screen| !screen.contents().contains(text));
}

fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Finds a finding by its filter, and keeps the change that is proposed for it.
fn mend(pty: &Pty, filter: &str, down: &str, proposed: &str, effect: &str, unsaved: &str) {
    pty.send(&format!("/{filter}"));
    pty.wait_text(&format!("/ {filter}"));
    pty.send(&format!("\r{down}f"));
    pty.wait_text(proposed);
    pty.send("\r");
    pty.wait_text(effect);
    pty.send("\r");
    wait_gone(pty, effect);
    // The list is made anew with the tools, and once more with what the targets say.
    pty.wait_text(unsaved);
    wait_gone(pty, "checking targets");
    // What comes right behind Esc would be taken for a key with Alt, so what is seen after it is waited for.
    pty.send("\u{1b}");
    pty.wait("the whole list", |screen| screen.contents().lines().nth(1).is_some_and(|line| line.contains(" all ")));
}

/// The demo's overlay is flawed on purpose; every flaw is mended with keys alone, and the rest of the file stays.
#[test]
fn the_flawed_overlay_is_mended_with_the_keyboard_alone() {
    let shop = Shop::new();
    let before = shop.overlay();
    let (code, found) = shop.check(&[]);
    assert_eq!((code, &found["totals"]["errors"], &found["totals"]["warnings"]), (Some(6), &2.into(), &3.into()));
    let pty = shop.start();
    pty.send("2");
    pty.wait_text("name-conflict");
    wait_gone(&pty, "checking targets");
    mend(
        &pty,
        "code:overlay-no-match",
        "j",
        "matches /paths/~1pets~1{petId}/get",
        "solves 1 finding",
        "1 unsaved +0 ~1 −0",
    );
    mend(
        &pty,
        "code:name-conflict",
        "jj",
        "new name: get_pets_petId_photos",
        "solves 1 conflict; solves 3 findings",
        "1 unsaved +0 ~2 −0",
    );
    mend(&pty, "code:name-truncated", "j", "new name: cancelOrder", "shop__cancelOrder  renamed", "1 unsaved +0 ~3 −0");
    assert_eq!(shop.overlay(), before, "nothing is written before it is saved");
    pty.send("S");
    pty.wait_text("petstore.overlay.yaml is saved");
    wait_gone(&pty, "unsaved");
    quit(pty);
    let after = shop.overlay();
    insta::assert_snapshot!("mended_overlay", after);
    let changed = before.lines().zip(after.lines()).filter(|(old, new)| old != new).count();
    assert_eq!((changed, before.lines().count()), (3, after.lines().count()));
    assert!(shop.unsaved().is_empty());
    let (code, found) = shop.check(&["--fail-on", "info"]);
    assert_eq!((code, &found["findings"]), (Some(0), &serde_json::json!([])));
}

#[test]
fn marked_tools_are_changed_at_once_and_the_change_is_undone() {
    let shop = Shop::new();
    let before = shop.overlay();
    let pty = shop.start();
    pty.send("/tag:users\r");
    pty.wait_text("5 of 23");
    pty.send("gtt");
    pty.wait_text("2 marked");
    pty.send("A");
    pty.wait_text("the 2 marked tools");
    pty.send("\t");
    pty.wait_text("all 5 tools that the filter shows");
    pty.send("h");
    pty.wait_text("+0 ~0 −5 tools");
    pty.wait_text("$.paths.*[?@.tags[?@ == 'users']]");
    pty.send("\r");
    pty.wait_text("15 tools");
    // A broken program is told as it is typed, with its column.
    pty.send("MAo");
    pty.wait_text("jq program");
    pty.send(".items[");
    pty.wait_text("column 7");
    pty.send("]");
    pty.wait_text("it compiles");
    pty.send("\u{1b}");
    pty.wait_text("A change…");
    pty.send("U");
    pty.wait_text("20 tools");
    wait_gone(&pty, "unsaved");
    pty.send("R");
    pty.wait_text("1 unsaved +0 ~0 −5");
    pty.send("S");
    pty.wait_text("is saved");
    pty.send("U");
    pty.wait_text("1 unsaved");
    pty.send("S");
    pty.wait_text("is saved");
    wait_gone(&pty, "unsaved");
    quit(pty);
    assert_eq!(shop.overlay(), before, "undone over the save");
}

/// Renames the first tool without saving.
fn rename_first(pty: &Pty) {
    pty.send("A");
    pty.wait_text("GET /pets");
    pty.send("r");
    pty.wait_text("new name: listPets");
    pty.send("\u{15}pets_list");
    pty.wait_text("new name: pets_list");
    pty.send("\r");
    pty.wait_text("shop__listPets → shop__pets_list");
    pty.send("\r");
    pty.wait_text("1 unsaved");
}

#[test]
fn unsaved_edits_come_back_after_a_kill() {
    let shop = Shop::new();
    let before = shop.overlay();
    let mut pty = shop.start();
    rename_first(&pty);
    wait_for("what is unsaved is kept", || !shop.unsaved().is_empty());
    pty.signal(Signal::KILL);
    pty.wait_exit();
    assert_eq!(shop.overlay(), before);
    let kept = shop.unsaved();
    assert_eq!(fs::metadata(&kept[0]).unwrap().permissions().mode() & 0o777, 0o600);
    let pty = shop.start();
    pty.wait_text("unsaved edits of");
    pty.send("\u{1b}");
    pty.wait_text("kept for the next start");
    quit(pty);
    assert_eq!(shop.unsaved(), kept, "who does not decide is asked again");
    let pty = shop.start();
    pty.wait_text("unsaved edits of");
    pty.send("r");
    pty.wait_text("1 unsaved");
    pty.wait_text("shop__pets_list");
    pty.send("S");
    pty.wait_text("is saved");
    wait_for("what is saved is not kept", || shop.unsaved().is_empty());
    quit(pty);
    assert!(shop.overlay().contains("x-mcp-tool-name: pets_list"));
    let pty = shop.start();
    pty.wait_text("shop__pets_list");
    assert!(!pty.contents().contains("unsaved"), "{}", pty.contents());
    quit(pty);
}

#[test]
fn quitting_asks_and_a_file_changed_by_somebody_else_is_not_overwritten() {
    let shop = Shop::new();
    let mut pty = shop.start();
    rename_first(&pty);
    let theirs = shop.overlay().replace("title: The pet store", "title: Their pet store");
    fs::write(shop.file("petstore.overlay.yaml"), &theirs).unwrap();
    pty.wait_text("was changed by somebody else");
    pty.send("q");
    pty.wait_text("save and quit");
    pty.send("s");
    pty.wait_text("Nothing was overwritten");
    pty.wait_text("Their pet store");
    pty.send("\u{1b}");
    pty.wait_text("as somebody else left it");
    assert_eq!(shop.overlay(), theirs);
    pty.send("S");
    pty.wait_text("take both changes");
    pty.send("m");
    pty.wait_text("has both changes now");
    pty.send("qs");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    pty.assert_restored();
    let merged = shop.overlay();
    assert!(merged.contains("Their pet store") && merged.contains("pets_list"), "{merged}");
    assert!(shop.unsaved().is_empty());
    // Discarding leaves the file as it is.
    let mut pty = shop.start();
    pty.send("Ah");
    pty.wait_text("+0 ~0 −1 tools");
    pty.send("\r");
    pty.wait_text("1 unsaved");
    pty.send("q");
    pty.wait_text("discard and quit");
    pty.send("d");
    assert_eq!(pty.wait_exit().exit_code(), 0);
    assert_eq!(shop.overlay(), merged);
    assert!(shop.unsaved().is_empty());
}

#[test]
fn without_an_overlay_a_new_file_is_begun() {
    let shop = Shop::new();
    let spec = format!("shop={}", shop.file("petstore.yaml").to_str().unwrap());
    let env = [("XDG_STATE_HOME", shop.folder.path().to_str().unwrap())];
    let pty = Pty::spawn(Path::new(env!("CARGO_BIN_EXE_toolscope")), &[spec], &env, SIZE);
    pty.wait_text("23");
    pty.send("Ah");
    pty.wait_text("(new)");
    pty.wait_text("+overlay: 1.1.0".replace('+', "+ ").as_str());
    pty.send("\r");
    pty.wait_text("1 unsaved");
    assert!(!shop.file("shop.overlay.yaml").exists());
    pty.send("S");
    pty.wait_text("--overlay");
    wait_gone(&pty, "unsaved");
    // It stays applied while the program runs; what is proposed next starts from the tools that are shown.
    pty.wait_text("is false at shop.overlay.yaml");
    // What is unsaved is told against the file as it was saved, although no workspace names it.
    pty.send("As");
    pty.wait_text("+1 ~0 −0 tools");
    pty.send("\r");
    pty.wait_text("1 unsaved +1 ~0 −0");
    pty.send("U");
    wait_gone(&pty, "unsaved");
    quit(pty);
    let text = fs::read_to_string(shop.file("shop.overlay.yaml")).unwrap();
    assert!(text.contains("x-mcp-enabled: false"), "{text}");
}
