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

    /// A call at a tick. `draws`: for each draw, the number of bytes that must be requested, and the bits returned.
    fn next(&mut self, tick: i64, draws: &[(u64, u64)]) -> Issued {
        #[expect(clippy::cast_precision_loss)]
        let now = self.generator.scale().timestamp(tick) as f64;
        let mut answer = self.generator.next_ms(now, None, &self.policy);
        for &(bytes, bits) in draws {
            assert_eq!(answer, Err(NotIssued::Draw { bytes }));
            answer = self.generator.next_ms(now, Some(bits), &self.policy);
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
