//! Snowflake-SI: the sequence that a new millisecond starts with. Four values a millisecond, by the layout.

use graupel::engine::{Answer, SequenceRule};
use graupel::formats::snowflake_si;

use crate::script::{Player, policy};
use crate::subjects::{self, EPOCH, Subject};

fn play(keep: bool, threshold: u64, policy_name: &str, script: &str) -> String {
    let subjects = subjects::all();
    let schema = snowflake_si::schema(EPOCH, 41, 10, 2).unwrap();
    let subject: &Subject = subjects.iter().find(|subject| subject.schema == schema).unwrap();
    let mut generator = subject.generator;
    generator.values = snowflake_si::values(&schema, keep, threshold);
    Player::new(subject, generator, policy(policy_name, 5), 0).play(script)
}

#[test]
fn how_a_new_millisecond_starts() {
    let keep = (true, 0);
    let rows = [
        ("reset", (false, 0), "100*3 101 102", "100.0-2 101.0 102.0"),
        ("kept", keep, "100 101*2 102*2", "100.0 101.1-2 102.3 102.0"),
        ("kept from the largest value on", keep, "100*4 101", "100.0-3 101.0"),
        ("the threshold is whatever", (true, 2), "100*3 101", "100.0-2 101.3"),
        ("below the threshold: kept", (false, 3), "100*2 101", "100.0-1 101.2"),
        ("at the threshold: reset", (false, 2), "100*2 101", "100.0-1 101.0"),
        ("at the largest value: kept, and then reset", (false, 4), "100*3 101 102", "100.0-2 101.3 102.0"),
        ("threshold of one: as reset", (false, 1), "100 101", "100.0 101.0"),
        ("a threshold out of reach: kept", (false, u64::MAX), "100*3 101*2", "100.0-2 101.3 101.0"),
    ];
    for (name, (keep, threshold), script, expected) in rows {
        assert_eq!(play(keep, threshold, "hold/wait", script), expected, "{name}");
    }
}

/// The threshold is compared with the sequence as it runs on from tick to tick: rolling over does not bring it back below.
#[test]
fn a_sequence_that_rolled_over_is_past_the_threshold() {
    for script in ["100 101*4 102", "100 101*4 restart 102"] {
        assert_eq!(play(false, 3, "hold/wait", script), "100.0 101.1-3 101.0 102.0", "{script}");
    }
    assert_eq!(play(false, 3, "hold/wait", "100 101*2 102"), "100.0 101.1-2 102.0", "at the threshold");
    assert_eq!(play(false, 3, "hold/wait", "100 101 102"), "100.0 101.1 102.2", "below it");
}

/// Every story of four ticks, against a sequence that is never masked, and 0 again only where it has reached the threshold.
#[test]
fn every_threshold_against_a_sequence_that_only_a_reset_ends() {
    const CAPACITY: u64 = 4;
    let schema = snowflake_si::schema(EPOCH, 41, 10, 2).unwrap();
    for threshold in 0..CAPACITY {
        for story in 0..CAPACITY.pow(4) {
            let mut generator = schema.generator(&[0, 5, 0], snowflake_si::values(&schema, false, threshold)).unwrap();
            let mut sequence = 0;
            for tick in 0..4 {
                sequence = if sequence >= threshold { 0 } else { sequence };
                for _ in 0..=story / CAPACITY.pow(tick) % CAPACITY {
                    #[expect(clippy::cast_precision_loss)]
                    let now = EPOCH as f64 + f64::from(tick);
                    assert_eq!(generator.next(now, None, &policy("hold/wait", 5)), Answer::Issued);
                    let found = generator.made().1;
                    assert_eq!(found, sequence % CAPACITY, "threshold {threshold}, story {story}, tick {tick}");
                    sequence += 1;
                }
            }
        }
    }
}

/// However it starts, a millisecond holds its capacity and no pair twice.
#[test]
fn a_kept_millisecond_holds_its_capacity() {
    let script = "100*3 101*5 102";
    let rows = [
        ("throw/throw", "100.0-2 101.3 101.0-2 full 102.3"),
        ("hold/wait", "100.0-2 101.3 101.0-2 full~102=102.3 102.0"),
        ("hold/borrow", "100.0-2 101.3 101.0-2 102.3 102.0"),
    ];
    for (policy, expected) in rows {
        assert_eq!(play(true, 0, policy, script), expected, "{policy}");
    }
}

#[test]
fn going_back_does_not_restart_a_kept_millisecond() {
    let script = "100*2 101 100*2 101";
    let rows = [
        ("throw/wait", "100.0-1 101.2 back back 101.3"),
        ("wait/wait", "100.0-1 101.2 back~101=101.3 back~101=101.0-1"),
        ("hold/wait", "100.0-1 101.2-3 101.0-1"),
    ];
    for (policy, expected) in rows {
        assert_eq!(play(true, 0, policy, script), expected, "{policy}");
    }
}

#[test]
fn a_kept_sequence_survives_a_restart() {
    assert_eq!(play(true, 0, "hold/wait", "100*2 restart 101 restart 101"), "100.0-1 101.2-3");
}

/// A run is of values that follow each other: it ends where the counter rolls over, and goes on after it.
#[test]
fn a_run_ends_where_a_kept_counter_rolls_over() {
    let schema = snowflake_si::schema(EPOCH, 41, 10, 2).unwrap();
    let mut generator = schema.generator(&[0, 5, 0], snowflake_si::values(&schema, true, 0)).unwrap();
    let mut next = |ms: u32, most: u64| {
        #[expect(clippy::cast_precision_loss)]
        let now = EPOCH as f64 + f64::from(ms);
        assert_eq!(generator.next(now, None, &policy("hold/wait", 5)), Answer::Issued);
        let first = generator.made();
        let mut run = generator.run();
        let count = run.take(most);
        generator.settle(&run);
        assert_eq!(generator.made(), (first.0, first.1 + count, first.2));
        (first.1, count)
    };
    assert_eq!(next(100, 1), (0, 1));
    assert_eq!(next(101, 9), (2, 1), "up to the largest value");
    assert_eq!(next(101, 9), (0, 1), "and what the tick still holds");
    assert_eq!(next(102, 0), (2, 0), "none are wanted");
    assert_eq!(next(102, 9), (3, 0));
    assert_eq!(next(99, 9), (0, 1), "held at the highest reading");
    let stats = generator.stats;
    assert_eq!((stats.issued, stats.regressions, stats.largest_regression), (10, 2, 3));
}

#[test]
fn keeping_is_an_infinite_threshold() {
    let schema = snowflake_si::schema(EPOCH, 40, 5, 8).unwrap();
    let values = |keep, threshold| snowflake_si::values(&schema, keep, threshold);
    assert_eq!(values(true, 7), values(false, u64::MAX));
    assert_eq!(values(false, 7), SequenceRule::Counter { first: 0, last: 255, restart: 7 });
}
