//! Epochs and ticks: Unix milliseconds to the time field of an ID, and back. Reads no clock.

use crate::Error;

/// The last instant that a JavaScript `Date` can hold (ECMA-262, "Time Values and Time Range"), Unix ms.
pub const UNIX_MS_MAX: i64 = 8_640_000_000_000_000;

/// The longest life of a format: beyond, milliseconds since the epoch would not be exact in floating point.
const SPAN_MAX: i64 = (1 << 53) - 1;

/// What happens to the fraction of a millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// Dropped: the tick that the instant lies in.
    #[default]
    Floor,
    /// To the nearest millisecond, halves to even: what PostgreSQL's cast to bigint does.
    NearestEven,
}

/// Where ticks start, how long they are, and which is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    epoch: i64,
    tick_ms: u32,
    last: i64,
    rounding: Rounding,
}

impl Scale {
    /// Ticks of `tick_ms` ms from `epoch` (Unix ms), numbered 0 to `last`. `None` if the length is 0, if
    /// the epoch or the last tick is beyond what a date can say, or if the two are 2^53 ms or more apart.
    pub const fn new(epoch: i64, tick_ms: u32, last: i64, rounding: Rounding) -> Option<Self> {
        if tick_ms == 0 || last < 0 || epoch < -UNIX_MS_MAX || epoch > UNIX_MS_MAX {
            return None;
        }
        match last.checked_mul(tick_ms as i64) {
            Some(span) if span <= UNIX_MS_MAX - epoch && span <= SPAN_MAX => {
                Some(Self { epoch, tick_ms, last, rounding })
            }
            _ => None,
        }
    }

    /// The tick of a clock reading or a given time, both measurements: rounded as the format does.
    pub fn tick(&self, unix_ms: f64) -> Result<i64, Error> {
        self.tick_from(match self.rounding {
            Rounding::Floor => unix_ms,
            Rounding::NearestEven => unix_ms.round_ties_even(),
        })
    }

    /// The tick that the instant `unix_ms` lies in.
    pub fn tick_from(&self, unix_ms: f64) -> Result<i64, Error> {
        self.within(self.ticks(unix_ms.floor()).floor())
    }

    /// The last tick that starts before the instant `unix_ms`.
    pub fn tick_before(&self, unix_ms: f64) -> Result<i64, Error> {
        self.within(self.ticks(unix_ms.ceil()).ceil() - 1.0)
    }

    /// Ticks since the epoch, in floating point, where nothing traps. Exact up to the floor: the operands are
    /// integers below 2^53 in every case that is not refused, and there no quotient rounds up to an integer.
    #[expect(clippy::cast_precision_loss)]
    fn ticks(&self, whole_ms: f64) -> f64 {
        (whole_ms - self.epoch as f64) / f64::from(self.tick_ms)
    }

    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
    fn within(&self, tick: f64) -> Result<i64, Error> {
        if tick > self.last as f64 {
            Err(Error::EndOfLife)
        } else if tick >= 0.0 {
            Ok(tick as i64)
        } else {
            Err(Error::BeforeEpoch)
        }
    }

    /// Unix milliseconds at which `tick` starts.
    pub fn timestamp(&self, tick: i64) -> i64 {
        self.epoch.wrapping_add(tick.wrapping_mul(i64::from(self.tick_ms)))
    }

    /// Unix milliseconds of tick 0.
    pub const fn epoch(&self) -> i64 {
        self.epoch
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
