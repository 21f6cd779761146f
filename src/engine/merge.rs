//! Merges two histories of one identity into a state that repeats neither.
//!
//! After a restart, earlier generators are known from snapshots, in any order and of any age, and
//! from a time before which all ticks count as used.

use super::{Backfill, Saved, State};

impl State {
    /// Whether every ID that a generator in the state `other` may have issued counts as used here.
    ///
    /// Ticks up to `last` count as used for a state's own tick-tock bit, and ticks up to `safe` for
    /// the other bit. Within one tick, a state covers another only if it has counted on from it,
    /// because random values, and counters with any start, may have differed.
    #[inline(never)]
    const fn covers(&self, other: &Self) -> bool {
        if (self.tick_tocks ^ other.tick_tocks) & 1 == 1 {
            return other.last <= self.safe && other.safe < self.last;
        }
        // A random value may be lower than the other one. Then the difference wraps, and does not
        // match.
        let counted_on = other.last == self.last
            && other.left >= self.left
            && self.value.wrapping_sub(other.value) == other.left - self.left;
        other.safe <= self.safe && (other.last < self.last || counted_on)
    }

    /// Becomes the later of the two states. If neither covers the other, it becomes a state in
    /// which all ticks of both are used. `top`: the largest value, so that a snapshot of the state
    /// is consistent.
    fn merge(&mut self, other: &Self, top: u64) {
        let highest = self.highest.max(other.highest);
        let first_live = self.first_live.min(other.first_live);
        let same_bit = (self.tick_tocks ^ other.tick_tocks) & 1 == 0;
        let is_new = self.first_live == Self::NOT_LIVE;
        if is_new || !self.covers(other) {
            if is_new || other.covers(self) {
                *self = *other;
            } else {
                self.highest = highest;
                self.tick_tocks = self.tick_tocks.max(other.tick_tocks);
                // No reading is above the last tick.
                self.spend(self.last.max(self.safe).max(other.last).max(other.safe), top);
            }
        }
        // With the same tick-tock bit, the higher reading counts; otherwise only readings since the
        // last step back.
        if same_bit {
            self.highest = highest;
        }
        self.first_live = first_live;
    }

    /// Marks all ticks up to `tick` as used, for both tick-tock bits and for the backfill counter;
    /// none if `tick` is below 0. The highest reading stays, so the clock does not count as gone
    /// back. Until it is past `tick`, the sequence counts as full.
    #[inline(never)]
    const fn spend(&mut self, tick: i64, top: u64) {
        if tick < 0 {
            return;
        }
        if self.last <= tick {
            (self.last, self.value, self.left) = (tick, top, 0);
        }
        // Formats without a tick-tock bit have -1 here.
        if self.safe >= 0 && self.safe < tick {
            self.safe = tick;
        }
        self.first_live = 0;
    }
}

impl Backfill {
    /// If both counters have issued IDs, and differ, only values and ticks above both are certainly
    /// new.
    fn merge(&mut self, other: &Self) {
        if self.highest < 0 {
            *self = *other;
        } else if other.highest >= 0 && *self != *other {
            let (highest, value) = (self.highest.max(other.highest), self.value.max(other.value));
            *self = Self { highest, value, left: 0, wrapped: 1 };
        }
    }
}

impl Saved {
    /// Merges another history, so that the result repeats neither. All ticks up to `spent` count as
    /// used; none if it is below 0. `top`: the largest value. Merges only the counters.
    ///
    /// ```
    /// use graupel::engine::{Backfill, Saved, State};
    ///
    /// let other = State { highest: 9, last: 9, value: 7, left: 3, first_live: 5, ..State::NEW };
    /// let mut own = Saved::NEW;
    /// own.merge(&other, &Backfill::NEW, -1, 10);
    /// assert_eq!(own.state, other);
    /// own.merge(&State::NEW, &Backfill::NEW, 20, 10);
    /// assert_eq!((own.state.last, own.state.left), (20, 0));
    /// ```
    pub fn merge(&mut self, state: &State, backfill: &Backfill, spent: i64, top: u64) {
        self.state.merge(state, top);
        self.backfill.merge(backfill);
        self.state.spend(spent, top);
    }
}
