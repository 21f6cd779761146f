//! Encodes the last ID of a generator in the form of its call, and the following IDs of the same
//! tick.

use core::num::NonZeroUsize;

use crate::abi::{Asked, ID_BYTES, ID_ROOM};
use crate::engine::alphabet::Base32;
use crate::engine::{Generator, low_bits, with_bits};

/// The bytes of an ID that is not a text.
const INTEGER_BYTES: NonZeroUsize = NonZeroUsize::new(size_of::<u64>()).unwrap();

/// The shared parts of the IDs of one tick, in the form of their call.
pub(super) struct EncodedId {
    /// The flags of the call.
    pub(super) asked: Asked,
    /// The lowest 64 bits, in which the value is 0.
    rest: u64,
    /// The first eight bytes of a text.
    first: u64,
    /// The last eight bytes of one of the IDs. In texts shorter than 16, they overlap the first
    /// eight, and are written after them.
    pub(super) end: u64,
    /// The number of bytes.
    pub(super) size: NonZeroUsize,
    /// The text form; `None` for integers and numbers.
    text: Option<&'static Base32>,
}

impl EncodedId {
    /// The last ID of a generator.
    #[inline]
    pub(super) fn new(generator: &Generator, asked: Asked) -> Self {
        let id = generator.whole_id(asked.per_call_bits());
        let (bits, text) = (low_bits(id), asked.text());
        let [first, end] = text.map_or_else(|| [0, number(asked, bits)], |text| text.parts(id));
        let rest = bits - (generator.latest().1 << generator.packing().value_shift);
        Self { asked, rest, first, end, size: text.map_or(INTEGER_BYTES, Base32::bytes), text }
    }

    /// Changes the call's own bits, whose mask is `per_call_bits`, to those of another call.
    /// Computes everything before it stores anything, because the call may be cut off.
    #[inline]
    pub(super) fn vary(&mut self, per_call_bits: u64, asked: Asked) {
        let rest = with_bits(self.rest, per_call_bits, asked.per_call_bits());
        let end = self.text.map_or(0, |text| text.last_part(rest));
        (self.rest, self.end, self.asked) = (rest, end, asked);
    }

    /// The last eight bytes of the ID with this value.
    #[inline]
    pub(super) fn end_with(&self, value: u64, value_shift: u32) -> u64 {
        let bits = self.rest + (value << value_shift);
        self.text.map_or_else(|| number(self.asked, bits), |text| text.last_part_after(self.end, bits))
    }

    /// Writes an ID with this end to the start of a part of the area.
    #[inline]
    pub(super) fn put(&self, to: &mut [u8; ID_ROOM], end: u64) {
        put_parts(to, self.size, [self.first, end]);
    }
}

/// Writes an ID of `size` bytes, 8 to 16: the first eight, then the last eight, which may overlap
/// them.
#[inline]
pub(super) fn put_parts(to: &mut [u8; ID_ROOM], size: NonZeroUsize, [first, last]: [u64; 2]) {
    if let Some(part) = to.first_chunk_mut() {
        *part = first.to_le_bytes();
    }
    // The mask shows the compiler that the part fits for any size.
    let start = (size.get() - size_of::<u64>()) & (ID_BYTES - 1);
    if let Some(part) = to.get_mut(start..).and_then(<[u8]>::first_chunk_mut) {
        *part = last.to_le_bytes();
    }
}

/// The bits of an ID as an integer, or as an `f64`. IDs in that form have at most 53 bits, so the
/// cheaper signed conversion is exact.
#[expect(clippy::cast_precision_loss)]
#[inline]
const fn number(asked: Asked, id: u64) -> u64 {
    if asked.is_number() { (id.cast_signed() as f64).to_bits() } else { id }
}
