//! Format operations on the ID in the register.

use wasm_bindgen::prelude::wasm_bindgen;

use super::encode::text_form;
use super::memory::{SCHEMA, fields, id, part, put, put_id, put_parts, take, text};
use super::{pack, with_schema};
use crate::abi::{DATA, DETAIL, FIELDS, REGISTER, SECOND, TEXT};
use crate::engine::alphabet::parse_digits;
use crate::engine::{MAX_FIELDS, Rounding, Schema, low_bits};

/// Loads the schema for the calls below: `count` widths as bytes at [`FIELDS`]. `tick_tock`, `call`: masks. The caller has checked that
/// they are a schema.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::too_many_arguments)]
pub fn schema(
    count: usize,
    sequence: usize,
    epoch: f64,
    tick_ms: u32,
    unsigned: bool,
    nearest: bool,
    tick_tock: f64,
    call: f64,
) {
    let rounding = if nearest { Rounding::NearestEven } else { Rounding::Floor };
    let widths = part(FIELDS, count, MAX_FIELDS);
    let schema = SCHEMA.get();
    (schema.tick_tock, schema.call) = (tick_tock as u64, call as u64);
    schema.set(widths, sequence, epoch as i64, tick_ms, !unsigned, rounding);
}

/// Composes the field values at [`FIELDS`] to an ID in the register.
#[wasm_bindgen]
#[inline(never)]
pub fn compose() -> u32 {
    match pack() {
        0 => with_schema(|schema| {
            schema.living(id())?;
            Ok(())
        }),
        status => status,
    }
}

/// Unpacks the register to field values, and the time in Unix ms to [`DETAIL`]. Refuses an ID larger than the largest;
/// and completes a register that JavaScript has written.
#[wasm_bindgen]
#[inline(never)]
pub fn inspect() -> u32 {
    with_schema(|schema| {
        let id = schema.check(id())?;
        put_id(REGISTER, id);
        unpack_fields(schema, id);
        Ok(())
    })
}

/// Writes the fields of an ID, and its time.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
#[inline(never)]
fn unpack_fields(schema: &Schema, id: u128) {
    for (field, value) in fields().iter_mut().zip(schema.layout.values(id)) {
        *field = value as f64;
    }
    put(DETAIL, schema.scale.timestamp(take::<f64>(FIELDS) as i64) as f64);
}

/// Writes the tick of a time to [`DETAIL`].
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_precision_loss)]
pub fn tick(unix_ms: f64) -> u32 {
    with_schema(|schema| {
        put(DETAIL, schema.scale.tick(unix_ms)? as f64);
        Ok(())
    })
}

/// Writes the bounds of an interval of time to the two registers. The caller has checked that `from` is before `to`.
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

/// Parses a text to the register, and if `unpack` is set, unpacks it as [`inspect`]. `radix`: of digits, or the
/// number of a text form, which is at least [`TEXT`]. The caller has checked radix and length.
#[wasm_bindgen]
#[inline(never)]
pub fn parse(length: u32, radix: u32, unpack: bool) -> u32 {
    let text = &*text(length);
    with_schema(|schema| {
        let id = if radix < TEXT {
            parse_digits(text, radix, low_bits(schema.max()))?.into()
        } else {
            text_form(radix).parse(text, schema.max())?
        };
        put_id(REGISTER, id);
        if unpack {
            unpack_fields(schema, id);
        }
        Ok(())
    })
}

/// Writes a register as text to [`DATA`]. `form`: the number of a text form.
#[wasm_bindgen]
#[inline(never)]
pub fn print(form: u32, second: bool) {
    let id = take(if second { SECOND } else { REGISTER });
    let form = text_form(form);
    put_parts(DATA, form.length(), form.parts(id));
}
