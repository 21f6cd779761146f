//! The error of everything that the core refuses: a kind with a stable name and number, and a position, field or length.
//! The package has the messages (js/errors.ts).

/// Why the core refused.
///
/// ```
/// use graupel::{Error, formats::sno};
/// assert_eq!(sno::parse(b"brpk4q72xwf2m63!"), Err(Error::Character { at: 15 }));
/// assert_eq!(Error::Character { at: 15 }.name(), "CHARACTER");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The text or the bytes have the wrong length.
    Length {
        /// The length found.
        found: usize,
    },
    /// A character outside the alphabet.
    Character {
        /// Its position, from 0.
        at: usize,
    },
    /// The text is an ID, but not in its canonical form: it has a leading zero.
    NotCanonical,
    /// Larger than the largest ID of the format.
    Overflow,
    /// A field or a number outside its range.
    Range {
        /// Which field of the layout (or argument of the call), from 0.
        field: usize,
    },
    /// Arguments that contradict each other.
    Conflict,
    /// A time before the format's epoch.
    BeforeEpoch,
    /// A time past the format's last tick.
    EndOfLife,
    /// The clock read less than before, and the policy is to refuse that.
    ClockBackwards,
    /// The tick's sequence is used up, and the policy is to refuse that.
    SequenceFull,
    /// An ID for the given time, or the clock's tick, could repeat one, of either counter.
    TimeTaken,
    /// The tick lies outside the interval of ID time that the generator may use.
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

    /// The number that crosses the boundary: an index into [`Error::NAMES`].
    pub const fn number(self) -> u8 {
        match self {
            Self::Length { .. } => 1,
            Self::Character { .. } => 2,
            Self::NotCanonical => 3,
            Self::Overflow => 4,
            Self::Range { .. } => 5,
            Self::Conflict => 6,
            Self::BeforeEpoch => 7,
            Self::EndOfLife => 8,
            Self::ClockBackwards => 9,
            Self::SequenceFull => 10,
            Self::TimeTaken => 11,
            Self::OutsideInterval => 12,
            Self::RandomFailed => 13,
        }
    }

    /// The stable name, as JavaScript sees it in `code`.
    pub fn name(self) -> &'static str {
        Self::NAMES.get(usize::from(self.number())).copied().unwrap_or("")
    }

    /// The position, field or length that goes with the error; 0 where there is none.
    pub const fn detail(self) -> usize {
        match self {
            Self::Length { found } => found,
            Self::Character { at } => at,
            Self::Range { field } => field,
            _ => 0,
        }
    }
}

/// Every number has a name, because the first number after them is a status ([`crate::abi::WAIT`]).
const _: () = assert!(Error::RandomFailed.number() as usize + 1 == Error::NAMES.len());
