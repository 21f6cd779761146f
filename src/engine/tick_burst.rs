//! Bursts: further IDs of the last ID's tick, without another step of the state machine.

use super::{Generator, Saved, SequenceRule, State};

/// Valid right after a call of [`Generator::next`] that issued an ID, for further calls at the same
/// reading with the same policy.
impl Generator {
    /// Random bytes of a step within a tick; 0 for a counter, whose step is 1.
    #[inline]
    pub const fn step_bytes(&self) -> u64 {
        match *self.values() {
            SequenceRule::Counter { .. } => 0,
            SequenceRule::Random { step, .. } => step,
        }
    }

    /// The largest step from the last value that stays within its tick: for a counter, how many
    /// more values the tick holds.
    ///
    /// A counter that continues from tick to tick wraps around within a tick, so this may be less
    /// than the number of values left.
    #[inline]
    pub fn room(&self) -> u64 {
        let State { value, left, .. } = self.saved.state;
        let within = self.values().largest().saturating_sub(value);
        match *self.values() {
            SequenceRule::Counter { .. } => within.min(left),
            // `left` is 0 or 1 and wraps to a mask of no bits or all bits.
            SequenceRule::Random { .. } => within & left.wrapping_neg(),
        }
    }

    /// Whether a step from the last value stays within its tick: whether it is at most
    /// [`Self::room`].
    #[inline]
    pub const fn fits(&self, step: u64) -> bool {
        let State { value, left, .. } = self.saved.state;
        left > 0 && value + step <= self.values().largest()
    }

    /// Whether the last reading was below the highest one.
    pub const fn is_behind(&self) -> bool {
        self.behind > 0
    }

    /// Issues one more ID of the tick, `step` above the last value, like a call of [`Self::next`].
    ///
    /// `step` fits, and is not 0, and the reading is not [behind](Self::is_behind), which would
    /// have to be counted. There is no branch or call here: see [`Self::next`] about calls that are
    /// cut off.
    #[inline]
    pub fn take_one(&mut self, step: u64) {
        let Saved { state, stats, .. } = self.saved;
        let value = state.value + step;
        let left = state.left - u64::from(!self.values().is_random());
        (self.saved.state.value, self.saved.state.left, self.saved.stats.issued) = (value, left, stats.issued + 1);
    }

    /// Issues the next `count` values of a counter, at any reading.
    #[inline(never)]
    pub fn take(&mut self, count: u64) {
        let Saved { state, stats, .. } = self.saved;
        let (value, left) = (state.value + count, state.left - count);
        // A mask of no bits or all bits. In the JavaScript core, a 64-bit product would be a call,
        // in which this one could be cut off.
        let (issued, regressions) = (stats.issued + count, stats.regressions + (count & self.behind.wrapping_neg()));
        (self.saved.state.value, self.saved.state.left) = (value, left);
        (self.saved.stats.issued, self.saved.stats.regressions) = (issued, regressions);
    }
}
