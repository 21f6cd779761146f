//! Snowflake-SI, in every combination of widths.

use graupel::engine::{Backwards, Full, Policy, Schema};
use graupel::{Error, Located};
use serde_json::Value;

use super::codec::codec as parts;
use super::data::{Item, number};
use super::tally::{self, Check, Package, agrees, equal};
use super::trace::{Player, decimal, none, play};
use crate::made;

#[test]
fn vectors() {
    tally::run("snowflake-si", &[("codec", codec), ("invalid", invalid), ("traces", trace)]);
}

fn width(value: i64) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

fn schema(item: Item<'_>) -> Schema {
    let widths = ["clockBits", "machineBits", "sequenceBits"].map(|name| width(item.number(name)));
    made::snowflake_si(item.number("epoch"), widths)
}

/// The fields, high to low. There is no machine field if it has no bits.
fn fields(schema: &Schema, ticks: u64, machine: u64, sequence: u64) -> Vec<u64> {
    if schema.sequence == 1 { vec![ticks, sequence] } else { vec![ticks, machine, sequence] }
}

fn codec(item: Item<'_>) -> Check {
    let schema = schema(item);
    equal("capacity", schema.counter().capacity(), 1 << item.number("sequenceBits"))?;
    let fields = fields(&schema, item.unsigned("ticks"), item.unsigned("machineId"), item.unsigned("sequence"));
    parts(item, &schema, item.unsigned("integer").into(), &fields)
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

fn invalid(item: Item<'_>) -> Check {
    let options = item.get("options");
    let odd = |value: &Value| !value.is_i64() && !value.is_u64();
    // The package completes and checks the widths, the epoch and the machine, and whether an option is an integer.
    if item.text("op") != "generate_by" || options.as_object().into_iter().flatten().any(|(_, value)| odd(value)) {
        return Ok(Package);
    }
    let schema = made::snowflake_si(number(&options["epoch"]), completed(options).map(width));
    let [timestamp, sequence, reference] = [0, 1, 2].map(|index| item.list("generated").get(index));
    let time = timestamp.and_then(Value::as_f64).unwrap_or(f64::NAN);
    let found = schema.scale.tick(time).map_err(Located::from).and_then(|tick| {
        // The core takes no sequence that is not a natural number.
        let sequence = sequence.and_then(Value::as_u64).ok_or(Error::Range)?;
        let machine = options["machineId"].as_u64().unwrap_or(0);
        schema.compose(&fields(&schema, u64::try_from(tick).unwrap_or(0), machine, sequence))
    });
    let found = found.map(|id| id.to_string()).map_err(|refused| refused.error);
    agrees(item, found, reference.and_then(Value::as_str))
}

fn trace(item: Item<'_>) -> Check {
    let schema = schema(item);
    // v1.0.0 never restarts the sequence.
    let keep = item.text("variant") == "v1.0.0" || item.text("onTimeChanged") == "keep_current";
    let threshold = item.get("sequenceResetThreshold").as_u64().unwrap_or(0);
    let values = made::counter(&schema, if keep { made::KEPT } else { threshold });
    let fixed = fields(&schema, 0, item.unsigned("machineId"), 0);
    let generator = schema.generator(&fixed, values).map_err(|error| format!("{error:?}"))?;
    let throws = item.get("onTimeReversed").as_str() == Some("throw_error");
    let backwards = if throws { Backwards::Throw } else { Backwards::Hold };
    let policy = Policy { backwards, full: Full::Throw, max_ahead: i64::MAX };
    play(item, Player::new(generator, policy, item.number("start"), decimal), none)
}
