//! Calls and answers, and how they travel.

use crate::clock::Millis;
use crate::store::{Interval, Token};

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// A call and its answer are one step. Either may be lost. A call whose answer was lost may be
    /// retried.
    Prompt,
    /// Calls and answers are in flight for any time, overtake each other, are lost, and some arrive
    /// twice.
    Late {
        /// The maximum number of a holder's messages in flight.
        under_way: usize,
    },
}

/// A call of the store. A retry has the same tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Call {
    /// Requests a number.
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
        /// The token that replaces `token`.
        next: Token,
    },
    /// Releases a number.
    Release {
        /// The number.
        number: usize,
        /// The token of the holder, and the token of a renewal that was pending.
        tokens: [Token; 2],
        /// The first ID time after all used times, in ms.
        next_free: Millis,
    },
}

/// The store's answer to `Acquire` and `Renew`. A holder does not wait for an answer to `Release`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Answer {
    /// The caller gets the number for this interval.
    Granted {
        /// The number.
        number: usize,
        /// The ID times.
        interval: Interval,
    },
    /// The caller has lost the number.
    Lost,
}

/// A message in flight.
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
    /// The sender or the receiver of the message, whichever is not the store.
    pub const fn holder(&self) -> usize {
        match *self {
            Self::Call { holder, .. } | Self::Answer { holder, .. } => holder,
        }
    }
}
