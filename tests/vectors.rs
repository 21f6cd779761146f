//! Every vector of every format against the core, natively.
//!
//! The vectors come from the formats' reference programs (see `vectors/README.md`). An item must match exactly, or have
//! the name of a deviation in `vectors/deviations.json`, which says why; then the test asserts what happens instead.
//! `cargo test --test vectors -- --nocapture` prints the tables.

#[path = "vectors/data.rs"]
mod data;
#[path = "vectors/drive.rs"]
mod drive;
#[path = "support/made.rs"]
mod made;
#[path = "vectors/nanoflake.rs"]
mod nanoflake;
#[path = "vectors/sno.rs"]
mod sno;
#[path = "vectors/sno_generator.rs"]
mod sno_generator;
#[path = "vectors/snowflake.rs"]
mod snowflake;
#[path = "vectors/snowflake_si.rs"]
mod snowflake_si;
#[path = "vectors/tally.rs"]
mod tally;
#[path = "vectors/ulid_flake.rs"]
mod ulid_flake;

#[test]
fn sno_vectors() {
    sno::all().report();
}

#[test]
fn nanoflake_vectors() {
    nanoflake::all().report();
}

#[test]
fn snowflake_vectors() {
    snowflake::all().report();
}

#[test]
fn snowflake_si_vectors() {
    snowflake_si::all().report();
}

#[test]
fn ulid_flake_vectors() {
    ulid_flake::all().report();
}
