//! A generator: a scale of ticks, a rule for values, and the two counters. It reads no clock:
//! readings are arguments, and a call that has to wait returns the tick to wait for.

use core::mem::offset_of;

use super::layout::{above, whole};
use super::{Backfill, Interval, NotIssued, Options, Policy, Scale, SequenceRule, State, step};
use crate::Error;

/// The positions of an ID's parts in its lower 64 bits. Made by [`super::Schema::packing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Packing {
    /// The offset of the time field from the lowest bit.
    pub time_shift: u32,
    /// The offset of the sequence (or randomness).
    pub value_shift: u32,
    /// The fixed fields, in place.
    pub fixed: u64,
    /// Mask of the bit that toggles when the clock goes back; 0 if there is none.
    pub tick_tock: u64,
    /// Mask of the bits that each call passes; 0 if there are none.
    pub per_call_bits: u64,
}

/// Replaces the adjacent bits of `mask` with `bits`. For an empty mask, the shift is 64, and wraps
/// to 0.
pub const fn with_bits(id: u64, mask: u64, bits: u64) -> u64 {
    id & !mask | bits.wrapping_shl(mask.trailing_zeros()) & mask
}

/// Counters for monitoring: 64-bit numbers only, as in [`State`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Stats {
    /// IDs issued.
    pub issued: u64,
    /// Readings below the highest reading.
    pub regressions: u64,
    /// The largest regression, in ticks.
    pub largest_regression: i64,
    /// Ticks whose sequence was used up.
    pub overflows: u64,
    /// The last tick that was used up.
    pub overflown: i64,
}

/// The saved part of a generator: 64-bit numbers only, in the order of [`SAVED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Saved {
    /// The counter of the clock.
    pub state: State,
    /// The backfill counter.
    pub backfill: Backfill,
    /// Counters for monitoring.
    pub stats: Stats,
    /// The ticks that may be issued.
    pub interval: Interval,
}

/// Name and position of each saved number. The names are also those in js/generated/constants.ts.
pub const SAVED: [(&str, usize); 18] = [
    ("HIGHEST", position(offset_of!(Saved, state.highest))),
    ("LAST", position(offset_of!(Saved, state.last))),
    ("VALUE", position(offset_of!(Saved, state.value))),
    ("LEFT", position(offset_of!(Saved, state.left))),
    ("SAFE", position(offset_of!(Saved, state.safe))),
    ("TICK_TOCKS", position(offset_of!(Saved, state.tick_tocks))),
    ("FIRST_LIVE", position(offset_of!(Saved, state.first_live))),
    ("BACKFILL_HIGHEST", position(offset_of!(Saved, backfill.highest))),
    ("BACKFILL_VALUE", position(offset_of!(Saved, backfill.value))),
    ("BACKFILL_LEFT", position(offset_of!(Saved, backfill.left))),
    ("BACKFILL_WRAPPED", position(offset_of!(Saved, backfill.wrapped))),
    ("ISSUED", position(offset_of!(Saved, stats.issued))),
    ("REGRESSIONS", position(offset_of!(Saved, stats.regressions))),
    ("LARGEST_REGRESSION", position(offset_of!(Saved, stats.largest_regression))),
    ("OVERFLOWS", position(offset_of!(Saved, stats.overflows))),
    ("OVERFLOWN", position(offset_of!(Saved, stats.overflown))),
    ("FROM", position(offset_of!(Saved, interval.from))),
    ("UNTIL", position(offset_of!(Saved, interval.until))),
];

/// The table is complete.
const _: () = assert!(SAVED.len() * size_of::<i64>() == size_of::<Saved>());

/// The position of the number at an offset.
const fn position(offset: usize) -> usize {
    offset / size_of::<i64>()
}

impl Saved {
    /// The numbers before the first ID.
    pub const NEW: Self =
        Self { state: State::NEW, backfill: Backfill::NEW, stats: Stats::NEW, interval: Interval::ALL };

    /// All zeros: nothing may be issued until other numbers are restored.
    pub const CLOSED: Self = Self {
        state: State { highest: 0, last: 0, value: 0, left: 0, safe: 0, tick_tocks: 0, first_live: 0 },
        backfill: Backfill { highest: 0, value: 0, left: 0, wrapped: 0 },
        stats: Stats { issued: 0, regressions: 0, largest_regression: 0, overflows: 0, overflown: 0 },
        interval: Interval { from: 0, until: 0 },
    };
}

/// A generator of one identity. Its parts are in declared order, so that the compiler sets them
/// without a copy on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Generator {
    /// The numbers that a restart keeps.
    pub saved: Saved,
    /// The tick of the last ID from the backfill counter.
    backfill_tick: i64,
    /// Whether the last ID came from the backfill counter.
    is_backfill: bool,
    /// Whether the last reading was below the highest one: 0 or 1.
    pub(super) behind: u64,
    /// Whether the pending draw is for the tick after the last one.
    draws_for_next_tick: bool,
    /// Ticks.
    scale: Scale,
    /// The rule for values within a tick.
    values: SequenceRule,
    /// The positions of an ID's parts.
    packing: Packing,
}

impl Stats {
    /// Nothing counted.
    pub const NEW: Self = Self { issued: 0, regressions: 0, largest_regression: 0, overflows: 0, overflown: -1 };

