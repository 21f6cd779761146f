//! The possible next steps.

use crate::clock::{Millis, Tick, Wall};
use crate::cluster::Target;
use crate::holder::{Holder, Lease, Stamp};
use crate::mistakes::Mistake;
use crate::network::{Call, Message, Network};
use crate::parts::{Part, Parts};
use crate::setting::{Now, Schedule};
use crate::state::State;
use crate::system::System;

/// One step. `watch`: whether the search watches the ID that the step issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A millisecond passes.
    Pass,
    /// A millisecond passes while a process is suspended.
    Suspend { holder: usize },
    /// A call reaches the store, and its answer reaches the holder or is lost. `number`: the number
    /// that an acquisition gets.
    Call { holder: usize, call: Call, number: usize, target: Target, answered: bool },
    /// A release is lost on its way.
    LoseRelease { holder: usize },
    /// A call is sent.
    Send { holder: usize, call: Call },
    /// A release is sent.
    SendRelease { holder: usize },
    /// A message arrives. With `again`, it may arrive once more.
    Deliver { index: usize, number: usize, target: Target, again: bool },
    /// A message is lost.
    Drop { index: usize },
    /// A holder reads the stored data and the time of the answer.
    Look { holder: usize },
    /// A holder issues an ID.
    Issue { holder: usize, stamp: Stamp, watch: bool },
    /// A thread gets some ticks, or half of the sequence numbers of these ticks.
    HandOut { holder: usize, ticks: (Tick, Tick) },
    /// A thread issues an ID from its piece.
    IssuePart { holder: usize, stamp: Stamp, watch: bool },
    /// A thread reports its used time and stops.
    ReportPart { holder: usize },
    /// A thread reads the shared cursor.
    ReadCursor { holder: usize },
    /// A thread replaces the cursor that it has read, and issues the ID that it took, unless
    /// another thread was faster.
    SwapCursor { holder: usize, tick: Tick, watch: bool },
    /// A process crashes and starts again.
    Crash { holder: usize },
    /// A replica becomes the primary. It lacks the last `lost` writes, and its clock is `ahead` ms
    /// ahead.
    FailOver { lost: usize, ahead: Millis },
    /// The deposed primary becomes the primary again.
    FailBack,
    /// The primary loses all records.
    Flush,
    /// The primary loses one record.
    Delete { number: usize },
    /// The primary's clock is stepped.
    StepClock { by: Millis },
}

impl System {
    /// Adds all possible next steps.
    pub fn possible(&self, state: &State, actions: &mut Vec<Action>) {
        match self.setting.schedule {
            Schedule::Adversary => self.adversary(state, actions),
            Schedule::Fair { stall } => self.fair(state, stall, actions),
        }
    }

    fn adversary(&self, state: &State, actions: &mut Vec<Action>) {
        if state.time < self.setting.horizon {
            actions.push(Action::Pass);
        }
        for index in 0..self.setting.holders {
            let holder = &state.holders[index];
            self.calls(state, index, actions);
            for lease in [&holder.lease, &holder.left_open].into_iter().flatten() {
                self.issues(state, index, lease, actions);
            }
            self.parts(state, index, actions);
            if state.left.crashes > 0 && (holder.lease.is_some() || holder.pending.is_some()) {
                actions.push(Action::Crash { holder: index });
            }
            if state.left.suspensions > 0 && holder.lease.is_some() && state.time < self.setting.horizon {
                actions.push(Action::Suspend { holder: index });
            }
        }
        if matches!(self.setting.network, Network::Late { .. }) {
            self.deliveries(state, actions);
        }
        self.outages(state, actions);
    }

    /// The possible calls of a holder.
    fn calls(&self, state: &State, index: usize, actions: &mut Vec<Action>) {
        let holder = &state.holders[index];
        let next = self.next_call(holder, index);
        let may_release = holder.lease.is_some() && state.left.releases > 0;
        match self.setting.network {
            Network::Prompt => {
                if let Some(call) = next {
                    self.served(state, index, call, |number, target| {
                        for answered in [true, false] {
                            actions.push(Action::Call { holder: index, call, number, target, answered });
                        }
                    });
                }
                if may_release {
                    let call = holder.clone().release(self.setting.scale, self.mistakes);
                    if let Some(call) = call {
                        self.served(state, index, call, |number, target| {
                            actions.push(Action::Call { holder: index, call, number, target, answered: true });
                        });
                    }
                    actions.push(Action::LoseRelease { holder: index });
                }
                if matches!(self.setting.now, Now::Header { .. }) && next.is_some() {
                    actions.push(Action::Look { holder: index });
                }
            }
            Network::Late { under_way } => {
                let own = state.messages.iter().filter(|message| message.holder() == index);
                if own.clone().count() >= under_way {
                    return;
                }
                let is_under_way = |sought: Call| {
                    own.clone().any(|message| match *message {
                        Message::Call { call, .. } | Message::Answer { call, .. } => call == sought,
                    })
                };
                if let Some(call) = next.filter(|&call| !is_under_way(call)) {
                    actions.push(Action::Send { holder: index, call });
                }
                if may_release {
                    actions.push(Action::SendRelease { holder: index });
                }
            }
        }
    }

