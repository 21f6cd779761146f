//! Slots that are not open, and randomness from the platform. `twins.rs` tests open slots.

use graupel::Error;
use graupel::abi::{BATCH, BATCH_IDS, Random, SLOTS, Status};
use graupel::engine::{Backwards, Full, Policy, low_bits};
use graupel::formats::ulid_flake;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::wasm_bindgen_test;

use super::boundary::{
    self, FORM_CROCKFORD, FORM_INTEGER, at, call, code, filled, load, open, policy_arguments, put_fields, status, text,
};
use super::subject;
use crate::subjects::FormatUnderTest;

const WAIT_BOTH: Policy = Policy { backwards: Backwards::Wait, full: Full::Wait, max_ahead: 0 };
const HOLD_BORROW: Policy = Policy { backwards: Backwards::Hold, full: Full::Borrow, max_ahead: 3 };

#[expect(clippy::cast_precision_loss)]
fn reading(subject: &FormatUnderTest, tick: i64) -> f64 {
    subject.schema.scale().timestamp(tick) as f64
}

/// Invalid calls return an answer and do not trap.
#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn slots_that_are_not_open() {
    let conflict = code(Error::Conflict);
    for slot in [200.0, SLOTS as f64, 1e6, f64::from(u32::MAX)] {
        assert_eq!(status("next", &[slot, 0.0, 0.0, 0.0, Random::FROM_CALLER]), conflict);
        assert_eq!(at(slot, 0.0, FORM_INTEGER, Random::FROM_CALLER), conflict);
        assert_eq!(status("fill", &[slot, 0.0, 0.0, 0.0, 10.0]), conflict);
        assert_eq!(filled(), 0);
        for (name, arguments) in [("save", 1), ("restore", 1), ("merge", 2), ("rule", 2)] {
            assert_eq!(call(name, &[slot, 1.0][..arguments]), JsValue::UNDEFINED);
        }
    }
    let twitter = subject("twitter");
    load(&twitter);
    put_fields(&[0, 1, 2, 0]);
    for slot in [f64::from(u32::MAX), SLOTS as f64, 7.0] {
        call("open", &[slot, 0.0, 4095.0, 0.0]);
    }
    assert_eq!(
        status("next", &[SLOTS as f64, 0.0, 0.0, 0.0, Random::FROM_CALLER]),
        conflict,
        "one more than there are"
    );
    let outside = code(Error::OutsideInterval);
    assert_eq!(status("next", &[7.0, 1.7e12, 0.0, 0.0, Random::FROM_PLATFORM]), outside, "before numbers are restored");
    assert_eq!(at(7.0, 1.7e12, FORM_INTEGER, Random::FROM_PLATFORM), outside);
}

#[wasm_bindgen(raw_module = "../core/entropy.js")]
extern "C" {
    #[wasm_bindgen(js_name = bindEntropy)]
    fn bind_entropy(memory: &JsValue);
}

fn ulid(text: &[u8]) -> u64 {
    low_bits(boundary::value(&ulid_flake::TEXT, text))
}

/// The only test that binds the source of randomness, so it can also test a missing source.
#[wasm_bindgen_test]
fn randomness_comes_from_the_platform_or_not_at_all() {
    let format = subject("ulid-flake");
    open(&format, &format.generator, 0);
    let [flags, ahead] = policy_arguments(&WAIT_BOTH, FORM_CROCKFORD);
    let next = |tick: i64| status("next", &[0.0, reading(&format, tick), flags, ahead, Random::FROM_PLATFORM]);
    assert_eq!((next(1), status("refill", &[])), (Status::REFILL.number(), code(Error::RandomFailed)));
    assert_eq!((next(1), status("refill", &[])), (Status::REFILL.number(), code(Error::RandomFailed)));

    bind_entropy(&wasm_bindgen::memory());
    // 2,000 draws of 20 bits: the odds that one of the bits never changes are 20 in 2^1999.
    let (mut ones, mut zeros, mut refills) = (0, 0, 0);
    for tick in 1..=2000 {
        let mut status = next(tick);
        if status == Status::REFILL.number() {
            refills += 1;
            assert_eq!(boundary::status("refill", &[]), 0);
            status = next(tick);
        }
        assert_eq!(status, 0);
        let id = ulid(&text(ulid_flake::TEXT.length()));
        assert_eq!(id >> 20, tick.cast_unsigned());
        ones |= id & 0xF_FFFF;
        zeros |= !id & 0xF_FFFF;
    }
    assert_eq!((ones, zeros), (0xF_FFFF, 0xF_FFFF));
    assert_eq!(refills, 3, "each serves 678 draws of 3 bytes, and leaves 14");

    // The IDs of a batch ascend and continue after a refill, and there are as many as fit the area.
    let [flags, ahead] = boundary::policy_arguments(&Policy { max_ahead: 10_000, ..HOLD_BORROW }, FORM_CROCKFORD);
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for wanted in [2000.0, 2000.0, 2000.0] {
        assert_eq!(status("refill", &[]), 0);
        let said = status("fill", &[0.0, reading(&format, 3000), flags, ahead, wanted]);
        assert!(said == 0 && filled() == BATCH_IDS || said == Status::REFILL.number(), "{said}, {}", filled());
        texts.extend(
            (0..filled())
                .map(|index| boundary::bytes(BATCH + index * ulid_flake::TEXT.length(), ulid_flake::TEXT.length())),
        );
    }
    assert!(texts.len() > 2000, "{}", texts.len());
    assert!(texts.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(ulid(&texts[0]) >> 20, 3000);
}
