//! Generators: one call an ID, or one a batch.

use wasm_bindgen::prelude::wasm_bindgen;

use super::entropy::draw;
use super::memory::{LAST, NO_CALL, SCHEMA, fields, generator, id, numbers, place, print_id, put};
use super::{pack, refuse};
use crate::Error;
use crate::area::{
    DATA, DATA_BYTES, DETAIL, DRAW, FORM_CROCKFORD, FORM_INTEGER, FORM_NUMBER, FORM_SNO, FORMS, FROM_PLATFORM,
    MOST_DRAWS, POLICIES, WAIT,
};
use crate::engine::{Backwards, Cause, Full, Generator, Policy, Stop, Values, high_bits, low_bits, whole};
use crate::formats::{sno, ulid_flake};

/// Opens a generator of the current schema in a slot. Its fixed fields stand at [`FIELDS`](crate::area::FIELDS), all
/// others there are 0. `random`: `first` bytes are drawn for a start; else the bounds of a counter. What [`rule`] sets
/// is set before use.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn open(index: usize, first: f64, last: f64, random: bool) -> u32 {
    let status = pack();
    if status != 0 {
        return status;
    }
    let schema = SCHEMA.get();
    let values = if random {
        Values::Random { max: schema.layout.max(schema.sequence), start: first as u32 as u8, step: 1 }
    } else {
        Values::Counter { first: first as u64, last: last as u64, restart: 0 }
    };
    *LAST.get() = NO_CALL;
    let Some(place) = place(index) else { return refuse(Error::Conflict) };
    place.set(&schema.scale, values, schema.packing(low_bits(id())));
    0
}

/// Sets what a generator's callers may choose differently in one slot: a counter's restart, or a step's bytes.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn rule(index: usize, number: f64) {
    *LAST.get() = NO_CALL;
    if let Some(generator) = generator(index) {
        match &mut generator.values {
            Values::Counter { restart, .. } => *restart = number as u64,
            Values::Random { step, .. } => *step = number as u32 as u8,
        }
    }
}

/// Whether a tick of stalled calls is worth a notification.
#[wasm_bindgen]
pub fn notifies(ticks: u32, waiting: u32) -> bool {
    sno::notifies(ticks, waiting)
}

/// `policy`: clock backwards (0 throw, 1 wait, 2 hold, 3 tick-tock), plus four times sequence full (0 throw, 1 wait, 2
/// borrow).
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

/// In place of a policy: an ID for a given time.
const GIVEN: u32 = 15;

/// What a call has made.
struct Made {
    generator: &'static mut Generator,
    /// sno's with its metabyte.
    id: u128,
    /// In the same tick as the one before, of the same call.
    again: bool,
}

/// Asks until the answer is no longer "draw", or the bits come from the caller. Or else the status that says why not.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
#[inline(never)]
fn make(index: usize, time: f64, how: u32, max_ahead: f64, metabyte: u8, random: f64) -> Result<Made, u32> {
    let call = (index, how, time, max_ahead);
    let last = LAST.get();
    let mut again = *last == call;
    *last = NO_CALL;
    let generator = generator(index).ok_or_else(|| refuse(Error::Conflict))?;
    let mut bits = if random >= 0.0 { Some(random as u64) } else { None };
    if let (Values::Random { step, .. }, FROM_PLATFORM, true) = (generator.values, random, again) {
        // What the call would ask for, before it asks.
        bits = draw(step);
    }
    again = again && generator.again(bits);
    if !again {
        let tick = generator.scale.tick(time).map_err(refuse)?;
        let mut draws = 0;
        loop {
            let given = how & POLICIES == GIVEN;
            let result =
                if given { generator.give(tick, bits) } else { generator.advance(tick, bits, &policy(how, max_ahead)) };
            let Err(Stop { cause, number }) = result else { break };
            if cause != Cause::Draw {
                return Err(stop(generator, cause, number));
            }
            if random != FROM_PLATFORM {
                put(DETAIL, number as f64);
                return Err(DRAW);
            }
            bits = draw(number as u8);
            draws += 1;
            if bits.is_none() || draws == MOST_DRAWS {
                return Err(refuse(Error::RandomFailed));
            }
        }
    }
    if how & POLICIES != GIVEN {
        *last = call;
    }
    let id = if how & FORMS == FORM_SNO { sno::id(generator, metabyte) } else { generator.whole_id() };
    Ok(Made { generator, id, again })
}

