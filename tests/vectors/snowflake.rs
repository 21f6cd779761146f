//! The dialects of Snowflake.

use graupel::Located;
use graupel::engine::alphabet::parse_digits;
use graupel::engine::{Backwards, Full, Policy, Schema, low_bits};
use graupel::formats::{ALL, Format, snowflake};
use serde_json::Value;

use super::codec::{codec as parts, negative};
use super::data::{self, File, Item, number};
use super::tally::{self, Check, Core, Package, agrees, equal};
use super::trace::{Player, decimal, none, play};
use crate::made::InMs;

#[test]
fn vectors() {
    for (name, epoch) in File::read("snowflake").head("epochs").as_object().unwrap() {
        assert_eq!(dialect(name).epoch, epoch.as_i64(), "{name}");
    }
    tally::run(
        "snowflake",
        &[("codec", codec), ("traces", trace), ("held", held), ("id_at", id_at), ("config", config)],
    );
}

fn dialect(name: &str) -> &'static Format {
    ALL.into_iter().find(|format| format.name == name).unwrap_or_else(|| panic!("unknown dialect {name}"))
}

fn schema(format: &Format) -> Result<Schema, String> {
    format.schema(None).map_err(|error| format!("{error:?}"))
}

fn parse(schema: &Schema, text: &str) -> Result<u64, Located> {
    parse_digits(text.as_bytes(), 10, low_bits(schema.max()))
}

/// Fields of a list; a negative one is larger than any field.
fn fields(list: &[Value]) -> Vec<u64> {
    list.iter().map(|field| u64::try_from(data::integer(field)).unwrap_or(u64::MAX)).collect()
}

fn codec(item: Item<'_>) -> Check {
    let format = dialect(item.text("variant"));
    let schema = schema(format)?;
    let text = item.text("integer");
    let parsed = parse(&schema, text);
    if text.starts_with('-') {
        return negative(item, &schema, parsed);
    }
    let id = parsed.map_err(|error| format!("{error:?}"))?;
    equal("text", id.to_string().as_str(), text)?;
    let fixed = fields(item.list("fields"));
    if let Some(generated) = item.get("generated").as_array() {
        generated_at(item, format, generated, &fixed)?;
    }
    parts(item, &schema, id.into(), &[&[item.unsigned("ticks")], &fixed[..]].concat())
}

/// The core's tick of a time in microseconds is that of the database function's ID, whose sequence is the last field.
fn generated_at(item: Item<'_>, format: &Format, generated: &[Value], fields: &[u64]) -> Result<(), String> {
    let mut generator = format.generator(&fields[..fields.len() - 1]).map_err(|error| format!("{error:?}"))?;
    #[expect(clippy::cast_precision_loss)]
    let ms = number(&generated[0]) as f64 / 1000.0;
    equal("at", generator.at_ms(ms, None), Ok(()))?;
    let clear = |id: u64| id >> format.fields[format.sequence].bits;
    let reference = u64::try_from(item.integer("integer")).unwrap_or(0);
    equal("all but the sequence", clear(generator.id()), clear(reference))?;
    if item.text("variant") == "instagram" {
        equal("sequence", number(&generated[1]).unsigned_abs() % 1024, fields[1])?;
    }
    Ok(())
}

fn traced(item: Item<'_>, format: &Format, fixed: &[u64], policy: Policy) -> Check {
    let generator = format.generator(fixed).map_err(|error| format!("{error:?}"))?;
    play(item, Player::new(generator, policy, item.number("start"), decimal), none)
}

fn trace(item: Item<'_>) -> Check {
    // What Twitter's program does: throw when the clock goes back, wait when the sequence is full.
    let policy = Policy { backwards: Backwards::Throw, full: Full::Wait, max_ahead: 0 };
    traced(item, &snowflake::TWITTER, &[item.unsigned("datacenterId"), item.unsigned("workerId")], policy)
}

/// Programs that continue at the highest reading when the clock goes back, and wait when the sequence is full.
fn held(item: Item<'_>) -> Check {
    let policy = Policy { backwards: Backwards::Hold, full: Full::Wait, max_ahead: 1_000 };
    traced(item, dialect(item.text("variant")), &fields(item.list("fixed")), policy)
}

fn id_at(item: Item<'_>) -> Check {
    #[expect(clippy::cast_precision_loss)]
    let second = |add: i64| ((item.number("seconds") + add) * 1000) as f64;
    let found = schema(&snowflake::MASTODON)?.range(second(0), second(1));
    let bounds = |min: &str, max: &str| format!("{min} to {max}");
    let here = item.get("here");
    let ours = here.as_array().map(|here| bounds(data::text(&here[0]), data::text(&here[1])));
    let recorded = bounds(item.text("min"), item.text("max"));
    let found = found.map(|(min, max)| bounds(&min.to_string(), &max.to_string()));
    match ours {
        Some(ours) => equal("range", found, Ok(ours)).map(|()| Core),
        None => agrees(item, found, Some(&recorded)),
    }
}

fn config(item: Item<'_>) -> Check {
    let recorded = if item.text("result") == "ok" { item.get("integer").as_str().or(Some("ok")) } else { None };
    let found = match item.text("op") {
        "new_worker" => snowflake::TWITTER.generator(&fields(item.list("input"))).map(|_| "ok".to_owned()),
        "witness_parse" if item.get("here").as_str() != Some("LENGTH") => {
            parse(&schema(&snowflake::DISCORD)?, item.text("input")).map(|id| id.to_string())
        }
        "witness_generate" => {
            let inputs = item.list("input");
            let schema = schema(&snowflake::DISCORD)?;
            #[expect(clippy::cast_precision_loss)]
            let tick = schema.scale.tick(data::integer(&inputs[0]) as f64).map_err(Located::from);
            let tick = tick.map(|tick| u64::try_from(tick).unwrap_or(u64::MAX));
            tick.and_then(|tick| schema.compose(&[&[tick], &fields(&inputs[1..])[..]].concat()))
                .map(|id| id.to_string())
        }
        // The package checks options and lengths.
        "valid_useragent" | "witness_parse" => return Ok(Package),
        op => return Err(format!("unknown {op}")),
    };
    agrees(item, found.map_err(|refused| refused.error), recorded)
}