    /// The next call of a holder: a retry of the pending call, or a new one.
    fn next_call(&self, holder: &Holder, index: usize) -> Option<Call> {
        if holder.pending.is_some() {
            return holder.pending;
        }
        let may_draw = holder.drawn < self.setting.tokens;
        match &holder.lease {
            None => may_draw.then(|| Call::Acquire { token: holder.draw(index, self.mistakes) }),
            Some(lease) if self.setting.rotation => may_draw.then(|| Call::Renew {
                number: lease.number,
                token: lease.token,
                next: holder.draw(index, self.mistakes),
            }),
            Some(lease) => Some(Call::Renew { number: lease.number, token: lease.token, next: lease.token }),
        }
    }

    /// Calls `found` with each number and node for which the store serves a call.
    fn served(&self, state: &State, index: usize, call: Call, mut found: impl FnMut(usize, Target)) {
        let numbers = match call {
            Call::Acquire { .. } => self.setting.numbers_of(index),
            Call::Renew { number, .. } | Call::Release { number, .. } => number..number + 1,
        };
        for target in [Target::Primary, Target::Deposed] {
            for number in numbers.clone() {
                if self.serve(state, index, call, number, target).is_some() {
                    found(number, target);
                }
            }
        }
    }

    fn deliveries(&self, state: &State, actions: &mut Vec<Action>) {
        let Network::Late { under_way } = self.setting.network else { return };
        for (index, message) in state.messages.iter().enumerate() {
            if index > 0 && state.messages[index - 1] == *message {
                continue;
            }
            let holder = message.holder();
            let mut arrive = |number, target| {
                actions.push(Action::Deliver { index, number, target, again: false });
                if state.left.doubles > 0 {
                    actions.push(Action::Deliver { index, number, target, again: true });
                }
            };
            match *message {
                Message::Call { call, .. } => self.served(state, holder, call, &mut arrive),
                Message::Answer { .. } => arrive(0, Target::Primary),
            }
            if state.messages.iter().filter(|other| other.holder() == holder).count() >= under_way {
                actions.push(Action::Drop { index });
            }
        }
    }

    /// The IDs that a holder can issue now.
    fn issues(&self, state: &State, index: usize, lease: &Lease, actions: &mut Vec<Action>) {
        let setting = &self.setting;
        let halved = setting.parts == Parts::Sequences;
        let sequences = if halved { setting.sequences / 2 } else { setting.sequences };
        let mut push = |stamp: Stamp| {
            for watch in self.watches(state, lease.number) {
                actions.push(Action::Issue { holder: index, stamp, watch });
            }
        };
        if self.is_lock() {
            // A lock has no interval, so a full tick waits for the clock.
            if let Some(reading) = self.lock_reading(state, index, lease) {
                let tick = setting.scale.tick(reading);
                let stamp = lease.next(tick, sequences);
                if stamp.tick <= lease.last.map_or(tick, |last| last.tick.max(tick)) {
                    push(stamp);
                }
            }
            return;
        }
        let (first, end) = lease.ticks(setting.scale, self.mistakes);
        match setting.wall {
            // All readings below the last tick have the same effect, and so do all readings at or
            // after the end.
            Wall::Any => {
                let first = lease.last.map_or(first, |last| first.max(last.tick));
                for tick in first..end {
                    let stamp = lease.next(tick, sequences);
                    if stamp.tick == tick {
                        push(stamp);
                    }
                }
            }
            Wall::Within(_) => {
                let reading = state.time + state.holders[index].ahead;
                let stamp = lease.next(setting.scale.tick(reading).max(first), sequences);
                if stamp.tick < end {
                    push(stamp);
                }
            }
        }
    }

    /// Whether the variant has an expiry instead of an interval.
    pub fn is_lock(&self) -> bool {
        [Mistake::IssueWithoutEnd, Mistake::StopByWallClock, Mistake::StopByMonotonicClock]
            .into_iter()
            .any(|mistake| self.mistakes.has(mistake))
    }

    /// The reading of the wall clock, unless the lock has expired by the holder's own clocks.
    fn lock_reading(&self, state: &State, index: usize, lease: &Lease) -> Option<Millis> {
        let holder = &state.holders[index];
        let wall = state.time + holder.ahead;
        let monotonic = state.time - holder.slept;
        let by_wall = self.mistakes.has(Mistake::StopByWallClock) && wall >= lease.interval.until;
        let by_monotonic =
            self.mistakes.has(Mistake::StopByMonotonicClock) && monotonic - lease.monotonic >= self.setting.ttl[index];
        (!by_wall && !by_monotonic).then_some(wall)
    }

