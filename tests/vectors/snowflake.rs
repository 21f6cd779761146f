//! The dialects of Snowflake.

use graupel::engine::alphabet::parse_digits;
use graupel::engine::{Backwards, Full, Generator, Policy, Schema, low_bits};
use graupel::formats::{ALL, Format, snowflake};
use graupel::{Error, Located};
use serde_json::Value;

use super::data::{self, File, Item, list, number};
use super::drive;
use super::tally::{Check, Met, Stands, Tally, equal, holds};
use crate::made::InMs;

/// What Twitter's program does: throw when the clock goes back, wait when the sequence is full.
const POLICY: Policy = Policy { backwards: Backwards::Throw, full: Full::Wait, max_ahead: 0 };

/// Every section.
pub fn all() -> Tally {
    let mut tally = Tally::new(File::read("snowflake"));
    for (name, epoch) in tally.file().head("epochs").as_object().unwrap() {
        assert_eq!(dialect(name).epoch, epoch.as_i64(), "{name}");
    }
    tally.section("codec", codec);
    tally.section("traces", trace);
    tally.section("held", held);
    tally.section("id_at", id_at);
    tally.section("config", config);
    tally
}

fn dialect(name: &str) -> &'static Format {
    ALL.into_iter().find(|format| format.name == name).unwrap_or_else(|| panic!("unknown dialect {name}"))
}

fn parse(schema: &Schema, text: &[u8]) -> Result<u64, Located> {
    parse_digits(text, 10, low_bits(schema.max()))
}

fn codec(item: Item<'_>) -> Check {
    let format = dialect(item.text("variant"));
    let schema = format.schema(None).map_err(|error| format!("{error:?}"))?;
    let bits = data::big_endian(&data::hex(item.text("hex")));
    let text = item.text("integer");
    if text.starts_with('-') {
        equal("parsed", parse(&schema, text.as_bytes()), Err(Located { error: Error::Character, position: 0 }))?;
        equal("as unsigned", schema.check(bits), Err(Error::Overflow))?;
        return Ok(Stands("mastodon-negative"));
    }
    let id = parse(&schema, text.as_bytes()).map_err(|error| format!("{error:?}"))?;
    equal("parsed", u128::from(id), bits)?;
    equal("text", id.to_string().as_str(), text)?;
    let fixed = item.list("fields").iter().map(|field| u64::try_from(number(field)).unwrap_or(0));
    let wanted: Vec<_> = std::iter::once(item.unsigned("ticks")).chain(fixed).collect();
    let mut fields = vec![0; wanted.len()];
    equal("inspect", schema.inspect(bits, &mut fields), Ok(()))?;
    equal("fields", &fields, &wanted)?;
    equal("composed", schema.compose(&fields), Ok(bits))?;
    equal("timestamp", schema.scale.timestamp(item.number("ticks")), item.number("timestamp"))?;
    if let Some(generated) = item.get("generated").as_array() {
        return generated_at(item, format, generated, &wanted);
    }
    Ok(Met)
}

/// The core's tick of a time in microseconds is that of the database function's ID.
fn generated_at(item: Item<'_>, format: &Format, generated: &[Value], fields: &[u64]) -> Check {
    let mut generator = format.generator(&fields[1..fields.len() - 1]).map_err(|error| format!("{error:?}"))?;
    #[expect(clippy::cast_precision_loss)]
    let ms = number(&generated[0]) as f64 / 1000.0;
    equal("at", generator.at_ms(ms, None), Ok(()))?;
    let clear = |id: u64| id >> generator_bits(format);
    let reference = data::integer(item.get("integer"));
    equal("all but the sequence", clear(generator.id()), clear(u64::try_from(reference).unwrap_or(0)))?;
    if item.text("variant") == "instagram" {
        equal("sequence", number(&generated[1]) % 1024, number(&list(item.get("fields"))[1]))?;
    }
    Ok(Met)
}

/// Width of the sequence, which is the last field of these dialects.
fn generator_bits(format: &Format) -> u8 {
    format.fields[format.sequence].bits
}

fn trace(item: Item<'_>) -> Check {
    let fixed = [item.unsigned("datacenterId"), item.unsigned("workerId")];
    let mut generator = snowflake::TWITTER.generator(&fixed).map_err(|error| format!("{error:?}"))?;
    // The reference's constructor takes a first sequence, and its first ID drops it.
    let mut stands = item.tagged("initial-sequence-dropped").then_some("twitter-service");
    for (index, step) in item.list("steps").iter().enumerate() {
        let done = trace_step(&mut generator, item.number("start"), list(step));
        stands = done.map_err(|why| format!("step {index}: {why}"))?.or(stands);
    }
    Ok(stands.map_or(Met, Stands))
}

fn trace_step(generator: &mut Generator, start: i64, step: &[Value]) -> Result<Option<&'static str>, String> {
    let readings = drive::readings(&step[1], start, 1);
    let mut call = || drive::next(generator, &readings, &[], &POLICY).map(|done| done.map(|()| generator.id()));
    match data::text(&step[0]) {
        "error" => equal("error", call()?, Err(Error::ClockBackwards))?,
        "repeat" => {
            let (count, first) = (number(&step[2]), data::integer(&step[3]));
            for number in 0..count {
                let id = call()?.map_err(|error| format!("{error:?}"))?;
                equal("ID", i128::from(id), first + i128::from(number))?;
            }
            equal("last ID", first + i128::from(count) - 1, data::integer(&step[4]))?;
        }
        _ => match call()? {
            Ok(id) => equal("ID", i128::from(id), data::integer(&step[2]))?,
            Err(Error::BeforeEpoch | Error::EndOfLife) => {
                holds("refused a time that fits", data::integer(&step[2]) < 0)?;
                return Ok(Some("twitter-range"));
            }
            Err(error) => return Err(format!("{error:?}")),
        },
    }
    Ok(None)
}

