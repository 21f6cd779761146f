//! The setting of a search: the store, the clocks, the bounds, and the possible faults with their
//! limits.

use crate::HOLDERS;
use crate::clock::{Millis, Scale, Wall};
use crate::network::Network;
use crate::parts::Parts;
use crate::store::Kind;

/// The schedule, which decides what happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// An adversary: any step may happen at any time, or never.
    Adversary,
    /// All possible steps happen before time passes, and no message is lost. Renewals are late by
    /// at most `stall`.
    Fair {
        /// The stall and the round trip together, in ms.
        stall: Millis,
    },
}

/// The source of the store's `now`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Now {
    /// The store's own clock, read in the same step as the write.
    Fresh,
    /// As with etcd: the time of an earlier read, rounded down to a multiple of `grain`. A write
    /// fails if the record has changed since that read.
    Header {
        /// The granularity in ms. In reality, it is a second.
        grain: Millis,
    },
}

/// The possible faults, and how often each may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Powers {
    /// Processes that crash without a release and start again.
    pub crashes: u8,
    /// Releases.
    pub releases: u8,
    /// Failovers to a replica.
    pub failovers: u8,
    /// Returns of the deposed primary, together with the data that the failover lost.
    pub failbacks: u8,
    /// Losses of all records, including that of the namespace.
    pub flushes: u8,
    /// Losses of the record of a single number.
    pub deletions: u8,
    /// Steps of the primary's clock.
    pub clock_steps: u8,
    /// Suspensions of a process for 1 ms, during which its monotonic clock stands still.
    pub suspensions: u8,
    /// Messages that arrive twice.
    pub doubles: u8,
    /// Pieces handed out to threads, or reads of a shared cursor.
    pub hand_outs: u8,
}

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The name of the setting in the table.
    pub name: &'static str,
    /// The store's promise about its writes.
    pub store: Kind,
    /// The last true time, in ms.
    pub horizon: Millis,
    /// The ttl of each holder, in ms.
    pub ttl: [Millis; HOLDERS],
    /// The q of all callers, in ms.
    pub quarantine: Millis,
    /// The number of holders.
    pub holders: usize,
    /// The number of worker IDs.
    pub numbers: usize,
    /// Whether each number is a namespace of its own. Two holders with consecutive indices are then
    /// one process with a lease in each.
    pub namespaces: bool,
    /// The number of sequence numbers in a tick.
    pub sequences: u8,
    /// Ticks.
    pub scale: Scale,
    /// The wall clocks of the holders.
    pub wall: Wall,
    /// The schedule.
    pub schedule: Schedule,
    /// How messages travel.
    pub network: Network,
    /// How a holder shares its lease with a thread.
    pub parts: Parts,
    /// The source of the store's `now`.
    pub now: Now,
    /// Whether the namespace already exists. Otherwise the first call creates it.
    pub mature: bool,
    /// Whether a renewal replaces the token. Without rotation, a lost write is harder to notice,
    /// and the number of renewals is unlimited.
    pub rotation: bool,
    /// The number of tokens that each holder may draw, for acquisitions and renewals.
    pub tokens: u8,
    /// The maximum number of writes that a failover loses.
    pub lost_writes: usize,
    /// How long a deposed primary still answers, in ms; `None` if it does not answer at all.
    pub deposed_for: Option<Millis>,
    /// The largest difference between the clocks of two nodes, in ms.
    pub skew: Millis,
    /// The size of a step of the primary's clock, in ms.
    pub clock_step: Millis,
    /// The possible faults.
    pub powers: Powers,
}

/// No faults.
pub const CALM: Powers = Powers {
    crashes: 0,
    releases: 0,
    failovers: 0,
    failbacks: 0,
    flushes: 0,
    deletions: 0,
    clock_steps: 0,
    suspensions: 0,
    doubles: 0,
    hand_outs: 0,
};

/// Values derived from a setting.
impl Setting {
    /// The largest ttl, in ms.
    pub fn longest_ttl(&self) -> Millis {
        self.ttl[..self.holders].iter().copied().max().unwrap_or(0)
    }

    /// The numbers that a holder may have.
    pub fn numbers_of(&self, holder: usize) -> std::ops::Range<usize> {
        if self.namespaces { holder % 2..holder % 2 + 1 } else { 0..self.numbers }
    }

    /// The other lease of the same process.
    pub const fn sibling(&self, holder: usize) -> usize {
        holder ^ 1
    }

    /// The longest allowed time without an ID after an ID or a crash, in ms (L2). In a forgetful
    /// store, if a holder crashes immediately, its number is free after q, and a new holder can
    /// issue after another q.
    pub fn patience(&self) -> Millis {
        match self.store {
            Kind::Durable => self.longest_ttl(),
            Kind::Forgetful => 2 * self.quarantine,
        }
    }
}

/// Variations of a setting.
impl Setting {
    /// The setting under another name.
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// The setting with another last true time, in ms.
    pub const fn until(self, horizon: Millis) -> Self {
        Self { horizon, ..self }
    }

    /// The setting with other possible faults.
    pub const fn may(self, powers: Powers) -> Self {
        Self { powers, ..self }
    }

    /// The setting with another number of tokens per holder.
    pub const fn tokens(self, tokens: u8) -> Self {
        Self { tokens, ..self }
    }

    /// The setting with another number of holders.
    pub const fn holders(self, holders: usize) -> Self {
        Self { holders, ..self }
    }

    /// The setting with another number of worker IDs.
    pub const fn numbers(self, numbers: usize) -> Self {
        Self { numbers, ..self }
    }

    /// The setting with another ttl and an equally long q, so that g is 0.
    pub const fn ttl(self, ttl: Millis) -> Self {
        Self { ttl: [ttl; HOLDERS], quarantine: ttl, ..self }
    }

    /// The setting with `q = T + g`. A negative g makes q too short.
    pub fn margin(self, g: Millis) -> Self {
        Self { quarantine: self.longest_ttl() + g, ..self }
    }

    /// The setting with failovers that lose up to the given number of writes.
    pub const fn losing(self, lost_writes: usize) -> Self {
        Self { lost_writes, ..self }
    }

    /// The setting with nodes whose clocks differ by at most the given ms.
    pub const fn skewed(self, skew: Millis) -> Self {
        Self { skew, ..self }
    }

    /// The setting with deposed primaries that still answer for the given ms.
    pub const fn deposed_for(self, span: Millis) -> Self {
        Self { deposed_for: Some(span), ..self }
    }

    /// The setting with steps of the store's clock by the given ms.
    pub const fn clock_step(self, clock_step: Millis) -> Self {
        Self { clock_step, ..self }
    }

    /// The setting with renewals that replace the token.
    pub const fn rotating(self) -> Self {
        Self { rotation: true, ..self }
    }

    /// The setting with holders whose clocks differ from true time by at most the given ms.
    pub const fn clocks(self, error: Millis) -> Self {
        Self { wall: Wall::Within(error), ..self }
    }

    /// The setting with another thread, and the given number of sequence numbers.
    pub const fn shared(self, parts: Parts, sequences: u8) -> Self {
        Self { parts, sequences, ..self }
    }
}
