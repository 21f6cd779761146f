//! Ulid-Flake's draws: how many bytes are requested, and what the IDs make of them.

use graupel::Error;
use graupel::engine::{Generator, NotIssued, Policy, SequenceRule};
use graupel::formats::{Format, ulid_flake};

use crate::check::test;
use crate::engine::script::policy;
use crate::made::{self, InMs};

const FORMATS: [&Format; 2] = [&ulid_flake::FORMAT, &ulid_flake::SCALABLE];
const FULL: NotIssued = NotIssued::Refused(Error::SequenceFull);

/// An ID's tick and randomness, or why there is none.
type Issued = Result<(i64, u64), NotIssued>;

/// A generator under a script of readings and draws.
struct Source {
    generator: Generator,
    max: u64,
    /// The bytes of a start.
    start: u64,
    policy: Policy,
}

impl Source {
    fn new(format: &Format, entropy_size: u64, policies: &str) -> Self {
        let generator = made::ulid_flake(format, None, 0x15, entropy_size);
        let SequenceRule::Random { max, start, .. } = *generator.values() else { panic!("{} counts", format.name) };
        Self { generator, max, start, policy: policy(policies, 2) }
    }

    /// One whose steps have one byte, and whose tick 5 has begun: ten more values are left.
    fn begun(format: &Format, policies: &str) -> Self {
        let mut source = Self::new(format, 1, policies);
        let (max, start) = (source.max, source.start);
        assert_eq!(source.next(5, &[(start, max - 10)]), Ok((5, max - 10)));
        source
    }

    /// A call at a tick. `draws`: for each draw, the number of bytes that must be requested, and the bits returned.
    fn next(&mut self, tick: i64, draws: &[(u64, u64)]) -> Issued {
        let policy = self.policy;
        self.asked(tick, draws, |generator, now, bits| generator.next_ms(now, bits, &policy))
    }

    /// The same for a given tick.
    fn at(&mut self, tick: i64, draws: &[(u64, u64)]) -> Issued {
        self.asked(tick, draws, InMs::at_ms)
    }

    fn asked(
        &mut self,
        tick: i64,
        draws: &[(u64, u64)],
        ask: impl Fn(&mut Generator, f64, Option<u64>) -> made::Answer,
    ) -> Issued {
        #[expect(clippy::cast_precision_loss)]
        let now = self.generator.scale().timestamp(tick) as f64;
        let mut answer = ask(&mut self.generator, now, None);
        for &(bytes, bits) in draws {
            assert_eq!(answer, Err(NotIssued::Draw { bytes }));
            answer = ask(&mut self.generator, now, Some(bits));
        }
        answer.map(|()| (self.generator.latest().0, self.generator.latest().1))
    }
}

#[test]
fn a_new_tick_draws_a_start_also_the_first_of_all() {
    for (format, bytes) in FORMATS.into_iter().zip([3, 2]) {
        for first in [0, 1, 1000] {
            let mut source = Source::new(format, 1, "throw/throw");
            let (max, above) = (source.max, (1 << (8 * bytes)) - 1);
            // Lower than the last one; 0 and the largest are starts like any; surplus bits do not count.
            for (ticks, drawn, value) in [(0, 77, 77), (1, 5, 5), (9, 0, 0), (10, max, max), (11, above - max + 3, 3)] {
                let tick = first + ticks;
                assert_eq!(source.next(tick, &[(bytes, drawn)]), Ok((tick, value)), "{}", format.name);
            }
        }
    }
}

#[test]
fn a_step_is_drawn_until_it_is_not_zero() {
    for (format, sizes) in FORMATS.into_iter().zip([1..=3, 1..=2]) {
        for size in sizes {
            let mut source = Source::new(format, size, "throw/throw");
            assert_eq!(source.next(5, &[(source.start, 100)]), Ok((5, 100)));
            assert_eq!(source.next(5, &[(size, 1)]), Ok((5, 101)));
            assert_eq!(source.next(5, &[(size, 0), (size, 0), (size, 255)]), Ok((5, 356)));
            let large = (1 << (8 * size)) - 1;
            let expected = if large <= source.max - 356 { Ok((5, 356 + large)) } else { Err(FULL) };
            assert_eq!(source.next(5, &[(size, large)]), expected);
        }
    }
}

