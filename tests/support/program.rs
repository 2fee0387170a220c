//! The program, so that nothing of the machine that runs the tests has a say.

use std::path::Path;
use std::process::{Command, Stdio};

/// The program in a folder, with nothing on its standard input.
pub fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolscope"));
    command.current_dir(folder).env_remove("NO_COLOR").env_remove("TOOLSCOPE_TEST_UNSET").stdin(Stdio::null());
    for variable in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(variable);
    }
    for variable in ["XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
        command.env(variable, folder.join("none"));
    }
    command
}
