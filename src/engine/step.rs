//! The state machine of `next()`: from the state and the tick of a clock reading to the next state,
//! or to the reason why there is no ID. It never waits, reads no clock, and packs no bits.
//!
//! The highest *reading* and the last *issued tick* are different. A reading below the highest
//! means that the clock went back. The last tick may be ahead of the clock because of `hold` and
//! `borrow`, which counts as a full sequence. A failed call leaves no trace: the state is written
//! last, and only with an ID.

use super::{NotIssued, SequenceRule};
use crate::Error;

/// Means "no tick yet". A saved number.
const NO_TICK: i64 = -1;

/// The policy for a clock that goes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backwards {
    /// Return an error.
    #[default]
    Throw,
    /// Wait until the highest reading is reached again.
    Wait,
    /// Continue at the highest reading, as long as the clock is at most `max_ahead` ticks behind.
    Hold,
    /// sno: continue at the lower reading with the tick-tock bit toggled. If that time was already
    /// used twice, wait for its end, or for the highest reading if that comes first.
    TickTock,
}

impl Backwards {
    /// All of them, in the order of their numbers, with the words of the options.
    pub const WORDS: [(Self, &'static str); 4] =
        [(Self::Throw, "throw"), (Self::Wait, "wait"), (Self::Hold, "hold"), (Self::TickTock, "tick-tock")];
}

/// The policy for a full sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Full {
    /// Return an error.
    #[default]
    Throw,
    /// Wait for the next tick.
    Wait,
    /// Take the next tick at once, at most `max_ahead` ticks ahead of the clock.
    Borrow,
}

impl Full {
    /// All of them, in the order of their numbers, with the words of the options.
    pub const WORDS: [(Self, &'static str); 3] =
        [(Self::Throw, "throw"), (Self::Wait, "wait"), (Self::Borrow, "borrow")];
}

/// The two policies, and the limit for running ahead. They belong to a call, not to the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// When the clock goes back.
    pub backwards: Backwards,
    /// When the sequence is full.
    pub full: Full,
    /// How many ticks `Hold` and `Borrow` may run ahead of the clock.
    pub max_ahead: i64,
}

impl Policy {
    /// How far the clock may be behind the highest reading.
    const fn most_behind(&self) -> i64 {
        if matches!(self.backwards, Backwards::Hold) { self.max_ahead } else { 0 }
    }

    /// How far ahead of the clock the next tick may be.
    const fn most_ahead(&self) -> i64 {
        if matches!(self.full, Full::Borrow) { self.max_ahead } else { 0 }
    }

    /// Moves ahead of the clock to `tick`, because the previous tick is used up.
    #[inline]
    fn move_on(&self, tick: i64, now: i64) -> Result<(), NotIssued> {
        if self.full == Full::Throw {
            return Err(Error::SequenceFull.into());
        }
        take_or_wait(tick, now, self.most_ahead(), Error::SequenceFull)
    }
}

/// The ticks that may be issued: from `from` to before `until`. Without a lease, all ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Interval {
    /// The first tick that may be issued.
    pub from: i64,
    /// The first tick after the interval.
    pub until: i64,
}

impl Interval {
    /// Every tick: none has more than 53 bits.
    pub const ALL: Self = Self { from: 0, until: 1 << 53 };
}

/// The state of the clock's counter. After an ID it contains the ID's variable parts: `last`,
/// `value`, and `tick_tocks & 1`.
///
/// It consists of 64-bit numbers only, none above 2^53, so that a snapshot is an array of
/// JavaScript numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct State {
    /// Tick of the highest clock reading.
    pub highest: i64,
    /// The last tick in which an ID was issued.
    pub last: i64,
    /// The last value issued in it.
    pub value: u64,
    /// How many more values that tick holds. For random values: 1 if it may hold more, else 0.
    pub left: u64,
    /// sno: readings up to here, below `highest`, were already used twice.
    pub safe: i64,
    /// sno: how often the clock went back, up to [`State::MAX_TICK_TOCKS`], then from 0 again. The
    /// lowest bit is the tick-tock bit.
    pub tick_tocks: u64,
    /// The lowest tick in which an ID was issued, for the backfill counter; [`State::NOT_LIVE`]
    /// before the first ID.
    pub first_live: u64,
}

impl State {
    /// The largest value of `tick_tocks`.
    pub const MAX_TICK_TOCKS: u64 = u32::MAX as u64;

    /// Above every tick; -1 as a signed number.
    pub const NOT_LIVE: u64 = u64::MAX;

    /// The state before the first ID.
    pub const NEW: Self = Self {
        highest: NO_TICK,
        last: NO_TICK,
        value: 0,
        left: 0,
        safe: NO_TICK,
        tick_tocks: 0,
        first_live: Self::NOT_LIVE,
    };
}

/// The inputs of a step besides the state, the reading and the random bits.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The rule for values.
    pub values: &'a SequenceRule,
    /// The caller's policies.
    pub policy: &'a Policy,
    /// The ticks that may be issued.
    pub interval: &'a Interval,
    /// The last tick of the scale.
    pub last_tick: i64,
    /// The highest tick of the IDs for given times (see [`super::Backfill`]); -1 if there are none.
    pub backfilled: i64,
}

impl Options<'_> {
    /// Checks that IDs may be issued in a tick.
    #[inline]
    fn allow(&self, tick: i64) -> Result<(), NotIssued> {
        if tick > self.last_tick {
            return Err(Error::EndOfLife.into());
        }
        if tick >= self.interval.until {
            return Err(Error::OutsideInterval.into());
        }
        if tick <= self.backfilled {
            return Err(Error::TimeTaken.into());
        }
        Ok(())
    }

    /// Checks that a wait is not for a tick past the last one, which never comes.
    #[inline]
    fn within_life(&self, refusal: NotIssued) -> NotIssued {
        match refusal {
            NotIssued::Wait { until, .. } if until > self.last_tick => Error::EndOfLife.into(),
            _ => refusal,
        }
    }
}

