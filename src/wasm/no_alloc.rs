//! In the shipped module nothing allocates. An allocator that always fails, so that link-time optimisation drops what
//! wasm-bindgen brings along for modules that do allocate, and the standard library's allocator with its panics.
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
