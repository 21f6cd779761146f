//! Randomness: the platform's secure source, read ahead in blocks, through getrandom.

use wasm_bindgen::prelude::wasm_bindgen;

use super::memory::Single;

/// Random bytes read ahead.
const POOL_BYTES: usize = 256;

/// The bytes, and how many of them are used up.
static POOL: Single<([u8; POOL_BYTES], usize)> = Single::new(([0; POOL_BYTES], POOL_BYTES));

#[wasm_bindgen(raw_module = "../runtime/entropy.js")]
extern "C" {
    /// Fills memory from the platform's secure source; whether it could.
    fn fill_entropy(pointer: *mut u8, length: usize) -> bool;
}

/// getrandom's custom backend (its documentation, "Custom backend"): the crate calls this symbol.
#[expect(unsafe_code)]
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(pointer: *mut u8, length: usize) -> Result<(), getrandom::Error> {
    if fill_entropy(pointer, length) { Ok(()) } else { Err(getrandom::Error::UNSUPPORTED) }
}

/// `bytes` random bytes as a big-endian number.
pub(super) fn draw(bytes: u8) -> Option<u64> {
    let (pool, used) = POOL.get();
    let mut bits = 0;
    for _ in 0..bytes {
        if *used >= POOL_BYTES {
            getrandom::fill(pool).ok()?;
            *used = 0;
        }
        bits = bits << 8 | u64::from(pool.get(*used).copied()?);
        *used += 1;
    }
    Some(bits)
}
