//! The code that all formats share: layouts, time, alphabets, and the two counters. It does not
//! depend on any format.

pub mod alphabet;
mod backfill;
mod generator;
mod layout;
mod merge;
mod not_issued;
mod scale;
mod schema;
mod sequence_rule;
mod step;
mod tick_burst;

pub use backfill::Backfill;
pub use generator::{Generator, Packing, SAVED, Saved, Stats, with_bits};
pub use layout::{Field, INTEGER_BITS, Layout, MAX_FIELD_BITS, MAX_FIELDS, Place, low_bits};
pub(crate) use layout::{high_bits, whole};
pub use not_issued::NotIssued;
pub use scale::{Rounding, SPAN_MS_MAX, Scale, TICK_MS_MAX, UNIX_MS_MAX};
pub(crate) use schema::Marks;
pub use schema::Schema;
pub use sequence_rule::{Restart, SequenceRule};
pub use step::{Backwards, Full, Interval, Options, Policy, State, step};
