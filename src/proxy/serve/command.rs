//! How this program was started, for clients that would start it themselves.

use std::path::Path;

/// Arguments that mean nothing to a client.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut<'a> {
    /// Those without a value.
    pub flags: &'a [&'a str],
    /// Those with a value, behind `=` or as the next argument.
    pub options: &'a [&'a str],
}

/// The program and the arguments that it was started with, those left out that mean nothing to a client. Files are named
/// by their whole path: a client starts its servers in a folder of its own. Secrets are as they were written.
pub fn own_command(left_out: &LeftOut<'_>) -> Vec<String> {
    let mut given = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let name = given.next();
    let program = std::env::current_exe().ok().map(|path| path.display().to_string()).or(name);
    let mut command = vec![program.unwrap_or_else(|| "toolscope".to_owned())];
    command.extend(kept(given, left_out));
    command
}

fn kept(given: impl Iterator<Item = String>, left_out: &LeftOut<'_>) -> Vec<String> {
    let mut given = given;
    let mut kept = Vec::new();
    while let Some(argument) = given.next() {
        let name = argument.split_once('=').map_or(argument.as_str(), |(name, _)| name);
        if left_out.options.contains(&name) {
            if name == argument {
                given.next();
            }
        } else if !left_out.flags.contains(&argument.as_str()) {
            kept.push(whole_path(&argument).unwrap_or(argument));
        }
    }
    kept
}

/// The whole path of an argument that is a file.
fn whole_path(argument: &str) -> Option<String> {
    let path = Path::new(argument);
    let is_file = !argument.starts_with('-') && path.is_file();
    let whole = is_file.then(|| std::path::absolute(path).ok()).flatten()?;
    Some(whole.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_mean_nothing_to_a_client_are_left_out_with_their_values() {
        let left_out = LeftOut { flags: &["--ascii"], options: &["--http", "--theme"] };
        let cases: [(&str, &str); 6] = [
            ("serve x.yaml --read-only", "serve x.yaml --read-only"),
            ("serve --http 127.0.0.1:0 x.yaml", "serve x.yaml"),
            ("serve --http=127.0.0.1:0 x.yaml", "serve x.yaml"),
            ("--ascii --theme light --demo", "--demo"),
            ("--themes light --httpx=1", "--themes light --httpx=1"),
            ("x.yaml --http", "x.yaml"),
        ];
        for (given, expected) in cases {
            let kept = kept(given.split(' ').map(str::to_owned), &left_out);
            assert_eq!(kept.join(" "), expected, "{given}");
        }
    }

    #[test]
    fn files_are_named_by_their_whole_path() {
        let whole = std::path::absolute("Cargo.toml").map(|path| path.display().to_string()).ok();
        assert_eq!((whole_path("Cargo.toml"), whole.is_some()), (whole, true));
        assert_eq!((whole_path("no-such-file"), whole_path("src"), whole_path("--Cargo.toml")), (None, None, None));
    }
}
