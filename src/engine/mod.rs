//! What all formats share: layouts, time, alphabets, and the two counters. No format reaches around it.

pub mod alphabet;
mod backfill;
mod clock;
mod generator;
mod layout;
mod merge;
mod run;
mod schema;
mod sequence;
mod stop;
mod values;

pub use backfill::Backfill;
pub use clock::{Rounding, Scale, UNIX_MS_MAX};
pub use generator::{Answer, Generator, Packing, SAVED, Stats, with_bits};
pub use layout::{Field, Layout, MAX_FIELDS, low_bits};
pub use run::Run;
pub use schema::Schema;
pub use sequence::{Backwards, Full, Interval, Options, Policy, State, step};
pub use stop::{Cause, Stop};
pub use values::Values;
