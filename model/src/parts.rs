//! The part of a lease that a thread has: a piece of the interval, or a position of the shared
//! cursor.

use crate::clock::{Millis, Scale, Tick};
use crate::holder::{Lease, Stamp};
use crate::store::{Interval, Token};

/// How a holder shares its lease with one other thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// There is no other thread.
    None,
    /// All threads take IDs from one cursor in shared memory.
    Cursor,
    /// The thread gets some ticks of the interval.
    Ticks,
    /// The thread gets the upper half of the sequence numbers, in all ticks of the interval.
    Sequences,
}

/// The part of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A read of the shared cursor, which the thread is about to replace.
    Cursor {
        /// The tenure whose cursor it is.
        tenure: Token,
        /// The value that it read.
        seen: Option<Stamp>,
    },
    /// A piece of its own. The holder's later calls do not change it, and the thread may outlive
    /// the holder.
    Piece(Piece),
}

/// A piece of a lease.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The tenure to which the piece belongs.
    pub tenure: Token,
    /// The interval of that tenure when the piece was handed out.
    pub interval: Interval,
    /// The number.
    pub number: usize,
    /// The first tick of the piece, and the first tick after it.
    pub ticks: (Tick, Tick),
    /// The first sequence number.
    pub low: u8,
    /// The first sequence number after the piece.
    pub high: u8,
    /// The last ID.
    pub last: Option<Stamp>,
}

impl Part {
    /// The first ID time after the piece of a tenure, in ms. The thread may use all of the piece.
    pub fn next_free(&self, tenure: Token, scale: Scale) -> Millis {
        match self {
            Self::Piece(piece) if piece.tenure == tenure => scale.start(piece.ticks.1),
            _ => Millis::MIN,
        }
    }

    /// Whether the thread can still issue IDs after the holder has ended.
    pub const fn outlives(&self) -> bool {
        matches!(self, Self::Piece(_))
    }
}

impl Piece {
    /// A piece of these ticks and sequence numbers.
    pub const fn of(lease: &Lease, ticks: (Tick, Tick), low: u8, high: u8) -> Self {
        Self { tenure: lease.tenure, interval: lease.interval, number: lease.number, ticks, low, high, last: None }
    }

    /// The next stamp in a tick, if the piece has one.
    pub fn next(&self, tick: Tick) -> Option<Stamp> {
        let sequence = match self.last {
            Some(last) if last.tick > tick => return None,
            Some(last) if last.tick == tick => last.sequence + 1,
            _ => self.low,
        };
        (sequence < self.high).then_some(Stamp { tick, sequence })
    }

    /// The first ID time after the last ID, in ms.
    pub fn used_to(&self, scale: Scale) -> Millis {
        self.last.map_or(Millis::MIN, |last| scale.start(last.tick + 1))
    }
}
