//! sno: 80 bits, 4 ms ticks, a byte of the user's own, and a bit that toggles when the clock goes back.
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
//! Differences here: text is checked character by character (the reference takes any 16); a pool
//! of 4 values is enough, as the README says (its code demands 6); times outside 2010..2079 are refused
//! instead of wrapped; a restored generator never repeats what was issued before (the reference's can).

use super::options::Choice;
use super::{Format, Text};
use crate::Error;
use crate::engine::alphabet::Base32;
use crate::engine::{Backwards, Field, Full, Generator, Rounding, Schema, SequenceRule, State};

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
    turn: Some(1),
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
        // Drawn if left out.
        Choice::of("partition", &PARTITION, None),
        Choice::of("sequenceMin", &SEQUENCE, Some(0)),
        Choice::of("sequenceMax", &SEQUENCE, Some((1 << SEQUENCE.bits) - 1)),
    ],
};

/// Characters of the text form.
pub const TEXT_LENGTH: usize = 16;

/// The text form: lower case only; text sorts as bytes do.
pub static TEXT: Base32 = Base32::new(b"23456789abcdefghijklmnopqrstuvwx", false, TEXT_LENGTH);

/// The largest ID: all bits are ones.
pub const MAX: u128 = (1 << FORMAT.layout().bits()) - 1;

/// The largest sequence number.
#[expect(clippy::cast_possible_truncation)]
pub const MAX_SEQUENCE: u32 = FORMAT.layout().max(FORMAT.sequence) as u32;

/// The largest sequence of a snapshot. The reference counts past the upper bound when the pool is used up, in 32 bits.
pub const MAX_SAVED_SEQUENCE: u32 = u32::MAX;

/// The fewest values from one sequence bound to the other, both included.
pub const SMALLEST_POOL: u32 = 4;

/// The format with its epoch.
pub fn schema() -> Result<Schema, Error> {
    FORMAT.schema(None)
}

/// ID to its text.
pub fn format(id: u128, text: &mut [u8; TEXT_LENGTH]) {
    TEXT.write(id, text);
}

/// Text to ID: exactly 16 characters of `2-9a-x`.
pub fn parse(text: &[u8]) -> Result<u128, Error> {
    TEXT.parse(text, MAX)
}

/// Sequence bounds, both included, as the reference checks and completes them.
///
/// `max` 0 means the largest (except in the pair 65535, 0, which is the whole range reversed); reversed bounds are
/// swapped. Errors: `Conflict` for equal bounds, `Range` for a pool of fewer than [`SMALLEST_POOL`].
///
/// For users of the crate: the package checks its options in js/formats/sno/partition.ts, from the same limits.
///
/// ```
/// use graupel::formats::sno::bounds;
/// assert_eq!(bounds(2048, 0), Ok((2048, 65_535)));
/// assert_eq!(bounds(2047, 1024), Ok((1024, 2047)));
/// ```
pub fn bounds(min: u32, max: u32) -> Result<(u32, u32), Error> {
    for (field, bound) in [min, max].into_iter().enumerate() {
        if bound > MAX_SEQUENCE {
            return Err(Error::Range { field });
        }
    }
    let max = if max == 0 && min != MAX_SEQUENCE { MAX_SEQUENCE } else { max };
    if min == max {
        return Err(Error::Conflict);
    }
    let (min, max) = (min.min(max), min.max(max));
    if max - min + 1 < SMALLEST_POOL { Err(Error::Range { field: 1 }) } else { Ok((min, max)) }
}

/// A generator for a partition and sequence bounds. As in the reference, tick 0 counts as begun.
///
/// For users of the crate: the package makes its generators in js/formats/sno/generator.ts.
pub fn generator(partition: u16, bounds: (u32, u32)) -> Result<Generator, Error> {
    let (first, last) = (u64::from(bounds.0), u64::from(bounds.1));
    let values = SequenceRule::Counter { first, last, restart: 0 };
    let mut generator = schema()?.generator(&[0, 0, 0, u64::from(partition), 0], values)?;
    generator.state = state(bounds, bounds.0, 0, 0, 0)?;
    Ok(generator)
}

/// A state from the reference's snapshot: the sequence, `wallHi`, `wallSafe` (4 ms units) and `drifts`.
///
/// A sequence of 0 means the lower bound; one above the upper bound is a pool that is used up. Errors:
/// `Range` for a sequence below the lower bound.
///
/// For users of the crate: the package reads snapshots in js/formats/sno/snapshot.ts, from the same limits.
pub fn state(bounds: (u32, u32), sequence: u32, wall_hi: i64, wall_safe: i64, drifts: u64) -> Result<State, Error> {
    let value = if sequence == 0 { bounds.0 } else { sequence };
    if value < bounds.0 {
        return Err(Error::Range { field: 0 });
    }
    let left = u64::from(bounds.1.saturating_sub(value));
    // Which ticks were issued is unknown, so the counter of given times must not issue any.
    let first_live = if wall_hi > 0 || value > bounds.0 { 0 } else { State::NOT_LIVE };
    Ok(State { highest: wall_hi, last: wall_hi, value: u64::from(value), left, safe: wall_safe, drifts, first_live })
}

/// The ID that the generator has just made, with a metabyte.
pub fn id(generator: &Generator, metabyte: u8) -> u128 {
    generator.whole_id(metabyte.into())
}

/// Whether to notify while calls wait. `ticks`: how many ticks of about one millisecond they have waited, this one included. As in
/// the reference with a listener that is always ready: at every fourth tick from the first, and once no call waits.
///
/// For users of the crate: the package's queue has the same rule (js/generator/wait-queue.ts).
///
/// ```
/// use graupel::formats::sno::notifies;
/// assert_eq!([1, 2, 4, 5].map(|ticks| notifies(ticks, 5)), [true, false, false, true]);
/// assert_eq!([2, 9].map(|ticks| notifies(ticks, 0)), [true, true]);
/// ```
pub const fn notifies(ticks: u32, waiting: u32) -> bool {
    ticks % 4 == 1 || waiting == 0
}
