//! A layout with a scale of ticks: all that is needed to make, check, read and query IDs of one format
//! with one epoch. Built from a table row or from a declaration; nothing here knows a format by name.

use super::layout::{INTEGER_BITS, TIME, above, low_bits, ones, whole};
use super::{Generator, Layout, Packing, Rounding, Scale, SequenceRule};
use crate::Error;

/// A format with its epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Fields and widths.
    pub layout: Layout,
    /// Ticks.
    pub scale: Scale,
    /// Which field counts (or is random) within a tick.
    pub sequence: usize,
    /// The bit that toggles when the clock goes back, in place; 0 if there is none.
    pub turn: u64,
    /// The bits that come with each call of a generator, in place; 0 if there are none. They lie side by side within the
    /// lowest 40, which a text's last eight characters are made of.
    pub call: u64,
    max: u128,
}

impl Schema {
    /// No schema: one without fields and ticks.
    pub(crate) const NONE: Self =
        Self { layout: Layout::NONE, scale: Scale::NONE, sequence: TIME, turn: 0, call: 0, max: 0 };

    /// A schema for `layout`, whose field number `sequence` counts. With `signed`, a 64-bit ID keeps its top bit
    /// clear, so that it is never negative as a signed integer; that costs the time field one bit.
    ///
    /// `None`: `sequence` is no field but the time, `tick_ms` is 0, or the last tick is past what a date can say.
    pub fn new(
        layout: Layout,
        sequence: usize,
        epoch: i64,
        tick_ms: u32,
        signed: bool,
        rounding: Rounding,
    ) -> Option<Self> {
        let mut schema = Self { layout, ..Self::NONE };
        if schema.complete(sequence, epoch, tick_ms, signed, rounding) { Some(schema) } else { None }
    }

    /// The same in the place of another schema, as they are large; false, and no schema any more, where `new` is `None`.
    pub fn set(
        &mut self,
        widths: &[u8],
        sequence: usize,
        epoch: i64,
        tick_ms: u32,
        signed: bool,
        rounding: Rounding,
    ) -> bool {
        self.scale = Scale::NONE;
        self.layout.set(widths) && self.complete(sequence, epoch, tick_ms, signed, rounding)
    }

    /// All that follows from the layout that is there.
    #[expect(clippy::cast_possible_wrap)]
    fn complete(&mut self, sequence: usize, epoch: i64, tick_ms: u32, signed: bool, rounding: Rounding) -> bool {
        let spare = u32::from(signed && self.layout.bits() == INTEGER_BITS);
        // A time has at most 53 bits.
        let last = (self.layout.max(TIME) >> spare) as i64;
        let Some(scale) = Scale::new(epoch, tick_ms, last, rounding) else { return false };
        if sequence == TIME || self.layout.max(sequence) == 0 {
            return false;
        }
        (self.scale, self.sequence) = (scale, sequence);
        self.max = self.edge(last, true);
        true
    }

    /// Whether there is a schema at all.
    pub const fn exists(&self) -> bool {
        self.scale.exists()
    }

    /// The largest ID.
    pub const fn max(&self) -> u128 {
        self.max
    }

    /// Refuses an integer that is larger than the largest ID.
    pub fn check(&self, id: u128) -> Result<u128, Error> {
        if id > self.max { Err(Error::Overflow) } else { Ok(id) }
    }

    /// Fields to ID; `values` high to low, the first is the tick.
    pub fn compose(&self, values: &[u64]) -> Result<u128, Error> {
        self.living(self.layout.pack(values)?)
    }

    /// An ID put together from fields, if its time is one of the format's.
    pub(crate) fn living(&self, id: u128) -> Result<u128, Error> {
        self.check(id).map_err(|_| Error::EndOfLife)
    }

    /// ID to fields, high to low.
    pub fn inspect(&self, id: u128, values: &mut [u64]) -> Result<(), Error> {
        self.layout.unpack(self.check(id)?, values);
        Ok(())
    }

    /// The smallest and the largest ID of every tick that overlaps `[from, to)`, both in Unix ms; infinities leave an end
    /// out. The interval is cut to the format's life.
    ///
    /// Errors: `Conflict` unless `from` is before `to`; `BeforeEpoch` and `EndOfLife` for an interval wholly outside.
    pub fn range(&self, from: f64, to: f64) -> Result<(u128, u128), Error> {
        // `!(from < to)` also catches NaN.
        #[expect(clippy::neg_cmp_op_on_partial_ord)]
        if !(from < to) {
            return Err(Error::Conflict);
        }
        let first = match self.scale.tick_from(from) {
            Err(Error::BeforeEpoch) => 0,
            tick => tick?,
        };
        let last = match self.scale.tick_before(to) {
            Err(Error::EndOfLife) => self.scale.last(),
            tick => tick?,
        };
        Ok((self.edge(first, false), self.edge(last, true)))
    }

    /// A generator for the given values of all fields but the time and the sequence: `fixed` has one entry a
    /// field, high to low; the entries of those two are not looked at. Errors: `Range`.
    pub fn generator(&self, fixed: &[u64], values: SequenceRule) -> Result<Generator, Error> {
        let counts = |field| field == TIME || field == self.sequence;
        let part = |field| if counts(field) { Some(0) } else { fixed.get(field).copied() };
        let parts = self.layout.pack_all((0..).map(part))?;
        Ok(Generator::new(&self.scale, values, self.packing(low_bits(parts))))
    }

    /// Where a generator puts its parts beside the fixed ones.
    pub(crate) fn packing(&self, fixed: u64) -> Packing {
        let Self { layout, sequence, turn, call, .. } = self;
        Packing {
            time_shift: layout.shift(TIME),
            value_shift: layout.shift(*sequence),
            fixed,
            turn: *turn,
            call: *call,
        }
    }

    /// The plain counter: the whole sequence field, from 0 in every tick.
    pub fn counter(&self) -> SequenceRule {
        SequenceRule::Counter { first: 0, last: self.layout.max(self.sequence), restart: 0 }
    }

    /// The smallest or the largest ID of a tick.
    #[expect(clippy::cast_sign_loss)]
    fn edge(&self, tick: i64, largest: bool) -> u128 {
        let (time, shift) = (tick as u64, self.layout.shift(TIME));
        whole(above(time, shift), time << shift | if largest { ones(shift) } else { 0 })
    }
}
