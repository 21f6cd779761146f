//! A holder: what it knows about its lease, and rules R1, R2, R4 and R5. It is synchronous and
//! makes no calls itself.

use crate::clock::{Millis, Scale, Tick};
use crate::mistakes::{Mistake, Mistakes};
use crate::network::{Answer, Call};
use crate::parts::Part;
use crate::store::{Data, Interval, Token};

/// The parts of an ID besides its number: the tick, and the sequence number within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stamp {
    /// The tick.
    pub tick: Tick,
    /// The sequence number, from 0.
    pub sequence: u8,
}

/// A lease of a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The number.
    pub number: usize,
    /// The ID times that the holder may use.
    pub interval: Interval,
    /// The token that the next renewal sends.
    pub token: Token,
    /// The token of the acquisition, which identifies the tenure.
    pub tenure: Token,
    /// The last ID of all generators that share this state.
    pub last: Option<Stamp>,
    /// The first tick that has not been handed out to a thread.
    pub floor: Tick,
    /// The end of the time that threads have reported as used, in ms.
    pub reported: Millis,
    /// True time of the last grant, in ms; 0 if the variant does not need it.
    pub granted: Millis,
    /// The holder's monotonic time of the last grant, in ms; 0 if the variant does not need it.
    pub monotonic: Millis,
}

/// A read from etcd: the data, and the time of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// The time in the answer's header, in ms.
    pub now: Millis,
    /// The stored data.
    pub data: Data,
}

/// A holder, which is one lease of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Holder {
    /// How many tokens it has drawn. A crash does not reset this, because tokens are random.
    pub drawn: u8,
    /// How far its wall clock is ahead, in ms.
    pub ahead: Millis,
    /// How long its monotonic clock stood still, in ms.
    pub slept: Millis,
    /// The call that is waiting for an answer. There is at most one (R4).
    pub pending: Option<Call>,
    /// Its lease.
    pub lease: Option<Lease>,
    /// The lease that a mistake leaves usable after a release.
    pub left_open: Option<Lease>,
    /// The read on which the next write depends, in stores that need one.
    pub seen: Option<Seen>,
    /// The part of one thread.
    pub part: Option<Part>,
}

impl Lease {
    /// The first tick that the holder may use, and the first that it may not (R1).
    pub const fn ticks(&self, scale: Scale, mistakes: Mistakes) -> (Tick, Tick) {
        let Interval { from, until } = self.interval;
        let first = if mistakes.has(Mistake::RoundStartDown) { scale.tick(from) } else { scale.tick_from(from) };
        let end = if mistakes.has(Mistake::RoundEndUp) { scale.tick_from(until) } else { scale.tick(until) };
        (if first < self.floor { self.floor } else { first }, end)
    }

    /// The next stamp at or after a tick, within the first `sequences` numbers of each tick (R2).
    pub fn next(&self, tick: Tick, sequences: u8) -> Stamp {
        match self.last {
            Some(last) if tick <= last.tick && last.sequence + 1 < sequences => {
                Stamp { tick: last.tick, sequence: last.sequence + 1 }
            }
            Some(last) if tick <= last.tick => Stamp { tick: last.tick + 1, sequence: 0 },
            _ => Stamp { tick, sequence: 0 },
        }
    }
}

impl Holder {
    /// Draws a new token for holder `index`.
    pub fn draw(&self, index: usize, mistakes: Mistakes) -> Token {
        let drawn = if mistakes.has(Mistake::ReuseToken) { 0 } else { self.drawn };
        u8::try_from(index).unwrap_or(0) * 16 + drawn + 1
    }

    /// Processes an answer (R4). `time` is true time, and `monotonic` the holder's own clock, both
    /// in ms. Returns whether the answer changed anything.
    pub fn receive(&mut self, call: Call, answer: Answer, time: Millis, monotonic: Millis, mistakes: Mistakes) -> bool {
        let expected = self.pending == Some(call);
        let adopted = mistakes.has(Mistake::AdoptLateGrant) && self.lease.is_none() && self.pending.is_none();
        if !expected && !adopted {
            return false;
        }
        match (answer, call) {
            (Answer::Lost, _) => self.lease = None,
            (Answer::Granted { number, interval }, Call::Acquire { token }) => {
                self.lease = Some(Lease {
                    number,
                    interval,
                    token,
                    tenure: token,
                    last: None,
                    floor: Tick::MIN,
                    reported: Millis::MIN,
                    granted: time,
                    monotonic,
                });
            }
            (Answer::Granted { interval, .. }, Call::Renew { next, .. }) => {
                let Some(lease) = &mut self.lease else { return false };
                lease.interval = interval;
                lease.token = next;
                lease.granted = time;
                lease.monotonic = monotonic;
                if mistakes.has(Mistake::ForgetSequenceAtRenewal) {
                    lease.last = None;
                }
            }
            (Answer::Granted { .. }, Call::Release { .. }) => return false,
        }
        self.pending = None;
        true
    }

    /// Ends the tenure before anything is sent (R5), and returns the release call.
    pub fn release(&mut self, scale: Scale, mistakes: Mistakes) -> Option<Call> {
        let lease = self.lease.take()?;
        let pending = match self.pending.take() {
            Some(Call::Renew { next, .. }) => next,
            _ => lease.token,
        };
        let after_last = |last: Stamp| last.tick + if mistakes.has(Mistake::ReleaseAtHighestTick) { 0 } else { 1 };
        let own = lease.last.map_or(Millis::MIN, |last| scale.start(after_last(last)));
        let handed_out = match &self.part {
            Some(part) if !mistakes.has(Mistake::ReleaseForgetsParts) => part.next_free(lease.tenure, scale),
            _ => Millis::MIN,
        };
        let call = Call::Release {
            number: lease.number,
            tokens: [lease.token, pending],
            next_free: own.max(handed_out).max(lease.reported),
        };
        if mistakes.has(Mistake::IssueAfterRelease) || mistakes.has(Mistake::CursorLeftOpen) {
            self.left_open = Some(lease);
        }
        Some(call)
    }

    /// Ends the process, which forgets everything except its clock. Threads that have a part may
    /// survive.
    pub fn crash(&mut self) {
        self.pending = None;
        self.lease = None;
        self.left_open = None;
        self.seen = None;
        if self.part.as_ref().is_some_and(|part| !part.outlives()) {
            self.part = None;
        }
    }
}
