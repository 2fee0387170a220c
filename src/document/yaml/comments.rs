//! Where the comments of a YAML text stand.

use std::ops::Range;

use granit_parser::{Event, Options, Parser};

use super::super::parse::MAX_DEPTH;

/// The bytes of every comment of a YAML text, from its `#` to the end of its line, in order.
///
/// `None` for a text that is no YAML.
pub fn comments(text: &str) -> Option<Vec<Range<usize>>> {
    let mut options = Options::default();
    options.set_emit_comments(true);
    options.simple_key_max_lookahead = super::LONGEST_KEY;
    options.flow_nesting_limit = MAX_DEPTH;
    options.block_nesting_limit = MAX_DEPTH;
    let mut parser = Parser::new_from_str_with_options(text, options);
    let mut found = Vec::new();
    while let Some(next) = parser.next_event() {
        let (event, span) = next.ok()?;
        if let Event::Comment(..) = event {
            found.push(span.byte_range()?);
        }
    }
    found.sort_by_key(|range| range.start);
    Some(found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;

    #[test]
    fn comments_are_found_wherever_they_stand() {
        let text = "# one\na: 1 # two\nb:\n  # drei \u{e9}\n  - \"# no\" # four\n  - |\n    # no\nc: {a: 1, # five\n  b: 2}\n# last";
        let found: Vec<&str> = comments(text).unwrap().into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["# one", "# two", "# drei \u{e9}", "# four", "# five", "# last"]);
        assert_eq!(comments("a: [1"), None);
        let crlf = "a: 1 # x\r\nb: 2 # y\r\n";
        let found: Vec<&str> = comments(crlf).unwrap().into_iter().map(|range| crlf[range].trim_end()).collect();
        assert_eq!(found, ["# x", "# y"]);
    }
}
