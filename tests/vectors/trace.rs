//! Plays a trace: a generator under a scripted clock, which must answer as the reference did, or as `here` says.

use std::collections::HashSet;

use graupel::Error;
use graupel::engine::{Generator, NotIssued, Policy, SequenceRule};
use serde_json::Value;

use super::data::{self, Item, list, number, text};
use super::tally::{Check, deviates, equal, holds};
use crate::made::InMs;

/// The most readings of one call: ends a call that would wait forever.
const READINGS: usize = 100;

/// The codes of the reference's errors.
const CODES: [(&str, Error); 4] = [
    ("backwards", Error::ClockBackwards),
    ("full", Error::SequenceFull),
    ("before_epoch", Error::BeforeEpoch),
    ("after_end", Error::EndOfLife),
];

/// One step: what happens, readings, and the rest; and what the package does where that differs.
pub struct Step<'a> {
    pub rest: &'a [Value],
    here: &'a Value,
}

/// A generator that is played.
pub struct Player {
    pub generator: Generator,
    policy: Policy,
    /// Unix ms of the reading 0.
    start: i64,
    /// The last ID as the data have it. The number is this call's metabyte.
    write: fn(&Generator, u64) -> String,
    seen: HashSet<String>,
    /// Whether a step has differed from what was recorded.
    differed: bool,
}

/// Plays every step of a trace. `own` plays the steps that only one format has.
pub fn play(
    item: Item<'_>,
    mut player: Player,
    own: impl Fn(&mut Player, &str, &Step<'_>) -> Result<(), String>,
) -> Check {
    for (index, step) in item.list("steps").iter().enumerate() {
        let (op, rest) = list(step).split_first().ok_or("an empty step")?;
        let (rest, here) = match rest.split_last() {
            Some((here @ Value::Object(_), rest)) => (rest, here),
            _ => (rest, &Value::Null),
        };
        let step = Step { rest, here };
        let done = match text(op) {
            "next" | "error" => player.next(text(op), &step),
            "repeat" => player.repeat(&step),
            op => own(&mut player, op, &step),
        };
        done.map_err(|why| format!("step {index}: {why}"))?;
    }
    deviates(item, player.differed || item.get("here").is_string())
}

/// For a trace without steps of its own.
pub fn none(_: &mut Player, op: &str, _: &Step<'_>) -> Result<(), String> {
    Err(format!("unknown step {op}"))
}

/// IDs in decimal.
pub fn decimal(generator: &Generator, _: u64) -> String {
    generator.id().to_string()
}

impl Player {
    pub fn new(generator: Generator, policy: Policy, start: i64, write: fn(&Generator, u64) -> String) -> Self {
        Self { generator, policy, start, write, seen: HashSet::new(), differed: false }
    }

    /// What the package must do: what was recorded, unless there is something else under `here`.
    pub fn wanted<'a>(&mut self, recorded: &'a Value, step: &Step<'a>) -> &'a Value {
        let here = &step.here["here"];
        self.differed |= !here.is_null();
        if here.is_null() { recorded } else { here }
    }

    fn next(&mut self, op: &str, step: &Step<'_>) -> Result<(), String> {
        let third = step.rest.get(2).unwrap_or(&Value::Null);
        // The third entry lists draws, or is the metabyte of this call.
        let draws = step.here.get("draws").unwrap_or(third).as_array().map_or(&[][..], Vec::as_slice);
        let draws: Vec<_> = draws.iter().map(|draw| data::hex(text(draw))).collect();
        let found = self.ask(&self.readings(&step.rest[0]), &draws, third.as_u64().unwrap_or(0))?;
        let recorded = if op == "error" {
            let known = CODES.iter().find(|(kind, _)| *kind == text(&step.rest[1]));
            Value::from(known.ok_or_else(|| format!("unknown error {}", step.rest[1]))?.1.name())
        } else {
            Value::from(data::integer_or_text(&step.rest[1]))
        };
        let wanted = text(self.wanted(&recorded, step)).to_owned();
        let found = found.unwrap_or_else(|error| error.name().to_owned());
        equal("outcome", found, wanted)
    }

    /// Several IDs at one reading. The sequence increases by one; a kept one continues from its largest value with 0.
    fn repeat(&mut self, step: &Step<'_>) -> Result<(), String> {
        let SequenceRule::Counter { last, .. } = self.generator.values else { return Err("no counter".to_owned()) };
        let (count, shift) = (number(&step.rest[1]), self.generator.packing.value_shift);
        let [first, end] = [2, 3].map(|index| u64::try_from(data::integer(&step.rest[index])).unwrap_or(0));
        let mask = last << shift;
        for index in 0..count.unsigned_abs() {
            let wanted = first & !mask | (first.wrapping_add(index << shift) & mask);
            let found = self.ask(&self.readings(&step.rest[0]), &[], 0)?;
            equal("ID", found, Ok(wanted.to_string()))?;
            holds("last ID", index + 1 < count.unsigned_abs() || wanted == end)?;
        }
        Ok(())
    }

    /// The readings of a step, as Unix ms: one, or a list, each in ticks after the start.
    #[expect(clippy::cast_precision_loss)]
    fn readings(&self, value: &Value) -> Vec<f64> {
        let tick_ms = i64::from(self.generator.scale.tick_ms());
        let reading = |value: &Value| (self.start + number(value) * tick_ms) as f64;
        value.as_array().map_or_else(|| vec![reading(value)], |list| list.iter().map(reading).collect())
    }

    /// One call: waits by taking the next reading, and the last one again and again; draws what is listed.
    ///
    /// `Err(_)` is a call that differs from the script: a wait that the last reading does not end, a draw of another size than listed,
    /// one draw too many, or an ID that was issued before.
    fn ask(&mut self, readings: &[f64], draws: &[Vec<u8>], metabyte: u64) -> Result<Result<String, Error>, String> {
        let mut clock = readings.iter().chain(std::iter::repeat(&readings[readings.len() - 1])).take(READINGS).copied();
        let mut draws = draws.iter();
        let mut now = clock.next().unwrap_or_default();
        let mut bits = None;
        loop {
            match self.generator.next_ms(now, bits, &self.policy) {
                Ok(()) | Err(NotIssued::Refused(Error::SequenceFull)) if draws.next().is_some() => {
                    return Err("did not use all of the randomness".to_owned());
                }
                Ok(()) => {
                    let id = (self.write)(&self.generator, metabyte);
                    holds("an ID was repeated", self.seen.insert(id.clone()))?;
                    return Ok(Ok(id));
                }
                Err(NotIssued::Refused(error)) => return Ok(Err(error)),
                Err(NotIssued::Draw { bytes }) => {
                    let draw = draws.next().ok_or("drew more often than listed")?;
                    equal("bytes drawn", bytes, draw.len() as u64)?;
                    bits = u64::try_from(data::big_endian(draw)).ok();
                }
                Err(NotIssued::Wait { until, cause }) => {
                    #[expect(clippy::cast_precision_loss)]
                    let reached = clock.find(|&reading| reading >= until as f64);
                    let never = || format!("waits for {until} ({cause:?}), which the clock never reads");
                    (now, bits) = (reached.ok_or_else(never)?, None);
                }
            }
        }
    }
}
