//! The ID that a generator has just made, in the form that its call asks for; and how the same call continues from there.

use super::entropy::draw;
use super::memory::put_parts;
use crate::abi::{CALL_SHIFT, FLAGS, FORM_NUMBER, FORM_SHIFT, FORMS, TEXT};
use crate::engine::alphabet::Base32;
use crate::engine::{Generator, TickBurst, low_bits, with_bits};
use crate::formats::TEXTS;

/// An ID in the form that a call asks for.
pub(super) struct EncodedId {
    /// Its lowest 64 bits.
    id: u64,
    /// Its first and its last eight bytes, which may overlap. Within a tick only the last ones change.
    parts: [u64; 2],
    /// How many bytes there are.
    size: usize,
    /// The text form; `None` for integers and numbers.
    text: Option<&'static Base32>,
    /// Distance of the sequence from the lowest bit.
    shift: u32,
    /// The bits that come with a call, in place.
    call: u64,
}

impl EncodedId {
    const NONE: Self = Self { id: 0, parts: [0; 2], size: 0, text: None, shift: 0, call: 0 };

    /// Becomes the ID that a generator has made last. `flags`: as in [`super::generator_calls::next`].
    #[inline(never)]
    pub(super) fn set(&mut self, generator: &Generator, flags: u32) {
        let id = generator.whole_id(call(flags));
        self.shift = generator.packing.value_shift;
        self.call = generator.packing.call;
        self.text = text_of(flags);
        self.size = size(self.text);
        self.id = low_bits(id);
        match self.text {
            Some(text) => self.parts = text.parts(id),
            None => self.parts[1] = number(flags, self.id),
        }
    }

    /// Becomes the ID of the same tick whose value is larger by `step`.
    #[inline]
    pub(super) fn advance(&mut self, flags: u32, step: u64) {
        self.id = self.id.wrapping_add(step.wrapping_shl(self.shift));
        self.parts[1] = match self.text {
            Some(text) => text.last_part_after(self.parts[1], self.id),
            None => number(flags, self.id),
        };
    }

    /// [`Self::advance`], and replaces the bits of the call.
    #[inline]
    fn advance_to(&mut self, flags: u32, step: u64) {
        self.id = with_bits(self.id, self.call, call(flags)).wrapping_add(step.wrapping_shl(self.shift));
        self.parts[1] = match self.text {
            Some(text) => text.last_part(self.id),
            None => number(flags, self.id),
        };
    }

    /// Writes the ID to an offset of the area.
    #[inline]
    pub(super) fn put(&self, offset: usize) {
        put_parts(offset, self.size, self.parts);
    }
}

/// The bits of an ID as an integer, or as an `f64`. IDs in that form have at most 53 bits, so the cheaper signed conversion is
/// exact.
#[expect(clippy::cast_precision_loss)]
#[inline]
const fn number(flags: u32, id: u64) -> u64 {
    if flags & FORMS == FORM_NUMBER { (id.cast_signed() as f64).to_bits() } else { id }
}

/// Bytes that an ID takes.
pub(super) fn size(text: Option<&Base32>) -> usize {
    text.map_or(size_of::<u64>(), Base32::length)
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
pub(super) fn text_of(flags: u32) -> Option<&'static Base32> {
    if flags & TEXT << FORM_SHIFT == 0 { None } else { Some(text_form(flags >> FORM_SHIFT)) }
}

/// Slot, flags, reading, and bound of running ahead.
pub(super) type Call = (usize, u32, f64, f64);

/// A call that has made an ID. The same call, possibly with other bits of its own, continues from here unless a slot
/// was accessed in between.
pub(super) struct OngoingCall {
    pub(super) call: Call,
    pub(super) burst: TickBurst,
    pub(super) encoded: EncodedId,
}

impl OngoingCall {
    /// Equals no call, because NaN equals no reading.
    pub(super) const NONE: Self =
        Self { call: (0, 0, f64::NAN, 0.0), burst: TickBurst::NONE, encoded: EncodedId::NONE };

    /// Starts from that call, which has just made an ID.
    pub(super) fn start(&mut self, call: Call, generator: &Generator) {
        (self.call, self.burst) = (call, generator.burst());
    }

    /// Makes the next ID of the tick if the call is the same; `None` if the generator has to be asked.
    #[inline]
    pub(super) fn advance(&mut self, call: Call) -> Option<()> {
        let (index, flags, now, max_ahead) = self.call;
        let other = flags ^ call.1;
        if (index, now, max_ahead) != (call.0, call.2, call.3) || other & FLAGS != 0 {
            return None;
        }
        let step = match self.burst.bytes() {
            0 => 1,
            bytes => draw(bytes)?,
        };
        self.burst.next(step)?;
        if other == 0 {
            self.encoded.advance(flags, step);
        } else {
            self.call.1 = call.1;
            self.encoded.advance_to(call.1, step);
        }
        Some(())
    }

    /// Ends the call; returns the slot of the generator that has to record the burst.
    pub(super) fn end(&mut self) -> Option<usize> {
        let time = core::mem::replace(&mut self.call.2, f64::NAN);
        if time.is_nan() { None } else { Some(self.call.0) }
    }
}
