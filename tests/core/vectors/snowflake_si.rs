//! Snowflake-SI, in every combination of widths.

use graupel::engine::{Backwards, Full, Policy, Schema, SequenceRule};

use super::data::{Item, check_id, each, number, text, unsigned};
use super::trace::{Player, decimal};
use crate::made;

fn schema(item: &Item) -> Schema {
    let width = |name| u8::try_from(unsigned(&item[name])).unwrap();
    made::snowflake_si(number(&item["epoch"]), ["clockBits", "machineBits", "sequenceBits"].map(width))
}

/// The machine, then this sequence. There is no machine field if it has no bits.
fn fields(item: &Item, schema: &Schema, value: u64) -> Vec<u64> {
    if sequence(schema) == 1 { vec![value] } else { vec![unsigned(&item["machineId"]), value] }
}

/// The last field.
fn sequence(schema: &Schema) -> usize {
    schema.layout().places().count() - 1
}

#[test]
fn codec() {
    each("snowflake-si", "codec", |item| {
        let schema = schema(item);
        assert_eq!(made::capacity(&made::counter(&schema, sequence(&schema), 0)), 1 << unsigned(&item["sequenceBits"]));
        let fields = fields(item, &schema, unsigned(&item["sequence"]));
        check_id(item, &schema, unsigned(&item["integer"]).into(), &fields);
    });
}

#[test]
fn traces() {
    each("snowflake-si", "traces", |item| {
        let schema = schema(item);
        // v1.0.0 never restarts the sequence.
        let keep = text(&item["variant"]) == "v1.0.0" || text(&item["onTimeChanged"]) == "keep_current";
        let threshold = item["sequenceResetThreshold"].as_u64().unwrap_or(0);
        let values = made::counter(&schema, sequence(&schema), if keep { SequenceRule::NEVER } else { threshold });
        let fixed = [vec![0], fields(item, &schema, 0)].concat();
        let generator = made::generator(&schema, &fixed, values);
        let throws = item["onTimeReversed"].as_str() == Some("throw_error");
        let backwards = if throws { Backwards::Throw } else { Backwards::Hold };
        let policy = Policy { backwards, full: Full::Throw, max_ahead: i64::MAX };
        Player::new(generator, policy, number(&item["start"]), decimal).play(item);
    });
}
