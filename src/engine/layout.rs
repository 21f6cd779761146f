//! Packs fields into an integer, high to low, and unpacks them. It does not depend on any format.
//!
//! The first field is the time. All others together have at most 63 bits, so that they fit the
//! lower 64 bits of an ID. Only sno's time extends above those.

use crate::Error;

/// The lower 64 bits: the whole ID in every format except sno.
#[expect(clippy::cast_possible_truncation)]
pub const fn low_bits(id: u128) -> u64 {
    id as u64
}

/// The bits above the lower 64.
pub(crate) const fn high_bits(id: u128) -> u64 {
    low_bits(id >> u64::BITS)
}

/// The inverse of [`high_bits`] and [`low_bits`].
pub(crate) const fn whole(high: u64, low: u64) -> u128 {
    (high as u128) << u64::BITS | low as u128
}

/// `bits` ones, at most 63.
pub(super) const fn ones(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// One named field of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The specification's name, in camelCase.
    pub name: &'static str,
    /// Width in bits, 1..=53: every field is a safe integer in JavaScript.
    pub bits: u8,
}

/// The most fields that fit: 64 of one bit each.
pub const MAX_FIELDS: usize = 64;

/// The widest field: the bits that a JavaScript number represents exactly.
pub const MAX_FIELD_BITS: u8 = 53;

/// The widest ID: sno's.
const MAX_BITS: u32 = 80;

/// The widest ID of every other format, declared ones included: a 64-bit integer. Signed ones keep
/// the top bit clear.
pub const INTEGER_BITS: u32 = u64::BITS;

/// The most bits of all fields except the time.
const MAX_BELOW: u32 = 63;

/// The position of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The offset from the lowest bit.
    pub shift: u32,
    /// Width.
    pub bits: u32,
}

impl Place {
    /// The largest value.
    pub const fn max(self) -> u64 {
        ones(self.bits)
    }
}

/// The positions of an ID's fields, high to low; the first is the time.
///
/// ```
/// use graupel::engine::Layout;
/// let layout = Layout::new(&[41, 5, 5, 12])?;
/// let id = layout.pack([1, 2, 3, 4]);
/// assert_eq!(id, (1 << 22) | (2 << 17) | (3 << 12) | 4);
/// assert!(layout.values(id).eq([1, 2, 3, 4]));
/// # Ok::<(), graupel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// 0 past the last field.
    widths: [u8; MAX_FIELDS],
    /// The bits of all fields except the time.
    below_time: u32,
}

impl Layout {
    /// Creates a layout from field widths, high to low. Errors: `Range` unless each field has 1 to
    /// 53 bits, all fields together at most 80, and the fields below the time at most 63.
    pub const fn new(widths: &[u8]) -> Result<Self, Error> {
        let (mut all, mut bits, mut index) = ([0; MAX_FIELDS], 0, widths.len());
        while index > 0 {
            index -= 1;
            if widths[index] == 0 || widths[index] > MAX_FIELD_BITS || bits > MAX_BELOW || index >= MAX_FIELDS {
                return Err(Error::Range);
            }
            all[index] = widths[index];
            bits += widths[index] as u32;
        }
        if 0 < bits && bits <= MAX_BITS { Ok(Self::trusted(&all)) } else { Err(Error::Range) }
    }

    /// A layout of widths that [`Self::new`] or JavaScript has checked; 0 past the last field.
    #[inline]
    pub(crate) const fn trusted(widths: &[u8; MAX_FIELDS]) -> Self {
        let (mut below_time, mut index) = (0, 1);
        while index < MAX_FIELDS {
            below_time += widths[index] as u32;
            index += 1;
        }
        Self { widths: *widths, below_time }
    }

    /// The places, high to low.
    #[inline]
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let mut shift = self.bits();
        self.widths.iter().map_while(move |&width| {
            let bits = u32::from(width);
            shift -= bits;
            (bits > 0).then_some(Place { shift, bits })
        })
    }

    /// The place of a field; `None` past the last one.
    pub fn place(&self, index: usize) -> Option<Place> {
        self.places().nth(index)
    }

    /// Width of the whole ID.
    pub const fn bits(&self) -> u32 {
        self.below_time + self.widths[0] as u32
    }

    /// Bits below the time.
    pub const fn below_time(&self) -> u32 {
        self.below_time
    }

    /// The largest time of the layout.
    pub const fn max_time(&self) -> u64 {
        ones(self.widths[0] as u32)
    }

    /// The last tick of a format. A 64-bit ID that is not `unsigned` keeps its top bit 0, so that
    /// it is never negative as a signed integer, which costs the time one bit.
    #[expect(clippy::cast_possible_wrap)]
    pub const fn last_tick(&self, unsigned: bool) -> i64 {
        let spare = self.bits() == INTEGER_BITS && !unsigned;
        (self.max_time() >> spare as u32) as i64
    }

    /// The smallest or the largest ID of a tick. The largest ID of the last tick is the largest of
    /// all.
    #[expect(clippy::cast_sign_loss)]
    pub const fn edge(&self, tick: i64, largest: bool) -> u128 {
        let (time, shift) = (tick as u64, self.below_time());
        whole(above(time, shift), time << shift | if largest { ones(shift) } else { 0 })
    }

    /// Packs fields into an integer, high to low. The caller has checked that each fits.
    pub fn pack(&self, values: impl IntoIterator<Item = u64>) -> u128 {
        let (mut high, mut low) = (0, 0);
        for (place, value) in self.places().zip(values) {
            high |= above(value, place.shift);
            low |= value << place.shift;
        }
        whole(high, low)
    }

    /// The field values of an integer, high to low.
    pub fn values(&self, id: u128) -> impl Iterator<Item = u64> {
        let (high, low) = (high_bits(id), low_bits(id));
        // Only the time has bits above 64. In other fields, these bits are above the largest value,
        // and are masked out.
        let from = move |shift: u32| low >> shift | (high << 1) << (MAX_BELOW - shift);
        self.places().map(move |place| from(place.shift) & place.max())
    }
}

/// The part of a shifted value above the lower 64 bits. Shifts in two steps, because a shift by 64
/// is undefined.
pub(super) const fn above(value: u64, shift: u32) -> u64 {
    (value >> 1) >> (MAX_BELOW - shift)
}
