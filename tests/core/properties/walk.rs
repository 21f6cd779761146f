//! Random stories: a clock that moves at random, and callers with different policies on one generator.

use graupel::engine::{Backwards, Full, Policy, SequenceRule};
use proptest::prelude::*;
use proptest::test_runner::TestRng;

use crate::subjects::Subject;

/// One event.
#[derive(Clone, Debug)]
pub enum Event {
    /// Moves the clock by this many ticks.
    Clock(i64),
    /// Calls of `next`, at one reading unless they wait. `restart`: the number from which on Snowflake-SI's next sequence starts
    /// from 0.
    Next { policy: Policy, restart: u64, times: u8, waits: bool },
    /// Calls of `at` for a time this many ticks from the clock's.
    At { ticks: i64, times: u8 },
    /// Restarts the process from its state, in the format's own form if it has one.
    Restart { own_form: bool },
    /// Allows only an interval of ticks, relative to the clock's; or all ticks.
    Interval(Option<(i64, i64)>),
}

#[derive(Clone, Debug)]
pub struct Walk {
    /// How many halves of a format's life are over where the story begins.
    pub halves: i64,
    pub source: Source,
    pub events: Vec<Event>,
}

/// What else is random in a story: where in a tick the clock is read, and the bits that a generator draws.
#[derive(Clone, Debug)]
pub struct Source {
    random: TestRng,
    /// How many values a tick holds.
    pub pool: u64,
}

impl Source {
    /// A number below `below`.
    pub fn draw(&mut self, below: u64) -> u64 {
        self.random.random_range(0..below)
    }

    /// A reading early or late in the tick.
    #[expect(clippy::cast_precision_loss)]
    pub fn reading(&mut self, subject: &Subject, tick: i64) -> f64 {
        let start = subject.schema.scale().timestamp(tick) as f64;
        let late = f64::from(subject.schema.scale().tick_ms()) - 0.75;
        if self.draw(2) == 0 { start } else { start + late }
    }

    /// Random bits that leave a tick at most `pool` values: a late start, or a step of 0, 1 or 2.
    pub fn bits(&mut self, subject: &Subject, bytes: u64) -> u64 {
        match *subject.generator.values() {
            SequenceRule::Random { start, .. } if bytes == start => subject.bits(bytes, 1 + self.draw(self.pool)),
            _ => self.draw(3),
        }
    }
}

/// The policy, for a format that may have no tick-tock bit.
pub fn allowed(subject: &Subject, policy: Policy) -> Policy {
    let no_bit = policy.backwards == Backwards::TickTock && !subject.is_sno();
    Policy { backwards: if no_bit { Backwards::Hold } else { policy.backwards }, ..policy }
}

fn policy() -> impl Strategy<Value = Policy> {
    let backwards = prop_oneof![
        1 => Just(Backwards::Throw),
        1 => Just(Backwards::Wait),
        1 => Just(Backwards::Hold),
        2 => Just(Backwards::TickTock)
    ];
    let full = prop_oneof![1 => Just(Full::Throw), 1 => Just(Full::Wait), 2 => Just(Full::Borrow)];
    let max_ahead = prop_oneof![3 => 0_i64..6, 1 => 0_i64..60];
    (backwards, full, max_ahead).prop_map(|(backwards, full, max_ahead)| Policy { backwards, full, max_ahead })
}

fn event() -> impl Strategy<Value = Event> {
    let clock = prop_oneof![6 => -3_i64..=4, 3 => -40_i64..=40, 1 => -3000_i64..=3000].prop_map(Event::Clock);
    let restart = prop_oneof![Just(0), 1_u64..8, Just(SequenceRule::NEVER)];
    let next = (policy(), restart, 1_u8..14, any::<bool>());
    let next = next.prop_map(|(policy, restart, times, waits)| Event::Next { policy, restart, times, waits });
    let at =
        (prop_oneof![3 => -8_i64..4, 1 => -60_i64..60], 1_u8..8).prop_map(|(ticks, times)| Event::At { ticks, times });
    let restart = any::<bool>().prop_map(|own_form| Event::Restart { own_form });
    let interval = prop::option::of((-4_i64..8, 1_i64..30)).prop_map(Event::Interval);
    prop_oneof![8 => clock, 10 => next, 3 => at, 2 => restart, 1 => interval]
}

/// A story that begins after as many halves of a format's life.
pub fn walk(halves: impl Strategy<Value = i64>) -> impl Strategy<Value = Walk> {
    let source = (4_u64..9).prop_perturb(|pool, random| Source { random, pool });
    let events = prop::collection::vec(event(), 1..70);
    (halves, source, events).prop_map(|(halves, source, events)| Walk { halves, source, events })
}
