//! The formats, one file each: what the format is, and its source; its row of facts; its text. The build writes js/generated from the
//! table [`ALL`].

pub mod nanoflake;
pub mod options;
pub mod sno;
pub mod snowflake;
pub mod snowflake_si;
pub mod ulid_flake;

use crate::engine::alphabet::Base32;
use crate::engine::{
    Backwards, Field, Full, Generator, INTEGER_BITS, Layout, Rounding, SPAN_MS_MAX, Schema, UNIX_MS_MAX,
};
use crate::{Error, Located};
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
    /// The widths as a layout.
    pub const fn layout(&self) -> Layout {
        Layout::of(self.fields)
    }

    /// The format with an epoch (its own, where it has one and `epoch` is `None`).
    ///
    /// Errors: `Conflict` without an epoch.
    pub fn schema(&self, epoch: Option<i64>) -> Result<Schema, Error> {
        let epoch = epoch.or(self.epoch).ok_or(Error::Conflict)?;
        let widths: Vec<u8> = self.fields.iter().map(|field| field.bits).collect();
        let mut schema = Schema::NONE;
        schema.set(&widths, self.sequence, epoch, self.tick_ms, !self.unsigned, self.rounding);
        (schema.tick_tock, schema.call) = (self.mask(self.tick_tock), self.mask(self.call));
        Ok(schema)
    }

    /// Panics unless the row is one of a format: see also [`Layout::of`].
    const fn check(&self) {
        let layout = self.layout();
        assert!(0 < self.sequence && self.sequence < self.fields.len(), "the sequence is a field below the time");
        let (ticks, epoch) = (
            layout.max(0) as i128,
            match self.epoch {
                Some(epoch) => epoch,
                None => 0,
            },
        );
        let spare = !self.unsigned && layout.bits() == INTEGER_BITS;
        let span = (ticks >> spare as u32) * self.tick_ms as i128;
        assert!(0 < self.tick_ms && span <= SPAN_MS_MAX as i128, "times are exact numbers");
        assert!(span + epoch as i128 <= UNIX_MS_MAX as i128 && -UNIX_MS_MAX <= epoch, "times are dates");
    }

    /// The mask of a field below the time; 0 for `None`.
    pub fn mask(&self, field: Option<usize>) -> u64 {
        let layout = self.layout();
        field.map_or(0, |index| layout.max(index) << layout.shift(index))
    }

    /// Bytes drawn at the start of a tick, as many as the random field has; 0 where it counts.
    pub const fn start_bytes(&self) -> u8 {
        if self.random { self.fields[self.sequence].bits.div_ceil(8) } else { 0 }
    }

    /// A generator with the format's own epoch. `fixed`: the values of the fields between the time and the
    /// sequence, high to low. Errors: `Conflict` if there are too few or too many of them, `Range`.
    pub fn generator(&self, fixed: &[u64]) -> Result<Generator, Located> {
        let schema = self.schema(None)?;
        schema.generator(&self.spread(fixed)?, schema.counter())
    }

    /// One value for each field, from the values of the fixed fields.
    fn spread(&self, fixed: &[u64]) -> Result<Vec<u64>, Error> {
        let mut rest = fixed.iter().copied();
        let taken = |field| field == 0 || field == self.sequence || self.optional.contains(&field);
        let all = (0..self.fields.len())
            .map(|field| if taken(field) { Some(0) } else { rest.next() })
            .collect::<Option<Vec<u64>>>()
            .ok_or(Error::Conflict)?;
        if rest.next().is_some() { Err(Error::Conflict) } else { Ok(all) }
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
