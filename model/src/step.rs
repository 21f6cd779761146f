//! The effects of a step.

use crate::action::Action;
use crate::clock::Millis;
use crate::cluster::{Cluster, Target};
use crate::holder::{Holder, Seen, Stamp};
use crate::mistakes::Mistake;
use crate::network::{Answer, Call, Message};
use crate::parts::{Part, Parts, Piece};
use crate::setting::{Now, Schedule};
use crate::state::{Faults, Newest, State, Watched};
use crate::store::{Data, Interval, Terms, Token};
use crate::system::System;

/// The store's data after a call, and its answer.
pub struct Served {
    data: Data,
    answer: Option<Answer>,
    /// Whether a mark fell that must not fall.
    mark_fell: bool,
}

impl System {
    /// Takes a step. `action` must be possible.
    pub fn take(&self, state: &mut State, action: Action) {
        match action {
            Action::Pass => self.pass(state),
            Action::Suspend { holder } => {
                state.left.suspensions -= 1;
                state.holders[holder].slept += 1;
                self.pass(state);
            }
            Action::Call { holder, call, number, target, answered } => {
                self.start(state, holder, call);
                let answer = self.arrive(state, holder, call, number, target);
                if let Some(answer) = answer.filter(|_| answered) {
                    self.answer(state, holder, call, answer);
                }
            }
            Action::LoseRelease { holder } => {
                self.let_go(state, holder);
            }
            Action::Send { holder, call } => {
                self.start(state, holder, call);
                insert(&mut state.messages, Message::Call { holder, call });
            }
            Action::SendRelease { holder } => {
                if let Some(call) = self.let_go(state, holder) {
                    insert(&mut state.messages, Message::Call { holder, call });
                }
            }
            Action::Deliver { index, number, target, again } => {
                self.deliver(state, index, number, target, again);
            }
            Action::Drop { index } => {
                state.messages.remove(index);
            }
            Action::Look { holder } => {
                let Now::Header { grain } = self.setting.now else { return };
                let node = &state.cluster.primary;
                let now = (state.time + node.ahead).div_euclid(grain) * grain;
                state.holders[holder].seen = Some(Seen { now, data: node.data });
            }
            Action::Issue { holder, stamp, watch } => self.issue(state, holder, stamp, watch),
            Action::HandOut { .. }
            | Action::IssuePart { .. }
            | Action::ReportPart { .. }
            | Action::ReadCursor { .. }
            | Action::SwapCursor { .. } => self.take_part(state, action),
            Action::Crash { holder } => {
                state.left.crashes -= 1;
                state.holders[holder].crash();
                self.restart_wait(state);
            }
            Action::FailOver { .. }
            | Action::FailBack
            | Action::Flush
            | Action::Delete { .. }
            | Action::StepClock { .. } => self.fail(state, action),
        }
    }

    fn pass(&self, state: &mut State) {
        state.time += 1;
        if state.left.failbacks == 0 {
            let time = state.time;
            state.cluster.deposed.take_if(|deposed| deposed.until < time);
        }
        let overdue = self.is_fair() && state.time - state.since > self.setting.patience();
        state.faults.note(Faults::OVERDUE, overdue);
    }

    /// Restarts the time limit within which some holder must issue.
    fn restart_wait(&self, state: &mut State) {
        if self.is_fair() {
            state.since = state.time;
        }
    }

    const fn is_fair(&self) -> bool {
        matches!(self.setting.schedule, Schedule::Fair { .. })
    }

    /// A holder starts or retries a call.
    fn start(&self, state: &mut State, index: usize, call: Call) {
        if let Call::Release { .. } = call {
            self.let_go(state, index);
            return;
        }
        let holder = &mut state.holders[index];
        if holder.pending.is_none() {
            holder.pending = Some(call);
            let draws = match call {
                Call::Acquire { .. } => true,
                _ => self.setting.rotation,
            };
            holder.drawn += u8::from(draws);
        }
    }

    /// A holder ends its tenure.
    fn let_go(&self, state: &mut State, index: usize) -> Option<Call> {
        state.left.releases -= 1;
        state.holders[index].release(self.setting.scale, self.mistakes)
    }

