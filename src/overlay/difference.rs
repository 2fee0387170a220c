//! Where two trees differ. Built for two states of one document, which share what did not change.

use crate::document::{Node, Pointer, Value};

/// A member or an item, or the whole, that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Where it is: in the second tree; for what is gone, in the first one.
    pub at: Pointer,
    /// What was there; `None` for what came.
    pub before: Option<Node>,
    /// What is there; `None` for what went.
    pub after: Option<Node>,
}

/// The smallest parts in which two trees differ, in document order, no more than `most`; and whether there are more.
///
/// Maps are compared member by member, lists by what is left between the beginning and the end that they share. What is
/// the same allocation in both is not looked into.
pub fn differences(before: &Node, after: &Node, most: usize) -> (Vec<Difference>, bool) {
    let mut found = Found { differences: Vec::new(), most, more: false };
    // What is still to be compared, the first on top.
    let mut open = vec![(Pointer::default(), Some(before), Some(after))];
    while let Some((at, old, new)) = open.pop() {
        match (old, new) {
            (Some(old), Some(new)) if old.same(new) => {}
            (Some(old), Some(new)) => compare(at, old, new, &mut open, &mut found),
            (old, new) => found.push(at, old, new),
        }
        if found.more {
            break;
        }
    }
    (found.differences, found.more)
}

struct Found {
    differences: Vec<Difference>,
    most: usize,
    more: bool,
}

impl Found {
    fn push(&mut self, at: Pointer, before: Option<&Node>, after: Option<&Node>) {
        if self.differences.len() == self.most {
            self.more = true;
            return;
        }
        self.differences.push(Difference { at, before: before.cloned(), after: after.cloned() });
    }
}

type Open<'n> = Vec<(Pointer, Option<&'n Node>, Option<&'n Node>)>;

fn compare<'n>(at: Pointer, old: &'n Node, new: &'n Node, open: &mut Open<'n>, found: &mut Found) {
    match (&old.value, &new.value) {
        (Value::Map(before), Value::Map(after)) => {
            let gone = before.iter().filter(|entry| after.get(&entry.key).is_none());
            let mut parts: Open<'n> = gone.map(|entry| (at.key(entry.key.clone()), Some(&entry.value), None)).collect();
            let kept =
                after.iter().map(|entry| (at.key(entry.key.clone()), before.get(&entry.key), Some(&entry.value)));
            parts.extend(kept.filter(|(_, old, new)| !old.zip(*new).is_some_and(|(old, new)| old.same(new))));
            open.extend(parts.into_iter().rev());
        }
        (Value::List(before), Value::List(after)) => {
            let same = |(old, new): &(&Node, &Node)| old.same(new) || old == new;
            let head = before.iter().zip(after.iter()).take_while(same).count();
            let rest = before.len().min(after.len()) - head;
            let tail = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(same).count();
            let (old, new) = (before.len() - tail, after.len() - tail);
            let paired = (old - head) == (new - head);
            let mut parts: Open<'n> = Vec::new();
            if paired {
                parts.extend((head..old).map(|index| (at.index(index), before.get(index), after.get(index))));
            } else {
                parts.extend((head..old).map(|index| (at.index(index), before.get(index), None)));
                parts.extend((head..new).map(|index| (at.index(index), None, after.get(index))));
            }
            open.extend(parts.into_iter().rev());
        }
        _ if old == new => {}
        _ => found.push(at, Some(old), Some(new)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;
    use crate::document::testing::document;
    use crate::document::to_json;

    fn words(before: &str, after: &str, most: usize) -> (Vec<String>, bool) {
        let (found, more) = differences(&document(0, before).root, &document(1, after).root, most);
        let text = |node: &Option<Node>| node.as_ref().map_or("-".to_owned(), |node| to_json(node, false));
        let words = found.iter().map(|one| format!("{} {} {}", one.at, text(&one.before), text(&one.after)));
        (words.collect(), more)
    }

    #[test]
    fn the_smallest_parts_are_named_in_order() {
        let cases: Vec<(&str, &str, &[&str])> = vec![
            ("{a: 1, b: {c: 2, d: [1, 2]}}", "{a: 1, b: {c: 2, d: [1, 2]}}", &[]),
            ("{a: 1, b: {c: 2}}", "{b: {c: 3, e: {}}, f: 0}", &["/a 1 -", "/b/c 2 3", "/b/e - {}", "/f - 0"]),
            ("[1, 2, 3]", "[1, 3]", &["/1 2 -"]),
            ("[1, 2]", "[1, 2, 3]", &["/2 - 3"]),
            ("[{a: 1}, 2]", "[{a: 2}, 2]", &["/0/a 1 2"]),
            ("[1, 2]", "[3, 4, 5]", &["/0 1 -", "/1 2 -", "/0 - 3", "/1 - 4", "/2 - 5"]),
            ("{a: [1]}", "{a: {b: 1}}", &["/a [1] {\"b\":1}"]),
            ("1", "2", &[" 1 2"]),
        ];
        for (before, after, expected) in cases {
            assert_eq!(words(before, after, 100), (expected.iter().map(ToString::to_string).collect(), false));
        }
    }

    #[test]
    fn no_more_are_given_than_asked_for() {
        assert_eq!(words("{a: 1, b: 1, c: 1}", "{}", 2), (vec!["/a 1 -".to_owned(), "/b 1 -".to_owned()], true));
        assert!(!words("{a: 1, b: 1}", "{}", 2).1);
    }
}
