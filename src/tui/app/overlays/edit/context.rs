//! Where in an overlay the cursor is, told from the lines alone: while somebody types, a text is mostly no YAML.
//!
//! Lines are read by their indentation, as people write YAML and programs write JSON. Where that misleads, less is
//! completed; nothing else rests on it.

use crate::document::{FileId, parse};

/// Where the cursor is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// Names of the members around it, from the root.
    pub path: Vec<String>,
    /// The member in whose value it is; `None` while a name is typed.
    pub key: Option<String>,
    /// What is typed of the name or value before the cursor.
    pub prefix: String,
    /// Byte of the line at which that begins, behind an opening quote.
    pub from: usize,
    /// The quote before it.
    pub quote: Option<char>,
    /// Number of the action around it, from 0.
    pub action: Option<usize>,
    /// The target of that action.
    pub target: Option<String>,
    /// The whole value that the cursor is in, as it is meant.
    pub value: String,
}

/// What a line begins with.
#[derive(Clone, Debug, Default)]
struct Head {
    /// Column of the first character that is no blank.
    first: usize,
    /// Columns of dashes, or of the bracket that begins an object.
    item: Option<usize>,
    /// Column of the name or value behind dashes and brackets, without its quote.
    column: usize,
    quote: Option<char>,
    /// The name, and the byte at which its value begins.
    key: Option<(String, usize)>,
}

fn head(line: &str) -> Head {
    let first = line.len() - line.trim_start().len();
    let mut head = Head { first, column: first, ..Head::default() };
    loop {
        let rest = line.get(head.column..).unwrap_or_default();
        let skip = if rest.starts_with("- ") || rest == "-" || rest.starts_with('{') { 1 } else { 0 };
        if skip == 0 {
            break;
        }
        head.item.get_or_insert(head.column);
        let rest = rest.get(skip..).unwrap_or_default();
        head.column += skip + (rest.len() - rest.trim_start().len());
        if rest.trim_start().is_empty() {
            break;
        }
    }
    let rest = line.get(head.column..).unwrap_or_default();
    let (name, behind) = match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            head.quote = Some(quote);
            head.column += 1;
            let inner = rest.get(1..).unwrap_or_default();
            match inner.find(quote) {
                Some(end) => (inner.get(..end).unwrap_or_default(), end + 1),
                None => return head,
            }
        }
        _ => {
            let end = rest.match_indices(':').map(|(at, _)| at).find(|at| {
                let next = rest.get(at + 1..).unwrap_or_default();
                next.is_empty() || next.starts_with([' ', '\t'])
            });
            match end {
                Some(end) => (rest.get(..end).unwrap_or_default(), end),
                None => return head,
            }
        }
    };
    let tail = line.get(head.column + behind..).unwrap_or_default();
    let blanks = tail.len() - tail.trim_start().len();
    if let Some(value) = tail.trim_start().strip_prefix(':') {
        let start = head.column + behind + blanks + 1 + (value.len() - value.trim_start().len());
        head.key = Some((name.to_owned(), start));
    }
    head
}

/// Where the cursor is: at a byte of a line.
pub fn context(lines: &[String], row: usize, at: usize) -> Context {
    let line = lines.get(row).map_or("", String::as_str);
    let own = head(line);
    let mut context = Context { from: own.column.min(at), quote: own.quote, ..Context::default() };
    let mut column = own.column - usize::from(own.quote.is_some());
    if line.trim().is_empty() {
        column = at;
        context.from = at;
    }
    if let Some((key, start)) = own.key.as_ref().filter(|(_, start)| at >= *start) {
        let value = line.get(*start..).unwrap_or_default();
        context.quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        context.from = start + usize::from(context.quote.is_some()).min(at - start);
        context.key = Some(key.clone());
        context.value = scalar(value);
    }
    context.prefix = line.get(context.from..at).unwrap_or_default().to_owned();
    if let Some((block, key, text)) = block(lines, row, own.first.max(if line.trim().is_empty() { at } else { 0 })) {
        context.key = Some(key);
        context.value = text;
        context.prefix = String::new();
        context.from = at;
        column = head(lines.get(block).map_or("", String::as_str)).column;
    }
    around(lines, row, column, &mut context);
    context
}

/// The line with the sign, the name and the text of the block that a line is in.
fn block(lines: &[String], row: usize, indent: usize) -> Option<(usize, String, String)> {
    let mut indent = indent;
    let mut at = row;
    while at > 0 && indent > 0 {
        at -= 1;
        let line = lines.get(at)?;
        let found = head(line);
        if line.trim().is_empty() || found.first >= indent {
            continue;
        }
        if let Some((key, start)) = &found.key
            && line.get(*start..).is_some_and(|value| value.starts_with(['|', '>']))
        {
            let parent = found.column;
            let inside = |line: &&String| line.trim().is_empty() || head(line).first > parent.min(found.first);
            let text: Vec<&String> = lines.iter().skip(at + 1).take_while(inside).collect();
            let least = text.iter().filter(|line| !line.trim().is_empty()).map(|line| head(line).first).min()?;
            let text: Vec<&str> = text.iter().map(|line| line.get(least..).unwrap_or_default()).collect();
            return Some((at, key.clone(), text.join("\n")));
        }
        indent = found.first;
    }
    None
}

