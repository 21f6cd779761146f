//! The operations of generators: one call for each ID, or for each part of a batch.

use wasm_bindgen::prelude::wasm_bindgen;

use super::encode::EncodedId;
use super::entropy::{ENOUGH, TOO_FEW, draw, draw_inline};
use super::raw::{next, numbers, with_core};
use super::{Core, pack};
use crate::Error;
use crate::abi::{Area, Asked, BATCH_IDS, MOST_DRAWS, Random, SLOTS, Status};
use crate::engine::{Generator, NotIssued, Packing, Policy, Restart, Saved, SequenceRule, low_bits};

/// The last call of [`Core::next`] with its ID. An equal call at the same reading,
/// possibly with other bits of its own, continues from here unless a slot was accessed in between.
///
/// Everything in it is also in the slot, so it can be forgotten at any time.
pub(super) struct LastCall {
    index: usize,
    /// The reading.
    now: f64,
    max_ahead: f64,
    id: EncodedId,
}

/// Returns the generator in a slot, if it is open. Forgets the last call.
#[inline(never)]
fn generator<'a>(
    slots: &'a mut [Option<Generator>; SLOTS],
    last: &mut Option<LastCall>,
    index: usize,
) -> Option<&'a mut Generator> {
    *last = None;
    slots.get_mut(index)?.as_mut()
}

/// Opens a generator of the loaded schema in a slot. Its fixed fields are at [`Area::fields`], in
/// which all other fields are 0. `first` and `last` are the bounds of a counter. With `random`,
/// `first` is the number of bytes drawn at the start of a tick, and `last` the largest value.
/// [`rule`] sets the rest. It issues no ID before [`restore`] has set the saved numbers. The caller
/// has checked all numbers.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn open(index: usize, first: f64, last: f64, random: bool) {
    with_core(|Core { schema, last: last_call, area, slots, .. }| {
        if let (Some(schema), Some(slot)) = (schema, slots.get_mut(index)) {
            pack(schema, area);
            let values = if random {
                SequenceRule::Random { max: last as u64, start: first as u64, step: 1 }
            } else {
                SequenceRule::Counter { first: first as u64, last: last as u64, restart: Restart::ALWAYS }
            };
            let packing = schema.packing(low_bits(area.register.id()));
            *slot = Some(Generator::new(schema.scale(), packing, values, Saved::CLOSED));
            *last_call = None;
        }
    });
}

/// Sets the properties in which generators of a slot may differ: a counter's [`Restart`], or the
/// bytes of a step, and the rounding and last tick of the loaded schema.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn rule(index: usize, number: f64) {
    with_core(|Core { schema, last, slots, .. }| {
        if let (Some(schema), Some(generator)) = (schema, generator(slots, last, index)) {
            generator.obey(number as u64, schema.scale());
        }
    });
}

/// Issues an ID, and draws as often as needed, unless the caller draws. Any status except
/// [`Status::DONE`] means that there is no ID.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
#[inline]
fn make(generator: &mut Generator, area: &mut Area, time: f64, asked: Asked, max_ahead: f64, random: Random) -> Status {
    let tick = match generator.scale().tick(time) {
        Ok(tick) => tick,
        Err(error) => return error.into(),
    };
    let mut bits = if let Random::Drawn(bits) = random { Some(bits) } else { None };
    let mut draws = 0;
    loop {
        let result = match asked.policies() {
            None => generator.at(tick, bits),
            Some((backwards, full)) => {
                generator.next(tick, bits, &Policy { backwards, full, max_ahead: max_ahead as i64 })
            }
        };
        let bytes = match result {
            Ok(()) => return Status::DONE,
            Err(NotIssued::Refused(error)) => return error.into(),
            Err(NotIssued::Wait { until, cause }) => {
                area.detail = generator.scale().timestamp(until) as f64;
                area.cause = f64::from(cause.number());
                return Status::WAIT;
            }
            Err(NotIssued::Draw { bytes }) => bytes,
        };
        if !matches!(random, Random::Platform) {
            area.detail = bytes.cast_signed() as f64;
            return Status::DRAW;
        }
        if draws == MOST_DRAWS {
            return Error::RandomFailed.into();
        }
        let drawn = draw(bytes as usize, if draws == 0 { ENOUGH } else { 0 });
        if drawn == TOO_FEW {
            return Status::REFILL;
        }
        bits = Some(drawn);
        draws += 1;
    }
}

impl Core {
    /// Writes the next ID, or an ID for the given time `now`, to [`Area::data`] in the requested
    /// form. `asked`: see [`Asked`]. `random`: see [`Random`]. Returns [`Status::REFILL`] if there
    /// are too few random bytes.
    #[inline]
    pub(super) fn next(&mut self, index: usize, now: f64, asked: Asked, max_ahead: f64, random: f64) -> Status {
        let random = Random::from_number(random);
        if matches!(random, Random::Platform) && self.again(index, now, asked, max_ahead).is_some() {
            return Status::DONE;
        }
        let Self { last, area, slots, .. } = self;
        let Some(generator) = generator(slots, last, index) else { return Error::Conflict.into() };
        let status = make(generator, area, now, asked, max_ahead, random);
        if status == Status::DONE {
            let id = EncodedId::new(generator, asked);
            id.put(area.one(), id.end);
            if asked.policies().is_some() {
                // No reading equals NaN, so the state machine counts each reading that is behind.
                let now = if generator.is_behind() { f64::NAN } else { now };
                // Stored after the ID, because a call that is cut off before must not be continued.
                *last = Some(LastCall { index, now, max_ahead, id });
            }
        }
        status
    }

