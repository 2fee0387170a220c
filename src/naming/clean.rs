//! Stages 3 to 9 and 11: from a raw text to the characters of a name.

use std::borrow::Cow;

use super::class::CharClass;
use super::model::NameStep;
use super::rules::{Braces, CamelSplit, Collapse, NounRules, Replace, SourceStages, Trim};

/// A text on its way through the stages, with the steps that changed it.
#[derive(Clone, Debug, Default)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) trail: Vec<NameStep>,
}

impl Value {
    /// Takes a stage's result; a step is only recorded when the text changed.
    pub(super) fn step(&mut self, stage: &'static str, rule: impl FnOnce() -> String, after: String) {
        if after != self.text {
            self.record(stage, rule(), after);
        }
    }

    /// Records a step in any case.
    pub(super) fn record(&mut self, stage: &'static str, rule: String, after: String) {
        let before = std::mem::replace(&mut self.text, after.clone());
        self.trail.push(NameStep { stage, rule, before, after });
    }
}

/// Stages 3 to 9.
pub(super) fn clean(value: &mut Value, stages: &SourceStages, legal: Option<&CharClass>) {
    if stages.verbatim {
        return;
    }
    let split = camel_split(&value.text, stages.camel_split);
    value.step("camel_split", || camel_rule(stages.camel_split).into(), split);
    if stages.braces == Braces::Delete {
        let without = value.text.replace(['{', '}'], "");
        value.step("braces", || "{ and } are deleted".into(), without);
    }
    if let Some(legal) = legal {
        let replaced = replace(&value.text, stages.replace, legal);
        value.step("replace", || replace_rule(stages.replace, legal), replaced);
    }
    if stages.lowercase {
        let lower = value.text.to_lowercase();
        value.step("lowercase", || "lower case".into(), lower);
    }
    let needs_letter = value.text.chars().next().is_some_and(|first| !first.is_alphabetic());
    if needs_letter && !stages.letter_start.is_empty() {
        let started = format!("{}{}", stages.letter_start, value.text);
        let rule = || format!("`{}` is put before a first character that is no letter", stages.letter_start);
        value.step("letter_start", rule, started);
    }
    let collapsed = collapse(&value.text, stages.collapse);
    value.step("collapse", || collapse_rule(stages.collapse).into(), collapsed);
    let trimmed = trim(&value.text, stages.trim).to_owned();
    value.step("trim", || trim_rule(stages.trim).into(), trimmed);
}

/// Stage 3. Only ASCII letters part words: the systems that do this know no other.
pub(super) fn camel_split(text: &str, mode: CamelSplit) -> String {
    if mode == CamelSplit::None {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut before: Option<char> = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        let parted = character.is_ascii_uppercase()
            && before.is_some_and(|before| match mode {
                CamelSplit::Acronym => {
                    before.is_ascii_lowercase()
                        || before.is_ascii_digit()
                        || (before.is_ascii_uppercase() && next.is_some_and(|next| next.is_ascii_lowercase()))
                }
                _ => true,
            });
        if parted {
            out.push('_');
        }
        out.push(character);
        before = Some(character);
    }
    out
}

/// Stage 5.
pub(super) fn replace(text: &str, mode: Replace, legal: &CharClass) -> String {
    if mode == Replace::None {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut in_run = false;
    for character in text.chars() {
        if legal.has(character) {
            out.push(character);
            in_run = false;
        } else {
            if !(in_run && mode == Replace::Run) {
                out.push('_');
            }
            in_run = true;
        }
    }
    out
}

fn collapse(text: &str, mode: Collapse) -> String {
    match mode {
        Collapse::None => text.to_owned(),
        Collapse::Pairs => text.replace("__", "_"),
        Collapse::Runs => {
            let mut out = String::with_capacity(text.len());
            for character in text.chars() {
                if !(character == '_' && out.ends_with('_')) {
                    out.push(character);
                }
            }
            out
        }
    }
}

fn trim(text: &str, mode: Trim) -> &str {
    match mode {
        Trim::None => text,
        Trim::Both => text.trim_matches('_'),
        Trim::Start => text.trim_start_matches('_'),
        Trim::End => text.trim_end_matches('_'),
    }
}

/// Stage 11: the last segment of a text in the singular, by spelling alone.
pub(super) fn singular<'a>(text: &'a str, rules: &NounRules) -> Cow<'a, str> {
    let last = text.rsplit('_').next().unwrap_or(text);
    if rules.uncountable.iter().any(|word| word.eq_ignore_ascii_case(last)) {
        return Cow::Borrowed(text);
    }
    if let Some(stem) = text.strip_suffix("ies").filter(|_| last.len() > 3) {
        return Cow::Owned(format!("{stem}y"));
    }
    match text.strip_suffix('s') {
        Some(stem) if last.len() > 1 => Cow::Borrowed(stem),
        _ => Cow::Borrowed(text),
    }
}

fn camel_rule(mode: CamelSplit) -> &'static str {
    match mode {
        CamelSplit::EveryCapital => "words are parted before every capital",
        _ => "words in camel case are parted, an acronym stays one word",
    }
}

fn replace_rule(mode: Replace, legal: &CharClass) -> String {
    let what = if mode == Replace::Run { "every run of characters" } else { "every character" };
    format!("{what} outside {} becomes _", legal.text())
}

fn collapse_rule(mode: Collapse) -> &'static str {
    match mode {
        Collapse::Pairs => "every pair of _ becomes one",
        _ => "every run of _ becomes one",
    }
}

fn trim_rule(mode: Trim) -> &'static str {
    match mode {
        Trim::Start => "_ at the start is taken off",
        Trim::End => "_ at the end is taken off",
        _ => "_ at both ends is taken off",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_case_is_parted_by_mode() {
        let cases = [
            ("getHTTPSResponse", "get_HTTPS_Response", "get_H_T_T_P_S_Response"),
            ("ABcDEf", "A_Bc_D_Ef", "A_Bc_D_Ef"),
            ("x1Y", "x1_Y", "x1_Y"),
            ("ÉtéList", "ÉtéList", "Été_List"),
            ("", "", ""),
        ];
        for (text, acronym, every) in cases {
            assert_eq!(camel_split(text, CamelSplit::Acronym), acronym, "{text}");
            assert_eq!(camel_split(text, CamelSplit::EveryCapital), every, "{text}");
            assert_eq!(camel_split(text, CamelSplit::None), text);
        }
    }

    #[test]
    fn underscores_are_collapsed_and_trimmed_by_mode() {
        assert_eq!(collapse("a___b____c", Collapse::Runs), "a_b_c");
        assert_eq!(collapse("a___b____c", Collapse::Pairs), "a__b__c");
        let cases = [(Trim::Both, "a"), (Trim::Start, "a__"), (Trim::End, "__a"), (Trim::None, "__a__")];
        for (mode, expected) in cases {
            assert_eq!(trim("__a__", mode), expected);
        }
    }

    #[test]
    fn only_the_last_segment_is_made_singular() {
        let rules = NounRules { uncountable: vec!["news".into()], ..NounRules::default() };
        let cases = [
            ("users_cities", "users_city"),
            ("site_News", "site_News"),
            ("s", "s"),
            ("ies", "ie"),
            ("a_s", "a_s"),
            ("pets_", "pets_"),
        ];
        for (text, expected) in cases {
            assert_eq!(singular(text, &rules), expected, "{text}");
        }
    }
}
