//! All `unsafe` code: the memory, the saved numbers as a list, the allocator, and the symbol that
//! getrandom calls. The functions are sound for callers in this crate that follow their comments.
#![expect(unsafe_code)]

use core::cell::UnsafeCell;
use core::ptr;

use super::Core;
use super::entropy::Pool;
use crate::abi::{Asked, Status};
use crate::engine::{SAVED, Saved};

/// A static without locks: the module has one thread.
struct Single<T>(UnsafeCell<T>);
// SAFETY: one thread.
unsafe impl<T> Sync for Single<T> {}

static CORE: Single<Core> = Single(UnsafeCell::new(Core::NEW));
static POOL: Single<Pool> = Single(UnsafeCell::new(Pool::NEW));

/// Lends the core. Only the exports call this, and JavaScript calls only exports. No export calls
/// another one while it borrows. `refill` calls out, and may be interrupted by any export, but does
/// not borrow the core. So there is one borrower at a time.
#[inline]
pub(super) fn with_core<R>(work: impl FnOnce(&mut Core) -> R) -> R {
    // SAFETY: there is no other borrower, as above.
    work(unsafe { &mut *CORE.0.get() })
}

/// Lends the random bytes that were read ahead. There is one borrower at a time, with one
/// exception: the random source, while it fills them, may call the module. Those calls end before
/// the bytes arrive.
#[inline]
pub(super) fn with_pool<R>(work: impl FnOnce(&mut Pool) -> R) -> R {
    // SAFETY: as above.
    work(unsafe { &mut *POOL.0.get() })
}

/// [`Core::next`] as an export. It does not use wasm-bindgen, whose exports call another function
/// that does the work: here, that call would take 0.8 of 52 ns on Node 24.
#[unsafe(no_mangle)]
pub(super) extern "C" fn next(index: usize, now: f64, asked: u32, max_ahead: f64, random: f64) -> Status {
    with_core(|core| core.next(index, now, Asked::from_number(asked), max_ahead, random))
}

/// The saved numbers of a generator as a list.
pub(super) fn numbers(saved: &mut Saved) -> &mut [i64; SAVED.len()] {
    const { assert!(size_of::<Saved>() == size_of::<[i64; SAVED.len()]>()) }
    // SAFETY: the fields are in declared order, 64-bit integers without gaps; every bit pattern is
    // valid for them.
    unsafe { &mut *ptr::from_mut(saved).cast() }
}

// Declared without wasm-bindgen, which would put a hash into the name. js/core/load.ts passes the
// function in. In the tests, wasm-bindgen's glue imports it from a file, so the module name is the
// path of that file.
#[cfg_attr(shipped, link(wasm_import_module = "js"))]
#[cfg_attr(not(shipped), link(wasm_import_module = "../core/entropy.js"))]
unsafe extern "C" {
    /// Fills memory from the platform's secure source. Returns false if it fails.
    safe fn fill_entropy(pointer: *mut u8, length: usize) -> bool;
}

/// getrandom's custom backend (its documentation, "Custom backend"): the crate calls this symbol.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(pointer: *mut u8, length: usize) -> Result<(), getrandom::Error> {
    if fill_entropy(pointer, length) { Ok(()) } else { Err(getrandom::Error::UNSUPPORTED) }
}

/// An allocator that always fails, because nothing in the shipped module allocates. Link-time
/// optimization then drops wasm-bindgen's code for allocating modules, and the standard library's
/// allocator with its panics.
#[cfg(shipped)]
mod no_alloc {
    use core::alloc::{GlobalAlloc, Layout};

    struct Nothing;

    #[global_allocator]
    static NOTHING: Nothing = Nothing;

    // SAFETY: a null pointer means that there is no memory, so nothing is ever deallocated.
    unsafe impl GlobalAlloc for Nothing {
        unsafe fn alloc(&self, _: Layout) -> *mut u8 {
            core::ptr::null_mut()
        }
        unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
    }
}
