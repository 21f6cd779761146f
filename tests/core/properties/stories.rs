//! Random stories of the formats as they are, with all their bits: never an ID twice, none out of order or out of its layout. What holds
//! for every story, and of merged ones, is searched in small worlds (`model/worlds`).

use std::collections::HashSet;

use graupel::engine::{Backwards, Full, Generator, Interval, NotIssued, Policy, Saved, SequenceRule};
use proptest::prelude::*;

use crate::check::{Held, check, test};
use crate::made::{self, Answer, InMs};
use crate::subjects::{self, Id, Subject};

/// One event of a story.
#[derive(Clone, Debug)]
enum Event {
    /// Moves the clock by this many ticks.
    Clock(i64),
    /// Calls of `next`. `late`: whether they read the clock late in its tick.
    Next { policy: Policy, times: u8, late: bool, bits: u64 },
    /// A call of `at` for a time this many ticks from the clock's.
    At(i64, u64),
    /// Goes on as another generator, from what is saved.
    Restart,
}

fn event() -> impl Strategy<Value = Event> {
    let backwards = prop::sample::select(Backwards::WORDS.map(|(policy, _)| policy).to_vec());
    let full = prop::sample::select(Full::WORDS.map(|(policy, _)| policy).to_vec());
    let policy = (backwards, full, 0_i64..60);
    let policy = policy.prop_map(|(backwards, full, max_ahead)| Policy { backwards, full, max_ahead });
    let next = (policy, 1_u8..14, any::<bool>(), 0_u64..8);
    prop_oneof![
        6 => prop_oneof![2 => -3_i64..=4, 1 => -3000_i64..=3000].prop_map(Event::Clock),
        10 => next.prop_map(|(policy, times, late, bits)| Event::Next { policy, times, late, bits }),
        3 => (-60_i64..4, 0_u64..8).prop_map(|(ticks, bits)| Event::At(ticks, bits)),
        1 => Just(Event::Restart),
    ]
}

/// From the first tick, from the middle of a format's life, or from its last one.
#[test]
fn no_story_repeats_an_id() {
    let events = prop::collection::vec(event(), 1..70);
    check(
        130,
        (prop::sample::select(subjects::all()), 0_i64..=2, 4_u64..9, events),
        |(subject, halves, pool, events)| {
            let generator = subject.pooled(pool.min(made::capacity(subject.generator.values())));
            let clock = subject.schema.scale().last() * halves / 2;
            let mut teller = Teller { subject: &subject, generator, clock, pool, issued: HashSet::new(), last: None };
            events.iter().try_for_each(|event| teller.tell(event))
        },
    );
}

struct Teller<'a> {
    subject: &'a Subject,
    generator: Generator,
    /// The tick that the clock reads; it may be outside the format's life.
    clock: i64,
    pool: u64,
    issued: HashSet<u128>,
    /// The last ID of `next`.
    last: Option<Id>,
}

impl Teller<'_> {
    fn tell(&mut self, event: &Event) -> Held {
        match *event {
            Event::Clock(ticks) => self.clock += ticks,
            Event::Next { mut policy, times, late, bits } => {
                if policy.backwards == Backwards::TickTock && !self.subject.is_sno() {
                    policy.backwards = Backwards::Hold;
                }
                for time in 0..times {
                    self.next(&policy, late, bits + u64::from(time))?;
                }
            }
            Event::At(ticks, bits) => {
                let before = self.generator;
                let time = self.reading(self.clock + ticks, false);
                let answer = self.ask(bits, |generator, bits| generator.at_ms(time, bits))?;
                self.settle(answer, &before)?;
            }
            Event::Restart => {
                let Saved { state, backfill, .. } = self.generator.saved;
                self.generator.saved = Saved { interval: Interval::ALL, ..Saved::NEW };
                made::restore(&mut self.generator, state, backfill);
            }
        }
        Ok(())
    }

    #[expect(clippy::cast_precision_loss)]
    fn reading(&self, tick: i64, late: bool) -> f64 {
        let scale = self.subject.schema.scale();
        scale.timestamp(tick) as f64 + if late { f64::from(scale.tick_ms()) - 0.75 } else { 0.0 }
    }

    /// Asks until the answer is no longer "draw": with a late start, or a step of 1 or 2.
    fn ask(
        &mut self,
        seed: u64,
        call: impl Fn(&mut Generator, Option<u64>) -> Answer,
    ) -> Result<Answer, TestCaseError> {
        let mut bits = None;
        for _ in 0..4 {
            match call(&mut self.generator, bits) {
                Err(NotIssued::Draw { bytes }) => {
                    let SequenceRule::Random { start, .. } = *self.generator.values() else {
                        panic!("a counter draws")
                    };
                    let is_start = bytes == start;
                    bits = Some(if is_start { self.subject.bits(bytes, 1 + seed % self.pool) } else { 1 + seed % 2 });
                }
                answer => return Ok(answer),
            }
        }
        Err(TestCaseError::fail("draws without end"))
    }

    /// One call. It waits at most for the highest reading, for the tick ahead of the clock, and for the next one.
    fn next(&mut self, policy: &Policy, late: bool, bits: u64) -> Held {
        for _ in 0..4 {
            let (before, reading) = (self.generator, self.reading(self.clock, late));
            let answer = self.ask(bits, |generator, bits| generator.next_ms(reading, bits, policy))?;
            let issued = self.settle(answer, &before)?;
            if let (Some(id), Some(last)) = (issued, self.last) {
                let toggled = self.generator.saved.state.tick_tocks != before.saved.state.tick_tocks;
                prop_assert!(toggled || id.bits > last.bits, "{last:?}, and then {id:?}");
            }
            self.last = issued.or(self.last);
            let Err(NotIssued::Wait { until, .. }) = answer else { return Ok(()) };
            let (scale, clock) = (self.subject.schema.scale(), self.clock);
            self.clock = (until - scale.epoch()) / i64::from(scale.tick_ms());
            prop_assert!(self.clock > clock && scale.timestamp(self.clock) == until, "waits for {until} at {clock}");
        }
        Err(TestCaseError::fail("waits without end"))
    }

    /// The ID of an answer; without one, nothing has changed except the statistics.
    fn settle(&mut self, answer: Answer, before: &Generator) -> Result<Option<Id>, TestCaseError> {
        if answer.is_ok() {
            let id = self.subject.id(&self.generator);
            prop_assert!(self.issued.insert(id.bits), "twice: {id:?}");
            return Ok(Some(id));
        }
        let mut after = self.generator;
        after.saved.stats = before.saved.stats;
        prop_assert_eq!(&after, before, "a call without an ID left a trace");
        Ok(None)
    }
}
