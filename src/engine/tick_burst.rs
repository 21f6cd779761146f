//! Bursts: further IDs of a tick, issued without the generator, which records them afterwards.

use super::{Generator, SequenceRule};

/// What the last ID's tick still holds, for further calls at the same reading under the same policy.
///
/// ```
/// use graupel::engine::Policy;
/// use graupel::formats::snowflake;
///
/// let mut generator = snowflake::TWITTER.generator(&[3, 7])?;
/// generator.next(1_800_000_000_000.0, None, &Policy::default());
/// let mut burst = generator.burst();
/// assert_eq!((burst.next(1), burst.next(1)), (Some(1), Some(2)));
/// generator.record(&burst);
/// assert_eq!(generator.stats.issued, 3);
/// # Ok::<(), graupel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickBurst {
    /// The largest value that it may issue.
    limit: u64,
    /// How far the value issued last is below `limit`.
    room: u64,
    /// How many values were taken.
    taken: u64,
    /// Random bytes of a step; 0 for a counter.
    bytes: u8,
}

impl TickBurst {
    /// An empty burst.
    pub const NONE: Self = Self { limit: 0, room: 0, taken: 0, bytes: 0 };

    /// How many random bytes [`Self::next`] asks for.
    pub const fn bytes(&self) -> u8 {
        self.bytes
    }

    /// The next value. `step` is 1 for a counter, else the bits drawn. `None` when the burst cannot serve
    /// this call: nothing has changed; ask the generator.
    #[inline]
    pub fn next(&mut self, step: u64) -> Option<u64> {
        if step == 0 || step > self.room {
            return None;
        }
        self.room -= step;
        self.taken += 1;
        Some(self.limit - self.room)
    }

    /// Takes at most `most` consecutive values at once, and returns how many. Random values are not consecutive: 0.
    pub fn take(&mut self, most: u64) -> u64 {
        let count = if self.bytes == 0 { most.min(self.room) } else { 0 };
        self.room -= count;
        self.taken += count;
        count
    }
}

impl Generator {
    /// The burst that continues the last ID's tick. Valid only right after a call of [`Self::next`] that made an ID. Call
    /// [`Self::record`] before any other method.
    ///
    /// Because a counter that continues from tick to tick rolls over within one, a burst may be shorter than what is left.
    pub fn burst(&self) -> TickBurst {
        let (value, left) = (self.state.value, self.state.left);
        let (room, bytes) = match self.values {
            SequenceRule::Counter { last, .. } => (last.saturating_sub(value).min(left), 0),
            SequenceRule::Random { max, step, .. } => {
                (if left > 0 && step > 0 { max.saturating_sub(value) } else { 0 }, step)
            }
        };
        TickBurst { limit: value.wrapping_add(room), room, taken: 0, bytes }
    }

    /// Records what was taken of a burst, as if each value had been a call of [`Self::next`].
    pub fn record(&mut self, burst: &TickBurst) {
        let &TickBurst { limit, room, taken, bytes } = burst;
        let value = limit.wrapping_sub(room);
        if bytes == 0 {
            self.state.left = self.state.left.wrapping_sub(taken);
        }
        self.state.value = value;
        self.repeated(taken, value);
    }
}
