//! A layout with a scale of ticks: everything needed to make, check, read and query IDs of one format with one epoch. Built from a
//! table row or a declaration.

use super::layout::{INTEGER_BITS, TIME, above, low_bits, ones, whole};
use super::{Generator, Layout, Packing, Rounding, Scale, SequenceRule};
use crate::{Error, Located};

/// A format with its epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Fields and widths.
    pub layout: Layout,
    /// Ticks.
    pub scale: Scale,
    /// Which field counts (or is random) within a tick.
    pub sequence: usize,
    /// Mask of the bit that toggles when the clock goes back; 0 if there is none.
    pub tick_tock: u64,
    /// Mask of the bits that come with each call of a generator; 0 if there are none. They are adjacent, and among the lowest 40,
    /// which are a text's last eight characters.
    pub call: u64,
    max: u128,
}

impl Schema {
    /// No schema: it has no fields and no ticks.
    pub const NONE: Self =
        Self { layout: Layout::NONE, scale: Scale::NONE, sequence: TIME, tick_tock: 0, call: 0, max: 0 };

    /// Becomes the schema of these widths, whose field number `sequence` counts; but for the masks. With `signed`, a 64-bit ID keeps
    /// its top bit clear, so that it is never negative as a signed integer; that costs the time field one bit.
    ///
    /// In place, because schemas are large, and without checks: the package checks before it loads the core (js/core/schema.ts). Of a
    /// declaration that it would refuse, only the values are wrong.
    pub fn set(&mut self, widths: &[u8], sequence: usize, epoch: i64, tick_ms: u32, signed: bool, rounding: Rounding) {
        self.layout.set(widths);
        (self.scale, self.sequence) = (Scale::new(epoch, tick_ms, self.last_time(signed), rounding), sequence);
        self.max = self.edge(self.scale.last(), true);
    }

    /// The largest time of the layout. It has at most 53 bits.
    #[expect(clippy::cast_possible_wrap)]
    fn last_time(&self, signed: bool) -> i64 {
        let spare = u32::from(signed && self.layout.bits() == INTEGER_BITS);
        (self.layout.max(TIME) >> spare) as i64
    }

    /// The largest ID.
    pub const fn max(&self) -> u128 {
        self.max
    }

    /// Returns `id`. Errors: `Overflow` if it is larger than the largest ID.
    pub fn check(&self, id: u128) -> Result<u128, Error> {
        if id > self.max { Err(Error::Overflow) } else { Ok(id) }
    }

    /// Fields to ID; `values` high to low, the first is the tick. Errors: `Range`, `EndOfLife`.
    pub fn compose(&self, values: &[u64]) -> Result<u128, Located> {
        Ok(self.living(self.layout.pack(values)?)?)
    }

    /// Returns a composed ID. Errors: `EndOfLife` if its time is past the last tick.
    pub(crate) fn living(&self, id: u128) -> Result<u128, Error> {
        self.check(id).map_err(|_| Error::EndOfLife)
    }

    /// ID to fields, high to low. Errors: `Overflow`.
    pub fn inspect(&self, id: u128, values: &mut [u64]) -> Result<(), Error> {
        self.layout.unpack(self.check(id)?, values);
        Ok(())
    }

    /// The smallest and the largest ID of every tick that overlaps `[from, to)`, both in Unix ms; an infinite end is open. The interval
    /// is cut to the format's life. The caller has checked that `from` is before `to`.
    ///
    /// Errors: `BeforeEpoch` and `EndOfLife` for an interval wholly outside.
    pub fn range(&self, from: f64, to: f64) -> Result<(u128, u128), Error> {
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

    /// A generator with the given fixed fields: `fixed` has one value for each field, high to low; those of the time and the
    /// sequence are ignored. Errors: `Range`.
    pub fn generator(&self, fixed: &[u64], values: SequenceRule) -> Result<Generator, Located> {
        let counts = |field| field == TIME || field == self.sequence;
        let part = |field| if counts(field) { Some(0) } else { fixed.get(field).copied() };
        let parts = self.layout.pack_all((0..).map(part))?;
        let mut generator = Generator::NONE;
        generator.set(&self.scale, values, self.packing(low_bits(parts)));
        Ok(generator)
    }

    /// How a generator packs its IDs. `fixed`: the fixed fields, in place.
    pub(crate) fn packing(&self, fixed: u64) -> Packing {
        let Self { layout, sequence, tick_tock, call, .. } = self;
        Packing {
            time_shift: layout.shift(TIME),
            value_shift: layout.shift(*sequence),
            fixed,
            tick_tock: *tick_tock,
            call: *call,
        }
    }

    /// The rule of a plain counter: it starts every tick at 0, and uses the whole sequence field.
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
