//! The three calls on the records of one store node. Each is one atomic step.

use crate::NUMBERS;
use crate::clock::Millis;
use crate::mistakes::{Mistake, Mistakes};

/// The secret of a tenure. In reality, it is random and unique; the model counts instead.
pub type Token = u8;

/// A store's promise about its writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No acknowledged write is ever lost.
    Durable,
    /// A failover, a restart or a flush may lose the last writes.
    Forgetful,
}

/// The ID times from `from` until just before `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Interval {
    /// The first time, in ms.
    pub from: Millis,
    /// The first time after it, in ms.
    pub until: Millis,
}

/// The record of a number. The tenure of `token` owns `[from, mark)`, and all ID times below `mark`
/// are used or reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Record {
    /// The token of the holder; `None` if the number was released.
    pub token: Option<Token>,
    /// The start of the tenure, in ms.
    pub from: Millis,
    /// The end of the tenure, in ms.
    pub mark: Millis,
    /// The largest ttl so far, in ms: only for `Mistake::QuarantineOfRecord`, otherwise 0.
    pub longest: Millis,
}

/// The record of the namespace and those of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Data {
    /// When the namespace was created, by the store's clock; `None` if it does not exist.
    pub born: Option<Millis>,
    /// The records of the numbers.
    pub records: [Option<Record>; NUMBERS],
}

/// The terms of a call, and the store's promise.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The store's promise.
    pub kind: Kind,
    /// The mistakes of the variant.
    pub mistakes: Mistakes,
    /// The caller's ttl, in ms.
    pub ttl: Millis,
    /// The caller's q, in ms: the largest ttl of all callers plus g.
    pub quarantine: Millis,
    /// The g in q, in ms.
    pub margin: Millis,
}

impl Data {
    /// Creates the namespace if it does not exist.
    pub fn found(&mut self, now: Millis) {
        self.born.get_or_insert(now);
    }

    /// Grants a number or returns `None` if it is not available now. The model tries all numbers,
    /// because a store's preference does not affect safety.
    pub fn acquire(&mut self, number: usize, token: Token, now: Millis, terms: &Terms) -> Option<Interval> {
        self.found(now);
        let record = self.records[number].unwrap_or_else(|| self.unknown(terms));
        if record.token == Some(token) {
            return Some(record.interval());
        }
        let expired = now >= record.mark;
        let longest = if terms.mistakes.has(Mistake::QuarantineOfRecord) { record.longest.max(terms.ttl) } else { 0 };
        let quarantine = if longest > 0 { longest + terms.margin } else { terms.quarantine };
        let beside = self.records.iter().enumerate().any(|(other, record)| {
            other != number && record.is_some_and(|record| record.token.is_some() && now < record.mark)
        });
        let (eligible, from, mark) = if terms.mistakes.has(Mistake::SoonerBesideOthers) && beside {
            (expired, record.mark, record.mark.max(now + terms.ttl))
        } else if terms.grants_at_once() {
            let sum = if terms.mistakes.has(Mistake::AddTtlToMark) {
                record.mark.max(now) + terms.ttl
            } else {
                record.mark.max(now + terms.ttl)
            };
            let from = if terms.mistakes.has(Mistake::StartAtNow) { now } else { record.mark };
            (record.token.is_none() || expired, from, sum)
        } else {
            let mark = record.mark.max(now + quarantine);
            (expired, mark, mark)
        };
        if !eligible && !terms.mistakes.has(Mistake::Rob) {
            return None;
        }
        let record = Record { token: Some(token), from, mark, longest };
        self.records[number] = Some(record);
        Some(record.interval())
    }

    /// Extends a tenure and replaces its token. `None` means that the number is lost.
    pub fn renew(&mut self, number: usize, token: Token, next: Token, now: Millis, terms: &Terms) -> Option<Interval> {
        let record = self.records[number].as_mut()?;
        let own = record.token == Some(token) || record.token == Some(next);
        if !own && !terms.mistakes.has(Mistake::RenewAnyone) {
            return None;
        }
        let alive = now < record.mark || terms.kind == Kind::Durable;
        if !alive && !terms.mistakes.has(Mistake::RenewPastMark) {
            return None;
        }
        let lowered = terms.mistakes.has(Mistake::LowerMarkAtRenewal);
        record.mark = if lowered { now + terms.ttl } else { record.mark.max(now + terms.ttl) };
        if own {
            record.token = Some(next);
        }
        Some(record.interval())
    }

    /// Ends a tenure and frees its unused time. This is the only step that lowers a mark.
    pub fn release(&mut self, number: usize, tokens: [Token; 2], next_free: Millis, terms: &Terms) {
        let Some(record) = self.records[number].as_mut() else { return };
        let own = record.token.is_some_and(|token| tokens.contains(&token));
        if !own && !terms.mistakes.has(Mistake::ReleaseAnyone) {
            return;
        }
        let start = if terms.mistakes.has(Mistake::ReleaseBelowStart) { 0 } else { record.from };
        record.mark = record.mark.min(start.max(next_free));
        record.token = None;
    }

    /// The record that stands for a missing one.
    fn unknown(&self, terms: &Terms) -> Record {
        let born = self.born.unwrap_or(0);
        let mark = if terms.mistakes.has(Mistake::UnknownMarkZero) {
            0
        } else if terms.grants_at_once() {
            born + terms.quarantine
        } else {
            born
        };
        Record { token: None, from: mark, mark, longest: 0 }
    }
}

impl Terms {
    /// Whether `acquire` grants an interval that is not empty.
    fn grants_at_once(&self) -> bool {
        self.kind == Kind::Durable || self.mistakes.has(Mistake::NoQuarantine)
    }
}

impl Record {
    /// The interval of the tenure.
    const fn interval(&self) -> Interval {
        Interval { from: self.from, until: self.mark }
    }
}
