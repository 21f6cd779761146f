//! What all formats share: layouts, time, alphabets, and the two counters. No format reaches around it.

pub mod alphabet;
mod backfill;
mod clock;
mod generator;
mod layout;
mod schema;
mod sequence;

pub use backfill::Backfill;
pub use clock::{Rounding, Scale, UNIX_MS_MAX};
pub use generator::{Answer, Generator, Packing, Stats};
pub use layout::{Field, Layout, MAX_FIELDS, high_bits, low_bits, whole};
pub use schema::Schema;
pub use sequence::{Backwards, Cause, Full, Interval, Options, Policy, State, Stop, Values, step};
