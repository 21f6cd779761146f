//! sno: 80 bits, 4 ms ticks, a byte of the user's own, and a bit that toggles when the clock goes
//! back.
//!
//! Defined by muyo/sno (v1.2.1), README and `partition.go`, `generator.go`, `id.go`.
//!
//! ```text
//!  79                                     41  40  39    32 31        16 15         0
//! +-----------------------------------------+---+--------+------------+------------+
//! | time: 4 ms units since 2010-01-01       | t |metabyte| partition  |  sequence  |
//! +-----------------------------------------+---+--------+------------+------------+
//!                    39                       1     8         16           16
//! ```
//!
//! Text is 16 characters, five bits each, in two halves of 40 bits; it sorts as the bytes do.
//!
//! Differences: text is checked character by character (the reference accepts any 16); a pool of 4
//! values is enough, as the README says (its code requires 6); times outside 2010..2079 are errors
//! and do not wrap; a restored generator never repeats earlier IDs (the reference's can).

use super::options::{Choice, SEQUENCE_START};
use super::{Format, Text};
use crate::engine::alphabet::Base32;
use crate::engine::{Backwards, Field, Full, Rounding};

const FIELDS: &[Field] = &[
    Field { name: "time", bits: 39 },
    Field { name: "tickTock", bits: 1 },
    Field { name: "metabyte", bits: 8 },
    PARTITION,
    SEQUENCE,
];

const PARTITION: Field = Field { name: "partition", bits: 16 };
const SEQUENCE: Field = Field { name: "sequence", bits: 16 };

/// The facts.
pub const FORMAT: Format = Format {
    name: "sno",
    entry: "sno",
    export: "sno",
    variant: None,
    fields: FIELDS,
    sequence: 4,
    random: false,
    optional: &[1],
    tick_tock: Some(1),
    call: Some(2),
    epoch: Some(1_262_304_000_000), // 2010-01-01T00:00:00Z
    tick_ms: 4,
    unsigned: true,
    rounding: Rounding::Floor,
    text: Text::Base32 { form: &TEXT, characters: "2-9a-x" },
    backwards: Backwards::TickTock,
    full: Full::Wait,
    declaration: &[],
    options: &[
        // Drawn by default.
        Choice::of("partition", &PARTITION, None),
        Choice::of("sequenceMin", &SEQUENCE, Some(0)),
        Choice::of("sequenceMax", &SEQUENCE, Some((1 << SEQUENCE.bits) - 1)),
        SEQUENCE_START,
    ],
};

/// The text form: lower case only; texts sort as the bytes do.
pub static TEXT: Base32 = Base32::new(b"23456789abcdefghijklmnopqrstuvwx", false, 16);

/// The largest sequence of a snapshot. The reference counts past the upper bound when the pool is
/// used up, in 32 bits.
pub const MAX_SAVED_SEQUENCE: u32 = u32::MAX;

/// The fewest values from one sequence bound to the other, both included.
pub const SMALLEST_POOL: u32 = 4;
