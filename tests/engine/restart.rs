//! Continuing from a state: no ID is issued again, at any reading.

use graupel::Error;
use graupel::engine::{Generator, NotIssued, Policy};

use crate::made::{self, InMs};
use crate::script::{is_random, policy};
use crate::subjects;

/// A snapshot of the reference does not have the first live tick. Every tick may have been live, so `at` must not issue any.
#[test]
fn a_sno_state_leaves_no_way_to_repeat_an_id_by_its_time() {
    let subject = &subjects::all()[0];
    assert!(subject.is_sno());
    for tick in [0, 1, 1000] {
        #[expect(clippy::cast_precision_loss)]
        let reading = subject.schema.scale.timestamp(tick) as f64;
        let mut generator = subject.generator;
        assert_eq!(generator.next_ms(reading, None, &policy("tick-tock/wait", 0)), Ok(()));
        let live = subject.id(&generator);
        let (state, sequence) = (generator.state, u32::try_from(live.value).unwrap());
        let bounds = (0, 0xFFFF);
        let mut after = subject.generator;
        let restored = made::sno_state(bounds, sequence, state.highest, state.safe, state.tick_tocks);
        after.restore(restored, generator.backfill);
        for _ in 0..3 {
            if after.at_ms(reading, None) == Ok(()) {
                assert_ne!(subject.id(&after), live, "the predecessor's ID again");
            }
        }
    }
}

/// Issued, regressions, the largest of them in ticks, overflows.
type Counts = (u64, u64, i64, u64);

fn counts(generator: &Generator) -> Counts {
    let stats = &generator.stats;
    (stats.issued, stats.regressions, stats.largest_regression, stats.overflows)
}

#[test]
#[expect(clippy::cast_precision_loss)]
fn what_an_operator_counts() {
    // One call for each tick read. A call that would wait gives up.
    let rows: &[(&str, &str, &[i64], Counts)] = &[
        ("nothing", "throw/throw", &[], (0, 0, 0, 0)),
        ("IDs", "throw/throw", &[100, 100, 101], (3, 0, 0, 0)),
        ("refused steps back", "throw/throw", &[100, 99, 93, 98], (1, 3, 7, 0)),
        ("held steps back", "hold/throw", &[100, 99, 97], (3, 2, 3, 0)),
        ("steps back that wait", "wait/throw", &[100, 99], (1, 1, 1, 0)),
        ("full and refused: one tick", "throw/throw", &[100, 100, 100, 100, 100, 100], (4, 0, 0, 1)),
        ("full and waiting", "throw/wait", &[100, 100, 100, 100, 100], (4, 0, 0, 1)),
        ("full and borrowed: two ticks", "throw/borrow", &[100; 9], (9, 0, 0, 2)),
        ("full and refused: two ticks", "throw/throw", &[1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3], (8, 0, 0, 2)),
        ("out of range", "throw/throw", &[-1, 7, 1 << 53], (1, 0, 0, 0)),
    ];
    for subject in subjects::all().iter().filter(|subject| !is_random(subject)) {
        for (name, policies, readings, expected) in rows {
            let mut generator = subject.pooled(4);
            for &tick in *readings {
                let reading = subject.schema.scale.timestamp(tick) as f64;
                let _ = generator.next_ms(reading, None, &policy(policies, 5));
            }
            assert_eq!(counts(&generator), *expected, "{}: {name}", subject.name);
        }
    }
    let mut given = subjects::all()[0].generator;
    let (time, policy) = (subjects::EPOCH as f64, Policy::default());
    assert_eq!(given.at_ms(time, None), Ok(()));
    assert_eq!(counts(&given), (1, 0, 0, 0), "IDs for given times count");
    assert_eq!(given.next_ms(time, None, &policy), Err(NotIssued::Refused(Error::TimeTaken)));
    assert_eq!(counts(&given), (1, 0, 0, 0), "a time that was given is no overflow");
}
