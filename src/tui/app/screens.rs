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
    /// Overlays and their actions.
    Overlays,
    /// Arguments, and what comes of a call.
    Call,
    /// The record of calls.
    Wire,
    /// Cases, and what came of them.
    Smoke,
    /// Tools and targets.
    Targets,
}

impl Screen {
    /// All, in the order of their keys.
    pub const ALL: [Self; 7] =
        [Self::Tools, Self::Findings, Self::Overlays, Self::Call, Self::Wire, Self::Smoke, Self::Targets];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Tools => "Tools",
            Self::Findings => "Findings",
            Self::Overlays => "Overlays",
            Self::Call => "Call",
            Self::Wire => "Wire",
            Self::Smoke => "Smoke",
            Self::Targets => "Targets",
        }
    }
}
