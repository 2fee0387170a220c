//! Where the program keeps what it remembers of a workspace.

use std::path::PathBuf;

use etcetera::BaseStrategy as _;
use sha2::{Digest as _, Sha256};

use super::resolve::Workspace;

/// The state file of a workspace in the folder `what`; `None` where there is no folder for state. Documents are told apart
/// by what was asked for, of which only a hash is written: an address may hold a secret.
pub fn state_file(workspace: &Workspace, what: &str) -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    let state = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update(text.as_bytes());
        hash.update([0]);
    };
    if workspace.is_demo {
        add("demo");
    } else {
        add(&workspace.folder.to_string_lossy());
        match &workspace.config_path {
            Some(path) => add(&path.to_string_lossy()),
            None => workspace.upstreams.iter().for_each(|upstream| add(&upstream.document.name)),
        }
    }
    let name: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Some(state.join("toolscope").join(what).join(format!("{name}.json")))
}
