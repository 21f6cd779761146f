//! The vectors of every format against the core, natively: reading and writing, and the generators. The package's readers
//! (tests/js/conformance) run the other sections, too, and count the items of each deviation.
//!
//! The vectors come from the formats' reference programs (see `tests/vectors/README.md`). Each item must match
//! exactly, unless its `here` says what happens instead.

mod data;
mod nanoflake;
mod sno;
mod snowflake;
mod snowflake_si;
mod trace;
mod ulid_flake;
