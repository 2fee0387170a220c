//! The name that was meant.

/// The candidate with the fewest insertions, deletions, replacements and swaps, case aside, when it is close enough to be a
/// slip; the first of equals.
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let fold = |text: &str| -> Vec<char> {
        let letters = text.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
        letters.take(128).flat_map(char::to_lowercase).collect()
    };
    let name = fold(name);
    let allowed = (name.len() / 3).clamp(1, 4);
    let near = candidates.map(|candidate| (distance(&name, &fold(candidate)), candidate));
    near.filter(|(distance, _)| *distance <= allowed).min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Insertions, deletions, replacements and swaps of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, left) in a.iter().enumerate() {
        let mut next = vec![line + 1];
        for (at, right) in b.iter().enumerate() {
            let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            let replaced = cell(&row, at) + usize::from(left != right);
            let mut least = replaced.min(cell(&row, at + 1) + 1).min(cell(&next, at) + 1);
            let swapped = line > 0 && at > 0 && a.get(line - 1) == Some(right) && b.get(at - 1) == Some(left);
            if swapped {
                least = least.min(cell(&before, at - 1) + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let cases = [
            ("opne", Some("open")),
            ("petID", Some("pet_id")),
            ("limt", Some("limit")),
            ("q", None),
            ("unrelated", None),
        ];
        for (name, expected) in cases {
            assert_eq!(nearest(name, ["open", "pet_id", "limit", "description"].into_iter()), expected, "{name}");
        }
    }
}
