//! Randomness from the platform's secure source, through getrandom, read ahead in blocks.

use wasm_bindgen::prelude::wasm_bindgen;

use super::memory::Single;

/// Random bytes read ahead. A call of the source takes about as long as drawing a thousand bytes.
const POOL_BYTES: usize = 2048;

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

/// `bytes` random bytes as a number; `None` if the source fails.
#[inline]
pub(super) fn draw(bytes: u8) -> Option<u64> {
    let (pool, left) = POOL.get();
    let mut bits = 0;
    for _ in 0..bytes {
        if *left == 0 {
            getrandom::fill(pool).ok()?;
            *left = POOL_BYTES;
        }
        *left -= 1;
        bits = bits << 8 | u64::from(pool[*left % POOL_BYTES]);
    }
    Some(bits)
}