/// Programs that continue at the highest reading when the clock goes back, and wait when the sequence is full.
fn held(item: Item<'_>) -> Check {
    const POLICY: Policy = Policy { backwards: Backwards::Hold, full: Full::Wait, max_ahead: 1_000 };
    let format = dialect(item.text("variant"));
    let fixed: Vec<_> = item.list("fixed").iter().map(|field| u64::try_from(number(field)).unwrap()).collect();
    let mut generator = format.generator(&fixed).map_err(|e| format!("{e:?}"))?;
    let below: u8 = format.fields[format.sequence + 1..].iter().map(|field| field.bits).sum();
    for (index, step) in item.list("steps").iter().enumerate() {
        let step = list(step);
        let readings = drive::readings(&step[1], item.number("start"), format.tick_ms.into());
        let mut call =
            || drive::next(&mut generator, &readings, &[], &POLICY).map(|done| done.map(|()| generator.id()));
        let done = match data::text(&step[0]) {
            "error" => equal("error", call()?, Err(Error::EndOfLife)),
            // This many IDs at one reading.
            "fill" => (0..number(&step[2])).try_for_each(|count| {
                let id = call()?.map_err(|error| format!("{error:?}"))?;
                equal("ID", i128::from(id), data::integer(&step[3]) + (i128::from(count) << below))?;
                let is_last = count + 1 == number(&step[2]);
                if is_last { equal("last ID", i128::from(id), data::integer(&step[4])) } else { Ok(()) }
            }),
            _ => call()?
                .map_err(|error| format!("{error:?}"))
                .and_then(|id| equal("ID", i128::from(id), data::integer(&step[2]))),
        };
        done.map_err(|why| format!("step {index}: {why}"))?;
    }
    Ok(Met)
}

fn id_at(item: Item<'_>) -> Check {
    let schema = snowflake::MASTODON.schema(None).map_err(|error| format!("{error:?}"))?;
    #[expect(clippy::cast_precision_loss)]
    let second = |add: i64| ((item.number("seconds") + add) * 1000) as f64;
    let [min, max] = ["min", "max"].map(|bound| data::integer(item.get(bound)));
    match schema.range(second(0), second(1)) {
        Ok((low, high)) => {
            equal("min", i128::try_from(low), Ok(min))?;
            // The format may end within the second; then the range ends there.
            let largest = i128::from(i64::MAX);
            equal("max", i128::try_from(high), Ok(max.min(largest)))?;
            Ok(if max > largest { Stands("mastodon-range") } else { Met })
        }
        Err(Error::BeforeEpoch) => holds("refused a time that fits", min < 0).map(|()| Stands("mastodon-negative")),
        Err(error) => Err(format!("{error:?}")),
    }
}

fn config(item: Item<'_>) -> Check {
    match item.text("op") {
        "new_worker" => {
            let fixed: Result<Vec<_>, _> = item.list("input").iter().map(|id| u64::try_from(number(id))).collect();
            let made = fixed.is_ok_and(|fixed| snowflake::TWITTER.generator(&fixed).is_ok());
            equal("result", if made { "ok" } else { "error" }, item.text("result"))?;
            Ok(Met)
        }
        "valid_useragent" => Ok(Stands("twitter-service")),
        "witness_parse" => {
            let schema = snowflake::DISCORD.schema(None).map_err(|error| format!("{error:?}"))?;
            let found = parse(&schema, item.text("input").as_bytes()).ok();
            let agrees = found.map(|id| id.to_string()).as_deref() == item.get("integer").as_str();
            // Where the two differ, only the witness accepts the text, which is not canonical or not an ID.
            holds("accepted what the witness refuses", agrees || found.is_none())?;
            Ok(if agrees { Met } else { Stands("witness") })
        }
        "witness_generate" => witness_generate(item),
        op => Err(format!("unknown {op}")),
    }
}

fn witness_generate(item: Item<'_>) -> Check {
    let schema = snowflake::DISCORD.schema(None).map_err(|error| format!("{error:?}"))?;
    let inputs: Vec<_> = item.list("input").iter().map(data::integer).collect();
    #[expect(clippy::cast_precision_loss)]
    let made = schema.scale.tick(inputs[0] as f64).map_err(Located::from).and_then(|tick| {
        let fixed = inputs[1..].iter().map(|&field| u64::try_from(field).unwrap_or(u64::MAX));
        let tick = u64::try_from(tick).unwrap_or(u64::MAX);
        schema.compose(&std::iter::once(tick).chain(fixed).collect::<Vec<_>>())
    });
    match made {
        Ok(id) => equal("ID", i128::try_from(id), Ok(data::integer(item.get("integer")))).map(|()| Met),
        Err(Located { error: Error::Range | Error::BeforeEpoch, .. }) => Ok(Stands("witness")),
        Err(error) => Err(format!("{error:?}")),
    }
}
