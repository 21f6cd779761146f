//! Every format's generator with readings of `Date.now()`.

use std::collections::HashSet;

use graupel::engine::{Backwards, Full, NotIssued, Policy};
use js_sys::{Date, Math};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::made::InMs;
use crate::subjects;

/// IDs of each generator. A tick holds four, so they need several ticks, which run ahead of the clock.
const IDS: usize = 12;

/// A policy that issues IDs whatever the machine's clock does in between.
const POLICY: Policy = Policy { backwards: Backwards::Hold, full: Full::Borrow, max_ahead: 1 << 40 };

#[wasm_bindgen_test]
fn every_format_follows_the_clock() {
    for subject in subjects::all() {
        let (mut generator, mut seen, mut last) = (subject.pooled(4), HashSet::new(), 0);
        let scale = subject.schema.scale;
        for _ in 0..IDS {
            let (now, mut bits) = (Date::now(), None);
            let mut answer = generator.next_ms(now, bits, &POLICY);
            // A step that exceeds the range draws once more.
            for _ in 0..100 {
                let Err(NotIssued::Draw { bytes }) = answer else { break };
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let drawn = (Math::random() * f64::from(1_u32 << (8 * bytes))) as u64;
                bits = Some(drawn);
                answer = generator.next_ms(now, bits, &POLICY);
            }
            assert_eq!(answer, Ok(()), "{}", subject.name);
            let id = subject.id(&generator);
            assert!(seen.insert(id.bits), "{}: {id:?} twice", subject.name);
            assert!(id.bits > last, "{}: {id:?} out of order", subject.name);
            assert!(id.tick >= scale.tick(now).unwrap(), "{}: {id:?} behind the clock", subject.name);
            last = id.bits;
        }
    }
}
