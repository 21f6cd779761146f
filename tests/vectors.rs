//! The vectors of every format against the core, natively: reading and writing, and the generators. The package's readers
//! (tests/js/conformance) run the other sections, too, and count the items of each deviation.
//!
//! The vectors come from the formats' reference programs (see `vectors/README.md`). An item must match exactly, unless it says under
//! `here` what happens instead.

#[path = "vectors/data.rs"]
mod data;
#[path = "support/made.rs"]
mod made;
#[path = "vectors/nanoflake.rs"]
mod nanoflake;
#[path = "vectors/sno.rs"]
mod sno;
#[path = "vectors/snowflake.rs"]
mod snowflake;
#[path = "vectors/snowflake_si.rs"]
mod snowflake_si;
#[path = "vectors/trace.rs"]
mod trace;
#[path = "vectors/ulid_flake.rs"]
mod ulid_flake;