/// Accepts a tick that is at most `most` ahead of the clock, and waits for any other tick.
#[inline]
fn take_or_wait(tick: i64, now: i64, most: i64, cause: Error) -> Result<(), NotIssued> {
    let until = tick - most;
    if until <= now { Ok(()) } else { Err(NotIssued::Wait { until, cause }) }
}

/// Makes one step: the state becomes the next one or stays unchanged if there is no ID. `random`
/// answers a [`NotIssued::Draw`]. `draws_for_next_tick` is kept between the steps of one call:
/// whether the draw is for the tick after the last one.
///
/// ```
/// use graupel::engine::{Interval, Options, Policy, Restart, SequenceRule, State, step};
/// let options = Options {
///     values: &SequenceRule::counter(0, 4095, Restart::ALWAYS)?,
///     policy: &Policy::default(),
///     interval: &Interval::ALL,
///     last_tick: (1 << 41) - 1,
///     backfilled: -1,
/// };
/// let mut state = State::NEW;
/// assert_eq!(step(&mut state, 7, None, &mut false, &options), Ok(()));
/// assert_eq!(step(&mut state, 7, None, &mut false, &options), Ok(()));
/// assert_eq!((state.last, state.value), (7, 1));
/// # Ok::<(), graupel::Error>(())
/// ```
#[inline]
pub fn step(
    state: &mut State,
    now: i64,
    random: Option<u64>,
    draws_for_next_tick: &mut bool,
    options: &Options<'_>,
) -> Result<(), NotIssued> {
    advance(state, now, random, draws_for_next_tick, options).map_err(|refusal| options.within_life(refusal))
}

/// Like [`step`], but may return a wait for a tick past the last one.
#[inline]
fn advance(
    state: &mut State,
    now: i64,
    random: Option<u64>,
    draws_for_next_tick: &mut bool,
    options: &Options<'_>,
) -> Result<(), NotIssued> {
    let Options { values, policy, .. } = *options;
    let used_up = core::mem::take(draws_for_next_tick) && random.is_some();
    let toggles = toggles(state, now, options)?;
    let reading = if toggles { now } else { reading(state, now, options)? };
    let (tick, same) = if !toggles && reading <= state.last {
        tick_behind(state, now, reading, used_up, options)?
    } else {
        (reading, false)
    };
    let (mut value, mut draws) = (None, random);
    if same {
        value = values.advance(state.value, random)?;
        if value.is_none() {
            // The random step exceeds the range. The next tick needs its own draw.
            policy.move_on(tick + 1, now)?;
            *draws_for_next_tick = true;
            draws = None;
        }
    }
    let (value, left) = match value {
        Some(value) => (value, values.left_after(state.left).unwrap_or(0)),
        None => values.start(state.last == NO_TICK, state.value, state.left, draws)?,
    };
    options.allow(tick)?;
    *state = state.after(now, toggles, tick, value, left);
    Ok(())
}

/// Whether sno's tick-tock bit toggles. It does if the clock went back to a time that was used at
/// most once; otherwise the call waits.
#[inline]
fn toggles(state: &State, now: i64, options: &Options<'_>) -> Result<bool, NotIssued> {
    if now >= state.highest || options.policy.backwards != Backwards::TickTock {
        return Ok(false);
    }
    // As in the reference, each new reading is checked again. Past the used ticks, the bit toggles.
    let open = options.interval.from.max(state.safe + 1);
    take_or_wait(state.highest.min(open), now, 0, Error::ClockBackwards)?;
    Ok(true)
}

/// The effective reading: the clock's, or under `Hold` the highest so far, or the interval's start.
#[inline]
fn reading(state: &State, now: i64, options: &Options<'_>) -> Result<i64, NotIssued> {
    let Options { policy, interval, .. } = *options;
    let mut reading = now;
    if now < state.highest {
        if policy.backwards == Backwards::Throw {
            return Err(Error::ClockBackwards.into());
        }
        take_or_wait(state.highest, now, policy.most_behind(), Error::ClockBackwards)?;
        reading = state.highest;
    }
    if reading < interval.from {
        take_or_wait(interval.from, now, policy.max_ahead, Error::OutsideInterval)?;
        reading = interval.from;
    }
    Ok(reading)
}

/// The tick for a reading that is not past the last tick, and whether it is the last tick again,
/// which `used_up` prevents.
#[inline]
fn tick_behind(
    state: &State,
    now: i64,
    reading: i64,
    used_up: bool,
    options: &Options<'_>,
) -> Result<(i64, bool), NotIssued> {
    let same = state.left > 0 && !used_up;
    let tick = if same { state.last } else { state.last + 1 };
    if tick > reading {
        options.policy.move_on(tick, now)?;
    }
    Ok((tick, same))
}

impl State {
    /// The state after a value in a tick. `toggles`: whether the tick-tock bit toggles.
    #[inline]
    fn after(&self, now: i64, toggles: bool, tick: i64, value: u64, left: u64) -> Self {
        Self {
            // `tick` may be ahead of the clock; only `now` is a reading.
            highest: if toggles { now } else { self.highest.max(now) },
            last: tick,
            value,
            left,
            // Ticks issued ahead of the clock are also used.
            safe: if toggles { self.highest.max(self.last) } else { self.safe },
            tick_tocks: (self.tick_tocks + u64::from(toggles)) & Self::MAX_TICK_TOCKS,
            first_live: self.first_live.min(tick.cast_unsigned()),
        }
    }
}
