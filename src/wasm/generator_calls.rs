//! Operations of generators: one call for each ID, or for each part of a batch.

use wasm_bindgen::prelude::wasm_bindgen;

use super::encode::LowPart;
use super::entropy::{ENOUGH, TOO_FEW, draw};
use super::memory::{self, OTHER, SCHEMA, STAGED, Saved, commit, counters, fields, id, numbers, opaque, put};
use super::slots::{LAST_CALL, LastCall, generator, slot};
use super::{pack, refuse};
use crate::Error;
use crate::abi::{
    BACKFILL, BATCH, BATCH_IDS, CAUSE, DATA, DETAIL, DRAW, FILLED, FLAGS, FROM_PLATFORM, FULL_SHIFT, MOST_DRAWS,
    POLICIES, REFILL, WAIT,
};
use crate::engine::merge::merge as merge_counters;
use crate::engine::{Backwards, Full, Generator, NotIssued, Policy, SequenceRule, low_bits};

/// Opens a generator of the loaded schema in a slot. Its fixed fields are at [`FIELDS`](crate::abi::FIELDS); all others
/// there are 0. `first` and `last` are the bounds of a counter. With `random`, `first` is the number of bytes drawn at
/// the start of a tick, and `last` the largest value. [`rule`] sets the rest. The slot's saved numbers stay: [`restore`] sets them.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn open(index: usize, first: f64, last: f64, random: bool) -> u32 {
    let status = pack();
    if status != 0 {
        return status;
    }
    let schema = SCHEMA.get();
    let values = if random {
        SequenceRule::Random { max: last as u64, start: first as u64, step: 1 }
    } else {
        SequenceRule::Counter { first: first as u64, last: last as u64, restart: 0 }
    };
    let Some(generator) = slot(index) else { return refuse(Error::Conflict) };
    generator.set(&schema.scale, values, schema.packing(low_bits(id())));
    0
}

/// Sets what the generators of a slot may choose differently: a counter's restart, or the bytes of a step; and how the loaded schema
/// rounds times, and which tick is its last.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn rule(index: usize, number: f64) {
    if let Some(generator) = generator(index) {
        generator.scale = SCHEMA.get().scale;
        match &mut generator.values {
            SequenceRule::Counter { restart, .. } => *restart = number as u64,
            SequenceRule::Random { step, .. } => *step = number as u64,
        }
    }
}

/// The policies in a call's flags; [`Backwards::WORDS`] and [`Full::WORDS`] have their numbers.
#[expect(clippy::cast_possible_truncation)]
fn policy(policy: u32, max_ahead: f64) -> Policy {
    let backwards = match policy & 3 {
        0 => Backwards::Throw,
        1 => Backwards::Wait,
        2 => Backwards::Hold,
        _ => Backwards::TickTock,
    };
    let full = match policy >> FULL_SHIFT & 3 {
        0 => Full::Throw,
        1 => Full::Wait,
        _ => Full::Borrow,
    };
    Policy { backwards, full, max_ahead: max_ahead as i64 }
}

/// Issues an ID, with as many draws as that takes, unless the caller draws. Returns 0, or the status of a call without an ID.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
#[inline]
fn make(generator: &mut Generator, time: f64, flags: u32, max_ahead: f64, random: f64) -> u32 {
    let tick = match generator.scale.tick(time) {
        Ok(tick) => tick,
        Err(error) => return refuse(error),
    };
    let mut bits = if random >= 0.0 { Some(random as u64) } else { None };
    let mut draws = 0;
    loop {
        let backfills = flags & POLICIES == BACKFILL;
        let result =
            if backfills { generator.at(tick, bits) } else { generator.next(tick, bits, &policy(flags, max_ahead)) };
        let bytes = match result {
            Ok(()) => return 0,
            Err(NotIssued::Refused(error)) => return refuse(error),
            Err(NotIssued::Wait { until, cause }) => return wait(generator, until, cause),
            Err(NotIssued::Draw { bytes }) => bytes,
        };
        if random != FROM_PLATFORM {
            put(DETAIL, bytes.cast_signed() as f64);
            return DRAW;
        }
        if draws == MOST_DRAWS {
            return refuse(Error::RandomFailed);
        }
        let drawn = draw(bytes as usize, if draws == 0 { ENOUGH } else { 0 });
        if drawn == TOO_FEW {
            return REFILL;
        }
        bits = Some(drawn);
        draws += 1;
    }
}

/// The status of a call that has to wait for a tick.
#[expect(clippy::cast_precision_loss)]
fn wait(generator: &Generator, until: i64, cause: Error) -> u32 {
    put(DETAIL, generator.scale.timestamp(until) as f64);
    put(CAUSE, f64::from(cause.number()));
    WAIT
}

