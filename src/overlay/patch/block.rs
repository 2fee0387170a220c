//! Cuts in block style.

use super::render::{Style, quoted};
use super::site::{Part, Site, column, end, line_end, line_start, next_line, start};
use super::splice::Splice;
use crate::document::{Entry, Node, Value};

/// Items into a list.
pub(super) fn insert(site: &Site<'_>, index: usize, values: &[Node], style: &Style) -> Vec<Splice> {
    let text = site.text;
    let Some(last) = site.parts.last() else { return Vec::new() };
    let Some(dash) = site.parts.first().and_then(|first| dash(text, first.start)) else { return Vec::new() };
    let indent = column(text, dash);
    let apart = if is_spaced(site) { style.line_break } else { "" };
    let mut all = Vec::new();
    for literals in [true, false] {
        let item = |value: &Node| {
            let list = Node::list(vec![value.clone()], value.origin);
            format!("{}{}", spaces(indent), style.block(&list, indent, literals))
        };
        let lines = values.iter().map(item).collect::<Vec<_>>().join(&format!("{}{apart}", style.line_break));
        match site.parts.get(index) {
            Some(next) => {
                let Some(dash) = self::dash(text, next.start) else { return Vec::new() };
                let line = line_start(text, dash);
                if !text.get(line..dash).is_some_and(is_blank) {
                    // The list begins on the line of an outer dash.
                    let lines = lines.trim_start_matches(' ');
                    let splice = format!("{lines}{}{}", style.line_break, spaces(indent));
                    all.push(Splice::insert(dash, splice));
                    continue;
                }
                // Comments right above an item speak of it.
                let at = if index == 0 { line } else { above_comments(text, line, indent) };
                all.push(Splice::insert(at, format!("{lines}{}{apart}", style.line_break)));
            }
            None => all.extend(after(text, last.end, indent, &lines, apart, style)),
        }
    }
    all
}

/// A member to the end of a map.
pub(super) fn add(site: &Site<'_>, key: &str, value: &Node, style: &Style) -> Vec<Splice> {
    let text = site.text;
    let (Some(first), Some(last)) = (site.parts.first(), site.parts.iter().max_by_key(|part| part.end)) else {
        return Vec::new();
    };
    let indent = column(text, first.start);
    let member = Entry { key: key.into(), key_origin: value.origin, value: value.clone() };
    let map = Node::map(vec![member], value.origin);
    let mut all = Vec::new();
    for literals in [true, false] {
        let lines = format!("{}{}", spaces(indent), style.block(&map, indent, literals));
        all.extend(after(text, last.end, indent, &lines, "", style));
    }
    all
}

/// Lines behind what ends at `end`: right behind its last line, and as a second way behind the blank lines that
/// follow, which are part of a text of the kind `|+`.
fn after(text: &str, end: usize, indent: usize, lines: &str, apart: &str, style: &Style) -> [Splice; 2] {
    let close = below_comments(text, line_end(text, end), indent);
    let mut far = next_line(text, close);
    while far < text.len() && text.get(far..line_end(text, far)).is_some_and(|line| line.trim().is_empty()) {
        far = next_line(text, far);
    }
    let nl = style.line_break;
    let open_end = if text.get(..far).is_some_and(|before| before.ends_with('\n')) { "" } else { nl };
    [Splice::insert(close, format!("{nl}{apart}{lines}")), Splice::insert(far, format!("{open_end}{lines}{nl}"))]
}

/// Another value for a member or an item.
pub(super) fn set(site: &Site<'_>, part: &Part<'_>, value: &Node, style: &Style) -> Vec<Splice> {
    let text = site.text;
    let (from, to) = (start(part.value), end(part.value));
    let old = text.get(from..to).unwrap_or_default();
    let mut all = Vec::new();
    let space = if text.get(..from).is_some_and(|before| before.ends_with([' ', '\n'])) { "" } else { " " };
    let mut inline = |written: String| all.push(Splice::replace(from..to, format!("{space}{written}")));
    match &value.value {
        Value::String(words) if old.starts_with('"') => inline(quoted(words)),
        Value::String(words) if old.starts_with('\'') && !words.contains(char::is_control) => {
            inline(format!("'{}'", words.replace('\'', "''")));
        }
        _ => {}
    }
    let base = match part.key {
        Some(_) => Some(column(text, part.start)),
        None => dash(text, part.start).map(|dash| column(text, dash)),
    };
    let filled = value.items().len() + value.members().len() > 0;
    let mut beside_key = None;
    if let Some(key) = part.key {
        // Behind the key, whatever line the old value began on.
        let colon = key.key_origin.end as usize;
        let between = text.get(colon..from).unwrap_or_default();
        if between.trim() == ":" {
            let at = colon + between.find(':').unwrap_or(0) + 1;
            beside_key = Some(Splice::replace(at..to, format!(" {}", style.inline(value))));
        }
        if !filled && between.contains('\n') {
            all.extend(beside_key.clone());
        }
    }
    if let Some(base) = base {
        let deeper = base + if part.key.is_some() { style.step } else { 2 };
        if filled && part.key.is_some() {
            let before = text.get(..from).unwrap_or_default();
            let behind_key = before.trim_end_matches([' ', '\t']).len();
            // A value that begins on a line of its own stays there.
            let own_line = before.get(..behind_key).is_some_and(|before| before.ends_with('\n'));
            let (at, indent, lead) = match own_line {
                true => (from, column(text, from), String::new()),
                false => (behind_key, deeper, format!("{}{}", style.line_break, spaces(deeper))),
            };
            for literals in [true, false] {
                all.push(Splice::replace(at..to, format!("{lead}{}", style.block(value, indent, literals))));
            }
        } else {
            let holder = |value: &Node| style.block(value, if filled { deeper } else { base }, true);
            let written = if filled { holder(value) } else { literal(value, base, style) };
            all.push(Splice::replace(from..to, format!("{space}{written}")));
        }
    }
    all.push(Splice::replace(from..to, format!("{space}{}", style.inline(value))));
    all.extend(beside_key);
    all
}

