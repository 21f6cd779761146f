//! The reasons why a call issued no ID.

use crate::Error;

/// The result of a call that issued no ID. The generator is in the same state as before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotIssued {
    /// Waiting does not help.
    Refused(Error),
    /// Wait until the clock reads a tick and ask again, or fail with `cause`.
    Wait {
        /// The tick.
        until: i64,
        /// The error of the call if it does not wait.
        cause: Error,
    },
    /// Ask again, with this many random bytes as a big-endian number.
    Draw {
        /// The number of bytes.
        bytes: u64,
    },
}

impl From<Error> for NotIssued {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}
