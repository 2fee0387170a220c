//! Naming, asked for one operation.

use crate::naming::{self, NameInput, Named};

use super::model::Operation;
use super::settings::Settings;

/// What the name of an operation is made from.
pub(crate) fn input<'a>(operation: &'a Operation, prefix: Option<&'a str>) -> NameInput<'a> {
    NameInput {
        method: &operation.method,
        path: &operation.path,
        operation_id: operation.operation_id.as_deref(),
        name_override: operation.name_override.as_deref(),
        tag: operation.tags.first().map(|tag| &**tag),
        prefix,
    }
}

/// The name before collisions.
pub(crate) fn name(operation: &Operation, prefix: Option<&str>, settings: &Settings) -> Named {
    naming::name(&settings.profile, &input(operation, prefix))
}
