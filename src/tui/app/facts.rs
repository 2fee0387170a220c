//! What the filters of lists have in common: tests between blanks, each perhaps negated by `!`, and `key:value,value`.

/// Tests, each with whether it has to hold, and what is wrong with the last part that was not understood.
pub(crate) type Tests<F> = (Vec<(F, bool)>, Option<String>);

/// Reads a filter. `fact` makes a fact of a part in lower case: `None` where it says nothing, else what is wrong with it.
pub(crate) fn tests<F>(text: &str, fact: impl Fn(&str) -> Result<Option<F>, String>) -> Tests<F> {
    let (mut tests, mut problem) = (Vec::new(), None);
    for token in text.split_whitespace() {
        let (wanted, body) = token.strip_prefix('!').map_or((true, token), |body| (false, body));
        match fact(&body.to_lowercase()) {
            Ok(Some(fact)) => tests.push((fact, wanted)),
            Ok(None) => {}
            Err(why) => problem = Some(why),
        }
    }
    (tests, problem)
}

/// A part that no word of the filter's own is: a list of values of a known key, else text to be found. A quote before it
/// makes text of anything.
///
/// # Errors
/// A key without a value.
pub(crate) fn listed<F>(
    token: &str,
    key: impl Fn(&str) -> Option<fn(Vec<String>) -> F>,
    word: impl Fn(String) -> F,
) -> Result<Option<F>, String> {
    let known = token.split_once(':').and_then(|(name, values)| Some((name, values, key(name)?)));
    let Some((name, values, make)) = known else {
        return Ok(Some(word(token.strip_prefix('\'').unwrap_or(token).to_owned())));
    };
    let values: Vec<String> = values.split(',').filter(|value| !value.is_empty()).map(str::to_owned).collect();
    if values.is_empty() { Err(format!("`{name}:` wants a value")) } else { Ok(Some(make(values))) }
}
