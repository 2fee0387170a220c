//! What derivation needs to be told.

use std::sync::Arc;

use crate::document::{DocumentSet, Finding, Touch};
use crate::naming::Profile;

/// One API to derive tools from.
#[derive(Clone, Debug)]
pub struct UpstreamInput {
    /// Its name.
    pub name: String,
    /// The prefix of its tools' names.
    pub prefix: Option<String>,
    /// Where it runs, when that is not what the document says.
    pub base_url: Option<String>,
    /// Its documents after overlays.
    pub documents: Arc<DocumentSet>,
    /// What the overlays changed.
    pub touches: Vec<Touch>,
    /// What the readers and the overlays noticed.
    pub findings: Vec<Finding>,
}

/// Which text the model reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DescriptionSource {
    /// `summary`, else `description`.
    #[default]
    Summary,
    /// `description`, else `summary`.
    Description,
    /// Both, with an empty line between.
    Both,
}

/// How a tool's description is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionRules {
    /// Which text.
    pub source: DescriptionSource,
    /// Longest description in code points, the suffix included; 0 is no limit.
    pub max_length: usize,
    /// What a cut description ends with.
    pub suffix: String,
}

impl Default for DescriptionRules {
    fn default() -> Self {
        Self { source: DescriptionSource::Summary, max_length: 1024, suffix: "...".to_owned() }
    }
}

/// How arguments are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ArgumentNames {
    /// As the document calls them.
    #[default]
    AsWritten,
    /// As every client takes them: `[A-Za-z_][A-Za-z0-9_]{0,63}`. `$filter` becomes `filter`; on the wire it stays
    /// what it is.
    Legal,
}

/// Everything that decides over the tools besides the documents.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The naming profile, with the workspace's changes.
    pub profile: Profile,
    /// How descriptions are made.
    pub description: DescriptionRules,
    /// Upper-case methods whose operations are not exposed.
    pub hidden_methods: Vec<String>,
    /// How arguments are called.
    pub arguments: ArgumentNames,
}

impl Settings {
    /// The settings that a profile comes with: HEAD, OPTIONS and TRACE hidden, descriptions of up to 1,024 code points.
    pub fn new(profile: Profile) -> Self {
        let hidden_methods = ["HEAD", "OPTIONS", "TRACE"].map(str::to_owned).to_vec();
        Self { profile, description: DescriptionRules::default(), hidden_methods, arguments: ArgumentNames::AsWritten }
    }
}
