//! Clock stories: what each format's generator answers, under every policy, to clocks that stand still, jump, end,
//! and go back. No clock is read here: stories are scripts (see `policy/script.rs`), and every answer is written down.

#[path = "policy/clock_stories.rs"]
mod clock_stories;
#[path = "support/digest.rs"]
mod digest;
#[path = "policy/ends.rs"]
mod ends;
#[path = "policy/kept.rs"]
mod kept;
#[path = "support/made.rs"]
mod made;
#[path = "policy/merge.rs"]
mod merge;
#[path = "policy/random.rs"]
mod random;
#[path = "policy/restart.rs"]
mod restart;
#[path = "policy/script.rs"]
mod script;
#[path = "policy/sequence.rs"]
mod sequence;
#[path = "policy/story.rs"]
mod story;
#[path = "support/subjects.rs"]
mod subjects;

use graupel::Error;
use graupel::engine::{Backwards, Full};

#[test]
fn every_format_takes_part() {
    let names: Vec<&str> = subjects::all().iter().map(|subject| subject.name).collect();
    for format in graupel::formats::ALL {
        assert!(names.contains(&format.name), "{} has no part in the stories", format.name);
    }
}

/// `wasm.rs` compares the same answers inside WebAssembly.
#[test]
fn the_core_answers_on_every_machine_alike() {
    digest::compare();
}

/// What a specification demands instead is the policy `throw`, with which its vectors run.
#[test]
fn every_format_goes_on_and_waits_by_default() {
    for format in graupel::formats::ALL {
        let backwards = if format.turn.is_some() { Backwards::TickTock } else { Backwards::Hold };
        assert_eq!((format.backwards, format.full), (backwards, Full::Wait), "{}", format.name);
        assert_eq!(format.turn.is_some(), format.name == "sno");
    }
}

/// What crosses the boundary for an error, and what JavaScript calls it; the order is part of the contract.
#[test]
fn errors_keep_their_numbers_names_and_details() {
    let rows = [
        (Error::Length { found: 15 }, "LENGTH", 15),
        (Error::Character { at: 7 }, "CHARACTER", 7),
        (Error::NotCanonical, "NOT_CANONICAL", 0),
        (Error::Overflow, "OVERFLOW", 0),
        (Error::Range { field: 3 }, "RANGE", 3),
        (Error::Conflict, "CONFLICT", 0),
        (Error::BeforeEpoch, "BEFORE_EPOCH", 0),
        (Error::EndOfLife, "END_OF_LIFE", 0),
        (Error::ClockBackwards, "CLOCK_BACKWARDS", 0),
        (Error::SequenceFull, "SEQUENCE_FULL", 0),
        (Error::TimeTaken, "TIME_TAKEN", 0),
        (Error::OutsideInterval, "OUTSIDE_INTERVAL", 0),
        (Error::RandomFailed, "RANDOM_FAILED", 0),
    ];
    assert_eq!(rows.len() + 1, Error::NAMES.len(), "number 0 is no error");
    for (number, (error, name, detail)) in (1..).zip(rows) {
        assert_eq!((error.number(), error.name(), error.detail()), (number, name, detail));
    }
}
