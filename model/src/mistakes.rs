//! The departures of a variant of the protocol from the sound form.

/// One departure. Each names a rule that it breaks; `R1` to `R9` are the rules of the holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mistake {
    // Mistakes of the holder.
    /// Issues at any reading of its wall clock, until a renewal shows that the number is lost.
    IssueWithoutEnd,
    /// Instead of the interval (R1): issues until its own wall clock reads the end.
    StopByWallClock,
    /// Instead of the interval (R1): issues until the ttl has passed on its own monotonic clock.
    /// With `StopByWallClock`: until either.
    StopByMonotonicClock,
    /// R1: rounds the start of the interval down to a tick.
    RoundStartDown,
    /// R1: rounds the end of the interval up to a tick.
    RoundEndUp,
    /// R2: starts the sequence again with each renewal, because the state belongs to the grant.
    ForgetSequenceAtRenewal,
    /// R4: adopts a grant though no call is pending.
    AdoptLateGrant,
    /// R4: one token for all tenures.
    ReuseToken,
    /// R5: still issues after the release was sent.
    IssueAfterRelease,
    /// R5: releases at the highest tick that was issued, not at the one after.
    ReleaseAtHighestTick,
    /// R5: a release ignores the ticks or sequence numbers that a thread has.
    ReleaseForgetsParts,
    /// R5: a release reads the shared cursor, and does not close it.
    CursorLeftOpen,
    /// A thread writes the shared cursor without comparing it with what it has read.
    CursorWithoutCompare,
    /// R8: two namespaces that lease the same number in one process share one interval.
    ShareInterval,

    // Mistakes of the store.
    /// A number without a record starts at mark 0.
    UnknownMarkZero,
    /// A forgetful store grants at once, as a durable one does.
    NoQuarantine,
    /// A forgetful store grants at once while another number is held and has not expired.
    SoonerBesideOthers,
    /// The quarantine uses the largest ttl of the record so far, not the caller's.
    QuarantineOfRecord,
    /// `acquire` also takes numbers that are held.
    Rob,
    /// `acquire` starts the interval at the present, not at the mark.
    StartAtNow,
    /// `acquire` of a durable store adds the ttl to a mark that is ahead of the store's clock.
    AddTtlToMark,
    /// `renew` sets the mark to `now + ttl`, also if that is lower.
    LowerMarkAtRenewal,
    /// A forgetful store renews a tenure whose mark has passed.
    RenewPastMark,
    /// `renew` does not compare tokens.
    RenewAnyone,
    /// `release` does not compare tokens.
    ReleaseAnyone,
    /// `release` does not know where the tenure started.
    ReleaseBelowStart,
}

/// A set of mistakes; the sound form has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistakes(u32);

impl Mistakes {
    /// These mistakes, and no other.
    pub const fn of(list: &[Mistake]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < list.len() {
            bits |= 1 << list[index] as u32;
            index += 1;
        }
        Self(bits)
    }

    /// Whether a variant makes a mistake.
    pub const fn has(self, mistake: Mistake) -> bool {
        self.0 & (1 << mistake as u32) != 0
    }
}
