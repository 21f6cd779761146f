//! Nanoflake, in both layouts.

use graupel::engine::{Backwards, Full, NotIssued, Policy, Schema, alphabet};
use graupel::formats::nanoflake;
use graupel::{Error, Located};

use super::codec::{codec as parts, negative};
use super::data::{self, Item};
use super::tally::{self, Check, Package, agrees, equal, holds};
use super::trace::{Player, decimal, none, play};
use crate::made::{self, InMs};

/// What the reference does: throw when the clock goes back, wait when the sequence is full.
const POLICY: Policy = Policy { backwards: Backwards::Throw, full: Full::Wait, max_ahead: 0 };

#[test]
fn vectors() {
    tally::run("nanoflake", &[("codec", codec), ("invalid", invalid), ("traces", trace)]);
}

fn schema(item: Item<'_>) -> Result<Schema, String> {
    let format = match item.text("variant") {
        "spec-22" => &nanoflake::FORMAT,
        "reference-24" => &nanoflake::REFERENCE_24,
        variant => return Err(format!("unknown variant {variant}")),
    };
    format.schema(Some(item.number("epoch"))).map_err(|error| format!("{error:?}"))
}

fn parse(text: &str, radix: u32) -> Result<u64, Located> {
    alphabet::parse_digits(text.as_bytes(), radix, u64::MAX >> 1)
}

fn codec(item: Item<'_>) -> Check {
    let schema = schema(item)?;
    let Ok(id) = u64::try_from(item.integer("integer")) else {
        return negative(item, &schema, parse(item.text("text"), 36));
    };
    let own = [(36, "text"), (8, "octal"), (32, "base32")].map(|(radix, name)| (radix, item.text(name).to_owned()));
    for (radix, text) in own.into_iter().chain([(10, id.to_string()), (2, format!("{id:b}")), (16, format!("{id:x}"))])
    {
        equal("parsed", parse(&text, radix), Ok(id))?;
        equal("parsed upper case", parse(&text.to_uppercase(), radix), Ok(id))?;
    }
    // In reference-24, two bits between the time and the generator are unused.
    let unused = (schema.sequence == 3).then_some(id >> 22 & 3);
    let [ticks, generator, sequence] = ["ticks", "generatorId", "sequence"].map(|name| item.unsigned(name));
    let fields: Vec<_> = [ticks].into_iter().chain(unused).chain([generator, sequence]).collect();
    parts(item, &schema, id.into(), &fields)
}

fn invalid(item: Item<'_>) -> Check {
    let radix = match item.text("op") {
        "new_generator" => return new_generator(item),
        // JavaScript writes digits.
        "to_string_radix" => return Ok(Package),
        "from_string" => 10,
        _ => u32::try_from(item.number("radix")).unwrap_or_default(),
    };
    let input = item.text("input");
    if !alphabet::RADIX.contains(&radix) || matches!(item.get("here").as_str(), Some("LENGTH")) {
        // The package checks radixes and lengths.
        return Ok(Package);
    }
    let found = parse(input, radix);
    if let (Ok(id), Some(text)) = (found, item.get("text").as_str()) {
        equal("canonical", made::digits(id, radix).as_str(), text)?;
    }
    agrees(item, found.map(|id| id.to_string()).map_err(|refused| refused.error), item.get("integer").as_str())
}

fn new_generator(item: Item<'_>) -> Check {
    let [epoch, id, clock] = [0, 1, 2].map(|index| data::integer(&item.list("generator")[index]));
    let made = || -> Result<String, Error> {
        let epoch = i64::try_from(epoch).map_err(|_| Error::Range)?;
        let id = u64::try_from(id).map_err(|_| Error::Range)?;
        let schema = nanoflake::FORMAT.schema(Some(epoch))?;
        let mut generator = schema.generator(&[0, id, 0], schema.counter()).map_err(|refused| refused.error)?;
        #[expect(clippy::cast_precision_loss)]
        match generator.next_ms(clock as f64, None, &POLICY) {
            Ok(()) => Ok("ok".to_owned()),
            Err(NotIssued::Refused(error)) => Err(error),
            answer => panic!("{answer:?}"),
        }
    };
    if item.get("here").as_str() == Some(Error::Range.name()) {
        // The package checks epochs and numbers.
        return holds("refused", made().is_err()).map(|()| Package);
    }
    agrees(item, made(), (item.text("result") == "ok").then_some("ok"))
}

fn trace(item: Item<'_>) -> Check {
    let schema = schema(item)?;
    let mut fixed = [0; 4];
    fixed[schema.sequence - 1] = item.unsigned("generatorId");
    let generator = schema.generator(&fixed, schema.counter()).map_err(|error| format!("{error:?}"))?;
    play(item, Player::new(generator, POLICY, item.number("start"), decimal), none)
}
