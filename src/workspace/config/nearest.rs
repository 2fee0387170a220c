//! The nearest known word, for "did you mean".

/// The candidate with the least edit distance to `word`, when it is near enough to be meant. Of two equally near ones
/// the first.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).max(1) + 1;
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let found = distance(word, candidate);
        if found <= allowed && best.is_none_or(|(least, _)| found < least) {
            best = Some((found, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Up to `most` candidates, nearest first; equally near ones keep their order.
pub fn nearest_all<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let allowed = (word.chars().count() / 2).max(2);
    let lower = word.to_lowercase();
    let mut ranked: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let found = distance(word, candidate);
            let contains = !lower.is_empty() && candidate.to_lowercase().contains(&lower);
            (found <= allowed || contains).then_some((if contains { found.min(allowed) } else { found }, candidate))
        })
        .collect();
    ranked.sort_by_key(|(found, _)| *found);
    ranked.dedup_by(|a, b| a.1 == b.1);
    ranked.into_iter().take(most).map(|(_, candidate)| candidate).collect()
}

/// Optimal string alignment distance: insert, delete, replace, swap neighbours.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
    let mut previous_a = None;
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        let mut previous_b = None;
        for (j, y) in b.iter().enumerate() {
            let replace = at(&last, j) + usize::from(x != y);
            let mut least = replace.min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            if previous_a == Some(*y) && previous_b == Some(*x) {
                least = least.min(at(&before, j.saturating_sub(1)) + 1);
            }
            row.push(least);
            previous_b = Some(*y);
        }
        before = std::mem::replace(&mut last, row);
        previous_a = Some(*x);
    }
    at(&last, b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let cases = [
            ("", "", 0),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1),
            ("Same", "same", 0),
            ("a", "b", 1),
        ];
        for (a, b, expected) in cases {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn the_nearest_is_found_when_it_is_near() {
        let known = ["separator", "max_length", "conflict_resolution"];
        let cases =
            [("seperator", Some("separator")), ("max_lenght", Some("max_length")), ("colour", None), ("x", None)];
        for (word, expected) in cases {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
        assert_eq!(nearest_all("pet", ["getPet", "order", "pets"], 3), ["pets", "getPet"]);
    }
}
