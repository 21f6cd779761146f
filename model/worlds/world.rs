//! A world: a layout that is small enough for a complete search, and the possible calls in it.

use std::ops::Range;
use std::sync::LazyLock;

use graupel::engine::{
    Backfill, Backwards, Full, Generator, Interval, Layout, Packing, Policy, Restart, Rounding, Saved, Scale, Schema,
    SequenceRule, State,
};

use crate::node::{Call, Node};

/// The widths of the time, the tick-tock bit, a fixed field and the value.
const WIDTHS: [u8; 4] = [3, 1, 2, 3];
/// The value of the fixed field, at its position.
const FIXED: u64 = 0b10 << 3;
const TICK_TOCK: u64 = 1 << 5;
/// The maximum number of ticks that the time field holds.
const MOST_TICKS: i64 = 1 << WIDTHS[0];

static PACKING: LazyLock<Packing> = LazyLock::new(|| {
    let layout = Layout::new(&WIDTHS).expect("a small layout");
    let schema = Schema::new(layout, WIDTHS.len() - 1, 0, 1, false, Rounding::Floor);
    schema.expect("a small schema").packing(FIXED)
});

/// An ID of a world. It is also the index of a bit in [`Ids`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    pub tick: i64,
    pub tick_tock: bool,
    pub value: u64,
}

/// A set of IDs.
pub type Ids = u128;

impl Id {
    /// The set with only this ID.
    pub fn alone(self) -> Ids {
        1 << ((self.tick.cast_unsigned() * 2 + u64::from(self.tick_tock)) * 8 + self.value)
    }
}

/// The choices of a world. The search tries every call with all of them.
#[derive(Clone, Debug)]
pub struct World {
    pub name: &'static str,
    pub values: SequenceRule,
    /// The number of ticks, and whether the format's life ends with them.
    pub ticks: i64,
    pub ends: bool,
    pub tick_tock: bool,
    /// The limits on how far a call may run ahead.
    pub aheads: &'static [i64],
    pub intervals: &'static [(i64, i64)],
    /// The starts of a counter in a tick.
    pub restarts: &'static [Restart],
    pub at: bool,
    pub not_before: bool,
    pub merges: bool,
}

impl World {
    pub fn is_random(&self) -> bool {
        matches!(self.values, SequenceRule::Random { .. })
    }

    /// The largest value.
    pub fn top(&self) -> u64 {
        self.values.largest()
    }

    /// The smallest value.
    pub fn first(&self) -> u64 {
        match self.values {
            SequenceRule::Counter { first, .. } => first,
            SequenceRule::Random { .. } => 0,
        }
    }

    /// The number of values in a tick.
    pub fn capacity(&self) -> u64 {
        self.top() - self.first() + 1
    }

    /// The last tick.
    pub fn end(&self) -> i64 {
        if self.ends { self.ticks - 1 } else { MOST_TICKS - 1 }
    }

    /// All IDs of some ticks, with one value of the tick-tock bit or with both.
    pub fn ids(&self, ticks: Range<i64>, line: Option<bool>) -> Ids {
        let ticks = ticks.start.max(0)..ticks.end.min(MOST_TICKS);
        let lines = [false, true].into_iter().filter(|tick_tock| line.is_none_or(|line| line == *tick_tock));
        lines.fold(0, |ids, tick_tock| {
            let all = ticks.clone().flat_map(|tick| (self.first()..=self.top()).map(move |value| (tick, value)));
            all.fold(ids, |ids, (tick, value)| ids | Id { tick, tick_tock, value }.alone())
        })
    }

    /// The node before the first call. With a tick-tock bit, tick 0 counts as begun, as in sno's
    /// reference implementation.
    pub fn start(&self) -> Node {
        let begun =
            State { highest: 0, last: 0, value: self.first(), left: self.capacity() - 1, safe: 0, ..State::NEW };
        Node { state: if self.tick_tock { begun } else { State::NEW }, backfill: Backfill::NEW, pending: false }
    }

    /// The IDs that count as issued at the start.
    pub fn begun(&self) -> Ids {
        if self.tick_tock { Id { tick: 0, tick_tock: false, value: self.first() }.alone() } else { 0 }
    }

    pub fn generator(&self, saved: Saved) -> Generator {
        let scale = Scale::new(0, 1, self.end(), Rounding::Floor).expect("a few ticks");
        let mut packing = *PACKING;
        packing.tick_tock = if self.tick_tock { TICK_TOCK } else { 0 };
        Generator::new(&scale, packing, self.values, saved)
    }

    /// The generator's last ID, decoded from its bits. Panics if it is not an ID of the layout.
    pub fn id(&self, generator: &Generator) -> Id {
        let bits = generator.id();
        let (tick, value) = (bits >> 6, bits & 0b111);
        assert_eq!(bits & (0b11 << 3), FIXED, "the fixed field of {bits:#b}");
        let id = Id { tick: tick.cast_signed(), tick_tock: bits & TICK_TOCK != 0, value };
        assert_eq!((id.tick, id.value), (generator.latest().0, generator.latest().1), "{bits:#b}");
        id
    }

    /// All possible calls.
    pub fn calls(&self) -> Vec<Call> {
        let intervals = self.intervals.iter().map(|&(from, until)| Interval { from, until });
        let intervals: Vec<Interval> = intervals.chain([Interval::ALL]).collect();
        let mut calls = vec![Call::Restore];
        for tick in 0..self.ticks {
            if self.not_before {
                calls.push(Call::NotBefore(tick));
            }
            for &interval in &intervals {
                if self.at {
                    calls.extend(self.draws(Restart::ALWAYS).map(|bits| Call::At { tick, bits, interval }));
                }
                for &restart in self.restarts {
                    for bits in self.draws(restart) {
                        for policy in self.policies() {
                            calls.push(Call::Next { now: tick, bits, policy, interval, restart });
                        }
                    }
                }
            }
        }
        calls
    }

    /// The possible draws: none, or, for random values, all of them. These include a start with
    /// surplus bits, and steps of 0 and past the largest value.
    fn draws(&self, restart: Restart) -> impl Iterator<Item = Option<u64>> {
        let most = if self.is_random() {
            self.top() + 2
        } else if restart == Restart::RANDOM {
            self.capacity()
        } else {
            0
        };
        [None].into_iter().chain((0..most).map(Some))
    }

    /// Every pair of policies, with every limit that has an effect.
    fn policies(&self) -> Vec<Policy> {
        let mut policies = Vec::new();
        for (backwards, _) in Backwards::WORDS {
            if backwards == Backwards::TickTock && !self.tick_tock {
                continue;
            }
            for (full, _) in Full::WORDS {
                let counts = backwards == Backwards::Hold || full == Full::Borrow || !self.intervals.is_empty();
                let aheads = if counts { self.aheads } else { &[0] };
                policies.extend(aheads.iter().map(|&max_ahead| Policy { backwards, full, max_ahead }));
            }
        }
        policies
    }
}
