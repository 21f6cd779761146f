//! One state of the whole system, and the additional facts with which the search judges it.

use crate::clock::Millis;
use crate::cluster::Cluster;
use crate::holder::{Holder, Stamp};
use crate::network::Message;
use crate::setting::Powers;
use crate::store::Token;
use crate::{HOLDERS, NUMBERS};

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// True time, in ms. No clock shows it.
    pub time: Millis,
    /// The store.
    pub cluster: Cluster,
    /// The holders. Those beyond the setting's number stay idle.
    pub holders: [Holder; HOLDERS],
    /// Messages in flight, ordered by their contents.
    pub messages: Vec<Message>,
    /// How often each fault may still happen.
    pub left: Powers,
    /// The watched ID. The search watches each possible ID in turn, from its first issue on. A
    /// state therefore need not contain all IDs: a duplicate is a second issue of the watched one.
    pub watched: Option<Watched>,
    /// For each number: of the tenures that have issued, the one with the latest start.
    pub newest: [Option<Newest>; NUMBERS],
    /// The true time of the last ID or the last crash; only used in a fair schedule.
    pub since: Millis,
    /// The violated invariants.
    pub faults: Faults,
}

/// An ID and its tenure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Watched {
    /// Its number.
    pub number: usize,
    /// Its tick and sequence.
    pub stamp: Stamp,
    /// The tenure that issued it.
    pub tenure: Token,
}

/// A tenure that has issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Newest {
    /// Its start, in ms.
    pub from: Millis,
    /// The token of the tenure.
    pub tenure: Token,
    /// The highest stamp that the tenure has issued.
    pub last: Stamp,
}

/// A set of violated invariants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Faults(u8);

impl Faults {
    /// An ID was issued twice.
    pub const DUPLICATE: u8 = 1;
    /// A mark fell outside a release, or a release lowered it to a used time.
    pub const MARK_FELL: u8 = 2;
    /// Two tenures of a number both issued, although neither ended before the other began.
    pub const TENURES_OVERLAP: u8 = 4;
    /// A holder issued outside its interval, or its IDs did not ascend.
    pub const LEFT_INTERVAL: u8 = 8;
    /// No holder issued for too long.
    pub const OVERDUE: u8 = 16;

    /// Adds a fault if `is_there`.
    pub const fn note(&mut self, fault: u8, is_there: bool) {
        if is_there {
            self.0 |= fault;
        }
    }

    /// Whether the set has a fault.
    pub const fn has(self, fault: u8) -> bool {
        self.0 & fault != 0
    }
}
