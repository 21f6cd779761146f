//! Ulid-Flake's draws: how many bytes are requested, and what the IDs make of them.

use graupel::Error;
use graupel::engine::{Generator, NotIssued, Policy, SequenceRule};
use graupel::formats::{Format, ulid_flake};

use crate::made::{self, Answer, InMs};
use crate::script::policy;

const FORMATS: [&Format; 2] = [&ulid_flake::FORMAT, &ulid_flake::SCALABLE];

/// A generator under a script of readings and draws.
struct Source {
    generator: Generator,
    max: u64,
    start: u64,
    policy: Policy,
}

impl Source {
    fn new(format: &Format, entropy_size: u64, policies: &str) -> Self {
        let generator = made::ulid_flake(format, None, 0x15, entropy_size);
        let SequenceRule::Random { max, start, .. } = generator.values else { panic!("{} counts", format.name) };
        Self { generator, max, start, policy: policy(policies, 2) }
    }

    /// A call at a tick. `draws`: for each draw, the number of bytes that must be requested, and the bits returned.
    fn next(&mut self, tick: i64, draws: &[(u64, u64)]) -> Answer {
        #[expect(clippy::cast_precision_loss)]
        let now = self.generator.scale.timestamp(tick) as f64;
        let mut answer = self.generator.next_ms(now, None, &self.policy);
        for &(bytes, bits) in draws {
            assert_eq!(answer, Err(NotIssued::Draw { bytes }));
            answer = self.generator.next_ms(now, Some(bits), &self.policy);
        }
        answer
    }

    /// The same call, which must issue an ID. Returns its tick and randomness.
    fn issued(&mut self, tick: i64, draws: &[(u64, u64)]) -> (i64, u64) {
        assert_eq!(self.next(tick, draws), Ok(()));
        let (tick, value, _) = self.generator.latest();
        (tick, value)
    }

    /// The answer to a call that waits for a tick.
    fn until(&self, tick: i64) -> Answer {
        Err(NotIssued::Wait { until: self.generator.scale.timestamp(tick), cause: Error::SequenceFull })
    }
}

#[test]
fn a_start_has_as_many_bytes_as_fit_the_randomness() {
    assert_eq!(FORMATS.map(|format| format.start_bytes()), [3, 2]);
    assert_eq!(
        [20, 15].map(|bits| (1_u64 << bits) - 1),
        FORMATS.map(|format| Source::new(format, 1, "throw/throw").max)
    );
}

#[test]
fn a_new_tick_draws_a_start_also_the_first_of_all() {
    for format in FORMATS {
        for first in [0, 1, 1000] {
            let mut source = Source::new(format, 1, "throw/throw");
            let (max, start) = (source.max, source.start);
            assert_eq!(source.issued(first, &[(start, 77)]), (first, 77), "{}", format.name);
            assert_eq!(source.issued(first + 1, &[(start, 5)]), (first + 1, 5), "lower than the last one");
            assert_eq!(source.issued(first + 9, &[(start, 0)]), (first + 9, 0), "0 is a start like any");
            assert_eq!(source.issued(first + 10, &[(start, max)]), (first + 10, max), "and so is the largest");
            let above = (1 << (8 * start)) - 1;
            assert_eq!(
                source.issued(first + 11, &[(start, above - max + 3)]),
                (first + 11, 3),
                "surplus bits do not count"
            );
        }
    }
}

#[test]
fn a_step_is_drawn_until_it_is_not_zero() {
    for (format, sizes) in FORMATS.into_iter().zip([1..=3, 1..=2]) {
        for size in sizes {
            let mut source = Source::new(format, size, "throw/throw");
            let start = source.start;
            assert_eq!(source.issued(5, &[(start, 100)]), (5, 100));
            assert_eq!(source.issued(5, &[(size, 1)]), (5, 101));
            assert_eq!(source.issued(5, &[(size, 0), (size, 0), (size, 255)]), (5, 356));
            let large = (1 << (8 * size)) - 1;
            if large <= source.max - 356 {
                assert_eq!(source.issued(5, &[(size, large)]), (5, 356 + large));
            } else {
                assert_eq!(source.next(5, &[(size, large)]), Err(NotIssued::Refused(Error::SequenceFull)));
            }
        }
    }
}

/// Steps to the largest value, and to one past it.
#[test]
fn a_step_past_the_largest_value() {
    for format in FORMATS {
        let begin = |policies: &str| {
            let mut source = Source::new(format, 1, policies);
            let (max, start) = (source.max, source.start);
            assert_eq!(source.issued(5, &[(start, max - 10)]), (5, max - 10));
            (source, max, start)
        };
        let (mut source, max, _) = begin("throw/throw");
        assert_eq!(source.next(5, &[(1, 11)]), Err(NotIssued::Refused(Error::SequenceFull)));
        assert_eq!(source.issued(5, &[(1, 10)]), (5, max), "the next call draws again, and may fit");
        assert_eq!(source.next(5, &[(1, 1)]), Err(NotIssued::Refused(Error::SequenceFull)));

        let (mut source, max, start) = begin("throw/wait");
        assert_eq!(source.next(5, &[(1, 11)]), source.until(6));
        assert_eq!(source.issued(5, &[(1, 10)]), (5, max), "who does not wait may try again");
        assert_eq!(source.issued(6, &[(start, 3)]), (6, 3));

        let (mut source, _, start) = begin("throw/borrow");
        assert_eq!(source.issued(5, &[(1, 11), (start, 3)]), (6, 3));
        assert_eq!(source.issued(5, &[(1, 1)]), (6, 4), "the borrowed tick goes on");
        assert_eq!(source.issued(7, &[(start, 9)]), (7, 9));
    }
}

