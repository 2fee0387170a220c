//! A compiled expression and its runs.

use std::collections::HashSet;
use std::fmt::{self, Write};
use std::sync::Arc;

use jaq_core::load::parse::Def;
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars};
use jaq_json::Val;

use crate::document::Node;

use super::guard::{Name, each_name, guard};
use super::library::{Metered, Run, definitions_for, natives};
use super::meter::{Bounds, Meter, Stop};
use super::syntax;
use super::value::{Room, to_node, to_val};

/// The name under which the expression is compiled: as a definition, since only those can be given as a tree.
const MAIN: &str = "toolscope_transform";
/// Characters of an error of jq that are shown.
const SHOWN: usize = 400;

/// Why an expression is none, with its place in the expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// Byte offset in the expression.
    pub offset: usize,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl FilterError {
    pub(crate) fn new(offset: usize, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { offset, message: message.into(), remedy: remedy.into() }
    }

    /// Line and column in the expression, both from 1, the column in characters.
    pub fn line_column(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.offset.min(text.len())).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {}; {})", self.message, self.offset, self.remedy)
    }
}

impl std::error::Error for FilterError {}

/// Why a run gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// `input`, `jq`, `output` or `bounds`.
    pub rule: &'static str,
    /// What happened, in one sentence without a full stop.
    pub message: String,
}

impl RunError {
    fn new(rule: &'static str, message: impl Into<String>) -> Self {
        Self { rule, message: message.into() }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RunError {}

/// A compiled jq expression: `Send + Sync`, made once and kept.
pub struct Filter {
    text: Arc<str>,
    compiled: jaq_core::Filter<Metered>,
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter").field("text", &self.text).finish_non_exhaustive()
    }
}

impl PartialEq for Filter {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Filter {}

impl Filter {
    /// Compiles an expression (jq 1.7, as jaq reads it). Modules, variables from outside and everything that has effects
    /// or looks at a clock or the environment are not available.
    ///
    /// # Errors
    /// The first thing that is wrong, with its byte offset.
    pub fn compile(text: &str) -> Result<Self, FilterError> {
        let tree = syntax::read(text)?;
        let mut names: HashSet<&str> = HashSet::new();
        each_name(&tree, &mut |name| {
            if let Name::Called(name) = name {
                names.insert(name);
            }
        });
        let main = Def { name: MAIN, args: Vec::new(), body: guard(tree) };
        let definitions = definitions_for(&names).into_iter().chain([main]);
        let arena = Arena::default();
        let modules = Loader::new(definitions).load(&arena, File { code: MAIN, path: () });
        let broken = || FilterError::new(0, "the expression cannot be compiled", "see the jq manual");
        let modules = modules.map_err(|_| broken())?;
        let compiled = Compiler::default().with_funs(natives()).compile(modules).map_err(|errors| {
            let first = errors.into_iter().flat_map(|(_, errors)| errors).next();
            first.map_or_else(broken, |(name, kind)| syntax::undefined(text, name, &kind))
        })?;
        Ok(Self { text: text.into(), compiled })
    }

    /// The expression.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Runs the expression over a value and gives all its outputs. Their nodes have the origin of the input.
    ///
    /// Pure: the same input gives the same outputs. Steps, memory, nesting and outputs are bounded; a call that serves
    /// somebody also wants a deadline on its thread.
    ///
    /// # Errors
    /// The expression raises an error, reaches a bound, or gives what JSON cannot say.
    pub fn run(&self, input: &Node, bounds: &Bounds) -> Result<Vec<Node>, RunError> {
        let value = to_val(input, bounds.nesting).map_err(|message| RunError::new("input", message))?;
        let meter = Meter::new(*bounds);
        let context = Ctx::<Metered>::new(Run { lut: &self.compiled.lut, meter: &meter }, Vars::new([]));
        let mut room = Room::of(bounds);
        let mut outputs = Vec::new();
        for output in self.compiled.id.run((context, value)) {
            let output = output.map_err(|exception| match (meter.stopped(), exception.get_err()) {
                (Some(why), _) => RunError::new("bounds", stopped(why, bounds)),
                (None, Ok(error)) => RunError::new("jq", shown(&error)),
                (None, Err(_)) => RunError::new("jq", "it was halted"),
            })?;
            if outputs.len() >= bounds.outputs {
                let message = format!("it gives more than {} outputs", bounds.outputs);
                return Err(RunError::new("bounds", message));
            }
            outputs.push(to_node(&output, input.origin, &mut room).map_err(|why| RunError::new("output", why))?);
        }
        Ok(outputs)
    }

    /// The one output of an expression.
    ///
    /// # Errors
    /// As for [`Filter::run`]; or there is no output, or more than one.
    pub fn run_once(&self, input: &Node, bounds: &Bounds) -> Result<Node, RunError> {
        let mut outputs = match self.run(input, &Bounds { outputs: 1, ..*bounds }) {
            Err(error) if error.rule == "bounds" && error.message.ends_with("than 1 outputs") => {
                let message = "it gives several outputs, and one is wanted; `[…]` around it makes a list of them";
                return Err(RunError::new("output", message));
            }
            other => other?,
        };
        let nothing = || RunError::new("output", "it gives nothing, and one output is wanted");
        outputs.pop().ok_or_else(nothing)
    }
}

fn stopped(why: Stop, bounds: &Bounds) -> String {
    match why {
        Stop::Steps => format!("it takes more than {} steps; does a loop never end?", bounds.steps),
        Stop::Memory => format!("it makes more than {} MiB of values", bounds.memory >> 20),
        Stop::Nesting => format!("it makes a value that is nested deeper than {} levels", bounds.nesting),
        Stop::Values => format!("it makes a value of more than {} parts", bounds.values),
        Stop::Recursion => "it calls itself too deep".to_owned(),
        Stop::Number => "it makes a number that is too large".to_owned(),
    }
}

/// An error of jq, cut: it may hold all of the input.
fn shown(error: &jaq_core::Error<Val>) -> String {
    struct Cut(String);
    impl Write for Cut {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let left = SHOWN.saturating_sub(self.0.chars().count());
            self.0.extend(text.chars().take(left));
            // Ends the writing of what will not be shown.
            if self.0.chars().count() >= SHOWN { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut cut = Cut(String::new());
    match write!(cut, "{error}") {
        Ok(()) => cut.0,
        Err(_) => format!("{}…", cut.0),
    }
}
