//! Plays a trace: a generator under a scripted clock, which must answer as the reference did, or as `here` says.

use std::collections::HashSet;

use graupel::Error;
use graupel::engine::{Generator, NotIssued, Policy, SequenceRule};
use serde_json::Value;

use super::data::{self, Item, list, number, text};
use crate::made::InMs;

/// The most readings of one call: ends a call that would wait forever.
const READINGS: usize = 100;

/// One step: what happens; its entries, of which the first has the readings; and what the package does where that differs.
pub struct Step<'a> {
    pub op: &'a str,
    pub rest: &'a [Value],
    here: &'a Value,
}

impl<'a> Step<'a> {
    fn new(step: &'a Value) -> Self {
        let (op, rest) = list(step).split_first().unwrap();
        let (rest, here) = match rest.split_last() {
            Some((here @ Value::Object(_), rest)) => (rest, here),
            _ => (rest, &Value::Null),
        };
        Self { op: text(op), rest, here }
    }

    /// What the package must do: what was recorded, unless there is something else under `here`.
    pub fn wanted(&self, recorded: &'a Value) -> &'a Value {
        let here = &self.here["here"];
        if here.is_null() { recorded } else { here }
    }
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
}

/// IDs in decimal.
pub fn decimal(generator: &Generator, _: u64) -> String {
    generator.id().to_string()
}

impl Player {
    pub fn new(generator: Generator, policy: Policy, start: i64, write: fn(&Generator, u64) -> String) -> Self {
        Self { generator, policy, start, write, seen: HashSet::new() }
    }

    /// Plays every step of a trace.
    pub fn play(self, item: &Item) {
        self.play_with(item, |_, step| panic!("unknown step {}", step.op));
    }

    /// The same; `own` plays the steps that only one format has.
    pub fn play_with(mut self, item: &Item, own: impl Fn(&mut Self, &Step<'_>)) {
        for step in list(&item["steps"]).iter().map(Step::new) {
            match step.op {
                "next" | "error" => self.next(&step),
                "repeat" => self.repeat(&step),
                _ => own(&mut self, &step),
            }
        }
    }

    fn next(&mut self, step: &Step<'_>) {
        let third = step.rest.get(2).unwrap_or(&Value::Null);
        // The third entry lists draws, or is the metabyte of this call.
        let draws = step.here.get("draws").unwrap_or(third).as_array().map_or(&[][..], Vec::as_slice);
        let draws: Vec<_> = draws.iter().map(data::hex).collect();
        let found = self.ask(&self.readings(&step.rest[0]), &draws, third.as_u64().unwrap_or(0));
        let found = found.unwrap_or_else(|error| error.name().to_owned());
        let recorded = match (step.op, &step.rest[1]) {
            ("error", kind) => match text(kind) {
                "backwards" => "CLOCK_BACKWARDS".into(),
                "full" => "SEQUENCE_FULL".into(),
                "before_epoch" => "BEFORE_EPOCH".into(),
                "after_end" => "END_OF_LIFE".into(),
                kind => panic!("unknown error {kind}"),
            },
            (_, Value::Number(id)) => id.to_string().into(),
            (_, id) => id.clone(),
        };
        assert_eq!(found, text(step.wanted(&recorded)), "{:?}", step.rest);
    }

    /// Several IDs at one reading. The sequence increases by one; a kept one continues from its largest value with 0.
    fn repeat(&mut self, step: &Step<'_>) {
        let SequenceRule::Counter { last, .. } = *self.generator.values() else { panic!("no counter") };
        let (count, shift) = (data::unsigned(&step.rest[1]), self.generator.packing().value_shift);
        let [first, end] = [2, 3].map(|index| u64::try_from(data::integer(&step.rest[index])).unwrap());
        let mask = last << shift;
        let wanted = |index: u64| first & !mask | (first.wrapping_add(index << shift) & mask);
        assert_eq!(wanted(count - 1), end, "{:?}", step.rest);
        for index in 0..count {
            let found = self.ask(&self.readings(&step.rest[0]), &[], 0);
            assert_eq!(found, Ok(wanted(index).to_string()), "{:?}", step.rest);
        }
    }

    /// The readings of a step, as Unix ms: one, or a list, each in ticks after the start.
    #[expect(clippy::cast_precision_loss)]
    fn readings(&self, value: &Value) -> Vec<f64> {
        let tick_ms = i64::from(self.generator.scale().tick_ms());
        let reading = |value: &Value| (self.start + number(value) * tick_ms) as f64;
        value.as_array().map_or_else(|| vec![reading(value)], |list| list.iter().map(reading).collect())
    }

    /// One call: waits by taking the next reading, and the last one again and again; draws what is listed.
    ///
    /// Panics if the call differs from the script: by a wait that the last reading does not end, by what it draws, or by an ID that was
    /// issued before.
    fn ask(&mut self, readings: &[f64], draws: &[Vec<u8>], metabyte: u64) -> Result<String, Error> {
        let mut clock = readings.iter().chain(std::iter::repeat(&readings[readings.len() - 1])).take(READINGS).copied();
        let mut draws = draws.iter();
        let mut now = clock.next().unwrap();
        let mut bits = None;
        loop {
            let answer = self.generator.next_ms(now, bits, &self.policy);
            if let Ok(()) | Err(NotIssued::Refused(Error::SequenceFull)) = answer {
                assert_eq!(draws.next(), None, "did not use all of the randomness");
            }
            match answer {
                Ok(()) => {
                    let id = (self.write)(&self.generator, metabyte);
                    assert!(self.seen.insert(id.clone()), "{id} was repeated");
                    return Ok(id);
                }
                Err(NotIssued::Refused(error)) => return Err(error),
                Err(NotIssued::Draw { bytes }) => {
                    let draw = draws.next().expect("draws more often than listed");
                    assert_eq!(bytes, draw.len() as u64, "bytes drawn");
                    bits = u64::try_from(data::big_endian(draw)).ok();
                }
                Err(NotIssued::Wait { until, cause }) => {
                    #[expect(clippy::cast_precision_loss)]
                    let reached = clock.find(|&reading| reading >= until as f64);
                    let never = || panic!("waits for {until} ({cause:?}), which the clock never reads");
                    (now, bits) = (reached.unwrap_or_else(never), None);
                }
            }
        }
    }
}
