//! Bounds, written into an expression: every call, pipe and turn of a loop counts as a step, and what makes large
//! values is measured.
//!
//! jq has no means of its own to stop a run. The guards here are filters that pass on their input and halt the run when
//! a bound is reached; a halt, unlike an error, cannot be caught by an expression.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};
use jaq_core::ops::Math;
use jaq_core::path::{Part, Path};

/// Passes its input on; one step. None of these names can be written in an expression.
pub(crate) const STEP: &str = "\0step";
/// Passes its input on; measures a list or object that was just made.
pub(crate) const MADE: &str = "\0made";
/// Passes its input on; measures all of it.
pub(crate) const WHOLE: &str = "\0whole";
/// Passes its input on; charges a text.
pub(crate) const TEXT: &str = "\0text";
/// `\0sum(l; r)`: `l + r`.
pub(crate) const SUM: &str = "\0sum";
/// `\0product(l; r)`: `l * r`.
pub(crate) const PRODUCT: &str = "\0product";
/// A variable of our own.
const OWN: &str = "$\0";

type Tree<'s> = Term<&'s str>;

fn call<'s>(name: &'s str) -> Tree<'s> {
    Term::Call(name, Vec::new())
}

fn pipe<'s>(left: Tree<'s>, right: Tree<'s>) -> Tree<'s> {
    Term::BinOp(Box::new(left), BinaryOp::Pipe(None), Box::new(right))
}

fn step<'s>(then: Tree<'s>) -> Tree<'s> {
    pipe(call(STEP), then)
}

fn boxed(tree: Tree<'_>) -> Box<Tree<'_>> {
    Box::new(guard(tree))
}

/// A definition with guards.
pub(crate) fn guard_def(def: Def<&str>) -> Def<&str> {
    Def { body: step(guard(def.body)), ..def }
}

/// An expression with guards: it gives what it gave before, or the run halts.
pub(crate) fn guard(tree: Tree<'_>) -> Tree<'_> {
    match tree {
        Term::Str(None, parts) => {
            let built = parts.iter().any(|part| matches!(part, StrPart::Term(_)));
            let parts = parts.into_iter().map(|part| match part {
                StrPart::Term(tree) => StrPart::Term(pipe(guard(tree), call(WHOLE))),
                other => other,
            });
            let text = Term::Str(None, parts.collect());
            if built { pipe(text, call(TEXT)) } else { text }
        }
        Term::Str(format, parts) => {
            let parts = parts.into_iter().map(|part| match part {
                StrPart::Term(tree) => StrPart::Term(guard(tree)),
                other => other,
            });
            pipe(Term::Str(format, parts.collect()), call(TEXT))
        }
        Term::Arr(Some(items)) => pipe(Term::Arr(Some(boxed(*items))), call(MADE)),
        Term::Obj(members) if !members.is_empty() => {
            let members = members.into_iter().map(|(key, value)| match value {
                Some(value) => (guard(key), Some(guard(value))),
                // The name is the value as well: its form counts.
                None => (key, None),
            });
            pipe(object(members.collect()), call(MADE))
        }
        Term::Neg(inner) => Term::Neg(boxed(*inner)),
        Term::BinOp(left, BinaryOp::Comma, right) => {
            let mut outputs = vec![guard(*right)];
            let mut rest = *left;
            while let Term::BinOp(left, BinaryOp::Comma, right) = rest {
                outputs.push(guard(*right));
                rest = *left;
            }
            outputs.push(guard(rest));
            outputs.reverse();
            commas(outputs)
        }
        Term::BinOp(left, op, right) => binary(*left, op, *right),
        Term::Label(name, inner) => Term::Label(name, boxed(*inner)),
        Term::Fold(name, source, pattern, parts) => {
            let source = pipe(guard(*source), call(STEP));
            Term::Fold(name, Box::new(source), pattern, parts.into_iter().map(guard).collect())
        }
        Term::TryCatch(inner, catch) => Term::TryCatch(boxed(*inner), catch.map(|catch| boxed(*catch))),
        Term::IfThenElse(branches, last) => {
            let branches = branches.into_iter().map(|(test, then)| (guard(test), guard(then)));
            Term::IfThenElse(branches.collect(), last.map(|last| boxed(*last)))
        }
        Term::Def(defs, inner) => Term::Def(defs.into_iter().map(guard_def).collect(), boxed(*inner)),
        Term::Call(name, arguments) => Term::Call(name, arguments.into_iter().map(guard).collect()),
        Term::Path(inner, path) => {
            let parts = path.0.into_iter().map(|(part, optional)| (guard_part(part), optional));
            Term::Path(boxed(*inner), Path(parts.collect()))
        }
        plain @ (Term::Id
        | Term::Recurse
        | Term::Num(_)
        | Term::Arr(None)
        | Term::Obj(_)
        | Term::Break(_)
        | Term::Var(_)) => plain,
    }
}

/// Members of an object that are compiled as one; they end up within each other.
const MEMBERS: usize = 8;

/// An object with many members as the sum of smaller ones, which gives the same with less depth.
fn object<'s>(mut members: Vec<(Tree<'s>, Option<Tree<'s>>)>) -> Tree<'s> {
    if members.len() <= MEMBERS {
        return Term::Obj(members);
    }
    let right = members.split_off(members.len() / 2);
    Term::Call(SUM, vec![object(members), object(right)])
}

/// `a, b, c, d` as `(a, b), (c, d)`, which gives the same with less depth.
fn commas<'s>(mut outputs: Vec<Tree<'s>>) -> Tree<'s> {
    let right = outputs.split_off(outputs.len() / 2);
    if outputs.is_empty() {
        return right.into_iter().next().unwrap_or_default();
    }
    Term::BinOp(Box::new(commas(outputs)), BinaryOp::Comma, Box::new(commas(right)))
}

