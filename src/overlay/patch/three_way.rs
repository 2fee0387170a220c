//! Two texts that were made from one: what each changed, and where they disagree.

use similar::{DiffOp, TextDiff};

/// A run of lines, each with its line break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// As it was, in both.
    Kept(String),
    /// Changed here only.
    Mine {
        /// As it was.
        base: String,
        /// As it is here.
        mine: String,
    },
    /// Changed there only.
    Theirs {
        /// As it was.
        base: String,
        /// As it is there.
        theirs: String,
    },
    /// Changed in both, in the same way.
    Both {
        /// As it was.
        base: String,
        /// As it is in both.
        now: String,
    },
    /// Changed in both, in different ways.
    Conflict {
        /// As it was.
        base: String,
        /// As it is here.
        mine: String,
        /// As it is there.
        theirs: String,
    },
}

/// The view of a file that was changed here and by somebody else: `base` is the text that both started from.
pub fn three_way(base: &str, mine: &str, theirs: &str) -> Vec<Chunk> {
    let (lines, my_lines, their_lines) = (split(base), split(mine), split(theirs));
    let (in_mine, in_theirs) = (partners(base, mine, lines.len()), partners(base, theirs, lines.len()));
    let both = |at: usize| Some((at, (*in_mine.get(at)?)?, (*in_theirs.get(at)?)?));
    let mut chunks = Vec::new();
    let (mut b, mut m, mut t) = (0, 0, 0);
    loop {
        // The lines that are the same in all three.
        let kept = (b..lines.len()).take_while(|at| both(*at) == Some((*at, m + at - b, t + at - b))).count();
        if kept > 0 {
            chunks.push(Chunk::Kept(lines.get(b..b + kept).unwrap_or_default().concat()));
            (b, m, t) = (b + kept, m + kept, t + kept);
        }
        let next = (b..lines.len()).find_map(both).unwrap_or((lines.len(), my_lines.len(), their_lines.len()));
        let part = |lines: &[&str], from: usize, to: usize| lines.get(from..to).unwrap_or_default().concat();
        let (old, mine, theirs) = (part(&lines, b, next.0), part(&my_lines, m, next.1), part(&their_lines, t, next.2));
        if old.is_empty() && mine.is_empty() && theirs.is_empty() {
            return chunks;
        }
        chunks.push(changed(old, mine, theirs));
        (b, m, t) = next;
    }
}

/// The text with the changes of both; `None` when they disagree somewhere.
pub fn merged(chunks: &[Chunk]) -> Option<String> {
    let text = |chunk: &Chunk| match chunk {
        Chunk::Kept(text) => Some(text.clone()),
        Chunk::Mine { mine, .. } => Some(mine.clone()),
        Chunk::Theirs { theirs, .. } => Some(theirs.clone()),
        Chunk::Both { now, .. } => Some(now.clone()),
        Chunk::Conflict { .. } => None,
    };
    chunks.iter().map(text).collect()
}

fn changed(base: String, mine: String, theirs: String) -> Chunk {
    if mine == theirs {
        return Chunk::Both { base, now: mine };
    }
    if base == theirs {
        return Chunk::Mine { base, mine };
    }
    if base == mine {
        return Chunk::Theirs { base, theirs };
    }
    Chunk::Conflict { base, mine, theirs }
}

fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// For each line of the first text the same line in the second one, if it is there.
fn partners(base: &str, other: &str, count: usize) -> Vec<Option<usize>> {
    let (old, new) = (split(base), split(other));
    let diff = TextDiff::from_slices(&old, &new);
    let mut partners = vec![None; count];
    for operation in diff.ops() {
        if let DiffOp::Equal { old_index, new_index, len } = operation {
            for at in 0..*len {
                if let Some(slot) = partners.get_mut(old_index + at) {
                    *slot = Some(new_index + at);
                }
            }
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn changes_of_both_are_told_apart() {
        let base = "a\nb\nc\nd\ne\n";
        let chunks = three_way(base, "a\nB\nc\nd\ne\nmine\n", "0\na\nb\nc\nD\ne\n");
        let text = |text: &str| text.to_owned();
        let expected = [
            Chunk::Theirs { base: text(""), theirs: text("0\n") },
            Chunk::Kept(text("a\n")),
            Chunk::Mine { base: text("b\n"), mine: text("B\n") },
            Chunk::Kept(text("c\n")),
            Chunk::Theirs { base: text("d\n"), theirs: text("D\n") },
            Chunk::Kept(text("e\n")),
            Chunk::Mine { base: text(""), mine: text("mine\n") },
        ];
        assert_eq!(chunks, expected);
        assert_eq!(merged(&chunks).as_deref(), Some("0\na\nB\nc\nD\ne\nmine\n"));
        let conflict = three_way(base, "a\nb\nx\nd\ne\n", "a\nb\ny\nd\ne\n");
        assert!(matches!(conflict.as_slice(), [_, Chunk::Conflict { .. }, _]), "{conflict:?}");
        assert_eq!(merged(&conflict), None);
        assert_eq!(three_way("", "", ""), []);
    }

    fn lines() -> impl Strategy<Value = String> {
        prop::collection::vec("[a-d]", 0..8).prop_map(|lines| lines.join("\n"))
    }

    proptest! {
        #[test]
        fn nothing_of_the_three_is_lost(base in lines(), mine in lines(), theirs in lines()) {
            let chunks = three_way(&base, &mine, &theirs);
            let join = |pick: &dyn Fn(&Chunk) -> String| chunks.iter().map(pick).collect::<String>();
            let of_base = join(&|chunk| match chunk {
                Chunk::Kept(text) => text.clone(),
                Chunk::Mine { base, .. } | Chunk::Theirs { base, .. } => base.clone(),
                Chunk::Both { base, .. } | Chunk::Conflict { base, .. } => base.clone(),
            });
            let of_mine = join(&|chunk| match chunk {
                Chunk::Kept(text) | Chunk::Both { now: text, .. } => text.clone(),
                Chunk::Mine { mine, .. } | Chunk::Conflict { mine, .. } => mine.clone(),
                Chunk::Theirs { base, .. } => base.clone(),
            });
            let of_theirs = join(&|chunk| match chunk {
                Chunk::Kept(text) | Chunk::Both { now: text, .. } => text.clone(),
                Chunk::Theirs { theirs, .. } | Chunk::Conflict { theirs, .. } => theirs.clone(),
                Chunk::Mine { base, .. } => base.clone(),
            });
            prop_assert_eq!((of_base, of_mine, of_theirs), (base.clone(), mine.clone(), theirs.clone()));
            prop_assert_eq!(merged(&three_way(&base, &base, &theirs)), Some(theirs.clone()));
            prop_assert_eq!(merged(&three_way(&base, &mine, &base)), Some(mine.clone()));
            prop_assert_eq!(merged(&three_way(&base, &mine, &mine)), Some(mine));
        }
    }
}
