//! The tests of the core: natively, and again inside WebAssembly, together with the tests of the
//! boundary to JavaScript.
//!
//! In Node: `cargo test --target wasm32-unknown-unknown --test core` (after `npm run build`, whose
//! entropy source the module imports). In Node and in browsers: `npm run test:hosts -- --only
//! wasm-bindgen-test`.

#[cfg(not(target_arch = "wasm32"))]
mod engine;
mod properties;
mod support;
#[cfg(target_arch = "wasm32")]
mod wasm;

use support::{check, made, subjects};
