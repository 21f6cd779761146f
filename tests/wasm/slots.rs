//! Generators behind the boundary: they answer as the core does, but in numbers.

use graupel::Error;
use graupel::abi::{
    BATCH, BATCH_IDS, CALL_SHIFT, DATA, FIELDS, FORM_INTEGER, FORM_NUMBER, FROM_CALLER, FROM_PLATFORM, REFILL, SLOTS,
};
use graupel::engine::{Backwards, Full, Generator, NotIssued, Policy, SequenceRule, low_bits};
use graupel::formats::{sno, ulid_flake};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::boundary::{
    self, FORM_CROCKFORD, FORM_SNO, Said, at, call, call_flags, code, filled, float, form, load, open, put_fields,
    put_floats, said, status, text,
};
use crate::made::{self, InMs};
use crate::subjects::{self, Subject};

pub const METABYTE: u8 = 0x5A;
/// The metabyte in the flags of a call.
pub const METABYTE_BITS: u32 = (METABYTE as u32) << CALL_SHIFT;
/// How many numbers `save` writes.
const SAVED: usize = 18;

const WAIT_BOTH: Policy = Policy { backwards: Backwards::Wait, full: Full::Wait, max_ahead: 0 };
const HOLD_BORROW: Policy = Policy { backwards: Backwards::Hold, full: Full::Borrow, max_ahead: 3 };

fn subject(name: &str) -> Subject {
    subjects::all().into_iter().find(|subject| subject.name == name).unwrap()
}

#[expect(clippy::cast_precision_loss)]
pub fn reading(subject: &Subject, tick: i64) -> f64 {
    subject.schema.scale.timestamp(tick) as f64
}

/// The ID in the area, in a form; unchanged if the last call issued none.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn left(form: u32) -> u128 {
    match form {
        FORM_SNO => sno::parse(text(sno::TEXT_LENGTH).first_chunk().unwrap()).unwrap_or_default(),
        FORM_CROCKFORD => {
            ulid_flake::parse(text(ulid_flake::TEXT_LENGTH).first_chunk().unwrap()).unwrap_or_default().into()
        }
        FORM_NUMBER => float(DATA) as u128,
        _ => u64::from_le_bytes(text(8).try_into().unwrap()).into(),
    }
}

/// One call of `next` in the format's form: its status, and the ID.
#[expect(clippy::cast_precision_loss)]
pub fn ask(subject: &Subject, slot: u8, now: f64, policy: &Policy, bits: Option<u64>) -> (Said, u128) {
    let form = form(subject);
    let [flags, ahead] = call_flags(policy, form | METABYTE_BITS);
    let none =
        if matches!(subject.generator.values, SequenceRule::Random { .. }) { FROM_CALLER } else { FROM_PLATFORM };
    let random = bits.map_or(none, |bits| bits as f64);
    let said = said(status("next", &[slot.into(), now, flags, ahead, random]));
    (said, left(form))
}

/// Clock readings and policies that produce every kind of answer.
#[wasm_bindgen_test]
fn a_slot_answers_as_the_core_does() {
    let policies = [Policy::default(), WAIT_BOTH, HOLD_BORROW, Policy { full: Full::Wait, ..HOLD_BORROW }];
    let ticks = [-1, 7, 7, 7, 7, 7, 7, 6, 8, 3, 3, 9, 9, 9, 9, 9, 9, 5, 12, 10, 12];
    for (slot, subject) in (0..).zip(subjects::all()) {
        let mut generator = subject.pooled(4);
        open(&subject, &generator, slot);
        let (mut issued, mut waits, mut refusals) = (0, 0, 0);
        for round in 0..4 * ticks.len() {
            let mut policy = policies[round % policies.len()];
            if subject.is_sno() && round % 5 == 0 {
                policy.backwards = Backwards::TickTock;
            }
            let beyond = subject.schema.scale.last() + 1 - 12;
            let tick = ticks[round % ticks.len()];
            // The last round is at the end of life: the largest IDs, then refusals.
            let now = reading(&subject, if round < 3 * ticks.len() { tick } else { tick + beyond });
            let mut bits = None;
            loop {
                let answer = generator.next_ms(now, bits, &policy);
                let (said, id) = ask(&subject, slot, now, &policy, bits);
                assert_eq!(said, Said::from(answer), "{} in round {round}", subject.name);
                match answer {
                    Ok(()) => {
                        let expected =
                            if subject.is_sno() { generator.whole_id(METABYTE.into()) } else { generator.id().into() };
                        assert_eq!(id, expected, "{} in round {round}", subject.name);
                        issued += 1;
                    }
                    Err(NotIssued::Draw { bytes }) => {
                        bits = Some(subject.bits(bytes, 4));
                        continue;
                    }
                    Err(NotIssued::Wait { .. }) => waits += 1,
                    Err(NotIssued::Refused(_)) => refusals += 1,
                }
                break;
            }
        }
        assert!(issued > 20 && waits > 3 && refusals > 5, "{}: {issued}, {waits}, {refusals}", subject.name);
    }
}

