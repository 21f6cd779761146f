//! The ID that a generator has made last, in the form that its call asks for; and the IDs of the same tick after it.

use core::num::NonZeroUsize;

use crate::abi::{Asked, ID_BYTES, ID_ROOM};
use crate::engine::alphabet::Base32;
use crate::engine::{Generator, low_bits};

/// Bytes of an ID that is no text.
const INTEGER_BYTES: NonZeroUsize = NonZeroUsize::new(size_of::<u64>()).unwrap();

/// An ID in the form that a call asks for.
pub(super) struct EncodedId {
    /// What changes within a tick.
    pub(super) low: LowPart,
    /// The first eight bytes of a text.
    first: u64,
    /// How many bytes there are.
    pub(super) size: NonZeroUsize,
    /// The text form; `None` for integers and numbers.
    text: Option<&'static Base32>,
}

/// The part of an ID that changes within a tick.
#[derive(Clone, Copy)]
pub(super) struct LowPart {
    /// The lowest 64 bits.
    pub(super) bits: u64,
    /// The last eight bytes. In texts of less than 16 they overlap the first eight, and are written after them.
    pub(super) end: u64,
}

impl EncodedId {
    /// The ID that a generator has made last.
    #[inline]
    pub(super) fn new(generator: &Generator, asked: Asked) -> Self {
        let id = generator.whole_id(asked.per_call());
        let (bits, text) = (low_bits(id), asked.text());
        let [first, end] = text.map_or_else(|| [0, number(asked, bits)], |text| text.parts(id));
        Self { low: LowPart { bits, end }, first, size: text.map_or(INTEGER_BYTES, Base32::bytes), text }
    }

    /// The last eight bytes of an ID.
    #[inline]
    pub(super) fn end(&self, bits: u64, asked: Asked) -> u64 {
        self.text.map_or_else(|| number(asked, bits), |text| text.last_part(bits))
    }

    /// The same for an ID of the tick and the call of another one, which ends in `end`.
    #[inline]
    pub(super) fn end_after(&self, end: u64, bits: u64, asked: Asked) -> u64 {
        self.text.map_or_else(|| number(asked, bits), |text| text.last_part_after(end, bits))
    }

    /// Writes the ID, with another end, to the start of a part of the area.
    #[inline]
    pub(super) fn put(&self, to: &mut [u8; ID_ROOM], end: u64) {
        put_parts(to, self.size, [self.first, end]);
    }
}

/// Writes an ID of `size` bytes, 8 to 16: the first eight, then the last eight, which may overlap them.
#[inline]
pub(super) fn put_parts(to: &mut [u8; ID_ROOM], size: NonZeroUsize, [first, last]: [u64; 2]) {
    if let Some(part) = to.first_chunk_mut() {
        *part = first.to_le_bytes();
    }
    // The mask shows the compiler that the part fits, whatever the size is.
    let start = (size.get() - size_of::<u64>()) & (ID_BYTES - 1);
    if let Some(part) = to.get_mut(start..).and_then(<[u8]>::first_chunk_mut) {
        *part = last.to_le_bytes();
    }
}

/// The bits of an ID as an integer, or as an `f64`. IDs in that form have at most 53 bits, so the cheaper signed conversion is
/// exact.
#[expect(clippy::cast_precision_loss)]
#[inline]
const fn number(asked: Asked, id: u64) -> u64 {
    if asked.is_number() { (id.cast_signed() as f64).to_bits() } else { id }
}
