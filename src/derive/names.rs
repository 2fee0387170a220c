//! Naming, asked for one operation.

use crate::naming::{self, NameInput, Named};

use super::model::{Catalog, Operation, Tool};
use super::settings::Settings;

impl Operation {
    /// What its name is made from.
    pub fn name_input<'a>(&'a self, prefix: Option<&'a str>) -> NameInput<'a> {
        NameInput {
            method: &self.method,
            path: &self.path,
            operation_id: self.operation_id.as_deref(),
            name_override: self.name_override.as_deref(),
            tag: self.tags.first().map(|tag| &**tag),
            prefix,
        }
    }
}

impl Catalog {
    /// What the name of one of its tools is made from, under any profile.
    pub fn name_input<'a>(&'a self, tool: &'a Tool) -> NameInput<'a> {
        let upstream = self.upstreams.get(tool.upstream);
        tool.operation.name_input(upstream.and_then(|upstream| upstream.prefix.as_deref()))
    }
}

/// The name before collisions.
pub(crate) fn name(operation: &Operation, prefix: Option<&str>, settings: &Settings) -> Named {
    naming::name(&settings.profile, &operation.name_input(prefix))
}