/// The members around a line whose own name begins at a column, the action, and its target.
fn around(lines: &[String], row: usize, column: usize, context: &mut Context) {
    let mut column = column;
    let mut actions = None;
    for at in (0..row).rev() {
        if column == 0 {
            break;
        }
        let Some(line) = lines.get(at).filter(|line| !line.trim_start().starts_with('#')) else { continue };
        let found = head(line);
        let start = found.column - usize::from(found.quote.is_some());
        if let Some((key, _)) = found.key.filter(|_| start < column) {
            column = start;
            if key == "actions" {
                actions = Some(at);
            }
            context.path.insert(0, key);
        }
    }
    let Some(from) = actions else { return };
    let mut items: Vec<usize> = Vec::new();
    let mut item_column = None;
    for (at, line) in lines.iter().enumerate().skip(from + 1) {
        let found = head(line);
        let Some(item) = found.item.filter(|item| *item == found.first) else { continue };
        if *item_column.get_or_insert(item) == item {
            items.push(at);
        }
    }
    let Some(number) = items.iter().rposition(|at| *at <= row) else { return };
    context.action = Some(number);
    let (start, end) =
        (items.get(number).copied().unwrap_or(row), items.get(number + 1).copied().unwrap_or(lines.len()));
    let target = lines.get(start..end).unwrap_or_default().iter().find_map(|line| match head(line).key {
        Some((key, value)) if key == "target" => Some(scalar(line.get(value..).unwrap_or_default())),
        _ => None,
    });
    context.target = target;
}

/// A value on one line as it is meant.
fn scalar(text: &str) -> String {
    let text = text.trim().trim_end_matches(',');
    match parse(FileId(0), "value.yaml", text) {
        Ok(document) => document.root.as_str().map_or_else(|| text.to_owned(), str::to_owned),
        Err(_) => text.trim_start_matches(['"', '\'']).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]
    use proptest::prelude::*;

    use super::*;

    /// The context at the `|` sign of a text, which is taken out.
    fn at(text: &str) -> Context {
        let offset = text.find('¦').expect("a cursor");
        let text = text.replacen('¦', "", 1);
        let row = text[..offset].matches('\n').count();
        let column = offset - text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        context(&lines, row, column)
    }

    const YAML: &str = "overlay: 1.1.0\nactions:\n- target: $.a\n  update: {}\n";

    #[test]
    fn names_and_values_are_told_apart() {
        let cases: Vec<(&str, &[&str], Option<&str>, &str)> = vec![
            ("ove¦", &[], None, "ove"),
            ("info:\n  ti¦", &["info"], None, "ti"),
            ("overlay: 1.¦", &[], Some("overlay"), "1."),
            ("actions:\n  - tar¦", &["actions"], None, "tar"),
            ("actions:\n- target: $.p¦", &["actions"], Some("target"), "$.p"),
            ("actions:\n- target: '$.p¦'", &["actions"], Some("target"), "$.p"),
            ("actions:\n- target: $\n  update:\n    x-m¦", &["actions", "update"], None, "x-m"),
            ("actions:\n- target: $\n  update:\n    ¦", &["actions", "update"], None, ""),
            ("{\n  \"actions\": [\n    {\n      \"tar¦\n", &["actions"], None, "tar"),
            ("{\n  \"actions\": [\n    {\n      \"target\": \"$.¦\"\n", &["actions"], Some("target"), "$."),
        ];
        for (text, path, key, prefix) in cases {
            let found = at(text);
            assert_eq!(
                (found.path.as_slice(), found.key.as_deref(), found.prefix.as_str()),
                (&path.iter().map(ToString::to_string).collect::<Vec<_>>()[..], key, prefix),
                "{text}"
            );
        }
    }

    #[test]
    fn the_action_and_its_target_are_known() {
        let second = at(&format!("{YAML}- description: d\n  target: \"$.b\"\n  update:\n    x: ¦"));
        assert_eq!((second.action, second.target.as_deref()), (Some(1), Some("$.b")));
        let first = at(
            "{\n  \"actions\": [\n    {\n      \"target\": \"$.a\",\n      \"remove\": t¦\n    },\n    {\n      \"target\": \"$.b\"\n    }\n  ]\n}",
        );
        assert_eq!((first.action, first.target.as_deref()), (Some(0), Some("$.a")));
        assert_eq!(at("info:\n  title: ¦").action, None);
    }

    #[test]
    fn a_block_is_one_value() {
        let text = format!(
            "{YAML}- target: $.b\n  update:\n    x-mcp-request-transform: |\n      {{a:\n        .b¦}}\n    other: 1\n"
        );
        let found = at(&text);
        assert_eq!(found.key.as_deref(), Some("x-mcp-request-transform"));
        assert_eq!(found.value.trim_end(), "{a:\n  .b}");
        assert_eq!((found.path, found.action), (vec!["actions".to_owned(), "update".to_owned()], Some(1)));
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(lines in proptest::collection::vec("[ a:'\"{}\\-|>é#]{0,12}", 1..8), row in 0usize..8, at in 0usize..14) {
            let row = row.min(lines.len() - 1);
            let line = &lines[row];
            let at = (0..=at.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap();
            let found = context(&lines, row, at);
            prop_assert!(found.from <= at);
        }
    }
}
