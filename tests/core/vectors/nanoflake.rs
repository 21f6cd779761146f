//! Nanoflake, in both layouts.

use graupel::engine::{Backwards, Full, Policy, Schema, alphabet};
use graupel::formats::{Format, nanoflake};

use super::data::{Item, check_id, each, natural, number, text, unsigned};
use super::trace::{Player, decimal};
use crate::made;

fn format(item: &Item) -> &'static Format {
    match text(&item["variant"]) {
        "spec-22" => &nanoflake::FORMAT,
        "reference-24" => &nanoflake::REFERENCE_24,
        variant => panic!("unknown variant {variant}"),
    }
}

fn schema(item: &Item) -> Schema {
    format(item).schema(Some(number(&item["epoch"]))).unwrap()
}

#[test]
fn codec() {
    each("nanoflake", "codec", |item| {
        let schema = schema(item);
        let Some(id) = natural(item, &schema) else { return };
        for (radix, column) in [(36, "text"), (8, "octal"), (32, "base32"), (10, "integer"), (16, "hex")] {
            let digits = text(&item[column]).trim_start_matches('0');
            let digits = if digits.is_empty() { "0" } else { digits };
            for digits in [digits.to_owned(), digits.to_uppercase()] {
                assert_eq!(alphabet::parse_digits(digits.as_bytes(), radix, u64::MAX >> 1), Ok(id), "{digits}");
            }
        }
        // In reference-24, two bits between the time and the generator are unused.
        let unused = (format(item).sequence == 3).then_some(id >> 22 & 3);
        let fields = unused.into_iter().chain(["generatorId", "sequence"].map(|name| unsigned(&item[name])));
        check_id(item, &schema, id.into(), &fields.collect::<Vec<_>>());
    });
}

/// What the published programs do: throw when the clock goes back, wait when the sequence is full.
#[test]
fn traces() {
    let policy = Policy { backwards: Backwards::Throw, full: Full::Wait, max_ahead: 0 };
    each("nanoflake", "traces", |item| {
        let schema = schema(item);
        let mut fixed = [0; 4];
        let sequence = format(item).sequence;
        fixed[sequence - 1] = unsigned(&item["generatorId"]);
        let generator = made::generator(&schema, &fixed[..=sequence], made::counter(&schema, sequence, 0));
        Player::new(generator, policy, number(&item["start"]), decimal).play(item);
    });
}
