//! Snowflake-SI: the sequence that a new millisecond starts with. Four values a millisecond, by the layout.

use crate::check::test;
use crate::engine::script::policy;
use crate::made;
use crate::subjects::EPOCH;
use graupel::engine::SequenceRule;

/// Compares every story of four ticks with a sequence that is masked only in a new tick, and restarts from 0 only at the threshold;
/// also where each tick is another generator's, restored from the state. JavaScript's options refuse thresholds from the capacity on.
#[test]
fn every_threshold_against_a_sequence_that_only_a_reset_ends() {
    const CAPACITY: u64 = 4;
    let schema = made::snowflake_si(EPOCH, [41, 10, 2]);
    for threshold in (0..=CAPACITY + 1).chain([SequenceRule::NEVER]) {
        for story in 0..CAPACITY.pow(4) {
            let mut generator = made::generator(&schema, &[0, 5, 0], made::counter(&schema, 2, threshold));
            let mut sequence = 0;
            for tick in 0..4 {
                if story % 3 == 0 {
                    let saved = generator.saved;
                    generator = made::generator(&schema, &[0, 5, 0], made::counter(&schema, 2, threshold));
                    generator.restore(&saved);
                }
                sequence = if sequence >= threshold { 0 } else { sequence % CAPACITY };
                for _ in 0..=story / CAPACITY.pow(tick) % CAPACITY {
                    assert_eq!(generator.next(tick.into(), None, &policy("hold/wait", 5)), Ok(()));
                    let found = generator.latest().1;
                    assert_eq!(found, sequence % CAPACITY, "threshold {threshold}, story {story}, tick {tick}");
                    sequence += 1;
                }
            }
        }
    }
}
