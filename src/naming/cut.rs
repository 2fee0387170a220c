//! Cutting descriptions.

/// Cuts a text at `max_length` code points (0: never), the suffix counted inside the limit. Gives the text and, when it
/// was cut, the end that is missing. A suffix that is longer than the limit is cut itself.
pub fn truncate_description(text: &str, max_length: usize, suffix: &str) -> (String, Option<String>) {
    let nth = |text: &str, count: usize| text.char_indices().nth(count).map(|(at, _)| at);
    if max_length == 0 || nth(text, max_length).is_none() {
        return (text.to_owned(), None);
    }
    let keep = max_length.saturating_sub(suffix.chars().count());
    let (kept, cut) = text.split_at_checked(nth(text, keep).unwrap_or(text.len())).unwrap_or((text, ""));
    let ending: String = suffix.chars().take(max_length).collect();
    (format!("{kept}{ending}"), Some(cut.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_and_what_is_cut_make_the_whole() {
        let cases = [
            ("héllo wörld", 10, "...", "héllo w...", Some("örld")),
            ("日本語です", 3, "…", "日本…", Some("語です")),
            ("日本語", 3, "…", "日本語", None),
            ("abc", 1, "", "a", Some("bc")),
            ("abc", 2, "....", "..", Some("abc")),
        ];
        for (text, max, suffix, expected, cut) in cases {
            assert_eq!(truncate_description(text, max, suffix), (expected.into(), cut.map(String::from)), "{text}");
        }
    }
}
