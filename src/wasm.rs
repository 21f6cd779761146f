//! The boundary to JavaScript, and the only file with `unsafe`: conversion, and nothing else.
//!
//! Only numbers cross: `f64`, `i64` (a BigInt over there), and small codes. Everything longer passes through one
//! fixed area of memory, which both sides read and write in place; [`crate::area`] is its map.
//!
//! A status is 0 for success, the number of an [`Error`], `WAIT` or `DRAW`. Calls that return an ID
//! return the negated status instead; where a negative ID is possible, `status()` tells which it was.
//!
//! Generators live in slots, numbered by the JavaScript side, which also reuses them. JavaScript is
//! single-threaded and this module never calls back into itself, so that no two calls are ever inside at once:
//! that is what makes the shared statics sound.
#![allow(unsafe_code)]

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::Error;
use crate::area::{
    AS_NUMBER, CROCKFORD, DATA, DATA_BYTES, DETAIL, DRAW, FIELDS, FROM_PLATFORM, MOST_DRAWS, REGISTER, SECOND, SNO,
    WAIT,
};
use crate::engine::{
    Answer, Backfill, Backwards, Full, Generator, Layout, MAX_FIELDS, Policy, Rounding, Schema, State, Values,
    alphabet, low_bits,
};
use crate::formats::{sno, ulid_flake};

/// Random bytes read ahead from the platform's source.
const POOL_BYTES: usize = 256;

const PAGE: usize = 65_536;

/// A static without locks; see the note on soundness above.
struct Single<T>(UnsafeCell<T>);
// SAFETY: one thread, no re-entrance.
unsafe impl<T> Sync for Single<T> {}

impl<T> Single<T> {
    #[expect(clippy::mut_from_ref)]
    fn get(&self) -> &mut T {
        // SAFETY: one thread, no re-entrance; no caller keeps two.
        unsafe { &mut *self.0.get() }
    }
}

#[repr(C, align(16))]
struct Area([u8; DATA + DATA_BYTES]);

static AREA: Single<Area> = Single(UnsafeCell::new(Area([0; DATA + DATA_BYTES])));
static SCHEMA: Single<Option<Schema>> = Single(UnsafeCell::new(None));
static STATUS: Single<u32> = Single(UnsafeCell::new(0));
static POOL: Single<([u8; POOL_BYTES], usize)> = Single(UnsafeCell::new(([0; POOL_BYTES], POOL_BYTES)));
/// Where the slots start, and how many bytes there are.
static SLOTS: Single<(usize, usize)> = Single(UnsafeCell::new((0, 0)));

#[wasm_bindgen(raw_module = "../runtime/entropy.js")]
extern "C" {
    /// Fills memory from the platform's secure source; whether it could.
    fn fill_entropy(pointer: *mut u8, length: usize) -> bool;
}

/// getrandom's custom backend (its documentation, "Custom backend"): the crate calls this symbol.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(pointer: *mut u8, length: usize) -> Result<(), getrandom::Error> {
    if fill_entropy(pointer, length) { Ok(()) } else { Err(getrandom::Error::UNSUPPORTED) }
}

/// `bytes` random bytes as a big-endian number.
fn draw(bytes: u8) -> Option<u64> {
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

fn pointer<T>(offset: usize) -> *mut T {
    AREA.get().0.as_mut_ptr().wrapping_add(offset).cast()
}

fn put<T>(offset: usize, value: T) {
    // SAFETY: every offset used is a constant inside the area, or within bounds checked by the caller, and aligned.
    unsafe { pointer::<T>(offset).write(value) }
}

fn take<T: Copy>(offset: usize) -> T {
    // SAFETY: as in `put`; every bit pattern is a value of the number types read.
    unsafe { pointer::<T>(offset).read() }
}

/// The first `length` elements of a part of the area.
fn part<T>(offset: usize, length: usize, most: usize) -> &'static mut [T] {
    // SAFETY: `most` elements from `offset` lie inside the area; callers hold one part at a time.
    unsafe { core::slice::from_raw_parts_mut(pointer(offset), length.min(most)) }
}

