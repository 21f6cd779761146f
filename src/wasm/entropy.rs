//! Random bytes from the platform's secure source, through getrandom, read ahead in blocks.
//!
//! A call that issues an ID only takes bytes that were read ahead. If there are too few, it returns
//! `REFILL`, JavaScript calls [`refill`], and the call is repeated. So no call is unfinished while
//! the source runs, which may be a function of the user.

use wasm_bindgen::prelude::wasm_bindgen;

use super::raw::with_pool;
use crate::Error;
use crate::abi::Status;

/// Random bytes read ahead. A call of the source takes about as long as drawing a thousand bytes.
const POOL_BYTES: usize = 2048;

/// The bytes that a call needs before its first draw: enough for a step and for the start of the
/// next tick. A refill between the two would draw the step again.
pub(super) const ENOUGH: usize = 2 * size_of::<u64>();

/// The bytes, with room to read the last of them as a word, and the number of bytes left.
pub(super) struct Pool {
    bytes: [u8; POOL_BYTES + size_of::<u32>()],
    left: usize,
}

impl Pool {
    pub(super) const NEW: Self = Self { bytes: [0; POOL_BYTES + size_of::<u32>()], left: 0 };
}

/// Reads random bytes ahead. The source may call any export, including this one.
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

/// Means that there are too few bytes. A value can be added to it.
pub(super) const TOO_FEW: u64 = u64::MAX >> 1;

/// Returns `bytes` random bytes as a number; [`TOO_FEW`] if fewer than `there` are left. No format
/// draws more than three. Not an `Option`, which would be returned through memory.
#[inline(never)]
pub(super) fn draw(bytes: usize, there: usize) -> u64 {
    draw_inline(bytes, there)
}

/// Like `draw`, but inlined, for callers in which the call would take longer than the draw.
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
