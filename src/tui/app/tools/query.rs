//! The filter's language: words to be found anywhere, and tests such as `method:get` or `!hidden`.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher};

use super::index::Entry;
use crate::lint::{Matrix, Verdict};
use crate::naming::NameSource;

/// A match in the name counts for more than one of the same shape elsewhere.
const NAME_BONUS: u32 = 48;
/// A match in the path counts for more than one in the summary.
const PATH_BONUS: u32 = 16;

/// What a test looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    Method(Vec<String>),
    Tag(Vec<String>),
    Upstream(Vec<String>),
    Source(Vec<NameSource>),
    Conflict,
    Truncated,
    Hidden,
    Findings,
    Changed,
    /// One of these targets does not take it as it is.
    Target(Vec<String>),
}

/// A test, or its opposite.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Test {
    fact: Fact,
    negated: bool,
}

/// A word that is looked for in the texts of a tool.
#[derive(Clone, Debug, PartialEq)]
struct Word {
    /// For name and path.
    fuzzy: Atom,
    /// For method, tags and summary, where letters far apart would match nearly everything.
    exact: Atom,
}

/// A filter, ready to be asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    words: Vec<Word>,
    tests: Vec<Test>,
    /// What is wrong with it, for the person who types it. Such a part of the filter has no effect.
    pub problem: Option<String>,
}

/// The letters that matched, as indices of graphemes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Letters {
    /// In the name.
    pub name: Vec<u32>,
    /// In the path.
    pub path: Vec<u32>,
}

/// A matcher with the settings that [`Query`] expects. It owns buffers, so keep it.
pub fn matcher() -> Matcher {
    Matcher::new(Config::DEFAULT)
}

impl Query {
    /// Reads a filter. Every text is one; what cannot be understood is named in [`Query::problem`].
    pub fn parse(text: &str) -> Self {
        let mut query = Self::default();
        for token in text.split_whitespace() {
            query.token(token);
        }
        query
    }

    fn token(&mut self, token: &str) {
        let (negated, body) = token.strip_prefix('!').map_or((false, token), |body| (true, body));
        if body.is_empty() {
            return;
        }
        match fact(body) {
            Some(Ok(fact)) => self.tests.push(Test { fact, negated }),
            Some(Err(problem)) => self.problem = Some(problem),
            None => {
                // With case the matcher compares the whole text where it should compare its beginning or end.
                let (case, normal) = (CaseMatching::Ignore, Normalization::Smart);
                let fuzzy = Atom::parse(token, case, normal);
                let exact = match fuzzy.kind {
                    AtomKind::Fuzzy => Atom::new(body, case, normal, AtomKind::Substring, false),
                    _ => fuzzy.clone(),
                };
                self.words.push(Word { fuzzy, exact });
            }
        }
    }

    /// Lets everything pass?
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.tests.is_empty()
    }

    /// Has words, so that some tools match better than others?
    pub fn ranks(&self) -> bool {
        self.words.iter().any(|word| !word.fuzzy.negative)
    }

    /// Asks what targets say?
    pub fn asks_targets(&self) -> bool {
        self.tests.iter().any(|test| matches!(test.fact, Fact::Target(_)))
    }

    /// How well the tool matches; `None` when it does not. `upstream` is the name of the tool's upstream, `matrix` what
    /// targets say, once they have.
    pub fn score(&self, entry: &Entry, upstream: &str, matrix: Option<&Matrix>, matcher: &mut Matcher) -> Option<u32> {
        if !self.tests.iter().all(|test| holds(&test.fact, entry, upstream, matrix) != test.negated) {
            return None;
        }
        self.words.iter().try_fold(0, |sum, word| Some(sum + score_word(word, entry, matcher)?))
    }

    /// The letters that matched, to be highlighted.
    pub fn letters(&self, entry: &Entry, matcher: &mut Matcher) -> Letters {
        let mut letters = Letters::default();
        for word in self.words.iter().filter(|word| !word.fuzzy.negative) {
            word.fuzzy.indices(entry.name.slice(..), matcher, &mut letters.name);
            word.fuzzy.indices(entry.path.slice(..), matcher, &mut letters.path);
        }
        for indices in [&mut letters.name, &mut letters.path] {
            indices.sort_unstable();
            indices.dedup();
        }
        letters
    }
}

