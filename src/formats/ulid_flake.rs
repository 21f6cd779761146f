//! Ulid-Flake: 63 bits, random within the millisecond, 13 characters of Crockford's base 32.
//!
//! Defined by ulid-flake/spec.
//!
//! ```text
//!  62                                           20 19                      0
//! +-----------------------------------------------+-------------------------+
//! | time: ms since 2024-01-01                     | randomness              |   stand-alone
//! +-----------------------------------------------+------------------+------+
//! |                                               | randomness       | scal.|   scalable
//! +-----------------------------------------------+------------------+------+
//!                        43                                15           5
//! ```
//!
//! A new millisecond draws its randomness; within one, a random step of one to three bytes (never
//! 0) is added.
//!
//! The specification requires an error past the maximum, and two of the implementations throw when
//! the clock goes back: these are the policies [`Full::Throw`] and [`Backwards::Throw`]. The
//! default is to wait and hold, because a step of one byte overflows with odds of 1 in 8,192
//! (scalable: 1 in 256).
//!
//! The implementations disagree about some points. Here, either case is read, and upper case is
//! written; there are no aliases and no hyphens; more than 63 bits is an overflow; time is
//! converted with integers; the very first ID always draws.

use super::options::{Choice, Takes};
use super::{Format, Text};
use crate::engine::alphabet::Base32;
use crate::engine::{Backwards, Field, Full, Rounding, UNIX_MS_MAX};

/// 2024-01-01T00:00:00Z.
const EPOCH: i64 = 1_704_067_200_000;

const STAND_ALONE: &[Field] = &[Field { name: "time", bits: 43 }, Field { name: "randomness", bits: 20 }];

const SCALED: &[Field] =
    &[Field { name: "time", bits: 43 }, Field { name: "randomness", bits: 15 }, Field { name: "scalability", bits: 5 }];

/// The facts of the stand-alone form.
pub const FORMAT: Format = Format {
    name: "ulid-flake",
    entry: "ulid-flake",
    export: "ulidFlake",
    variant: None,
    fields: STAND_ALONE,
    sequence: 1,
    random: true,
    optional: &[],
    tick_tock: None,
    call: None,
    epoch: Some(EPOCH),
    tick_ms: 1,
    unsigned: false,
    rounding: Rounding::Floor,
    text: Text::Base32 { form: &TEXT, characters: "0-9 A-Z without I L O U" },
    backwards: Backwards::Hold,
    full: Full::Wait,
    declaration: &[Choice::epoch(-UNIX_MS_MAX, &STAND_ALONE[0], Some(EPOCH))],
    options: &[entropy_size(STAND_ALONE), RANDOM],
};

const RANDOM: Choice = Choice::new("random", Takes::Function);

/// The bytes of a step, at most those of the randomness.
const fn entropy_size(fields: &[Field]) -> Choice {
    let max = fields[1].bits.div_ceil(8) as i64;
    Choice::new("entropySize", Takes::Number { min: 1, max, default: Some(1) })
}

/// The facts of the scalable form.
pub const SCALABLE: Format = Format {
    name: "ulid-flake-scalable",
    export: "ulidFlakeScalable",
    fields: SCALED,
    options: &[Choice::of("scalability", &SCALED[2], Some(0)), entropy_size(SCALED), RANDOM],
    ..FORMAT
};

/// The text form: Crockford's alphabet, written in upper case, read in either case. No aliases, no
/// hyphens.
pub static TEXT: Base32 = Base32::new(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ", true, 13);
