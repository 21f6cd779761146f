//! Memory: the area, the slots of the generators, and the statics. All hand-written `unsafe` is here, in the entropy source and in
//! the allocator.
//!
//! Soundness: JavaScript is single-threaded, and the module calls out only to fill the pool of random bytes, when nothing else is under
//! way: whatever is called back, up to another filling of the pool, ends before the bytes arrive. No function here returns two
//! references to one thing.
#![expect(unsafe_code)]

use core::cell::UnsafeCell;
use core::mem::{MaybeUninit, offset_of};
use core::ptr;

use crate::abi::{AS_NUMBER, DATA, DATA_BYTES, END, FIELDS, REGISTER, SLOTS};
use crate::engine::{Backfill, Generator, MAX_FIELDS, SAVED, Schema, State, low_bits};

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
pub(super) struct Area([u8; END]);

/// The memory of the core, the largest parts last: small addresses are fewer bytes of the module. All of it is zero at first, so that
/// the module contains none of it.
#[repr(C)]
struct Memory {
    schema: Single<Schema>,
    staged: Single<Saved>,
    other: Single<Saved>,
    area: Single<Area>,
    /// The slots. Zero is a valid value of everything in a generator: numbers, flags, and enums whose representation is declared.
    generators: Single<MaybeUninit<[Generator; SLOTS]>>,
}

static MEMORY: Memory = Memory {
    schema: Single::new(Schema::NONE),
    staged: Single::new([0; SAVED.len()]),
    other: Single::new([0; SAVED.len()]),
    area: Single::new(Area([0; END])),
    generators: Single::new(MaybeUninit::zeroed()),
};

pub(super) static SCHEMA: &Single<Schema> = &MEMORY.schema;

pub(super) fn pointer<T>(offset: usize) -> *mut T {
    MEMORY.area.get().0.as_mut_ptr().wrapping_add(offset).cast()
}

pub(super) fn put<T>(offset: usize, value: T) {
    // SAFETY: every offset used is a constant inside the area, or within bounds checked by the caller, and aligned.
    unsafe { pointer::<T>(offset).write(value) }
}

pub(super) fn take<T: Copy>(offset: usize) -> T {
    // SAFETY: as in `put`; every bit pattern is a value of the number types read.
    unsafe { pointer::<T>(offset).read() }
}

/// The first `length` elements, at most `most`, of a part of the area.
pub(super) fn part<T>(offset: usize, length: usize, most: usize) -> &'static mut [T] {
    // SAFETY: `most` elements from `offset` lie inside the area; callers hold one part at a time.
    unsafe { core::slice::from_raw_parts_mut(pointer(offset), length.min(most)) }
}

pub(super) fn fields() -> &'static mut [f64] {
    part(FIELDS, MAX_FIELDS, MAX_FIELDS)
}

pub(super) fn text(length: u32) -> &'static mut [u8] {
    part(DATA, length as usize, DATA_BYTES)
}

/// Writes an ID to one of the two registers, in both forms.
#[expect(clippy::cast_precision_loss)]
pub(super) fn put_id(register: usize, id: u128) {
    put(register, id);
    put(register + AS_NUMBER, low_bits(id) as f64);
}

pub(super) fn id() -> u128 {
    take(REGISTER)
}

/// Writes `length` bytes, 8 to 16: the first eight, then the last eight, which may overlap them.
#[inline]
pub(super) fn put_parts(offset: usize, length: usize, [first, last]: [u64; 2]) {
    let end = pointer::<u64>(offset + length - size_of::<u64>());
    // SAFETY: both lie inside the area, from every offset that the callers use.
    unsafe {
        pointer::<u64>(offset).write_unaligned(first);
        end.write_unaligned(last);
    }
}

/// A slot, open or not.
#[inline]
pub(super) fn slot(index: usize) -> Option<&'static mut Generator> {
    // SAFETY: initialised, to zeros. Callers hold one at a time.
    unsafe { MEMORY.generators.get().assume_init_mut() }.get_mut(index)
}

/// A number as it is in memory, unknown to the compiler.
#[inline]
pub(super) fn opaque(number: &u32) -> u32 {
    // SAFETY: a reference is valid to read.
    unsafe { ptr::from_ref(number).read_volatile() }
}

/// The numbers that are saved of a generator.
pub(super) type Saved = [i64; SAVED.len()];

/// What is to be stored in a slot, and what is merged into it before.
pub(super) static STAGED: &Single<Saved> = &MEMORY.staged;
pub(super) static OTHER: &Single<Saved> = &MEMORY.other;

/// Stores the staged numbers in a slot. It compiles to one instruction, in which no call can be cut off.
pub(super) fn commit(generator: &mut Generator) {
    *numbers(generator) = *STAGED.get();
}

/// The saved numbers of a generator.
pub(super) fn numbers(generator: &mut Generator) -> &mut Saved {
    // SAFETY: the fields of a generator are in declared order. The saved ones come first and are 64-bit integers; of the
    // unsigned ones, none has its top bit set except in place of -1.
    unsafe { &mut *ptr::from_mut(generator).cast() }
}

/// Saved numbers as the two counters.
pub(super) fn counters(saved: &mut Saved) -> (&mut State, &mut Backfill) {
    let first: *mut i64 = saved.as_mut_ptr();
    // SAFETY: as in `numbers`; the numbers are those of one generator, every bit pattern is valid for them, and the two do not overlap.
    unsafe { (&mut *first.cast(), &mut *first.byte_add(offset_of!(Generator, backfill)).cast()) }
}
