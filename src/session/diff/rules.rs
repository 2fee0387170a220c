//! Which change breaks callers, as one table.
//!
//! A change breaks when a prompt, a permission list, a saved call or a program that worked with the old tools does not work
//! with the new ones, or does something else.

use serde::{Serialize, Serializer};

/// Generates the rules with their rows, so that no rule is without one.
macro_rules! rules {
    ($($variant:ident, $id:literal, $breaking:literal, $words:literal, $why:literal;)*) => {
        /// What became of a tool.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = $why] $variant,)*
        }

        /// Every rule, those that break first.
        pub const RULES: &[Rule] = &[$(Rule::$variant,)*];

        impl Rule {
            /// Its stable name in kebab case.
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The code of a finding about it.
            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => concat!("lock-", $id),)* }
            }

            /// Does it break callers?
            pub fn breaking(self) -> bool {
                match self { $(Self::$variant => $breaking,)* }
            }

            /// What happened, in words.
            pub fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }

            /// Why it breaks callers, or does not.
            pub fn why(self) -> &'static str {
                match self { $(Self::$variant => $why,)* }
            }
        }
    };
}

rules! {
    Renamed, "renamed", true, "renamed", "Prompts, permissions and saved calls hold on to the old name.";
    Removed, "removed", true, "removed", "A prompt, permission or saved call that names it finds nothing.";
    Hidden, "hidden", true, "hidden", "The operation is there, and no client gets the tool any more.";
    NameReused, "name-reused", true, "name given to another operation", "A caller that knows the name does something else without noticing.";
    NameConflict, "name-conflict", true, "name claimed twice", "No client can have both tools.";
    ReadOnlyLost, "read-only-lost", true, "is no longer read-only", "Clients that call it without asking will ask, and read-only servers leave it out.";
    ArgumentRemoved, "argument-removed", true, "argument removed", "A call that gives it is refused, or does something else.";
    ArgumentRenamed, "argument-renamed", true, "argument renamed", "A call that gives the old one is refused, or does something else.";
    ArgumentAddedRequired, "argument-added-required", true, "required argument added", "A call that worked lacks it.";
    ArgumentRequired, "argument-required", true, "argument became required", "A call that left it out is refused.";
    ArgumentTypeChanged, "argument-type-changed", true, "argument has another type", "A value that was right is refused.";
    ArgumentTypeNarrowed, "argument-type-narrowed", true, "argument takes fewer types", "Some values that were right are refused.";
    ArgumentEnumNarrowed, "argument-enum-narrowed", true, "argument takes fewer values", "Some values that were right are refused.";
    ArgumentLimitsTightened, "argument-limits-tightened", true, "argument has tighter limits", "Some values that were right are refused.";
    OutputRemoved, "output-removed", true, "output schema removed", "A program that reads structured results gets none.";
    OutputMemberRemoved, "output-member-removed", true, "result lost a member", "A prompt or program that reads it finds nothing.";
    OutputTypeChanged, "output-type-changed", true, "member of the result has another type", "A program that reads it fails.";
    VerdictLost, "verdict-lost", true, "a target does not take it any more", "A client or provider leaves the tool out, or refuses the request.";

    Added, "added", false, "added", "Nobody knew it.";
    Shown, "shown", false, "shown", "Nobody had it.";
    Moved, "moved", false, "moved to another operation", "Callers know the name, and not where it leads.";
    Description, "description", false, "description changed", "Calls stay the same; when a model chooses the tool may not.";
    ArgumentAdded, "argument-added", false, "optional argument added", "Calls without it stay the same.";
    ArgumentOptional, "argument-optional", false, "argument became optional", "Calls with it stay the same.";
    ArgumentTypeWidened, "argument-type-widened", false, "argument takes more types", "All values that were right are still right.";
    ArgumentEnumWidened, "argument-enum-widened", false, "argument takes more values", "All values that were right are still right.";
    ArgumentLimitsLoosened, "argument-limits-loosened", false, "argument has looser limits", "All values that were right are still right.";
    ArgumentChanged, "argument-changed", false, "schema of the argument changed", "What changed cannot be told apart here; compare the documents, or locks made with --full.";
    ArgumentText, "argument-text", false, "texts of the arguments changed", "Calls stay the same; what a model gives may not.";
    OutputAdded, "output-added", false, "output schema added", "Nobody relied on one.";
    OutputMemberAdded, "output-member-added", false, "result has a new member", "Readers of the others do not mind.";
    OutputChanged, "output-changed", false, "output schema changed", "No member went and none has a wholly other type, as far as can be told.";
    Hints, "hints", false, "hints changed", "Clients may ask more or less often before they call.";
    Verdict, "verdict", false, "verdict of a target changed", "The target takes the tool as it did, or takes it now.";
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)]
    use super::*;

    #[test]
    fn breaking_rules_come_first_and_ids_differ() {
        assert!(RULES.windows(2).all(|pair| pair[0].breaking() >= pair[1].breaking()));
        let mut ids: Vec<&str> = RULES.iter().map(|rule| rule.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), RULES.len());
    }
}
