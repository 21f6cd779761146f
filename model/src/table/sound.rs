//! The sound form with a store that keeps its promises.

use super::settings::{DURABLE, FAILOVER, FLUSH, FORGETFUL, LATE, LEAVING, NAMESPACES, RELEASES, ROUNDED};
use super::{long, short};
use crate::mistakes::{Mistake, Mistakes};
use crate::network::Network;
use crate::parts::Parts;
use crate::row::Row;
use crate::setting::{CALM, Now, Powers, Setting};

pub fn rows() -> Vec<Row> {
    [durable(), uses(), forgetful()].concat()
}

/// The faults that can happen with a durable store.
fn durable() -> Vec<Row> {
    let leaving = DURABLE.named("durable; crashes, releases").may(LEAVING);
    let stolen = DURABLE.named("durable; numbers stolen at any moment").until(3);
    let steal = |row: Row| Row { mistakes: Mistakes::of(&[Mistake::Rob]), ..row };
    let steps = DURABLE.named("durable; the store's clock jumps by 3, twice").clock_step(3);
    let flush = DURABLE.named("durable; a flush").until(3);
    let twice = Powers { releases: 2, crashes: 1, ..CALM };
    let late = Setting { network: Network::Late { under_way: 3 }, ..LATE };
    let header = Setting { now: Now::Header { grain: 2 }, ..DURABLE };
    vec![
        short(leaving),
        long(leaving.until(6).tokens(3).may(twice)),
        long(leaving.named("durable; crashes, releases, 3 holders").holders(3)),
        short(DURABLE.named("durable; a new token with each renewal").until(2).rotating().tokens(4).may(RELEASES)),
        short(LATE.until(1)),
        long(LATE.until(2)),
        long(
            late.named("durable; late, lost and 2 doubled messages, 3 under way")
                .until(1)
                .may(Powers { doubles: 2, ..RELEASES }),
        ),
        steal(short(stolen)),
        steal(long(stolen.until(4).tokens(4).may(LEAVING))),
        short(steps.until(2).may(Powers { clock_steps: 2, ..CALM })),
        long(steps.until(3).may(Powers { clock_steps: 2, ..RELEASES })),
        short(flush.may(Powers { flushes: 1, ..RELEASES })),
        long(flush.until(5).may(Powers { flushes: 1, ..twice })),
        short(Setting { mature: false, ..DURABLE.named("durable; a new namespace").may(RELEASES) }),
        short(header.named("durable; now from etcd's Date, in steps of 2").until(3).may(RELEASES)),
    ]
}

/// The ways to use a lease on a durable store.
fn uses() -> Vec<Row> {
    let threads = DURABLE.until(2).may(Powers { hand_outs: 1, ..LEAVING });
    let again = Powers { hand_outs: 2, ..LEAVING };
    let cursor = threads.named("durable; threads share a cursor");
    let ticks = threads.named("durable; a thread gets ticks").shared(Parts::Ticks, 1);
    let halves = threads.named("durable; a thread gets half the sequence").shared(Parts::Sequences, 2);
    let numbers = DURABLE.named("durable; 2 numbers").numbers(2).until(2);
    let sequence = Setting { sequences: 2, ..DURABLE.named("durable; 2 sequence numbers") };
    vec![
        short(sequence.until(3).may(RELEASES)),
        long(sequence.tokens(3).may(LEAVING)),
        short(ROUNDED.until(5).may(RELEASES)),
        long(ROUNDED.until(8).tokens(3).may(LEAVING)),
        short(cursor.shared(Parts::Cursor, 1)),
        long(cursor.shared(Parts::Cursor, 2).may(again)),
        short(ticks),
        long(ticks.may(again)),
        short(halves.may(Powers { hand_outs: 1, ..RELEASES })),
        long(halves.may(again)),
        short(numbers),
        long(numbers.named("durable; 2 numbers, 3 holders").holders(3)),
        long(numbers.named("durable; 2 numbers, releases").until(3).may(RELEASES)),
        short(NAMESPACES.until(2)),
        long(NAMESPACES.until(3).may(RELEASES)),
    ]
}

/// The losses of a forgetful store.
fn forgetful() -> Vec<Row> {
    let failover = FORGETFUL.may(FAILOVER);
    let one = failover.named("forgetful; a failover loses 1 write").losing(1);
    let skewed = failover.named("forgetful; clocks of nodes differ by 1").losing(1).skewed(1).margin(1);
    let split = failover.named("forgetful; a deposed primary answers for 1").losing(1).deposed_for(1).margin(1);
    let both = split.named("forgetful; clocks differ by 1, deposed for 1").losing(2).skewed(1).margin(2);
    let flush = FORGETFUL.named("forgetful; a flush").may(FLUSH);
    let unequal = Setting { ttl: [3, 2, 2], ..failover.named("forgetful; ttl 3 and 2, a failover loses 2 writes") };
    let late = Setting { network: LATE.network, ..FORGETFUL };
    let deleted = FORGETFUL.named("forgetful; a record is deleted").until(5);
    vec![
        short(one.until(5)),
        long(
            one.named("forgetful; a failover loses 4 writes; crashes, releases")
                .losing(4)
                .may(Powers { failovers: 1, ..LEAVING }),
        ),
        long(one.named("forgetful; a failover loses 3 writes; new tokens").losing(3).rotating().tokens(5)),
        long(one.named("forgetful; two failovers lose 2 writes each").losing(2).may(Powers { failovers: 2, ..CALM })),
        short(skewed.until(5)),
        long(skewed.until(7).losing(3)),
        short(split.until(5)),
        long(split.until(7).losing(3)),
        long(both.until(7)),
        long(both.named("forgetful; clocks differ by 1, deposed for 2").deposed_for(2).margin(3).until(8)),
        long(
            both.named("forgetful; clocks differ by 1, deposed for 1, releases")
                .may(Powers { releases: 1, ..FAILOVER }),
        ),
        short(unequal.margin(0).losing(2).tokens(1)),
        short(flush.until(5)),
        long(
            flush
                .named("forgetful; a flush; releases, 2 numbers")
                .numbers(2)
                .until(5)
                .may(Powers { releases: 1, ..FLUSH }),
        ),
        short(
            FORGETFUL
                .named("forgetful; the store's clock goes back by 1, a flush")
                .clock_step(1)
                .margin(1)
                .tokens(1)
                .may(Powers { clock_steps: 1, ..FLUSH }),
        ),
        short(deleted.may(Powers { deletions: 1, ..RELEASES })),
        short(Setting { mature: false, ..FORGETFUL.named("forgetful; a new namespace").may(RELEASES) }),
        long(
            late.named("forgetful; late and doubled messages, a failover loses 1 write")
                .rotating()
                .tokens(3)
                .losing(1)
                .until(4)
                .may(Powers { doubles: 1, ..FAILOVER }),
        ),
    ]
}
