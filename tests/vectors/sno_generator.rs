//! sno's generators: traces of the clock, and IDs for given times.

use std::collections::HashSet;

use graupel::Error;
use graupel::engine::{Backwards, Full, Generator, NotIssued, Policy};
use graupel::formats::sno;
use serde_json::Value;

use super::data::{self, Item, list, number};
use super::drive;
use super::tally::{Check, Met, Stands, equal, holds};
use crate::made::{self, InMs};

/// What the reference does: tick-tock, wait.
const POLICY: Policy = Policy { backwards: Backwards::TickTock, full: Full::Wait, max_ahead: 0 };

/// A reading counts 4 ms.
const TICK_MS: i64 = 4;

/// Ticks start in 2010.
fn unix_ms(units: i64) -> i64 {
    sno::FORMAT.epoch.unwrap_or_default() + units * TICK_MS
}

fn small<T: TryFrom<i64>>(value: i64) -> Result<T, String> {
    T::try_from(value).map_err(|_| format!("{value} is too large"))
}

fn bounds(item: Item<'_>) -> Result<(u32, u32), String> {
    let [min, max] = ["sequenceMin", "sequenceMax"].map(|name| small(item.number(name)));
    Ok((min?, max?))
}

/// IDs for given times, from their own counter.
pub fn new_with_time(item: Item<'_>) -> Check {
    let bounds = bounds(item)?;
    let partition = small(item.number("partition"))?;
    let mut generator = made::sno(partition, bounds);
    let capacity = usize::try_from(bounds.1 - bounds.0 + 1).map_err(|error| error.to_string())?;
    let (mut seen, mut highest, mut stands) = (HashSet::new(), i128::MIN, None);
    for (index, step) in item.list("steps").iter().enumerate() {
        let step = list(step);
        let wanted = data::text(&step[2]);
        let time = data::integer(&step[0]);
        // Unix ms with three decimals, rounded down: a number cannot hold all nanoseconds.
        #[expect(clippy::cast_precision_loss)]
        let ms = time.div_euclid(1000) as f64 / 1000.0;
        let tick = (time.div_euclid(1_000_000) - i128::from(unix_ms(0))).div_euclid(i128::from(TICK_MS));
        match generator.at_ms(ms, None) {
            Ok(()) => {
                let id = generator.whole_id(small(number(&step[1]))?);
                holds("an ID was repeated", seen.insert(id))?;
                if super::sno::text(id) != wanted {
                    let fields = |id: u128| (id >> 16, id & 0xFFFF);
                    let reference = sno::parse(&super::sno::bytes(wanted)).map_err(|error| format!("{error:?}"))?;
                    equal("all but the sequence", fields(id).0, fields(reference).0)?;
                    holds("differs before the counter rolled over", index >= capacity)?;
                    stands = Some("sno-at-rollover");
                }
            }
            Err(NotIssued::Refused(Error::BeforeEpoch)) => {
                holds("before the epoch", tick < 0)?;
                stands = Some("sno-time-range");
            }
            Err(NotIssued::Refused(Error::EndOfLife)) => {
                holds("after the end", tick >= 1 << 39)?;
                stands = Some("sno-time-range");
            }
            Err(NotIssued::Refused(Error::TimeTaken | Error::SequenceFull)) => {
                holds("refused before the counter rolled over", index >= capacity)?;
                holds("refused a time above all that were given", tick <= highest)?;
                stands = Some("sno-at-rollover");
            }
            answer => return Err(format!("step {index}: {answer:?}")),
        }
        highest = highest.max(tick);
    }
    Ok(stands.map_or(Met, Stands))
}

/// A generator under a scripted clock.
struct Run {
    generator: Generator,
    bounds: (u32, u32),
    /// The sequence of the last ID, or the one the generator was made with.
    sequence: u64,
    seen: HashSet<u128>,
    stands: Option<&'static str>,
}