/// Discord's IDs fill 64 bits.
#[wasm_bindgen_test]
fn an_integer_may_use_the_top_bit() {
    let discord = subject("discord");
    let mut generator = discord.generator;
    open(&discord, &generator, 0);
    let late = reading(&discord, (1 << 41) + 5);
    assert_eq!(generator.next_ms(late, None, &WAIT_BOTH), Ok(()));
    let (said, id) = ask(&discord, 0, late, &WAIT_BOTH, None);
    assert_eq!((said, id), (Said::Issued, generator.id().into()));
    assert!(id >= 1 << 63);
    let (said, _) = ask(&discord, 0, reading(&discord, -1), &WAIT_BOTH, None);
    assert_eq!(said, Said::Refused(Error::BeforeEpoch.number()));
}

#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn a_batch_is_the_ids_of_the_calls_it_stands_for() {
    for (name, size) in [("twitter", 8), ("discord", 8), ("snowflake-si", 8), ("sno", sno::TEXT_LENGTH)] {
        let subject = subject(name);
        let form = form(&subject);
        let mut generator = subject.generator;
        open(&subject, &generator, 0);
        let now = reading(&subject, 1000);
        let [flags, ahead] = call_flags(&WAIT_BOTH, form | METABYTE_BITS);
        let fill = |count: f64| status("fill", &[0.0, now, flags, ahead, count]);
        let room = BATCH_IDS as usize;
        let mut left = generator.values.capacity();
        for wanted in [0, 1, 3, room + 1] {
            let expected = wanted.min(room).min(usize::try_from(left).unwrap());
            let status = fill(wanted as f64);
            let filled = filled();
            assert_eq!(filled, expected, "{name}: of {wanted}");
            left -= filled as u64;
            for index in 0..filled {
                assert_eq!(generator.next_ms(now, None, &WAIT_BOTH), Ok(()));
                let bytes = boundary::bytes(BATCH + index * size, size);
                let expected = match form {
                    FORM_INTEGER => generator.id().to_le_bytes().to_vec(),
                    FORM_NUMBER => (generator.id() as f64).to_le_bytes().to_vec(),
                    _ => {
                        let mut text = [0; sno::TEXT_LENGTH];
                        sno::format(generator.whole_id(METABYTE.into()), &mut text);
                        text.to_vec()
                    }
                };
                assert_eq!(bytes, expected, "{name}: number {index}");
            }
            // A batch that is complete, or fills the area, succeeds; otherwise the status says how long to wait.
            let full = filled < wanted.min(room);
            let expected = if full { generator.next_ms(now, None, &WAIT_BOTH).into() } else { Said::Issued };
            assert_eq!(said(status), expected, "{name}: after {filled} of {wanted}");
        }
    }
}

/// Batches of a counter that continues from tick to tick, at the clock, ahead of it and behind it: the same IDs and statistics as
/// single calls.
#[wasm_bindgen_test]
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]
fn a_batch_counts_as_single_calls_do() {
    let si = subject("snowflake-si, 41 clock bits");
    let mut generator = si.generator;
    generator.values = made::counter(&si.schema, made::KEPT);
    let (batch, single) = (0, 1);
    for slot in [batch, single] {
        open(&si, &generator, slot);
    }
    let saved = |slot: u8| {
        assert_eq!(status("save", &[slot.into()]), 0);
        (0..SAVED).map(|index| float(FIELDS + 8 * index)).collect::<Vec<_>>()
    };
    for (tick, wanted) in [(50, 1_usize), (51, 9), (50, 20), (52, 3), (49, 9), (60, 2), (60, 1), (61, 50)] {
        let now = reading(&si, tick);
        let [flags, ahead] = call_flags(&HOLD_BORROW, FORM_NUMBER);
        let last = said(status("fill", &[batch.into(), now, flags, ahead, wanted as f64]));
        let ids: Vec<u128> = (0..filled()).map(|index| float(BATCH + 8 * index) as u128).collect();
        for &id in &ids {
            assert_eq!(ask(&si, single, now, &HOLD_BORROW, None), (Said::Issued, id), "at {tick}");
        }
        if ids.len() < wanted {
            ask(&si, single, now, &HOLD_BORROW, None);
        }
        assert_eq!(last == Said::Issued, ids.len() == wanted, "at {tick}");
        assert_eq!(saved(batch), saved(single), "at {tick}");
    }
}

