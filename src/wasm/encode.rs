//! The ID that a generator has made last, in the form that its call asks for; and the IDs of the same tick after it.

use super::memory::put_parts;
use crate::abi::{CALL_SHIFT, FORM_NUMBER, FORM_SHIFT, FORMS, TEXT};
use crate::engine::alphabet::Base32;
use crate::engine::{Generator, low_bits, with_bits};
use crate::formats::TEXTS;

/// An ID in the form that a call asks for.
pub(super) struct EncodedId {
    /// What changes within a tick.
    pub(super) low: LowPart,
    /// The first eight bytes of a text.
    first: u64,
    /// How many bytes there are.
    pub(super) size: usize,
    /// The text form; `None` for integers and numbers.
    text: Option<&'static Base32>,
    /// Distance of the sequence from the lowest bit.
    shift: u32,
    /// Mask of the bits that come with a call.
    call: u64,
}

/// The part of an ID that changes within a tick.
pub(super) struct LowPart {
    /// The lowest 64 bits.
    pub(super) bits: u64,
    /// The last eight bytes. In texts of less than 16 they overlap the first eight, and are written after them.
    pub(super) end: u64,
}

impl EncodedId {
    pub(super) const NONE: Self =
        Self { low: LowPart { bits: 0, end: 0 }, first: 0, size: 0, text: None, shift: 0, call: 0 };

    /// Becomes the ID that a generator has made last. `flags`: as in [`super::generator_calls::next`].
    #[inline(never)]
    pub(super) fn set(&mut self, generator: &Generator, flags: u32) {
        let id = generator.whole_id(call(flags));
        self.shift = generator.packing.value_shift;
        self.call = generator.packing.call;
        self.text = text_of(flags);
        self.size = self.text.map_or(size_of::<u64>(), Base32::length);
        self.low.bits = low_bits(id);
        match self.text {
            Some(text) => [self.first, self.low.end] = text.parts(id),
            None => self.low.end = number(flags, self.low.bits),
        }
    }

    /// The bits of an ID of the same tick whose value is larger by `step`.
    #[inline]
    pub(super) fn bits_after(&self, bits: u64, step: u64) -> u64 {
        bits + (step << self.shift)
    }

    /// The bits of the ID whose value is larger by `step` than that of this one, with the bits of another call.
    #[inline]
    pub(super) fn bits_after_with(&self, flags: u32, step: u64) -> u64 {
        self.bits_after(with_bits(self.low.bits, self.call, call(flags)), step)
    }

    /// The last eight bytes of an ID.
    #[inline]
    pub(super) fn end(&self, bits: u64, flags: u32) -> u64 {
        self.text.map_or_else(|| number(flags, bits), |text| text.last_part(bits))
    }

    /// The same for an ID of the tick and the call of another one, which ends in `end`.
    #[inline]
    pub(super) fn end_after(&self, end: u64, bits: u64, flags: u32) -> u64 {
        self.text.map_or_else(|| number(flags, bits), |text| text.last_part_after(end, bits))
    }

    /// Writes the ID, with another end, to an offset of the area.
    #[inline]
    pub(super) fn put(&self, offset: usize, end: u64) {
        put_parts(offset, self.size, [self.first, end]);
    }
}

/// The bits of an ID as an integer, or as an `f64`. IDs in that form have at most 53 bits, so the cheaper signed conversion is
/// exact.
#[expect(clippy::cast_precision_loss)]
#[inline]
const fn number(flags: u32, id: u64) -> u64 {
    if flags & FORMS == FORM_NUMBER { (id.cast_signed() as f64).to_bits() } else { id }
}

/// The bits that come with a call.
const fn call(flags: u32) -> u64 {
    (flags >> CALL_SHIFT) as u64
}

/// The text form with a number, whose bits below [`TEXT`] are the index. The remainder keeps any number within the table.
pub(super) fn text_form(number: u32) -> &'static Base32 {
    TEXTS[(number & (TEXT - 1)) as usize % TEXTS.len()]
}

/// The text form in which a call leaves IDs; `None` if it leaves integers or numbers.
#[inline]
fn text_of(flags: u32) -> Option<&'static Base32> {
    if flags & TEXT << FORM_SHIFT == 0 { None } else { Some(text_form(flags >> FORM_SHIFT)) }
}
