//! A node is the memory of a generator. The result of a call depends on nothing else.

use std::hash::{Hash, Hasher};

use graupel::engine::{
    Backfill, Backwards, Full, Generator, Interval, NotIssued, Policy, Restart, Saved, State, Stats,
};

use crate::world::{Id, World};

/// The saved counters, and whether a pending draw is for the next tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub state: State,
    pub backfill: Backfill,
    pub pending: bool,
}

impl Hash for Node {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let (State { highest, last, value, left, safe, tick_tocks, first_live }, backfill) =
            (self.state, self.backfill);
        let Backfill { highest: given, value: given_value, left: given_left, wrapped } = backfill;
        (highest, last, value, left, safe, tick_tocks, first_live).hash(hasher);
        (given, given_value, given_left, wrapped, self.pending).hash(hasher);
    }
}

/// A call with all choices of its caller, which may differ between generators of one identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// `next()`. `restart`: the start of a counter in a new tick. `bits`: the random bits that
    /// answer a draw.
    Next { now: i64, bits: Option<u64>, policy: Policy, interval: Interval, restart: Restart },
    /// `at(tick)`.
    At { tick: i64, bits: Option<u64>, interval: Interval },
    /// All ticks before this one count as used up.
    NotBefore(i64),
    /// Restores a snapshot of its own state.
    Restore,
}

pub type Answer = Result<Option<Id>, NotIssued>;

impl Node {
    /// The memory of a generator. Restoring the generator's own numbers changes only whether a draw
    /// is pending.
    pub fn of(generator: &Generator) -> Self {
        let Saved { state, backfill, .. } = generator.saved;
        let mut restored = *generator;
        restored.restore(&generator.saved);
        Self { state, backfill, pending: restored != *generator }
    }

    /// A generator with only this memory.
    pub fn generator(&self, world: &World) -> Generator {
        let saved = Saved { state: self.state, backfill: self.backfill, stats: Stats::NEW, interval: Interval::ALL };
        let mut generator = world.generator(saved);
        if self.pending {
            // A step past the largest value needs a draw for the next tick.
            let policy = Policy { backwards: Backwards::Throw, full: Full::Borrow, max_ahead: 1 };
            generator.saved.backfill = Backfill::NEW;
            let _ = generator.next(self.state.last, Some(u64::from(u32::MAX)), &policy);
            generator.saved.backfill = self.backfill;
        }
        generator
    }

    /// Makes a call. Returns the answer and the next node.
    pub fn play(&self, world: &World, call: &Call) -> (Answer, Self) {
        let mut generator = self.generator(world);
        (make(world, &mut generator, call), Self::of(&generator))
    }

    /// Merges this node with another one, so that the result repeats no ID of either history.
    pub fn merged(&self, world: &World, other: &Self) -> Self {
        let mut generator = self.generator(world);
        let mut saved = generator.saved;
        saved.merge(&other.state, &other.backfill, -1, world.top());
        generator.restore(&saved);
        Self::of(&generator)
    }
}

/// Makes a call of a generator, whatever its history.
pub fn make(world: &World, generator: &mut Generator, call: &Call) -> Answer {
    let issued = match *call {
        Call::Next { now, bits, policy, interval, restart } => {
            generator.saved.interval = interval;
            if !world.is_random() {
                let scale = *generator.scale();
                generator.obey(restart.number(), &scale);
            }
            generator.next(now, bits, &policy)
        }
        Call::At { tick, bits, interval } => {
            generator.saved.interval = interval;
            generator.at(tick, bits)
        }
        Call::NotBefore(tick) => {
            let mut saved = generator.saved;
            let Saved { state, backfill, .. } = saved;
            saved.merge(&state, &backfill, tick - 1, world.top());
            generator.restore(&saved);
            return Ok(None);
        }
        Call::Restore => {
            let saved = generator.saved;
            generator.restore(&saved);
            return Ok(None);
        }
    };
    issued.map(|()| Some(world.id(generator)))
}
