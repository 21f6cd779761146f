//! The state machine behind every `next()`: previous state and the tick of a clock reading in; the next
//! state, or why there is none, out. It never waits, never reads a clock, and packs no bits.
//!
//! Two things are kept apart: the highest *reading* (a clock that reads less went back) and the last *tick
//! issued* (which `hold` and `borrow` may put ahead of the clock; being ahead counts as a full sequence).
//! A refused call leaves no trace: the state that comes out replaces the old one only when an ID goes with it.

use crate::Error;

/// No tick yet.
const NONE: i64 = -1;

/// What to do when the clock reads less than it has read before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backwards {
    /// Refuse.
    #[default]
    Throw,
    /// Wait until the highest reading is reached again.
    Wait,
    /// Go on at the highest reading, as long as the clock is at most `max_ahead` ticks behind.
    Hold,
    /// sno: go on at the lower reading with the tick-tock bit toggled; into a time that was already
    /// used twice, wait for its end (or for the highest reading, if that comes first).
    TickTock,
}

/// What to do when the tick's sequence is used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Full {
    /// Refuse.
    #[default]
    Throw,
    /// Wait for the next tick.
    Wait,
    /// Take the next tick at once, at most `max_ahead` ticks ahead of the clock.
    Borrow,
}

/// The two policies and the bound of running ahead; they belong to a call, not to the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// When the clock goes back.
    pub backwards: Backwards,
    /// When the sequence is full.
    pub full: Full,
    /// How many ticks `Hold` and `Borrow` may run ahead of the clock.
    pub max_ahead: i64,
}

/// How the values issued within one tick follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// `first, first + 1, ..., last`.
    Counter {
        /// The smallest value.
        first: u64,
        /// The largest value.
        last: u64,
        /// A new tick starts from `first` if the value that would follow is at least this, and else goes
        /// on with it: 0 starts every tick anew, `u64::MAX` never does.
        restart: u64,
    },
    /// A random start in each tick, then random steps upwards.
    Random {
        /// The largest value, a power of two less one.
        max: u64,
        /// Bytes drawn at the start of a tick.
        start: u8,
        /// Bytes drawn for a step.
        step: u8,
    },
}

impl Values {
    /// How many values one tick can hold.
    pub const fn capacity(&self) -> u64 {
        match *self {
            Self::Counter { first, last, .. } => last.wrapping_sub(first).wrapping_add(1),
            Self::Random { max, .. } => max.wrapping_add(1),
        }
    }

    /// The value with which a new tick starts, and how many more the tick then holds.
    pub(super) fn start(&self, previous: Option<u64>, random: Option<u64>) -> Result<(u64, u64), Outcome> {
        match *self {
            Self::Counter { first, last, restart } => {
                let following = previous.map_or(first, |value| value.wrapping_add(1));
                let value = if following >= restart || following > last { first } else { following };
                Ok((value, self.capacity().wrapping_sub(1)))
            }
            Self::Random { max, start, .. } => match random {
                Some(bits) => Ok((bits & max, 1)),
                None => Err(Outcome::Draw { bytes: start }),
            },
        }
    }

    /// The value that follows `value` within a tick; `None` if the tick is used up by it.
    pub(super) fn advance(&self, value: u64, random: Option<u64>) -> Result<Option<u64>, Outcome> {
        match *self {
            Self::Counter { first, last, .. } => Ok(Some(if value >= last { first } else { value + 1 })),
            Self::Random { max, step, .. } => match random {
                None | Some(0) => Err(Outcome::Draw { bytes: step }),
                Some(bits) => Ok(value.checked_add(bits).filter(|&sum| sum <= max)),
            },
        }
    }
}

/// The ticks that may be issued: half-open, open to both sides unless a lease says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The first tick that may be issued.
    pub from: i64,
    /// The first tick that may not.
    pub until: i64,
}

impl Default for Interval {
    fn default() -> Self {
        Self { from: 0, until: i64::MAX }
    }
}

/// Where a generator stands. After an ID it *is* the ID's variable part: `last`, `value`, and `drifts & 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Tick of the highest clock reading.
    pub highest: i64,
    /// The last tick issued.
    pub last: i64,
    /// The last value issued in it.
    pub value: u64,
    /// How many more it holds. For random values only whether it may hold more: 1 or 0.
    pub left: u64,
    /// sno: readings up to here, below `highest`, were already used twice.
    pub safe: i64,
    /// sno: how often the clock went back; the lowest bit is the tick-tock bit.
    pub drifts: u32,
    /// The lowest tick issued; `i64::MAX` before the first. For the counter behind `at`.
    pub first_live: i64,
}

impl State {
    /// A generator that has issued nothing.
    pub const NEW: Self =
        Self { highest: NONE, last: NONE, value: 0, left: 0, safe: NONE, drifts: 0, first_live: i64::MAX };
}

/// The answer to one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An ID, and the state that goes with it.
    Issued(State),
    /// No ID before the clock reads `until`; `cause` is what the call fails with if it does not wait.
    Wait {
        /// The tick to wait for.
        until: i64,
        /// `ClockBackwards`, `SequenceFull` or `OutsideInterval`.
        cause: Error,
    },
    /// Ask again with this many random bytes, big-endian.
    Draw {
        /// How many.
        bytes: u8,
    },
    /// The random step left the tick's range: go on from this state, in which the tick is used up.
    Spent(State),
    /// No ID.
    Refused(Error),
}

