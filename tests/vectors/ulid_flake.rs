//! Ulid-Flake, stand-alone and scalable.

use graupel::Error;
use graupel::engine::{Backwards, Full, Generator, NotIssued, Policy};
use graupel::formats::{Format, ulid_flake};

use super::codec::codec as parts;
use super::data::{File, Item, big_endian, hex};
use super::tally::{self, Check, Core, Package, agrees, equal};
use super::trace::{Player, none, play};
use crate::made::{self, InMs};

#[test]
fn vectors() {
    for format in [&ulid_flake::FORMAT, &ulid_flake::SCALABLE] {
        assert_eq!(format.epoch, File::read("ulid-flake").head("epoch").as_i64());
    }
    tally::run(
        "ulid-flake",
        &[
            ("codec", codec),
            ("parse", parse),
            ("from_int", from_int),
            ("from_unix_epoch_time", from_unix_epoch_time),
            // The package checks the options.
            ("config", |_| Ok(Package)),
            ("traces", trace),
        ],
    );
}

fn text(id: u64) -> String {
    let mut text = [0; ulid_flake::TEXT_LENGTH];
    ulid_flake::format(id, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// What a text of the right length is parsed as.
fn parsed(text: &str) -> Option<Result<u64, Error>> {
    let text = text.as_bytes().try_into().ok()?;
    Some(ulid_flake::parse(text).map_err(|refused| refused.error))
}

fn format(item: Item<'_>) -> &'static Format {
    if item.text("variant") == "scalable" { &ulid_flake::SCALABLE } else { &ulid_flake::FORMAT }
}

fn codec(item: Item<'_>) -> Check {
    let id = u64::try_from(item.integer("integer")).map_err(|error| error.to_string())?;
    equal("text", text(id).as_str(), item.text("text"))?;
    equal("parsed", parsed(item.text("text")), Some(Ok(id)))?;
    equal("parsed lower case", parsed(&item.text("text").to_lowercase()), Some(Ok(id)))?;
    let readings: [(&Format, &[&str]); 2] = [
        (&ulid_flake::FORMAT, &["ticks", "randomness"]),
        (&ulid_flake::SCALABLE, &["ticks", "scalableRandomness", "scalability"]),
    ];
    for (format, names) in readings {
        let schema = format.schema(None).map_err(|error| format!("{error:?}"))?;
        let fields: Vec<_> = names.iter().map(|name| item.unsigned(name)).collect();
        parts(item, &schema, id.into(), &fields)?;
    }
    Ok(Core)
}

fn parse(item: Item<'_>) -> Check {
    // The package checks lengths, in characters; the core has bytes.
    let Some(found) = parsed(item.text("input")) else { return Ok(Package) };
    agrees(item, found.map(|id| id.to_string()), item.get("integer").as_str())
}

fn from_int(item: Item<'_>) -> Check {
    // Negative numbers have no form in the core.
    let Ok(id) = u128::try_from(item.integer("input")) else { return Ok(Package) };
    let schema = ulid_flake::FORMAT.schema(None).map_err(|error| format!("{error:?}"))?;
    agrees(item, schema.check(id).map(|id| id.to_string()), item.get("integer").as_str())
}

fn from_unix_epoch_time(item: Item<'_>) -> Check {
    // JavaScript checks whether a time is a number, before it calls the core.
    let Some(seconds) = item.get("seconds").as_f64() else { return Ok(Package) };
    let mut generator = made::ulid_flake(format(item), None, 0, 1);
    // The seconds have decimals. They mean exact milliseconds, which a floating-point product would miss.
    let ms = (seconds * 1e6).round() / 1e3;
    let draw = hex(item.text("random"));
    let mut answer = generator.at_ms(ms, None);
    if let Err(NotIssued::Draw { bytes }) = answer {
        equal("bytes drawn", bytes, draw.len() as u64)?;
        answer = generator.at_ms(ms, u64::try_from(big_endian(&draw)).ok());
    }
    let found = match answer {
        Ok(()) => Ok(text(generator.id())),
        Err(NotIssued::Refused(error)) => Err(error),
        answer => return Err(format!("{answer:?}")),
    };
    agrees(item, found, item.get("text").as_str())
}

fn trace(item: Item<'_>) -> Check {
    let scalability = item.get("scalability").as_u64().unwrap_or(0);
    let epoch = Some(item.number("epoch"));
    let generator = made::ulid_flake(format(item), epoch, scalability, item.unsigned("entropySize"));
    // The policy of the specification: errors, no waiting.
    let policy = Policy { backwards: Backwards::Throw, full: Full::Throw, max_ahead: 0 };
    let write = |generator: &Generator, _| text(generator.id());
    play(item, Player::new(generator, policy, item.number("start"), write), none)
}