fn fields(count: usize) -> &'static mut [f64] {
    part(FIELDS, count, MAX_FIELDS)
}

fn text(length: u32) -> &'static mut [u8] {
    part(DATA, length as usize, DATA_BYTES)
}

/// One of the two ID registers, in both its forms.
#[expect(clippy::cast_precision_loss)]
fn put_id(register: usize, id: u128) {
    put(register, id);
    put(register + AS_NUMBER, low_bits(id) as f64);
}

fn id() -> u128 {
    take(REGISTER)
}

#[expect(clippy::cast_precision_loss)]
fn refuse(error: Error) -> u32 {
    put(DETAIL, error.detail() as f64);
    u32::from(error.number())
}

fn status_of(result: Result<(), Error>) -> u32 {
    result.map_or_else(refuse, |()| 0)
}

fn with_schema(work: impl FnOnce(&Schema) -> Result<(), Error>) -> u32 {
    status_of(SCHEMA.get().as_ref().ok_or(Error::Conflict).and_then(work))
}

/// A number that is an integer of the field, as one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
fn whole(value: f64, max: u64) -> Option<u64> {
    (value >= 0.0 && value <= max as f64 && value.floor() == value).then_some(value as u64)
}

fn values_of(layout: &Layout, values: &mut [u64; MAX_FIELDS]) -> Result<(), Error> {
    let count = layout.widths().len();
    for (field, (value, &number)) in values.iter_mut().zip(fields(count).iter()).enumerate() {
        *value = whole(number, layout.max(field)).ok_or(Error::Range { field })?;
    }
    Ok(())
}

// ---- the area ----

/// Where the area starts in memory.
#[wasm_bindgen]
pub fn area() -> usize {
    pointer::<u8>(0) as usize
}

/// The status of the last call that returned an ID.
#[wasm_bindgen]
pub fn status() -> u32 {
    *STATUS.get()
}

// ---- formats ----

/// Sets the schema that the calls below speak of: `count` widths as bytes at [`FIELDS`].
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation)]
pub fn schema(count: usize, sequence: usize, epoch: f64, tick_ms: u32, unsigned: bool, nearest: bool) -> u32 {
    let rounding = if nearest { Rounding::NearestEven } else { Rounding::Floor };
    *SCHEMA.get() = Layout::new(part(FIELDS, count, MAX_FIELDS))
        .and_then(|layout| Schema::new(layout, sequence, epoch as i64, tick_ms, !unsigned, rounding));
    with_schema(|_| Ok(()))
}

/// Field values at [`FIELDS`] to the register.
#[wasm_bindgen]
pub fn compose() -> u32 {
    with_schema(|schema| {
        let mut values = [0; MAX_FIELDS];
        values_of(&schema.layout, &mut values)?;
        put_id(REGISTER, schema.compose(&values)?);
        Ok(())
    })
}

/// The register to field values, and the time in Unix ms to [`DETAIL`].
#[wasm_bindgen]
#[expect(clippy::cast_precision_loss, clippy::cast_possible_wrap)]
pub fn inspect() -> u32 {
    with_schema(|schema| {
        let mut values = [0; MAX_FIELDS];
        schema.inspect(id(), &mut values)?;
        for (number, value) in fields(MAX_FIELDS).iter_mut().zip(values) {
            *number = value as f64;
        }
        put(DETAIL, schema.scale.timestamp(values[0] as i64) as f64);
        Ok(())
    })
}

/// The tick of a given time to `DETAIL`.
#[wasm_bindgen]
#[expect(clippy::cast_precision_loss)]
pub fn tick(unix_ms: f64) -> u32 {
    with_schema(|schema| {
        put(DETAIL, schema.scale.tick(unix_ms)? as f64);
        Ok(())
    })
}

