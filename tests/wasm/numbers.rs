//! The instructions of WebAssembly by which a reading becomes a tick: their casts and roundings. All other arithmetic is compared with
//! a native run (`support/digest.rs`), and the module as it is shipped with the vectors (tests/js/conformance).

use graupel::Error;
use graupel::engine::{Rounding, Scale};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::subjects;

/// The casts of readings far outside the range saturate, and never trap.
#[wasm_bindgen_test]
fn readings_that_are_no_times_are_refused() {
    for subject in subjects::all() {
        let rows = [
            (f64::NAN, Error::BeforeEpoch),
            (f64::NEG_INFINITY, Error::BeforeEpoch),
            (f64::MIN, Error::BeforeEpoch),
            (-9_007_199_254_740_993.0, Error::BeforeEpoch),
            (9_007_199_254_740_993.0, Error::EndOfLife),
            (1.844_674_407_370_955_2e19, Error::EndOfLife),
            (f64::MAX, Error::EndOfLife),
            (f64::INFINITY, Error::EndOfLife),
        ];
        for (reading, expected) in rows {
            assert_eq!(subject.schema.scale.tick(reading), Err(expected), "{} at {reading}", subject.name);
        }
    }
}

#[wasm_bindgen_test]
fn halves_round_to_even_and_readings_are_floored() {
    let scale = |rounding| Scale::new(-10, 1, 20, rounding);
    let (floor, nearest) = (scale(Rounding::Floor), scale(Rounding::NearestEven));
    let rows = [
        (-2.5, -3, -2),
        (-1.5, -2, -2),
        (-0.5, -1, 0),
        (-0.25, -1, 0),
        (-0.0, 0, 0),
        (0.5, 0, 0),
        (0.75, 0, 1),
        (1.5, 1, 2),
        (2.5, 2, 2),
        (2.500_000_000_000_000_4, 2, 3),
        // The largest number below 0.5: adding 0.5 and flooring would round it up to 1.
        (0.499_999_999_999_999_94, 0, 0),
    ];
    for (ms, floored, rounded) in rows {
        assert_eq!((floor.tick(ms), nearest.tick(ms)), (Ok(10 + floored), Ok(10 + rounded)), "{ms}");
    }
}
