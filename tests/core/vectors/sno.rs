//! sno: reading and writing, and its generators.

use std::cell::Cell;

use graupel::engine::{Backwards, Full, Generator, Policy};
use graupel::formats::sno::{FORMAT, TEXT};
use serde_json::Value;

use super::data::{big_endian, check_id, each, hex, number, text, unsigned};
use super::trace::{Player, Step};
use crate::made;

/// How many traces have bounds that are not in order, or equal.
const INCOMPLETE: usize = 4;

#[test]
fn codec() {
    each("sno", "codec", |item| {
        let id = big_endian(&hex(&item["hex"]));
        let text = text(&item["text"]);
        assert_eq!(made::text(&TEXT, id), text);
        assert_eq!(TEXT.parse(text.as_bytes(), u128::MAX), Ok(id));
        let fields = ["tickTock", "metabyte", "partition", "sequence"].map(|field| unsigned(&item[field]));
        check_id(item, &FORMAT.schema(None).unwrap(), id, &fields);
    });
}

/// Traces from the reference's snapshot; sometimes restored from the generator's own state.
#[test]
fn traces() {
    let incomplete = Cell::new(0);
    each("sno", "traces", |item| {
        let small = |name| u32::try_from(unsigned(&item[name])).unwrap();
        let bounds = (small("sequenceMin"), small("sequenceMax"));
        if bounds.0 >= bounds.1 {
            // The package completes and orders these bounds; tests/js/conformance reads the traces.
            incomplete.set(incomplete.get() + 1);
            return;
        }
        let restored = |sequence, highest, safe, tick_tocks| {
            let mut generator = made::sno(small("partition").try_into().unwrap(), bounds);
            generator.saved.state = made::sno_state(bounds, sequence, highest, safe, tick_tocks);
            generator
        };
        // 0 is none yet: the lower bound.
        let sequence = if small("sequence") == 0 { bounds.0 } else { small("sequence") };
        let generator =
            restored(sequence, number(&item["wallHi"]), number(&item["wallSafe"]), unsigned(&item["drifts"]));
        let policy = Policy { backwards: Backwards::TickTock, full: Full::Wait, max_ahead: 0 };
        let start = generator.scale().timestamp(number(&item["start"]));
        let write = |generator: &Generator, metabyte| made::text(&TEXT, generator.whole_id(metabyte));
        Player::new(generator, policy, start, write).play_with(item, |player, step| match step.op {
            "observe" => {
                assert_eq!(u64::from(bounds.1 - bounds.0 + 1), unsigned(&step.rest[3]), "capacity");
                check_state(&player.generator, step, &step.rest[4..]);
            }
            "restore" => {
                check_state(&player.generator, step, &step.rest[2..]);
                // A new generator from this one's state, as after a restart.
                let state = player.generator.saved.state;
                let sequence = u32::try_from(state.value).unwrap();
                player.generator = restored(sequence, state.highest, state.safe, state.tick_tocks);
            }
            op => panic!("unknown step {op}"),
        });
    });
    assert_eq!(incomplete.get(), INCOMPLETE);
}

/// Compares the state with a snapshot's sequence, and with its `drifts, wallHi, wallSafe`.
fn check_state(generator: &Generator, step: &Step<'_>, rest: &[Value]) {
    let state = generator.saved.state;
    let wanted = (unsigned(&rest[0]), number(&rest[1]), number(&rest[2]), unsigned(step.wanted(&step.rest[1])));
    assert_eq!((state.tick_tocks, state.highest, state.safe, state.value), wanted, "{:?}", step.rest);
}
