//! The rule for the values within one tick: a counter, or random steps upwards.

use super::NotIssued;
use crate::Error;

/// The start of a counter in a new tick. It is one number, which is set without a branch, and
/// crosses the boundary unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart(u64);

impl Restart {
    /// Above every sequence. A number of at least this is not a value.
    pub const UNIT: u64 = 1 << 54;
    /// At the smallest value.
    pub const ALWAYS: Self = Self(0);
    /// After the previous tick's value; after the largest value, at the smallest.
    pub const NEVER: Self = Self(Self::UNIT);
    /// At a random value in the lower half, so that at least half of the tick's values remain.
    pub const RANDOM: Self = Self(2 * Self::UNIT);
    /// The starts with the words of the option. The number of each is its index times
    /// [`Self::UNIT`].
    pub const WORDS: [(Self, &'static str); 3] =
        [(Self::ALWAYS, "lowest"), (Self::NEVER, "continue"), (Self::RANDOM, "random")];

    /// At the smallest value if the next value would be at least `value`, else at the next value. A
    /// value that wrapped around within its tick counts as if it had not.
    pub const fn once(value: u64) -> Self {
        Self(value)
    }

    /// The number that crosses the boundary.
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// The sequence of values within one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SequenceRule {
    /// `first, first + 1, ..., last`. The numbers have the same size and order as those below, so
    /// reading or setting them needs no branch.
    #[non_exhaustive]
    Counter {
        /// The largest value.
        last: u64,
        /// The smallest value.
        first: u64,
        /// The start of a new tick.
        restart: Restart,
    },
    /// A random start in each tick, then random steps upwards.
    #[non_exhaustive]
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
    /// A counter. Errors: `Range` unless `first` is at most `last`.
    pub const fn counter(first: u64, last: u64, restart: Restart) -> Result<Self, Error> {
        if first <= last { Ok(Self::Counter { last, first, restart }) } else { Err(Error::Range) }
    }

    /// Random values of up to 63 bits. Errors: `Range` unless `max` is a power of two less one, and
    /// a draw has 1 to 8 bytes.
    pub const fn random(max: u64, start: u64, step: u64) -> Result<Self, Error> {
        let are_bytes = 0 < start && start <= 8 && 0 < step && step <= 8;
        if are_bytes && max < 1 << 63 && max & (max + 1) == 0 {
            Ok(Self::Random { max, start, step })
        } else {
            Err(Error::Range)
        }
    }

    /// Changes the number in which generators of an identity may differ: a counter's [`Restart`],
    /// or the bytes of a step.
    pub(super) const fn vary(&mut self, number: u64) {
        match self {
            Self::Counter { restart, .. } => *restart = Restart(number),
            Self::Random { step, .. } => *step = number,
        }
    }

    /// The largest value.
    pub const fn largest(&self) -> u64 {
        match *self {
            Self::Counter { last, .. } => last,
            Self::Random { max, .. } => max,
        }
    }

    /// Whether the values are random.
    pub(super) const fn is_random(&self) -> bool {
        matches!(self, Self::Random { .. })
    }

    /// The very first value: the smallest of a counter, or the random start of a tick.
    pub(super) fn first(&self, random: Option<u64>) -> Result<u64, NotIssued> {
        match *self {
            Self::Counter { first, .. } => Ok(first),
            Self::Random { max, start, .. } => match random {
                Some(bits) => Ok(bits & max),
                None => Err(NotIssued::Draw { bytes: start }),
            },
        }
    }

    /// The first value of a new tick, and how many more it holds. Unless this is the first tick,
    /// `value` is the last value of the previous tick, and `left` how many more that tick held.
    #[inline]
    pub(super) fn start(
        &self,
        is_first: bool,
        value: u64,
        left: u64,
        random: Option<u64>,
    ) -> Result<(u64, u64), NotIssued> {
        let start = match *self {
            Self::Counter { first, last, restart: Restart::RANDOM } => {
                let Some(bits) = random else { return Err(NotIssued::Draw { bytes: 3 }) };
                // The number of possible starts is the largest power of two that is at most half of
                // the values, and at most 2^24.
                let start = first + (bits & (u64::MAX >> (last - first + 1).leading_zeros() >> 2));
                // It does not wrap around.
                return Ok((start, last - start));
            }
            Self::Counter { first, last, restart } if !is_first => {
                let following = value + 1;
                let whole = last - first;
                // A tick that did not wrap around has issued at most the values from `first` to
                // this one.
                let rolled = value - first + left < whole;
                let counted = if rolled { following + whole + 1 } else { following };
                if counted >= restart.0 || following > last { first } else { following }
            }
            _ => self.first(random)?,
        };
        Ok((start, self.most_left()))
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

    /// The most values that a tick can hold after its first. Random values continue until a step
    /// exceeds the range.
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
