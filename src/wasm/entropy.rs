//! Randomness from the platform's secure source, through getrandom, read ahead in blocks.
//!
//! A call that makes an ID only takes bytes that are there. Where there are too few it answers `REFILL`, [`refill`] is called, and
//! the question is asked again: so nothing is half done while the source runs, which may be a function of the user.

use wasm_bindgen::prelude::wasm_bindgen;

use super::raw::with_pool;
use crate::Error;
use crate::abi::Status;

/// Random bytes read ahead. A call of the source takes about as long as drawing a thousand bytes.
const POOL_BYTES: usize = 2048;

/// What a call must find before its first draw: enough for a step and for the start of the next tick, which must not come after a
/// refill, because the step would be drawn again.
pub(super) const ENOUGH: usize = 2 * size_of::<u64>();

/// The bytes, with room to read the last of them as a word; and how many are left.
pub(super) struct Pool {
    bytes: [u8; POOL_BYTES + size_of::<u32>()],
    left: usize,
}

impl Pool {
    pub(super) const NEW: Self = Self { bytes: [0; POOL_BYTES + size_of::<u32>()], left: 0 };
}

/// Reads random bytes ahead. The source may call any export, this one included.
#[wasm_bindgen]
#[inline(never)]
pub fn refill() -> Status {
    with_pool(|pool| match getrandom::fill(&mut pool.bytes) {
        Ok(()) => {
            pool.left = POOL_BYTES;
            Status::DONE
        }
        Err(_) => Error::RandomFailed.into(),
    })
}

/// In place of a number: there are too few bytes. A value can be added to it.
pub(super) const TOO_FEW: u64 = u64::MAX >> 1;

/// `bytes` random bytes as a number, at most three, as no format draws more; [`TOO_FEW`] if fewer than `there` are left. Not an `Option`,
/// which would be returned through memory.
#[inline(never)]
pub(super) fn draw(bytes: usize, there: usize) -> u64 {
    draw_inline(bytes, there)
}

/// The same where a call would take longer than all of it.
#[expect(clippy::cast_possible_truncation)]
#[inline]
pub(super) fn draw_inline(bytes: usize, there: usize) -> u64 {
    with_pool(|Pool { bytes: pool, left }| {
        if *left < there.max(bytes) {
            return TOO_FEW;
        }
        *left -= bytes;
        let Some(word) = pool.get(*left % POOL_BYTES..).and_then(<[u8]>::first_chunk) else { return TOO_FEW };
        (u32::from_le_bytes(*word) & !u32::MAX.wrapping_shl(8 * bytes as u32)).into()
    })
}
