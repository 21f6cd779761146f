//! Randomness: the platform's secure source, read ahead in blocks, through getrandom.

use wasm_bindgen::prelude::wasm_bindgen;

use super::memory::Single;

/// Bytes of one draw, of which the lowest count: no format draws more than three.
const DRAW_BYTES: usize = 4;

/// Draws read ahead. A call of the source costs about the same for 256 bytes as for 2,048.
const POOL_DRAWS: usize = 512;

/// The draws, and how many of them are left.
static POOL: Single<([[u8; DRAW_BYTES]; POOL_DRAWS], usize)> = Single::new(([[0; DRAW_BYTES]; POOL_DRAWS], 0));

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

/// `bytes` random bytes, as a number.
pub(super) fn draw(bytes: u32) -> Option<u64> {
    let (pool, left) = POOL.get();
    if *left == 0 {
        getrandom::fill(pool.as_flattened_mut()).ok()?;
        *left = POOL_DRAWS;
    }
    *left -= 1;
    let drawn = u64::from(u32::from_le_bytes(*pool.get(*left)?));
    Some(drawn & ((1 << (8 * bytes)) - 1))
}
