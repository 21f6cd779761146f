//! Two histories of one identity become one: a state after which neither is repeated.
//!
//! A restart knows of earlier generators by snapshots, in any order and of any age, and by a time before which everything
//! counts as spent.

use super::{Backfill, Generator, State};

impl State {
    /// Whether all that a generator in the state `other` may have issued counts as spent here.
    ///
    /// On the line that a state is on, ticks up to `last` are used; on the other, ticks up to `safe`. Within one tick, a state
    /// is only surely further than another if it has counted on from there: random values, and counters that start a tick
    /// anywhere, may have issued others.
    #[inline(never)]
    const fn covers(&self, other: &Self) -> bool {
        if (self.drifts ^ other.drifts) & 1 == 1 {
            return other.last <= self.safe && other.safe < self.last;
        }
        let counted_on = other.last == self.last
            && other.left >= self.left
            && self.value.wrapping_sub(other.value) == other.left - self.left;
        other.safe <= self.safe && (other.last < self.last || counted_on)
    }

    /// The later of the two; or where they have parted, one in which all of both is spent. `top` is the largest value, so that
    /// a snapshot of it says so too.
    pub fn merge(&mut self, other: &Self, top: u64) {
        let highest = self.highest.max(other.highest);
        let first_live = self.first_live.min(other.first_live);
        let one_line = (self.drifts ^ other.drifts) & 1 == 0;
        let is_new = self.first_live == Self::NOT_LIVE;
        if is_new || !self.covers(other) {
            if is_new || other.covers(self) {
                *self = *other;
            } else {
                self.highest = highest;
                self.drifts = self.drifts.max(other.drifts);
                let spent = highest.max(self.last).max(self.safe);
                self.spend(spent.max(other.last).max(other.safe), top);
            }
        }
        // On one line, a reading of either is one of both; after a step back, only those since then count.
        if one_line {
            self.highest = highest;
        }
        self.first_live = first_live;
    }

    /// All ticks up to `tick` are spent, on both of sno's lines and for the counter behind `at`; none if `tick` is below 0. The
    /// highest reading stays what it is: until the clock is there, the sequence counts as full, and nothing went back.
    #[inline(never)]
    pub const fn spend(&mut self, tick: i64, top: u64) {
        if tick < 0 {
            return;
        }
        if self.last <= tick {
            (self.last, self.value, self.left) = (tick, top, 0);
        }
        // Formats without a second line have -1 there.
        if self.safe >= 0 && self.safe < tick {
            self.safe = tick;
        }
        self.first_live = 0;
    }
}

impl Backfill {
    /// Of two counters that both gave times, and not the same, only what lies above both is surely new.
    pub fn merge(&mut self, other: &Self) {
        if self.highest < 0 {
            *self = *other;
        } else if other.highest >= 0 && *self != *other {
            let (highest, value) = (self.highest.max(other.highest), self.value.max(other.value));
            *self = Self { highest, value, left: 0, wrapped: 1 };
        }
    }
}

impl Generator {
    /// Goes on from its own history and another one: neither is repeated. All ticks up to `spent` count as used up, none if it
    /// is below 0.
    ///
    /// ```
    /// use graupel::engine::{Answer, Policy};
    /// use graupel::formats::snowflake;
    ///
    /// let mut before = snowflake::DISCORD.generator(&[1, 2])?;
    /// before.next(1_600_000_000_000.0, None, &Policy::default());
    /// let mut after = snowflake::DISCORD.generator(&[1, 2])?;
    /// after.merge(&before.state, &before.backfill, -1);
    /// assert_eq!(after.next(1_600_000_000_000.0, None, &Policy::default()), Answer::Issued);
    /// assert_eq!(after.id(), before.id() + 1);
    /// # Ok::<(), graupel::Error>(())
    /// ```
    pub fn merge(&mut self, state: &State, backfill: &Backfill, spent: i64) {
        let top = self.values.largest();
        self.state.merge(state, top);
        self.backfill.merge(backfill);
        self.state.spend(spent, top);
        self.resume();
    }
}
