//! What a generator has just made, in the form that its call asks for; and how the same call goes on from there.

use super::entropy::draw;
use super::memory::put_parts;
use crate::area::{FORM_CROCKFORD, FORM_NUMBER, FORM_SNO, FORMS, METABYTE_SHIFT, METABYTES};
use crate::engine::alphabet::Base32;
use crate::engine::{Generator, Run, low_bits};
use crate::formats::{sno, ulid_flake};

/// An ID, ready to be left to the caller.
pub(super) struct Made {
    /// Its lowest 64 bits.
    id: u64,
    /// Its bytes, in two parts that may overlap: those that it starts with, and those that it ends with. Only the last ones
    /// change within a tick.
    parts: [u64; 2],
    /// How many bytes there are.
    size: usize,
    /// Distance of what counts within a tick from the lowest bit.
    shift: u32,
}

impl Made {
    const NONE: Self = Self { id: 0, parts: [0; 2], size: 0, shift: 0 };

    /// The ID that a generator has made last. `how`: as in [`super::generators::next`].
    #[inline(never)]
    pub(super) fn set(&mut self, generator: &Generator, how: u32) {
        self.shift = generator.packing.value_shift;
        self.size = size(how);
        self.id = generator.id();
        if is_text(how) {
            let (alphabet, length) = text_of(how);
            let whole = if how & FORMS == FORM_SNO { sno::id(generator, metabyte(how)) } else { self.id.into() };
            self.id = low_bits(whole);
            self.parts = alphabet.parts(whole, length);
        } else {
            self.parts[1] = number(how, self.id);
        }
    }

    /// On to the ID whose value is further up by a `step`, within the same tick.
    #[inline]
    pub(super) fn rise(&mut self, how: u32, step: u64) {
        self.id = self.id.wrapping_add(step.wrapping_shl(self.shift));
        self.parts[1] =
            if is_text(how) { text_of(how).0.last_part_after(self.parts[1], self.id) } else { number(how, self.id) };
    }

    /// The same ID with another metabyte, which the last part of the text starts with.
    #[inline]
    fn mark(&mut self, metabyte: u8) {
        self.id = sno::with_metabyte(self.id, metabyte);
        self.parts[1] = Base32::SNO.last_part_before(self.parts[1], self.id);
    }

    /// To an offset of the area.
    #[inline]
    pub(super) fn put(&self, offset: usize) {
        put_parts(offset, self.size, self.parts);
    }
}

/// An ID as the bits of an integer, or of a number if it has at most 53: then its sign tells nothing, and costs nothing.
#[expect(clippy::cast_precision_loss)]
#[inline]
const fn number(how: u32, id: u64) -> u64 {
    if how & FORMS == FORM_NUMBER { (id.cast_signed() as f64).to_bits() } else { id }
}

/// Bytes that an ID takes.
pub(super) fn size(how: u32) -> usize {
    if is_text(how) { text_of(how).1 } else { size_of::<u64>() }
}

/// The metabyte of a call.
#[expect(clippy::cast_possible_truncation)]
const fn metabyte(how: u32) -> u8 {
    (how >> METABYTE_SHIFT) as u8
}

const fn is_text(how: u32) -> bool {
    how & FORM_SNO != 0
}

/// Alphabet and length of one of the two texts.
pub(super) const fn text_form(crockford: bool) -> (&'static Base32, usize) {
    if crockford { (&Base32::CROCKFORD, ulid_flake::TEXT_LENGTH) } else { (&Base32::SNO, sno::TEXT_LENGTH) }
}

const fn text_of(how: u32) -> (&'static Base32, usize) {
    text_form(how & FORMS == FORM_CROCKFORD)
}

/// Slot, policies and form, reading, bound.
pub(super) type Call = (usize, u32, f64, f64);

/// A call that has made an ID. The same call again, if with another metabyte, goes on from here when nothing has been done to
/// any slot in between.
pub(super) struct Running {
    pub(super) call: Call,
    pub(super) run: Run,
    pub(super) made: Made,
}

impl Running {
    /// Of a call that equals none.
    pub(super) const NONE: Self = Self { call: (0, 0, f64::NAN, 0.0), run: Run::NONE, made: Made::NONE };

    /// Starts from that call, which has just made an ID.
    pub(super) fn start(&mut self, call: Call, generator: &Generator) {
        (self.call, self.run) = (call, generator.run());
    }

    /// On to the next ID of the tick, if the call is the same; `None` if the generator has to be asked.
    #[inline]
    pub(super) fn advance(&mut self, call: Call) -> Option<()> {
        let (index, how, now, max_ahead) = self.call;
        let other = how ^ call.1;
        if (index, now, max_ahead) != (call.0, call.2, call.3) || other & !METABYTES != 0 {
            return None;
        }
        let step = match self.run.bytes() {
            0 => 1,
            bytes => draw(bytes)?,
        };
        self.run.next(step)?;
        self.made.rise(how, step);
        if other != 0 {
            self.call.1 = call.1;
            if how & FORMS == FORM_SNO {
                self.made.mark(metabyte(call.1));
            }
        }
        Some(())
    }

    /// No call goes on from here any more; the slot of the generator that has to hear of it.
    pub(super) fn end(&mut self) -> Option<usize> {
        let time = core::mem::replace(&mut self.call.2, f64::NAN);
        if time.is_nan() { None } else { Some(self.call.0) }
    }
}
