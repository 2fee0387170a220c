//! The screens that there are.

/// What the program shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Screen {
    /// The tools, and one of them in detail.
    #[default]
    Tools,
    /// Conflicts and findings.
    Findings,
    /// Tools and targets.
    Targets,
}

impl Screen {
    /// All, in the order of their keys.
    pub const ALL: [Self; 3] = [Self::Tools, Self::Findings, Self::Targets];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Tools => "Tools",
            Self::Findings => "Findings",
            Self::Targets => "Targets",
        }
    }
}
