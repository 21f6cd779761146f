//! The numbers that both sides of the boundary agree on: where things lie in the area of memory that both
//! read and write, and the statuses that are no errors. JavaScript's copy is written from here.
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

/// Bits of a call's policy number, above those of the policies: as what it leaves IDs, at [`DATA`]. As 64-bit integers.
pub const FORM_INTEGER: u32 = 0;
/// As `f64`, of at most 53 bits.
pub const FORM_NUMBER: u32 = 16;
/// As sno's text.
pub const FORM_SNO: u32 = 32;
/// As Ulid-Flake's text.
pub const FORM_CROCKFORD: u32 = 48;
/// The bits of the form.
pub const FORMS: u32 = 48;
/// The policy of a full sequence is in the bits from here on, that of a clock that goes back below them.
pub const FULL_SHIFT: u32 = 2;
/// The bits of the two policies.
pub const POLICIES: u32 = 15;
/// In place of the policies: an ID for a given time.
pub const GIVEN: u32 = 15;
/// Above these bits: sno's metabyte.
pub const METABYTE_SHIFT: u32 = 8;
/// The metabyte's bits.
pub const METABYTES: u32 = 0xFF << METABYTE_SHIFT;

/// In place of random bits: draw them from the platform.
pub const FROM_PLATFORM: f64 = -1.0;
/// In place of random bits: none yet, answer [`DRAW`].
pub const FROM_CALLER: f64 = -2.0;
/// Draws after which a source that keeps answering zero counts as broken: 256^-64 by chance.
pub const MOST_DRAWS: u32 = 64;

/// Radix argument of sno's text.
pub const SNO: u32 = 0;
/// Radix argument of Crockford's 13 characters; 32 itself is digits.
pub const CROCKFORD: u32 = 64;
