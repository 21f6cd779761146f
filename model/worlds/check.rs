//! The rules that every single call must obey, in every node.

use graupel::Error;
use graupel::engine::{Backwards, Full, Generator, Interval, NotIssued, Policy, Restart, SequenceRule, State};

use crate::node::{Answer, Call, Node, make};
use crate::world::{Id, Ids, World};

/// `Ok`, or the name of the violated rule.
pub type Held = Result<(), &'static str>;

/// Returns the name of the first violated rule.
pub fn all(rules: &[(&'static str, bool)]) -> Held {
    rules.iter().find(|(_, holds)| !holds).map_or(Ok(()), |(name, _)| Err(name))
}

/// A call of `next` from a node.
pub struct Next<'a> {
    pub world: &'a World,
    pub node: &'a Node,
    pub now: i64,
    pub bits: Option<u64>,
    pub policy: Policy,
    pub interval: Interval,
    pub restart: Restart,
}

impl Next<'_> {
    /// The same call with another clock reading.
    fn at(&self, now: i64) -> Call {
        let Self { bits, policy, interval, restart, .. } = *self;
        Call::Next { now, bits, policy, interval, restart }
    }

    /// Whether the clock went back.
    fn is_back(&self) -> bool {
        self.now < self.node.state.highest
    }

    /// Whether the tick-tock bit toggles if there is an ID.
    fn toggles(&self) -> bool {
        self.is_back() && self.policy.backwards == Backwards::TickTock
    }

    /// The present tick: the reading, unless the clock is held or the interval has not begun.
    pub fn reading(&self) -> i64 {
        let held = if self.toggles() { self.now } else { self.node.state.highest };
        self.now.max(held).max(self.interval.from)
    }

    /// Whether the call continues in the last tick.
    fn goes_on(&self) -> bool {
        let State { last, left, .. } = self.node.state;
        !self.toggles() && self.reading() <= last && left > 0 && !(self.node.pending && self.bits.is_some())
    }

    /// Whether a random step leaves the last tick, if the call may still use that tick.
    fn steps_out(&self) -> bool {
        let (State { last, value, .. }, Policy { full, max_ahead, .. }) = (self.node.state, self.policy);
        let may_be_taken = last <= self.reading() || full == Full::Borrow && last <= self.now + max_ahead;
        let leads_out = self.world.is_random() && self.bits.is_some_and(|bits| value + bits > self.world.top());
        self.goes_on() && may_be_taken && leads_out
    }

    /// The tick that the call requests.
    fn asked(&self) -> i64 {
        let State { last, .. } = self.node.state;
        if self.toggles() || self.reading() > last {
            self.reading()
        } else if self.goes_on() && !self.steps_out() {
            last
        } else {
            last + 1
        }
    }

    /// The ticks that an answer reports as full.
    fn full(&self) -> std::ops::Range<i64> {
        let State { last, left, .. } = self.node.state;
        self.reading()..if left == 0 || last == self.reading() { last + 1 } else { last }
    }

    /// The IDs of the ticks that an answer reports as full. A random step may skip any of them.
    pub fn claimed(&self, answer: &Answer) -> Ids {
        let is_full = match *answer {
            Ok(Some(id)) => !self.toggles() && id.tick > self.reading(),
            Ok(None) => false,
            Err(NotIssued::Wait { cause, .. } | NotIssued::Refused(cause)) => cause == Error::SequenceFull,
            Err(NotIssued::Draw { .. }) => false,
        };
        let line = self.node.state.tick_tocks & 1 == 1;
        if is_full && !self.world.is_random() { self.world.ids(self.full(), Some(line)) } else { 0 }
    }

    /// The IDs that will never be issued: those before the start of the interval, and those below a
    /// random start.
    pub fn passed_over(&self, answer: &Answer) -> Ids {
        let Ok(Some(id)) = *answer else { return 0 };
        let passed = if self.interval.from > self.now { self.world.ids(0..self.interval.from, None) } else { 0 };
        let skipped = if self.starts_at_random() && !self.goes_on() { self.world.first()..id.value } else { 0..0 };
        skipped.fold(passed, |ids, value| ids | Id { value, ..id }.alone())
    }

    /// Whether a counter starts a new tick at random.
    fn starts_at_random(&self) -> bool {
        !self.world.is_random() && self.restart == Restart::RANDOM
    }

    pub fn check(&self, answer: &Answer, after: &Node) -> Held {
        let Node { state, backfill, .. } = *self.node;
        let untouched = after.state == state && (!after.pending || matches!(answer, Err(NotIssued::Draw { .. })));
        all(&[("the counter of given times changed", after.backfill == backfill)])?;
        match *answer {
            Ok(None) => Err("neither an ID nor a reason"),
            Ok(Some(id)) => self.issued(id, after),
            Err(_) if !untouched => Err("a call without an ID left a trace"),
            Err(NotIssued::Refused(error)) => self.refused(error),
            Err(NotIssued::Wait { until, cause }) => self.waits(until, cause, answer),
            Err(NotIssued::Draw { bytes }) => self.draws(bytes, after),
        }
    }

    fn issued(&self, id: Id, after: &Node) -> Held {
        let (State { last, value, left, .. }, state) = (self.node.state, after.state);
        let Policy { backwards, full, max_ahead } = self.policy;
        let goes_on = self.goes_on() && !self.steps_out();
        let ahead = id.tick - self.now;
        let may_be_ahead = backwards == Backwards::Hold && self.is_back() || self.now < self.interval.from;
        let toggled = state.tick_tocks != self.node.state.tick_tocks;
        let highest = if toggled { self.now } else { self.node.state.highest.max(self.now) };
        let rises = id.tick > last || id.tick == last && goes_on;
        all(&[
            ("an ID of another tick", id.tick == self.asked() && state.last == id.tick && state.value == id.value),
            ("an ID past the end of life", id.tick <= self.world.end()),
            ("a value outside the bounds", (self.world.first()..=self.world.top()).contains(&id.value)),
            ("an ID outside the interval", (self.interval.from..self.interval.until).contains(&id.tick)),
            ("an ID of a tick that was given", id.tick > self.node.backfill.highest),
            ("an ID behind its clock, or too far ahead", (0..=max_ahead).contains(&ahead)),
            ("an ID ahead of its clock for no reason", ahead == 0 || may_be_ahead || full == Full::Borrow),
            ("an ID though the clock went back", !self.is_back() || backwards != Backwards::Throw),
            ("the tick-tock bit toggles when the clock goes back, and only then", toggled == self.toggles()),
            ("the tick-tock bit", id.tick_tock == (self.world.tick_tock && state.tick_tocks & 1 == 1)),
            ("an ID out of order", toggled || rises),
            ("the highest reading", state.highest == highest),
            ("the lowest tick issued", state.first_live == self.node.state.first_live.min(id.tick.cast_unsigned())),
            ("the value within a tick", !goes_on || id.value == self.following()),
            ("the value that a tick starts with", goes_on || id.value == self.start()),
            ("how many a tick holds", state.left == self.left(goes_on, left, id.value)),
            (
                "half of a tick is left",
                goes_on || self.world.is_random() || 2 * (state.left + 1) >= self.world.capacity(),
            ),
            ("a draw is pending after an ID", !after.pending),
            ("a random value without a draw", !self.draws_for(goes_on) || self.bits.is_some()),
            ("a step of 0", value != id.value || last != id.tick || toggled || self.world.top() == self.world.first()),
        ])
    }

    fn left(&self, goes_on: bool, left: u64, value: u64) -> u64 {
        match (self.world.is_random(), goes_on) {
            (true, _) => 1,
            (false, true) => left - 1,
            (false, false) if self.starts_at_random() => self.world.top() - value,
            (false, false) => self.world.capacity() - 1,
        }
    }

    /// Whether the next value needs random bits.
    fn draws_for(&self, goes_on: bool) -> bool {
        self.world.is_random() || self.starts_at_random() && !goes_on
    }

    /// The next value in the last tick.
    fn following(&self) -> u64 {
        let value = self.node.state.value;
        match self.bits {
            Some(bits) if self.world.is_random() => value + bits,
            _ if value == self.world.top() => self.world.first(),
            _ => value + 1,
        }
    }

    /// The first value in a new tick. A sequence that wrapped around counts on beyond the capacity.
    fn start(&self) -> u64 {
        let State { last, value, left, .. } = self.node.state;
        let (first, capacity) = (self.world.first(), self.world.capacity());
        if self.starts_at_random() {
            let half = (1..).map(|bits| 1 << bits).take_while(|size| 2 * size <= capacity).last().unwrap_or(1);
            return first + self.bits.unwrap_or(0) % half;
        } else if let Some(bits) = self.bits {
            return bits & self.world.top();
        } else if last < 0 {
            return first;
        }
        let issued = capacity - left;
        let began = (value - first + 2 * capacity + 1 - issued) % capacity;
        let sequence = first + began + issued;
        if sequence >= self.restart.number() { first } else { first + (sequence - first) % capacity }
    }

    fn refused(&self, error: Error) -> Held {
        let Policy { backwards, full, .. } = self.policy;
        let asked = self.asked();
        let explains = match error {
            Error::ClockBackwards => self.is_back() && backwards == Backwards::Throw,
            Error::SequenceFull => full == Full::Throw && asked > self.reading(),
            Error::TimeTaken => asked <= self.node.backfill.highest,
            Error::OutsideInterval => asked >= self.interval.until,
            Error::EndOfLife => asked > self.world.end(),
            _ => false,
        };
        all(&[("a refusal that nothing explains", explains)])
    }

    /// A wait names the first tick in which the call works. Until then the answer stays the same;
    /// from then on, this reason no longer applies.
    fn waits(&self, until: i64, cause: Error, answer: &Answer) -> Held {
        let Policy { backwards, full, max_ahead } = self.policy;
        let State { highest, safe, .. } = self.node.state;
        let bound = |applies: bool| if applies { max_ahead } else { 0 };
        let due = match cause {
            Error::ClockBackwards if backwards == Backwards::TickTock => highest.min(self.interval.from.max(safe + 1)),
            Error::ClockBackwards => highest - bound(backwards == Backwards::Hold),
            Error::SequenceFull => self.asked() - bound(full == Full::Borrow),
            Error::OutsideInterval => self.interval.from - max_ahead,
            _ => return Err("a wait for no reason"),
        };
        let again = |now| self.node.play(self.world, &self.at(now)).0;
        let then = again(until.max(0));
        let same = matches!(then, Err(NotIssued::Wait { cause: other, .. }) if other == cause);
        all(&[
            ("a wait where the policy is to refuse", cause != Error::ClockBackwards || backwards != Backwards::Throw),
            ("a wait where the policy is to refuse", cause != Error::SequenceFull || full != Full::Throw),
            ("a wait for a clock that has not gone back", cause != Error::ClockBackwards || self.is_back()),
            ("a wait for a tick that has come", until > self.now),
            ("a wait for a tick past the end of life", until <= self.world.end()),
            ("a wait for another tick than the first that works", until == due),
            // The first wait is for the tick ahead of the clock. If a random step leaves that tick,
            // the second wait is for the next one.
            ("a wait that another follows for the same reason", !same || self.world.is_random() && self.goes_on()),
            ("a wait that is not the same a tick later", (self.now + 1..until).all(|now| again(now) == *answer)),
        ])
    }

    fn draws(&self, bytes: u64, after: &Node) -> Held {
        let goes_on = self.goes_on() && !self.steps_out();
        let expected = match self.world.values {
            SequenceRule::Random { step, .. } if goes_on => step,
            SequenceRule::Random { start, .. } => start,
            _ => 3,
        };
        let answered = self.bits.is_some_and(|bits| bits > 0 || !self.goes_on());
        all(&[
            ("a counter draws", self.draws_for(goes_on)),
            ("a draw of another size", bytes == expected),
            ("a draw though the bits are there", !answered || self.steps_out()),
            ("the draw for the next tick", after.pending == self.steps_out()),
        ])
    }

    /// A burst issues the same IDs in a tick as single calls. `generator`: the state right after an
    /// ID.
    pub fn burst(&self, generator: &Generator) -> Held {
        let mut single = *generator;
        let is_counter = single.step_bytes() == 0;
        let count = if is_counter { single.room() } else { 0 };
        for taken in 1..=count {
            let fitted = single.fits(1);
            let mut one = single;
            one.take_one(1);
            let answer = make(self.world, &mut single, &self.at(self.now));
            let mut burst = *generator;
            burst.take(taken);
            let is_one = one == single || generator.is_behind();
            all(&[("a burst and single calls", answer.is_ok() && fitted && is_one && burst == single)])?;
        }
        let Generator { saved, .. } = single;
        let ends = saved.state.left == 0 || saved.state.value == self.world.top() || !is_counter;
        all(&[("a burst that ends early", ends), ("one more fits", !is_counter || !single.fits(1))])?;
        for bits in 1..=if is_counter { 0 } else { self.world.top() + 1 } {
            let (mut one, mut call) = (*generator, *generator);
            let fits = one.fits(bits);
            let within = bits <= self.world.top() - saved.state.value;
            all(&[("what fits in a burst", fits == within && one.room() == self.world.top() - saved.state.value)])?;
            if fits {
                one.take_one(bits);
                let answer = make(self.world, &mut call, &Next { bits: Some(bits), ..*self }.at(self.now));
                all(&[("a burst and single calls", answer.is_ok() && (one == call || generator.is_behind()))])?;
            }
        }
        Ok(())
    }

    /// The statistics must match the answer.
    pub fn stats(&self, answer: &Answer, generator: &Generator) -> Held {
        let stats = generator.saved.stats;
        let behind = self.node.state.highest - self.now;
        let finished = !matches!(answer, Err(NotIssued::Draw { .. }));
        let ahead =
            matches!(answer, Ok(Some(id)) if id.tick > self.now.max(self.node.state.highest).max(self.node.state.last));
        let was_open = self.node.state.last >= self.interval.from;
        let full = ahead && !self.toggles() && was_open
            || matches!(
                answer,
                Err(NotIssued::Refused(Error::SequenceFull) | NotIssued::Wait { cause: Error::SequenceFull, .. })
            );
        let mut again = *generator;
        if full && answer.is_err() {
            let _refused = make(self.world, &mut again, &self.at(self.now));
        }
        all(&[
            ("a full tick counts once", again.saved.stats.overflows == stats.overflows),
            ("how many are issued", stats.issued == u64::from(answer.is_ok())),
            ("how often the clock went back", stats.regressions == u64::from(finished && behind > 0)),
            ("how far the clock went back", stats.largest_regression == if finished { behind.max(0) } else { 0 }),
            ("how many ticks were full", stats.overflows == u64::from(full)),
        ])
    }
}

