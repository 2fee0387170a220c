//! What expressions can call: jq's own filters without those that have effects, and the guards.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::OnceLock;

use jaq_core::box_iter::{BoxIter, box_once};
use jaq_core::data::HasLut;
use jaq_core::load::parse::Def;
use jaq_core::native::{Fun, bome, v};
use jaq_core::{Cv, DataT, Error, Exn, Lut, Native, ValX};
use jaq_json::{Val, read};

use super::guard::{self, Name, guard_def};
use super::meter::{Meter, Stop};

/// Filters that look at a clock, the machine or the program, or that have effects: none is available.
pub(crate) const IMPURE: [&str; 13] = [
    "env",
    "now",
    "halt",
    "halt_error",
    "debug",
    "stderr",
    "input",
    "inputs",
    "input_filename",
    "input_line_number",
    "localtime",
    "strflocaltime",
    "get_search_list",
];

/// The natives behind them, which the definitions of the library refer to, with the name that people know.
const IMPURE_NATIVES: [(&str, &str, usize); 7] = [
    ("env", "env", 0),
    ("now", "now", 0),
    ("halt", "halt", 1),
    ("debug_empty", "debug", 0),
    ("stderr_empty", "stderr", 0),
    ("localtime", "localtime", 0),
    ("strflocaltime", "strflocaltime", 1),
];

/// Natives that are replaced by ones with bounds.
const REPLACED: [&str; 3] = ["range", "tojson", "fromjson"];

/// Values of jq with the meter of the run at hand.
pub(crate) struct Metered;

/// What natives see of a run.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) lut: &'a Lut<Metered>,
    pub(crate) meter: &'a Meter,
}

impl DataT for Metered {
    type V<'a> = Val;
    type Data<'a> = Run<'a>;
}

impl<'a> HasLut<'a, Metered> for Run<'a> {
    fn lut(&self) -> &'a Lut<Metered> {
        self.lut
    }
}

fn halted<'a, T>(_: Stop) -> ValX<'a, T, Val> {
    Err(Exn::halt(1))
}

/// A guard: its input, or a halt. It is transparent to paths and updates as well.
macro_rules! guard {
    ($name:expr, $check:expr) => {{
        let run: jaq_core::RunPtr<Metered> = |cv| {
            let check: fn(&Meter, &Val) -> Result<(), Stop> = $check;
            box_once(check(cv.0.data().meter, &cv.1).map_or_else(halted, |()| Ok(cv.1)))
        };
        let native = Native::<Metered>::new(run)
            .with_paths(|cv| {
                let check: fn(&Meter, &Val) -> Result<(), Stop> = $check;
                box_once(check(cv.0.data().meter, &cv.1.0).map_or_else(halted, |()| Ok(cv.1)))
            })
            .with_update(|cv, update| {
                let check: fn(&Meter, &Val) -> Result<(), Stop> = $check;
                match check(cv.0.data().meter, &cv.1) {
                    Ok(()) => update(cv.1),
                    Err(why) => box_once(halted(why)),
                }
            });
        ($name, v(0), native)
    }};
}

/// All natives.
pub(crate) fn natives() -> Vec<Fun<Metered>> {
    let known = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let impure = |name: &str| IMPURE_NATIVES.iter().any(|(native, ..)| *native == name);
    let mut natives: Vec<Fun<Metered>> = known.filter(|(name, ..)| !impure(name) && !REPLACED.contains(name)).collect();
    natives.extend(IMPURE_NATIVES.map(|(native, _, arity)| (native, v(arity), Native::<Metered>::new(refuse_impure))));
    natives.extend([
        guard!(guard::STEP, |meter, _| meter.tick()),
        guard!(guard::MADE, |meter, value| meter.made(value)),
        guard!(guard::WHOLE, |meter, value| meter.whole(value)),
        guard!(guard::TEXT, |meter, value| match value {
            Val::TStr(text) | Val::BStr(text) => meter.charge(text.len() as u64),
            _ => Ok(()),
        }),
        (guard::SUM, v(2), Native::<Metered>::new(sum)),
        (guard::PRODUCT, v(2), Native::<Metered>::new(product)),
        ("range", v(3), Native::<Metered>::new(range)),
        ("tojson", v(0), Native::<Metered>::new(to_json)),
        ("fromjson", v(0), Native::<Metered>::new(from_json)),
    ]);
    natives
}

type Outputs<'a> = BoxIter<'a, ValX<'a, Val>>;

