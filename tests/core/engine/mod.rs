//! Clock stories: what each format's generator answers, under every policy, when the clock stands
//! still, jumps, ends or goes back. They read no clock: stories are scripts (see `script.rs`) with
//! all expected answers.

mod script;
mod story;

use graupel::Error;

/// What crosses the boundary for an error, and what JavaScript calls it; the order is part of the contract.
#[test]
fn errors_keep_their_numbers_and_names() {
    let rows = [
        (Error::Length, "LENGTH"),
        (Error::Character, "CHARACTER"),
        (Error::NotCanonical, "NOT_CANONICAL"),
        (Error::Overflow, "OVERFLOW"),
        (Error::Range, "RANGE"),
        (Error::Conflict, "CONFLICT"),
        (Error::BeforeEpoch, "BEFORE_EPOCH"),
        (Error::EndOfLife, "END_OF_LIFE"),
        (Error::ClockBackwards, "CLOCK_BACKWARDS"),
        (Error::SequenceFull, "SEQUENCE_FULL"),
        (Error::TimeTaken, "TIME_TAKEN"),
        (Error::OutsideInterval, "OUTSIDE_INTERVAL"),
        (Error::RandomFailed, "RANDOM_FAILED"),
    ];
    assert_eq!(rows.len() + 1, Error::NAMES.len(), "number 0 is no error");
    for (number, (error, name)) in (1..).zip(rows) {
        assert_eq!((error.number(), error.name()), (number, name));
    }
}
