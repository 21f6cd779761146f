//! Calls every export with invalid numbers, in any order: each call must return. The audit of the
//! module cannot check the addresses of loads and stores, so these calls check them.

use graupel::abi::{BATCH_IDS, DATA, FIELDS};
use graupel::engine::{Full, MAX_FIELDS, Policy};
use proptest::prelude::*;
use proptest::sample::select;
use wasm_bindgen_test::wasm_bindgen_test;

use super::boundary::{
    CROCKFORD, FORM_CROCKFORD, FORM_INTEGER, FORM_NUMBER, FORM_SNO, call, filled, load, open, policy_arguments,
    put_bytes, put_fields, put_floats, put_register, status, try_call,
};
use crate::check::check;
use crate::subjects::{self, FormatUnderTest};

/// The exports, each with the number of its arguments.
const EXPORTS: [(&str, usize); 14] = [
    ("area", 0),
    ("compose", 0),
    ("fill", 5),
    ("merge", 2),
    ("next", 5),
    ("open", 4),
    ("print", 2),
    ("range", 2),
    ("refill", 0),
    ("restore", 1),
    ("rule", 2),
    ("save", 1),
    ("schema", 7),
    ("tick", 1),
];

const MAX_ARGUMENTS: usize = 8;

/// Bounds of the types and of the area, numbers just past them, and NaN.
#[expect(clippy::cast_precision_loss)]
const NUMBERS: [f64; 29] = [
    0.0,
    -0.0,
    1.0,
    2.0,
    3.0,
    0.5,
    -1.0,
    -2.0,
    7.0,
    16.0,
    CROCKFORD as f64,
    255.0,
    256.0,
    MAX_FIELDS as f64,
    MAX_FIELDS as f64 + 1.0,
    BATCH_IDS as f64,
    65_536.0,
    2_147_483_647.0,
    2_147_483_648.0,
    4_294_967_295.0,
    4_294_967_296.0,
    1.7e12,
    9_007_199_254_740_991.0,
    9_223_372_036_854_775_808.0,
    1.844_674_407_370_955_2e19,
    -9_223_372_036_854_775_808.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// The contents of the area before a call.
#[derive(Clone, Debug)]
enum Before {
    Schema(usize),
    Generator(usize),
    Register(u32),
    Fields(Vec<f64>),
    Leftovers,
}

fn before() -> impl Strategy<Value = Before> {
    let subject = || 0..subjects::all().len();
    prop_oneof![
        1 => subject().prop_map(Before::Schema),
        1 => subject().prop_map(Before::Generator),
        1 => (0_u32..128).prop_map(Before::Register),
        1 => prop::collection::vec(select(&NUMBERS[..]), MAX_FIELDS).prop_map(Before::Fields),
        4 => Just(Before::Leftovers),
    ]
}

#[wasm_bindgen_test]
fn every_call_comes_back_whatever_it_is_passed() {
    let subjects = subjects::all();
    let calls = (before(), select(&EXPORTS[..]), prop::collection::vec(select(&NUMBERS[..]), MAX_ARGUMENTS));
    check(200, prop::collection::vec(calls, 100), |calls| {
        for (before, (name, count), numbers) in calls {
            match before {
                Before::Schema(index) => load(&subjects[index]),
                Before::Generator(index) => open(&subjects[index], &subjects[index].generator, 0),
                Before::Register(bits) => put_register(u128::MAX >> bits),
                Before::Fields(numbers) => put_floats(FIELDS, &numbers),
                Before::Leftovers => {}
            }
            prop_assert!(try_call(name, &numbers[..count]).is_ok(), "{name} trapped");
        }
        Ok(())
    });
}

/// A length past the end of a part of the area is limited to that part.
#[wasm_bindgen_test]
fn a_part_of_the_area_is_as_long_as_it_is() {
    let sno = subjects::all().into_iter().find(FormatUnderTest::is_sno).unwrap();
    open(&sno, &sno.generator, 0);
    for length in [MAX_FIELDS, MAX_FIELDS + 1, 1 << 20, (1 << 31) + 3] {
        #[expect(clippy::cast_precision_loss)]
        let number = length as f64;
        put_bytes(DATA, &[1; MAX_FIELDS]);
        call("schema", &[number, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        put_fields(&[0; MAX_FIELDS]);
        call("compose", &[]);
    }
    let room = (0_u8..).zip([FORM_INTEGER, FORM_NUMBER, FORM_SNO, FORM_CROCKFORD]).map(|(tick, form)| {
        let now = 1.7e12 + f64::from(tick) * 4.0;
        let [flags, ahead] = policy_arguments(&Policy { full: Full::Wait, ..Policy::default() }, form);
        status("fill", &[0.0, now, flags, ahead, 4_294_967_295.0]);
        filled()
    });
    assert_eq!(room.collect::<Vec<_>>(), [BATCH_IDS; 4]);
}
