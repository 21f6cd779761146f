//! State that a slot gets from outside: another generator's state to merge, and the interval of ID time.

use graupel::Error;
use graupel::abi::{FIELDS, FORM_INTEGER, FROM_CALLER, FROM_PLATFORM};
use graupel::engine::{Backwards, Full, Generator, Policy, SequenceRule, State};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::boundary::{Said, at, call_flags, code, float, form, open, put_floats, said, status};
use crate::made::InMs;
use crate::slots::{METABYTE_BITS, ask, reading};
use crate::subjects::{self, Subject};

const HOLD_BORROW: Policy = Policy { backwards: Backwards::Hold, full: Full::Borrow, max_ahead: 3 };
const COUNTERS: usize = 11;

fn counting() -> impl Iterator<Item = Subject> {
    subjects::all().into_iter().filter(|subject| matches!(subject.generator.values, SequenceRule::Counter { .. }))
}

fn saved(slot: u8) -> Vec<f64> {
    assert_eq!(status("save", &[slot.into()]), 0);
    (0..graupel::engine::SAVED.len()).map(|index| float(FIELDS + 8 * index)).collect()
}

/// The counters of a generator, as a slot saves them.
#[expect(clippy::cast_precision_loss)]
fn counters(generator: &Generator) -> Vec<f64> {
    let (State { highest, last, value, left, safe, tick_tocks, first_live }, given) =
        (generator.state, generator.backfill);
    let unsigned = [given.value, given.left, given.wrapped];
    let live = [highest, last, value.cast_signed(), left.cast_signed(), safe, tick_tocks.cast_signed()];
    let all = live.into_iter().chain([first_live.cast_signed(), given.highest]).chain(unsigned.map(u64::cast_signed));
    all.map(|number| number as f64).collect()
}

#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn a_state_is_merged_as_the_core_merges_it() {
    for subject in counting() {
        for (own, theirs, spent) in [(0, 3, -1), (3, 0, -1), (2, 3, -1), (3, 2, 104), (3, 3, 97), (0, 0, 120)] {
            let [mut one, mut other] = [subject.pooled(8); 2];
            for (slot, generator, count) in [(0, &mut one, own), (1, &mut other, theirs)] {
                open(&subject, generator, slot);
                for tick in 0..count {
                    let now = reading(&subject, 100 + tick / 2);
                    assert_eq!(generator.next_ms(now, None, &HOLD_BORROW), Ok(()));
                    assert_eq!(ask(&subject, slot, now, &HOLD_BORROW, None).0, Said::Issued);
                }
            }
            let stats = saved(0)[COUNTERS..].to_vec();
            let state = saved(1);
            put_floats(FIELDS, &state[..COUNTERS]);
            assert_eq!(status("merge", &[0.0, spent as f64]), 0);
            one.merge(&other.state, &other.backfill, spent);
            let merged = saved(0);
            assert_eq!(merged[..COUNTERS], counters(&one), "{}: {own}, {theirs}, {spent}", subject.name);
            assert_eq!(merged[COUNTERS..], stats, "{}: statistics are the slot's own", subject.name);
            assert_eq!(saved(1), state, "{}: the other slot", subject.name);
        }
    }
}

/// Sets the ticks that a slot may issue: they are the last of the saved numbers.
fn allow(slot: f64, from: f64, until: f64) {
    assert_eq!(status("save", &[slot]), 0);
    put_floats(FIELDS + 8 * (graupel::engine::SAVED.len() - 2), &[from, until]);
    assert_eq!(status("restore", &[slot]), 0);
}

/// The interval is `[100, 105)`, and calls may run ahead of the clock by three ticks.
#[wasm_bindgen_test]
fn an_interval_of_id_time_belongs_to_the_slot() {
    let outside = code(Error::OutsideInterval);
    let refused = Said::Refused(Error::OutsideInterval.number());
    for subject in counting() {
        let mut generator = subject.pooled(4);
        open(&subject, &generator, 0);
        open(&subject, &generator, 1);
        allow(0.0, 100.0, 105.0);
        generator.interval = graupel::engine::Interval { from: 100, until: 105 };
        for tick in [90, 96, 97, 97, 100, 100, 100, 100, 104, 104, 104, 104, 104, 105, 200] {
            let now = reading(&subject, tick);
            let answer = generator.next_ms(now, None, &HOLD_BORROW);
            let (found, _) = ask(&subject, 0, now, &HOLD_BORROW, None);
            assert_eq!(found, Said::from(answer), "{} at {tick}", subject.name);
        }
        assert_eq!(ask(&subject, 0, reading(&subject, 105), &HOLD_BORROW, None).0, refused, "{}", subject.name);
        for tick in [99, 105] {
            assert_eq!(
                at(0.0, reading(&subject, tick), FORM_INTEGER, FROM_CALLER),
                outside,
                "{}: {tick}",
                subject.name
            );
        }
        // Another slot has its own.
        assert_eq!(ask(&subject, 1, reading(&subject, 200), &HOLD_BORROW, None).0, Said::Issued, "{}", subject.name);
        // With a wider interval again: the refused calls left no trace.
        allow(0.0, 0.0, 9e15);
        generator.interval = graupel::engine::Interval::ALL;
        let now = reading(&subject, 200);
        assert_eq!(generator.next_ms(now, None, &HOLD_BORROW), Ok(()));
        assert_eq!(ask(&subject, 0, now, &HOLD_BORROW, None).0, Said::Issued, "{}", subject.name);
        assert_eq!(saved(0)[..COUNTERS], counters(&generator), "{}", subject.name);
    }
}

/// A change of the interval ends the burst; the IDs of the burst count.
#[wasm_bindgen_test]
fn a_change_of_the_interval_ends_the_burst() {
    for subject in counting() {
        let generator = subject.pooled(100);
        open(&subject, &generator, 0);
        let now = reading(&subject, 100);
        let [flags, ahead] = call_flags(&HOLD_BORROW, form(&subject) | METABYTE_BITS);
        let next = || said(status("next", &[0.0, now, flags, ahead, FROM_PLATFORM]));
        for _ in 0..5 {
            assert_eq!(next(), Said::Issued);
        }
        allow(0.0, 0.0, 100.0);
        assert_eq!(next(), Said::Refused(Error::OutsideInterval.number()), "{}", subject.name);
        assert_eq!(status("fill", &[0.0, now, flags, ahead, 9.0]), code(Error::OutsideInterval), "{}", subject.name);
        assert_eq!(saved(0)[COUNTERS], 5.0, "{}: issued", subject.name);
        // Opening a slot again allows all ticks.
        open(&subject, &generator, 0);
        assert_eq!(next(), Said::Issued, "{}", subject.name);
    }
    assert_eq!(status("merge", &[200.0, -1.0]), code(Error::Conflict), "no such slot");
}
