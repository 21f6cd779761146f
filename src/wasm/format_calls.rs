//! The operations of formats on the ID in the register.

use wasm_bindgen::prelude::wasm_bindgen;

use super::encode::put_parts;
use super::raw::with_core;
use super::{Core, pack, with_schema};
use crate::abi::{Status, text_form};
use crate::engine::{Layout, Marks, Rounding, Scale, Schema};

/// Loads the schema for the calls below. The widths are the bytes at [`Area::data`], with 0 after
/// the last. `value_shift`: the bits below the sequence. `tick_tock`, `per_call_bits`: masks. The
/// caller has checked the rest of the schema.
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
    per_call_bits: f64,
) {
    let rounding = if nearest { Rounding::NearestEven } else { Rounding::Floor };
    let marks = Marks { tick_tock: tick_tock as u64, per_call_bits: per_call_bits as u64 };
    with_core(|core| {
        let layout = Layout::trusted(&core.area.data);
        let scale = Scale::trusted(epoch as i64, tick_ms, layout.last_tick(unsigned), rounding);
        core.schema = Some(Schema::trusted(layout, value_shift, scale, marks));
    });
}

/// Composes the field values at [`Area::fields`], which the caller has checked, to an ID in the
/// register.
#[wasm_bindgen]
#[inline(never)]
pub fn compose() {
    with_core(|Core { schema, area, .. }| {
        if let Some(schema) = schema {
            pack(schema, area);
        }
    });
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