/// The bounds of a span of time to the two registers.
#[wasm_bindgen]
pub fn range(from: f64, to: f64) -> u32 {
    with_schema(|schema| {
        let (min, max) = schema.range(from, to)?;
        put_id(REGISTER, min);
        put_id(SECOND, max);
        Ok(())
    })
}

/// Text to the register. `radix`: `SNO`, `CROCKFORD`, else digits, in the format's range.
#[wasm_bindgen]
pub fn parse(length: u32, radix: u32) -> u32 {
    let text = &*text(length);
    with_schema(|schema| {
        put_id(
            REGISTER,
            match radix {
                SNO => sno::parse(text)?,
                CROCKFORD => ulid_flake::parse(text)?.into(),
                _ => alphabet::parse_digits(text, radix, low_bits(schema.max()))?.into(),
            },
        );
        Ok(())
    })
}

/// A register to text: sno, or Crockford's.
#[wasm_bindgen]
pub fn print(radix: u32, second: bool) {
    print_id(DATA, take(if second { SECOND } else { REGISTER }), radix == CROCKFORD);
}

/// A number of at most 53 bits to the register.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn hold(number: f64) {
    put_id(REGISTER, u128::from(number as u64));
}

fn print_id(offset: usize, id: u128, crockford: bool) {
    // SAFETY: both lengths lie inside the area, from every offset that the callers use.
    unsafe {
        if crockford {
            ulid_flake::format(low_bits(id), &mut *pointer::<[u8; ulid_flake::TEXT_LENGTH]>(offset));
        } else {
            sno::format(id, &mut *pointer::<[u8; sno::TEXT_LENGTH]>(offset));
        }
    }
}

// ---- generators ----

/// A generator's place; all zeros is a closed one.
#[repr(C)]
struct Slot {
    open: u64,
    generator: MaybeUninit<Generator>,
}

fn slot(index: usize) -> *mut Slot {
    let (start, bytes) = *SLOTS.get();
    match index.checked_mul(size_of::<Slot>()) {
        Some(offset) if offset.saturating_add(size_of::<Slot>()) <= bytes => (start + offset) as *mut Slot,
        _ => ptr::null_mut(),
    }
}

fn generator(index: usize) -> Option<&'static mut Generator> {
    // SAFETY: a pointer from `slot` is null or one of our slots, whose pages are zeroed at first: closed.
    unsafe {
        let slot = slot(index).as_mut()?;
        if slot.open == 1 { Some(slot.generator.assume_init_mut()) } else { None }
    }
}

/// Makes room for slot `index`; memory grows by whole pages and never shrinks.
fn reserve(index: usize) -> bool {
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

/// Opens a generator of the current schema in a slot. Its fixed fields stand at [`FIELDS`].
/// `random`: `first` bytes are drawn for a start; else the bounds of a counter. What [`rule`] sets is set before use.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn open(index: usize, first: f64, last: f64, random: bool) -> u32 {
    with_schema(|schema| {
        let mut fixed = [0; MAX_FIELDS];
        values_of(&schema.layout, &mut fixed)?;
        let values = if random {
            Values::Random { max: schema.layout.max(schema.sequence), start: first as u8, step: 1 }
        } else {
            Values::Counter { first: first as u64, last: last as u64, restart: 0 }
        };
        let generator = schema.generator(&fixed, values)?;
        if !reserve(index) {
            return Err(Error::Conflict);
        }
        // SAFETY: the slot exists; the write does not read what was there.
        unsafe { slot(index).write(Slot { open: 1, generator: MaybeUninit::new(generator) }) };
        Ok(())
    })
}

/// Sets what a generator's callers may choose differently in one slot: a counter's restart, or a step's bytes.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn rule(index: usize, number: f64) {
    if let Some(generator) = generator(index) {
        match &mut generator.values {
            Values::Counter { restart, .. } => *restart = number as u64,
            Values::Random { step, .. } => *step = number as u8,
        }
    }
}

