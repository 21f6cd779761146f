//! Generators: one call an ID, or one a batch.

use wasm_bindgen::prelude::wasm_bindgen;

use super::entropy::draw;
use super::memory::{SCHEMA, STATUS, fields, generator, id, numbers, place, print_id, put, put_id, take};
use super::{pack, refuse, status};
use crate::Error;
use crate::area::{AS_NUMBER, DATA, DATA_BYTES, DETAIL, DRAW, FROM_PLATFORM, MOST_DRAWS, REGISTER, WAIT};
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
    let Some(place) = place(index) else { return refuse(Error::Conflict) };
    place.set(&schema.scale, values, schema.packing(low_bits(id())));
    0
}

/// Sets what a generator's callers may choose differently in one slot: a counter's restart, or a step's bytes.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn rule(index: usize, number: f64) {
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
    let full = match policy >> 2 {
        0 => Full::Throw,
        1 => Full::Wait,
        _ => Full::Borrow,
    };
    Policy { backwards, full, max_ahead: max_ahead as i64 }
}

/// In place of a policy: an ID for a given time.
const GIVEN: u32 = u32::MAX;

/// Asks until the answer is no longer "draw", or the bits come from the caller. The generator if it has made an ID, which
/// is then in the register (sno's with its metabyte); else the status says why not.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
#[inline(never)]
fn make(
    index: usize,
    time: f64,
    how: u32,
    max_ahead: f64,
    random: f64,
    metabyte: Option<u8>,
) -> Option<&'static mut Generator> {
    let status = STATUS.get();
    let Some(generator) = generator(index) else {
        *status = refuse(Error::Conflict);
        return None;
    };
    let tick = match generator.scale.tick(time) {
        Ok(tick) => tick,
        Err(error) => {
            *status = refuse(error);
            return None;
        }
    };
    let policy = policy(how, max_ahead);
    let mut bits = if random >= 0.0 { Some(random as u64) } else { None };
    for _ in 0..MOST_DRAWS {
        let result = if how == GIVEN { generator.give(tick, bits) } else { generator.advance(tick, bits, &policy) };
        let Err(Stop { cause, number }) = result else {
            put_id(REGISTER, metabyte.map_or(generator.whole_id(), |metabyte| sno::id(generator, metabyte)));
            *status = 0;
            return Some(generator);
        };
        if cause == Cause::Draw && random == FROM_PLATFORM {
            bits = draw(number as u32);
            if bits.is_some() {
                continue;
            }
            break;
        }
        let mut detail = number;
        *status = refuse(cause.into());
        if cause == Cause::Draw {
            *status = DRAW;
        } else if number == Stop::NEVER {
            detail = 0;
        } else {
            put(DETAIL + 8, f64::from(*status));
            detail = generator.scale.timestamp(number);
            *status = WAIT;
        }
        put(DETAIL, detail as f64);
        return None;
    }
    *status = refuse(Error::RandomFailed);
    None
}

/// The next ID as an integer, or a negated status (`status()` tells it from a negative ID).
#[wasm_bindgen]
pub fn next_integer(index: usize, now: f64, how: u32, max_ahead: f64) -> i64 {
    match make(index, now, how, max_ahead, FROM_PLATFORM, None) {
        Some(_) => take(REGISTER),
        None => -i64::from(status()),
    }
}

/// The next ID as a number, or a negated status.
#[wasm_bindgen]
pub fn next_number(index: usize, now: f64, how: u32, max_ahead: f64) -> f64 {
    match make(index, now, how, max_ahead, FROM_PLATFORM, None) {
        Some(_) => take(REGISTER + AS_NUMBER),
        None => -f64::from(status()),
    }
}

/// The next sno as text.
#[wasm_bindgen]
pub fn next_sno(index: usize, now: f64, how: u32, max_ahead: f64, metabyte: u8) -> u32 {
    if make(index, now, how, max_ahead, FROM_PLATFORM, Some(metabyte)).is_some() {
        print_id(id(), DATA, false);
    }
    status()
}

/// The next Ulid-Flake as text. `random`: -1 draws from the platform, -2 answers [`DRAW`], else the bits drawn.
#[wasm_bindgen]
pub fn next_ulid(index: usize, now: f64, how: u32, max_ahead: f64, random: f64) -> u32 {
    if make(index, now, how, max_ahead, random, None).is_some() {
        print_id(id(), DATA, true);
    }
    status()
}

/// An ID for a given time, to the register. `metabyte` counts for sno only, `random` as in [`next_ulid`].
#[wasm_bindgen]
pub fn at(index: usize, time: f64, random: f64, sno: bool, metabyte: u8) -> u32 {
    make(index, time, GIVEN, 0.0, random, sno.then_some(metabyte));
    status()
}

/// As many of `count` IDs as one clock reading yields and the area holds, to [`DATA`]; returns how many, and
/// leaves in `status()` why not all. `form`: 0 integers, 1 numbers, 2 sno texts, 3 Ulid-Flake texts.
#[wasm_bindgen]
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
pub fn fill(index: usize, now: f64, how: u32, max_ahead: f64, count: u32, form: u32, metabyte: u8) -> u32 {
    let size = match form {
        2 => sno::TEXT_LENGTH,
        3 => ulid_flake::TEXT_LENGTH,
        _ => size_of::<u64>(),
    };
    let room = match form {
        2 => DATA_BYTES / sno::TEXT_LENGTH,
        3 => DATA_BYTES / ulid_flake::TEXT_LENGTH,
        _ => DATA_BYTES / size_of::<u64>(),
    };
    let most = count.min(room as u32);
    let mut left = most;
    let mut offset = DATA;
    *STATUS.get() = 0;
    while left > 0 {
        let metabyte = if form == 2 { Some(metabyte) } else { None };
        let Some(generator) = make(index, now, how, max_ahead, FROM_PLATFORM, metabyte) else { break };
        let step = 1 << generator.packing.value_shift;
        let end = left - 1 - generator.run((left - 1).into()) as u32;
        let (high, mut low) = (high_bits(id()), low_bits(id()));
        while left > end {
            match form {
                0 => put(offset, low),
                1 => put(offset, low as f64),
                _ => print_id(whole(high, low), offset, form == 3),
            }
            low = low.wrapping_add(step);
            offset += size;
            left -= 1;
        }
    }
    most - left
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
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    for (place, number) in fields().iter().zip(numbers(generator)) {
        *number = *place as i64;
    }
    generator.resume();
    0
}