    /// The effect of a call on a node; `None` if the node does not serve it now.
    pub fn serve(&self, state: &State, index: usize, call: Call, number: usize, target: Target) -> Option<Served> {
        let node = state.cluster.node(target, state.time)?;
        let now = match self.setting.now {
            Now::Fresh => state.time + node.ahead,
            Now::Header { .. } if matches!(call, Call::Release { .. }) => 0,
            Now::Header { .. } => {
                let seen = state.holders[index].seen.as_ref()?;
                let same = seen.data.records[number] == node.data.records[number] && seen.data.born == node.data.born;
                same.then_some(seen.now)?
            }
        };
        let terms = Terms {
            kind: self.setting.store,
            mistakes: self.mistakes,
            ttl: self.setting.ttl[index],
            quarantine: self.setting.quarantine,
            margin: self.setting.quarantine - self.setting.longest_ttl(),
        };
        let mut data = node.data;
        let answer = match call {
            Call::Acquire { token } => {
                let is_elsewhere = |token: Token| {
                    (0..data.records.len()).any(|other| {
                        other != number && data.records[other].is_some_and(|record| record.token == Some(token))
                    })
                };
                if is_elsewhere(token) {
                    return None;
                }
                let interval = data.acquire(number, token, now, &terms);
                if interval.is_none() && data == node.data {
                    return None;
                }
                interval.map(|interval| Answer::Granted { number, interval })
            }
            Call::Renew { token, next, .. } => {
                let interval = data.renew(number, token, next, now, &terms);
                Some(interval.map_or(Answer::Lost, |interval| Answer::Granted { number, interval }))
            }
            Call::Release { tokens, next_free, .. } => {
                data.release(number, tokens, next_free, &terms);
                None
            }
        };
        let mark = |data: &Data| data.records[number].map(|record| record.mark);
        let used = state.newest[number].map_or(Millis::MIN, |newest| self.setting.scale.start(newest.last.tick + 1));
        let mark_fell = match (call, mark(&node.data), mark(&data)) {
            (Call::Release { .. }, Some(before), Some(after)) => after < before && after < used && !self.is_forgetful(),
            (_, before, Some(after)) => before.is_some_and(|before| after < before),
            _ => false,
        };
        Some(Served { data, answer, mark_fell })
    }

    /// A call reaches a node.
    fn arrive(&self, state: &mut State, index: usize, call: Call, number: usize, target: Target) -> Option<Answer> {
        let served = self.serve(state, index, call, number, target)?;
        state.cluster.write(target, served.data, self.setting.lost_writes);
        state.faults.note(Faults::MARK_FELL, served.mark_fell);
        state.holders[index].seen = None;
        served.answer
    }

    /// An answer reaches a holder.
    fn answer(&self, state: &mut State, index: usize, call: Call, answer: Answer) {
        let time = if self.is_fair() { state.time } else { 0 };
        let timed = self.mistakes.has(Mistake::StopByMonotonicClock);
        let holder = &mut state.holders[index];
        let monotonic = if timed { state.time - holder.slept } else { 0 };
        let taken = holder.receive(call, answer, time, monotonic, self.mistakes);
        if taken
            && self.mistakes.has(Mistake::ShareInterval)
            && let Answer::Granted { interval, .. } = answer
            && let Some(sibling) = state.holders.get_mut(self.setting.sibling(index))
            && let Some(lease) = &mut sibling.lease
        {
            lease.interval = interval;
        }
    }

    fn deliver(&self, state: &mut State, index: usize, number: usize, target: Target, again: bool) {
        let message = if again {
            state.left.doubles -= 1;
            state.messages[index]
        } else {
            state.messages.remove(index)
        };
        match message {
            Message::Call { holder, call } => {
                if let Some(answer) = self.arrive(state, holder, call, number, target) {
                    insert(&mut state.messages, Message::Answer { holder, call, answer });
                }
            }
            Message::Answer { holder, call, answer } => self.answer(state, holder, call, answer),
        }
    }

    fn issue(&self, state: &mut State, index: usize, stamp: Stamp, watch: bool) {
        let Holder { lease, left_open, .. } = &mut state.holders[index];
        let Some(lease) = lease.as_mut().or(left_open.as_mut()) else { return };
        let grows = lease.last.is_none_or(|last| last < stamp);
        lease.last = Some(stamp);
        let (number, tenure, interval) = (lease.number, lease.tenure, lease.interval);
        self.judge(state, number, tenure, interval, stamp, grows, watch);
    }

    /// Records an ID and the invariants that it violates.
    #[allow(clippy::too_many_arguments, reason = "each is a fact about the ID")]
    pub(crate) fn judge(
        &self,
        state: &mut State,
        number: usize,
        tenure: Token,
        interval: Interval,
        stamp: Stamp,
        grows: bool,
        watch: bool,
    ) {
        let scale = self.setting.scale;
        let inside = scale.start(stamp.tick) >= interval.from && scale.start(stamp.tick + 1) <= interval.until;
        state.faults.note(Faults::LEFT_INTERVAL, !inside || !grows);

        let (from, newest) = (interval.from, &mut state.newest[number]);
        let new = Newest { from, tenure, last: stamp };
        match newest {
            None => *newest = Some(new),
            Some(known) if known.tenure == tenure => known.last = known.last.max(stamp),
            Some(known) if known.from <= from => {
                state
                    .faults
                    .note(Faults::TENURES_OVERLAP, known.from == from || scale.start(known.last.tick + 1) > from);
                *newest = Some(new);
            }
            Some(known) => state.faults.note(Faults::TENURES_OVERLAP, scale.start(stamp.tick + 1) > known.from),
        }

        let again = state.watched.is_some_and(|watched| watched.number == number && watched.stamp == stamp);
        state.faults.note(Faults::DUPLICATE, again);
        if watch {
            state.watched = Some(Watched { number, stamp, tenure });
        }
        self.restart_wait(state);
    }