/// Whether a tick of stalled calls is worth a notification.
#[wasm_bindgen]
pub fn notifies(ticks: u32, waiting: u32) -> bool {
    sno::notifies(ticks, waiting)
}

/// `policy`: clock backwards (0 throw, 1 wait, 2 hold, 3 tick-tock), plus four times sequence full (0 throw, 1 wait, 2
/// borrow).
#[expect(clippy::cast_possible_truncation)]
fn policy(policy: u32, max_ahead: f64) -> Policy {
    let backwards = match policy & 3 {
        0 => Backwards::Throw,
        1 => Backwards::Wait,
        2 => Backwards::Hold,
        _ => Backwards::TickTock,
    };
    let full = match policy >> 2 {
        0 => Full::Throw,
        1 => Full::Wait,
        _ => Full::Borrow,
    };
    Policy { backwards, full, max_ahead: max_ahead as i64 }
}

/// Asks until the answer is no longer "draw", or the bits come from the caller. Status 0: an ID was made.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
#[inline]
fn make(index: usize, random: f64, mut ask: impl FnMut(&mut Generator, Option<u64>) -> Answer) -> u32 {
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    let mut bits = if random >= 0.0 { Some(random as u64) } else { None };
    for _ in 0..MOST_DRAWS {
        match ask(generator, bits) {
            Answer::Issued => return 0,
            Answer::Refused(error) => return refuse(error),
            Answer::Wait { until, cause } => {
                put(DETAIL, until as f64);
                put(DETAIL + 8, f64::from(cause.number()));
                return WAIT;
            }
            Answer::Draw { bytes } if random == FROM_PLATFORM => match draw(bytes) {
                Some(drawn) => bits = Some(drawn),
                None => break,
            },
            Answer::Draw { bytes } => {
                put(DETAIL, f64::from(bytes));
                return DRAW;
            }
        }
    }
    refuse(Error::RandomFailed)
}

#[inline(never)]
fn next(index: usize, now: f64, how: u32, max_ahead: f64, random: f64) -> u32 {
    let policy = policy(how, max_ahead);
    make(index, random, |generator, bits| generator.next(now, bits, &policy))
}

/// The next ID as an integer, or a negated status (`status()` tells it from a negative ID).
#[wasm_bindgen]
#[expect(clippy::cast_possible_wrap)]
pub fn next_integer(index: usize, now: f64, how: u32, max_ahead: f64) -> i64 {
    let status = next(index, now, how, max_ahead, FROM_PLATFORM);
    *STATUS.get() = status;
    match generator(index) {
        Some(generator) if status == 0 => generator.id() as i64,
        _ => -i64::from(status),
    }
}

/// The next ID as a number, or a negated status.
#[wasm_bindgen]
#[expect(clippy::cast_precision_loss)]
pub fn next_number(index: usize, now: f64, how: u32, max_ahead: f64) -> f64 {
    let status = next(index, now, how, max_ahead, FROM_PLATFORM);
    match generator(index) {
        Some(generator) if status == 0 => generator.id() as f64,
        _ => -f64::from(status),
    }
}

/// The next sno as text.
#[wasm_bindgen]
pub fn next_sno(index: usize, now: f64, how: u32, max_ahead: f64, metabyte: u8) -> u32 {
    let status = next(index, now, how, max_ahead, FROM_PLATFORM);
    if let (Some(generator), 0) = (generator(index), status) {
        print_id(DATA, sno::id(generator, metabyte), false);
    }
    status
}

/// The next Ulid-Flake as text. `random`: -1 draws from the platform, -2 answers [`DRAW`], else the bits drawn.
#[wasm_bindgen]
pub fn next_ulid(index: usize, now: f64, how: u32, max_ahead: f64, random: f64) -> u32 {
    let status = next(index, now, how, max_ahead, random);
    if let (Some(generator), 0) = (generator(index), status) {
        print_id(DATA, generator.id().into(), true);
    }
    status
}