impl Run {
    fn new(item: Item<'_>) -> Result<Self, String> {
        let bounds = bounds(item)?;
        let mut generator = made::sno(small(item.number("partition"))?, bounds);
        let [sequence, drifts] = ["sequence", "drifts"].map(|name| small(item.number(name)));
        let (hi, safe) = (item.number("wallHi"), item.number("wallSafe"));
        // None yet is the lower bound.
        let sequence: u32 = sequence?;
        generator.state =
            made::sno_state(bounds, if sequence == 0 { bounds.0 } else { sequence }, hi, safe, drifts?.into());
        Ok(Self { sequence: generator.state.value, generator, bounds, seen: HashSet::new(), stands: None })
    }

    fn next(&mut self, start: i64, step: &[Value], may_differ: bool) -> Result<(), String> {
        let readings = drive::readings(&step[1], unix_ms(start), TICK_MS);
        let last = readings[readings.len() - 1];
        if let Err(error) = drive::next(&mut self.generator, &readings, &[], &POLICY)? {
            equal("error", error, Error::EndOfLife)?;
            #[expect(clippy::cast_precision_loss)]
            let end = unix_ms(1 << 39) as f64;
            holds("refused within the format's time", last >= end)?;
            self.stands = Some("sno-time-range");
            return Ok(());
        }
        let id = self.generator.whole_id(small(number(&step[2]))?);
        let wanted = data::text(&step[3]);
        holds("an ID was repeated", self.seen.insert(id))?;
        self.sequence = self.generator.latest().1;
        if may_differ && super::sno::text(id) != wanted {
            let reference = sno::parse(&super::sno::bytes(wanted)).map_err(|error| format!("{error:?}"))?;
            equal("all but the sequence", id >> 16, reference >> 16)?;
            self.stands = Some("sno-stale-restore");
            return Ok(());
        }
        equal("ID", super::sno::text(id).as_str(), wanted)
    }

    /// Compares the state with a snapshot's `sequence, drifts, wallHi, wallSafe`, taken at the tick `now`.
    fn state(&mut self, now: i64, sequence: &Value, rest: &[Value]) -> Result<(), String> {
        let state = &self.generator.state;
        equal("drifts", state.tick_tocks.cast_signed(), number(&rest[0]))?;
        equal("wallHi", state.highest, number(&rest[1]))?;
        equal("wallSafe", state.safe, number(&rest[2]))?;
        equal("sequence", state.value, self.sequence)?;
        if i128::from(state.value) != data::integer(sequence) {
            holds("another sequence in the tick of the last ID", now != state.highest)?;
            equal("reference's sequence", data::integer(sequence), i128::from(self.bounds.0))?;
            self.stands = self.stands.or(Some("snapshot-true-sequence"));
        }
        Ok(())
    }

    /// A new generator from this one's state, as after a restart.
    fn restore(&mut self) -> Result<(), String> {
        let state = self.generator.state;
        let sequence = u32::try_from(state.value).map_err(|error| error.to_string())?;
        let restored = made::sno_state(self.bounds, sequence, state.highest, state.safe, state.tick_tocks);
        let partition = small(i64::try_from(self.generator.packing.fixed >> 16).unwrap_or(-1))?;
        self.generator = made::sno(partition, self.bounds);
        self.generator.state = restored;
        Ok(())
    }
}

/// A trace: one generator, which is sometimes restored from its own state.
pub fn trace(item: Item<'_>) -> Check {
    let (min, max) = bounds(item)?;
    if min >= max {
        // The package completes and orders the bounds.
        return Ok(Stands("outside-core"));
    }
    let mut run = Run::new(item)?;
    let start = item.number("start");
    let stale = item.get("bug").as_str() == Some("repeats");
    let mut restored = false;
    for (index, step) in item.list("steps").iter().enumerate() {
        let step = list(step);
        let done = match data::text(&step[0]) {
            "new" => run.next(start, step, stale && restored),
            "observe" => {
                let capacity = i64::from(run.bounds.1 - run.bounds.0 + 1);
                run.state(start + number(&step[1]), &step[2], &step[5..])
                    .and_then(|()| equal("capacity", capacity, number(&step[4])))
            }
            "restore" => {
                restored = true;
                run.state(start + number(&step[1]), &step[2], &step[3..]).and_then(|()| run.restore())
            }
            op => Err(format!("unknown step {op}")),
        };
        done.map_err(|why| format!("step {index}: {why}"))?;
    }
    Ok(run.stands.map_or(Met, Stands))
}
