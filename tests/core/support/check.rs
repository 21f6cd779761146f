//! Runs a property with a seed, which a failure prints.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

/// Marks a test that runs both natively and in WebAssembly.
#[cfg(not(target_arch = "wasm32"))]
pub use core::prelude::v1::test;
#[cfg(target_arch = "wasm32")]
pub use wasm_bindgen_test::wasm_bindgen_test as test;

/// The result of a property for one input. `prop_assert!` makes the error.
pub type Held = Result<(), TestCaseError>;

/// Runs a property on `cases` inputs, unless the environment sets their number; on fewer inside
/// WebAssembly, which is slower. Panics with the smallest input that breaks it. Writes no files.
pub fn check<S: Strategy>(cases: u32, inputs: S, property: impl Fn(S::Value) -> Held) {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = if cfg!(target_arch = "wasm32") { cases.div_ceil(20) } else { cases };
    }
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => fresh_seed(),
    };
    config.rng_seed = RngSeed::Fixed(seed);
    if let Err(failure) = TestRunner::new(config).run(&inputs, property) {
        panic!("{failure}\nto repeat: PROPTEST_RNG_SEED={seed}");
    }
}

/// The standard library's hasher starts from the system's randomness; in WebAssembly, from the same numbers each time.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}
