//! Snowflake-SI: the sequence that a new millisecond starts with. Four values a millisecond, by the layout.

use crate::made::{self, InMs, KEPT};
use crate::script::{Player, policy};
use crate::subjects::{self, EPOCH, Subject};

fn play(restart: u64, policy_name: &str, script: &str) -> String {
    let subjects = subjects::all();
    let schema = made::snowflake_si(EPOCH, [41, 10, 2]);
    let subject: &Subject = subjects.iter().find(|subject| subject.schema == schema).unwrap();
    let mut generator = subject.generator;
    generator.values = made::counter(&schema, restart);
    Player::new(subject, generator, policy(policy_name, 5), 0).play(script)
}

/// Thresholds that JavaScript's options refuse. The others are in `tests/stories/kept.json`.
#[test]
fn thresholds_that_no_option_says() {
    assert_eq!(play(KEPT, "hold/wait", "100*3 101"), "100.0-2 101.3", "kept");
    assert_eq!(play(4, "hold/wait", "100*3 101 102"), "100.0-2 101.3 102.0", "one past the largest value");
    assert_eq!(play(5, "hold/wait", "100*3 101*2"), "100.0-2 101.3 101.0", "out of reach: kept");
}

/// Compares every story of four ticks with a sequence that is never masked, and restarts from 0 only at the threshold; also where
/// each tick is another generator's, restored from the state.
#[test]
fn every_threshold_against_a_sequence_that_only_a_reset_ends() {
    const CAPACITY: u64 = 4;
    let schema = made::snowflake_si(EPOCH, [41, 10, 2]);
    for threshold in 0..CAPACITY {
        for story in 0..CAPACITY.pow(4) {
            let mut generator = schema.generator(&[0, 5, 0], made::counter(&schema, threshold)).unwrap();
            let mut sequence = 0;
            for tick in 0..4 {
                if story % 3 == 0 {
                    let (state, backfill) = (generator.state, generator.backfill);
                    generator = schema.generator(&[0, 5, 0], made::counter(&schema, threshold)).unwrap();
                    generator.restore(state, backfill);
                }
                sequence = if sequence >= threshold { 0 } else { sequence };
                for _ in 0..=story / CAPACITY.pow(tick) % CAPACITY {
                    #[expect(clippy::cast_precision_loss)]
                    let now = EPOCH as f64 + f64::from(tick);
                    assert_eq!(generator.next_ms(now, None, &policy("hold/wait", 5)), Ok(()));
                    let found = generator.latest().1;
                    assert_eq!(found, sequence % CAPACITY, "threshold {threshold}, story {story}, tick {tick}");
                    sequence += 1;
                }
            }
        }
    }
}

/// A burst has consecutive values: it ends where the counter rolls over, and the next burst continues there.
#[test]
fn a_burst_ends_where_a_kept_counter_rolls_over() {
    let schema = made::snowflake_si(EPOCH, [41, 10, 2]);
    let mut generator = schema.generator(&[0, 5, 0], made::counter(&schema, KEPT)).unwrap();
    let mut next = |ms: u32, most: u64| {
        #[expect(clippy::cast_precision_loss)]
        let now = EPOCH as f64 + f64::from(ms);
        assert_eq!(generator.next_ms(now, None, &policy("hold/wait", 5)), Ok(()));
        let first = generator.latest();
        let count = generator.room().min(most);
        generator.take(count, count);
        assert_eq!(generator.latest(), (first.0, first.1 + count, first.2));
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
