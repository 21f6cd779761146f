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
    /// Calls of `next`, at one reading unless they wait.
    Next { policy: Policy, keep: Keep, times: u8, waits: bool },
    /// Calls of `at` for a time this many ticks from the clock's.
    At { ticks: i64, times: u8 },
    /// Restarts the process from its state, in the format's own form if it has one.
    Restart { own_form: bool },
    /// Allows only an interval of ticks, relative to the clock's; or all ticks.
    Interval(Option<(i64, i64)>),
}

/// How Snowflake-SI's new millisecond starts; other formats ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    Reset,
    From(u64),
    Always,
}

/// Where in a format's life the story begins.
#[derive(Clone, Copy, Debug)]
pub enum Age {
    First,
    Middle,
    Last,
}

impl Age {
    /// The tick that the clock reads at first.
    pub fn tick(self, subject: &Subject) -> i64 {
        match self {
            Self::First => 0,
            Self::Middle => subject.schema.scale.last() / 2,
            Self::Last => subject.schema.scale.last(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Walk {
    pub age: Age,
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
        let start = subject.schema.scale.timestamp(tick) as f64;
        let late = f64::from(subject.schema.scale.tick_ms()) - 0.75;
        if self.draw(2) == 0 { start } else { start + late }
    }

    /// Random bits that leave a tick at most `pool` values: a late start, or a step of 0, 1 or 2.
    pub fn bits(&mut self, subject: &Subject, bytes: u64) -> u64 {
        match subject.generator.values {
            SequenceRule::Random { start, .. } if bytes == start => subject.bits(bytes, 1 + self.draw(self.pool)),
            _ => self.draw(3),
        }
    }
}

/// A counter that a new tick restarts from this number on: how Snowflake-SI's new millisecond starts.
pub fn keep(subject: &Subject, values: &mut SequenceRule, keep: Keep) -> bool {
    let SequenceRule::Counter { restart, .. } = values else { return false };
    if !subject.name.starts_with("snowflake-si") {
        return false;
    }
    *restart = match keep {
        Keep::Reset => 0,
        Keep::From(threshold) => threshold,
        Keep::Always => u64::MAX,
    };
    keep != Keep::Reset
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
    let keep = prop_oneof![Just(Keep::Reset), (0_u64..8).prop_map(Keep::From), Just(Keep::Always)];
    let next = (policy(), keep, 1_u8..14, any::<bool>()).prop_map(|(policy, keep, times, waits)| Event::Next {
        policy,
        keep,
        times,
        waits,
    });
    let at =
        (prop_oneof![3 => -8_i64..4, 1 => -60_i64..60], 1_u8..8).prop_map(|(ticks, times)| Event::At { ticks, times });
    let restart = any::<bool>().prop_map(|own_form| Event::Restart { own_form });
    let interval = prop::option::of((-4_i64..8, 1_i64..30)).prop_map(Event::Interval);
    prop_oneof![8 => clock, 10 => next, 3 => at, 2 => restart, 1 => interval]
}

/// A story at this age, or at any.
pub fn walk(age: Option<Age>) -> impl Strategy<Value = Walk> {
    let any_age = prop_oneof![1 => Just(Age::First), 3 => Just(Age::Middle), 1 => Just(Age::Last)];
    let source = (4_u64..9).prop_perturb(|pool, random| Source { random, pool });
    (any_age, source, prop::collection::vec(event(), 1..70)).prop_map(move |(any_age, source, events)| Walk {
        age: age.unwrap_or(any_age),
        source,
        events,
    })
}
