//! The name that was meant.

/// The candidate with the fewest insertions, deletions and replacements, case aside, when it is close enough to be a
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

fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, left) in a.iter().enumerate() {
        let mut diagonal = line;
        let mut before = line + 1;
        if let Some(first) = row.first_mut() {
            *first = before;
        }
        for (cell, right) in row.iter_mut().skip(1).zip(b) {
            let replaced = diagonal + usize::from(left != right);
            diagonal = *cell;
            before = replaced.min(diagonal + 1).min(before + 1);
            *cell = before;
        }
    }
    row.last().copied().unwrap_or(0)
}
