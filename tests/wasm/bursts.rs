//! Bursts: equal calls that the boundary answers without the generator. The results must not differ from single calls.

use graupel::abi::{CALL_SHIFT, FIELDS, FROM_CALLER, FROM_PLATFORM};
use graupel::engine::{Backwards, Full, Policy, SequenceRule};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::boundary::{FORM_SNO, Said, at, call_flags, float, form, open, said, status};
use crate::made::InMs;
use crate::slots::{METABYTE, METABYTE_BITS, ask, left, reading};
use crate::subjects::{self, Subject};

/// Equal calls continue a burst. Whatever other call follows, the generator must know all IDs that were issued.
#[wasm_bindgen_test]
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
fn calls_in_a_row_are_interrupted_by_any_other() {
    const POLICY: Policy = Policy { backwards: Backwards::Hold, full: Full::Borrow, max_ahead: 1_000_000 };
    for subject in
        subjects::all().into_iter().filter(|one| matches!(one.generator.values, SequenceRule::Counter { .. }))
    {
        let form = form(&subject);
        let mut cores = [subject.generator; 2];
        for (slot, core) in (0..).zip(&cores) {
            open(&subject, core, slot);
        }
        let mut tick = 100;
        for round in 0..600_u32 {
            // Pseudo-random, so that the cases below do not share a pattern.
            let dice = round.wrapping_mul(2_654_435_769) >> 16;
            let slot = dice as u8 & 1;
            let core = &mut cores[usize::from(slot)];
            for _ in 0..dice % 5 {
                let now = reading(&subject, tick);
                assert_eq!(core.next_ms(now, None, &POLICY), Ok(()));
                assert_eq!(ask(&subject, slot, now, &POLICY, None).0, Said::Issued);
                let expected = if subject.is_sno() { core.whole_id(METABYTE.into()) } else { core.id().into() };
                assert_eq!(left(form), expected, "{} in round {round}", subject.name);
            }
            let [flags, ahead] = call_flags(&POLICY, form | METABYTE_BITS);
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
                    assert_eq!(status("fill", &[slot.into(), now, flags, ahead, 3.0]), 0);
                    for _ in 0..3 {
                        assert_eq!(core.next_ms(now, None, &POLICY), Ok(()));
                    }
                }
                5 => {
                    let time = reading(&subject, 1);
                    let answer = core.at_ms(time, None);
                    assert_eq!(said(at(slot.into(), time, form | METABYTE_BITS, FROM_CALLER)), Said::from(answer));
                }
                // A call that only looks equal: another bound, or another metabyte (only sno's calls have one).
                6 => {
                    let now = reading(&subject, tick);
                    assert_eq!(core.next_ms(now, None, &POLICY), Ok(()));
                    assert_eq!(status("next", &[slot.into(), now, flags, ahead + 1.0, FROM_PLATFORM]), 0);
                }
                _ if subject.is_sno() => {
                    let now = reading(&subject, tick);
                    assert_eq!(core.next_ms(now, None, &POLICY), Ok(()));
                    let other = f64::from(form | 7 << CALL_SHIFT) + flags - f64::from(form | METABYTE_BITS);
                    assert_eq!(status("next", &[slot.into(), now, other, ahead, FROM_PLATFORM]), 0);
                    assert_eq!(left(form), core.whole_id(7), "{} in round {round}", subject.name);
                }
                _ => {}
            }
        }
        assert!(cores.iter().all(|core| core.stats.issued > 300), "{}", subject.name);
    }
}

/// A burst continues with another metabyte: the IDs are the same as those of calls that each access the generator first, which
/// ends a burst.
#[wasm_bindgen_test]
fn a_burst_continues_with_another_metabyte() {
    const POLICY: Policy = Policy { backwards: Backwards::Hold, full: Full::Borrow, max_ahead: 2 };
    let sno = subjects::all().into_iter().find(Subject::is_sno).unwrap();
    let calls: Vec<_> = (0..2000_u32)
        .map(|round| {
            let dice = (round.wrapping_mul(2_654_435_769) >> 16) as usize;
            // More calls than this tick and those ahead of it can serve.
            let now = reading(&sno, 100 + 3 * i64::from(round / 200));
            let metabyte = [0, 0, 1, 0x80, 0xFF, 0xFF, METABYTE, dice.to_le_bytes()[0]][dice % 8];
            // Sometimes another policy: that call is not equal, whatever its metabyte.
            let full = if dice.is_multiple_of(11) { Full::Throw } else { Full::Borrow };
            (now, metabyte, Policy { full, ..POLICY })
        })
        .collect();
    let asked = |slot: u8, look: bool| -> Vec<_> {
        open(&sno, &sno.pooled(40), slot);
        let one = |&(now, metabyte, policy): &(f64, u8, Policy)| {
            if look {
                assert_eq!(status("save", &[slot.into()]), 0);
            }
            let [flags, ahead] = call_flags(&policy, FORM_SNO | u32::from(metabyte) << CALL_SHIFT);
            (said(status("next", &[slot.into(), now, flags, ahead, FROM_PLATFORM])), left(FORM_SNO))
        };
        calls.iter().map(one).collect()
    };
    let (runs, looks) = (asked(0, false), asked(1, true));
    assert_eq!(runs, looks);
    let mut core = sno.pooled(40);
    let (mut before, mut changes, mut refusals) = (None, 0, 0);
    for ((now, metabyte, policy), (said, id)) in calls.into_iter().zip(runs) {
        let answer = core.next_ms(now, None, &policy);
        assert_eq!(said, Said::from(answer));
        if answer == Ok(()) {
            assert_eq!(id, core.whole_id(metabyte.into()));
            changes += u32::from(before.replace(metabyte).is_some_and(|last| last != metabyte));
        } else {
            refusals += 1;
        }
    }
    assert!(changes > 500 && refusals > 100, "{changes}, {refusals}");
}
