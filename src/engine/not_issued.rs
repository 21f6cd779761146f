//! Why there is no ID. Plain numbers instead of enums with fields, which would make more code where results are passed on.

use crate::Error;

/// The kinds of [`Error`] that a generator has, and [`Cause::Draw`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// See [`Error::BeforeEpoch`].
    BeforeEpoch,
    /// See [`Error::EndOfLife`].
    EndOfLife,
    /// See [`Error::ClockBackwards`].
    ClockBackwards,
    /// See [`Error::SequenceFull`].
    SequenceFull,
    /// See [`Error::TimeTaken`].
    TimeTaken,
    /// See [`Error::OutsideInterval`].
    OutsideInterval,
    /// No error yet: random bits are needed first.
    Draw,
}

impl From<Cause> for Error {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::BeforeEpoch => Self::BeforeEpoch,
            Cause::EndOfLife => Self::EndOfLife,
            Cause::ClockBackwards => Self::ClockBackwards,
            Cause::SequenceFull => Self::SequenceFull,
            Cause::TimeTaken => Self::TimeTaken,
            Cause::OutsideInterval => Self::OutsideInterval,
            // The caller was asked for random bits, and has none.
            Cause::Draw => Self::RandomFailed,
        }
    }
}

/// Why a step has issued no ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotIssued {
    /// The error, if the call does not wait.
    pub cause: Cause,
    /// The tick to wait for; [`NotIssued::NEVER`] if waiting does not help. For [`Cause::Draw`], how many random bytes to draw.
    pub number: i64,
}

impl NotIssued {
    /// No tick to wait for.
    pub const NEVER: i64 = -1;

    pub(super) const fn wait(until: i64, cause: Cause) -> Self {
        Self { cause, number: until }
    }

    pub(super) const fn draw(bytes: u64) -> Self {
        Self { cause: Cause::Draw, number: bytes.cast_signed() }
    }
}

impl From<Cause> for NotIssued {
    fn from(cause: Cause) -> Self {
        Self { cause, number: Self::NEVER }
    }
}
