//! The sound form with a store that breaks a promise, or with a q that is too short. These rows
//! show that each promise is needed, and that none is stronger than needed.

use super::duplicate;
use super::settings::{DURABLE, FAILOVER, FLUSH, FLUSH_AND_FAILOVER, FORGETFUL, RELEASES};
use crate::row::{Row, Size};
use crate::setting::{Now, Powers, Setting};

pub fn rows() -> Vec<Row> {
    [durable(), short_quarantines(), undone_losses()].concat()
}

fn sound(setting: Setting) -> Row {
    duplicate("sound", &[], setting)
}

fn durable() -> Vec<Row> {
    let stale = Setting { now: Now::Header { grain: 1 }, mature: false, ..DURABLE };
    vec![
        sound(DURABLE.named("durable; a failover loses 1 write").losing(1).may(FAILOVER)),
        sound(DURABLE.named("durable; a record is deleted").may(Powers { deletions: 1, ..RELEASES })),
        sound(DURABLE.named("durable; a flush, q = T - 1").margin(-1).may(FLUSH)),
        sound(stale.named("durable; a call older than the namespace, a flush").may(FLUSH)),
    ]
}

fn short_quarantines() -> Vec<Row> {
    let two = FORGETFUL.losing(2).may(FAILOVER);
    let step = FORGETFUL.clock_step(1).tokens(1).may(Powers { clock_steps: 1, ..FLUSH });
    vec![
        sound(two.named("forgetful; a failover, q = T - 1").margin(-1)),
        sound(two.named("forgetful; a failover, ttl 3, q = T - 1").ttl(3).margin(-1)),
        sound(two.named("forgetful; clocks differ by 1, q = T").skewed(1)),
        sound(two.named("forgetful; deposed for 1, q = T").deposed_for(1)),
        sound(two.named("forgetful; clocks differ by 1, deposed for 1, q = T + 1").skewed(1).deposed_for(1).margin(1)),
        sound(step.named("forgetful; the store's clock goes back by 1, a flush, q = T")),
        sound(
            step.named("forgetful; the store's clock jumps by 3 and back, a flush")
                .clock_step(3)
                .may(Powers { clock_steps: 2, ..FLUSH }),
        ),
    ]
}

/// A loss of data after which an older state comes back.
fn undone_losses() -> Vec<Row> {
    let flush = FORGETFUL.losing(3).may(FLUSH_AND_FAILOVER);
    let back = FORGETFUL.losing(1).deposed_for(0).may(Powers { failbacks: 1, ..FAILOVER });
    let far = |setting: Setting| Row { size: Size::Long, ..sound(setting.margin(2).tokens(1).until(5)) };
    vec![
        sound(flush.named("forgetful; a failover undoes a flush")),
        sound(back.named("forgetful; failed over and back")),
        far(flush.named("forgetful; a failover undoes a flush, g = T")),
        far(back.named("forgetful; failed over and back, g = T")),
    ]
}
