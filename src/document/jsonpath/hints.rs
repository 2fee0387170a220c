//! What to tell a person whose query does not parse: the slips that people make, each with its remedy.

use super::QueryError;
use super::ast::Comparable;
use super::path::{continues_name, is_shorthand, quoted};

fn error(offset: usize, message: impl Into<String>) -> QueryError {
    QueryError { offset, message: message.into(), remedy: None }
}

/// The run of characters from `start` that a person may have meant as one name.
fn word_at(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.find(|c: char| c.is_whitespace() || "[].,()=!<>&|'\"?@*".contains(c)).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

fn rest_at(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

fn found(text: &str, at: usize) -> String {
    match rest_at(text, at).chars().next() {
        Some(character) => format!("`{}`", character.escape_debug()),
        None => "the end of the query".to_owned(),
    }
}

/// The query does not begin with `$`.
pub(super) fn no_root(text: &str) -> QueryError {
    let trimmed = text.trim();
    let remedy = if trimmed.is_empty() {
        "write $ for the whole document".to_owned()
    } else if trimmed.starts_with('$') {
        "take away the blanks before it".to_owned()
    } else if let Some(pointer) = trimmed.trim_start_matches('#').strip_prefix('/') {
        let steps = pointer.split('/').map(crate::document::pointer::unescape);
        let query: String = steps
            .map(|step| if is_shorthand(&step) { format!(".{step}") } else { format!("[{}]", quoted(&step)) })
            .collect();
        format!("a JSON pointer is no query: write ${query}")
    } else if trimmed.starts_with('[') {
        format!("write ${trimmed}")
    } else {
        format!("write $.{}", trimmed.trim_start_matches('.'))
    };
    error(0, "a query begins with $").remedy(remedy)
}

/// Something stands where a segment, an operator or the end was expected.
pub(super) fn stray(text: &str, at: usize, inside_filter: bool) -> QueryError {
    let rest = rest_at(text, at);
    if rest.trim().is_empty() {
        return error(at, "blanks after the end of the query").remedy("take them away");
    }
    let here = rest.trim_start();
    let offset = at + rest.len() - here.len();
    let failed = error(offset, format!("{} is not expected here", found(text, offset)));
    if let Some(remedy) = wrong_operator(here) {
        return failed.remedy(remedy);
    }
    match here.chars().next() {
        Some('~' | '^') => failed.remedy("RFC 9535 selects neither names (~) nor parents (^): target the node above"),
        Some(']' | ')') => failed.remedy("take it away, or open it before"),
        Some('/') => failed.remedy(format!("write [{}]", quoted(word_at(text, offset)))),
        Some(first) if !inside_filter && continues_name(first) => {
            failed.remedy(format!("put a dot before it: .{}", word_at(text, offset)))
        }
        _ => failed,
    }
}

/// An operator of another language.
fn wrong_operator(here: &str) -> Option<String> {
    let remedy = if here.starts_with("=~") {
        "patterns are matched with match(@.name, 'pattern') or search(@.name, 'pattern')"
    } else if here.starts_with("===") || (here.starts_with('=') && !here.starts_with("==")) {
        "write == to compare"
    } else if here.starts_with("<>") {
        "write != for unequal"
    } else if here.starts_with('&') {
        "write && between two conditions"
    } else if here.starts_with('|') {
        "write || between two conditions"
    } else {
        match word_at(here, 0) {
            word if word.eq_ignore_ascii_case("and") => "write && instead of the word",
            word if word.eq_ignore_ascii_case("or") => "write || instead of the word",
            "in" | "nin" | "anyof" | "contains" | "size" | "empty" => {
                "RFC 9535 has no such operator: write @.name == 'a' || @.name == 'b', or a nested filter [?@ == 'a']"
            }
            _ => return None,
        }
    };
    Some(remedy.to_owned())
}

/// A dot without a name after it.
pub(super) fn no_name(text: &str, at: usize, dots: &str) -> QueryError {
    let word = word_at(text, at);
    let next = rest_at(text, at).chars().next();
    let failed = error(at, format!("`{dots}` needs a name, found {}", found(text, at)));
    match next {
        None if dots == ".." => failed.remedy("write ..* for everything below"),
        None => failed.remedy("take the last dot away, or name a member"),
        Some('[') => failed.remedy("write [ without the dot"),
        Some('\'' | '"') => failed.remedy("put the quoted name in brackets, without the dot: ['name']"),
        Some(blank) if blank.is_whitespace() => failed.remedy("take the blanks after the dot away"),
        Some('.') => failed.remedy("write .. to search below, . for a member"),
        Some(_) if word.is_empty() => failed,
        Some(_) => {
            let open = if dots == ".." { "..[" } else { "[" };
            failed.remedy(format!("a name with other characters is quoted: write {open}{}]", quoted(word)))
        }
    }
}

/// A name after a dot that goes on with characters which such a name may not have: `x-foo`.
pub(super) fn half_a_name(text: &str, start: usize, end: usize) -> Option<QueryError> {
    let next = rest_at(text, end).chars().next()?;
    if next.is_whitespace() || "[].,()=!<>&|'\"?@*~^".contains(next) {
        return None;
    }
    let word = word_at(text, start);
    let message = format!("a name after a dot has only letters, digits and _; `{word}` has `{}`", next.escape_debug());
    let before = text.get(..start).unwrap_or_default();
    let remedy = if before.ends_with("..") {
        format!("write [{}] after ..", quoted(word))
    } else {
        format!("use [{}] instead of .{word}", quoted(word))
    };
    Some(error(end, message).remedy(remedy))
}

/// A bracket or parenthesis is not closed where it should be.
pub(super) fn unclosed(text: &str, open: usize, at: usize) -> QueryError {
    let opened = rest_at(text, open).chars().next().unwrap_or('[');
    let close = if opened == '(' { ')' } else { ']' };
    let rest = rest_at(text, at);
    if rest.trim().is_empty() {
        return error(at, format!("the `{opened}` at {} is not closed", open + 1)).remedy(format!("add `{close}`"));
    }
    let known = stray(text, at, true);
    if known.remedy.is_some() {
        return known;
    }
    let failed = error(at, format!("expected `{close}`, found {}", found(text, at)));
    let selectors = rest_at(text, open).starts_with('[') && !rest_at(text, open + 1).trim_start().starts_with('?');
    if selectors && rest.starts_with(|c: char| "'\"*?-".contains(c) || c.is_ascii_digit()) {
        return failed.remedy("put a comma between two selectors");
    }
    failed
}

/// Nothing in brackets that selects.
pub(super) fn no_selector(text: &str, at: usize) -> QueryError {
    let rest = rest_at(text, at);
    let failed = error(at, format!("expected a selector, found {}", found(text, at)));
    match rest.chars().next() {
        Some(']') => failed.remedy("write a quoted name, an index, * or ?filter in the brackets"),
        Some('@' | '$' | '!') => failed.remedy("a filter begins with ?, as in [?@.name]"),
        Some('(') => failed.remedy("a filter begins with ?, as in [?(@.name)]; the last item is [-1]"),
        Some('+') => failed.remedy("an index has no plus sign"),
        Some(_) => {
            let word = word_at(text, at);
            if word.is_empty() { failed } else { failed.remedy(format!("a name is quoted: [{}]", quoted(word))) }
        }
        None => failed.remedy("close the bracket"),
    }
}

/// No operand where a filter needs one.
pub(super) fn no_operand(text: &str, at: usize) -> QueryError {
    let failed = error(at, format!("expected a query, a value or a function, found {}", found(text, at)));
    match rest_at(text, at).chars().next() {
        Some('=') => failed.remedy("write == to compare"),
        Some('/') => failed.remedy("a pattern is text: match(@.name, 'pattern')"),
        Some('[') => failed.remedy("begin with @ for the node under test, as in @['name']"),
        Some('+') => failed.remedy("a number has no plus sign"),
        _ => failed,
    }
}

/// A word without quotes.
pub(super) fn bare_word(text: &str, at: usize, word: &str) -> QueryError {
    let whole = word_at(text, at);
    let failed = error(at, format!("`{whole}` is neither true, false, null nor a function"));
    let lower = word.to_ascii_lowercase();
    let blank_before_call = rest_at(text, at + word.len()).trim_start().starts_with('(');
    if ["true", "false", "null"].contains(&lower.as_str()) {
        failed.remedy(format!("write {lower}"))
    } else if ["length", "count", "match", "search", "value"].contains(&word) && blank_before_call {
        failed.remedy(format!("write {word}( without a blank between"))
    } else if lower == "not" {
        failed.remedy("write ! before the condition")
    } else if text.get(..at).is_some_and(|before| before.trim_end().ends_with('=')) {
        failed.remedy(format!("text is quoted: {}", quoted(whole)))
    } else {
        let member = if is_shorthand(whole) { format!("@.{whole}") } else { format!("@[{}]", quoted(whole)) };
        failed.remedy(format!("text is quoted: {}; a member is {member}", quoted(whole)))
    }
}

/// A number that JSON does not have.
pub(super) fn no_number(at: usize, text: &str) -> QueryError {
    error(at, format!("`{text}` is no number")).remedy("numbers are written as in JSON: -1, 0.5, 1e3")
}

/// A value stands alone where only a condition may.
pub(super) fn bare_value(text: &str, at: usize, value: &Comparable) -> QueryError {
    let name = word_at(text, at);
    match value {
        Comparable::Literal(_) => error(at, "a value alone is no condition").remedy("compare it: @.name == value"),
        _ => error(at, format!("{name}() gives a value, which alone is no condition"))
            .remedy(format!("compare it: {name}(…) > 0")),
    }
}

/// `!a == b`
pub(super) fn negated_comparison(at: usize) -> QueryError {
    error(at, "`!` before a comparison").remedy("write != or put the comparison in parentheses: !(a == b)")
}

/// `match(…) == true`
pub(super) fn compared_test(at: usize) -> QueryError {
    error(at, "match() and search() are conditions and cannot be compared").remedy("write match(…) alone, or !match(…)")
}

/// A query that may select many where one value is needed.
pub(super) fn many_nodes(at: usize, wanted_by: &str) -> QueryError {
    error(at, format!("this query may select many nodes, {wanted_by} needs one value"))
        .remedy("test inside it with a nested filter, as in @.tags[?@ == 'a'], or use count() or value()")
}

/// A function that RFC 9535 does not have.
pub(super) fn unknown_function(at: usize, name: &str) -> QueryError {
    error(at, format!("there is no function `{name}`")).remedy("functions are length, count, value, match and search")
}

/// Wrong arguments of a known function.
pub(super) fn arguments(name: &str, at: usize) -> QueryError {
    let form = match name {
        "count" => "count(query)",
        "value" => "value(query)",
        "length" => "length(value)",
        "match" => "match(value, 'pattern')",
        _ => "search(value, 'pattern')",
    };
    error(at, format!("the arguments of {name}() are wrong here")).remedy(format!("its form is {form}"))
}