/// A scalar or an empty list or map behind a key or dash at the column `base`.
fn literal(value: &Node, base: usize, style: &Style) -> String {
    let entry = Entry { key: "k".into(), key_origin: value.origin, value: value.clone() };
    let text = style.block(&Node::map(vec![entry], value.origin), base, true);
    text.strip_prefix("k: ").unwrap_or(&text).to_owned()
}

/// A member or an item goes; there are others.
pub(super) fn remove(site: &Site<'_>, part: &Part<'_>) -> Vec<Splice> {
    let text = site.text;
    let begin = match part.key {
        Some(_) => Some(part.start),
        None => dash(text, part.start),
    };
    let Some(begin) = begin else { return Vec::new() };
    let line = line_start(text, begin);
    if text.get(line..begin).is_some_and(is_blank) {
        return vec![whole_lines(text, line, part.end)];
    }
    // It begins on the line of a dash or an outer key: what follows moves up to it.
    let following = site.parts.iter().filter(|other| other.start > part.start).min_by_key(|other| other.start);
    let Some(next) = following else { return Vec::new() };
    let until = match next.key {
        Some(_) => Some(next.start),
        None => dash(text, next.start),
    };
    let Some(until) = until else { return Vec::new() };
    // A comment behind it stays behind the dash.
    [until, part.end]
        .map(|until| Splice { drops_comments: false, ..Splice::replace(begin..until, String::new()) })
        .into()
}

/// The lines from `line` to the one that holds the end, with a blank line before when one follows too.
fn whole_lines(text: &str, line: usize, end: usize) -> Splice {
    let mut from = line;
    let mut to = next_line(text, end);
    if to == text.len() && !text.ends_with('\n') {
        // The line before becomes the last one, which has no line break.
        from = text.get(..line).map_or(from, |before| before.trim_end_matches(['\n', '\r']).len());
        return Splice::replace(from..to, String::new());
    }
    let blank_before = line > 0 && {
        let previous = line_start(text, line - 1);
        text.get(previous..line).is_some_and(|line| line.trim().is_empty())
    };
    let blank_after = text.get(to..line_end(text, to)).is_some_and(|line| line.trim().is_empty());
    if blank_before && blank_after {
        if to < text.len() {
            to = next_line(text, to);
        } else {
            from = line_start(text, line - 1);
        }
    }
    Splice::replace(from..to, String::new())
}

/// The `-` of an item whose content begins at `at`: on the same line behind nothing but dashes, or on the line above.
fn dash(text: &str, at: usize) -> Option<usize> {
    let line = line_start(text, at);
    let (found, rest) = last_dash(text.get(line..at)?);
    if found.is_some() {
        return found.filter(|_| is_property(rest)).map(|found| line + found);
    }
    if !rest.is_empty() || line == 0 {
        return None;
    }
    let above = line_start(text, line - 1);
    let (found, rest) = last_dash(text.get(above..line_end(text, above))?);
    found.filter(|_| is_property(rest) || rest.starts_with('#')).map(|found| above + found)
}

/// The last dash of those that a line begins with, and what stands behind it.
fn last_dash(line: &str) -> (Option<usize>, &str) {
    let mut found = None;
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(' ');
        match rest.strip_prefix('-') {
            Some(behind) if behind.is_empty() || behind.starts_with(' ') => {
                found = Some(line.len() - rest.len());
                rest = behind;
            }
            _ => return (found, rest),
        }
    }
}

/// Nothing, an anchor or a tag.
fn is_property(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['&', '!'])
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c == ' ')
}

/// Is there a blank line before the last item?
fn is_spaced(site: &Site<'_>) -> bool {
    let [.., before, last] = site.parts.as_slice() else { return false };
    let between = site.text.get(before.end..last.start).unwrap_or_default();
    let mut lines = between.split('\n').skip(1).peekable();
    // The last one is what stands before the item on its own line.
    std::iter::from_fn(|| lines.next().filter(|_| lines.peek().is_some())).any(|line| line.trim().is_empty())
}

/// Moves down over comment lines that are indented at least as far. At column 0 comments may be of anything.
fn below_comments(text: &str, mut at: usize, indent: usize) -> usize {
    loop {
        let next = next_line(text, at);
        let line = text.get(next..line_end(text, next)).unwrap_or_default();
        let content = line.trim_start_matches(' ');
        let deep = line.len() - content.len();
        if next <= at || !content.starts_with('#') || deep < indent || deep == 0 {
            return at;
        }
        at = line_end(text, next);
    }
}

/// Moves up over comment lines at the same column.
fn above_comments(text: &str, mut line: usize, indent: usize) -> usize {
    while line > 0 {
        let above = line_start(text, line - 1);
        let shown = text.get(above..line).unwrap_or_default();
        let content = shown.trim_start_matches(' ');
        if !content.starts_with('#') || shown.len() - content.len() != indent {
            break;
        }
        line = above;
    }
    line
}

fn spaces(count: usize) -> String {
    " ".repeat(count)
}