/// A call without an ID leaves no trace, also when it would have borrowed the next tick: the next call draws again, and may fit.
#[test]
fn a_step_past_the_largest_value() {
    for format in FORMATS {
        for (policies, ahead) in [("throw/throw", 2), ("throw/wait", 2), ("throw/borrow", 0)] {
            let mut source = Source::begun(format, policies);
            source.policy.max_ahead = ahead;
            let until = source.generator.scale().timestamp(6);
            let full = if ahead == 2 && policies.ends_with("throw") {
                FULL
            } else {
                NotIssued::Wait { until, cause: Error::SequenceFull }
            };
            let (max, start) = (source.max, source.start);
            assert_eq!(source.next(5, &[(1, 11)]), Err(full), "{policies}");
            assert_eq!(source.next(5, &[(1, 10)]), Ok((5, max)));
            assert_eq!(source.next(5, &[(1, 1)]), Err(full));
            assert_eq!(source.next(6, &[(start, 3)]), Ok((6, 3)));
        }
        let mut source = Source::begun(format, "throw/borrow");
        let start = source.start;
        assert_eq!(source.next(5, &[(1, 11), (start, 3)]), Ok((6, 3)));
        assert_eq!(source.next(5, &[(1, 1)]), Ok((6, 4)), "the borrowed tick goes on");
        assert_eq!(source.next(7, &[(start, 9)]), Ok((7, 9)));
    }
}

/// The source fails between the two draws: the answer "draw" issues no ID.
#[test]
fn a_draw_that_never_comes_changes_nothing() {
    for format in FORMATS {
        let mut source = Source::new(format, 1, "throw/borrow");
        let (max, start) = (source.max, source.start);
        assert_eq!(source.next(5, &[]), Err(NotIssued::Draw { bytes: start }));
        assert_eq!(source.next(5, &[(start, max - 10)]), Ok((5, max - 10)));
        assert_eq!(source.next(5, &[]), Err(NotIssued::Draw { bytes: 1 }));
        assert_eq!(source.next(5, &[(1, 11)]), Err(NotIssued::Draw { bytes: start }), "for the borrowed tick");
        assert_eq!(source.next(5, &[(1, 10)]), Ok((5, max)), "the next call draws again, and may fit");
    }
}

/// Another state takes over while a draw for a borrowed tick is pending: the tick of that state continues.
#[test]
fn a_draw_asked_for_before_a_restart_counts_for_the_state_after_it() {
    for format in FORMATS {
        let (mut source, mut other) = (Source::begun(format, "throw/borrow"), Source::new(format, 1, "throw/borrow"));
        assert_eq!(other.next(9, &[(other.start, 100)]), Ok((9, 100)));
        assert_eq!(source.next(5, &[(1, 11)]), Err(NotIssued::Draw { bytes: source.start }), "for the borrowed tick");
        made::restore(&mut source.generator, other.generator.saved.state, other.generator.saved.backfill);
        #[expect(clippy::cast_precision_loss)]
        let now = source.generator.scale().timestamp(9) as f64;
        assert_eq!(source.generator.next_ms(now, Some(1), &source.policy), Ok(()));
        assert_eq!(source.generator.latest(), (9, 101, false));
    }
}

#[test]
fn one_step_back_is_counted_once_also_when_it_draws_twice() {
    for format in FORMATS {
        let mut source = Source::begun(format, "hold/borrow");
        assert_eq!(source.next(4, &[(1, 11), (source.start, 7)]), Ok((6, 7)));
        let stats = source.generator.saved.stats;
        assert_eq!((stats.issued, stats.regressions, stats.overflows), (2, 1, 1), "{}", format.name);
    }
}

/// IDs for given times draw as IDs of the clock do.
#[test]
fn given_times_draw_too() {
    for format in FORMATS {
        let mut source = Source::new(format, 1, "throw/throw");
        let start = source.start;
        assert_eq!(source.at(5, &[(start, 9)]), Ok((5, 9)));
        assert_eq!(source.at(5, &[(1, 0), (1, 3)]), Ok((5, 12)));
        assert_eq!(source.at(6, &[(start, 2)]), Ok((6, 2)));
        assert_eq!(source.at(5, &[]), Err(NotIssued::Refused(Error::TimeTaken)));
        assert_eq!(source.generator.saved.backfill.value, 2);
    }
}
