//! The mock that a command starts for its own calls.

use super::failure::Failure;
use crate::proxy::Mock;
use crate::workspace::{Snapshot, Workspace};

/// Do calls go to a mock? The demo has no API but its mock.
pub(super) fn is_wanted(mock: bool, workspace: &Workspace, env: Option<&String>) -> bool {
    mock || (workspace.is_demo && workspace.options.base_url.is_none() && env.is_none())
}

/// The mock, where it is wanted. It ends when it is dropped.
pub(super) async fn start(is_wanted: bool, snapshot: &Snapshot) -> Result<Option<Mock>, Failure> {
    if !is_wanted {
        return Ok(None);
    }
    Mock::local(&snapshot.catalog).await.map(Some).map_err(|error| Failure::Internal(error.to_string()))
}
