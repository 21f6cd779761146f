//! The formats, one file for each family, with a description, the source, the row of facts, and the
//! text form. The build writes js/generated from the table [`ALL`].

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

/// The text forms that are not digits of a radix. Their indices cross the boundary.
pub static TEXTS: [&Base32; 2] = [&sno::TEXT, &ulid_flake::TEXT];

/// The text form of an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// A fixed number of characters from an alphabet of 32.
    Base32 {
        /// One of [`TEXTS`].
        form: &'static Base32,
        /// The alphabet in words, for error messages.
        characters: &'static str,
    },
    /// Digits without leading zeros.
    Digits {
        /// The radix of the canonical text.
        radix: u8,
    },
}

/// The row of a format: its facts, which are written only here.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// The entry of the package that exports it, without `graupel/`.
    pub entry: &'static str,
    /// The export's name.
    pub export: &'static str,
    /// The value of the declaration's option `layout` for this format; `None` without that option.
    pub variant: Option<&'static str>,
    /// Fields, high to low; the first is the time.
    pub fields: &'static [Field],
    /// The index of the field that counts, or is random, within a tick.
    pub sequence: usize,
    /// Whether that field is random.
    pub random: bool,
    /// The indices of fields that default to 0 in `compose`.
    pub optional: &'static [usize],
    /// Unix ms of tick 0; `None` if the user chooses it.
    pub epoch: Option<i64>,
    /// The one-bit field that toggles when the clock goes back; `None` if there is none.
    pub tick_tock: Option<usize>,
    /// The field whose value each call of `next()` passes; `None` if there is none. It is within
    /// the lowest 40 bits.
    pub call: Option<usize>,
    /// Milliseconds of one tick.
    pub tick_ms: u32,
    /// Whether the ID fills an unsigned 64-bit integer. Otherwise its top bit stays 0.
    pub unsigned: bool,
    /// The rounding of times to the millisecond.
    pub rounding: Rounding,
    /// The text form.
    pub text: Text,
    /// The default policy for a clock that goes back.
    pub backwards: Backwards,
    /// The default policy for a full sequence.
    pub full: Full,
    /// The options of the declaration, or of `withEpoch` for a format with its own epoch.
    pub declaration: &'static [Choice],
    /// The options of its generators besides the shared ones. A fixed field in this list is
    /// optional.
    pub options: &'static [Choice],
}

impl Format {
    /// The widths as a layout. Panics, or fails to compile in a `const`, if they are invalid.
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

    /// The schema of the format with an epoch: `epoch`, or its own.
    ///
    /// Errors: `Conflict` without an epoch, `Range` if the last tick is not a date.
    pub fn schema(&self, epoch: Option<i64>) -> Result<Schema, Error> {
        let epoch = epoch.or(self.epoch).ok_or(Error::Conflict)?;
        let schema = Schema::new(self.layout(), self.sequence, epoch, self.tick_ms, self.unsigned, self.rounding)?;
        Ok(schema.with(Marks { tick_tock: self.mask(self.tick_tock), per_call_bits: self.mask(self.call) }))
    }

    /// Panics if the row is invalid; see also [`Self::layout`].
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

    /// The bytes drawn at the start of a tick, enough for the random field; 0 if the field counts.
    pub const fn start_bytes(&self) -> u8 {
        if self.random { self.fields[self.sequence].bits.div_ceil(8) } else { 0 }
    }
}

/// Every format with its own name.
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

/// The formats with their own epoch, the most widely used first. This order decides between equally
/// likely formats.
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

/// A row that the package's checks would reject does not compile.
const _: () = {
    let mut index = 0;
    while index < ALL.len() {
        ALL[index].check();
        index += 1;
    }
};
