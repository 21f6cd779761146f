//! An ID and its parts, in both directions.

use graupel::engine::Schema;
use graupel::{Error, Located};

use super::data::{Item, big_endian, hex};
use super::tally::{Check, Core, deviates, equal};

/// An ID against the item's bytes and time, and these fields, high to low.
pub fn codec(item: Item<'_>, schema: &Schema, id: u128, wanted: &[u64]) -> Check {
    equal("bytes", big_endian(&hex(item.text("hex"))), id)?;
    let mut fields = vec![0; wanted.len()];
    equal("inspect", schema.inspect(id, &mut fields), Ok(()))?;
    equal("fields", &fields[..], wanted)?;
    equal("composed", schema.compose(&fields), Ok(id))?;
    equal("ticks", fields[0], item.unsigned("ticks"))?;
    equal("timestamp", schema.scale.timestamp(item.number("ticks")), item.number("timestamp"))?;
    deviates(item, false).map(|_| Core)
}

/// A negative integer of the reference is no ID: neither its digits, nor its bytes.
pub fn negative(item: Item<'_>, schema: &Schema, parsed: Result<u64, Located>) -> Check {
    equal("parsed", parsed, Err(Located { error: Error::Character, position: 0 }))?;
    equal("as unsigned", schema.check(big_endian(&hex(item.text("hex")))), Err(Error::Overflow))?;
    deviates(item, true)
}
