//! Variants of the protocol with one planted mistake. In the same settings, the protocol without
//! this mistake repeats no ID.

use super::settings::{DURABLE, FAILOVER, FLUSH, FORGETFUL, LATE, NAMESPACES, RELEASES, ROUNDED};
use super::{duplicate, no_duplicate};
use crate::mistakes::Mistake::*;
use crate::parts::Parts;
use crate::row::Row;
use crate::setting::{CALM, Powers, Setting};

pub fn rows() -> Vec<Row> {
    [of_holders(), of_stores(), of_forgetful_stores()].concat()
}

fn of_holders() -> Vec<Row> {
    let releasing = DURABLE.named("durable; releases").may(RELEASES);
    let threads = DURABLE.until(1).may(Powers { hand_outs: 2, ..RELEASES });
    let cursor = threads.named("durable; threads share a cursor").shared(Parts::Cursor, 1);
    let ticks = threads.named("durable; a thread gets ticks").shared(Parts::Ticks, 1);
    let halves = threads.named("durable; a thread gets half the sequence").shared(Parts::Sequences, 2);
    let late = LATE.until(2);
    let rounded = ROUNDED.until(6);
    vec![
        duplicate("the interval is rounded outwards", &[RoundStartDown, RoundEndUp], rounded),
        no_duplicate("only its start is rounded outwards", &[RoundStartDown], rounded),
        no_duplicate("only its end is rounded outwards", &[RoundEndUp], rounded),
        duplicate("a renewal forgets the sequence", &[ForgetSequenceAtRenewal], DURABLE),
        duplicate("a late grant is adopted", &[AdoptLateGrant], late),
        duplicate("one token for all tenures", &[ReuseToken], late),
        duplicate("issues until the release is answered", &[IssueAfterRelease], releasing),
        duplicate("released at the highest tick", &[ReleaseAtHighestTick], releasing),
        duplicate("a release forgets what threads have", &[ReleaseForgetsParts], ticks),
        duplicate("a release forgets what threads have", &[ReleaseForgetsParts], halves),
        duplicate("a release leaves the cursor open", &[CursorLeftOpen], cursor),
        duplicate("the cursor is written without comparing", &[CursorWithoutCompare], cursor),
        duplicate("namespaces share an interval", &[ShareInterval], NAMESPACES),
    ]
}

fn of_stores() -> Vec<Row> {
    let releasing = DURABLE.named("durable; releases").may(RELEASES);
    let flush = DURABLE.named("durable; a flush").may(FLUSH);
    let flush_and_release = flush.named("durable; a flush, releases").may(Powers { releases: 1, ..FLUSH });
    let step =
        DURABLE.named("durable; the store's clock jumps by 3").clock_step(3).may(Powers { clock_steps: 1, ..CALM });
    vec![
        duplicate("an unknown number has mark 0", &[UnknownMarkZero], flush),
        duplicate("the ttl is added to a mark ahead of now", &[AddTtlToMark], flush_and_release),
        duplicate("starts at the present, not at the mark", &[StartAtNow], releasing),
        duplicate("a renewal lowers the mark", &[LowerMarkAtRenewal], step),
        duplicate("a release forgets where it started", &[ReleaseBelowStart], releasing),
        duplicate("renewed without owner", &[RenewAnyone], DURABLE),
        duplicate("released without owner", &[ReleaseAnyone], releasing),
    ]
}

fn of_forgetful_stores() -> Vec<Row> {
    let failover = FORGETFUL.may(FAILOVER);
    let one = failover.named("forgetful; a failover loses 1 write").losing(1);
    let two = failover.named("forgetful; a failover loses 2 writes").losing(2);
    let beside = one.named("forgetful; 2 numbers, 3 holders, a failover loses 1 write").numbers(2).holders(3);
    let four = failover.named("forgetful; a failover loses 4 writes").losing(4);
    let skewed = two.named("forgetful; clocks of nodes differ by 1").skewed(1);
    let split = one.named("forgetful; a deposed primary answers for 2").deposed_for(2);
    let unequal = Setting { ttl: [3, 2, 2], ..two.named("forgetful; ttl 3 and 2, a failover loses 2 writes") };
    vec![
        duplicate("no quarantine", &[NoQuarantine], one),
        duplicate("no quarantine", &[NoQuarantine], skewed.margin(1)),
        duplicate("begins sooner beside others", &[SoonerBesideOthers], beside),
        duplicate("held numbers are taken", &[Rob], two),
        duplicate("the quarantine is by the record's ttl", &[QuarantineOfRecord], unequal.margin(0)),
        duplicate("renewed past the mark", &[RenewPastMark], four),
        duplicate("first quarantine: q = ttl, renewed past the mark", &[RenewPastMark], skewed),
        duplicate("first quarantine: q = ttl, renewed past the mark", &[RenewPastMark], split),
    ]
}
