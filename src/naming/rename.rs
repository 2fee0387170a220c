//! New names for tools whose name is taken: a number or a hash, within the profile's length.

use std::collections::BTreeMap;

use super::fit::digest;
use super::model::NameInput;
use super::rules::{LengthRule, LengthRules};
use super::template::quoted;

/// The numbers that were given, by what stands before them. Numbers only go up, so none is tried twice.
#[derive(Default)]
pub(super) struct Numbers {
    next: BTreeMap<String, u64>,
}

impl Numbers {
    /// The first free `name_2`, `name_3` and so on. Where that is too long, what stands before the number is cut, never
    /// the head; the error says that there is no room.
    pub(super) fn next(
        &mut self,
        name: &str,
        head: &str,
        length: &LengthRules,
        free: impl Fn(&str) -> bool,
    ) -> Result<String, String> {
        // With every digit more the stem may be shorter: each range of numbers has its own.
        let mut first = 2_u64;
        let mut beyond = 10_u64;
        loop {
            let digits = first.to_string().len();
            let stem = stem(name, head, length, 1 + digits)?;
            let number = self.next.entry(stem.clone()).or_insert(first);
            *number = (*number).max(first);
            while *number < beyond {
                let candidate = format!("{stem}_{number}");
                *number += 1;
                if free(&candidate) {
                    return Ok(candidate);
                }
            }
            first = beyond;
            beyond = beyond.saturating_mul(10);
        }
    }
}

/// What tells an operation from every other, for its hash.
pub(super) fn identity(input: &NameInput<'_>, raw: &str) -> String {
    [input.prefix.unwrap_or_default(), input.method, input.path, raw].join("\0")
}

/// The name with a hash of `text` after it. When that is taken, the hash of a text with a count is tried.
pub(super) fn hashed(
    name: &str,
    head: &str,
    length: &LengthRules,
    text: &str,
    digits: usize,
    free: impl Fn(&str) -> bool,
) -> Result<String, String> {
    let stem = stem(name, head, length, 1 + digits)?;
    let tries = (0..1000_u32).map(|count| match count {
        0 => digest(text, digits),
        count => digest(&format!("{text}\0{count}"), digits),
    });
    let mut candidates = tries.map(|hash| format!("{stem}_{hash}"));
    candidates.find(|candidate| free(candidate)).ok_or_else(|| {
        format!(
            "{} is claimed more than once, and hashes of {digits} digits do not tell the claimants apart",
            quoted(name)
        )
    })
}

/// What stays of a name before an ending of so many ASCII characters.
fn stem(name: &str, head: &str, length: &LengthRules, ending: usize) -> Result<String, String> {
    let LengthRules { rule, max, unit, .. } = length;
    if *rule == LengthRule::None || *max == 0 || unit.count(name) + ending <= *max {
        return Ok(name.to_owned());
    }
    let limit = unit.words(*max);
    if *rule == LengthRule::Reject {
        return Err(format!("{} is taken, and with a longer ending it would be longer than {limit}", quoted(name)));
    }
    let (stem, _) = unit.split(name, max.saturating_sub(ending));
    // A name that was replaced by a hash has no head to keep.
    let head = if name.starts_with(head) { head } else { "" };
    if unit.count(stem) <= unit.count(head) {
        return Err(format!("{} is taken, and {limit} leave no room for another ending", quoted(name)));
    }
    Ok(stem.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use super::*;

    fn cut(max: usize) -> LengthRules {
        LengthRules { rule: LengthRule::Cut, max, ..LengthRules::default() }
    }

    #[test]
    fn numbers_fit_the_limit_and_skip_what_is_taken() {
        let mut taken: BTreeSet<String> = ["p__abc_2", "p__abc_3"].map(String::from).into();
        let mut numbers = Numbers::default();
        let mut names = Vec::new();
        for _ in 0..9 {
            let name = numbers.next("p__abcd", "p__", &cut(8), |name| !taken.contains(name)).unwrap();
            taken.insert(name.clone());
            names.push(name);
        }
        let expected = [
            "p__abc_4", "p__abc_5", "p__abc_6", "p__abc_7", "p__abc_8", "p__abc_9", "p__ab_10", "p__ab_11", "p__ab_12",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn without_room_there_is_a_reason() {
        let error = Numbers::default().next("p__a", "p__", &cut(4), |_| true).unwrap_err();
        assert!(error.contains("no room"), "{error}");
        let reject = LengthRules { rule: LengthRule::Reject, max: 5, ..LengthRules::default() };
        assert!(hashed("abcd", "", &reject, "x", 6, |_| true).unwrap_err().contains("longer than 5 characters"));
        assert!(hashed("abcd", "", &cut(0), "x", 1, |_| false).unwrap_err().contains("1 digits"));
    }

    #[test]
    fn a_taken_hash_is_hashed_again() {
        let first = hashed("a", "", &cut(0), "x", 6, |_| true).unwrap();
        let second = hashed("a", "", &cut(0), "x", 6, |name| name != first).unwrap();
        assert_ne!(first, second);
        assert_eq!(first.len(), 8);
    }
}
