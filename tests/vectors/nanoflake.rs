//! Nanoflake, in both layouts.

use graupel::engine::{Backwards, Full, Generator, NotIssued, Policy, Schema, alphabet};
use graupel::formats::{Format, nanoflake};
use graupel::{Error, Located};

use super::data::{self, File, Item, list, number};
use super::drive;
use super::tally::{Check, Met, Stands, Tally, equal, holds};
use crate::made::{self, InMs};

/// What the reference does: throw when the clock goes back, wait when the sequence is full.
const POLICY: Policy = Policy { backwards: Backwards::Throw, full: Full::Wait, max_ahead: 0 };

/// Every section.
pub fn all() -> Tally {
    let mut tally = Tally::new(File::read("nanoflake"));
    tally.section("codec", codec);
    tally.section("invalid", invalid);
    tally.section("traces", trace);
    tally
}

fn format(item: Item<'_>) -> Result<&'static Format, String> {
    match item.text("variant") {
        "spec-22" => Ok(&nanoflake::FORMAT),
        "reference-24" => Ok(&nanoflake::REFERENCE_24),
        variant => Err(format!("unknown variant {variant}")),
    }
}

fn schema(item: Item<'_>) -> Result<Schema, String> {
    format(item)?.schema(Some(item.number("epoch"))).map_err(|error| format!("{error:?}"))
}

fn parse(text: &str, radix: u32) -> Result<u64, Located> {
    alphabet::parse_digits(text.as_bytes(), radix, u64::MAX >> 1)
}

fn codec(item: Item<'_>) -> Check {
    let schema = schema(item)?;
    let integer = data::integer(item.get("integer"));
    if integer < 0 {
        let refused = parse(item.text("text"), 36);
        equal("parsed", refused, Err(Located { error: Error::Character, position: 0 }))?;
        let bits = data::big_endian(&data::hex(item.text("hex")));
        equal("as unsigned", schema.check(bits), Err(Error::Overflow))?;
        return Ok(Stands("nanoflake-range"));
    }
    let id = u64::try_from(integer).map_err(|error| error.to_string())?;
    let bytes = data::big_endian(&data::hex(item.text("hex")));
    equal("bytes", u128::from(id), bytes)?;
    let hex = item.text("hex").trim_start_matches('0');
    let texts = [(36, item.text("text")), (8, item.text("octal")), (32, item.text("base32"))];
    let derived = [(10, integer.to_string()), (2, format!("{id:b}")), (16, if id == 0 { "0" } else { hex }.to_owned())];
    for (radix, text) in texts.iter().map(|&(radix, text)| (radix, text.to_owned())).chain(derived) {
        equal("parsed", parse(&text, radix), Ok(id))?;
        equal("parsed upper case", parse(&text.to_uppercase(), radix), Ok(id))?;
    }
    let mut fields = [0; 4];
    equal("inspect", schema.inspect(bytes, &mut fields), Ok(()))?;
    let count = schema.sequence + 1;
    equal("ticks", fields[0], item.unsigned("ticks"))?;
    equal("generatorId", fields[count - 2], item.unsigned("generatorId"))?;
    equal("sequence", fields[count - 1], item.unsigned("sequence"))?;
    equal("composed", schema.compose(&fields[..count]), Ok(bytes))?;
    equal("timestamp", schema.scale.timestamp(item.number("ticks")), item.number("timestamp"))?;
    Ok(Met)
}

fn invalid(item: Item<'_>) -> Check {
    match item.text("op") {
        "from_string" => parsed(item, 10),
        "from_string_radix" => parsed(item, item.number("radix")),
        // JavaScript writes digits.
        "to_string_radix" => Ok(Stands("outside-core")),
        "new_generator" => new_generator(item),
        op => Err(format!("unknown {op}")),
    }
}

fn parsed(item: Item<'_>, radix: i64) -> Check {
    let Some(radix) = u32::try_from(radix).ok().filter(|radix| alphabet::RADIX.contains(radix)) else {
        return equal("result", item.text("result"), "error").map(|()| Met);
    };
    if item.text("input").is_empty() {
        // The package checks lengths.
        return equal("integer", item.get("integer"), &serde_json::Value::Null).map(|()| Stands("outside-core"));
    }
    let found = parse(item.text("input"), radix);
    match (found, item.get("integer")) {
        (Err(_), serde_json::Value::Null) => Ok(Met),
        (Ok(id), integer) if !integer.is_null() => {
            equal("integer", i128::from(id), data::integer(integer))?;
            if let Some(text) = item.get("text").as_str() {
                equal("canonical", made::digits(id, radix).as_str(), text)?;
            }
            Ok(Met)
        }
        (Err(_), integer) if data::integer(integer) < 0 => Ok(Stands("nanoflake-range")),
        (Err(Located { error: Error::Character | Error::NotCanonical, .. }), _) => Ok(Stands("nanoflake-lenient-text")),
        (found, _) => Err(format!("{found:?}")),
    }
}

fn new_generator(item: Item<'_>) -> Check {
    let [epoch, id, clock] = [0, 1, 2].map(|index| data::integer(&item.list("generator")[index]));
    let made = || -> Result<(), Located> {
        let epoch = i64::try_from(epoch).map_err(|_| Error::Conflict)?;
        let id = u64::try_from(id).map_err(|_| Error::Range)?;
        let schema = nanoflake::FORMAT.schema(Some(epoch))?;
        let mut generator = schema.generator(&[0, id, 0], schema.counter())?;
        #[expect(clippy::cast_precision_loss)]
        match generator.next_ms(clock as f64, None, &POLICY) {
            Ok(()) => Ok(()),
            Err(NotIssued::Refused(error)) => Err(error.into()),
            _ => Err(Error::Conflict.into()),
        }
    };
    let found = if made().is_ok() { "ok" } else { "error" };
    equal("result", found, item.text("result"))?;
    Ok(Met)
}

fn trace(item: Item<'_>) -> Check {
    let schema = schema(item)?;
    let mut fixed = [0; 4];
    fixed[schema.sequence - 1] = item.unsigned("generatorId");
    let mut generator = schema.generator(&fixed, schema.counter()).map_err(|error| format!("{error:?}"))?;
    let mut stands = None;
    for (index, step) in item.list("steps").iter().enumerate() {
        let done = trace_step(&mut generator, item.number("start"), list(step));
        stands = done.map_err(|why| format!("step {index}: {why}"))?.or(stands);
    }
    Ok(stands.map_or(Met, Stands))
}

fn trace_step(
    generator: &mut Generator,
    start: i64,
    step: &[serde_json::Value],
) -> Result<Option<&'static str>, String> {
    let readings = drive::readings(&step[1], start, 1);
    let now = drive::last(&readings);
    let mut call = || drive::next(generator, &readings, &[], &POLICY).map(|done| done.map(|()| generator.id()));
    match data::text(&step[0]) {
        "error" => match call()? {
            // A reading outside the format is refused before it is compared with earlier ones.
            Err(Error::BeforeEpoch | Error::EndOfLife) => return outside(generator, now).map(Some),
            found => equal("error", found, Err(Error::ClockBackwards))?,
        },
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
            // The reference drops the bits that do not fit the field, or makes the number negative.
            Err(Error::BeforeEpoch | Error::EndOfLife) => return outside(generator, now).map(Some),
            Err(error) => return Err(format!("{error:?}")),
        },
    }
    Ok(None)
}

/// The name for a time that the layout has no ticks for.
fn outside(generator: &Generator, now: i64) -> Result<&'static str, String> {
    let fits = (0..=generator.scale.last()).contains(&(now - generator.scale.epoch()));
    holds("refused a time that fits", !fits)?;
    Ok("nanoflake-range")
}
