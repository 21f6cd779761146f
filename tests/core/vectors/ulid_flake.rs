//! Ulid-Flake, stand-alone and scalable.

use graupel::engine::{Backwards, Full, Generator, Policy};
use graupel::formats::ulid_flake::{FORMAT, SCALABLE, TEXT};

use super::data::{check_id, each, natural, number, text, unsigned};
use super::trace::Player;
use crate::made;

fn written(id: u64) -> String {
    made::text(&TEXT, id.into())
}

#[test]
fn codec() {
    each("ulid-flake", "codec", |item| {
        let text = text(&item["text"]);
        for (format, names) in [(&FORMAT, &["randomness"][..]), (&SCALABLE, &["scalableRandomness", "scalability"])] {
            let schema = format.schema(None).unwrap();
            let id = natural(item, &schema).unwrap();
            assert_eq!(written(id), text);
            for text in [text, &text.to_lowercase()] {
                assert_eq!(TEXT.parse(text.as_bytes(), u128::MAX), Ok(id.into()));
            }
            let fields: Vec<_> = names.iter().map(|&name| unsigned(&item[name])).collect();
            check_id(item, &schema, id.into(), &fields);
        }
    });
}

/// The policy of the specification: errors, no waiting.
#[test]
fn traces() {
    let policy = Policy { backwards: Backwards::Throw, full: Full::Throw, max_ahead: 0 };
    each("ulid-flake", "traces", |item| {
        let format = if text(&item["variant"]) == "scalable" { &SCALABLE } else { &FORMAT };
        let scalability = item["scalability"].as_u64().unwrap_or(0);
        let epoch = Some(number(&item["epoch"]));
        let generator = made::ulid_flake(format, epoch, scalability, unsigned(&item["entropySize"]));
        let write = |generator: &Generator, _| written(generator.id());
        Player::new(generator, policy, number(&item["start"]), write).play(item);
    });
}
