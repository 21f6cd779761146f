//! Generators: one call an ID, or one a batch.

use wasm_bindgen::prelude::wasm_bindgen;

use super::entropy::draw;
use super::memory::{fields, generator, place, print_id, put, put_id, take};
use super::{refuse, values_of, with_schema};
use crate::Error;
use crate::area::{
    DATA, DATA_BYTES, DETAIL, DRAW, FIELDS, FORM_CROCKFORD, FORM_NUMBER, FORM_SNO, FORMS, FROM_PLATFORM, MOST_DRAWS,
    REGISTER, WAIT,
};
use crate::engine::{Answer, Backfill, Backwards, Full, Generator, MAX_FIELDS, Policy, State, Stats, Values};
use crate::formats::{sno, ulid_flake};

/// Opens a generator of the current schema in a slot. Its fixed fields stand at [`FIELDS`].
/// `random`: `first` bytes are drawn for a start; else the bounds of a counter. What [`rule`] sets is set before use.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn open(index: usize, first: f64, last: f64, random: bool) -> u32 {
    with_schema(|schema| {
        let mut fixed = [0; MAX_FIELDS];
        values_of(&schema.layout, &mut fixed)?;
        let values = if random {
            Values::Random { max: schema.layout.max(schema.sequence), start: first as u8, step: 1 }
        } else {
            Values::Counter { first: first as u64, last: last as u64, restart: 0 }
        };
        let generator = schema.generator(&fixed, values)?;
        if place(index, generator) { Ok(()) } else { Err(Error::Conflict) }
    })
}

/// Sets what a generator's callers may choose differently in one slot: a counter's restart, or a step's bytes.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn rule(index: usize, number: f64) {
    if let Some(generator) = generator(index) {
        match &mut generator.values {
            Values::Counter { restart, .. } => *restart = number as u64,
            Values::Random { step, .. } => *step = number as u8,
        }
    }
}

/// Whether a tick of stalled calls is worth a notification.
#[wasm_bindgen]
pub fn notifies(ticks: u32, waiting: u32) -> bool {
    sno::notifies(ticks, waiting)
}

/// `policy`: clock backwards (0 throw, 1 wait, 2 hold, 3 tick-tock), plus four times sequence full (0 throw, 1 wait, 2
/// borrow); the form of the ID above.
#[expect(clippy::cast_possible_truncation)]
fn policy(policy: u32, max_ahead: f64) -> Policy {
    let backwards = match policy & 3 {
        0 => Backwards::Throw,
        1 => Backwards::Wait,
        2 => Backwards::Hold,
        _ => Backwards::TickTock,
    };
    let full = match policy >> 2 & 3 {
        0 => Full::Throw,
        1 => Full::Wait,
        _ => Full::Borrow,
    };
    Policy { backwards, full, max_ahead: max_ahead as i64 }
}

/// Asks until the answer is no longer "draw", or the bits come from the caller. Status 0: an ID was made.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
#[inline]
fn make(index: usize, random: f64, mut ask: impl FnMut(&mut Generator, Option<u64>) -> Answer) -> u32 {
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    let mut bits = if random >= 0.0 { Some(random as u64) } else { None };
    for _ in 0..MOST_DRAWS {
        match ask(generator, bits) {
            Answer::Issued => return 0,
            Answer::Refused(error) => return refuse(error),
            Answer::Wait { until, cause } => {
                put(DETAIL, until as f64);
                put(DETAIL + 8, f64::from(cause.number()));
                return WAIT;
            }
            Answer::Draw { bytes } if random == FROM_PLATFORM => match draw(bytes) {
                Some(drawn) => bits = Some(drawn),
                None => break,
            },
            Answer::Draw { bytes } => {
                put(DETAIL, f64::from(bytes));
                return DRAW;
            }
        }
    }
    refuse(Error::RandomFailed)
}

/// The next ID, left in the form that `how` names beside the policies. `random`: -1 draws from the platform, -2 answers
/// [`DRAW`], else the bits drawn.
#[wasm_bindgen]
pub fn next(index: usize, now: f64, how: u32, max_ahead: f64, metabyte: u8, random: f64) -> u32 {
    let status = step(index, now, how, max_ahead, random);
    leave(index, status, how, metabyte)
}

#[inline(never)]
fn step(index: usize, now: f64, how: u32, max_ahead: f64, random: f64) -> u32 {
    let policy = policy(how, max_ahead);
    make(index, random, |generator, bits| generator.next(now, bits, &policy))
}

