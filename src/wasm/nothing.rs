//! In the shipped module nothing allocates. What wasm-bindgen brings along for modules that do is left out of it, and the
//! standard library's allocator (and its panics, and their words) with it, as nothing stands behind them.
#![expect(unsafe_code)]

use core::alloc::{GlobalAlloc, Layout};

struct Nothing;

#[global_allocator]
static NOTHING: Nothing = Nothing;

// SAFETY: a null pointer is the answer of an allocator that has no memory, and so there is nothing to be given back.
unsafe impl GlobalAlloc for Nothing {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
