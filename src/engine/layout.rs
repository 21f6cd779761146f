//! Packs fields into an integer, high to low, and unpacks them. Does not depend on any format.
//!
//! The first field is the time. All others together have at most 63 bits, so that they fit the lower 64 bits of an ID. Only
//! sno's time extends above those.

use core::iter;

use crate::{Error, Located};

/// The lower 64 bits: the whole ID in every format except sno.
#[expect(clippy::cast_possible_truncation)]
pub const fn low_bits(id: u128) -> u64 {
    id as u64
}

/// The bits above the lower 64.
const fn high_bits(id: u128) -> u64 {
    low_bits(id >> u64::BITS)
}

/// The inverse of [`high_bits`] and [`low_bits`].
pub(super) const fn whole(high: u64, low: u64) -> u128 {
    (high as u128) << u64::BITS | low as u128
}

/// `bits` ones, at most 63.
pub(super) const fn ones(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// One named field of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The specification's own word, in camelCase.
    pub name: &'static str,
    /// Width in bits, 1..=53: every field is a safe integer in JavaScript.
    pub bits: u8,
}

/// Index of the time among the fields.
pub const TIME: usize = 0;

/// The most fields that fit: 64 of one bit each.
pub const MAX_FIELDS: usize = 64;

/// The widest field: what a JavaScript number holds exactly.
pub const MAX_FIELD_BITS: u8 = 53;

/// The widest ID: sno's.
const MAX_BITS: u8 = 80;

/// The widest ID of every other format, declared ones included: a 64-bit integer. Signed ones keep the top bit clear.
pub const INTEGER_BITS: u32 = u64::BITS;

/// The most bits of all fields but the time.
const MAX_BELOW: u8 = 63;

/// Where a field lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    /// Distance from the lowest bit.
    shift: u8,
    /// Width.
    bits: u8,
}

impl Place {
    /// The largest value.
    const fn max(self) -> u64 {
        ones(self.bits as u32)
    }
}

/// The places of an ID's fields, high to low; the first is the time.
///
/// ```
/// use graupel::engine::Layout;
/// let mut layout = Layout::NONE;
/// layout.set(&[41, 5, 5, 12]);
/// let id = layout.pack(&[1, 2, 3, 4]).unwrap();
/// assert_eq!(id, (1 << 22) | (2 << 17) | (3 << 12) | 4);
/// let mut fields = [0; 4];
/// layout.unpack(id, &mut fields);
/// assert_eq!(fields, [1, 2, 3, 4]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Places past the last field have no width.
    places: [Place; MAX_FIELDS],
}

impl Layout {
    /// No fields at all.
    pub const NONE: Self = Self { places: [Place { shift: 0, bits: 0 }; MAX_FIELDS] };

    /// Becomes the layout of these widths, high to low; in place, because layouts are large. Invalid widths give wrong values, never a
    /// trap.
    pub const fn set(&mut self, widths: &[u8]) {
        let (mut index, mut shift) = (MAX_FIELDS, 0_u8);
        while index > 0 {
            index -= 1;
            let bits = if index < widths.len() { widths[index] } else { 0 };
            self.places[index] = Place { shift, bits };
            shift += bits;
        }
    }

    /// Whether fields are a layout: each has 1 to 53 bits, all have at most 80, and all below the time at most 63.
    pub const fn fits(fields: &[Field]) -> bool {
        let (mut below, mut index) = (0, fields.len());
        while index > 0 {
            index -= 1;
            let bits = fields[index].bits;
            if bits == 0 || bits > MAX_FIELD_BITS || below > MAX_BELOW {
                return false;
            }
            below += bits;
        }
        0 < below && below <= MAX_BITS
    }

    /// The layout of a table's fields. Panics, or in a `const` does not compile, unless they fit.
    pub const fn of(fields: &[Field]) -> Self {
        assert!(Self::fits(fields), "these fields are not a layout");
        let mut widths = [0; MAX_FIELDS];
        let mut index = fields.len();
        while index > 0 {
            index -= 1;
            widths[index] = fields[index].bits;
        }
        let mut layout = Self::NONE;
        layout.set(widths.split_at(fields.len()).0);
        layout
    }

    fn places(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().take_while(|place| place.bits > 0)
    }

    const fn place(&self, index: usize) -> Place {
        if index < MAX_FIELDS { self.places[index] } else { Place { shift: 0, bits: 0 } }
    }

    /// The widths, high to low.
    pub fn widths(&self) -> impl Iterator<Item = u32> {
        self.places().map(|place| place.bits.into())
    }

    /// Width of the whole ID.
    pub const fn bits(&self) -> u32 {
        self.shift(TIME) + self.places[TIME].bits as u32
    }

    /// Distance of field `index` from the lowest bit; 0 past the last field.
    pub const fn shift(&self, index: usize) -> u32 {
        self.place(index).shift as u32
    }

    /// The largest value of field `index`; 0 past the last field.
    pub const fn max(&self, index: usize) -> u64 {
        self.place(index).max()
    }

    /// Fields to integer; `values` high to low. Errors: `Range` with the field of a value that is too large or missing.
    pub fn pack(&self, values: &[u64]) -> Result<u128, Located> {
        self.pack_all(values.iter().copied().map(Some).chain(iter::repeat(None)))
    }

    /// The same from an iterator; `None` counts as a value that does not fit.
    pub(crate) fn pack_all(&self, values: impl Iterator<Item = Option<u64>>) -> Result<u128, Located> {
        let (mut high, mut low) = (0, 0);
        for (position, (place, value)) in self.places.iter().zip(values).enumerate() {
            if place.bits == 0 {
                break;
            }
            let value = value.filter(|&value| value <= place.max()).ok_or(Located { error: Error::Range, position })?;
            high |= above(value, place.shift.into());
            low |= value << place.shift;
        }
        Ok(whole(high, low))
    }

    /// Integer to fields; `values` high to low.
    pub fn unpack(&self, id: u128, values: &mut [u64]) {
        for (field, value) in values.iter_mut().zip(self.values(id)) {
            *field = value;
        }
    }

    /// The fields of an integer, high to low.
    pub(crate) fn values(&self, id: u128) -> impl Iterator<Item = u64> {
        let (high, low) = (high_bits(id), low_bits(id));
        // Only the time has bits above 64. For other fields they lie above the largest value, and are masked out.
        let from = move |shift: u32| low >> shift | (high << 1) << above_shift(shift);
        self.places().map(move |place| from(place.shift.into()) & place.max())
    }
}

/// The part of a shifted value above the lower 64 bits. Shifts in two steps, because a shift by 64 is not defined.
pub(super) const fn above(value: u64, shift: u32) -> u64 {
    (value >> 1) >> above_shift(shift)
}

/// What is left of such a shift after the first step.
const fn above_shift(shift: u32) -> u32 {
    MAX_BELOW as u32 - shift
}
