//! The map from keys to actions, context by context.

use crossterm::event::KeyEvent;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::key::Key;
use crate::tui::settings::{Settings, SettingsError};

/// The key map that is built in.
pub const DEFAULT: &str = include_str!("default.toml");

/// The context whose keys hold beside those of every other context, unless that one is modal.
pub const GLOBAL: &str = "global";

/// Dots in an action's id.
const DEEPEST: usize = 3;

/// One thing a person can do, as footer, help and palette show it. Its keys are in the key map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionInfo {
    /// Unique, as written in key maps. Dots are allowed: `tools.filter`.
    pub id: &'static str,
    /// Two or three words for the footer and the palette.
    pub title: &'static str,
    /// One sentence for the help.
    pub help: &'static str,
    /// Where its keys hold: [`GLOBAL`], or a part of the screen.
    pub context: &'static str,
}

#[derive(Clone, Debug)]
struct Bound {
    action: &'static str,
    context: &'static str,
    keys: Vec<Key>,
    /// Where the keys come from, for messages.
    origin: String,
}

/// Which key does what. Made from the built-in map and the person's patch.
#[derive(Clone, Debug)]
pub struct Keymap {
    /// In the order of the actions' table.
    bound: Vec<Bound>,
    modal: Vec<String>,
    panes: Vec<String>,
}

impl Keymap {
    /// Reads the built-in map and, over it, the person's file with its name.
    ///
    /// A map is TOML: an action's id and its key or list of keys. In the person's file the keys given replace those of
    /// the built-in map; an empty list takes all away. `modal` lists contexts that never share the screen's keys with
    /// [`GLOBAL`], so that the same key may mean something else there. `panes` lists contexts that hold beside those of
    /// every screen, but never two of them at a time.
    ///
    /// # Errors
    /// The first of: no TOML, unknown action, text that is no key, two actions on one key in one context or in
    /// two that hold at a time; with file and line.
    pub fn from_toml(
        actions: &[ActionInfo],
        defaults: &str,
        patch: Option<(&str, &str)>,
    ) -> Result<Self, SettingsError> {
        let mut map = Self {
            bound: actions
                .iter()
                .map(|action| Bound {
                    action: action.id,
                    context: action.context,
                    keys: Vec::new(),
                    origin: String::new(),
                })
                .collect(),
            modal: Vec::new(),
            panes: Vec::new(),
        };
        let built_in = Settings { name: "built-in key map", text: defaults };
        map.read(built_in)?;
        map.check(built_in)?;
        if let Some((name, text)) = patch {
            let own = Settings { name, text };
            map.read(own)?;
            map.check(own)?;
        }
        Ok(map)
    }