    /// Issues the next ID of the tick without the state machine, if the last call was the same
    /// except for its own bits.
    #[inline]
    #[expect(clippy::cast_possible_truncation)]
    fn again(&mut self, index: usize, now: f64, asked: Asked, max_ahead: f64) -> Option<()> {
        let last = self.last.as_mut()?;
        if (index, now, max_ahead) != (last.index, last.now, last.max_ahead) || !asked.is_like(last.id.asked) {
            return None;
        }
        let generator = self.slots.get_mut(index)?.as_mut()?;
        let step = match generator.step_bytes() {
            0 => 1,
            // `TOO_FEW` is more than any room.
            bytes => draw_inline(bytes as usize, ENOUGH),
        };
        if step == 0 || !generator.fits(step) {
            return None;
        }
        let Packing { value_shift, per_call_bits, .. } = *generator.packing();
        if asked != last.id.asked {
            last.id.vary(per_call_bits, asked);
        }
        let end = last.id.end_with(generator.saved.state.value + step, value_shift);
        // Update the generator first: if the call is cut off after this, the value is skipped, and
        // never issued twice.
        generator.take_one(step);
        last.id.put(self.area.one(), end);
        Some(())
    }

    /// Writes the last ID and the following IDs of its tick to an offset of the batch, at most
    /// `most` IDs in total. Moves the offset past them and returns their number.
    #[inline]
    #[expect(clippy::cast_possible_truncation)]
    fn fill_tick(&mut self, index: usize, offset: &mut usize, most: usize) -> Option<usize> {
        let last = self.last.as_mut()?;
        let generator = self.slots.get_mut(index)?.as_mut()?;
        let room = if generator.step_bytes() == 0 { generator.room() } else { 0 };
        let count = room.min(most as u64 - 1);
        let (first, shift) = (generator.saved.state.value, generator.packing().value_shift);
        for value in first..first + count + 1 {
            last.id.put(self.area.batch.get_mut(*offset..)?.first_chunk_mut()?, last.id.end_with(value, shift));
            *offset += last.id.size.get();
        }
        generator.take(count);
        Some(count as usize + 1)
    }
}

/// Writes up to `count` IDs, as many as one clock reading yields and the area holds, to
/// [`Area::batch`], and their number to [`Area::filled`]. Any status except [`Status::DONE`] is the
/// reason why there are not more.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_precision_loss)]
pub fn fill(index: usize, now: f64, asked: u32, max_ahead: f64, count: usize) -> Status {
    let most = count.min(BATCH_IDS);
    let (mut left, mut offset, mut status) = (most, 0, Status::DONE);
    while left > 0 {
        status = next(index, now, asked, max_ahead, Random::FROM_PLATFORM);
        if status != Status::DONE {
            break;
        }
        let Some(taken) = with_core(|core| core.fill_tick(index, &mut offset, left)) else { break };
        left -= taken;
    }
    with_core(|core| core.area.filled = (most - left) as f64);
    status
}

/// Writes a slot's state to [`Area::fields`], in the order of [`SAVED`](crate::engine::SAVED).
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_precision_loss)]
pub fn save(index: usize) {
    with_core(|Core { last, area, slots, .. }| {
        if let Some(generator) = generator(slots, last, index) {
            for (field, number) in area.fields.iter_mut().zip(numbers(&mut generator.saved)) {
                *field = *number as f64;
            }
        }
    });
}

/// Reads saved numbers from [`Area::fields`], in the order of [`save`], into memory that is not in
/// use yet.
#[expect(clippy::cast_possible_truncation)]
#[inline(never)]
fn load(saved: &mut Saved, area: &Area) {
    for (field, number) in area.fields.iter().zip(numbers(saved)) {
        *number = *field as i64;
    }
}

/// The inverse of [`save`]. The caller has checked the numbers.
#[wasm_bindgen]
#[inline(never)]
pub fn restore(index: usize) {
    with_core(|Core { staged, last, area, slots, .. }| {
        if let Some(generator) = generator(slots, last, index) {
            load(staged, area);
            // The numbers are copied by one instruction, in which no call can be cut off.
            generator.restore(staged);
        }
    });
}

/// Merges a state at [`Area::fields`], in the order of [`save`] without the statistics, into the
/// state of a slot. Then all ticks up to `spent` count as used; none if it is below 0.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_possible_truncation)]
pub fn merge(index: usize, spent: f64) {
    with_core(|Core { staged, other, last, area, slots, .. }| {
        if let Some(generator) = generator(slots, last, index) {
            *staged = generator.saved;
            load(other, area);
            staged.merge(&other.state, &other.backfill, spent as i64, generator.values().largest());
            generator.restore(staged);
        }
    });
}