/// Makes the next ID, to [`DATA`] in the form of the flags; with [`BACKFILL`] for policies, an ID for the given time `now`.
/// `random`: [`FROM_PLATFORM`], [`FROM_CALLER`](crate::abi::FROM_CALLER), or the bits drawn. Answers [`REFILL`] if there are too few
/// random bytes.
#[wasm_bindgen]
#[inline(never)]
pub fn next(index: usize, now: f64, flags: u32, max_ahead: f64, random: f64) -> u32 {
    if random == FROM_PLATFORM && again(index, now, flags, max_ahead).is_some() {
        return 0;
    }
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    let status = make(generator, now, flags, max_ahead, random);
    if status == 0 {
        let last = LAST_CALL.get();
        last.id.set(generator, flags);
        last.id.put(DATA, last.id.low.end);
        if flags & POLICIES != BACKFILL {
            // After the ID, because a call that is cut off before must not be continued.
            (last.index, last.flags, last.now, last.max_ahead) = (index, flags, now, max_ahead);
        }
    }
    status
}

/// Makes the next ID of the tick without the state machine, if the last call was the same but for the bits that calls bring along.
#[inline]
#[expect(clippy::cast_possible_truncation)]
fn again(index: usize, now: f64, flags: u32, max_ahead: f64) -> Option<()> {
    let last = LAST_CALL.get();
    let other = flags ^ last.flags;
    if (index, now, max_ahead) != (last.index, last.now, last.max_ahead) || other & FLAGS != 0 {
        return None;
    }
    let generator = memory::slot(index)?;
    let step = match generator.step_bytes() {
        0 => 1,
        // `TOO_FEW` is more than any room.
        bytes => draw(bytes as usize, ENOUGH),
    };
    if step == 0 || !generator.fits(step) {
        return None;
    }
    let LastCall { id, .. } = last;
    let bits = if other == 0 { id.bits_after(id.low.bits, step) } else { id.bits_after_with(flags, step) };
    let end = if other == 0 { id.end_after(id.low.end, bits, flags) } else { id.end(bits, flags) };
    // First the generator: if the call is cut off after it, this value is not issued, and the next one is encoded in its place.
    generator.take(1, step);
    (last.flags, last.id.low) = (flags, LowPart { bits, end });
    last.id.put(DATA, end);
    Some(())
}

/// Makes as many of `count` IDs as one clock reading yields and the area holds, to [`BATCH`], and writes their number to
/// [`FILLED`]. A status above 0 is the reason why there are not more.
#[wasm_bindgen]
#[inline(never)]
pub fn fill(index: usize, now: f64, flags: u32, max_ahead: f64, count: u32) -> u32 {
    let most = count.min(BATCH_IDS);
    let (mut left, mut offset, mut status) = (most, BATCH, 0);
    while left > 0 {
        status = next(index, now, flags, max_ahead, FROM_PLATFORM);
        if status != 0 {
            break;
        }
        let taken = fill_tick(index, offset, left - 1) + 1;
        offset += taken as usize * LAST_CALL.get().id.size;
        left -= taken;
    }
    put(FILLED, f64::from(most - left));
    status
}

/// Writes the last ID to an offset of the area, and after it what else its tick holds, at most `most` IDs. Returns how many those are.
#[inline]
#[expect(clippy::cast_possible_truncation)]
fn fill_tick(index: usize, mut offset: usize, most: u32) -> u32 {
    let last = LAST_CALL.get();
    let Some(generator) = memory::slot(index) else { return 0 };
    let room = if generator.step_bytes() == 0 { generator.room() } else { 0 };
    let count = room.min(most.into());
    let LowPart { mut bits, mut end } = last.id.low;
    let mut left = count;
    loop {
        last.id.put(offset, end);
        if left == 0 {
            break;
        }
        left -= 1;
        offset += last.id.size;
        bits = last.id.bits_after(bits, 1);
        // Opaque to the compiler, which would otherwise generate one loop for each form.
        end = last.id.end_after(end, bits, opaque(&last.flags));
    }
    generator.take(count, count);
    last.id.low = LowPart { bits, end };
    count as u32
}

/// Writes a slot's state to [`FIELDS`](crate::abi::FIELDS), in the order of [`SAVED`](crate::engine::SAVED).
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_precision_loss)]
pub fn save(index: usize) -> u32 {
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    for (field, number) in fields().iter_mut().zip(numbers(generator)) {
        *field = *number as f64;
    }
    0
}

/// Reads saved numbers from [`FIELDS`](crate::abi::FIELDS), in the order of [`save`], into memory where they are not yet in use.
#[expect(clippy::cast_possible_truncation)]
#[inline(never)]
fn load(numbers: &mut Saved) {
    for (field, number) in fields().iter().zip(numbers) {
        *number = *field as i64;
    }
}

/// The inverse of [`save`]. The caller has checked the numbers.
#[wasm_bindgen]
#[inline(never)]
pub fn restore(index: usize) -> u32 {
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    load(STAGED.get());
    commit(generator);
    generator.resume();
    0
}

/// Merges a state at [`FIELDS`](crate::abi::FIELDS), in the order of [`save`] but without the statistics, into a slot's; then
/// all ticks up to `spent` count as used up; none if it is below 0.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_possible_truncation)]
pub fn merge(index: usize, spent: f64) -> u32 {
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    let (staged, other) = (STAGED.get(), OTHER.get());
    *staged = *numbers(generator);
    load(other);
    let (state, backfill) = counters(other);
    merge_counters(counters(staged), (state, backfill), spent as i64, generator.values.largest());
    commit(generator);
    generator.resume();
    0
}
