//! The numbers that both sides of the boundary share: the map of the memory area, the flags of a call, and the statuses that are
//! not errors. The build writes them to js/generated/constants.ts.
//!
//! | part | what |
//! | --- | --- |
//! | [`REGISTER`] | one ID as a little-endian `u128`, then the same as an `f64`; at [`SECOND`] another (ranges) |
//! | [`FIELDS`] | field values, `f64`, high to low; for a new schema, the widths as bytes |
//! | [`DETAIL`], [`CAUSE`], [`FILLED`] | numbers beside a status, `f64`: what, why, how many |
//! | [`DATA`] | a text, or one ID |
//! | [`BATCH`] | IDs |

use crate::engine::MAX_FIELDS;
use crate::engine::alphabet::LONGEST_DIGITS;
use crate::formats::TEXTS;

/// Offset of the ID register.
pub const REGISTER: usize = 0;
/// Offset of the second ID register.
pub const SECOND: usize = 32;
/// Offset of the `f64` within a register.
pub const AS_NUMBER: usize = 16;
/// Offset of the field values.
pub const FIELDS: usize = 64;
/// Offset of the number that goes with a status: a position in a text, a tick, a time, or how many bytes to draw.
pub const DETAIL: usize = FIELDS + MAX_FIELDS * 8;
/// Offset of the number of the error that the caller throws if it cannot wait.
pub const CAUSE: usize = DETAIL + 8;
/// Offset of how many IDs a batch holds.
pub const FILLED: usize = CAUSE + 8;
/// Offset of a text, or of one ID.
pub const DATA: usize = DETAIL + 64;
/// The longest text: an integer in binary.
pub const DATA_BYTES: usize = LONGEST_DIGITS;
/// Offset of a batch of IDs.
pub const BATCH: usize = DATA + DATA_BYTES;
/// The most IDs of one batch, in whichever form.
pub const BATCH_IDS: u32 = 1024;
/// The most bytes of an ID: the longest text form.
pub const ID_BYTES: usize = longest_text();
/// How many generators the module holds at a time. The state of any other one is kept in JavaScript.
pub const SLOTS: usize = 1024;
/// Bytes of the whole area.
pub const END: usize = BATCH + BATCH_IDS as usize * ID_BYTES;

/// Characters of the longest of [`TEXTS`], so that a batch of any form ends within the area.
const fn longest_text() -> usize {
    let (mut longest, mut index) = (0, 0);
    while index < TEXTS.len() {
        let length = TEXTS[index].length();
        longest = if length > longest { length } else { longest };
        index += 1;
    }
    longest
}

/// A number, or a text in its two parts, fits where an ID is left.
const _: () = assert!(size_of::<u64>() <= ID_BYTES && ID_BYTES <= DATA_BYTES);

/// Status: no ID before the clock reads [`DETAIL`] (Unix ms); [`CAUSE`] says why. Lower statuses
/// are 0 for success, and the numbers of [`crate::Error`].
#[expect(clippy::cast_possible_truncation)]
pub const WAIT: u32 = crate::Error::NAMES.len() as u32;
/// Status: ask again with as many random bytes as [`DETAIL`] says.
pub const DRAW: u32 = WAIT + 1;
/// Status: there are too few random bytes; ask again after `refill`.
pub const REFILL: u32 = DRAW + 1;

/// The lowest bit of the form in a call's flags: 64-bit integer, number, or the number of a text form. The policies are in the
/// bits below.
pub const FORM_SHIFT: u32 = 4;
/// Form: a 64-bit integer.
pub const FORM_INTEGER: u32 = 0;
/// Form: an `f64`, for IDs of at most 53 bits.
pub const FORM_NUMBER: u32 = 1 << FORM_SHIFT;
/// The number of the first of [`TEXTS`](crate::formats::TEXTS), in place of a radix and in a call's flags; the others follow.
pub const TEXT: u32 = 64;
/// The bits of the form.
pub const FORMS: u32 = (TEXT | (TEXT - 1)) << FORM_SHIFT;
/// The lowest bit of the policy for a full sequence. The policy for a clock that goes back is in the bits below.
pub const FULL_SHIFT: u32 = 2;
/// The bits of the two policies.
pub const POLICIES: u32 = 15;
/// In place of the two policies: make an ID for a given time.
pub const BACKFILL: u32 = 15;
/// The lowest of the call's own bits, for schemas with a field for them.
pub const CALL_SHIFT: u32 = 12;
/// All flags except the call's own bits.
pub const FLAGS: u32 = (1 << CALL_SHIFT) - 1;

/// In place of random bits: the module draws them from the platform.
pub const FROM_PLATFORM: f64 = -1.0;
/// In place of random bits: the caller has none yet; answer [`DRAW`].
pub const FROM_CALLER: f64 = -2.0;
/// Draws after which a source that returns only zeros has failed. By chance that happens with odds of 256^-64.
pub const MOST_DRAWS: u32 = 64;
