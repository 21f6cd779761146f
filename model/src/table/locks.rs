//! Locks with a time-out instead of the interval, as in most other systems.

use super::settings::{DURABLE, RELEASES};
use super::{duplicate, no_duplicate};
use crate::mistakes::Mistake::{IssueWithoutEnd, StopByMonotonicClock, StopByWallClock};
use crate::row::Row;
use crate::setting::{CALM, Powers};

pub fn rows() -> Vec<Row> {
    let perfect = DURABLE.named("perfect clocks").clocks(0);
    let skewed = DURABLE.named("wall clocks wrong by 1").clocks(1);
    let releasing = perfect.named("perfect clocks; releases").may(RELEASES);
    let suspended = perfect.named("perfect clocks; one suspension").may(Powers { suspensions: 1, ..CALM });
    let both = &[StopByWallClock, StopByMonotonicClock];
    vec![
        duplicate("keep issuing after a loss", &[IssueWithoutEnd], perfect),
        duplicate("stop by the wall clock", &[StopByWallClock], skewed),
        duplicate("stop by the wall clock", &[StopByWallClock], releasing),
        duplicate("stop by the monotonic clock", &[StopByMonotonicClock], suspended),
        duplicate("stop by the monotonic clock", &[StopByMonotonicClock], skewed),
        duplicate("stop by both clocks", both, skewed),
        duplicate("stop by both clocks", both, releasing),
        no_duplicate("stop by both clocks", both, suspended),
    ]
}