/// The status of a call without an ID.
#[expect(clippy::cast_precision_loss)]
fn stop(generator: &Generator, cause: Cause, number: i64) -> u32 {
    let status = refuse(cause.into());
    if number == Stop::NEVER {
        return status;
    }
    put(DETAIL, generator.scale.timestamp(number) as f64);
    put(DETAIL + 8, f64::from(status));
    WAIT
}

/// An ID in its form, to an offset of the area.
#[expect(clippy::cast_precision_loss)]
#[inline]
fn put_form(form: u32, id: u128, offset: usize, again: bool) {
    match form & FORMS {
        FORM_INTEGER => put(offset, low_bits(id)),
        FORM_NUMBER => put(offset, low_bits(id) as f64),
        form => print_id(id, offset, form == FORM_CROCKFORD, again),
    }
}

/// The status of a call that leaves one ID at [`DATA`].
fn leave(made: Result<Made, u32>, form: u32) -> u32 {
    match made {
        Ok(Made { id, again, .. }) => {
            put_form(form, id, DATA, again);
            0
        }
        Err(status) => status,
    }
}

/// The next ID, to [`DATA`] in the form that `how` names beside the policies. `random`: -1 draws from the platform, -2 answers
/// [`DRAW`], else the bits drawn.
#[wasm_bindgen]
pub fn next(index: usize, now: f64, how: u32, max_ahead: f64, metabyte: u8, random: f64) -> u32 {
    leave(make(index, now, how, max_ahead, metabyte, random), how)
}

/// An ID for a given time; the rest as in [`next`], but that there are no policies.
#[wasm_bindgen]
pub fn at(index: usize, time: f64, form: u32, metabyte: u8, random: f64) -> u32 {
    leave(make(index, time, form & FORMS | GIVEN, 0.0, metabyte, random), form)
}

/// As many of `count` IDs as one clock reading yields and the area holds, to [`DATA`]; how many stands in the third
/// detail. A status above 0 says why not more.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation)]
pub fn fill(index: usize, now: f64, how: u32, max_ahead: f64, metabyte: u8, count: u32) -> u32 {
    let form = how & FORMS;
    let (size, room) = match form {
        FORM_SNO => (sno::TEXT_LENGTH, DATA_BYTES / sno::TEXT_LENGTH),
        FORM_CROCKFORD => (ulid_flake::TEXT_LENGTH, DATA_BYTES / ulid_flake::TEXT_LENGTH),
        _ => (size_of::<u64>(), DATA_BYTES / size_of::<u64>()),
    };
    let most = count.min(room as u32);
    let (mut left, mut offset, mut status) = (most, DATA, 0);
    while left > 0 {
        let Made { generator, id, mut again } = match make(index, now, how, max_ahead, metabyte, FROM_PLATFORM) {
            Ok(made) => made,
            Err(why) => {
                status = why;
                break;
            }
        };
        let step = 1 << generator.packing.value_shift;
        let end = left - 1 - generator.run((left - 1).into()) as u32;
        let (high, mut low) = (high_bits(id), low_bits(id));
        while left > end {
            put_form(form, whole(high, low), offset, again);
            again = true;
            low = low.wrapping_add(step);
            offset += size;
            left -= 1;
        }
    }
    put(DETAIL + 16, f64::from(most - left));
    status
}

/// A slot's state to [`FIELDS`](crate::area::FIELDS): highest, last, value, left, safe, drifts, first live tick (-1 for
/// none); the other counter's highest, value, left, wrapped; then issued, regressions, largest regression, overflows,
/// last tick that overflowed.
#[wasm_bindgen]
#[expect(clippy::cast_precision_loss)]
pub fn save(index: usize) -> u32 {
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    for (place, number) in fields().iter_mut().zip(numbers(generator)) {
        *place = *number as f64;
    }
    0
}

/// The inverse of [`save`]. The caller has checked the numbers.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation)]
pub fn restore(index: usize) -> u32 {
    *LAST.get() = NO_CALL;
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    for (place, number) in fields().iter().zip(numbers(generator)) {
        *number = *place as i64;
    }
    generator.resume();
    0
}