    /// Counts a call whose reading was `behind` ticks below the highest one, if `behind` is above
    /// 0. `full`: whether tick `last` was used up.
    #[inline]
    fn after(&self, behind: i64, full: bool, last: i64) -> Self {
        let overflows = full && self.overflown != last;
        Self {
            regressions: self.regressions + u64::from(behind > 0),
            largest_regression: self.largest_regression.max(behind),
            overflows: self.overflows + u64::from(overflows),
            overflown: if overflows { last } else { self.overflown },
            ..*self
        }
    }
}

impl Generator {
    /// A generator that continues from `saved`. `packing`: the packing of a schema with this scale.
    pub const fn new(scale: &Scale, packing: Packing, values: SequenceRule, saved: Saved) -> Self {
        // Copy the parts: as a whole, it would be copied through the stack in memory.
        let scale = Scale::trusted(scale.epoch(), scale.tick_ms(), scale.last(), scale.rounding());
        Self {
            saved,
            backfill_tick: 0,
            is_backfill: false,
            behind: 0,
            draws_for_next_tick: false,
            scale,
            values,
            packing,
        }
    }

    /// Ticks.
    pub const fn scale(&self) -> &Scale {
        &self.scale
    }

    /// The rule for values within a tick.
    pub const fn values(&self) -> &SequenceRule {
        &self.values
    }

    /// The positions of an ID's parts.
    pub const fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Continues as another generator of the identity, which may differ in a number of its rule
    /// ([`SequenceRule`]: `restart` or `step`), in rounding, and in the last tick.
    pub const fn obey(&mut self, number: u64, scale: &Scale) {
        self.values.vary(number);
        self.scale = *scale;
    }

    /// Issues one ID at the clock reading `now`, a tick. [`Self::id`] is then that ID. `random`
    /// answers a [`NotIssued::Draw`]; otherwise it is `None`.
    ///
    /// A call may be cut off, by a stack overflow that its caller catches, or by an engine's time
    /// limit. Engines do so at the start of a function or of an iteration of a loop. So the new
    /// state is stored in one place, last, without a call, a loop or a branch. A call that is cut
    /// off before that has issued nothing. `tests/js/cut` cuts at each of these.
    #[inline]
    pub fn next(&mut self, now: i64, random: Option<u64>, policy: &Policy) -> Result<(), NotIssued> {
        let options = Options {
            values: &self.values,
            policy,
            interval: &self.saved.interval,
            last_tick: self.scale.last(),
            backfilled: self.saved.backfill.highest,
        };
        let State { highest, last, .. } = self.saved.state;
        let mut state = self.saved.state;
        let result = step(&mut state, now, random, &mut self.draws_for_next_tick, &options);
        let full = match result {
            // It does not count if the next interval begins later.
            Ok(()) => state.last > state.highest && state.last > last && last >= self.saved.interval.from,
            // The call is not finished.
            Err(NotIssued::Draw { .. }) => return result,
            Err(NotIssued::Refused(cause) | NotIssued::Wait { cause, .. }) => cause == Error::SequenceFull,
        };
        let mut stats = self.saved.stats.after(highest - now, full, last);
        if result.is_ok() {
            stats.issued += 1;
            self.behind = (now < state.highest).into();
            self.is_backfill = false;
            self.saved.state = state;
        }
        self.saved.stats = stats;
        result
    }

    /// Issues one ID for a given tick, from the backfill counter.
    #[inline]
    pub fn at(&mut self, tick: i64, random: Option<u64>) -> Result<(), NotIssued> {
        if tick < self.saved.interval.from || tick >= self.saved.interval.until {
            return Err(Error::OutsideInterval.into());
        }
        self.saved.backfill.step(tick, random, &self.values, self.saved.state.first_live)?;
        (self.backfill_tick, self.is_backfill) = (tick, true);
        self.saved.stats.issued += 1;
        Ok(())
    }

    /// Continues from other numbers. Forgets a pending draw.
    pub const fn restore(&mut self, saved: &Saved) {
        self.saved = *saved;
        self.draws_for_next_tick = false;
    }

    /// The lowest 64 bits of the last ID, without the bits of the call.
    #[expect(clippy::cast_sign_loss)]
    pub fn id(&self) -> u64 {
        let (tick, value, tick_tock) = self.latest();
        let packing = &self.packing;
        (tick as u64) << packing.time_shift
            | packing.fixed
            | value << packing.value_shift
            | if tick_tock { packing.tick_tock } else { 0 }
    }

    /// The whole last ID, with the bits of the call.
    #[expect(clippy::cast_sign_loss)]
    pub fn whole_id(&self, per_call_bits: u64) -> u128 {
        whole(
            above(self.latest().0 as u64, self.packing.time_shift),
            with_bits(self.id(), self.packing.per_call_bits, per_call_bits),
        )
    }

    /// Tick, value and tick-tock bit of the last ID.
    #[inline]
    pub const fn latest(&self) -> (i64, u64, bool) {
        let Saved { state, backfill, .. } = &self.saved;
        if self.is_backfill {
            (self.backfill_tick, backfill.value, false)
        } else {
            (state.last, state.value, state.tick_tocks & 1 == 1)
        }
    }
}
