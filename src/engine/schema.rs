//! A layout with a scale of ticks: all that is needed to make, check, read and query IDs of one format
//! with one epoch. Built from a table row or from a declaration; nothing here knows a format by name.

use super::{Generator, Layout, Packing, Rounding, Scale, Values, low_bits};
use crate::Error;

/// Index of the time among the fields.
const TIME: usize = 0;

/// A format with its epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Fields and widths.
    pub layout: Layout,
    /// Ticks.
    pub scale: Scale,
    /// Which field counts (or is random) within a tick.
    pub sequence: usize,
}

impl Schema {
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
        let spare = u32::from(signed && layout.bits() == u64::BITS);
        let last = layout.max(TIME) >> spare;
        if sequence == TIME || layout.max(sequence) == 0 {
            return None;
        }
        let scale = Scale::new(epoch, tick_ms, i64::try_from(last).ok()?, rounding)?;
        Some(Self { layout, scale, sequence })
    }

    /// The largest ID.
    pub fn max(&self) -> u128 {
        let below = self.layout.shift(TIME);
        (tick_bits(self.scale.last()) << (below & 127)) | mask(below)
    }

    /// Refuses an integer that is larger than the largest ID.
    pub fn check(&self, id: u128) -> Result<u128, Error> {
        if id > self.max() { Err(Error::Overflow) } else { Ok(id) }
    }

    /// Fields to ID; `values` high to low, the first is the tick.
    pub fn compose(&self, values: &[u64]) -> Result<u128, Error> {
        let id = self.layout.pack(values)?;
        self.check(id).map_err(|_| Error::EndOfLife)
    }

    /// ID to fields, high to low.
    pub fn inspect(&self, id: u128, values: &mut [u64]) -> Result<(), Error> {
        self.layout.unpack(self.check(id)?, values);
        Ok(())
    }

    /// The smallest and the largest ID of every tick that overlaps `[from, to)`, both in Unix ms.
    pub fn range(&self, from: f64, to: f64) -> Result<(u128, u128), Error> {
        // `!(from < to)` also catches NaN.
        #[expect(clippy::neg_cmp_op_on_partial_ord)]
        if !(from < to) {
            return Err(Error::Conflict);
        }
        let below = self.layout.shift(TIME);
        let first = self.scale.tick_from(from)?;
        let last = self.scale.tick_before(to)?;
        Ok((tick_bits(first) << (below & 127), (tick_bits(last) << (below & 127)) | mask(below)))
    }

    /// A generator for the given values of all fields but the time and the sequence: `fixed` has one entry a
    /// field, high to low; the entries of those two are not looked at. Errors: `Range`.
    pub fn generator(&self, fixed: &[u64], values: Values) -> Result<Generator, Error> {
        let mut parts = [0; super::MAX_FIELDS];
        for (field, (part, &value)) in parts.iter_mut().zip(fixed).enumerate() {
            *part = if field == TIME || field == self.sequence { 0 } else { value };
        }
        let packing = Packing {
            time_shift: self.layout.shift(TIME),
            value_shift: self.layout.shift(self.sequence),
            fixed: low_bits(self.layout.pack(&parts)?),
        };
        Ok(Generator::new(self.scale, values, packing))
    }

    /// The plain counter: the whole sequence field, from 0 in every tick.
    pub fn counter(&self) -> Values {
        Values::Counter { first: 0, last: self.layout.max(self.sequence), restart: 0 }
    }
}

#[expect(clippy::cast_sign_loss)]
fn tick_bits(tick: i64) -> u128 {
    u128::from(tick as u64)
}

fn mask(bits: u32) -> u128 {
    (1_u128 << (bits & 127)) - 1
}
