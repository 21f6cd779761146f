//! The formats, one file for each family: what the format is, and its source; its row of facts; its text. The build writes js/generated from the
//! table [`ALL`].

pub mod nanoflake;
pub mod options;
pub mod sno;
pub mod snowflake;
pub mod snowflake_si;
pub mod ulid_flake;

use crate::Error;
use crate::engine::alphabet::Base32;
use crate::engine::{Backwards, Field, Full, Layout, MAX_FIELDS, Marks, Rounding, Scale, Schema};
use options::Choice;

/// The text forms that are not digits of a radix. The index of one crosses the boundary.
pub static TEXTS: [&Base32; 2] = [&sno::TEXT, &ulid_flake::TEXT];

/// How an ID is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// A fixed number of characters from an alphabet of 32.
    Base32 {
        /// One of [`TEXTS`].
        form: &'static Base32,
        /// The alphabet, as an error message names it.
        characters: &'static str,
    },
    /// Digits without leading zeros.
    Digits {
        /// The radix of the canonical text.
        radix: u8,
    },
}

/// A format's row: its facts, which stand nowhere else.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name, as the command line spells it.
    pub name: &'static str,
    /// The entry of the package that exports it, without `graupel/`.
    pub entry: &'static str,
    /// The export's name.
    pub export: &'static str,
    /// The value of the declaration's option `layout` that makes it; `None` if that is left out.
    pub variant: Option<&'static str>,
    /// Fields, high to low; the first is the time.
    pub fields: &'static [Field],
    /// Which field counts (or is random) within a tick.
    pub sequence: usize,
    /// Whether that field is random.
    pub random: bool,
    /// Which fields are 0 if they are left out when an ID is composed.
    pub optional: &'static [usize],
    /// Unix ms of tick 0; `None` where the user chooses it.
    pub epoch: Option<i64>,
    /// The field that toggles when the clock goes back, of one bit; `None` if there is none.
    pub tick_tock: Option<usize>,
    /// The field whose value comes with each call of `next()`; `None` if there is none. It lies within the lowest 40 bits.
    pub call: Option<usize>,
    /// Milliseconds of one tick.
    pub tick_ms: u32,
    /// Whether the ID fills an unsigned 64-bit integer; else its top bit stays clear.
    pub unsigned: bool,
    /// How times are rounded to the millisecond.
    pub rounding: Rounding,
    /// The text form.
    pub text: Text,
    /// The default policy for a clock that goes back.
    pub backwards: Backwards,
    /// The default policy for a full sequence.
    pub full: Full,
    /// Options of the declaration; of a format with an epoch of its own, those of `withEpoch`.
    pub declaration: &'static [Choice],
    /// Options of its generators, besides those that all have. A fixed field that is here need not be given.
    pub options: &'static [Choice],
}

impl Format {
    /// The widths as a layout. Panics, or in a `const` does not compile, unless they are one.
    pub const fn layout(&self) -> Layout {
        let mut widths = [0; MAX_FIELDS];
        let mut index = 0;
        while index < self.fields.len() {
            widths[index] = self.fields[index].bits;
            index += 1;
        }
        match Layout::new(widths.split_at(index).0) {
            Ok(layout) => layout,
            Err(_) => panic!("these fields are not a layout"),
        }
    }

    /// The format with an epoch (its own, where it has one and `epoch` is `None`).
    ///
    /// Errors: `Conflict` without an epoch, `Range` if the last tick is no date.
    pub fn schema(&self, epoch: Option<i64>) -> Result<Schema, Error> {
        let epoch = epoch.or(self.epoch).ok_or(Error::Conflict)?;
        let schema = Schema::new(self.layout(), self.sequence, epoch, self.tick_ms, self.unsigned, self.rounding)?;
        Ok(schema.with(Marks { tick_tock: self.mask(self.tick_tock), per_call: self.mask(self.call) }))
    }

    /// Panics unless the row is one of a format: see also [`Self::layout`].
    const fn check(&self) {
        let last = self.layout().last_tick(self.unsigned);
        assert!(0 < self.sequence && self.sequence < self.fields.len(), "the sequence is a field below the time");
        let epoch = match self.epoch {
            Some(epoch) => epoch,
            None => 0,
        };
        assert!(Scale::new(epoch, self.tick_ms, last, self.rounding).is_ok(), "times are exact numbers, and dates");
    }

    /// The mask of a field below the time; 0 for `None`.
    pub fn mask(&self, field: Option<usize>) -> u64 {
        let place = field.and_then(|index| self.layout().place(index));
        place.map_or(0, |place| place.max() << place.shift)
    }

    /// Bytes drawn at the start of a tick, as many as the random field has; 0 where it counts.
    pub const fn start_bytes(&self) -> u8 {
        if self.random { self.fields[self.sequence].bits.div_ceil(8) } else { 0 }
    }
}

/// Every format with a name of its own.
pub const ALL: [&Format; 11] = [
    &sno::FORMAT,
    &nanoflake::FORMAT,
    &nanoflake::REFERENCE_24,
    &snowflake::TWITTER,
    &snowflake::DISCORD,
    &snowflake::INSTAGRAM,
    &snowflake::MASTODON,
    &snowflake::SONYFLAKE,
    &snowflake_si::FORMAT,
    &ulid_flake::FORMAT,
    &ulid_flake::SCALABLE,
];

/// The formats with an epoch of their own, the most widely used first: this order decides between equally likely ones.
pub const LIKELIEST: [&Format; 8] = [
    &snowflake::DISCORD,
    &snowflake::TWITTER,
    &snowflake::MASTODON,
    &snowflake::INSTAGRAM,
    &snowflake::SONYFLAKE,
    &sno::FORMAT,
    &ulid_flake::FORMAT,
    &ulid_flake::SCALABLE,
];

/// A row that no check of the package would accept does not compile.
const _: () = {
    let mut index = 0;
    while index < ALL.len() {
        ALL[index].check();
        index += 1;
    }
};
