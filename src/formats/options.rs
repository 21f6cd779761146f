//! The options as facts, which the build writes for the entry `graupel/facts`, and the limits and
//! defaults for the package's checks.

use crate::engine::{Field, Restart, UNIX_MS_MAX};

/// The smallest radix of an integer's text.
pub const MIN_RADIX: u32 = 2;
/// The largest one: its digits are `0-9a-z`.
pub const MAX_RADIX: u32 = 36;

/// An option of a format's declaration, or of its generators.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The package's name.
    pub name: &'static str,
    /// The allowed values.
    pub takes: Takes,
    /// Whether it is required.
    pub required: bool,
}

/// The values of an option.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// A whole number.
    Number {
        /// The smallest one.
        min: i64,
        /// The largest one.
        max: i64,
        /// The default; `None` if it is not a fixed number.
        default: Option<i64>,
    },
    /// Milliseconds, which may have a fraction.
    Duration {
        /// The longest one.
        max: i64,
        /// The default.
        default: i64,
    },
    /// One of several words.
    Word {
        /// The words.
        words: &'static [&'static str],
        /// The default; `None` if it is not a word.
        default: Option<&'static str>,
    },
    /// A time, as Unix ms.
    Time {
        /// The earliest one.
        min: i64,
        /// The latest one.
        max: i64,
        /// The default.
        default: Option<i64>,
    },
    /// True or false; false by default.
    Flag,
    /// A function.
    Function,
    /// A snapshot.
    Snapshot,
    /// A lease, which is a JavaScript object.
    Lease,
    /// A layout: names to widths.
    Fields,
    /// The name of one of its fields.
    Field {
        /// The value if the option is left out.
        default: &'static str,
    },
}

impl Choice {
    /// An option that may be left out.
    pub const fn new(name: &'static str, takes: Takes) -> Self {
        Self { name, takes, required: false }
    }

    /// The epoch of a format, with or without a default. The last tick of `time` must be a date.
    pub const fn epoch(first: i64, time: &Field, default: Option<i64>) -> Self {
        let max = UNIX_MS_MAX - ((1 << time.bits) - 1);
        Self { name: "epoch", takes: Takes::Time { min: first, max, default }, required: default.is_none() }
    }

    /// An optional value of a field.
    pub const fn of(name: &'static str, field: &Field, default: Option<i64>) -> Self {
        Self::new(name, Takes::Number { min: 0, max: (1 << field.bits) - 1, default })
    }
}

/// The start of a counter in a new tick.
pub const SEQUENCE_START: Choice = Choice::new(
    "sequenceStart",
    Takes::Word {
        words: &[Restart::WORDS[0].1, Restart::WORDS[1].1, Restart::WORDS[2].1],
        default: Some(Restart::WORDS[0].1),
    },
);

/// The longest delay that timers accept, in milliseconds.
pub const LONGEST_MS: i64 = i32::MAX as i64;

/// The default of `maxWaitMs`.
pub const MAX_WAIT_MS: i64 = 100;

/// The default of `maxAheadMs`.
pub const MAX_AHEAD_MS: i64 = 10_000;
