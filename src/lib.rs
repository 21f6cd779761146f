//! graupel: the IDs of the Snowflake family, made, read and checked.
//!
//! This crate is the core. It reads no clock, draws no randomness and does not depend on JavaScript: time and random bits
//! are arguments, waiting is an answer, and an error is a small value. [`engine`] holds the shared machinery, [`formats`] one
//! file per format. Only the WebAssembly boundary converts values.
//!
//! ```
//! use graupel::engine::Policy;
//! use graupel::formats::snowflake;
//!
//! let mut worker = snowflake::TWITTER.generator(&[3, 7]).unwrap();   // datacenter 3, worker 7
//! let policy = Policy::default();
//! let tick = worker.scale.tick(1_600_000_000_000.0).unwrap();
//! assert_eq!(worker.next(tick, None, &policy), Ok(()));
//! assert_eq!(worker.id(), 1_305_120_710_456_668_160);
//! ```

#[forbid(unsafe_code)]
pub mod abi;
#[forbid(unsafe_code)]
pub mod engine;
#[forbid(unsafe_code)]
mod error;
#[forbid(unsafe_code)]
pub mod formats;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use error::{Error, Located};