/// What a step depends on beside the state, the reading and the random bits.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The rule for values.
    pub values: &'a Values,
    /// The caller's policies.
    pub policy: &'a Policy,
    /// The ticks that may be issued.
    pub interval: &'a Interval,
    /// The last tick that the layout can express.
    pub last_tick: i64,
    /// The highest tick handed out for given times (see [`super::Backfill`]); -1 for none.
    pub given: i64,
}

/// One step: a pure function of the state, the tick of a clock reading, random bits and the options.
///
/// ```
/// use graupel::engine::{Interval, Options, Outcome, Policy, State, Values, step};
/// let options = Options {
///     values: &Values::Counter { first: 0, last: 4095, restart: 0 },
///     policy: &Policy::default(),
///     interval: &Interval::default(),
///     last_tick: (1 << 41) - 1,
///     given: -1,
/// };
/// let Outcome::Issued(one) = step(&State::NEW, 7, None, &options) else { panic!() };
/// let Outcome::Issued(two) = step(&one, 7, None, &options) else { panic!() };
/// assert_eq!((two.last, two.value), (7, 1));
/// ```
#[inline]
pub fn step(state: &State, now: i64, random: Option<u64>, options: &Options<'_>) -> Outcome {
    let Options { values, policy, interval, .. } = *options;
    if now < state.highest && policy.backwards == Backwards::TickTock {
        return tick_tock(state, now, random, options);
    }
    let reading = match reading(state, now, policy, interval) {
        Ok(reading) => reading,
        Err(outcome) => return outcome,
    };
    if reading > state.last {
        return start_tick(state, now, reading, random, options);
    }
    // The tick that the next value would go to, and whether it is the last one issued.
    let (tick, same) = if state.left > 0 { (state.last, true) } else { (state.last.wrapping_add(1), false) };
    let full = |until| {
        if until > options.last_tick {
            Outcome::Refused(Error::EndOfLife)
        } else {
            Outcome::Wait { until, cause: Error::SequenceFull }
        }
    };
    if tick > reading {
        if policy.full == Full::Throw {
            return Outcome::Refused(Error::SequenceFull);
        }
        if policy.full == Full::Wait {
            return full(tick);
        }
        if tick - now > policy.max_ahead {
            return full(tick - policy.max_ahead);
        }
    }
    if !same {
        return start_tick(state, now, tick, random, options);
    }
    let value = match values.advance(state.value, random) {
        Err(draw) => return draw,
        Ok(Some(value)) => value,
        Ok(None) if policy.full == Full::Throw => return Outcome::Refused(Error::SequenceFull),
        Ok(None) if policy.full == Full::Wait => return full(tick.wrapping_add(1)),
        Ok(None) => return Outcome::Spent(State { left: 0, ..*state }),
    };
    // Random values go on until a step leaves the range; counters count down.
    let left = if let Values::Random { .. } = values { 1 } else { state.left.wrapping_sub(1) };
    issue(State { value, left, ..*state }, now, tick, options)
}

/// The reading that counts: the clock's, or under `Hold` the highest so far, or the interval's start.
#[inline]
fn reading(state: &State, now: i64, policy: &Policy, interval: &Interval) -> Result<i64, Outcome> {
    let mut reading = now;
    if now < state.highest {
        let wait = |until| Err(Outcome::Wait { until, cause: Error::ClockBackwards });
        if policy.backwards == Backwards::Throw {
            return Err(Outcome::Refused(Error::ClockBackwards));
        }
        if policy.backwards != Backwards::Hold {
            return wait(state.highest);
        }
        if state.highest - now > policy.max_ahead {
            return wait(state.highest - policy.max_ahead);
        }
        reading = state.highest;
    }
    if reading < interval.from {
        if interval.from.saturating_sub(now) > policy.max_ahead {
            let until = interval.from.saturating_sub(policy.max_ahead);
            return Err(Outcome::Wait { until, cause: Error::OutsideInterval });
        }
        reading = interval.from;
    }
    Ok(reading)
}

/// sno's answer to a clock that went back: once, go on there on the other line; again, wait.
#[inline]
fn tick_tock(state: &State, now: i64, random: Option<u64>, options: &Options<'_>) -> Outcome {
    // The reference looks again at each reading: past the spent period it goes on, toggled once more.
    let open = options.interval.from.max(state.safe.saturating_add(1));
    if now < open {
        return Outcome::Wait { until: state.highest.min(open), cause: Error::ClockBackwards };
    }
    // What was issued ahead of the clock is spent as well.
    let safe = state.highest.max(state.last);
    let toggled = State { highest: NONE, safe, drifts: state.drifts.wrapping_add(1), ..*state };
    start_tick(&toggled, now, now, random, options)
}

#[inline]
fn start_tick(state: &State, now: i64, tick: i64, random: Option<u64>, options: &Options<'_>) -> Outcome {
    let previous = if state.last == NONE { None } else { Some(state.value) };
    match options.values.start(previous, random) {
        Err(draw) => draw,
        Ok((value, left)) => issue(State { value, left, ..*state }, now, tick, options),
    }
}

/// The state once its value is issued in `tick`; only what a clock has read counts as a reading.
#[inline]
fn issue(state: State, now: i64, tick: i64, options: &Options<'_>) -> Outcome {
    if tick > options.last_tick {
        Outcome::Refused(Error::EndOfLife)
    } else if tick < options.interval.from || tick >= options.interval.until {
        Outcome::Refused(Error::OutsideInterval)
    } else if tick <= options.given {
        Outcome::Refused(Error::TimeTaken)
    } else {
        let highest = state.highest.max(now);
        Outcome::Issued(State { highest, last: tick, first_live: state.first_live.min(tick), ..state })
    }
}
