//! Snowflake, the first of the family, and its best-known dialects. Users declare their own layouts
//! in js/formats/snowflake.ts.
//!
//! A dialect is a row. Field names are those of the dialect's own documents: bits 17 to 21 are the
//! datacenter at Twitter and the worker at Discord.
//!
//! ```text
//! twitter     0 | time 41 | datacenterId 5 | workerId 5 | sequence 12
//! discord         time 42 | internalWorkerId 5 | internalProcessId 5 | increment 12      (unsigned)
//! instagram       time 41 | shardId 13 | sequence 10                                     (top bit clear)
//! mastodon        time 48 | sequenceData 16                                              (top bit clear)
//! sonyflake   0 | time 39 | sequence 8 | machineId 16                                    (ticks of 10 ms)
//! ```
//!
//! Twitter's implementation throws when the clock goes back ([`Backwards::Throw`]) and waits when
//! the sequence is full. Sonyflake's continues at the highest reading and waits. The documents of
//! the other dialects do not define this. By default, all of them hold and wait.

use super::options::{Choice, SEQUENCE_START, Takes};
use super::{Format, Text};
use crate::engine::{Backwards, Field, Full, Rounding, TICK_MS_MAX, UNIX_MS_MAX};

/// twitter-archive/snowflake, tag snowflake-2010, `IdWorker.scala`.
pub const TWITTER: Format = Format {
    name: "twitter",
    entry: "snowflake",
    export: "twitter",
    variant: None,
    fields: &[
        Field { name: "time", bits: 41 },
        Field { name: "datacenterId", bits: 5 },
        Field { name: "workerId", bits: 5 },
        Field { name: "sequence", bits: 12 },
    ],
    sequence: 3,
    random: false,
    optional: &[],
    tick_tock: None,
    call: None,
    epoch: Some(1_288_834_974_657), // 2010-11-04T01:42:54.657Z
    tick_ms: 1,
    unsigned: false,
    rounding: Rounding::Floor,
    text: Text::Digits { radix: 10 },
    backwards: Backwards::Hold,
    full: Full::Wait,
    declaration: &[],
    options: &[SEQUENCE_START],
};

/// Discord's API reference, "Snowflakes".
pub const DISCORD: Format = Format {
    name: "discord",
    export: "discord",
    fields: &[
        Field { name: "time", bits: 42 },
        Field { name: "internalWorkerId", bits: 5 },
        Field { name: "internalProcessId", bits: 5 },
        Field { name: "increment", bits: 12 },
    ],
    epoch: Some(1_420_070_400_000), // 2015-01-01T00:00:00Z
    unsigned: true,
    ..TWITTER
};

/// "Sharding & IDs at Instagram": the PL/pgSQL function (its prose has other dates).
pub const INSTAGRAM: Format = Format {
    name: "instagram",
    export: "instagram",
    fields: &[
        Field { name: "time", bits: 41 },
        Field { name: "shardId", bits: 13 },
        Field { name: "sequence", bits: 10 },
    ],
    sequence: 2,
    epoch: Some(1_314_220_021_721), // 2011-08-24T21:07:01.721Z
    ..TWITTER
};

/// mastodon/mastodon, `lib/mastodon/snowflake.rb`: the time is rounded, not floored.
pub const MASTODON: Format = Format {
    name: "mastodon",
    export: "mastodon",
    fields: &[Field { name: "time", bits: 48 }, Field { name: "sequenceData", bits: 16 }],
    sequence: 1,
    epoch: Some(0),
    rounding: Rounding::NearestEven,
    ..TWITTER
};

/// sony/sonyflake, version 1, `sonyflake.go`: the sequence is above the machine ID.
pub const SONYFLAKE: Format = Format {
    name: "sonyflake",
    export: "sonyflake",
    fields: &[
        Field { name: "time", bits: 39 },
        Field { name: "sequence", bits: 8 },
        Field { name: "machineId", bits: 16 },
    ],
    sequence: 1,
    epoch: Some(1_409_529_600_000), // 2014-09-01T00:00:00Z
    tick_ms: 10,
    ..TWITTER
};

/// The facts that a custom layout does not declare. It has no fields here, because users declare
/// them.
pub const DECLARED: Format = Format {
    name: "snowflake",
    export: "snowflake",
    fields: &[],
    epoch: None,
    declaration: &[
        Choice::epoch(-UNIX_MS_MAX, &Field { name: "time", bits: 1 }, None),
        Choice { name: "fields", takes: Takes::Fields, required: true },
        Choice::new("tickMs", Takes::Number { min: 1, max: TICK_MS_MAX as i64, default: Some(1) }),
        Choice::new("sequenceField", Takes::Field { default: "sequence" }),
        Choice::new("ids", Takes::Word { words: &["bigint", "unsigned", "number"], default: Some("bigint") }),
    ],
    ..TWITTER
};
