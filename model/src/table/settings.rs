//! The settings from which all others are derived.

use crate::clock::{Scale, Wall};
use crate::network::Network;
use crate::parts::Parts;
use crate::setting::{CALM, Now, Powers, Schedule, Setting};
use crate::store::Kind;

/// One number and two holders on a durable store. Wall clocks may read anything, and answers and
/// releases may be lost.
pub const DURABLE: Setting = Setting {
    name: "durable",
    store: Kind::Durable,
    horizon: 4,
    ttl: [2; 3],
    quarantine: 2,
    holders: 2,
    numbers: 1,
    namespaces: false,
    sequences: 1,
    scale: Scale { unit: 1, epoch: 0 },
    wall: Wall::Any,
    schedule: Schedule::Adversary,
    network: Network::Prompt,
    parts: Parts::None,
    now: Now::Fresh,
    mature: true,
    rotation: false,
    tokens: 2,
    lost_writes: 0,
    deposed_for: None,
    skew: 0,
    clock_step: 0,
    powers: CALM,
};

/// The same on a forgetful store. The clocks of its nodes are equal, and deposed nodes stop at
/// once, so g is 0.
pub const FORGETFUL: Setting = Setting { name: "forgetful", store: Kind::Forgetful, horizon: 6, ..DURABLE };

/// Messages may be late, overtake each other, and arrive twice.
pub const LATE: Setting =
    Setting { name: "durable; late, doubled and lost messages", network: Network::Late { under_way: 2 }, ..DURABLE }
        .rotating()
        .tokens(3)
        .may(Powers { doubles: 1, ..RELEASES });

/// Ticks of 2 ms; the epoch is between two ticks that start at even times.
pub const ROUNDED: Setting =
    Setting { name: "durable; ticks of 2 ms", scale: Scale { unit: 2, epoch: -1 }, ..DURABLE }.ttl(4);

/// Two namespaces. One process has a lease in each, and another process has one in the first.
pub const NAMESPACES: Setting =
    Setting { name: "durable; 2 namespaces in a process", namespaces: true, ..DURABLE }.numbers(2).holders(3);

/// Releases and crashes.
pub const LEAVING: Powers = Powers { releases: 1, crashes: 1, ..CALM };
/// Releases.
pub const RELEASES: Powers = Powers { releases: 1, ..CALM };
/// One failover.
pub const FAILOVER: Powers = Powers { failovers: 1, ..CALM };
/// One flush.
pub const FLUSH: Powers = Powers { flushes: 1, ..CALM };
/// One flush, and one failover.
pub const FLUSH_AND_FAILOVER: Powers = Powers { flushes: 1, ..FAILOVER };
