//! Where a node's text begins and ends, where the parser's spans say something else.

use std::ops::Range;

/// The bytes of a block scalar from its `|` or `>` to its last character that is no white space.
///
/// The parser's span begins with the first line of content and ends with the next token. `from` is the end of what
/// stands before: between the two are only a `:` or `-`, an anchor, a tag and comments.
pub(super) fn block_scalar(text: &str, from: usize, span: Range<usize>) -> Range<usize> {
    let start = header(text, from, span.start).unwrap_or(span.start);
    let content = text.get(start..span.end).unwrap_or_default();
    start..start + content.trim_end().len()
}

fn header(text: &str, from: usize, until: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = text.get(at..until)?;
        at += match rest.chars().next()? {
            '|' | '>' => return Some(at),
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '&' | '!' => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
    }
}

/// The first `-` of a block sequence that is the value of a key. The parser's mark is that `-` when the sequence is
/// indented deeper than its key, and what follows the `-` when it is not.
pub(super) fn first_dash(text: &str, mark: usize) -> usize {
    let before = text.get(..mark).unwrap_or_default().trim_end();
    let Some(line) = before.strip_suffix('-') else { return mark };
    // Not the end of a comment.
    let starts_line = line.trim_end_matches(' ').ends_with(['\n', '\r']);
    if starts_line { line.len() } else { mark }
}

/// Where a value that is not written would stand: behind the `:` of its key, to which the parser's mark may point.
pub(super) fn absent(text: &str, mark: usize) -> usize {
    let rest = text.get(mark..).unwrap_or_default();
    let behind = rest.trim_start_matches([' ', '\t']);
    if behind.starts_with(':') { mark + (rest.len() - behind.len()) + 1 } else { mark }
}
