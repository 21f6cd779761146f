//! Randomness from the platform's secure source, through getrandom, read ahead in blocks.
//!
//! A call that makes an ID only takes bytes that are there. Where there are too few it answers `REFILL`, [`refill`] is called, and
//! the question is asked again: so nothing is half done while the source runs, which may be a function of the user.

use wasm_bindgen::prelude::wasm_bindgen;

use super::memory::Single;
use super::refuse;
use crate::Error;

/// Random bytes read ahead. A call of the source takes about as long as drawing a thousand bytes.
const POOL_BYTES: usize = 2048;

/// What a call must find before its first draw: enough for a step and for the start of the next tick, which must not come after a
/// refill, because the step would be drawn again.
pub(super) const ENOUGH: usize = 2 * size_of::<u64>();

/// The bytes, and how many are left.
static POOL: Single<([u8; POOL_BYTES], usize)> = Single::new(([0; POOL_BYTES], 0));

#[wasm_bindgen(raw_module = "../core/entropy.js")]
extern "C" {
    /// Fills memory from the platform's secure source. Returns false if it fails.
    fn fill_entropy(pointer: *mut u8, length: usize) -> bool;
}

/// getrandom's custom backend (its documentation, "Custom backend"): the crate calls this symbol.
#[expect(unsafe_code)]
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(pointer: *mut u8, length: usize) -> Result<(), getrandom::Error> {
    if fill_entropy(pointer, length) { Ok(()) } else { Err(getrandom::Error::UNSUPPORTED) }
}

/// Reads random bytes ahead. The source may call any export, this one included.
#[wasm_bindgen]
#[inline(never)]
pub fn refill() -> u32 {
    let (pool, left) = POOL.get();
    if getrandom::fill(pool).is_err() {
        return refuse(Error::RandomFailed);
    }
    *left = POOL_BYTES;
    0
}

/// In place of a number: there are too few bytes.
pub(super) const TOO_FEW: u64 = u64::MAX;

/// `bytes` random bytes as a number; [`TOO_FEW`] if fewer than `there` are left. Out of line, where size matters more than time; and
/// not an `Option`, which would be returned through memory.
#[inline(never)]
pub(super) fn draw(bytes: usize, there: usize) -> u64 {
    let (pool, left) = POOL.get();
    if *left < there.max(bytes) {
        return TOO_FEW;
    }
    *left -= bytes;
    let mut bits = 0;
    for index in 0..bytes {
        bits = bits << 8 | u64::from(pool[(*left + index) % POOL_BYTES]);
    }
    bits
}
