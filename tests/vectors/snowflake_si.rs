//! Snowflake-SI, in every combination of widths.

use std::collections::HashSet;

use graupel::engine::{Backwards, Full, Generator, Policy, Schema};
use graupel::{Error, Located};
use serde_json::Value;

use super::data::{self, File, Item, list, number};
use super::drive;
use super::tally::{Check, Met, Stands, Tally, equal, holds};
use crate::made;

/// Every section.
pub fn all() -> Tally {
    let mut tally = Tally::new(File::read("snowflake-si"));
    tally.section("codec", codec);
    tally.section("invalid", invalid);
    tally.section("traces", trace);
    tally
}

fn width(value: i64) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

fn schema(item: Item<'_>) -> Schema {
    let [clock, machine, sequence] = ["clockBits", "machineBits", "sequenceBits"].map(|name| width(item.number(name)));
    made::snowflake_si(item.number("epoch"), [clock, machine, sequence])
}

/// The fields, high to low. There is no machine field if it has no bits.
fn fields(schema: &Schema, ticks: u64, machine: u64, sequence: u64) -> Vec<u64> {
    if schema.sequence == 1 { vec![ticks, sequence] } else { vec![ticks, machine, sequence] }
}

fn codec(item: Item<'_>) -> Check {
    let schema = schema(item);
    let id = u128::from(item.unsigned("integer"));
    equal("bytes", data::big_endian(&data::hex(item.text("hex"))), id)?;
    let wanted = fields(&schema, item.unsigned("ticks"), item.unsigned("machineId"), item.unsigned("sequence"));
    let mut found = vec![0; wanted.len()];
    equal("inspect", schema.inspect(id, &mut found), Ok(()))?;
    equal("fields", &found, &wanted)?;
    equal("composed", schema.compose(&found), Ok(id))?;
    equal("timestamp", schema.scale.timestamp(item.number("ticks")), item.number("timestamp"))?;
    equal("capacity", schema.counter().capacity(), 1 << item.number("sequenceBits"))?;
    Ok(Met)
}

fn invalid(item: Item<'_>) -> Check {
    let options = item.get("options");
    let odd = |value: &Value| !value.is_i64() && !value.is_u64();
    if options.as_object().into_iter().flatten().any(|(_, value)| odd(value)) {
        // JavaScript checks whether an option is an integer, before it calls the core.
        return Ok(Stands("outside-core"));
    }
    // The package completes and checks the widths, the epoch and the machine.
    if item.text("op") == "generate_by" { generate_by(item) } else { Ok(Stands("outside-core")) }
}

/// The widths, with those left out completed as the format's JavaScript does.
fn completed(options: &Value) -> [i64; 3] {
    let given = |name: &str| options[name].as_i64();
    let clock = given("clockBits").unwrap_or(40);
    let rest = 53 - clock;
    match (given("machineBits"), given("sequenceBits")) {
        (Some(machine), Some(sequence)) => [clock, machine, sequence],
        (None, Some(sequence)) => [clock, rest - sequence, sequence],
        (machine, None) => [clock, machine.unwrap_or(5), rest - machine.unwrap_or(5)],
    }
}

fn generate_by(item: Item<'_>) -> Check {
    let options = item.get("options");
    let [clock, machine, sequence] = completed(options).map(width);
    let schema = made::snowflake_si(number(&options["epoch"]), [clock, machine, sequence]);
    let [timestamp, sequence, reference] = [0, 1, 2].map(|index| item.list("generated").get(index));
    let time = timestamp.and_then(Value::as_f64).unwrap_or(f64::NAN);
    let made = schema.scale.tick(time).map_err(Located::from).and_then(|tick| {
        // The core takes no sequence that is not a natural number.
        let sequence = sequence.and_then(Value::as_u64).ok_or(Error::Range)?;
        let machine = options["machineId"].as_u64().unwrap_or(0);
        schema.compose(&fields(&schema, u64::try_from(tick).unwrap_or(0), machine, sequence))
    });
    match (made, item.text("result")) {
        (Err(Located { error: Error::Range | Error::BeforeEpoch, .. }), "error") => Ok(Met),
        (Ok(id), "ok") if Some(id.to_string().as_str()) == reference.and_then(Value::as_str) => Ok(Met),
        // The reference counts half a millisecond as 4096 sequence numbers; a time is floored here.
        (Ok(id), "ok") if time.fract() != 0.0 => {
            equal("floored", schema.inspect(id, &mut [0; 3]), Ok(()))?;
            Ok(Stands("si-unchecked"))
        }
        (Err(Located { error: Error::Range | Error::EndOfLife, .. }), "ok") => Ok(Stands("si-unchecked")),
        (found, wanted) => Err(format!("found {found:?}, wanted {wanted}")),
    }
}