/// Uses up a tick of each format, in one call or several.
#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn a_batch_ends_with_its_tick() {
    let si = subject("snowflake-si");
    open(&si, &si.generator, 0);
    let [flags, ahead] = call_flags(&WAIT_BOTH, FORM_NUMBER);
    let status = status("fill", &[0.0, reading(&si, 7), flags, ahead, 1000.0]);
    assert_eq!(filled() as u64, si.generator.values.capacity());
    let until = si.schema.scale.timestamp(8);
    assert_eq!(said(status), Said::Wait(until, Error::SequenceFull.number()));
    assert_eq!(float(BATCH + 8 * 255), (low_bits(7 << 13) | si.generator.packing.fixed | 255) as f64);
}

#[wasm_bindgen_test]
fn given_times_leave_their_ids_in_the_register() {
    for (slot, subject) in (0..).zip(subjects::all()) {
        let mut generator = subject.pooled(4);
        open(&subject, &generator, slot);
        let form = form(&subject);
        for tick in [50, 40, 50, -1, 50, 50, 50, 40, 60] {
            let (time, mut bits) = (reading(&subject, tick), None);
            loop {
                let answer = generator.at_ms(time, bits);
                #[expect(clippy::cast_precision_loss)]
                let random = bits.map_or(FROM_CALLER, |bits: u64| bits as f64);
                let found = said(at(slot.into(), time, form | METABYTE_BITS, random));
                assert_eq!(found, Said::from(answer), "{} at {tick}", subject.name);
                if let Err(NotIssued::Draw { bytes }) = answer {
                    bits = Some(subject.bits(bytes, 4));
                    continue;
                }
                if answer == Ok(()) {
                    assert_eq!(left(form), subject.id(&generator).bits, "{} at {tick}", subject.name);
                }
                break;
            }
        }
    }
}

/// Restoring what one slot has saved makes another slot continue in its place.
#[wasm_bindgen_test]
fn a_saved_slot_goes_on_in_another() {
    for subject in
        subjects::all().iter().filter(|subject| !matches!(subject.generator.values, SequenceRule::Random { .. }))
    {
        let mut generator = subject.pooled(4);
        for slot in [0, 1] {
            open(subject, &generator, slot);
        }
        let both = |generator: &mut Generator, slot, tick| {
            let now = reading(subject, tick);
            let answer = generator.next_ms(now, None, &HOLD_BORROW);
            assert_eq!(ask(subject, slot, now, &HOLD_BORROW, None).0, Said::from(answer), "{}", subject.name);
        };
        for tick in [100, 100, 100, 100, 100, 98] {
            both(&mut generator, 0, tick);
        }
        let given = |slot: u8, tick| at(slot.into(), reading(subject, tick), FORM_INTEGER, FROM_CALLER);
        assert_eq!(given(0, 50), 0);
        assert_eq!(generator.at_ms(reading(subject, 50), None), Ok(()));

        assert_eq!(status("save", &[0.0]), 0);
        let saved: Vec<f64> = (0..SAVED).map(|index| float(FIELDS + 8 * index)).collect();
        #[expect(clippy::cast_precision_loss)]
        let expected = [generator.state.highest, generator.state.last].map(|tick| tick as f64);
        assert_eq!(saved[..2], expected, "{}", subject.name);
        put_floats(FIELDS, &saved);
        assert_eq!(status("restore", &[1.0]), 0);
        assert_eq!(status("save", &[1.0]), 0);
        let again: Vec<f64> = (0..SAVED).map(|index| float(FIELDS + 8 * index)).collect();
        assert_eq!(again, saved, "{}", subject.name);

        for tick in [99, 100, 101, 101, 101, 101, 103] {
            both(&mut generator, 1, tick);
        }
        assert_eq!(given(1, 100), code(Error::TimeTaken), "{}", subject.name);
        assert_eq!(given(1, 50), 0, "{}", subject.name);
    }
}