/// The rules for a call of `at`.
pub fn given(
    world: &World,
    node: &Node,
    tick: i64,
    bits: Option<u64>,
    interval: Interval,
    answer: &Answer,
    after: &Node,
) -> Held {
    let (State { first_live, .. }, before) = (node.state, node.backfill);
    let (random, earlier, later) = (world.is_random(), tick < before.highest, tick > before.highest);
    let is_live = tick.cast_unsigned() >= first_live;
    let rolled = before.wrapped == 1 || before.value == world.top();
    let value = match bits {
        Some(bits) if later => bits & world.top(),
        Some(bits) => before.value + bits,
        None if before.highest < 0 || before.value == world.top() => world.first(),
        None => before.value + 1,
    };
    all(&[("the clock's counter changed", after.state == node.state && (after.pending == node.pending))])?;
    match *answer {
        Ok(None) => Err("neither an ID nor a reason"),
        Ok(Some(id)) => all(&[
            ("an ID for another time", id == Id { tick, tick_tock: false, value }),
            ("an ID outside the interval", (interval.from..interval.until).contains(&tick)),
            ("an ID for a time that the clock has had", !is_live),
            (
                "what is kept of given times",
                (after.backfill.highest, after.backfill.value) == (before.highest.max(tick), value),
            ),
        ]),
        Err(_) if after != node => Err("a call without an ID left a trace"),
        Err(NotIssued::Refused(error)) => {
            let explains = match error {
                Error::OutsideInterval => !(interval.from..interval.until).contains(&tick),
                Error::TimeTaken => is_live || earlier && (random || rolled),
                Error::SequenceFull if random => tick == before.highest && value > world.top(),
                Error::SequenceFull => !later && before.left == 0,
                _ => false,
            };
            all(&[("a refusal that nothing explains", explains)])
        }
        Err(NotIssued::Wait { .. }) => Err("a wait for a given time"),
        Err(NotIssued::Draw { bytes }) => {
            let SequenceRule::Random { start, step, .. } = world.values else { return Err("a counter draws") };
            all(&[("a draw of another size", bytes == if later { start } else { step } && bits.unwrap_or(0) == 0)])
        }
    }
}