/// An ID for a given time, to the register. `metabyte` counts for sno only, `random` as in [`next_ulid`].
#[wasm_bindgen]
pub fn at(index: usize, time: f64, random: f64, sno: bool, metabyte: u8) -> u32 {
    let status = make(index, random, |generator, bits| generator.at(time, bits));
    if let (Some(generator), 0) = (generator(index), status) {
        put_id(REGISTER, if sno { sno::id(generator, metabyte) } else { generator.id().into() });
    }
    status
}

/// As many of `count` IDs as one clock reading yields and the area holds, to [`DATA`]; returns how many, and
/// leaves in `status()` why not all. `form`: 0 integers, 1 numbers, 2 sno texts, 3 Ulid-Flake texts.
#[wasm_bindgen]
#[expect(clippy::cast_precision_loss)]
pub fn fill(index: usize, now: f64, how: u32, max_ahead: f64, count: u32, form: u32, metabyte: u8) -> u32 {
    let size = match form {
        0 | 1 => size_of::<u64>(),
        2 => sno::TEXT_LENGTH,
        _ => ulid_flake::TEXT_LENGTH,
    };
    let mut filled = 0;
    let mut offset = DATA;
    *STATUS.get() = 0;
    while filled < count && offset + size <= DATA + DATA_BYTES {
        let status = next(index, now, how, max_ahead, FROM_PLATFORM);
        let Some(generator) = generator(index).filter(|_| status == 0) else {
            *STATUS.get() = status;
            break;
        };
        match form {
            0 => put(offset, generator.id()),
            1 => put(offset, generator.id() as f64),
            2 => print_id(offset, sno::id(generator, metabyte), false),
            _ => print_id(offset, generator.id().into(), true),
        }
        filled += 1;
        offset += size;
    }
    filled
}

/// A slot's state to [`FIELDS`]: highest, last, value, left, safe, drifts, first live tick (-1 for none); the
/// other counter's highest, value, left, wrapped; then issued, regressions, largest regression, overflows.
#[wasm_bindgen]
#[expect(clippy::cast_precision_loss)]
pub fn save(index: usize) -> u32 {
    let Some(Generator { state, backfill, stats, .. }) = generator(index) else { return refuse(Error::Conflict) };
    let first_live = if state.first_live == i64::MAX { -1 } else { state.first_live };
    let numbers = [
        state.highest as f64,
        state.last as f64,
        state.value as f64,
        state.left as f64,
        state.safe as f64,
        f64::from(state.drifts),
        first_live as f64,
        backfill.highest as f64,
        backfill.value as f64,
        backfill.left as f64,
        f64::from(u8::from(backfill.wrapped)),
        stats.issued as f64,
        stats.regressions as f64,
        stats.largest_regression as f64,
        stats.overflows as f64,
    ];
    for (place, number) in fields(MAX_FIELDS).iter_mut().zip(numbers) {
        *place = number;
    }
    0
}

/// The inverse of [`save`], but for the numbers of an operator. The caller has checked them.
#[wasm_bindgen]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn restore(index: usize) -> u32 {
    let Some(generator) = generator(index) else { return refuse(Error::Conflict) };
    let [highest, last, value, left, safe, drifts, first_live, at_highest, at_value, at_left, wrapped, ..] =
        take::<[f64; MAX_FIELDS]>(FIELDS);
    generator.state = State {
        highest: highest as i64,
        last: last as i64,
        value: value as u64,
        left: left as u64,
        safe: safe as i64,
        drifts: drifts as u32,
        first_live: if first_live < 0.0 { i64::MAX } else { first_live as i64 },
    };
    generator.backfill =
        Backfill { highest: at_highest as i64, value: at_value as u64, left: at_left as u64, wrapped: wrapped == 1.0 };
    0
}
