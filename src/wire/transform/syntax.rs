//! The text of an expression becomes a tree, or one clear message with its place.

use std::collections::HashSet;

use jaq_core::compile::Undefined;
use jaq_core::load::lex::{self, StrPart, Tok, Token};
use jaq_core::load::parse::{self, Term};
use jaq_core::load::{Lexer, Parser};

use super::super::nearest::nearest;
use super::filter::FilterError;
use super::guard::{Name, each_name};
use super::library::{self, IMPURE};

/// Longest expression, in bytes.
const LONGEST: usize = 64 << 10;
/// Brackets that may be open at once.
const MOST_OPEN: usize = 64;
/// Operators and keywords that may stand within each other: each may be a level of the tree.
const DEEPEST: usize = 130;
/// Commas that count as one level: lists and objects are compiled as balanced trees.
const COMMAS: usize = 8;

/// Reads an expression.
///
/// # Errors
/// It is no expression, is too long or too deep, or calls something that is not available.
pub(crate) fn read(text: &str) -> Result<Term<&str>, FilterError> {
    check_size(text)?;
    let tokens = Lexer::new(text).lex().map_err(|errors| of_lexer(text, errors))?;
    if tokens.is_empty() {
        return Err(FilterError::new(0, "the expression is empty", "write `.` to pass everything on"));
    }
    let (levels, deepest) = levels(&tokens);
    if levels > DEEPEST {
        let offset = deepest.map_or(0, |part| offset(text, part));
        return Err(too_deep(offset));
    }
    let tree = Parser::new(&tokens).parse(|parser| parser.term()).map_err(|errors| of_parser(text, &errors))?;
    check_names(text, &tree)?;
    Ok(tree)
}

fn too_deep(offset: usize) -> FilterError {
    FilterError::new(offset, "the expression is nested too deep", "split it with `def`, or do less in one expression")
}

fn check_size(text: &str) -> Result<(), FilterError> {
    if text.len() > LONGEST {
        let message = format!("the expression has {} bytes, and {LONGEST} are the most", text.len());
        return Err(FilterError::new(0, message, "do less in one expression"));
    }
    // The lexer descends into brackets, so they are counted first; those in texts count too, but nobody has so many.
    let mut open = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > MOST_OPEN {
            return Err(too_deep(at));
        }
    }
    Ok(())
}

/// How many levels the tree of these tokens can have, and where they are.
fn levels<'s>(tokens: &[Token<&'s str>]) -> (usize, Option<&'s str>) {
    let (mut own, mut inner) = (0, (0, None));
    // Steps of a path one after the other, which are walked within each other.
    let (mut steps, mut most_steps) = (0_usize, 0);
    let mut commas = 0;
    let mut deeper = |found: (usize, Option<&'s str>)| {
        if found.0 > inner.0 {
            inner = found;
        }
    };
    for Token(text, token) in tokens {
        let is_step = text.starts_with(['.', '[', '?', '"']);
        steps = if is_step { steps + 1 } else { 0 };
        most_steps = most_steps.max(steps);
        match token {
            Tok::Block(tokens) => deeper(levels(tokens)),
            Tok::Str(parts) => {
                own += parts.len();
                for part in parts {
                    if let StrPart::Term(token) = part {
                        deeper(levels(std::slice::from_ref(token)));
                    }
                }
            }
            Tok::Sym if *text == "," => commas += 1,
            Tok::Sym if !text.starts_with('.') && !matches!(*text, ";" | ":" | "?") => own += 1,
            Tok::Word
                if matches!(
                    *text,
                    "as" | "def" | "if" | "elif" | "try" | "catch" | "reduce" | "foreach" | "label" | "and" | "or"
                ) =>
            {
                own += 1;
            }
            _ => {}
        }
    }
    let first = tokens.first().map(|Token(text, _)| *text);
    (own + commas / COMMAS + most_steps + inner.0 + 1, inner.1.or(first))
}

