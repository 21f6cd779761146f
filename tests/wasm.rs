//! Inside WebAssembly: the core's arithmetic there, and the boundary as JavaScript sees it.
//!
//! In Node: `cargo test --target wasm32-unknown-unknown --test wasm` (after `npm run build`, whose entropy source the module
//! imports). There and in browsers: `npm run test:everywhere -- --only wasm-bindgen-test`.
#![cfg(target_arch = "wasm32")]

#[path = "wasm/boundary.rs"]
mod boundary;
#[path = "support/check.rs"]
mod check;
#[path = "wasm/clock.rs"]
mod clock;
#[path = "support/digest.rs"]
mod digest;
#[path = "wasm/junk.rs"]
mod junk;
#[path = "support/made.rs"]
mod made;
#[path = "wasm/numbers.rs"]
mod numbers;
#[path = "wasm/slots.rs"]
mod slots;
#[path = "wasm/stories.rs"]
mod stories;
#[path = "support/subjects.rs"]
mod subjects;
#[path = "wasm/verbs.rs"]
mod verbs;
#[path = "support/walk.rs"]
mod walk;

use wasm_bindgen_test::wasm_bindgen_test;

/// Compares with the number of a native run (see `engine.rs`).
#[wasm_bindgen_test]
fn the_core_answers_here_as_it_does_natively() {
    digest::compare();
}
