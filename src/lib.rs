//! graupel: the IDs of the Snowflake family, made, read and checked.
//!
//! This crate is the core. It reads no clock, draws no randomness and does not depend on JavaScript: time and random bits
//! are arguments, waiting is an answer, and an error is a small value. [`engine`] holds the shared machinery, [`formats`] one
//! file per format. Only the WebAssembly boundary converts values.
//!
//! ```
//! use graupel::engine::{Generator, Policy, Restart, Saved, SequenceRule};
//! use graupel::formats::snowflake;
//!
//! let schema = snowflake::TWITTER.schema(None)?;
//! let packing = schema.packing(3 << 17 | 7 << 12);   // datacenter 3, worker 7
//! let mut worker = Generator::new(schema.scale(), packing, SequenceRule::counter(0, 4095, Restart::ALWAYS)?, Saved::NEW);
//! let tick = worker.scale().tick(1_600_000_000_000.0)?;
//! assert_eq!(worker.next(tick, None, &Policy::default()), Ok(()));
//! assert_eq!(worker.id(), 1_305_120_710_456_668_160);
//! # Ok::<(), graupel::Located>(())
//! ```

// What is compiled natively has none. Of the boundary, all modules but `raw` forbid it, which a crate's `forbid` would not let them except.
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]

pub mod abi;
pub mod engine;
mod error;
pub mod formats;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use error::{Error, Located};
