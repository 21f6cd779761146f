//! Converts Unix milliseconds to the time field of an ID, and back. Reads no clock.

use crate::Error;

/// The last instant that a JavaScript `Date` can hold (ECMA-262, "Time Values and Time Range"),
/// Unix ms.
pub const UNIX_MS_MAX: i64 = 8_640_000_000_000_000;

/// The longest time from a format's epoch to its last tick, in ms: beyond it, floating point is not
/// exact.
pub const SPAN_MS_MAX: i64 = (1 << 53) - 1;

/// The longest tick, in ms.
pub const TICK_MS_MAX: u32 = u32::MAX;

/// The rounding of a time with a fraction of a millisecond. The numbers start at 1, so that no
/// generator is all zeros in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Rounding {
    /// Down.
    #[default]
    Floor = 1,
    /// To the nearest millisecond, halves to even, like PostgreSQL's cast to bigint.
    NearestEven,
}

/// The epoch, the length of a tick, and the last tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    epoch: i64,
    tick_ms: u32,
    last: i64,
    rounding: Rounding,
}

impl Scale {
    /// Ticks of `tick_ms` ms from `epoch` (Unix ms), numbered 0 to `last`. Errors: `Range` unless
    /// the epoch and the last tick are in the range of a date, and at most [`SPAN_MS_MAX`] apart.
    pub const fn new(epoch: i64, tick_ms: u32, last: i64, rounding: Rounding) -> Result<Self, Error> {
        let span = last as i128 * tick_ms as i128;
        let is_span = 0 < tick_ms && 0 <= span && span <= SPAN_MS_MAX as i128;
        let are_dates = -UNIX_MS_MAX <= epoch && span + epoch as i128 <= UNIX_MS_MAX as i128;
        if is_span && are_dates { Ok(Self::trusted(epoch, tick_ms, last, rounding)) } else { Err(Error::Range) }
    }

    /// A scale of numbers that [`Self::new`] or JavaScript has checked.
    pub(crate) const fn trusted(epoch: i64, tick_ms: u32, last: i64, rounding: Rounding) -> Self {
        Self { epoch, tick_ms, last, rounding }
    }

    /// The tick of a clock reading or a given time, with the format's rounding. Errors:
    /// `BeforeEpoch`, `EndOfLife`.
    #[inline]
    pub fn tick(&self, unix_ms: f64) -> Result<i64, Error> {
        self.within(match self.rounding {
            Rounding::Floor => unix_ms.floor(),
            Rounding::NearestEven => unix_ms.round_ties_even(),
        })
    }

    /// The tick that contains the instant `unix_ms`. Errors: those of [`Self::tick`].
    pub fn tick_from(&self, unix_ms: f64) -> Result<i64, Error> {
        self.within(unix_ms.floor())
    }

    /// The last tick that starts before the instant `unix_ms`. Errors: those of [`Self::tick`].
    pub fn tick_before(&self, unix_ms: f64) -> Result<i64, Error> {
        self.within(unix_ms.ceil() - 1.0)
    }

    #[inline]
    fn within(&self, whole_ms: f64) -> Result<i64, Error> {
        let tick = self.tick_of(whole_ms);
        if tick < 0 {
            Err(Error::BeforeEpoch)
        } else if tick > self.last {
            Err(Error::EndOfLife)
        } else {
            Ok(tick)
        }
    }

    /// The tick of a whole millisecond, even past the last one; -1 before the first.
    ///
    /// Floating point does not trap. The result is exact: unless the caller rejects it, both
    /// operands are integers below 2^53, and their quotient never rounds up to an integer.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
    #[inline(never)]
    fn tick_of(&self, whole_ms: f64) -> i64 {
        let ticks = (whole_ms - self.epoch as f64) / f64::from(self.tick_ms);
        // NaN compares false and becomes -1.
        if ticks >= 0.0 { ticks as i64 } else { -1 }
    }

    /// Unix milliseconds at which `tick` starts.
    pub fn timestamp(&self, tick: i64) -> i64 {
        self.epoch + tick * i64::from(self.tick_ms)
    }

    /// Unix milliseconds of tick 0.
    pub const fn epoch(&self) -> i64 {
        self.epoch
    }

    /// How times are rounded.
    pub const fn rounding(&self) -> Rounding {
        self.rounding
    }

    /// Milliseconds of one tick.
    pub const fn tick_ms(&self) -> u32 {
        self.tick_ms
    }

    /// The last tick.
    pub const fn last(&self) -> i64 {
        self.last
    }
}