    /// The action of a key. Contexts are tried in the order given, innermost first; [`GLOBAL`] only if it is among them.
    #[must_use]
    pub fn lookup(&self, contexts: &[&str], event: KeyEvent) -> Option<&'static str> {
        let key = Key::from(event);
        contexts.iter().find_map(|context| {
            let hit = self.bound.iter().find(|bound| bound.context == *context && bound.keys.contains(&key));
            hit.map(|bound| bound.action)
        })
    }

    /// The keys of an action as footer and help show them, the main one first.
    #[must_use]
    pub fn keys_for(&self, action: &str) -> Vec<String> {
        self.bound
            .iter()
            .filter(|bound| bound.action == action)
            .flat_map(|bound| bound.keys.iter().map(Key::to_string))
            .collect()
    }

    fn read(&mut self, settings: Settings<'_>) -> Result<(), SettingsError> {
        self.read_table(settings, &settings.parse()?, "")
    }

    /// `prefix` holds the names of the tables around this one. Ids have few dots, so deeper tables are only told apart
    /// from keys, not entered.
    fn read_table(&mut self, settings: Settings<'_>, table: &DeTable<'_>, prefix: &str) -> Result<(), SettingsError> {
        for (name, value) in table {
            let id = format!("{prefix}{}", name.get_ref());
            if id == "modal" || id == "panes" {
                let names = texts(settings, &id, value)?.into_iter().map(|(text, _)| text).collect();
                *(if id == "modal" { &mut self.modal } else { &mut self.panes }) = names;
            } else if let Some(inner) = value.get_ref().as_table()
                && prefix.bytes().filter(|byte| *byte == b'.').count() < DEEPEST
            {
                self.read_table(settings, inner, &format!("{id}."))?;
            } else {
                self.bind(settings, &id, name.span().start, value)?;
            }
        }
        Ok(())
    }

    fn bind(
        &mut self,
        settings: Settings<'_>,
        id: &str,
        offset: usize,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), SettingsError> {
        let Some(bound) = self.bound.iter_mut().find(|bound| bound.action == id) else {
            return Err(settings.error(offset, format!("there is no action `{id}`")));
        };
        bound.keys.clear();
        for (text, offset) in texts(settings, id, value)? {
            let key: Key = text.parse().map_err(|error| settings.error(offset, format!("{id}: {error}")))?;
            if !bound.keys.contains(&key) {
                bound.keys.push(key);
            }
        }
        bound.origin = format!("{}:{}", settings.name, settings.line_at(offset));
        Ok(())
    }

    fn check(&self, settings: Settings<'_>) -> Result<(), SettingsError> {
        for (index, one) in self.bound.iter().enumerate() {
            for other in self.bound.iter().skip(index + 1).filter(|other| self.meet(one.context, other.context)) {
                let Some(key) = one.keys.iter().find(|key| other.keys.contains(key)) else { continue };
                let place = self.later(settings, one, other);
                let message = format!(
                    "`{key}` is bound to both `{}` ({}, {}) and `{}` ({}, {}); give one of them another key, or none: []",
                    one.action, one.context, one.origin, other.action, other.context, other.origin
                );
                return Err(SettingsError { source_name: settings.name.to_owned(), line: place, message });
            }
        }
        Ok(())
    }

    /// The line, in the text just read, of the binding that made the conflict.
    fn later(&self, settings: Settings<'_>, one: &Bound, other: &Bound) -> usize {
        let line = |bound: &Bound| {
            let (name, line) = bound.origin.rsplit_once(':')?;
            if name == settings.name { line.parse::<usize>().ok() } else { None }
        };
        line(one).max(line(other)).unwrap_or(1)
    }

    fn meet(&self, one: &str, other: &str) -> bool {
        let beside_global = |context: &str| !self.modal.iter().any(|modal| modal == context);
        let is_pane = |context: &str| self.panes.iter().any(|pane| pane == context);
        let pane_on_screen = is_pane(one) != is_pane(other) && one != GLOBAL && other != GLOBAL;
        one == other
            || pane_on_screen
            || (one == GLOBAL && beside_global(other))
            || (other == GLOBAL && beside_global(one))
    }
}

