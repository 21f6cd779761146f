//! The backfill counter of `at(time)`: IDs for given times, in any order that cannot repeat an ID.
//!
//! The value increases with every ID, whatever its time, and finally wraps around, like sno's
//! `NewWithTime`. Before that, every value is new, and any time is safe. After that, only the
//! highest time so far and later times are safe, and the highest time may have at most as many IDs
//! as the counter has values, counted from its first ID.

use super::{NotIssued, SequenceRule};
use crate::Error;

/// The state of the counter: 64-bit numbers only, as in [`State`](super::State).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Backfill {
    /// The highest tick in which an ID was issued; -1 before the first ID.
    pub highest: i64,
    /// The last value issued.
    pub value: u64,
    /// How many more IDs may be issued before the highest tick would repeat one.
    pub left: u64,
    /// Whether the counter has wrapped around: 0 or 1.
    pub wrapped: u64,
}

impl Backfill {
    /// The state before the first ID.
    pub const NEW: Self = Self { highest: -1, value: 0, left: 0, wrapped: 0 };

    /// Issues one ID for `tick` or changes nothing. `first_live`: the lowest tick that the clock's
    /// counter has issued.
    ///
    /// Random values have no order, so their times must not descend.
    #[inline]
    pub fn step(
        &mut self,
        tick: i64,
        random: Option<u64>,
        values: &SequenceRule,
        first_live: u64,
    ) -> Result<(), NotIssued> {
        let (later, earlier) = (tick > self.highest, tick < self.highest);
        let is_random = values.is_random();
        if tick.cast_unsigned() >= first_live || (is_random && earlier) {
            return Err(Error::TimeTaken.into());
        }
        // A counter starts once, whatever its restart is, because it continues from ID to ID.
        // Random values start in every tick.
        let starts = if is_random { later } else { self.highest < 0 };
        let value = if starts {
            values.first(random)?
        } else {
            values.advance(self.value, random)?.ok_or(Error::SequenceFull)?
        };
        let wrapped = !is_random && (self.wrapped == 1 || (!starts && value <= self.value));
        if wrapped && earlier {
            return Err(Error::TimeTaken.into());
        }
        let left = if later { values.most_left() } else { values.left_after(self.left).ok_or(Error::SequenceFull)? };
        *self = Self { highest: self.highest.max(tick), value, left, wrapped: wrapped.into() };
        Ok(())
    }
}
