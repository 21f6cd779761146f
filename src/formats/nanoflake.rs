//! Nanoflake: Twitter's layout with your own epoch and one generator field; text in base 36.
//!
//! Defined by nanoflakes/spec.
//!
//! ```text
//!  62                                           22 21         12 11           0
//! +-----------------------------------------------+-------------+--------------+
//! | time: ms since your epoch                     | generatorId |   sequence   |
//! +-----------------------------------------------+-------------+--------------+
//!                        41                             10             12
//! ```
//!
//! If the specification and the implementations disagree, the specification counts: the published
//! Java, Kotlin and JavaScript code shifts the time by 24 bits instead of 22. [`REFERENCE_24`] is
//! that layout, for the IDs of these implementations; its two spare bits are the field `unused`.
//! Negative IDs, signs, prefixes and leading zeros are errors.
//!
//! The specification leaves open whether a generator waits or throws. The implementations throw
//! when the clock goes back ([`Backwards::Throw`]) and wait when the sequence is full; the default
//! here is to hold and wait.

use super::options::{Choice, SEQUENCE_START, Takes};
use super::{Format, Text};
use crate::engine::{Backwards, Field, Full, Rounding, UNIX_MS_MAX};

/// The facts.
pub const FORMAT: Format = Format {
    name: "nanoflake",
    entry: "nanoflake",
    export: "nanoflake",
    variant: None,
    fields: &[TIME, Field { name: "generatorId", bits: 10 }, Field { name: "sequence", bits: 12 }],
    sequence: 2,
    random: false,
    optional: &[],
    tick_tock: None,
    call: None,
    epoch: None,
    tick_ms: 1,
    unsigned: false,
    rounding: Rounding::Floor,
    text: Text::Digits { radix: 36 },
    backwards: Backwards::Hold,
    full: Full::Wait,
    declaration: &[
        Choice::epoch(-UNIX_MS_MAX, &TIME, None),
        Choice::new("layout", Takes::Word { words: &[REFERENCE], default: None }),
    ],
    options: &[SEQUENCE_START],
};

/// The name of the published implementations' layout.
const REFERENCE: &str = "reference-24";

const TIME: Field = Field { name: "time", bits: 41 };
const TIME_24: Field = Field { name: "time", bits: 39 };

/// The facts of the published implementations' layout.
pub const REFERENCE_24: Format = Format {
    name: "nanoflake-reference-24",
    variant: Some(REFERENCE),
    declaration: &[Choice::epoch(-UNIX_MS_MAX, &TIME_24, None)],
    fields: &[
        TIME_24,
        Field { name: "unused", bits: 2 },
        Field { name: "generatorId", bits: 10 },
        Field { name: "sequence", bits: 12 },
    ],
    sequence: 3,
    optional: &[1],
    ..FORMAT
};
