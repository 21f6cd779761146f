//! The ways in which a variant of the protocol departs from the sound form.

/// One mistake. Each names the rule that it breaks; `R1` to `R9` are the rules of the holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mistake {
    // Mistakes of the holder.
    /// Issues at any reading of its wall clock, until a renewal shows that it has lost the number.
    IssueWithoutEnd,
    /// Instead of the interval (R1): issues until its own wall clock reads the end.
    StopByWallClock,
    /// Instead of the interval (R1): issues until the ttl has passed on its own monotonic clock.
    /// Together with `StopByWallClock`: until either happens.
    StopByMonotonicClock,
    /// R1: rounds the start of the interval down to a tick.
    RoundStartDown,
    /// R1: rounds the end of the interval up to a tick.
    RoundEndUp,
    /// R2: restarts the sequence with each renewal, because the state belongs to the grant.
    ForgetSequenceAtRenewal,
    /// R4: accepts a grant although no call is pending.
    AdoptLateGrant,
    /// R4: one token for all tenures.
    ReuseToken,
    /// R5: still issues after it has sent the release.
    IssueAfterRelease,
    /// R5: releases at the highest issued tick, not at the next one.
    ReleaseAtHighestTick,
    /// R5: a release ignores the ticks or sequence numbers that a thread holds.
    ReleaseForgetsParts,
    /// R5: a release reads the shared cursor but does not close it.
    CursorLeftOpen,
    /// A thread writes the shared cursor without comparing it to the value that it has read.
    CursorWithoutCompare,
    /// R8: two namespaces that lease the same number in one process share one interval.
    ShareInterval,

    // Mistakes of the store.
    /// A number without a record starts at mark 0.
    UnknownMarkZero,
    /// A forgetful store grants at once, like a durable one.
    NoQuarantine,
    /// A forgetful store grants at once while another number is held and has not expired.
    SoonerBesideOthers,
    /// The quarantine uses the largest ttl in the record so far, not the caller's.
    QuarantineOfRecord,
    /// `acquire` also takes numbers that another holder has.
    Rob,
    /// `acquire` starts the interval now, not at the mark.
    StartAtNow,
    /// `acquire` of a durable store adds the ttl to a mark that is ahead of the store's clock.
    AddTtlToMark,
    /// `renew` sets the mark to `now + ttl`, even if this lowers the mark.
    LowerMarkAtRenewal,
    /// A forgetful store renews a tenure whose mark has passed.
    RenewPastMark,
    /// `renew` does not compare tokens.
    RenewAnyone,
    /// `release` does not compare tokens.
    ReleaseAnyone,
    /// `release` does not know the start of the tenure.
    ReleaseBelowStart,
}

/// A set of mistakes; the sound form has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistakes(u32);

impl Mistakes {
    /// A set of exactly these mistakes.
    pub const fn of(list: &[Mistake]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < list.len() {
            bits |= 1 << list[index] as u32;
            index += 1;
        }
        Self(bits)
    }

    /// Whether the set contains a mistake.
    pub const fn has(self, mistake: Mistake) -> bool {
        self.0 & (1 << mistake as u32) != 0
    }
}
