//! The contract of the boundary: the area of memory, the flags of calls, and their statuses. The
//! build writes the numbers to js/generated/constants.ts.

use core::mem::offset_of;

use crate::Error;
use crate::engine::alphabet::Base32;
use crate::engine::{Backwards, Full, MAX_FIELDS, high_bits, low_bits, whole};
use crate::formats::TEXTS;

/// The area of memory, which both sides read and write in place.
#[repr(C, align(16))]
pub struct Area {
    /// One ID.
    pub register: Register,
    /// A second ID, for ranges.
    pub second: Register,
    /// Field values, high to low; or the saved numbers of a generator.
    pub fields: [f64; MAX_FIELDS],
    /// The detail of a status: a tick, a time, or the number of bytes to draw.
    pub detail: f64,
    /// The number of the error for a caller that cannot wait.
    pub cause: f64,
    /// The number of IDs in the batch.
    pub filled: f64,
    spare: [f64; 5],
    /// One ID, or its text; for a new schema, the widths of the fields.
    pub data: [u8; MAX_FIELDS],
    /// IDs.
    pub batch: [u8; BATCH_BYTES],
}

/// An ID as a little-endian integer, and, if it has at most 53 bits, as a number.
#[repr(C)]
pub struct Register {
    bits: [u64; 2],
    number: f64,
    spare: f64,
}

/// Offset of the ID register.
pub const REGISTER: usize = offset_of!(Area, register);
/// Offset of the second ID register.
pub const SECOND: usize = offset_of!(Area, second);
/// Offset of the `f64` within a register.
pub const AS_NUMBER: usize = offset_of!(Register, number);
/// Offset of the field values.
pub const FIELDS: usize = offset_of!(Area, fields);
/// Offset of [`Area::detail`].
pub const DETAIL: usize = offset_of!(Area, detail);
/// Offset of [`Area::cause`].
pub const CAUSE: usize = offset_of!(Area, cause);
/// Offset of [`Area::filled`].
pub const FILLED: usize = offset_of!(Area, filled);
/// Offset of a text, or of one ID.
pub const DATA: usize = offset_of!(Area, data);
/// Offset of a batch of IDs.
pub const BATCH: usize = offset_of!(Area, batch);
/// The most IDs of one batch, in any form.
pub const BATCH_IDS: usize = 1024;
/// The most bytes of an ID: the longest text form.
pub const ID_BYTES: usize = longest_text();
/// The bytes needed to write an ID: a part of 8 bytes may begin at any byte of it.
pub const ID_ROOM: usize = ID_BYTES + size_of::<u64>();
const BATCH_BYTES: usize = (BATCH_IDS - 1) * ID_BYTES + ID_ROOM;
/// How many generators the module holds at a time: one for each partition of sno, and a thousand
/// others. Platforms allocate no memory for unused slots.
pub const SLOTS: usize = (1 << 16) + 1024;

/// The length of the longest of [`TEXTS`], so that a batch of any form fits the area.
const fn longest_text() -> usize {
    let (mut longest, mut index) = (0, 0);
    while index < TEXTS.len() {
        let length = TEXTS[index].length();
        longest = if length > longest { length } else { longest };
        index += 1;
    }
    longest
}

/// A number, or a text in two parts, fits the room of an ID.
const _: () = assert!(size_of::<u64>() <= ID_BYTES && ID_ROOM <= MAX_FIELDS);

impl Area {
    /// All zeros.
    pub const NEW: Self = Self {
        register: Register::NEW,
        second: Register::NEW,
        fields: [0.0; MAX_FIELDS],
        detail: 0.0,
        cause: 0.0,
        filled: 0.0,
        spare: [0.0; 5],
        data: [0; MAX_FIELDS],
        batch: [0; BATCH_BYTES],
    };

    /// The room for one ID.
    pub const fn one(&mut self) -> &mut [u8; ID_ROOM] {
        let (one, _) = self.data.split_first_chunk_mut().unwrap();
        one
    }
}

impl Register {
    const NEW: Self = Self { bits: [0; 2], number: 0.0, spare: 0.0 };

    /// The ID.
    pub const fn id(&self) -> u128 {
        whole(self.bits[1], self.bits[0])
    }

    /// Writes an ID, in both forms.
    #[expect(clippy::cast_precision_loss)]
    pub fn put(&mut self, id: u128) {
        (self.bits, self.number) = ([low_bits(id), high_bits(id)], low_bits(id) as f64);
    }
}

/// The status that a call of the module returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Status(u32);

