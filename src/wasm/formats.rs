//! The verbs of a format: whatever its IDs are over there, here they are in the register.

use wasm_bindgen::prelude::wasm_bindgen;

use super::made::text_form;
use super::memory::{SCHEMA, fields, id, part, put, put_id, put_parts, take, text};
use super::{pack, refuse, with_schema};
use crate::Error;
use crate::area::{CROCKFORD, DATA, DETAIL, FIELDS, REGISTER, SECOND, SNO};
use crate::engine::{MAX_FIELDS, Rounding, Schema};
use crate::formats::Text;

/// Sets the schema that the calls below speak of: `count` widths as bytes at [`FIELDS`].
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_possible_truncation)]
pub fn schema(count: usize, sequence: usize, epoch: f64, tick_ms: u32, unsigned: bool, nearest: bool) -> u32 {
    let rounding = if nearest { Rounding::NearestEven } else { Rounding::Floor };
    let widths = part(FIELDS, count, MAX_FIELDS);
    let is_schema = SCHEMA.get().set(widths, sequence, epoch as i64, tick_ms, !unsigned, rounding);
    if is_schema { 0 } else { refuse(Error::Conflict) }
}

/// Field values at [`FIELDS`] to the register.
#[wasm_bindgen]
#[inline(never)]
pub fn compose() -> u32 {
    match pack() {
        0 => with_schema(|schema| schema.living(id()).map(|_| ())),
        status => status,
    }
}

/// The register to field values, and the time in Unix ms to [`DETAIL`]. Refuses what is larger than the largest ID;
/// and completes a register that was written from outside.
#[wasm_bindgen]
#[inline(never)]
pub fn inspect() -> u32 {
    with_schema(|schema| {
        let id = schema.check(id())?;
        put_id(REGISTER, id);
        take_apart(schema, id);
        Ok(())
    })
}

/// The fields of an ID, and its time.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
#[inline(never)]
fn take_apart(schema: &Schema, id: u128) {
    for (place, value) in fields().iter_mut().zip(schema.layout.values(id)) {
        *place = value as f64;
    }
    put(DETAIL, schema.scale.timestamp(take::<f64>(FIELDS) as i64) as f64);
}

/// The tick of a given time to `DETAIL`.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_precision_loss)]
pub fn tick(unix_ms: f64) -> u32 {
    with_schema(|schema| {
        put(DETAIL, schema.scale.tick(unix_ms)? as f64);
        Ok(())
    })
}

/// The bounds of a span of time to the two registers.
#[wasm_bindgen]
#[inline(never)]
pub fn range(from: f64, to: f64) -> u32 {
    with_schema(|schema| {
        let (min, max) = schema.range(from, to)?;
        put_id(REGISTER, min);
        put_id(SECOND, max);
        Ok(())
    })
}

/// Text to the register, and if it is to be taken `apart`, on as [`inspect`] does. `radix`: `SNO`, `CROCKFORD`, else digits.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_possible_truncation)]
pub fn parse(length: u32, radix: u32, apart: bool) -> u32 {
    let text = &*text(length);
    with_schema(|schema| {
        let form = match radix {
            SNO => Text::Sno,
            CROCKFORD => Text::Crockford,
            _ => Text::Digits { radix: radix as u8 },
        };
        let id = form.parse(text, schema.max())?;
        put_id(REGISTER, id);
        if apart {
            take_apart(schema, id);
        }
        Ok(())
    })
}

/// A register to text: sno, or Crockford's.
#[wasm_bindgen]
#[inline(never)]
pub fn print(radix: u32, second: bool) {
    let id = take(if second { SECOND } else { REGISTER });
    let (alphabet, length) = text_form(radix == CROCKFORD);
    put_parts(DATA, length, alphabet.parts(id, length));
}
