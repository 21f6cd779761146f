//! The stories that Rust shares with TypeScript: one test for each file of `tests/stories`.

use crate::story::tell;

#[test]
fn a_clock_that_stands_and_goes_back() {
    tell("clock");
}

#[test]
fn a_full_sequence() {
    tell("sequence");
}

#[test]
fn given_times() {
    tell("backfill");
}

#[test]
fn restarts() {
    tell("restart");
}

#[test]
fn the_first_and_the_last_tick() {
    tell("ends");
}

#[test]
fn an_interval_of_id_time() {
    tell("interval");
}

#[test]
fn how_a_new_millisecond_starts() {
    tell("kept");
}
