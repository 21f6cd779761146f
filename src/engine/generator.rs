//! A generator: a scale of ticks, a rule for values, and the two counters, put together. Still without a
//! clock: readings come in as arguments, and what cannot be answered now is answered with "wait".

use super::{Backfill, Interval, Options, Outcome, Policy, Scale, State, Values, step};
use crate::Error;

/// The answer to one call. The ID is read from the generator, in the format's own shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// There is an ID.
    Issued,
    /// Ask again when the clock reads at least `until` (Unix ms); or fail with `cause`.
    Wait {
        /// Unix milliseconds.
        until: i64,
        /// What the call fails with if it does not wait.
        cause: Error,
    },
    /// Ask again, with this many random bytes as a big-endian number.
    Draw {
        /// How many bytes.
        bytes: u8,
    },
    /// No ID; the generator is as it was.
    Refused(Error),
}

/// Where the variable parts of an ID of at most 64 bits go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packing {
    /// Distance of the time field from the lowest bit.
    pub time_shift: u32,
    /// Distance of the sequence (or randomness).
    pub value_shift: u32,
    /// The fixed fields, in place.
    pub fixed: u64,
}

/// Counters for an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// IDs issued.
    pub issued: u64,
    /// Readings below the highest reading.
    pub regressions: u64,
    /// The largest of them, in ticks.
    pub largest_regression: i64,
    /// Ticks whose sequence was used up.
    pub overflows: u64,
    /// The last of them.
    pub overflown: i64,
}

/// A generator of one identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generator {
    /// Ticks.
    pub scale: Scale,
    /// The rule for values within a tick.
    pub values: Values,
    /// Where the parts go.
    pub packing: Packing,
    /// The ticks that may be issued.
    pub interval: Interval,
    /// The counter of the clock.
    pub state: State,
    /// The counter of given times.
    pub backfill: Backfill,
    /// Numbers for an operator.
    pub stats: Stats,
    /// Tick, value and tick-tock bit of the last ID, whichever counter made it.
    made: (i64, u64, bool),
    /// Where a call goes on that was answered with a draw.
    draft: Option<State>,
}

impl Generator {
    /// A generator that has issued nothing.
    pub const fn new(scale: Scale, values: Values, packing: Packing) -> Self {
        Self {
            scale,
            values,
            packing,
            interval: Interval { from: 0, until: i64::MAX },
            state: State::NEW,
            backfill: Backfill::NEW,
            stats: Stats { issued: 0, regressions: 0, largest_regression: 0, overflows: 0, overflown: -1 },
            made: (0, 0, false),
            draft: None,
        }
    }

    /// One ID at the clock reading `unix_ms`; `random` answers a [`Answer::Draw`], and is else `None`.
    #[inline]
    pub fn next(&mut self, unix_ms: f64, random: Option<u64>, policy: &Policy) -> Answer {
        let now = match self.scale.tick(unix_ms) {
            Ok(now) => now,
            Err(error) => return Answer::Refused(error),
        };
        // A random step that leaves the tick's range uses the tick up, and the next tick may want a draw of its own:
        // the answer to that draw goes on from here. Nothing of it is kept unless an ID comes of it.
        let mut state = self.draft.filter(|_| random.is_some()).unwrap_or(self.state);
        let mut random = random;
        self.draft = None;
        loop {
            let options = Options {
                values: &self.values,
                policy,
                interval: &self.interval,
                last_tick: self.scale.last(),
                given: self.backfill.highest,
            };
            let outcome = step(&state, now, random, &options);
            if let Outcome::Spent(spent) = outcome {
                state = spent;
                random = None;
                continue;
            }
            if let Outcome::Draw { bytes } = outcome {
                self.draft = Some(state);
                return Answer::Draw { bytes };
            }
            self.count(now, &outcome);
            return match outcome {
                Outcome::Issued(next) => {
                    self.state = next;
                    self.made = (next.last, next.value, next.drifts & 1 == 1);
                    Answer::Issued
                }
                Outcome::Wait { until, cause } => Answer::Wait { until: self.scale.timestamp(until), cause },
                Outcome::Refused(error) => Answer::Refused(error),
                Outcome::Draw { .. } | Outcome::Spent(_) => Answer::Refused(Error::SequenceFull),
            };
        }
    }

    /// One ID for the given time, from the counter of given times.
    #[inline]
    pub fn at(&mut self, unix_ms: f64, random: Option<u64>) -> Answer {
        let tick = match self.scale.tick(unix_ms) {
            Ok(tick) => tick,
            Err(error) => return Answer::Refused(error),
        };
        if tick < self.interval.from || tick >= self.interval.until {
            return Answer::Refused(Error::OutsideInterval);
        }
        match self.backfill.step(tick, random, &self.values, self.state.first_live) {
            Ok(backfill) => {
                self.backfill = backfill;
                self.made = (tick, backfill.value, false);
                self.stats.issued = self.stats.issued.wrapping_add(1);
                Answer::Issued
            }
            Err(Outcome::Draw { bytes }) => Answer::Draw { bytes },
            Err(Outcome::Refused(error)) => Answer::Refused(error),
            Err(_) => Answer::Refused(Error::SequenceFull),
        }
    }

    /// Puts both counters where a predecessor's were.
    pub const fn restore(&mut self, state: State, backfill: Backfill) {
        self.state = state;
        self.backfill = backfill;
        self.draft = None;
    }

    /// The last ID, in at most 64 bits.
    #[expect(clippy::cast_sign_loss)]
    pub fn id(&self) -> u64 {
        let (tick, value, _) = self.made;
        (tick as u64).wrapping_shl(self.packing.time_shift)
            | self.packing.fixed
            | value.wrapping_shl(self.packing.value_shift)
    }

    /// Tick, value and tick-tock bit of the last ID.
    pub const fn made(&self) -> (i64, u64, bool) {
        self.made
    }

    #[inline]
    fn count(&mut self, now: i64, outcome: &Outcome) {
        let (stats, before) = (&mut self.stats, &self.state);
        let back = before.highest.wrapping_sub(now);
        if back > 0 {
            stats.regressions = stats.regressions.wrapping_add(1);
            stats.largest_regression = stats.largest_regression.max(back);
        }
        let full = match outcome {
            Outcome::Issued(next) => {
                stats.issued = stats.issued.wrapping_add(1);
                next.last > next.highest && next.last > before.last
            }
            Outcome::Wait { cause, .. } | Outcome::Refused(cause) => *cause == Error::SequenceFull,
            _ => false,
        };
        if full && stats.overflown != before.last {
            stats.overflown = before.last;
            stats.overflows = stats.overflows.wrapping_add(1);
        }
    }
}