fn trace(item: Item<'_>) -> Check {
    let schema = schema(item);
    // v1.0.0 never restarts the sequence.
    let v1 = item.text("variant") == "v1.0.0";
    let keep = v1 || item.text("onTimeChanged") == "keep_current";
    let threshold = item.get("sequenceResetThreshold").as_u64().unwrap_or(0);
    let values = made::counter(&schema, if keep { made::KEPT } else { threshold });
    let fixed = fields(&schema, 0, item.unsigned("machineId"), 0);
    let mut generator = schema.generator(&fixed, values).map_err(|error| format!("{error:?}"))?;
    let reversed = item.get("onTimeReversed").as_str();
    let backwards = if reversed == Some("throw_error") { Backwards::Throw } else { Backwards::Hold };
    let policy = Policy { backwards, full: Full::Throw, max_ahead: i64::MAX };
    let mut run = Run {
        generator: &mut generator,
        policy,
        mask: schema.layout.max(schema.sequence),
        seen: HashSet::new(),
        // The deviation that may explain a repeated ID of the reference.
        excuse: if v1 { Some("si-v1") } else { (reversed == Some("use_reversed_time")).then_some("si-reversed-time") },
        highest: i64::MIN,
        stands: None,
    };
    for (index, step) in item.list("steps").iter().enumerate() {
        run.step(item.number("start"), list(step)).map_err(|why| format!("step {index}: {why}"))?;
    }
    Ok(run.stands.map_or(Met, Stands))
}

struct Run<'a> {
    generator: &'a mut Generator,
    policy: Policy,
    mask: u64,
    seen: HashSet<u64>,
    excuse: Option<&'static str>,
    highest: i64,
    stands: Option<&'static str>,
}

impl Run<'_> {
    fn step(&mut self, start: i64, step: &[Value]) -> Result<(), String> {
        let readings = drive::readings(&step[1], start, 1);
        let now = drive::last(&readings);
        let found = match data::text(&step[0]) {
            "repeat" => return self.repeat(&readings, step),
            "error" => (self.call(&readings)?, Err(error(data::text(&step[2]))?)),
            _ => (self.call(&readings)?, Ok(u64::try_from(number(&step[2])).map_err(|error| error.to_string())?)),
        };
        if let (Err(Error::EndOfLife), Ok(reference)) = found {
            holds("refused a time that fits", now > self.generator.scale.timestamp(self.generator.scale.last()))?;
            holds("refused a safe integer", reference > (1 << 53) - 1)?;
            self.stands = Some("si-unchecked");
            return Ok(());
        }
        if found.0 != found.1 && self.excuse.is_some() {
            // Only from the first reading that went back, or the first full tick.
            holds("differs without a reason", now < self.highest || self.stands.is_some() || found.0.is_err())?;
            holds("an error without a reason", matches!(found.0, Ok(_) | Err(Error::SequenceFull)))?;
            self.stands = self.excuse;
            self.highest = self.highest.max(now);
            return Ok(());
        }
        self.highest = self.highest.max(now);
        equal("ID", found.0, found.1)
    }

    fn call(&mut self, readings: &[f64]) -> Result<Result<u64, Error>, String> {
        let done = drive::next(self.generator, readings, &[], &self.policy)?.map(|()| self.generator.id());
        if let Ok(id) = done {
            holds("an ID was repeated", self.seen.insert(id))?;
        }
        Ok(done)
    }

    fn repeat(&mut self, readings: &[f64], step: &[Value]) -> Result<(), String> {
        let [count, first, last] = [2, 3, 4].map(|index| u64::try_from(number(&step[index])).unwrap_or(0));
        for number in 0..count {
            // Increases by one; a kept sequence continues from its largest value with 0.
            let wanted = first & !self.mask | (first.wrapping_add(number) & self.mask);
            equal("ID", self.call(readings)?, Ok(wanted))?;
            if number + 1 == count {
                equal("last ID", wanted, last)?;
            }
        }
        Ok(())
    }
}

fn error(kind: &str) -> Result<Error, String> {
    match kind {
        "backwards" => Ok(Error::ClockBackwards),
        "full" => Ok(Error::SequenceFull),
        "before_epoch" => Ok(Error::BeforeEpoch),
        _ => Err(format!("unknown error {kind}")),
    }
}
