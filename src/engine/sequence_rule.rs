//! The order of the values within one tick: a counter, or random steps upwards.

use super::NotIssued;

/// How the values issued within one tick follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SequenceRule {
    /// `first, first + 1, ..., last`. Numbers of the same size, in the order of those below: then reading or setting them needs no
    /// branch.
    Counter {
        /// The largest value.
        last: u64,
        /// The smallest value.
        first: u64,
        /// A new tick starts from `first` if the next value would be at least this; otherwise it continues with that value. 0
        /// restarts every tick, `u64::MAX` none. A value that rolled over within its tick counts as if it had not.
        restart: u64,
    },
    /// A random start in each tick, then random steps upwards.
    Random {
        /// The largest value, a power of two less one.
        max: u64,
        /// Bytes drawn at the start of a tick.
        start: u64,
        /// Bytes drawn for a step.
        step: u64,
    },
}

impl SequenceRule {
    /// Only 0.
    pub(super) const NONE: Self = Self::Counter { last: 0, first: 0, restart: 0 };

    /// How many values one tick can hold.
    pub const fn capacity(&self) -> u64 {
        match *self {
            Self::Counter { first, last, .. } => last - first + 1,
            Self::Random { max, .. } => max + 1,
        }
    }

    /// The largest value.
    pub(crate) const fn largest(&self) -> u64 {
        match *self {
            Self::Counter { last, .. } => last,
            Self::Random { max, .. } => max,
        }
    }

    /// Whether the values are random.
    pub(super) const fn is_random(&self) -> bool {
        matches!(self, Self::Random { .. })
    }

    /// The first value of a new tick. Unless this is the first tick, `value` is the last tick's value, and `left` how many more
    /// that tick held.
    #[inline]
    pub(super) fn start(&self, is_first: bool, value: u64, left: u64, random: Option<u64>) -> Result<u64, NotIssued> {
        match *self {
            Self::Counter { first, .. } if is_first => Ok(first),
            Self::Counter { first, last, restart } => {
                let following = value + 1;
                let whole = last - first;
                // A tick that did not roll over has issued at most the values from `first` up to this one.
                let rolled = value - first + left < whole;
                let counted = if rolled { following + whole + 1 } else { following };
                Ok(if counted >= restart || following > last { first } else { following })
            }
            Self::Random { max, start, .. } => match random {
                Some(bits) => Ok(bits & max),
                None => Err(NotIssued::Draw { bytes: start }),
            },
        }
    }

    /// The value after `value` within a tick; `None` if a random step exceeds the range.
    pub(super) fn advance(&self, value: u64, random: Option<u64>) -> Result<Option<u64>, NotIssued> {
        match *self {
            Self::Counter { first, last, .. } => Ok(Some(if value >= last { first } else { value + 1 })),
            Self::Random { max, step, .. } => match random {
                None | Some(0) => Err(NotIssued::Draw { bytes: step }),
                Some(bits) => Ok(value.checked_add(bits).filter(|&sum| sum <= max)),
            },
        }
    }

    /// How many more a tick holds after its first value. Random values continue until a step exceeds the range.
    pub(super) const fn most_left(&self) -> u64 {
        match *self {
            Self::Counter { first, last, .. } => last - first,
            Self::Random { .. } => 1,
        }
    }

    /// How many more values a tick holds after one of `left` is taken; `None` if none is left.
    pub(super) const fn left_after(&self, left: u64) -> Option<u64> {
        match self {
            Self::Counter { .. } => left.checked_sub(1),
            Self::Random { .. } => Some(1),
        }
    }
}
