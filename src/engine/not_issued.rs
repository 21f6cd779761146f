//! Why there is no ID.

use crate::Error;

/// The answer to a call that has issued no ID. The generator is as it was before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotIssued {
    /// Waiting does not help.
    Refused(Error),
    /// Wait until the clock reads a tick and ask again, or fail with `cause`.
    Wait {
        /// The tick.
        until: i64,
        /// What the call fails with if it does not wait.
        cause: Error,
    },
    /// Ask again, with this many random bytes as a big-endian number.
    Draw {
        /// How many bytes.
        bytes: u64,
    },
}

impl From<Error> for NotIssued {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}
