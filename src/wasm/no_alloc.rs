//! An allocator that always fails, because nothing in the shipped module allocates. Link-time optimisation then drops
//! wasm-bindgen's code for allocating modules, and the standard library's allocator with its panics.
#![expect(unsafe_code)]

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
