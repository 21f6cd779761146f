//! Calls and answers, and how they travel.

use crate::clock::Millis;
use crate::store::{Interval, Token};

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// A call and its answer are one step. Either may be lost; a call whose answer was lost may be
    /// made again.
    Prompt,
    /// Calls and answers are under way for any time, overtake each other, are lost, and some arrive
    /// twice.
    Late {
        /// The most messages that a holder has under way.
        under_way: usize,
    },
}

/// A call of the store. A retry repeats it with the same tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Call {
    /// Asks for a number.
    Acquire {
        /// The token of the new tenure.
        token: Token,
    },
    /// Extends a tenure.
    Renew {
        /// The number.
        number: usize,
        /// The token that the holder has.
        token: Token,
        /// The token that replaces it.
        next: Token,
    },
    /// Releases a number.
    Release {
        /// The number.
        number: usize,
        /// The token that the holder has, and the one of a renewal that was under way.
        tokens: [Token; 2],
        /// The first ID time after all that were used, in ms.
        next_free: Millis,
    },
}

/// The store's answer to `Acquire` and `Renew`. A holder does not wait for an answer to `Release`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Answer {
    /// The number is the caller's, in this interval.
    Granted {
        /// The number.
        number: usize,
        /// The ID times.
        interval: Interval,
    },
    /// The number is no longer the caller's.
    Lost,
}

/// A message under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Message {
    /// To the store.
    Call {
        /// The caller.
        holder: usize,
        /// The call.
        call: Call,
    },
    /// From the store.
    Answer {
        /// The receiver.
        holder: usize,
        /// The call that is answered.
        call: Call,
        /// The answer.
        answer: Answer,
    },
}

impl Message {
    /// The holder at one end of it.
    pub const fn holder(&self) -> usize {
        match *self {
            Self::Call { holder, .. } | Self::Answer { holder, .. } => holder,
        }
    }
}