    /// Whether the search may watch an ID that is issued. All numbers behave alike, so watching one
    /// of them is enough.
    fn watches(&self, state: &State, number: usize) -> impl Iterator<Item = bool> + use<> {
        let may = state.watched.is_none() && number == 0;
        [false, true].into_iter().filter(move |&watch| may || !watch)
    }

    fn parts(&self, state: &State, index: usize, actions: &mut Vec<Action>) {
        let holder = &state.holders[index];
        let open = holder.lease.as_ref().or(holder.left_open.as_ref());
        let scale = self.setting.scale;
        match (&holder.part, open) {
            (None, Some(lease)) if state.left.hand_outs > 0 => {
                let (first, end) = lease.ticks(scale, self.mistakes);
                let used = lease.last.map_or(first, |last| last.tick + 1);
                // The time that an earlier thread has reported is used, too.
                let reported = if lease.reported == Millis::MIN { first } else { scale.tick_from(lease.reported) };
                let first = first.max(used).max(reported);
                match self.setting.parts {
                    Parts::None => {}
                    Parts::Cursor => actions.push(Action::ReadCursor { holder: index }),
                    Parts::Ticks => {
                        for after in first + 1..=end {
                            actions.push(Action::HandOut { holder: index, ticks: (first, after) });
                        }
                    }
                    Parts::Sequences if first < end => {
                        actions.push(Action::HandOut { holder: index, ticks: (first, end) });
                    }
                    Parts::Sequences => {}
                }
            }
            (Some(Part::Cursor { .. }), Some(lease)) => {
                let (first, end) = lease.ticks(scale, self.mistakes);
                for tick in first..end {
                    for watch in self.watches(state, lease.number) {
                        actions.push(Action::SwapCursor { holder: index, tick, watch });
                    }
                }
            }
            (Some(Part::Piece(piece)), _) => {
                for tick in piece.ticks.0..piece.ticks.1 {
                    if let Some(stamp) = piece.next(tick) {
                        for watch in self.watches(state, piece.number) {
                            actions.push(Action::IssuePart { holder: index, stamp, watch });
                        }
                    }
                }
                actions.push(Action::ReportPart { holder: index });
            }
            _ => {}
        }
    }

    /// The possible faults of the store.
    fn outages(&self, state: &State, actions: &mut Vec<Action>) {
        let (left, setting) = (&state.left, &self.setting);
        if left.failovers > 0 {
            for lost in 0..=state.cluster.history.len() {
                actions.push(Action::FailOver { lost, ahead: 0 });
                if setting.skew > 0 {
                    actions.push(Action::FailOver { lost, ahead: setting.skew });
                }
            }
        }
        if left.failbacks > 0 && state.cluster.deposed.is_some() {
            actions.push(Action::FailBack);
        }
        if left.flushes > 0 {
            actions.push(Action::Flush);
        }
        if left.deletions > 0 {
            for number in (0..setting.numbers).filter(|&number| state.cluster.primary.data.records[number].is_some()) {
                actions.push(Action::Delete { number });
            }
        }
        if left.clock_steps > 0 {
            actions.push(Action::StepClock { by: setting.clock_step });
            actions.push(Action::StepClock { by: -setting.clock_step });
        }
    }

    /// Like `possible`, except that time passes only when nothing else can happen.
    fn fair(&self, state: &State, stall: Millis, actions: &mut Vec<Action>) {
        let mut waits = true;
        for index in 0..self.setting.holders {
            let holder = &state.holders[index];
            let Some(call) = self.next_call(holder, index) else { continue };
            let late =
                holder.lease.as_ref().map_or(stall, |lease| state.time - lease.granted - self.setting.ttl[index] / 3);
            if late >= 0 {
                self.served(state, index, call, |number, target| {
                    waits &= late < stall;
                    actions.push(Action::Call { holder: index, call, number, target, answered: true });
                });
            }
            if let Some(lease) = &holder.lease {
                let tick = self.setting.scale.tick(state.time + holder.ahead);
                let (first, end) = lease.ticks(self.setting.scale, self.mistakes);
                if (first..end).contains(&tick) && lease.last.is_none_or(|last| last.tick < tick) {
                    waits = false;
                    actions.push(Action::Issue { holder: index, stamp: Stamp { tick, sequence: 0 }, watch: false });
                }
                if state.left.crashes > 0 {
                    actions.push(Action::Crash { holder: index });
                }
            }
        }
        if waits && state.time < self.setting.horizon {
            actions.push(Action::Pass);
        }
    }
}
