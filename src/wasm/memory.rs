//! Memory, and all the `unsafe` that is written by hand: the area, the slots of the generators, and the statics.
//!
//! Soundness: JavaScript is single-threaded, and no call into the module calls back into it but to fill bytes, so that
//! no two calls are ever inside at once; and no function here hands out two references to one thing.
#![expect(unsafe_code)]

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr;

use crate::area::{AS_NUMBER, DATA, DATA_BYTES, FIELDS, REGISTER};
use crate::engine::{Generator, MAX_FIELDS, Schema, low_bits};
use crate::formats::{sno, ulid_flake};

const PAGE: usize = 65_536;

/// A static without locks; see the note on soundness above.
pub(super) struct Single<T>(UnsafeCell<T>);
// SAFETY: one thread, no re-entrance.
unsafe impl<T> Sync for Single<T> {}

impl<T> Single<T> {
    pub(super) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    #[expect(clippy::mut_from_ref)]
    pub(super) fn get(&self) -> &mut T {
        // SAFETY: one thread, no re-entrance; no caller keeps two.
        unsafe { &mut *self.0.get() }
    }
}

#[repr(C, align(16))]
pub(super) struct Area([u8; DATA + DATA_BYTES]);

pub(super) static AREA: Single<Area> = Single::new(Area([0; DATA + DATA_BYTES]));
pub(super) static SCHEMA: Single<Option<Schema>> = Single::new(None);
/// Where the slots start, and how many bytes there are.
pub(super) static SLOTS: Single<(usize, usize)> = Single::new((0, 0));

pub(super) fn pointer<T>(offset: usize) -> *mut T {
    AREA.get().0.as_mut_ptr().wrapping_add(offset).cast()
}

pub(super) fn put<T>(offset: usize, value: T) {
    // SAFETY: every offset used is a constant inside the area, or within bounds checked by the caller, and aligned.
    unsafe { pointer::<T>(offset).write(value) }
}

pub(super) fn take<T: Copy>(offset: usize) -> T {
    // SAFETY: as in `put`; every bit pattern is a value of the number types read.
    unsafe { pointer::<T>(offset).read() }
}

/// The first `length` elements of a part of the area.
pub(super) fn part<T>(offset: usize, length: usize, most: usize) -> &'static mut [T] {
    // SAFETY: `most` elements from `offset` lie inside the area; callers hold one part at a time.
    unsafe { core::slice::from_raw_parts_mut(pointer(offset), length.min(most)) }
}

pub(super) fn fields(count: usize) -> &'static mut [f64] {
    part(FIELDS, count, MAX_FIELDS)
}

pub(super) fn text(length: u32) -> &'static mut [u8] {
    part(DATA, length as usize, DATA_BYTES)
}

/// One of the two ID registers, in both its forms.
#[expect(clippy::cast_precision_loss)]
pub(super) fn put_id(register: usize, id: u128) {
    put(register, id);
    put(register + AS_NUMBER, low_bits(id) as f64);
}

pub(super) fn id() -> u128 {
    take(REGISTER)
}

pub(super) fn print_id(offset: usize, id: u128, crockford: bool) {
    // SAFETY: both lengths lie inside the area, from every offset that the callers use.
    unsafe {
        if crockford {
            ulid_flake::format(low_bits(id), &mut *pointer::<[u8; ulid_flake::TEXT_LENGTH]>(offset));
        } else {
            sno::format(id, &mut *pointer::<[u8; sno::TEXT_LENGTH]>(offset));
        }
    }
}

/// A generator's place; all zeros is a closed one.
#[repr(C)]
pub(super) struct Slot {
    open: u64,
    generator: MaybeUninit<Generator>,
}

pub(super) fn slot(index: usize) -> *mut Slot {
    let (start, bytes) = *SLOTS.get();
    match index.checked_mul(size_of::<Slot>()) {
        Some(offset) if offset.saturating_add(size_of::<Slot>()) <= bytes => (start + offset) as *mut Slot,
        _ => ptr::null_mut(),
    }
}

pub(super) fn generator(index: usize) -> Option<&'static mut Generator> {
    // SAFETY: a pointer from `slot` is null or one of our slots, whose pages are zeroed at first: closed.
    unsafe {
        let slot = slot(index).as_mut()?;
        if slot.open == 1 { Some(slot.generator.assume_init_mut()) } else { None }
    }
}

/// Makes room for slot `index`; memory grows by whole pages and never shrinks.
pub(super) fn reserve(index: usize) -> bool {
    let slots = SLOTS.get();
    let Some(needed) = index.checked_add(1).and_then(|count| count.checked_mul(size_of::<Slot>())) else {
        return false;
    };
    while slots.1 < needed {
        let end = core::arch::wasm32::memory_grow::<0>(1).wrapping_mul(PAGE);
        if slots.1 == 0 {
            slots.0 = end;
        }
        // Refused, or something else has grown the memory in between: the slots must stay in one piece.
        if end != slots.0 + slots.1 {
            return false;
        }
        slots.1 += PAGE;
    }
    true
}

/// Puts a generator into slot `index`, whatever was there; false if memory cannot grow that far.
pub(super) fn place(index: usize, generator: Generator) -> bool {
    if !reserve(index) {
        return false;
    }
    // SAFETY: the slot exists; the write does not read what was there.
    unsafe { slot(index).write(Slot { open: 1, generator: MaybeUninit::new(generator) }) };
    true
}
