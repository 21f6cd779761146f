//! Why there is no ID. Flat numbers and no enums with fields, as these are handed from step to step.

use crate::Error;

/// The part of [`Error`] that is a generator's.
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
    /// None yet: random bits are needed first.
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
            // Who is asked for random bits and has none.
            Cause::Draw => Self::RandomFailed,
        }
    }
}

/// Why a step does not lead to an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotIssued {
    /// What the call fails with.
    pub cause: Cause,
    /// Unless it waits until the clock reads this tick; [`NotIssued::NEVER`] if there is nothing to wait for. For
    /// [`Cause::Draw`], how many random bytes are to be drawn.
    pub number: i64,
}

impl NotIssued {
    /// No tick to wait for.
    pub const NEVER: i64 = -1;

    pub(super) const fn wait(until: i64, cause: Cause) -> Self {
        Self { cause, number: until }
    }

    pub(super) fn draw(bytes: u8) -> Self {
        Self { cause: Cause::Draw, number: bytes.into() }
    }
}

impl From<Cause> for NotIssued {
    fn from(cause: Cause) -> Self {
        Self { cause, number: Self::NEVER }
    }
}
