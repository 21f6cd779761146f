//! Ulid-Flake, stand-alone and scalable.

use graupel::Error;
use graupel::engine::{Backwards, Full, Generator, NotIssued, Policy};
use graupel::formats::{Format, ulid_flake};
use serde_json::Value;

use super::data::{self, File, Item, hex, list};
use super::drive;
use super::tally::{Check, Met, Stands, Tally, equal, holds};
use crate::made::{self, InMs};

/// The policy of the specification: errors, no waiting.
const POLICY: Policy = Policy { backwards: Backwards::Throw, full: Full::Throw, max_ahead: 0 };

/// Every section.
pub fn all() -> Tally {
    let mut tally = Tally::new(File::read("ulid-flake"));
    for format in [&ulid_flake::FORMAT, &ulid_flake::SCALABLE] {
        assert_eq!(format.epoch, tally.file().head("epoch").as_i64());
    }
    tally.section("codec", codec);
    tally.section("parse", parse);
    tally.section("from_int", from_int);
    tally.section("from_unix_epoch_time", from_unix_epoch_time);
    // The package checks the options.
    tally.section("config", |_| Ok(Stands("outside-core")));
    tally.section("traces", trace);
    tally
}

/// The characters of a text that has the right length.
fn bytes(text: &str) -> [u8; ulid_flake::TEXT_LENGTH] {
    text.as_bytes().try_into().unwrap_or_else(|_| panic!("{text} has another length"))
}