/// Invalid calls: each is answered, none traps.
#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn slots_that_are_not_open() {
    let conflict = code(Error::Conflict);
    for slot in [200.0, SLOTS as f64, 1e6, f64::from(u32::MAX)] {
        assert_eq!(status("next", &[slot, 0.0, 0.0, 0.0, FROM_CALLER]), conflict);
        assert_eq!(at(slot, 0.0, FORM_INTEGER, FROM_CALLER), conflict);
        assert_eq!(status("fill", &[slot, 0.0, 0.0, 0.0, 10.0]), conflict);
        assert_eq!(filled(), 0);
        assert_eq!(status("save", &[slot]), conflict);
        assert_eq!(status("restore", &[slot]), conflict);
        assert_eq!(call("rule", &[slot, 1.0]), JsValue::UNDEFINED);
    }
    let twitter = subject("twitter");
    load(&twitter);
    put_fields(&[0, 1, 2, 0]);
    assert_eq!(status("open", &[f64::from(u32::MAX), 0.0, 4095.0, 0.0]), conflict, "no such slot");
    assert_eq!(status("open", &[SLOTS as f64, 0.0, 4095.0, 0.0]), conflict, "one more than there are");
    put_fields(&[0, 1, 32, 0]);
    assert_eq!(status("open", &[0.0, 0.0, 4095.0, 0.0]), code(Error::Range));
    assert_eq!(float(graupel::abi::DETAIL), 2.0, "the field");
}

#[wasm_bindgen(raw_module = "../core/entropy.js")]
extern "C" {
    #[wasm_bindgen(js_name = bindEntropy)]
    fn bind_entropy(memory: &JsValue);
}

/// The only test that binds the source of randomness, so it can also test a missing source.
#[wasm_bindgen_test]
fn randomness_comes_from_the_platform_or_not_at_all() {
    let ulid = subject("ulid-flake");
    open(&ulid, &ulid.generator, 0);
    let [flags, ahead] = call_flags(&WAIT_BOTH, FORM_CROCKFORD);
    let next = |tick: i64| status("next", &[0.0, reading(&ulid, tick), flags, ahead, FROM_PLATFORM]);
    assert_eq!((next(1), status("refill", &[])), (REFILL, code(Error::RandomFailed)));
    assert_eq!((next(1), status("refill", &[])), (REFILL, code(Error::RandomFailed)));

    bind_entropy(&wasm_bindgen::memory());
    // 20 bits each from 2,000 draws: the chance that one of the bits never changes is 20 in 2^1999.
    let (mut ones, mut zeros, mut refills) = (0, 0, 0);
    for tick in 1..=2000 {
        let mut status = next(tick);
        if status == REFILL {
            refills += 1;
            assert_eq!(boundary::status("refill", &[]), 0);
            status = next(tick);
        }
        assert_eq!(status, 0);
        let id = ulid_flake::parse(text(ulid_flake::TEXT_LENGTH).first_chunk().unwrap()).unwrap();
        assert_eq!(id >> 20, tick.cast_unsigned());
        ones |= id & 0xF_FFFF;
        zeros |= !id & 0xF_FFFF;
    }
    assert_eq!((ones, zeros), (0xF_FFFF, 0xF_FFFF));
    assert_eq!(refills, 3, "each serves 678 draws of 3 bytes, and leaves 14");

    // A batch of them ascends, goes on after a refill, and has as many as the area has room for.
    let [flags, ahead] = boundary::call_flags(&Policy { max_ahead: 10_000, ..HOLD_BORROW }, FORM_CROCKFORD);
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for wanted in [2000.0, 2000.0, 2000.0] {
        assert_eq!(status("refill", &[]), 0);
        let said = status("fill", &[0.0, reading(&ulid, 3000), flags, ahead, wanted]);
        assert!(said == 0 && filled() == BATCH_IDS as usize || said == REFILL, "{said}, {}", filled());
        texts.extend(
            (0..filled())
                .map(|index| boundary::bytes(BATCH + index * ulid_flake::TEXT_LENGTH, ulid_flake::TEXT_LENGTH)),
        );
    }
    assert!(texts.len() > 2000, "{}", texts.len());
    assert!(texts.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(ulid_flake::parse(texts[0].first_chunk().unwrap()).unwrap() >> 20, 3000);
}