impl Status {
    /// The call succeeded. The numbers of the errors follow ([`Error::number`]).
    pub const DONE: Self = Self(0);
    /// There is no ID until the clock reads [`Area::detail`] (Unix ms). [`Area::cause`] has the
    /// error for a caller that cannot wait.
    #[expect(clippy::cast_possible_truncation)]
    pub const WAIT: Self = Self(Error::NAMES.len() as u32);
    /// Ask again with [`Area::detail`] random bytes.
    pub const DRAW: Self = Self(Self::WAIT.0 + 1);
    /// There are too few random bytes; ask again after `refill`.
    pub const REFILL: Self = Self(Self::DRAW.0 + 1);

    /// The number that crosses the boundary.
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        Self(error.number().into())
    }
}

/// The flags of a call: the two policies, or a mark for a given time; the form of the ID; and the
/// bits of the call. It is one number, so that a call can be compared with the previous one at
/// once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked(u32);

/// The number of the first of [`TEXTS`](crate::formats::TEXTS), as a radix and as a form. The
/// others follow.
pub const TEXT: u32 = 64;

impl Asked {
    /// The lowest bit of the policy for a full sequence. The policy for a clock that goes back is
    /// in the bits below.
    pub const FULL_SHIFT: u32 = 2;
    /// The bits of the two policies.
    const POLICIES: u32 = 15;
    /// The mark for a given time, instead of the two policies.
    pub const BACKFILL: u32 = Self::POLICIES;
    /// The lowest bit of the form in which the call writes IDs: one of the two below, or the number
    /// of a text form.
    pub const FORM_SHIFT: u32 = 4;
    /// A 64-bit integer.
    pub const FORM_INTEGER: u32 = 0;
    /// An `f64`, for IDs of at most 53 bits.
    pub const FORM_NUMBER: u32 = 1 << Self::FORM_SHIFT;
    /// The lowest bit of the call's own bits.
    pub const PER_CALL_SHIFT: u32 = 12;

    /// The flags of a number. Every number is valid.
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The two policies; `None` if the time is given.
    pub const fn policies(self) -> Option<(Backwards, Full)> {
        if self.0 & Self::POLICIES == Self::BACKFILL {
            return None;
        }
        let backwards = match self.0 & 3 {
            0 => Backwards::Throw,
            1 => Backwards::Wait,
            2 => Backwards::Hold,
            _ => Backwards::TickTock,
        };
        let full = match self.0 >> Self::FULL_SHIFT & 3 {
            0 => Full::Throw,
            1 => Full::Wait,
            _ => Full::Borrow,
        };
        Some((backwards, full))
    }

    /// The text form; `None` for integers and numbers.
    pub fn text(self) -> Option<&'static Base32> {
        let form = self.0 >> Self::FORM_SHIFT;
        if form & TEXT == 0 { None } else { Some(text_form(form)) }
    }

    /// Whether a form that is not a text is a number.
    pub const fn is_number(self) -> bool {
        self.0 & Self::FORM_NUMBER != 0
    }

    /// The call's own bits.
    pub const fn per_call_bits(self) -> u64 {
        (self.0 >> Self::PER_CALL_SHIFT) as u64
    }

    /// Whether two calls are equal except for their own bits.
    pub const fn is_like(self, other: Self) -> bool {
        (self.0 ^ other.0) & ((1 << Self::PER_CALL_SHIFT) - 1) == 0
    }
}

/// The text form of a number, whose bits below [`TEXT`] are the index. The remainder keeps every
/// number within the table.
pub fn text_form(number: u32) -> &'static Base32 {
    TEXTS[(number & (TEXT - 1)) as usize % TEXTS.len()]
}

/// The source of a call's random bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Random {
    /// The module draws them from the platform.
    Platform,
    /// The caller draws and has not drawn yet: the call returns [`Status::DRAW`].
    Caller,
    /// The caller has drawn them.
    Drawn(u64),
}

impl Random {
    /// The number of [`Self::Platform`].
    pub const FROM_PLATFORM: f64 = -1.0;
    /// The number of [`Self::Caller`].
    pub const FROM_CALLER: f64 = -2.0;

    /// Reads a number. From 0 on, it is the random bits.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn from_number(number: f64) -> Self {
        if number == Self::FROM_PLATFORM {
            Self::Platform
        } else if number >= 0.0 {
            Self::Drawn(number as u64)
        } else {
            Self::Caller
        }
    }
}

/// After this many draws, a source that returns only zeros has failed. The odds that this happens
/// by chance are 256^-64.
pub const MOST_DRAWS: u32 = 64;
