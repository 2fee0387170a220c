//! The README's fenced blocks.

/// A fenced block.
pub(crate) struct Block {
    pub(crate) language: String,
    /// What the comment right before it says: `<!-- screen 100x30 keys -->`.
    pub(crate) note: String,
    pub(crate) text: String,
}

pub(crate) fn blocks(markdown: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut lines = markdown.lines();
    let mut before = "";
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let note = before.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")).unwrap_or_default();
            found.push(Block { language: language.to_owned(), note: note.to_owned(), text: text.join("\n") });
        }
        before = line;
    }
    found
}

/// The commands of a shell block, without comments.
pub(crate) fn shell_lines(text: &str) -> Vec<String> {
    let without_comment = |line: &str| line.split(" # ").next().unwrap().trim_end().to_owned();
    text.lines().map(without_comment).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// What a picture's note says: `screen 120x30 3|Probably meant|a` is columns and rows, and keys, each with the text that has
/// to be there before the next.
pub(crate) struct Picture {
    pub(crate) size: (u16, u16),
    pub(crate) steps: Vec<String>,
}

pub(crate) fn picture(note: &str) -> Option<Picture> {
    let rest = note.strip_prefix("screen ")?;
    let (size, steps) = rest.split_once(' ').unwrap_or((rest, ""));
    let (columns, rows) = size.split_once('x').unwrap();
    let steps = steps.split('|').filter(|step| !step.is_empty()).map(str::to_owned).collect();
    Some(Picture { size: (columns.parse().unwrap(), rows.parse().unwrap()), steps })
}

/// The words of a command as a shell takes them apart: blanks, and single quotes.
pub(crate) fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    assert!(!quoted && !command.contains(['"', '|', '>', '$']), "not run as a shell would: {command}");
    words.extend(word);
    words
}

/// Whether a text is as expected; a line `…` stands for any lines, and `…` at a line's end for its rest.
pub(crate) fn matches(expected: &[&str], printed: &str) -> bool {
    let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
    go(expected, &lines)
}

fn go(expected: &[&str], lines: &[&str]) -> bool {
    let Some((first, rest)) = expected.split_first() else { return lines.is_empty() };
    if *first == "…" {
        return (0..=lines.len()).any(|skipped| go(rest, &lines[skipped..]));
    }
    let Some((line, others)) = lines.split_first() else { return false };
    let same = first.strip_suffix('…').map_or(first == line, |start| line.starts_with(start));
    same && go(rest, others)
}
