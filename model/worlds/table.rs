//! The worlds that are searched.

use graupel::engine::{Restart, SequenceRule};

use crate::world::World;

const ALWAYS: Restart = Restart::ALWAYS;
const NEVER: Restart = Restart::NEVER;
const RANDOM: Restart = Restart::RANDOM;
/// From every value on, and two choices of these.
const THRESHOLDS: &[Restart] = &[ALWAYS, ONE, TWO, Restart::once(3), Restart::once(4), Restart::once(5), NEVER];
const KEPT: &[Restart] = &[ALWAYS, TWO, NEVER];
const PLAYED: &[Restart] = &[ALWAYS, ONE, TWO, Restart::once(3), NEVER];
const ONE: Restart = Restart::once(1);
const TWO: Restart = Restart::once(2);

fn counter(name: &'static str, first: u64, capacity: u64, ticks: i64) -> World {
    World {
        name,
        values: SequenceRule::counter(first, first + capacity - 1, ALWAYS).unwrap(),
        ticks,
        ends: true,
        tick_tock: false,
        aheads: &[0, 1, 3],
        intervals: &[],
        restarts: &[ALWAYS],
        at: false,
        not_before: true,
        merges: false,
    }
}

/// A start draws two bytes and a step draws one, so that they cannot be confused.
fn random(name: &'static str, capacity: u64, ticks: i64) -> World {
    World { values: SequenceRule::random(capacity - 1, 2, 1).unwrap(), ..counter(name, 0, capacity, ticks) }
}

pub fn worlds() -> Vec<World> {
    let intervals: &[(i64, i64)] = &[(1, 3), (2, 4), (4, 9)];
    vec![
        counter("two values, seven ticks", 1, 2, 7),
        World { merges: true, ..counter("two values, merged", 0, 2, 7) },
        counter("four values", 2, 4, 6),
        World { merges: true, ..counter("four values, merged", 0, 4, 5) },
        counter("eight values", 0, 8, 5),
        World { intervals, ..counter("intervals", 1, 3, 7) },
        World { intervals, merges: true, ..counter("intervals, merged", 1, 2, 5) },
        World { at: true, ..counter("given times", 0, 3, 5) },
        World { at: true, merges: true, ..counter("given times, merged", 0, 2, 3) },
        World { at: true, intervals: &[(1, 3)], ..counter("given times in an interval", 3, 4, 3) },
        World { restarts: THRESHOLDS, ..counter("kept sequences", 0, 4, 5) },
        World { restarts: KEPT, merges: true, ..counter("kept sequences, merged", 0, 3, 4) },
        World { restarts: KEPT, at: true, ..counter("kept sequences, given times", 0, 3, 3) },
        World { restarts: &[NEVER], intervals, tick_tock: true, ..counter("kept, tick-tock, in intervals", 1, 2, 5) },
        World { restarts: &[RANDOM], ..counter("random starts", 1, 5, 6) },
        World { restarts: &[ALWAYS, NEVER, RANDOM], ..counter("any start", 0, 4, 5) },
        World { restarts: &[ALWAYS, NEVER, RANDOM], merges: true, ..counter("any start, merged", 0, 4, 4) },
        World { restarts: &[NEVER, RANDOM], at: true, ..counter("any start, given times", 0, 4, 3) },
        World { restarts: &[NEVER, RANDOM], tick_tock: true, merges: true, ..counter("any start, tick-tock", 0, 4, 3) },
        World { restarts: &[RANDOM], intervals, merges: true, ..counter("random starts in intervals", 0, 4, 4) },
        World { tick_tock: true, ..counter("tick-tock", 2, 3, 7) },
        World { tick_tock: true, merges: true, ..counter("tick-tock, merged", 0, 2, 5) },
        World { tick_tock: true, at: true, intervals: &[(1, 3)], ..counter("tick-tock, given times", 0, 2, 4) },
        World { tick_tock: true, intervals, ..counter("tick-tock in intervals", 1, 2, 6) },
        random("random values", 8, 4),
        World { at: true, ..random("random values for given times", 4, 3) },
        World { intervals: &[(1, 3)], ..random("random values in an interval", 2, 5) },
        World { merges: true, ..random("random values, merged", 4, 4) },
    ]
}

/// The worlds that the package can play: a declared layout (only this can have such a short life),
/// Snowflake-SI and sno.
pub fn to_play() -> Vec<World> {
    let aheads: &[i64] = &[0, 1];
    let endless = |world: World| World { ends: false, aheads, ..world };
    vec![
        World { at: true, aheads, restarts: &[ALWAYS, NEVER], ..counter("declared", 0, 2, 4) },
        endless(World { restarts: PLAYED, ..counter("snowflakeSI", 0, 4, 3) }),
        endless(World { tick_tock: true, restarts: &[ALWAYS, NEVER], ..counter("sno", 4, 4, 3) }),
    ]
}
