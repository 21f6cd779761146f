//! The boundary from the JavaScript side: the module's exports, called with numbers, and its area
//! of memory, read through a view.

use std::sync::OnceLock;

use graupel::Error;
use graupel::abi::{Area, Asked, CAUSE, DATA, DETAIL, FIELDS, FILLED, REGISTER, Status, TEXT};
use graupel::engine::alphabet::Base32;
use graupel::engine::{Generator, MAX_FIELDS, NotIssued, Policy, Saved, SequenceRule, State};
use graupel::formats::{sno, ulid_flake};
use js_sys::{Array, Function, Reflect, Uint8Array, WebAssembly};
use wasm_bindgen::{JsCast, JsValue};

use crate::made::{self, Answer};
use crate::subjects::FormatUnderTest;

/// The numbers of the text forms, in the order of [`graupel::formats::TEXTS`]: used in place of a
/// radix, and in a call's flags.
pub const SNO: u32 = TEXT;
pub const CROCKFORD: u32 = TEXT + 1;
pub const FORM_INTEGER: u32 = Asked::FORM_INTEGER;
pub const FORM_NUMBER: u32 = Asked::FORM_NUMBER;
pub const FORM_SNO: u32 = SNO << Asked::FORM_SHIFT;
pub const FORM_CROCKFORD: u32 = CROCKFORD << Asked::FORM_SHIFT;

/// Calls an export. All arguments are numbers; true is 1. An error is a trap.
pub fn try_call(name: &str, arguments: &[f64]) -> Result<JsValue, JsValue> {
    let export = Reflect::get(&wasm_bindgen::exports(), &name.into()).unwrap();
    let export: Function = export.dyn_into().unwrap_or_else(|_| panic!("no export {name}"));
    let arguments: Array = arguments.iter().copied().map(JsValue::from_f64).collect();
    export.apply(&JsValue::NULL, &arguments)
}

/// Calls an export, which must not trap.
pub fn call(name: &str, arguments: &[f64]) -> JsValue {
    try_call(name, arguments).unwrap_or_else(|error| panic!("{name} trapped: {error:?}"))
}

/// Calls an export that returns a status, or an address.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn status(name: &str, arguments: &[f64]) -> u32 {
    call(name, arguments).as_f64().unwrap_or_else(|| panic!("{name} returned no number")) as u32
}

/// Asks for an ID of a given time.
pub fn at(slot: f64, time: f64, form: u32, random: f64) -> u32 {
    status("next", &[slot, time, f64::from(form | Asked::BACKFILL), 0.0, random])
}

/// The address of the area.
static AREA: OnceLock<u32> = OnceLock::new();

/// A part of the area. Creates a new view each time, because the test binary's memory may have
/// grown, unlike the shipped module's.
fn view(offset: usize, length: usize) -> Uint8Array {
    assert!(offset + length <= size_of::<Area>(), "{length} bytes at {offset}");
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let start = *AREA.get_or_init(|| status("area", &[])) + u32::try_from(offset).unwrap();
    Uint8Array::new_with_byte_offset_and_length(&memory.buffer(), start, u32::try_from(length).unwrap())
}

pub fn bytes(offset: usize, length: usize) -> Vec<u8> {
    // Allocate this before the view, because growing the memory detaches all views.
    let mut copy = vec![0; length];
    view(offset, length).copy_to(&mut copy);
    copy
}

pub fn put_bytes(offset: usize, bytes: &[u8]) {
    view(offset, bytes.len()).copy_from(bytes);
}

pub fn float(offset: usize) -> f64 {
    f64::from_le_bytes(bytes(offset, 8).try_into().unwrap())
}

pub fn put_floats(offset: usize, numbers: &[f64]) {
    put_bytes(offset, &numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>());
}

/// The ID in a register.
pub fn register(offset: usize) -> u128 {
    u128::from_le_bytes(bytes(offset, 16).try_into().unwrap())
}

pub fn put_register(id: u128) {
    put_bytes(REGISTER, &id.to_le_bytes());
}

#[expect(clippy::cast_precision_loss)]
pub fn put_fields(values: &[u64]) {
    put_floats(FIELDS, &values.iter().map(|&value| value as f64).collect::<Vec<_>>());
}

/// Loads a format.
#[expect(clippy::cast_precision_loss)]
pub fn load(subject: &FormatUnderTest) {
    let (layout, scale) = (subject.schema.layout(), subject.schema.scale());
    let widths: Vec<u8> = layout.places().map(|place| u8::try_from(place.bits).unwrap()).collect();
    put_bytes(DATA, &[0; MAX_FIELDS]);
    put_bytes(DATA, &widths);
    // Derives the arguments of the schema from its behaviour.
    let unsigned = scale.last() == layout.last_tick(true);
    let nearest = scale.tick(scale.epoch() as f64 + 0.75) == Ok(1) && scale.tick_ms() == 1;
    let marks = subject.schema.packing(0);
    let arguments = [
        f64::from(layout.place(subject.sequence).unwrap().shift),
        scale.epoch() as f64,
        f64::from(scale.tick_ms()),
        f64::from(u8::from(unsigned)),
        f64::from(u8::from(nearest)),
        marks.tick_tock as f64,
        marks.per_call_bits as f64,
    ];
    call("schema", &arguments);
}

