//! Snowflake-SI: 53 bits, so that every ID is a safe integer in JavaScript.
//!
//! Defined by litert/uuid.js (`@litert/uuid` v2.1.0) and the documentation of its v1.0.0.
//!
//! ```text
//!  52                                       13 12       8 7            0
//! +-------------------------------------------+----------+--------------+
//! | time (MAB): ms since your epoch           |machineId |sequence (UIN)|
//! +-------------------------------------------+----------+--------------+
//!                 40 (or 41)                     0..=12       1..=13
//! ```
//!
//! Differences: the machine field may be absent, as the documentation allows; one of the two lower
//! widths determines the other; a kept sequence never repeats a pair of tick and sequence; "use
//! reversed time", which repeats IDs, is not available.

use core::ops::RangeInclusive;

use super::options::{Choice, SEQUENCE_START, Takes};
use super::{Format, Text};
use crate::engine::{Backwards, Field, Full, Rounding};

const FIELDS: &[Field] =
    &[Field { name: "time", bits: 40 }, Field { name: "machineId", bits: 5 }, Field { name: "sequence", bits: 8 }];

/// The facts, with the default widths.
pub const FORMAT: Format = Format {
    name: "snowflake-si",
    entry: "snowflake-si",
    export: "snowflakeSI",
    variant: None,
    fields: FIELDS,
    sequence: 2,
    random: false,
    optional: &[],
    tick_tock: None,
    call: None,
    epoch: None,
    tick_ms: 1,
    unsigned: false,
    rounding: Rounding::Floor,
    text: Text::Digits { radix: 10 },
    backwards: Backwards::Hold,
    full: Full::Wait,
    declaration: &[
        Choice::epoch(FIRST_EPOCH_40, &FIELDS[0], None),
        Choice::new("clockBits", width(&CLOCK_BITS, 0)),
        Choice::new("machineBits", width(&MACHINE_BITS, 1)),
        Choice::new("sequenceBits", width(&SEQUENCE_BITS, 2)),
    ],
    options: &[SEQUENCE_START, Choice::of("sequenceResetThreshold", &FIELDS[2], Some(0))],
};

/// The width of a field, and its default.
const fn width(range: &RangeInclusive<u8>, field: usize) -> Takes {
    Takes::Number { min: *range.start() as i64, max: *range.end() as i64, default: Some(FIELDS[field].bits as i64) }
}

/// The bits of an ID: a JavaScript number represents 53 bits exactly.
pub const BITS: u8 = 53;

/// The allowed widths of the clock.
pub const CLOCK_BITS: RangeInclusive<u8> = 40..=41;

/// The allowed widths of the machine field. With 0 bits there is no field.
pub const MACHINE_BITS: RangeInclusive<u8> = 0..=12;

/// The allowed widths of the sequence.
pub const SEQUENCE_BITS: RangeInclusive<u8> = 1..=13;

/// The first epoch of the narrower clock, Unix ms. With an earlier one it would end before
/// 2038-01-19T03:14:07Z, the end of 32-bit Unix time, which the definition forbids.
pub const FIRST_EPOCH_40: i64 = 1_047_972_019_225;

/// The first epoch of the wider clock, Unix ms.
pub const FIRST_EPOCH_41: i64 = 0;