fn score_word(word: &Word, entry: &Entry, matcher: &mut Matcher) -> Option<u32> {
    let name = word.fuzzy.score(entry.name.slice(..), matcher);
    if word.fuzzy.negative {
        // A negative atom matches where its word is not: it must be nowhere.
        name?;
        word.fuzzy.score(entry.path.slice(..), matcher)?;
        word.exact.score(entry.rest.slice(..), matcher)?;
        return Some(0);
    }
    if let Some(score) = name {
        return Some(u32::from(score) + NAME_BONUS);
    }
    if let Some(score) = word.fuzzy.score(entry.path.slice(..), matcher) {
        return Some(u32::from(score) + PATH_BONUS);
    }
    word.exact.score(entry.rest.slice(..), matcher).map(u32::from)
}

/// The fact that a token names; `None` when it is an ordinary word.
fn fact(token: &str) -> Option<Result<Fact, String>> {
    let flag = match token {
        "conflict" | "conflicts" => Some(Fact::Conflict),
        "truncated" => Some(Fact::Truncated),
        "hidden" => Some(Fact::Hidden),
        "finding" | "findings" => Some(Fact::Findings),
        "changed" => Some(Fact::Changed),
        _ => None,
    };
    if flag.is_some() {
        return flag.map(Ok);
    }
    let (key, values) = token.split_once(':')?;
    // Half typed: no effect yet, so that the list does not flicker to empty.
    let values: Vec<String> = values.split(',').filter(|value| !value.is_empty()).map(str::to_lowercase).collect();
    let known: fn(Vec<String>) -> Fact = match key {
        "method" => Fact::Method,
        "tag" => Fact::Tag,
        "upstream" => Fact::Upstream,
        "target" => Fact::Target,
        "source" => return Some(sources(&values)),
        _ => return None,
    };
    if values.is_empty() { Some(Err(format!("`{key}:` wants a value"))) } else { Some(Ok(known(values))) }
}

fn sources(values: &[String]) -> Result<Fact, String> {
    const CHOICE: &str = "`source:` is one of override, operationId, slug";
    if values.is_empty() {
        return Err(CHOICE.to_owned());
    }
    let parse = |value: &String| match value.as_str() {
        "override" | "!" => Ok(NameSource::Override),
        "operationid" | "o" => Ok(NameSource::OperationId),
        "slug" | "s" => Ok(NameSource::Slug),
        _ => Err(CHOICE.to_owned()),
    };
    values.iter().map(parse).collect::<Result<_, _>>().map(Fact::Source)
}

fn holds(fact: &Fact, entry: &Entry, upstream: &str, matrix: Option<&Matrix>) -> bool {
    let starts = |text: &str, values: &[String]| {
        let text = text.to_lowercase();
        values.iter().any(|value| text.starts_with(value.as_str()))
    };
    let operation = &*entry.tool.operation;
    match fact {
        Fact::Method(values) => values.iter().any(|value| operation.method.eq_ignore_ascii_case(value)),
        Fact::Tag(values) => operation.tags.iter().any(|tag| starts(tag, values)),
        Fact::Upstream(values) => starts(upstream, values),
        Fact::Source(values) => values.contains(&entry.marks.source),
        Fact::Conflict => entry.marks.conflict,
        Fact::Truncated => entry.marks.truncated,
        Fact::Hidden => entry.marks.hidden,
        Fact::Findings => entry.marks.finding.is_some(),
        Fact::Changed => entry.marks.changed,
        Fact::Target(values) => entry.exposed.zip(matrix).is_some_and(|(tool, matrix)| {
            let minds = |at: usize| matrix.get(at, tool) > Verdict::Ok;
            (matrix.totals.iter().enumerate()).any(|(at, totals)| minds(at) && starts(&totals.target, values))
        }),
    }
}
