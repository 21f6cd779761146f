//! The operations of formats on the ID in the register.

use wasm_bindgen::prelude::wasm_bindgen;

use super::encode::put_parts;
use super::raw::with_core;
use super::{Core, pack, with_schema};
use crate::Error;
use crate::abi::{Area, Status, TEXT, text_form};
use crate::engine::alphabet::parse_digits;
use crate::engine::{Layout, Marks, Rounding, Scale, Schema, low_bits};

/// Loads the schema for the calls below. The widths are the bytes at [`Area::data`], with 0 after
/// the last. `value_shift`: the bits below the sequence. `tick_tock`, `per_call`: masks. The caller
/// has checked the rest of the schema.
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn schema(
    value_shift: u32,
    epoch: f64,
    tick_ms: u32,
    unsigned: bool,
    nearest: bool,
    tick_tock: f64,
    per_call: f64,
) {
    let rounding = if nearest { Rounding::NearestEven } else { Rounding::Floor };
    let marks = Marks { tick_tock: tick_tock as u64, per_call: per_call as u64 };
    with_core(|core| {
        let layout = Layout::trusted(&core.area.data);
        let scale = Scale::trusted(epoch as i64, tick_ms, layout.last_tick(unsigned), rounding);
        core.schema = Some(Schema::trusted(layout, value_shift, scale, marks));
    });
}

/// Composes the field values at [`Area::fields`] to an ID in the register.
#[wasm_bindgen]
#[inline(never)]
pub fn compose() -> Status {
    with_core(|Core { schema, area, .. }| {
        let Some(schema) = schema else { return Error::Conflict.into() };
        match pack(schema, area) {
            Status::DONE if schema.check(area.register.id()).is_err() => Error::EndOfLife.into(),
            status => status,
        }
    })
}

/// Unpacks the register to field values, and the time in Unix ms to [`Area::detail`]. Returns an
/// error for an ID that is too large, and completes a register that JavaScript has written.
#[wasm_bindgen]
#[inline(never)]
pub fn inspect() -> Status {
    with_schema(|schema, area| {
        let id = schema.check(area.register.id())?;
        area.register.put(id);
        unpack_fields(schema, id, area);
        Ok(())
    })
}

/// Writes the fields of an ID, and its time.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
#[inline(never)]
fn unpack_fields(schema: &Schema, id: u128, area: &mut Area) {
    for (field, value) in area.fields.iter_mut().zip(schema.layout().values(id)) {
        *field = value as f64;
    }
    let [time, ..] = area.fields;
    area.detail = schema.scale().timestamp(time as i64) as f64;
}

/// Writes the tick of a time to [`Area::detail`].
#[wasm_bindgen]
#[inline(never)]
#[expect(clippy::cast_precision_loss)]
pub fn tick(unix_ms: f64) -> Status {
    with_schema(|schema, area| {
        area.detail = schema.scale().tick(unix_ms)? as f64;
        Ok(())
    })
}

/// Writes the bounds of an interval of time to the two registers. The caller has checked that
/// `from` is before `to`.
#[wasm_bindgen]
#[inline(never)]
pub fn range(from: f64, to: f64) -> Status {
    with_schema(|schema, area| {
        let (min, max) = schema.range(from, to)?;
        area.register.put(min);
        area.second.put(max);
        Ok(())
    })
}

/// Parses a text to the register, and if `unpack` is set, unpacks it like [`inspect`]. `radix`: the
/// radix of digits, or the number of a text form, which is at least [`TEXT`]. The caller has
/// checked radix and length.
#[wasm_bindgen]
#[inline(never)]
pub fn parse(length: usize, radix: u32, unpack: bool) -> Status {
    with_schema(|schema, area| {
        let text = &area.data[..length.min(area.data.len())];
        let id = if radix < TEXT {
            parse_digits(text, radix, low_bits(schema.max()))?.into()
        } else {
            text_form(radix).parse(text, schema.max())?
        };
        area.register.put(id);
        if unpack {
            unpack_fields(schema, id, area);
        }
        Ok(())
    })
}

/// Writes a register as text to [`Area::data`]. `form`: the number of a text form.
#[wasm_bindgen]
#[inline(never)]
pub fn print(form: u32, second: bool) {
    with_core(|core| {
        let area = &mut core.area;
        let id = if second { area.second.id() } else { area.register.id() };
        let form = text_form(form);
        put_parts(area.one(), form.bytes(), form.parts(id));
    });
}
