//! Texts: each ID is written with the characters of its form, and texts sort as their IDs do.

use graupel::engine::alphabet::Base32;
use graupel::engine::low_bits;
use graupel::formats::{ALL, TEXTS, sno, ulid_flake};
use proptest::prelude::*;

use crate::check::{check, test};
use crate::made;

/// One text form.
#[derive(Clone, Copy)]
struct Script {
    form: &'static Base32,
    /// The characters by value; with `folds`, either case is read.
    alphabet: &'static [u8],
    folds: bool,
    /// Characters of a text.
    length: usize,
    max: u128,
}

const SNO: Script = Script {
    form: &sno::TEXT,
    alphabet: b"23456789abcdefghijklmnopqrstuvwx",
    folds: false,
    length: 16,
    max: (1 << 80) - 1,
};

const CROCKFORD: Script = Script {
    form: &ulid_flake::TEXT,
    alphabet: b"0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    folds: true,
    length: 13,
    max: u64::MAX as u128 >> 1,
};

impl Script {
    /// Any ID, an ID with few bits, or one of the largest.
    fn ids(self) -> impl Strategy<Value = u128> {
        let max = self.max;
        prop_oneof![4 => 0..=max, 2 => (0..=max, 0_u32..80).prop_map(|(id, less)| id >> less), 1 => max - 9..=max]
    }

    /// The value of a text, character by character.
    fn value(self, text: &str) -> Option<u128> {
        text.bytes().try_fold(0, |id, byte| {
            let value = self.alphabet.iter().position(|&digit| digit == byte)?;
            Some(id * 32 + value as u128)
        })
    }
}

/// Two IDs that are far from each other or close together. Texts sort as their IDs do.
#[test]
fn ids_are_written_in_their_alphabet_and_order() {
    for script in [SNO, CROCKFORD] {
        assert_eq!((&script.form.digits()[..], script.form.folds()), (script.alphabet, script.folds));
        check(2000, (script.ids(), script.ids(), 0_u32..160), |(id, far, bit)| {
            let text = made::text(script.form, id);
            prop_assert_eq!((text.len(), script.value(&text)), (script.length, Some(id)));
            let other = if bit < 80 { (id ^ 1 << bit).min(script.max) } else { far };
            prop_assert_eq!(text.cmp(&made::text(script.form, other)), id.cmp(&other));
            Ok(())
        });
    }
}

#[test]
fn a_text_goes_on_in_its_last_part() {
    const LOW: u128 = (1 << 40) - 1;
    check(256, (any::<u128>(), any::<u128>()), |(id, other)| {
        for form in TEXTS {
            let [first, last] = form.parts(id);
            let with = |mask: u128| id & !mask | other & mask;
            let marked = with(LOW);
            prop_assert_eq!([first, form.last_part(low_bits(marked))], form.parts(marked));
            let below = with(0xF_FFFF);
            prop_assert_eq!([first, form.last_part_after(last, low_bits(below))], form.parts(below));
        }
        Ok(())
    });
}

/// The bits of a call are adjacent, and within the lowest 40: a burst writes only the last eight characters again.
#[test]
fn the_bits_of_a_call_lie_in_the_last_eight_characters() {
    for format in ALL {
        let mask = format.mask(format.call);
        assert_eq!(mask >> 40, 0, "{}", format.name);
        assert_eq!(mask.leading_zeros() + mask.count_ones() + mask.trailing_zeros() % 64, 64, "{}", format.name);
    }
}
