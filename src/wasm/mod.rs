//! The boundary to JavaScript: it only converts.
//!
//! Arguments and results are numbers. IDs and everything longer pass through one fixed area of memory, which both sides read and
//! write in place; [`crate::abi`] is its map.
//!
//! A status is 0 for success, the number of an [`Error`], `WAIT`, `DRAW` or `REFILL`.
//!
//! Generators live in slots, numbered by the JavaScript side, which also reuses them.
//!
//! Exported functions are never inlined: the macro calls each one from a closure that holds the arguments by reference. If a whole
//! body is inlined there, the compiler keeps the arguments in memory, which makes the code larger.

#[forbid(unsafe_code)]
mod encode;
mod entropy;
#[forbid(unsafe_code)]
mod format_calls;
#[forbid(unsafe_code)]
mod generator_calls;
mod memory;
#[cfg(shipped)]
mod no_alloc;
#[forbid(unsafe_code)]
mod slots;

use wasm_bindgen::prelude::wasm_bindgen;

use self::memory::{SCHEMA, fields, pointer, put, put_id};
use crate::abi::{DETAIL, REGISTER};
use crate::engine::Schema;
use crate::{Error, Located};

/// Where the area starts in memory.
#[wasm_bindgen]
pub fn area() -> usize {
    pointer::<u8>(0) as usize
}

fn refuse(error: Error) -> u32 {
    error.number().into()
}

/// Refuses, and says where. Out of line, where size matters more than time.
#[expect(clippy::cast_precision_loss)]
#[inline(never)]
fn refuse_located(Located { error, position }: Located) -> u32 {
    put(DETAIL, position as f64);
    refuse(error)
}

fn with_schema(work: impl FnOnce(&Schema) -> Result<(), Located>) -> u32 {
    work(SCHEMA.get()).map_or_else(refuse_located, |()| 0)
}

/// Packs the field values in the area to the register.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
#[inline(never)]
fn pack() -> u32 {
    with_schema(|schema| {
        let values = fields().iter().map(|&number| {
            let integer = number as u64;
            (integer as f64 == number).then_some(integer)
        });
        put_id(REGISTER, schema.layout.pack_all(values)?);
        Ok(())
    })
}
