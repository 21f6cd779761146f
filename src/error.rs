//! The errors of the core: each has a stable name and number. The package has the messages
//! (js/core/status.ts).

/// The kind of an error. Its number, an index into [`Error::NAMES`], crosses the boundary.
///
/// ```
/// use graupel::{Error, formats::snowflake::TWITTER};
/// let before_epoch = TWITTER.schema(None)?.scale().tick(0.0).unwrap_err();
/// assert_eq!(before_epoch.name(), "BEFORE_EPOCH");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Error {
    /// The text has the wrong length. The package reads IDs; for this and the next three errors,
    /// only the numbers are here.
    Length = 1,
    /// A character outside the alphabet.
    Character,
    /// The text is an ID, but not in its canonical form: it has a leading zero.
    NotCanonical,
    /// Larger than the largest ID of the format.
    Overflow,
    /// A field or a number outside its range.
    Range,
    /// Arguments that contradict each other.
    Conflict,
    /// A time before the format's epoch.
    BeforeEpoch,
    /// A time past the format's last tick.
    EndOfLife,
    /// The clock went back, and the policy is to throw.
    ClockBackwards,
    /// The tick's sequence is used up, and the policy is to throw.
    SequenceFull,
    /// An ID for the given time, or for the clock's tick, could repeat an ID of either counter.
    TimeTaken,
    /// The tick is outside the interval of ID time of the lease.
    OutsideInterval,
    /// The source of randomness failed, or returned only zeros.
    RandomFailed,
}

impl Error {
    /// All names, in the order of their numbers; number 0 is "no error".
    pub const NAMES: [&'static str; 14] = [
        "",
        "LENGTH",
        "CHARACTER",
        "NOT_CANONICAL",
        "OVERFLOW",
        "RANGE",
        "CONFLICT",
        "BEFORE_EPOCH",
        "END_OF_LIFE",
        "CLOCK_BACKWARDS",
        "SEQUENCE_FULL",
        "TIME_TAKEN",
        "OUTSIDE_INTERVAL",
        "RANDOM_FAILED",
    ];

    /// The number that crosses the boundary.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The stable name, which is `code` in JavaScript.
    pub fn name(self) -> &'static str {
        Self::NAMES.get(usize::from(self.number())).copied().unwrap_or("")
    }
}

/// Every number has a name, because the first number after them is a status
/// ([`crate::abi::Status::WAIT`]).
const _: () = assert!(Error::RandomFailed.number() as usize + 1 == Error::NAMES.len());
