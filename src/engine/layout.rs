//! Fields, high to low: packed into an integer, and taken out again. Knows no format and no time.

use crate::Error;

/// The lower 64 bits: all there are of an ID, but for sno's.
#[expect(clippy::cast_possible_truncation)]
pub const fn low_bits(id: u128) -> u64 {
    id as u64
}

/// One named field of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The specification's own word, in camelCase.
    pub name: &'static str,
    /// Width in bits, 1..=53: every field is a safe integer in JavaScript.
    pub bits: u8,
}

/// The most fields that fit: 64 of one bit each.
pub const MAX_FIELDS: usize = 64;

/// The widest field: what a JavaScript number holds exactly.
const MAX_FIELD_BITS: u8 = 53;

/// The widest ID (sno); everything but sno stays within 64.
const MAX_BITS: u32 = 80;

/// The widths of an ID's fields, high to low. The first is the time.
///
/// ```
/// use graupel::engine::Layout;
/// let layout = Layout::new(&[41, 5, 5, 12]).unwrap();
/// let id = layout.pack(&[1, 2, 3, 4]).unwrap();
/// assert_eq!(id, (1 << 22) | (2 << 17) | (3 << 12) | 4);
/// let mut fields = [0; 4];
/// layout.unpack(id, &mut fields);
/// assert_eq!(fields, [1, 2, 3, 4]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    widths: [u8; MAX_FIELDS],
    count: usize,
}

impl Layout {
    /// A layout from widths, high to low. `None` if a width is not 1..=53, or there are too many bits.
    pub const fn new(widths: &[u8]) -> Option<Self> {
        let mut layout = Self { widths: [0; MAX_FIELDS], count: 0 };
        let mut bits = 0;
        let mut rest = widths;
        while let [width, tail @ ..] = rest {
            if *width == 0 || *width > MAX_FIELD_BITS || layout.count >= MAX_FIELDS {
                return None;
            }
            layout.widths[layout.count] = *width;
            layout.count += 1;
            bits += *width as u32;
            rest = tail;
        }
        if bits == 0 || bits > MAX_BITS { None } else { Some(layout) }
    }

    /// The layout of a table's fields. A table that is no layout does not compile, used in a `const`.
    pub const fn of(fields: &[Field]) -> Self {
        let mut widths = [0; MAX_FIELDS];
        let mut i = 0;
        while i < fields.len() {
            widths[i] = fields[i].bits;
            i += 1;
        }
        match Self::new(widths.split_at(i).0) {
            Some(layout) => layout,
            None => panic!("a table of fields that is no layout"),
        }
    }

    /// The widths, high to low.
    pub fn widths(&self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone {
        self.widths.iter().take(self.count).map(|&width| u32::from(width))
    }

    /// Width of the whole ID.
    pub fn bits(&self) -> u32 {
        self.widths().sum()
    }

    /// How far field `index` lies above the lowest bit; 0 past the last field.
    pub fn shift(&self, index: usize) -> u32 {
        self.widths().skip(index.saturating_add(1)).sum()
    }

    /// The largest value of field `index`; 0 past the last field.
    pub fn max(&self, index: usize) -> u64 {
        self.widths().nth(index).map_or(0, |width| (1_u64 << (width & 63)) - 1)
    }

    /// Fields to integer; `values` high to low. A value that does not fit is named, never cut.
    /// Errors: `Range`; `Conflict` if a value is missing.
    pub fn pack(&self, values: &[u64]) -> Result<u128, Error> {
        if values.len() < self.count {
            return Err(Error::Conflict);
        }
        let mut id = 0_u128;
        for (field, (width, &value)) in self.widths().zip(values).enumerate() {
            if value >> (width & 63) != 0 {
                return Err(Error::Range { field });
            }
            id = (id << (width & 63)) | u128::from(value);
        }
        Ok(id)
    }

    /// Integer to fields; `values` high to low.
    pub fn unpack(&self, mut id: u128, values: &mut [u64]) {
        // Not `zip(..).rev()`, which has a panic inside for iterators that lie about their length.
        let unused = values.len().saturating_sub(self.count);
        let mut widths = self.widths().rev();
        for value in values.iter_mut().rev().skip(unused) {
            let width = widths.next().unwrap_or(0);
            *value = low_bits(id) & ((1_u64 << (width & 63)) - 1);
            id >>= width & 63;
        }
    }
}