/// The ID that was made, if one was, to where its form belongs.
fn leave(index: usize, status: u32, form: u32, metabyte: u8) -> u32 {
    if let (Some(generator), 0) = (generator(index), status) {
        match form & FORMS {
            FORM_SNO => print_id(DATA, sno::id(generator, metabyte), false),
            FORM_CROCKFORD => print_id(DATA, generator.id().into(), true),
            _ => put_id(REGISTER, generator.id().into()),
        }
    }
    status
}

/// An ID for a given time; the rest as in [`next`].
#[wasm_bindgen]
pub fn at(index: usize, time: f64, form: u32, metabyte: u8, random: f64) -> u32 {
    let status = make(index, random, |generator, bits| generator.at(time, bits));
    leave(index, status, form, metabyte)
}

/// As many of `count` IDs as one clock reading yields and the area holds, to [`DATA`]; how many stands in the third
/// detail. A status above 0 says why not more.
#[wasm_bindgen]
#[expect(clippy::cast_precision_loss)]
pub fn fill(index: usize, now: f64, how: u32, max_ahead: f64, metabyte: u8, count: u32) -> u32 {
    let form = how & FORMS;
    let size = match form {
        FORM_SNO => sno::TEXT_LENGTH,
        FORM_CROCKFORD => ulid_flake::TEXT_LENGTH,
        _ => size_of::<u64>(),
    };
    let (mut filled, mut offset, mut status) = (0, DATA, 0);
    while filled < count && offset + size <= DATA + DATA_BYTES {
        status = step(index, now, how, max_ahead, FROM_PLATFORM);
        let Some(generator) = generator(index).filter(|_| status == 0) else { break };
        match form {
            FORM_SNO => print_id(offset, sno::id(generator, metabyte), false),
            FORM_CROCKFORD => print_id(offset, generator.id().into(), true),
            FORM_NUMBER => put(offset, generator.id() as f64),
            _ => put(offset, generator.id()),
        }
        filled += 1;
        offset += size;
    }
    put(DETAIL + 16, f64::from(filled));
    status
}

/// A slot's state to [`FIELDS`]: highest, last, value, left, safe, drifts, first live tick (-1 for none); the
/// other counter's highest, value, left, wrapped; then issued, regressions, largest regression, overflows, last tick that overflowed.
#[wasm_bindgen]
#[expect(clippy::cast_precision_loss)]
pub fn save(index: usize) -> u32 {
    let Some(Generator { state, backfill, stats, .. }) = generator(index) else { return refuse(Error::Conflict) };
    let first_live = if state.first_live == i64::MAX { -1 } else { state.first_live };
    let numbers = [
        state.highest as f64,
        state.last as f64,
        state.value as f64,
        state.left as f64,
        state.safe as f64,
        f64::from(state.drifts),
        first_live as f64,
        backfill.highest as f64,
        backfill.value as f64,
        backfill.left as f64,
        f64::from(u8::from(backfill.wrapped)),
        stats.issued as f64,
        stats.regressions as f64,
        stats.largest_regression as f64,
        stats.overflows as f64,
        stats.overflown as f64,
    ];
    for (place, number) in fields(MAX_FIELDS).iter_mut().zip(numbers) {
        *place = number;
    }
    0
}

/// The inverse of [`save`]. The caller has checked the numbers.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn restore(index: usize) -> u32 {
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    let [highest, last, value, left, safe, drifts, first_live, at_highest, at_value, at_left, wrapped, rest @ ..] =
        take::<[f64; MAX_FIELDS]>(FIELDS);
    let [issued, regressions, largest_regression, overflows, overflown, ..] = rest;
    let state = State {
        highest: highest as i64,
        last: last as i64,
        value: value as u64,
        left: left as u64,
        safe: safe as i64,
        drifts: drifts as u32,
        first_live: if first_live < 0.0 { i64::MAX } else { first_live as i64 },
    };
    let backfill =
        Backfill { highest: at_highest as i64, value: at_value as u64, left: at_left as u64, wrapped: wrapped == 1.0 };
    generator.restore(state, backfill);
    generator.stats = Stats {
        issued: issued as u64,
        regressions: regressions as u64,
        largest_regression: largest_regression as i64,
        overflows: overflows as u64,
        overflown: overflown as i64,
    };
    0
}
