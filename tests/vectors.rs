//! Every vector of every format against the core, natively.
//!
//! The vectors come from the formats' reference programs (see `vectors/README.md`). An item must match exactly, or have
//! the name of a deviation in `vectors/deviations.json`, which says why; then the item says what happens instead.
//! `cargo test --test vectors -- --nocapture` prints the tables.

#[path = "vectors/codec.rs"]
mod codec;
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
#[path = "vectors/tally.rs"]
mod tally;
#[path = "vectors/trace.rs"]
mod trace;
#[path = "vectors/ulid_flake.rs"]
mod ulid_flake;
