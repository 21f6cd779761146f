//! A layout with a scale of ticks: everything needed to generate, check, read and query IDs of one
//! format with one epoch. It is built from a row or a declaration.

use super::{Layout, Packing, Rounding, Scale};
use crate::Error;

/// A format with its epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    layout: Layout,
    scale: Scale,
    /// The offset of the sequence from the lowest bit.
    value_shift: u32,
    marks: Marks,
}

/// The masks of two special fields; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// The mask of the bit that toggles when the clock goes back.
    pub tick_tock: u64,
    /// The mask of the bits that each call passes. They are among the lowest 40 bits, the last
    /// eight characters of a text.
    pub per_call_bits: u64,
}

impl Schema {
    /// The schema of a layout, in which the field with the index `sequence` counts. Errors: `Range`
    /// unless that is a field below the time, and those of [`Scale::new`].
    pub fn new(
        layout: Layout,
        sequence: usize,
        epoch: i64,
        tick_ms: u32,
        unsigned: bool,
        rounding: Rounding,
    ) -> Result<Self, Error> {
        let scale = Scale::new(epoch, tick_ms, layout.last_tick(unsigned), rounding)?;
        let place = layout.place(sequence).filter(|_| sequence > 0).ok_or(Error::Range)?;
        Ok(Self::trusted(layout, place.shift, scale, Marks::default()))
    }

    /// A schema of parts that [`Self::new`] or JavaScript has checked.
    pub(crate) const fn trusted(layout: Layout, value_shift: u32, scale: Scale, marks: Marks) -> Self {
        Self { layout, scale, value_shift, marks }
    }

    /// The same schema with two special fields.
    pub(crate) const fn with(self, marks: Marks) -> Self {
        Self { marks, ..self }
    }

    /// Fields and widths.
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Ticks.
    pub const fn scale(&self) -> &Scale {
        &self.scale
    }

    /// The largest ID.
    pub const fn max(&self) -> u128 {
        self.layout.edge(self.scale.last(), true)
    }

    /// The smallest and the largest ID of all ticks that overlap `[from, to)`, in Unix ms; an
    /// infinite end is open. The interval is limited to the format's life. The caller has checked
    /// that `from` is before `to`.
    ///
    /// Errors: `BeforeEpoch` and `EndOfLife` if the whole interval is outside.
    pub fn range(&self, from: f64, to: f64) -> Result<(u128, u128), Error> {
        let first = match self.scale.tick_from(from) {
            Err(Error::BeforeEpoch) => 0,
            tick => tick?,
        };
        let last = match self.scale.tick_before(to) {
            Err(Error::EndOfLife) => self.scale.last(),
            tick => tick?,
        };
        Ok((self.layout.edge(first, false), self.layout.edge(last, true)))
    }

    /// The packing of a generator's IDs. `fixed`: the fixed fields, in place, and 0 elsewhere.
    pub fn packing(&self, fixed: u64) -> Packing {
        let Marks { tick_tock, per_call_bits } = self.marks;
        Packing { time_shift: self.layout.below_time(), value_shift: self.value_shift, fixed, tick_tock, per_call_bits }
    }
}
