//! The part of a thread: a piece of the interval for itself, or a position of the shared cursor.

use crate::clock::{Millis, Scale, Tick};
use crate::holder::{Lease, Stamp};
use crate::store::{Interval, Token};

/// How a holder shares its lease with one more thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// Not at all.
    None,
    /// All threads take IDs from one cursor in shared memory.
    Cursor,
    /// The thread gets some ticks of the interval, for itself.
    Ticks,
    /// The thread gets the upper half of the sequence, in all ticks of the interval.
    Sequences,
}

/// The part of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A reading of the shared cursor, which it is about to replace.
    Cursor {
        /// The tenure whose cursor it is.
        tenure: Token,
        /// The cursor that it read.
        seen: Option<Stamp>,
    },
    /// A piece of its own. The holder's later calls do not change it, and the thread can live on
    /// without the holder.
    Piece(Piece),
}

/// A piece of a lease.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The tenure that it is a piece of.
    pub tenure: Token,
    /// The interval of that tenure when it was handed out.
    pub interval: Interval,
    /// The number.
    pub number: usize,
    /// The first tick, and the first that is not part of it.
    pub ticks: (Tick, Tick),
    /// The first sequence number.
    pub low: u8,
    /// The first sequence number that is not part of it.
    pub high: u8,
    /// The last ID.
    pub last: Option<Stamp>,
}

impl Part {
    /// The first ID time after the handed-out piece of a tenure, in ms: the thread may use all of
    /// it.
    pub fn next_free(&self, tenure: Token, scale: Scale) -> Millis {
        match self {
            Self::Piece(piece) if piece.tenure == tenure => scale.start(piece.ticks.1),
            _ => Millis::MIN,
        }
    }

    /// Whether the thread can still issue after the holder has ended.
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

    /// The first ID time after its last ID, in ms.
    pub fn used_to(&self, scale: Scale) -> Millis {
        self.last.map_or(Millis::MIN, |last| scale.start(last.tick + 1))
    }
}