fn guard_part(part: Part<Tree<'_>>) -> Part<Tree<'_>> {
    match part {
        Part::Index(index) => Part::Index(guard(index)),
        Part::Range(from, to) => Part::Range(from.map(guard), to.map(guard)),
    }
}

fn binary<'s>(left: Tree<'s>, op: BinaryOp<&'s str>, right: Tree<'s>) -> Tree<'s> {
    let (left, right) = (guard(left), guard(right));
    match op {
        // On the left, so that a chain of pipes grows no deeper.
        BinaryOp::Pipe(pattern) => {
            Term::BinOp(Box::new(pipe(left, call(STEP))), BinaryOp::Pipe(pattern), Box::new(right))
        }
        BinaryOp::Math(Math::Add) => Term::Call(SUM, vec![left, right]),
        BinaryOp::Math(Math::Mul) => Term::Call(PRODUCT, vec![left, right]),
        // `l += r` is `r as $x | l |= . + $x`.
        BinaryOp::UpdateMath(op @ (Math::Add | Math::Mul)) => {
            let name = if matches!(op, Math::Add) { SUM } else { PRODUCT };
            let changed = Term::Call(name, vec![Term::Id, Term::Var(OWN)]);
            let update = Term::BinOp(Box::new(left), BinaryOp::Update, Box::new(changed));
            Term::BinOp(Box::new(right), BinaryOp::Pipe(Some(Pattern::Var(OWN))), Box::new(update))
        }
        other => Term::BinOp(Box::new(left), other, Box::new(right)),
    }
}

/// Calls `visit` with the name of everything that an expression calls or defines, formats included.
pub(crate) fn each_name<'s>(tree: &Tree<'s>, visit: &mut dyn FnMut(Name<'s>)) {
    match tree {
        Term::Id | Term::Recurse | Term::Num(_) | Term::Arr(None) | Term::Break(_) => {}
        Term::Var(name) => visit(Name::Variable(name)),
        Term::Str(format, parts) => {
            if let Some(format) = format {
                visit(Name::Called(format));
            }
            for part in parts {
                if let StrPart::Term(tree) = part {
                    each_name(tree, visit);
                }
            }
        }
        Term::Arr(Some(inner)) | Term::Neg(inner) | Term::Label(_, inner) => each_name(inner, visit),
        Term::Obj(members) => {
            for (key, value) in members {
                each_name(key, visit);
                value.iter().for_each(|value| each_name(value, visit));
            }
        }
        Term::BinOp(left, op, right) => {
            each_name(left, visit);
            if let BinaryOp::Pipe(Some(pattern)) = op {
                each_pattern(pattern, visit);
            }
            each_name(right, visit);
        }
        Term::Fold(_, source, pattern, parts) => {
            each_name(source, visit);
            each_pattern(pattern, visit);
            parts.iter().for_each(|part| each_name(part, visit));
        }
        Term::TryCatch(inner, catch) => {
            each_name(inner, visit);
            catch.iter().for_each(|catch| each_name(catch, visit));
        }
        Term::IfThenElse(branches, last) => {
            for (test, then) in branches {
                each_name(test, visit);
                each_name(then, visit);
            }
            last.iter().for_each(|last| each_name(last, visit));
        }
        Term::Def(defs, inner) => {
            for def in defs {
                visit(Name::Defined(def.name));
                def.args.iter().for_each(|argument| visit(Name::Defined(argument)));
                each_name(&def.body, visit);
            }
            each_name(inner, visit);
        }
        Term::Call(name, arguments) => {
            visit(Name::Called(name));
            arguments.iter().for_each(|argument| each_name(argument, visit));
        }
        Term::Path(inner, path) => {
            each_name(inner, visit);
            for (part, _) in &path.0 {
                match part {
                    Part::Index(index) => each_name(index, visit),
                    Part::Range(from, to) => from.iter().chain(to).for_each(|bound| each_name(bound, visit)),
                }
            }
        }
    }
}

fn each_pattern<'s>(pattern: &Pattern<&'s str>, visit: &mut dyn FnMut(Name<'s>)) {
    match pattern {
        Pattern::Var(_) => {}
        Pattern::Arr(items) => items.iter().for_each(|item| each_pattern(item, visit)),
        Pattern::Obj(members) => {
            for (key, inner) in members {
                if !matches!(key, Term::Var(_)) {
                    each_name(key, visit);
                }
                each_pattern(inner, visit);
            }
        }
    }
}

/// A name in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name<'s> {
    Called(&'s str),
    Defined(&'s str),
    Variable(&'s str),
}
