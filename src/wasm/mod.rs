//! The boundary to JavaScript, which only converts.
//!
//! Arguments and results are numbers. IDs and longer data pass through one fixed area of memory,
//! which both sides read and write in place. [`crate::abi`] has its layout, and the flags and
//! statuses of calls.
//!
//! Generators live in slots. The JavaScript side numbers them and knows the free ones.
//!
//! Exported functions are never inlined: the macro calls each one from a closure that has
//! references to the arguments. If the body were inlined there, the compiler would keep the
//! arguments in memory, which makes the code larger.

#[forbid(unsafe_code)]
mod encode;
#[forbid(unsafe_code)]
mod entropy;
#[forbid(unsafe_code)]
mod format_calls;
#[forbid(unsafe_code)]
mod generator_calls;
mod raw;

use wasm_bindgen::convert::IntoWasmAbi;
use wasm_bindgen::describe::WasmDescribe;
use wasm_bindgen::prelude::wasm_bindgen;

use self::generator_calls::LastCall;
use self::raw::with_core;
use crate::Error;
use crate::abi::{Area, SLOTS, Status};
use crate::engine::{Generator, Saved, Schema};

/// All data of the module except random bytes, with the largest parts last, because small addresses
/// take fewer bytes. All of it is zero at first, so the module contains none of it.
#[repr(C)]
struct Core {
    /// The schema that is loaded.
    schema: Option<Schema>,
    /// The numbers to store in a slot, and to merge before.
    staged: Saved,
    other: Saved,
    last: Option<LastCall>,
    area: Area,
    slots: [Option<Generator>; SLOTS],
}

impl Core {
    const NEW: Self = Self {
        schema: None,
        staged: Saved::CLOSED,
        other: Saved::CLOSED,
        last: None,
        area: Area::NEW,
        slots: [const { None }; SLOTS],
    };
}

/// The address of the area in memory.
#[wasm_bindgen]
pub fn area() -> usize {
    with_core(|core| &raw const core.area as usize)
}

impl WasmDescribe for Status {
    fn describe() {
        u32::describe();
    }
}

impl IntoWasmAbi for Status {
    type Abi = u32;

    fn into_abi(self) -> u32 {
        self.number()
    }
}

/// Runs `work` with the loaded schema.
fn with_schema(work: impl FnOnce(&Schema, &mut Area) -> Result<(), Error>) -> Status {
    with_core(|Core { schema, area, .. }| {
        let result = schema.as_ref().ok_or(Error::Conflict).and_then(|schema| work(schema, area));
        result.map_or_else(Status::from, |()| Status::DONE)
    })
}

/// Packs the field values in the area to the register.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
#[inline(never)]
fn pack(schema: &Schema, area: &mut Area) {
    area.register.put(schema.layout().pack(area.fields.iter().map(|&value| value as u64)));
}