fn text(id: u64) -> String {
    let mut text = [0; ulid_flake::TEXT_LENGTH];
    ulid_flake::format(id, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn format(item: Item<'_>) -> &'static Format {
    if item.text("variant") == "scalable" { &ulid_flake::SCALABLE } else { &ulid_flake::FORMAT }
}

fn codec(item: Item<'_>) -> Check {
    let integer = data::integer(item.get("integer"));
    let id = u64::try_from(integer).map_err(|error| error.to_string())?;
    equal("bytes", data::big_endian(&hex(item.text("hex"))), u128::from(id))?;
    equal("text", text(id).as_str(), item.text("text"))?;
    equal("parsed", ulid_flake::parse(&bytes(item.text("text"))), Ok(id))?;
    equal("parsed lower case", ulid_flake::parse(&bytes(&item.text("text").to_lowercase())), Ok(id))?;
    let readings: [(&Format, &[&str]); 2] = [
        (&ulid_flake::FORMAT, &["ticks", "randomness"]),
        (&ulid_flake::SCALABLE, &["ticks", "scalableRandomness", "scalability"]),
    ];
    for (format, names) in readings {
        let schema = format.schema(None).map_err(|error| format!("{error:?}"))?;
        let wanted: Vec<_> = names.iter().map(|name| item.unsigned(name)).collect();
        let mut fields = vec![0; wanted.len()];
        equal("inspect", schema.inspect(u128::from(id), &mut fields), Ok(()))?;
        equal("fields", &fields, &wanted)?;
        equal("composed", schema.compose(&fields), Ok(u128::from(id)))?;
        equal("timestamp", schema.scale.timestamp(item.number("ticks")), item.number("timestamp"))?;
    }
    Ok(Met)
}

fn parse(item: Item<'_>) -> Check {
    let input = item.text("input");
    // The package checks lengths, in characters; the core has bytes.
    let Ok(text) = input.as_bytes().try_into() else { return Ok(Stands("outside-core")) };
    let found = ulid_flake::parse(text);
    let error = found.err().map(|refused| refused.error);
    let met = match item.text("tags") {
        "ok" => found.is_ok_and(|id| i128::from(id) == data::integer(item.get("integer"))),
        "invalid_length" | "invalid_character" | "invalid_length_or_character" => error == Some(Error::Character),
        "overflow" => error == Some(Error::Overflow),
        tags => return Err(format!("unknown outcome {tags}")),
    };
    holds(&format!("{found:?}"), met)?;
    Ok(Met)
}

fn from_int(item: Item<'_>) -> Check {
    let input = data::integer(item.get("input"));
    let schema = ulid_flake::FORMAT.schema(None).map_err(|error| format!("{error:?}"))?;
    match u128::try_from(input) {
        Ok(id) if item.get("integer").is_null() => equal("check", schema.check(id), Err(Error::Overflow))?,
        Ok(id) => equal("check", schema.check(id), Ok(id))?,
        // Negative numbers have no form in the core.
        Err(_) => {
            return holds("accepted", item.get("integer").is_null()).map(|()| Stands("outside-core"));
        }
    }
    Ok(Met)
}

fn from_unix_epoch_time(item: Item<'_>) -> Check {
    let Some(seconds) = item.get("seconds").as_f64() else {
        // JavaScript checks whether a time is a number, before it calls the core.
        return Ok(Stands("outside-core"));
    };
    let mut generator = made::ulid_flake(format(item), None, 0, 1);
    // The seconds have decimals. They mean exact milliseconds, which a floating-point product would miss.
    let ms = (seconds * 1e6).round() / 1e3;
    let draw = hex(item.text("random"));
    let first = generator.at_ms(ms, None);
    let answer = if let Err(NotIssued::Draw { bytes }) = first {
        equal("bytes drawn", bytes, draw.len() as u64)?;
        generator.at_ms(ms, u64::try_from(data::big_endian(&draw)).ok())
    } else {
        first
    };
    match (answer, item.get("error").as_str()) {
        (Ok(()), None) => equal("ID", text(generator.id()).as_str(), item.text("text"))?,
        (Err(NotIssued::Refused(Error::BeforeEpoch)), Some("before_epoch"))
        | (Err(NotIssued::Refused(Error::EndOfLife)), Some("after_end")) => {}
        (found, wanted) => return Err(format!("found {found:?}, wanted {wanted:?}")),
    }
    Ok(Met)
}

fn trace(item: Item<'_>) -> Check {
    let entropy = u64::try_from(item.number("entropySize")).map_err(|error| error.to_string())?;
    let scalability = item.get("scalability").as_u64().unwrap_or(0);
    let mut generator = made::ulid_flake(format(item), Some(item.number("epoch")), scalability, entropy);
    let start = item.number("start");
    if item.tagged("clock-backwards") {
        return clock_backwards(&mut generator, start, item.list("steps"));
    }
    for (index, step) in item.list("steps").iter().enumerate() {
        let step = list(step);
        let readings = drive::readings(&step[1], start, 1);
        let draws: Vec<_> = list(&step[3]).iter().map(|draw| hex(data::text(draw))).collect();
        let done = drive::next(&mut generator, &readings, &draws, &POLICY);
        let found = done.map_err(|why| format!("step {index}: {why}"))?.map(|()| text(generator.id()));
        let wanted = match (data::text(&step[0]), data::text(&step[2])) {
            ("next", id) => Ok(id.to_owned()),
            (_, "full") => Err(Error::SequenceFull),
            (_, "before_epoch") => Err(Error::BeforeEpoch),
            (_, "after_end") => Err(Error::EndOfLife),
            (_, kind) => return Err(format!("unknown error {kind}")),
        };
        equal(&format!("step {index}"), found, wanted)?;
    }
    Ok(Met)
}

/// The Python code continues with the lower time, and then issues the first ID again.
fn clock_backwards(generator: &mut Generator, start: i64, steps: &[Value]) -> Check {
    let [first, back, again] = steps else {
        return Err("not three steps".to_owned());
    };
    let readings = |step: &Value| drive::readings(&step[1], start, 1);
    let draw = hex(data::text(&first[3][0]));
    equal("first", drive::next(generator, &readings(first), &[draw], &POLICY)?, Ok(()))?;
    let issued = generator.id();
    equal("first ID", text(issued).as_str(), data::text(&first[2]))?;
    equal("back", drive::next(generator, &readings(back), &[], &POLICY)?, Err(Error::ClockBackwards))?;
    equal("again", drive::next(generator, &readings(again), &[vec![1]], &POLICY)?, Ok(()))?;
    let step = 1 << generator.packing.value_shift;
    equal("next ID", generator.id(), issued + step)?;
    Ok(Stands("ulid-python-clock"))
}
