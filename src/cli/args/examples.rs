//! What `--help` shows at its end. Every line that starts with `  toolscope` is parsed by a test.

pub(super) const MAIN: &str = "\
Without a command the screen starts.

Examples:
  toolscope --demo                                     the built-in pet store
  toolscope openapi.yaml --overlay overlay.yaml        a document with an overlay
  toolscope eu=eu.yaml us=us.yaml                      two APIs, each with a prefix

Exit codes: 0 ok, 1 internal, 2 usage, 3 authentication, 4 unreachable or timed out, 5 tool error, 6 findings, \
130 interrupted.";

pub(super) const LIST: &str = "\
Examples:
  toolscope list --demo
  toolscope list openapi.yaml --prefix shop --format json
  toolscope list openapi.yaml --format markdown
  toolscope list openapi.yaml --format mcp             what an MCP client gets";

pub(super) const EXPLAIN: &str = "\
Examples:
  toolscope explain getPet --demo
  toolscope explain 'GET /pets/{petId}' openapi.yaml --format json";

pub(super) const CHECK: &str = "\
Examples:
  toolscope check --demo
  toolscope check openapi.yaml --overlay overlay.yaml --target claude-code:shop --fail-on warning
  toolscope check openapi.yaml --format sarif          for code scanning; also github, junit, json
  toolscope check openapi.yaml --lock toolscope.lock.json
  toolscope check openapi.yaml --write-baseline known.json
  toolscope check openapi.yaml --baseline known.json   only what is new";

pub(super) const PROFILES: &str = "\
Examples:
  toolscope profiles
  toolscope profiles conduit";

pub(super) const TARGETS: &str = "\
Examples:
  toolscope targets
  toolscope targets cursor --format json";

pub(super) const CALL: &str = "\
Examples:
  toolscope call shop__getPet --demo --arg petId=7
  toolscope call getPet openapi.yaml --arg petId=7 --dry-run
  toolscope call createPet openapi.yaml --args @pet.json --env staging --format json";

pub(super) const SERVE: &str = "\
Examples:
  toolscope serve openapi.yaml --overlay overlay.yaml
  toolscope serve openapi.yaml --stdio --read-only
  toolscope serve --demo --mock --http 0";

pub(super) const MOCK: &str = "\
Examples:
  toolscope mock openapi.yaml
  toolscope mock openapi.yaml --http 8809 --delay 200ms --fault reset:5%";

pub(super) const LOCK: &str = "\
Examples:
  toolscope lock openapi.yaml                          writes toolscope.lock.json
  toolscope lock openapi.yaml --target claude-code:shop --full -o tools.json
  toolscope lock --demo -o -";

pub(super) const DIFF: &str = "\
Examples:
  toolscope diff toolscope.lock.json openapi.yaml      a lock file and the present
  toolscope diff old.yaml new.yaml --format markdown   two documents
  toolscope diff ../main/toolscope.yaml                another workspace file and that of this folder
  toolscope diff --rules                               what breaks callers, and why";

pub(super) const INIT: &str = "\
Examples:
  toolscope init openapi.yaml
  toolscope init https://api.example.com/openapi.json --prefix shop -o shop.yaml";

pub(super) const DOCTOR: &str = "\
Examples:
  toolscope doctor --demo
  toolscope doctor shop --env staging                  one upstream of the workspace file
  toolscope doctor openapi.yaml --base-url http://127.0.0.1:8080 --format json";

pub(super) const COMPLETIONS: &str = "\
Examples:
  toolscope completions bash                           > ~/.local/share/bash-completion/completions/toolscope
  toolscope completions zsh                            > ~/.zfunc/_toolscope
  toolscope completions fish                           > ~/.config/fish/completions/toolscope.fish";

pub(super) const MAN: &str = "\
Examples:
  toolscope man                                        the main page, to be piped into a viewer
  toolscope man ~/.local/share/man/man1                a page for each command";

pub(super) const OVERLAY_APPLY: &str = "\
Examples:
  toolscope overlay apply openapi.yaml --overlay overlay.yaml -o out.yaml";

pub(super) const OVERLAY_CHECK: &str = "\
Examples:
  toolscope overlay check openapi.yaml --overlay overlay.yaml --strict
  toolscope overlay check new.yaml --overlay overlay.yaml --since old.yaml --retarget --dry-run
  toolscope overlay check --demo --format json";

pub(super) const OVERLAY_ADD: &str = "\
Examples:
  toolscope overlay add overlay.yaml rename listPets all_pets --spec openapi.yaml
  toolscope overlay add overlay.yaml hide 'DELETE /pets/{petId}' --spec openapi.yaml --dry-run";

pub(super) const OVERLAY_FIX: &str = "\
Examples:
  toolscope overlay fix openapi.yaml --overlay overlay.yaml --dry-run
  toolscope overlay fix openapi.yaml --overlay overlay.yaml --code overlay-no-match";

pub(super) const OVERLAY_MAKE: &str = "\
Examples:
  toolscope overlay make old.yaml new.yaml -o changes.overlay.yaml";

pub(super) const OVERLAY_DIFF: &str = "\
Examples:
  toolscope overlay diff openapi.yaml --overlay overlay.yaml
  toolscope overlay diff --demo --tools --format json";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use clap::{CommandFactory as _, Parser as _};

    use crate::cli::args::Cli;

    /// Words of a line; quotes keep words together; what stands after three spaces is a remark.
    fn words(line: &str) -> Vec<String> {
        let line = line.trim().split("   ").next().unwrap_or_default();
        let parts = line.split('\'').enumerate();
        let words = parts.flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        words.collect()
    }

    fn examine(command: &clap::Command, found: &mut usize) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let lines: Vec<&str> = help.lines().filter(|line| line.starts_with("  toolscope")).collect();
        let is_leaf = command.get_subcommands().next().is_none();
        assert!(!is_leaf || !lines.is_empty(), "{} has no example", command.get_name());
        for line in lines {
            *found += 1;
            if let Err(error) = Cli::try_parse_from(words(line)) {
                panic!("{line}: {error}");
            }
        }
        command.get_subcommands().for_each(|inner| examine(inner, found));
    }

    #[test]
    fn every_command_has_examples_and_all_of_them_are_understood() {
        let mut found = 0;
        examine(&Cli::command(), &mut found);
        assert!(found > 40, "{found}");
    }
}
