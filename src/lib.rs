//! graupel generates, parses and validates the IDs of the Snowflake family.
//!
//! This crate is the core. It reads no clock, draws no random bits and does not depend on
//! JavaScript: time and random bits are arguments, a wait is a result, and an error is a small
//! value. [`engine`] has the shared code, [`formats`] one file per family of formats. Only the
//! WebAssembly boundary converts values.
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
//! # Ok::<(), graupel::Error>(())
//! ```

// Native code has no `unsafe`. In the boundary, all modules except `raw` forbid it; a crate-wide
// `forbid` would not allow that exception.
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]

pub mod abi;
pub mod engine;
mod error;
pub mod formats;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use error::Error;