/// Opens a copy of this generator in a slot, with its state.
#[expect(clippy::cast_precision_loss)]
pub fn open(subject: &FormatUnderTest, generator: &Generator, slot: u8) {
    load(subject);
    put_fields(&made::unpack(subject.schema.layout(), generator.packing().fixed.into()));
    let (first, last, random, rule) = match *generator.values() {
        SequenceRule::Counter { first, last, restart, .. } => (first as f64, last as f64, 0.0, restart.number() as f64),
        SequenceRule::Random { max, start, step, .. } => (start as f64, max as f64, 1.0, step as f64),
    };
    call("open", &[slot.into(), first, last, random]);
    call("rule", &[slot.into(), rule]);
    put_floats(FIELDS, &numbers(generator));
    call("restore", &[slot.into()]);
}

/// A signed number in the bits of an unsigned one, as the boundary takes it.
#[expect(clippy::cast_precision_loss)]
pub fn as_number(number: u64) -> f64 {
    number.cast_signed() as f64
}

/// A generator's numbers, as a slot saves them.
pub fn numbers(core: &Generator) -> Vec<f64> {
    let Saved { state, backfill: given, stats, interval } = core.saved;
    let State { highest, last, value, left, safe, tick_tocks, first_live } = state;
    let signed = i64::cast_unsigned;
    let live = [signed(highest), signed(last), value, left, signed(safe), tick_tocks, first_live];
    let backfill = [signed(given.highest), given.value, given.left, given.wrapped];
    let largest = signed(stats.largest_regression);
    let stats = [stats.issued, stats.regressions, largest, stats.overflows, signed(stats.overflown)];
    let interval = [interval.from, interval.until].map(signed);
    live.into_iter().chain(backfill).chain(stats).chain(interval).map(as_number).collect()
}

/// The output form of a format's IDs.
pub fn form(subject: &FormatUnderTest) -> u32 {
    if subject.is_sno() {
        FORM_SNO
    } else if let SequenceRule::Random { .. } = subject.generator.values() {
        FORM_CROCKFORD
    } else if subject.name.starts_with("snowflake-si") {
        FORM_NUMBER
    } else {
        FORM_INTEGER
    }
}

/// A policy and a form as arguments of calls: the flags, and how far to run ahead.
#[expect(clippy::cast_precision_loss)]
pub fn policy_arguments(policy: &Policy, form: u32) -> [f64; 2] {
    [f64::from(policy.backwards as u32 + ((policy.full as u32) << Asked::FULL_SHIFT) + form), policy.max_ahead as f64]
}

/// Compares a status, with its details in the area, with the core's answer.
#[expect(clippy::cast_precision_loss)]
pub fn assert_answer(status: u32, answer: Answer, about: &str) {
    match answer {
        Ok(()) => assert_eq!(status, 0, "{about}"),
        Err(NotIssued::Refused(error)) => assert_eq!(status, code(error), "{about}: {error:?}"),
        Err(NotIssued::Draw { bytes }) => {
            assert_eq!((status, float(DETAIL)), (Status::DRAW.number(), bytes as f64), "{about}")
        }
        Err(NotIssued::Wait { until, cause }) => {
            let expected = (Status::WAIT.number(), until as f64, f64::from(cause.number()));
            assert_eq!((status, float(DETAIL), float(CAUSE)), expected, "{about}: {cause:?}");
        }
    }
}

/// The number of IDs in the batch.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn filled() -> usize {
    float(FILLED) as usize
}

/// The text in the area.
pub fn text(length: usize) -> Vec<u8> {
    bytes(DATA, length)
}

/// The ID of a canonical text.
pub fn value(form: &Base32, text: &[u8]) -> u128 {
    let digit = |&byte: &u8| form.digits().iter().position(|&digit| digit == byte).unwrap();
    text.iter().fold(0, |id, byte| id << 5 | digit(byte) as u128)
}

/// The ID that a call has left, in a form.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn issued(offset: usize, form: u32) -> u128 {
    match form {
        FORM_SNO => value(&sno::TEXT, &bytes(offset, sno::TEXT.length())),
        FORM_CROCKFORD => value(&ulid_flake::TEXT, &bytes(offset, ulid_flake::TEXT.length())),
        FORM_NUMBER => float(offset) as u128,
        _ => u64::from_le_bytes(bytes(offset, 8).try_into().unwrap()).into(),
    }
}

pub fn code(error: Error) -> u32 {
    error.number().into()
}