    /// A step of a thread.
    fn take_part(&self, state: &mut State, action: Action) {
        match action {
            Action::HandOut { holder, ticks } => {
                state.left.hand_outs -= 1;
                let sequences = self.setting.sequences;
                let Holder { lease, part, .. } = &mut state.holders[holder];
                let Some(lease) = lease else { return };
                let low = if self.setting.parts == Parts::Sequences { sequences / 2 } else { 0 };
                if self.setting.parts == Parts::Ticks {
                    lease.floor = ticks.1;
                }
                *part = Some(Part::Piece(Piece::of(lease, ticks, low, sequences)));
            }
            Action::IssuePart { holder, stamp, watch } => {
                let Some(Part::Piece(piece)) = &mut state.holders[holder].part else { return };
                let grows = piece.last.is_none_or(|last| last < stamp);
                piece.last = Some(stamp);
                let (number, tenure, interval) = (piece.number, piece.tenure, piece.interval);
                self.judge(state, number, tenure, interval, stamp, grows, watch);
            }
            Action::ReportPart { holder } => {
                let Holder { lease, part, .. } = &mut state.holders[holder];
                if let (Some(Part::Piece(piece)), Some(lease)) = (part.take(), lease)
                    && piece.tenure == lease.tenure
                {
                    lease.reported = lease.reported.max(piece.used_to(self.setting.scale));
                }
            }
            Action::ReadCursor { holder } => {
                state.left.hand_outs -= 1;
                let Holder { lease, left_open, part, .. } = &mut state.holders[holder];
                *part = lease
                    .as_ref()
                    .or(left_open.as_ref())
                    .map(|lease| Part::Cursor { tenure: lease.tenure, seen: lease.last });
            }
            Action::SwapCursor { holder, tick, watch } => self.swap(state, holder, tick, watch),
            _ => {}
        }
    }

    fn swap(&self, state: &mut State, index: usize, tick: i16, watch: bool) {
        let Holder { lease, left_open, part, .. } = &mut state.holders[index];
        let Some(Part::Cursor { tenure, seen }) = part.take() else { return };
        let Some(lease) = [lease, left_open].into_iter().flatten().find(|lease| lease.tenure == tenure) else {
            return;
        };
        if lease.last != seen && !self.mistakes.has(Mistake::CursorWithoutCompare) {
            return;
        }
        let read = crate::holder::Lease { last: seen, ..lease.clone() };
        let stamp = read.next(tick, self.setting.sequences);
        if stamp.tick >= lease.ticks(self.setting.scale, self.mistakes).1 {
            return;
        }
        let grows = lease.last.is_none_or(|last| last < stamp);
        lease.last = Some(stamp);
        let (number, interval) = (lease.number, lease.interval);
        self.judge(state, number, tenure, interval, stamp, grows, watch);
    }

    /// A fault of the store happens.
    fn fail(&self, state: &mut State, action: Action) {
        let time = state.time;
        let Cluster { primary, .. } = &mut state.cluster;
        match action {
            Action::FailOver { lost, ahead } => {
                state.left.failovers -= 1;
                let until = self.setting.deposed_for.map(|span| time + span);
                state.cluster.fail_over(lost, ahead, until);
            }
            Action::FailBack => {
                state.left.failbacks -= 1;
                state.cluster.fail_back();
            }
            Action::Flush => {
                state.left.flushes -= 1;
                let empty = Data { born: None, records: Default::default() };
                state.cluster.write(Target::Primary, empty, self.setting.lost_writes);
            }
            Action::Delete { number } => {
                state.left.deletions -= 1;
                primary.data.records[number] = None;
            }
            Action::StepClock { by } => {
                state.left.clock_steps -= 1;
                primary.ahead += by;
            }
            _ => {}
        }
    }
}

/// Keeps messages sorted, so that the order of sending does not create additional states.
fn insert(messages: &mut Vec<Message>, message: Message) {
    let at = messages.partition_point(|other| *other < message);
    messages.insert(at, message);
}
