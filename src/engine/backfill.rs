//! The counter behind `at(time)`: IDs for given times, in any order as long as that cannot repeat one.
//!
//! The value rises with every ID, whatever its time, and rolls over at the end (as sno's `NewWithTime`).
//! Until it has rolled over, every value is new and any time will do. From then on only times from the
//! highest one upwards are safe, and in that one only as many as the counter holds since it was first given.

use super::sequence::{Outcome, Values};
use crate::Error;

/// Where the counter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backfill {
    /// The highest tick given; -1 before the first.
    pub highest: i64,
    /// The last value issued.
    pub value: u64,
    /// How many more may be issued before the highest tick would repeat one.
    pub left: u64,
    /// Whether the counter has rolled over.
    pub wrapped: bool,
}

impl Backfill {
    /// Nothing issued.
    pub const NEW: Self = Self { highest: -1, value: 0, left: 0, wrapped: false };

    /// The state after an ID for `tick`; `first_live` is the lowest tick that the clock's counter issued.
    ///
    /// Random values carry no such order: there, times must not fall.
    #[inline]
    pub fn step(&self, tick: i64, random: Option<u64>, values: &Values, first_live: i64) -> Result<Self, Outcome> {
        let refused = |error| Err(Outcome::Refused(error));
        if tick >= first_live {
            return refused(Error::TimeTaken);
        }
        if let Values::Random { .. } = values {
            if tick < self.highest {
                return refused(Error::TimeTaken);
            }
            if tick > self.highest {
                let (value, left) = values.start(None, random)?;
                return Ok(Self { highest: tick, value, left, wrapped: false });
            }
            return match values.advance(self.value, random)? {
                Some(value) => Ok(Self { value, ..*self }),
                None => refused(Error::SequenceFull),
            };
        }
        let fresh = self.highest < 0;
        let value = if fresh { values.start(None, None)?.0 } else { values.advance(self.value, None)?.unwrap_or(0) };
        let wrapped = self.wrapped || (!fresh && value <= self.value);
        if tick > self.highest {
            return Ok(Self { highest: tick, value, left: values.capacity().wrapping_sub(1), wrapped });
        }
        if wrapped && tick < self.highest {
            return refused(Error::TimeTaken);
        }
        if self.left == 0 {
            return refused(Error::SequenceFull);
        }
        Ok(Self { value, left: self.left - 1, wrapped, ..*self })
    }
}
