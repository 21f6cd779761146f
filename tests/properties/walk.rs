//! Random stories: a clock that moves at random, and callers with different policies on one generator.

use graupel::engine::{Backwards, Full, Policy};
use proptest::prelude::*;
use proptest::sample::Index;

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

#[derive(Clone, Debug)]
pub struct Walk {
    pub subject: Index,
    /// How many values a tick holds.
    pub pool: u64,
    pub age: Age,
    /// The seed of the source of randomness.
    pub seed: u64,
    pub events: Vec<Event>,
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

pub fn walk() -> impl Strategy<Value = Walk> {
    let age = prop_oneof![1 => Just(Age::First), 3 => Just(Age::Middle), 1 => Just(Age::Last)];
    let events = prop::collection::vec(event(), 1..70);
    (any::<Index>(), 4_u64..9, age, any::<u64>(), events).prop_map(|(subject, pool, age, seed, events)| Walk {
        subject,
        pool,
        age,
        seed,
        events,
    })
}
