//! What a run of a filter may use.

use std::cell::Cell;

use jaq_json::{Num, Val};

/// Constructed values of which one is measured.
const SAMPLED: u64 = 64;
/// Integers with more bits than this are not multiplied further.
const MOST_BITS: u64 = 1 << 17;

/// Bounds of one run. They are counted, not timed, so the same input always ends in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Outputs.
    pub outputs: usize,
    /// Values in all outputs and, roughly, in any value on the way.
    pub values: usize,
    /// Bytes of text in all outputs.
    pub bytes: usize,
    /// Levels of nesting of the input, of outputs and of values on the way.
    pub nesting: usize,
    /// Steps: calls, pipes, turns of a loop.
    pub steps: u64,
    /// Bytes that are made on the way, all in all.
    pub memory: u64,
    /// Bytes of the thread's stack that recursion may use.
    pub stack: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            outputs: 10_000,
            values: 2_000_000,
            bytes: 64 << 20,
            nesting: 128,
            steps: 5_000_000,
            memory: 512 << 20,
            stack: 768 << 10,
        }
    }
}

/// Why a run was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Steps,
    Memory,
    Nesting,
    Values,
    Recursion,
    Number,
}

/// Counts what one run uses.
#[derive(Debug)]
pub(crate) struct Meter {
    bounds: Bounds,
    steps: Cell<u64>,
    memory: Cell<u64>,
    /// State of the sequence that picks which values are measured.
    pick: Cell<u64>,
    base: usize,
    stopped: Cell<Option<Stop>>,
}

/// Roughly where the stack stands: the address of a local.
#[inline(never)]
fn stack_address() -> usize {
    let here = 0_u8;
    std::hint::black_box(std::ptr::from_ref(&here)).addr()
}

impl Meter {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            steps: Cell::new(0),
            memory: Cell::new(0),
            pick: Cell::new(1),
            base: stack_address(),
            stopped: Cell::new(None),
        }
    }

    /// Why the run was stopped; `None` when it was not.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopped.get()
    }

    fn stop(&self, why: Stop) -> Result<(), Stop> {
        self.stopped.set(Some(why));
        Err(why)
    }

    /// One step.
    pub(crate) fn tick(&self) -> Result<(), Stop> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > self.bounds.steps {
            return self.stop(Stop::Steps);
        }
        match stack_address().abs_diff(self.base) > self.bounds.stack {
            true => self.stop(Stop::Recursion),
            false => Ok(()),
        }
    }

    /// Bytes that are about to be made, or just were.
    pub(crate) fn charge(&self, bytes: u64) -> Result<(), Stop> {
        let memory = self.memory.get().saturating_add(bytes);
        self.memory.set(memory);
        if memory > self.bounds.memory { self.stop(Stop::Memory) } else { Ok(()) }
    }

    /// A list or an object was made: its own size is charged, and now and then it is measured as a whole. Which are
    /// measured follows no pattern that an expression could step around by accident.
    pub(crate) fn made(&self, value: &Val) -> Result<(), Stop> {
        self.tick()?;
        self.charge(own_size(value))?;
        let pick = self.pick.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.pick.set(pick);
        if (pick >> 33).is_multiple_of(SAMPLED) { self.whole(value) } else { Ok(()) }
    }

    /// Measures a value as a whole: one that is shared in many places counts in each of them.
    pub(crate) fn whole(&self, value: &Val) -> Result<(), Stop> {
        let mut left = self.bounds.values;
        match measure(value, self.bounds.nesting, &mut left) {
            Ok(()) => Ok(()),
            Err(why) => self.stop(why),
        }
    }

    /// Before a text is read as JSON: brackets that are open at once.
    pub(crate) fn text_nesting(&self, text: &[u8]) -> Result<(), Stop> {
        let (mut open, mut inside, mut escaped) = (0_usize, false, false);
        for byte in text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if inside => escaped = true,
                b'"' => inside = !inside,
                b'[' | b'{' if !inside => open += 1,
                b']' | b'}' if !inside => open = open.saturating_sub(1),
                _ => {}
            }
            if open > self.bounds.nesting {
                return self.stop(Stop::Nesting);
            }
        }
        Ok(())
    }

    /// Before `left + right`.
    pub(crate) fn sum(&self, left: &Val, right: &Val) -> Result<(), Stop> {
        self.tick()?;
        // What nobody else holds grows in place.
        let copied = |value: &Val| match value {
            Val::Arr(items) if jaq_json::Rc::strong_count(items) == 1 => 0,
            Val::Obj(members) if jaq_json::Rc::strong_count(members) == 1 => 0,
            Val::TStr(text) | Val::BStr(text) if text.is_unique() => 0,
            other => own_size(other),
        };
        self.charge(copied(left).saturating_add(own_size(right)))
    }

    /// Before `left * right`.
    pub(crate) fn product(&self, left: &Val, right: &Val) -> Result<(), Stop> {
        self.tick()?;
        let bits = |value: &Val| match value {
            Val::Num(Num::BigInt(value)) => value.bits(),
            Val::Num(_) => 64,
            _ => 0,
        };
        match (left, right) {
            (Val::TStr(text) | Val::BStr(text), Val::Num(times))
            | (Val::Num(times), Val::TStr(text) | Val::BStr(text)) => {
                let times = match times {
                    Num::Int(times) => u64::try_from(*times).unwrap_or(0),
                    Num::BigInt(_) => u64::MAX,
                    _ => 0,
                };
                self.charge((text.len() as u64).saturating_mul(times))
            }
            (Val::Num(_), Val::Num(_)) if bits(left) + bits(right) > MOST_BITS => self.stop(Stop::Number),
            _ => self.charge(own_size(left).saturating_add(own_size(right))),
        }
    }
}

/// Bytes of a value itself, without what its items hold.
fn own_size(value: &Val) -> u64 {
    match value {
        Val::TStr(text) | Val::BStr(text) => text.len() as u64,
        Val::Arr(items) => 16 * items.len() as u64,
        Val::Obj(members) => 48 * members.len() as u64,
        _ => 0,
    }
}

/// Walks a value as far as the bounds go; `nesting` is how many levels may still follow.
fn measure(value: &Val, nesting: usize, left: &mut usize) -> Result<(), Stop> {
    *left = left.checked_sub(1).ok_or(Stop::Values)?;
    let below = || nesting.checked_sub(1).ok_or(Stop::Nesting);
    match value {
        Val::Arr(items) => {
            let below = below()?;
            items.iter().try_for_each(|item| measure(item, below, left))
        }
        Val::Obj(members) => {
            let below = below()?;
            members.values().try_for_each(|member| measure(member, below, left))
        }
        _ => Ok(()),
    }
}