/// An expression that names one of these is refused before; this is behind the definitions of the library.
fn refuse_impure<'a>(_: Cv<'a, Metered>) -> Outputs<'a> {
    bome(Err(Error::str("what has effects, or depends on time or place, is not available in a transform")))
}

fn sum<'a>((mut context, input): Cv<'a, Metered>) -> Outputs<'a> {
    let meter = context.data().meter;
    let (right, left) = (context.pop_var(), context.pop_var());
    // What the left side shares with the input can then grow in place.
    drop((input, context));
    match meter.sum(&left, &right) {
        Ok(()) => bome(left + right),
        Err(why) => box_once(halted(why)),
    }
}

fn product<'a>((mut context, _): Cv<'a, Metered>) -> Outputs<'a> {
    let meter = context.data().meter;
    let (right, left) = (context.pop_var(), context.pop_var());
    match meter.product(&left, &right) {
        Ok(()) => bome(left * right),
        Err(why) => box_once(halted(why)),
    }
}

/// `range($from; $to; $by)`, each output a step.
fn range<'a>((mut context, _): Cv<'a, Metered>) -> Outputs<'a> {
    let meter = context.data().meter;
    let (by, to, from) = (context.pop_var(), context.pop_var(), context.pop_var());
    let direction = by.cmp(&Val::from(0_usize));
    let mut next = Some(Ok(from));
    Box::new(std::iter::from_fn(move || {
        let value = match next.take()? {
            Ok(value) => value,
            Err(error) => return Some(Err(error)),
        };
        let goes_on = match direction {
            Ordering::Greater => value < to,
            Ordering::Less => value > to,
            Ordering::Equal => value != to,
        };
        if !goes_on {
            return None;
        }
        if let Err(why) = meter.tick() {
            return Some(halted(why));
        }
        next = Some((value.clone() + by.clone()).map_err(Exn::from));
        Some(Ok(value))
    }))
}

fn to_json<'a>((context, input): Cv<'a, Metered>) -> Outputs<'a> {
    let meter = context.data().meter;
    if let Err(why) = meter.whole(&input) {
        return box_once(halted(why));
    }
    let text = input.to_string();
    match meter.charge(text.len() as u64) {
        Ok(()) => box_once(Ok(Val::from(text))),
        Err(why) => box_once(halted(why)),
    }
}

/// JSON values of a text, as jq reads them; a text that is nested too deep is refused before it is read.
fn from_json<'a>((context, input): Cv<'a, Metered>) -> Outputs<'a> {
    let meter = context.data().meter;
    let text = match input.try_as_utf8_bytes_owned() {
        Ok(text) => text,
        Err(error) => return bome(Err(error)),
    };
    let checked = meter.text_nesting(&text).and_then(|()| meter.charge(16 * text.len() as u64));
    if let Err(why) = checked {
        return box_once(halted(why));
    }
    let mut values = Vec::new();
    for value in read::parse_many(&text) {
        let failed = value.is_err();
        values.push(value.map_err(|error| Exn::from(Error::str(format!("the text is no JSON: {error}")))));
        if failed {
            break;
        }
    }
    Box::new(values.into_iter())
}

/// The definitions of the library, with guards.
fn definitions() -> &'static [Def] {
    static DEFINITIONS: OnceLock<Vec<Def>> = OnceLock::new();
    DEFINITIONS.get_or_init(|| {
        let all = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
        all.map(guard_def).collect()
    })
}

/// Those definitions that are reached from the names given, in their order.
pub(crate) fn definitions_for(names: &HashSet<&str>) -> Vec<Def> {
    let all = definitions();
    let mut wanted: HashSet<&str> = names.clone();
    // What a definition calls comes before it, or is itself.
    let mut kept: Vec<Def> = Vec::new();
    for def in all.iter().rev() {
        if wanted.contains(def.name) {
            guard::each_name(&def.body, &mut |name| {
                if let Name::Called(name) = name {
                    wanted.insert(name);
                }
            });
            kept.push(def.clone());
        }
    }
    kept.reverse();
    kept
}

/// Every name that can be called, for suggestions.
pub(crate) fn names() -> Vec<&'static str> {
    let defined = definitions().iter().map(|def| def.name);
    let natives = natives().into_iter().map(|(name, ..)| name);
    let mut names: Vec<&str> =
        defined.chain(natives).filter(|name| !name.starts_with('\0') && !IMPURE.contains(name)).collect();
    names.sort_unstable();
    names.dedup();
    names
}