/// Where a part of the text starts.
fn offset(text: &str, part: &str) -> usize {
    let (start, at) = (text.as_ptr().addr(), part.as_ptr().addr());
    at.checked_sub(start).filter(|at| *at <= text.len()).unwrap_or(0)
}

fn of_lexer(text: &str, errors: Vec<lex::Error<&str>>) -> FilterError {
    let Some((expected, found)) = errors.into_iter().next() else {
        return FilterError::new(0, "the expression cannot be read", "see the jq manual");
    };
    let at = offset(text, found);
    let shown: String = found.chars().take(1).collect();
    match expected {
        lex::Expect::Delim(open) => {
            let at = offset(text, open);
            let open: String = open.chars().take(1).collect();
            FilterError::new(at, format!("the `{open}` is never closed"), "close it")
        }
        lex::Expect::Token => {
            FilterError::new(at, format!("`{shown}` is nothing that jq knows"), "remove it, or put it into quotes")
        }
        other => {
            let found = if shown.is_empty() { "the end".to_owned() } else { format!("`{shown}`") };
            FilterError::new(at, format!("expected {}, found {found}", other.as_str()), "mend the expression here")
        }
    }
}

fn of_parser(text: &str, errors: &[parse::TError<'_, &str>]) -> FilterError {
    let Some((expected, found)) = errors.first() else {
        return FilterError::new(0, "the expression cannot be read", "see the jq manual");
    };
    let at = found.map_or(text.len(), |Token(found, _)| offset(text, found));
    let shown = found.map_or_else(|| "the end".to_owned(), |Token(found, _)| format!("`{}`", cut(found)));
    let expected = match expected {
        parse::Expect::Just("") => "the end".to_owned(),
        parse::Expect::Just(token) => format!("`{token}`"),
        parse::Expect::Nothing => "the end".to_owned(),
        other => other.as_str().to_owned(),
    };
    let message = format!("expected {expected}, found {shown}");
    let imports = ["import", "include"].iter().any(|word| text.trim_start().starts_with(word));
    let remedy = match imports {
        true => "modules are not available; write the definitions here with `def`",
        false => "mend the expression here",
    };
    FilterError::new(at, message, remedy)
}

fn cut(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(30) {
        Some((at, _)) => line.get(..at).unwrap_or_default(),
        None => line,
    }
}

/// Refuses what has effects, unless the expression defines a filter of that name itself.
fn check_names(text: &str, tree: &Term<&str>) -> Result<(), FilterError> {
    let mut defined = HashSet::new();
    let mut found = None;
    each_name(tree, &mut |name| {
        if let Name::Defined(name) = name {
            defined.insert(name);
        }
    });
    each_name(tree, &mut |name| match name {
        Name::Called(name) if IMPURE.contains(&name) && !defined.contains(name) => {
            found = found.or(Some(name));
        }
        Name::Variable(name @ "$ENV") => found = found.or(Some(name)),
        _ => {}
    });
    match found {
        Some(name) => {
            let remedy = "a transform sees its input only: the same input always gives the same output";
            Err(FilterError::new(offset(text, name), format!("`{name}` is not available in a transform"), remedy))
        }
        None => Ok(()),
    }
}

/// A name that is not defined.
pub(crate) fn undefined(text: &str, name: &str, kind: &Undefined) -> FilterError {
    let at = offset(text, name);
    match kind {
        Undefined::Filter(arity) => {
            let names = library::names();
            let known = names.binary_search(&name).is_ok();
            let remedy = match nearest(name, names.into_iter()) {
                _ if known => format!("`{name}` takes another number of arguments; see the jq manual"),
                Some(near) => format!("`{near}` is close"),
                None => "define it with `def`, or see the jq manual for what there is".to_owned(),
            };
            FilterError::new(at, format!("there is no filter `{name}/{arity}`"), remedy)
        }
        Undefined::Mod => FilterError::new(at, format!("there is no module `{name}`"), "modules are not available"),
        other => {
            let remedy = "bind it before, as in `.items as $items | …`";
            FilterError::new(at, format!("there is no {} `{name}`", other.as_str()), remedy)
        }
    }
}
