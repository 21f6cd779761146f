//! The boundary to JavaScript: conversion, and nothing else.
//!
//! Only numbers cross, and small codes. IDs and everything longer pass through one
//! fixed area of memory, which both sides read and write in place; [`crate::area`] is its map.
//!
//! A status is 0 for success, the number of an [`Error`], `WAIT` or `DRAW`.
//!
//! Generators live in slots, numbered by the JavaScript side, which also reuses them.

mod entropy;
#[forbid(unsafe_code)]
mod formats;
#[forbid(unsafe_code)]
mod generators;
mod memory;

use wasm_bindgen::prelude::wasm_bindgen;

use self::memory::{SCHEMA, fields, pointer, put};
use crate::Error;
use crate::area::DETAIL;
use crate::engine::{Layout, MAX_FIELDS, Schema};

/// Where the area starts in memory.
#[wasm_bindgen]
pub fn area() -> usize {
    pointer::<u8>(0) as usize
}

#[expect(clippy::cast_precision_loss)]
fn refuse(error: Error) -> u32 {
    put(DETAIL, error.detail() as f64);
    u32::from(error.number())
}

fn status_of(result: Result<(), Error>) -> u32 {
    result.map_or_else(refuse, |()| 0)
}

fn with_schema(work: impl FnOnce(&Schema) -> Result<(), Error>) -> u32 {
    status_of(SCHEMA.get().as_ref().ok_or(Error::Conflict).and_then(work))
}

/// A number that is an integer of the field, as one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
fn whole(value: f64, max: u64) -> Option<u64> {
    (value >= 0.0 && value <= max as f64 && value.floor() == value).then_some(value as u64)
}

fn values_of(layout: &Layout, values: &mut [u64; MAX_FIELDS]) -> Result<(), Error> {
    let count = layout.widths().len();
    for (field, (value, &number)) in values.iter_mut().zip(fields(count).iter()).enumerate() {
        *value = whole(number, layout.max(field)).ok_or(Error::Range { field })?;
    }
    Ok(())
}
