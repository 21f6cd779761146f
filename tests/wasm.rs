//! Inside WebAssembly: the core's own tests once more, and the boundary as JavaScript sees it.
//!
//! In Node: `cargo test --target wasm32-unknown-unknown --test wasm` (after `npm run build`, whose entropy source the module
//! imports). There and in browsers: `npm run test:everywhere -- --only wasm-bindgen-test`.
#![cfg(target_arch = "wasm32")]

#[path = "wasm/boundary.rs"]
mod boundary;
#[path = "support/check.rs"]
mod check;
#[path = "engine/ends.rs"]
mod ends;
#[path = "wasm/junk.rs"]
mod junk;
#[path = "engine/kept.rs"]
mod kept;
#[path = "properties/layouts.rs"]
mod layouts;
#[path = "support/made.rs"]
mod made;
#[path = "engine/random.rs"]
mod random;
#[path = "properties/ranges.rs"]
mod ranges;
#[path = "engine/script.rs"]
mod script;
#[path = "engine/sequence.rs"]
mod sequence;
#[path = "wasm/slots.rs"]
mod slots;
#[path = "properties/stories.rs"]
mod stories;
#[path = "engine/story.rs"]
mod story;
#[path = "support/subjects.rs"]
mod subjects;
#[path = "properties/texts.rs"]
mod texts;
#[path = "wasm/twins.rs"]
mod twins;
#[path = "wasm/verbs.rs"]
mod verbs;
#[path = "properties/walk.rs"]
mod walk;
