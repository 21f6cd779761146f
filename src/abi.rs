//! The numbers that both sides of the boundary agree on: where things lie in the area of memory that both read and write, the
//! flags of a call, and the statuses beside the errors. The build writes JavaScript's copy from here.
//!
//! | part | what |
//! | --- | --- |
//! | [`REGISTER`] | one ID as a little-endian `u128`, then the same as an `f64`; at [`SECOND`] another (ranges) |
//! | [`FIELDS`] | field values, `f64`, high to low; for a new schema, the widths as bytes |
//! | [`DETAIL`] | what goes with a status: three `f64` |
//! | [`DATA`] | a text, or one ID |
//! | [`BATCH`] | IDs |

use crate::engine::MAX_FIELDS;
use crate::engine::alphabet::LONGEST_DIGITS;

/// Offset of the ID register.
pub const REGISTER: usize = 0;
/// Offset of the second ID register.
pub const SECOND: usize = 32;
/// Where in a register the `f64` lies.
pub const AS_NUMBER: usize = 16;
/// Offset of the field values.
pub const FIELDS: usize = 64;
/// Offset of the details of a status.
pub const DETAIL: usize = FIELDS + MAX_FIELDS * 8;
/// Offset of a text, or of one ID.
pub const DATA: usize = DETAIL + 64;
/// The longest text: an integer in binary.
pub const DATA_BYTES: usize = LONGEST_DIGITS;
/// Offset of a batch of IDs.
pub const BATCH: usize = DATA + DATA_BYTES;
/// Room for 1,024 integers.
pub const BATCH_BYTES: usize = 8192;
/// Where all of it ends.
pub const END: usize = BATCH + BATCH_BYTES;

/// Status: no ID before the clock reads the first detail (Unix ms); the second is the error's number if the
/// call does not wait; of a batch, the third is how many IDs there are. The statuses below it are 0 for success and the numbers of [`crate::Error`].
#[expect(clippy::cast_possible_truncation)]
pub const WAIT: u32 = crate::Error::NAMES.len() as u32;
/// Status: ask again with as many random bytes as the first detail says.
pub const DRAW: u32 = WAIT + 1;

/// Where in a call's flags the form stands in which it leaves IDs: as 64-bit integers, as numbers, or as the number of a text.
/// The policies are below.
pub const FORM_SHIFT: u32 = 4;
/// Form: a 64-bit integer.
pub const FORM_INTEGER: u32 = 0;
/// Form: an `f64`, for IDs of at most 53 bits.
pub const FORM_NUMBER: u32 = 1 << FORM_SHIFT;
/// The number of the first of [`TEXTS`](crate::formats::TEXTS), for a radix and a form; the others follow.
pub const TEXT: u32 = 64;
/// The bits of the form.
pub const FORMS: u32 = (TEXT | (TEXT - 1)) << FORM_SHIFT;
/// The policy of a full sequence is in the bits from here on, that of a clock that goes back below them.
pub const FULL_SHIFT: u32 = 2;
/// The bits of the two policies.
pub const POLICIES: u32 = 15;
/// In place of the policies: an ID for a given time.
pub const BACKFILL: u32 = 15;
/// From here on: the bits that come with a call, where the schema has a field for them.
pub const CALL_SHIFT: u32 = 12;
/// All of a call's flags but those.
pub const FLAGS: u32 = (1 << CALL_SHIFT) - 1;

/// In place of random bits: draw them from the platform.
pub const FROM_PLATFORM: f64 = -1.0;
/// In place of random bits: none yet, answer [`DRAW`].
pub const FROM_CALLER: f64 = -2.0;
/// Draws after which a source that keeps answering zero counts as broken: 256^-64 by chance.
pub const MOST_DRAWS: u32 = 64;
