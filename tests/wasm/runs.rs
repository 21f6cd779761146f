//! Calls in a row, which the boundary makes without a look at the generator: nothing is to show of it.

use graupel::area::{FIELDS, FROM_CALLER, FROM_PLATFORM, METABYTE_SHIFT};
use graupel::engine::{Answer, Backwards, Full, Policy, Values};
use graupel::formats::sno;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::boundary::{Said, float, form, how, open, said, status};
use crate::slots::{METABYTE, METABYTE_BITS, ask, left, reading};
use crate::subjects;

/// The same call again and again takes a short way. Whatever comes in between, the generator knows of all that it made.
#[wasm_bindgen_test]
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
fn calls_in_a_row_are_interrupted_by_any_other() {
    const POLICY: Policy = Policy { backwards: Backwards::Hold, full: Full::Borrow, max_ahead: 1_000_000 };
    for subject in subjects::all().into_iter().filter(|one| matches!(one.generator.values, Values::Counter { .. })) {
        let form = form(&subject);
        let mut cores = [subject.generator; 2];
        for (slot, core) in (0..).zip(&cores) {
            open(&subject, core, slot);
        }
        let mut tick = 100;
        for round in 0..600_u32 {
            // Numbers without a pattern that the cases below could share.
            let dice = round.wrapping_mul(2_654_435_769) >> 16;
            let slot = dice as u8 & 1;
            let core = &mut cores[usize::from(slot)];
            for _ in 0..dice % 5 {
                let now = reading(&subject, tick);
                assert_eq!(core.next(now, None, &POLICY), Answer::Issued);
                assert_eq!(ask(&subject, slot, now, &POLICY, None).0, Said::Issued);
                let expected = if subject.is_sno() { sno::id(core, METABYTE) } else { core.id().into() };
                assert_eq!(left(form), expected, "{} in round {round}", subject.name);
            }
            let [how, ahead] = how(&POLICY, form | METABYTE_BITS);
            match dice / 5 % 8 {
                0 => tick += 1,
                1 => tick -= 1,
                2 => {
                    assert_eq!(status("save", &[slot.into()]), 0);
                    let state = &core.state;
                    let expected = [state.highest, state.last, state.value.cast_signed(), state.left.cast_signed()];
                    let found: [f64; 4] = core::array::from_fn(|index| float(FIELDS + 8 * index));
                    assert_eq!(found, expected.map(|number| number as f64), "{} in round {round}", subject.name);
                    assert_eq!(float(FIELDS + 8 * 11), core.stats.issued as f64);
                }
                3 => {
                    assert_eq!(status("save", &[slot.into()]), 0);
                    assert_eq!(status("restore", &[slot.into()]), 0);
                }
                4 => {
                    let now = reading(&subject, tick);
                    assert_eq!(status("fill", &[slot.into(), now, how, ahead, 3.0]), 0);
                    for _ in 0..3 {
                        assert_eq!(core.next(now, None, &POLICY), Answer::Issued);
                    }
                }
                5 => {
                    let time = reading(&subject, 1);
                    let answer = core.at(time, None);
                    assert_eq!(said(status("at", &[slot.into(), time, how, FROM_CALLER])), Said::from(answer));
                }
                // A call that only looks the same: another bound, another metabyte.
                6 => {
                    let now = reading(&subject, tick);
                    assert_eq!(core.next(now, None, &POLICY), Answer::Issued);
                    assert_eq!(status("next", &[slot.into(), now, how, ahead + 1.0, FROM_PLATFORM]), 0);
                }
                _ => {
                    let now = reading(&subject, tick);
                    assert_eq!(core.next(now, None, &POLICY), Answer::Issued);
                    let other = f64::from(form | 7 << METABYTE_SHIFT) + how - f64::from(form | METABYTE_BITS);
                    assert_eq!(status("next", &[slot.into(), now, other, ahead, FROM_PLATFORM]), 0);
                    let expected = if subject.is_sno() { sno::id(core, 7) } else { core.id().into() };
                    assert_eq!(left(form), expected, "{} in round {round}", subject.name);
                }
            }
        }
        assert!(cores.iter().all(|core| core.stats.issued > 300), "{}", subject.name);
    }
}
