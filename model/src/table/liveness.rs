//! Liveness in a fair schedule, in which time passes only when nothing else can happen.

use super::settings::{DURABLE, FORGETFUL};
use super::short;
use crate::clock::Millis;
use crate::mistakes::{Mistake, Mistakes};
use crate::properties::{ISSUED, NOT_OVERDUE, Question, READY};
use crate::row::{Expected, Row};
use crate::setting::{CALM, Powers, Schedule, Setting};

pub fn rows() -> Vec<Row> {
    let alone = DURABLE.ttl(6).holders(1).until(18);
    let crash = Powers { crashes: 1, ..CALM };
    let broken = |property, row: Row| Row { expected: Expected::Broken(property), ..row };
    let robbing = |row: Row| Row { variant: "held numbers are taken", mistakes: Mistakes::of(&[Mistake::Rob]), ..row };
    let three = |name, setting: Setting| setting.named(name).ttl(3).holders(3);
    vec![
        ready(2, alone.named("ttl 6; clocks wrong by 1, renewals late by 2").clocks(1)),
        ready(0, alone.named("ttl 6; clocks wrong by 3, renewals in time").clocks(3)),
        broken(READY, ready(2, alone.named("ttl 6; clocks wrong by 2, renewals late by 2").clocks(2))),
        progress(DURABLE.named("durable; a crash").ttl(3).until(14).may(crash)),
        progress(FORGETFUL.named("forgetful; a crash").ttl(3).margin(1).until(28).may(crash)),
        progress(FORGETFUL.named("forgetful; a crash, g above T").ttl(3).margin(4).until(34).may(crash)),
        broken(NOT_OVERDUE, robbing(progress(three("durable; 3 holders", DURABLE).until(10)))),
        broken(ISSUED, robbing(progress(three("forgetful; 3 holders", FORGETFUL).margin(1).until(6)))),
    ]
}

/// Property L1, with renewals that are late by at most `stall`.
fn ready(stall: Millis, setting: Setting) -> Row {
    fair(stall, Question::Readiness, setting)
}

/// Property L2.
fn progress(setting: Setting) -> Row {
    fair(0, Question::Progress, setting.clocks(0))
}

fn fair(stall: Millis, question: Question, setting: Setting) -> Row {
    let setting = Setting { schedule: Schedule::Fair { stall }, ..setting.tokens(15) };
    Row { question, ..short(setting) }
}