/// A call without an ID leaves no trace, also when it would have borrowed the next tick.
#[test]
fn a_step_past_the_largest_value_that_may_not_borrow() {
    for format in FORMATS {
        let mut source = Source::new(format, 1, "throw/borrow");
        source.policy.max_ahead = 0;
        let (max, start) = (source.max, source.start);
        assert_eq!(source.issued(5, &[(start, max - 10)]), (5, max - 10));
        assert_eq!(source.next(5, &[(1, 11)]), source.until(6));
        assert_eq!(source.issued(5, &[(1, 10)]), (5, max), "the next call draws again, and may fit");
    }
}

/// The source fails between the two draws: the answer "draw" issues no ID.
#[test]
fn a_draw_that_never_comes_changes_nothing() {
    for format in FORMATS {
        let mut source = Source::new(format, 1, "throw/borrow");
        let (max, start) = (source.max, source.start);
        assert_eq!(source.next(5, &[]), Err(NotIssued::Draw { bytes: start }));
        assert_eq!(source.issued(5, &[(start, max - 10)]), (5, max - 10));
        assert_eq!(source.next(5, &[]), Err(NotIssued::Draw { bytes: 1 }));
        assert_eq!(source.next(5, &[(1, 11)]), Err(NotIssued::Draw { bytes: start }), "for the borrowed tick");
        assert_eq!(source.issued(5, &[(1, 10)]), (5, max), "the next call draws again, and may fit");
    }
}

/// Another state takes over while a draw for a borrowed tick is pending: the tick of that state continues.
#[test]
fn a_draw_asked_for_before_a_restart_counts_for_the_state_after_it() {
    for format in FORMATS {
        let begin = |tick, value| {
            let mut source = Source::new(format, 1, "throw/borrow");
            let start = source.start;
            assert_eq!(source.issued(tick, &[(start, value)]), (tick, value));
            source
        };
        let (mut source, other) = (begin(5, 0x7FFF), begin(9, 100));
        let (max, start) = (source.max, source.start);
        assert_eq!(source.next(5, &[(1, max)]), Err(NotIssued::Draw { bytes: start }), "for the borrowed tick");
        source.generator.restore(other.generator.state, other.generator.backfill);
        #[expect(clippy::cast_precision_loss)]
        let now = source.generator.scale.timestamp(9) as f64;
        assert_eq!(source.generator.next_ms(now, Some(1), &source.policy), Ok(()));
        assert_eq!(source.generator.latest(), (9, 101, false));
    }
}

#[test]
fn one_step_back_is_counted_once_also_when_it_draws_twice() {
    for format in FORMATS {
        let mut source = Source::new(format, 1, "hold/borrow");
        let (max, start) = (source.max, source.start);
        assert_eq!(source.issued(5, &[(start, max - 10)]), (5, max - 10));
        assert_eq!(source.issued(4, &[(1, 11), (start, 7)]), (6, 7));
        let stats = source.generator.stats;
        assert_eq!((stats.issued, stats.regressions, stats.overflows), (2, 1, 1), "{}", format.name);
    }
}

/// IDs for given times draw as IDs of the clock do.
#[test]
fn given_times_draw_too() {
    for format in FORMATS {
        let mut source = Source::new(format, 1, "throw/throw");
        let start = source.start;
        #[expect(clippy::cast_precision_loss)]
        let time = |tick| source.generator.scale.timestamp(tick) as f64;
        let (five, six) = (time(5), time(6));
        let generator = &mut source.generator;
        let steps = [
            (five, None, Err(NotIssued::Draw { bytes: start })),
            (five, Some(9), Ok(())),
            (five, None, Err(NotIssued::Draw { bytes: 1 })),
            (five, Some(0), Err(NotIssued::Draw { bytes: 1 })),
            (five, Some(3), Ok(())),
            (six, None, Err(NotIssued::Draw { bytes: start })),
            (six, Some(2), Ok(())),
            (five, None, Err(NotIssued::Refused(Error::TimeTaken))),
        ];
        for (index, (time, bits, expected)) in steps.into_iter().enumerate() {
            assert_eq!(generator.at_ms(time, bits), expected, "{}, step {index}", format.name);
        }
        assert_eq!(generator.latest(), (6, 2, false));
        assert_eq!(generator.backfill.value, 2);
    }
}
