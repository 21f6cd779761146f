//! The dialects of Snowflake.

use graupel::engine::{Backwards, Full, Policy};
use graupel::formats::{ALL, Format};
use serde_json::Value;

use super::data::{Item, check_id, each, list, natural, number, text, unsigned};
use super::trace::{Player, decimal};
use crate::made::{self, InMs};

fn dialect(item: &Item) -> &'static Format {
    let name = text(&item["variant"]);
    ALL.into_iter().find(|format| format.name == name).unwrap_or_else(|| panic!("unknown dialect {name}"))
}

fn fields(value: &Value) -> Vec<u64> {
    list(value).iter().map(unsigned).collect()
}

#[test]
fn codec() {
    each("snowflake", "codec", |item| {
        let format = dialect(item);
        let schema = format.schema(None).unwrap();
        let Some(id) = natural(item, &schema) else { return };
        let fields = fields(&item["fields"]);
        if let Some(generated) = item["generated"].as_array() {
            // The database function made this ID at a time in microseconds. The core's ID of that time is the same but for the
            // sequence, which is the last field.
            let mut generator = made::of(format, &fields[..fields.len() - 1]);
            #[expect(clippy::cast_precision_loss)]
            let ms = number(&generated[0]) as f64 / 1000.0;
            assert_eq!(generator.at_ms(ms, None), Ok(()));
            let clear = |id: u64| id >> format.fields[format.sequence].bits;
            assert_eq!(clear(generator.id()), clear(id), "all but the sequence");
        }
        check_id(item, &schema, id.into(), &fields);
    });
}

fn play(item: &Item, format: &Format, fixed: &[u64], policy: Policy) {
    let generator = made::of(format, fixed);
    Player::new(generator, policy, number(&item["start"]), decimal).play(item);
}

/// What Twitter's program does: throw when the clock goes back, wait when the sequence is full.
#[test]
fn traces() {
    let policy = Policy { backwards: Backwards::Throw, full: Full::Wait, max_ahead: 0 };
    each("snowflake", "traces", |item| {
        let fixed = ["datacenterId", "workerId"].map(|name| unsigned(&item[name]));
        play(item, &graupel::formats::snowflake::TWITTER, &fixed, policy);
    });
}

/// Programs that continue at the highest reading when the clock goes back, and wait when the sequence is full.
#[test]
fn held() {
    let policy = Policy { backwards: Backwards::Hold, full: Full::Wait, max_ahead: 1_000 };
    each("snowflake", "held", |item| play(item, dialect(item), &fields(&item["fixed"]), policy));
}
