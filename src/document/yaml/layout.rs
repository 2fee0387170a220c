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

/// The `-` of a block sequence whose first item begins at `item`; for an indented sequence the span has it already.
pub(super) fn first_dash(text: &str, item: usize) -> usize {
    let before = text.get(..item).unwrap_or_default().trim_end();
    if text.get(item..).is_some_and(|rest| rest.starts_with("- ") || rest.starts_with("-\n")) && !before.ends_with('-')
    {
        return item;
    }
    before.strip_suffix('-').map_or(item, str::len)
}
