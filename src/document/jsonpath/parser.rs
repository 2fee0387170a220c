//! From text to tree: segments and selectors (RFC 9535 sections 2.1 to 2.3 and 2.5).

use super::ast::{Reach, Segment, Selector};
use super::scan::Scanner;
use super::{QueryError, Remark, hints};

/// Longest query in bytes.
const LONGEST: usize = 16 * 1024;
/// Most segments in a row.
const MOST_SEGMENTS: usize = 128;
/// Deepest nesting of filters, parentheses, negations and function calls together.
const DEEPEST: usize = 48;
/// Deepest nesting of filters alone.
const DEEPEST_FILTERS: usize = 8;

pub(super) struct Parser<'t> {
    pub(super) scanner: Scanner<'t>,
    pub(super) remarks: Vec<Remark>,
    depth: usize,
    filters: usize,
}

/// The segments of a whole query, and what is odd about it.
pub(super) fn parse(text: &str) -> Result<(Vec<Segment>, Vec<Remark>), QueryError> {
    let mut parser = Parser { scanner: Scanner::new(text), remarks: Vec::new(), depth: 0, filters: 0 };
    if text.len() > LONGEST {
        return Err(parser.scanner.error(format!("the query is longer than {LONGEST} bytes")));
    }
    if !parser.scanner.eat("$") {
        return Err(hints::no_root(text));
    }
    let segments = parser.segments()?;
    if !parser.scanner.rest().is_empty() {
        return Err(hints::stray(text, parser.scanner.at, false));
    }
    Ok((segments, parser.remarks))
}

impl Parser<'_> {
    /// Runs a nested part, bounded in depth.
    pub(super) fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T, QueryError>) -> Result<T, QueryError> {
        if self.depth >= DEEPEST {
            return Err(self.scanner.error(format!("the query is nested more than {DEEPEST} levels deep")));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Zero or more segments. Blanks after the last one are left alone.
    pub(super) fn segments(&mut self) -> Result<Vec<Segment>, QueryError> {
        let mut segments = Vec::new();
        loop {
            let before = self.scanner.at;
            self.scanner.blanks();
            let start = self.scanner.at;
            let (reach, selectors) = if self.scanner.eat("..") {
                let selectors =
                    if self.scanner.peek() == Some('[') { self.bracketed()? } else { vec![self.dotted("..")?] };
                (Reach::Descendant, selectors)
            } else if self.scanner.eat(".") {
                (Reach::Child, vec![self.dotted(".")?])
            } else if self.scanner.peek() == Some('[') {
                (Reach::Child, self.bracketed()?)
            } else {
                self.scanner.at = before;
                return Ok(segments);
            };
            if segments.len() >= MOST_SEGMENTS {
                return Err(self.scanner.error(format!("more than {MOST_SEGMENTS} segments in a row")));
            }
            segments.push(Segment { reach, selectors, span: start..self.scanner.at });
        }
    }

    fn dotted(&mut self, dots: &str) -> Result<Selector, QueryError> {
        if self.scanner.eat("*") {
            return Ok(Selector::Wildcard);
        }
        let start = self.scanner.at;
        let name = self.scanner.name();
        if name.is_empty() {
            return Err(hints::no_name(self.scanner.text, start, dots));
        }
        if let Some(error) = hints::half_a_name(self.scanner.text, start, self.scanner.at) {
            return Err(error);
        }
        Ok(Selector::Name(name.into()))
    }

    fn bracketed(&mut self) -> Result<Vec<Selector>, QueryError> {
        let open = self.scanner.at;
        self.scanner.eat("[");
        let mut selectors = Vec::new();
        loop {
            self.scanner.blanks();
            selectors.push(self.selector()?);
            self.scanner.blanks();
            if self.scanner.eat("]") {
                return Ok(selectors);
            }
            if !self.scanner.eat(",") {
                return Err(hints::unclosed(self.scanner.text, open, self.scanner.at));
            }
        }
    }

    fn selector(&mut self) -> Result<Selector, QueryError> {
        let start = self.scanner.at;
        match self.scanner.peek() {
            Some('\'' | '"') => self.scanner.string().map(Selector::Name),
            Some('*') => {
                self.scanner.eat("*");
                Ok(Selector::Wildcard)
            }
            Some('?') => {
                self.scanner.eat("?");
                self.filter()
            }
            _ => match self.index_or_slice()? {
                Some(selector) => Ok(selector),
                None => Err(hints::no_selector(self.scanner.text, start)),
            },
        }
    }

    fn filter(&mut self) -> Result<Selector, QueryError> {
        if self.filters >= DEEPEST_FILTERS {
            return Err(self.scanner.error(format!("filters are nested more than {DEEPEST_FILTERS} levels deep")));
        }
        self.filters += 1;
        self.scanner.blanks();
        let logical = self.nested(Self::logical)?;
        self.filters -= 1;
        Ok(Selector::Filter(Box::new(logical)))
    }

    fn index_or_slice(&mut self) -> Result<Option<Selector>, QueryError> {
        let start = self.scanner.integer()?;
        let after = self.scanner.at;
        self.scanner.blanks();
        if !self.scanner.eat(":") {
            self.scanner.at = after;
            return Ok(start.map(Selector::Index));
        }
        self.scanner.blanks();
        let end = self.scanner.integer()?;
        self.scanner.blanks();
        let mut step = 1;
        if self.scanner.eat(":") {
            self.scanner.blanks();
            step = self.scanner.integer()?.unwrap_or(1);
        }
        Ok(Some(Selector::Slice { start, end, step }))
    }
}