/// A string, or a list of strings, each with its offset.
fn texts(
    settings: Settings<'_>,
    id: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<Vec<(String, usize)>, SettingsError> {
    let what = format!("{id}: a key");
    match value.get_ref().as_array() {
        Some(list) => {
            list.iter().map(|item| Ok((settings.text_of(&what, item)?.to_owned(), item.span().start))).collect()
        }
        None => Ok(vec![(settings.text_of(&what, value)?.to_owned(), value.span().start)]),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

    use super::*;
    use crossterm::event::{KeyCode, KeyModifiers};

    const fn action(id: &'static str, context: &'static str) -> ActionInfo {
        ActionInfo { id, title: "", help: "", context }
    }

    const ACTIONS: &[ActionInfo] = &[
        action("quit", GLOBAL),
        action("help", GLOBAL),
        action("tools.filter", "tools"),
        action("tools.open", "tools"),
        action("findings.open", "findings"),
        action("field.accept", "field"),
    ];

    const KEYS: &str = r#"
modal = ["field"]
quit = "q"
help = ["?", "F1"]
[tools]
filter = "/"
open = "Enter"
[findings]
open = "Enter"
[field]
accept = "q"
"#;

    fn event(c: char) -> KeyEvent {
        KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)
    }

    #[test]
    fn the_innermost_context_that_knows_the_key_wins() {
        let map = Keymap::from_toml(ACTIONS, KEYS, None).unwrap();
        let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        assert_eq!(map.lookup(&["tools", GLOBAL], enter), Some("tools.open"));
        assert_eq!(map.lookup(&["findings", GLOBAL], enter), Some("findings.open"));
        assert_eq!(map.lookup(&["tools", GLOBAL], event('q')), Some("quit"));
        assert_eq!(map.lookup(&["tools"], event('q')), None);
        assert_eq!(map.lookup(&["field"], event('q')), Some("field.accept"));
        assert_eq!(map.lookup(&["tools", GLOBAL], event('x')), None);
        assert_eq!(map.keys_for("help"), ["?", "F1"]);
        assert!(map.keys_for("nothing").is_empty());
    }

    #[test]
    fn a_patch_replaces_the_keys_of_the_actions_it_names() {
        let patch = Some(("keys.toml", "quit = []\nhelp = \"q\"\n[tools]\nfilter = [\"f\", \"ctrl-f\", \"f\"]\n"));
        let map = Keymap::from_toml(ACTIONS, KEYS, patch).unwrap();
        assert_eq!(map.lookup(&[GLOBAL], event('q')), Some("help"));
        assert_eq!(map.lookup(&[GLOBAL], event('?')), None);
        assert!(map.keys_for("quit").is_empty());
        assert_eq!(map.keys_for("tools.filter"), ["f", "ctrl-f"]);
        assert_eq!(map.keys_for("tools.open"), ["Enter"]);
    }

    #[test]
    fn a_pane_shares_the_keys_with_screens_and_not_with_panes() {
        const SHARED: &[ActionInfo] =
            &[action("open", "list"), action("toggle", "detail"), action("sort", "tools"), action("fold", "findings")];
        let keys = "panes = [\"list\", \"detail\"]\nopen = \"Enter\"\ntoggle = \"Enter\"\nsort = \"s\"\nfold = \"s\"\n";
        let map = Keymap::from_toml(SHARED, keys, None).unwrap();
        let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        assert_eq!(map.lookup(&["detail", "tools"], enter), Some("toggle"));
        let error = Keymap::from_toml(SHARED, keys, Some(("keys.toml", "\nsort = \"Enter\""))).unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.message.contains("`Enter` is bound to both `open`"), "{error}");
    }

    #[test]
    fn errors_name_file_line_and_cause() {
        let table = [
            ("quit = \"x\"\nqiut = \"y\"", 2, "there is no action `qiut`"),
            ("[tools]\nshut = \"y\"", 2, "there is no action `tools.shut`"),
            ("help = [\n \"h\",\n \"Entre\"]", 3, "help: `Entre` is not a key"),
            ("help = \"shift-h\"", 1, "write the character that shift produces"),
            ("help = 3", 1, "help: a key must be a string, not integer"),
            ("help = [3]", 1, "help: a key must be a string, not integer"),
            ("quit = \"x\"\nhelp = ", 2, ""),
            (
                "\nhelp = \"q\"",
                2,
                "`q` is bound to both `quit` (global, built-in key map:3) and `help` (global, keys.toml:2)",
            ),
            ("quit = \"x\"\n[tools]\nfilter = \"x\"", 3, "`x` is bound to both `quit`"),
            ("[tools]\nfilter = \"Enter\"", 2, "`Enter` is bound to both `tools.filter`"),
            ("modal = []", 1, "`q` is bound to both `quit`"),
        ];
        for (text, line, message) in table {
            let error = Keymap::from_toml(ACTIONS, KEYS, Some(("keys.toml", text))).unwrap_err();
            assert_eq!((error.source_name.as_str(), error.line), ("keys.toml", line), "{text}: {error}");
            assert!(error.message.contains(message), "{text}: {error}");
        }
    }
}
