//! Texts: printing and parsing are inverse, order is kept, and only texts that are printed are accepted.

use graupel::engine::alphabet::{RADIX, parse_digits};
use graupel::engine::low_bits;
use graupel::formats::{ALL, TEXTS, sno, ulid_flake};
use graupel::{Error, Located};
use proptest::prelude::*;

use crate::check::{Held, check, test};
use crate::made;

/// What a text is read as.
type Parsed = Result<u128, Located>;

/// One text form.
#[derive(Clone, Copy)]
struct Script {
    /// The characters by value; with `folds`, either case is read.
    alphabet: &'static [u8],
    folds: bool,
    /// Characters of a text, in radix 32; `None` for as many digits as needed, in any radix.
    length: Option<usize>,
    max: u128,
    parse: fn(&[u8], u32) -> Parsed,
    print: fn(u128, u32) -> Vec<u8>,
}

const SNO_MAX: u128 = (1 << 80) - 1;
const ULID_FLAKE_MAX: u128 = u64::MAX as u128 >> 1;

const SNO: Script = Script {
    alphabet: b"23456789abcdefghijklmnopqrstuvwx",
    folds: false,
    length: Some(16),
    max: SNO_MAX,
    parse: |text, _| sno::TEXT.parse(text, SNO_MAX),
    print: |id, _| made::text(&sno::TEXT, id).into(),
};

const CROCKFORD: Script = Script {
    alphabet: b"0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    folds: true,
    length: Some(13),
    max: ULID_FLAKE_MAX,
    parse: |text, _| ulid_flake::TEXT.parse(text, ULID_FLAKE_MAX),
    print: |id, _| made::text(&ulid_flake::TEXT, id).into(),
};

/// Digits, up to the largest integer of 63 bits.
const DIGITS: Script = Script {
    alphabet: b"0123456789abcdefghijklmnopqrstuvwxyz",
    folds: true,
    length: None,
    max: u64::MAX as u128 >> 1,
    parse: |text, radix| parse_digits(text, radix, u64::MAX >> 1).map(u128::from),
    print: |id, radix| digits(id, radix.into()),
};

/// The same, up to the largest of 64 bits.
const DIGITS_64: Script = Script {
    max: u64::MAX as u128,
    parse: |text, radix| parse_digits(text, radix, u64::MAX).map(u128::from),
    ..DIGITS
};

const SCRIPTS: [Script; 4] = [SNO, CROCKFORD, DIGITS, DIGITS_64];

fn digits(id: u128, radix: u128) -> Vec<u8> {
    let last = DIGITS.alphabet[usize::try_from(id % radix).unwrap()];
    if id < radix { vec![last] } else { [digits(id / radix, radix), vec![last]].concat() }
}

impl Script {
    /// Any ID, one of few bits, or one of the largest.
    fn ids(self) -> impl Strategy<Value = u128> {
        let max = self.max;
        prop_oneof![4 => 0..=max, 2 => (0..=max, 0_u32..80).prop_map(|(id, less)| id >> less), 1 => max - 9..=max]
    }

    /// Any radix, half of them the largest.
    fn radixes(self) -> impl Strategy<Value = u32> {
        let radixes = if self.length.is_some() { 32..=32 } else { RADIX };
        prop_oneof![radixes.clone(), Just(*radixes.end())]
    }

    /// What a text must be read as, character by character.
    fn value(self, text: &[u8], radix: u32) -> Parsed {
        let mut id = 0_u128;
        for (position, &byte) in text.iter().enumerate() {
            let is_it = |&digit: &u8| digit == byte || self.folds && digit.eq_ignore_ascii_case(&byte);
            let value = self.alphabet[..radix as usize].iter().position(is_it);
            let value = value.ok_or(Located { error: Error::Character, position })?;
            id = id * u128::from(radix) + value as u128;
        }
        if self.length.is_none() && text.len() > 1 && text[0] == b'0' {
            return Err(Error::NotCanonical.into());
        }
        if id > self.max { Err(Error::Overflow.into()) } else { Ok(id) }
    }

    /// A text of a length that the package lets through is read as it must be, and an ID writes it, except for case.
    fn check(self, text: &[u8], radix: u32) -> Held {
        if self.length.map_or(text.is_empty(), |length| text.len() != length) {
            return Ok(());
        }
        let parsed = (self.parse)(text, radix);
        prop_assert_eq!(parsed, self.value(text, radix), "{:?} in radix {}", text, radix);
        if let Ok(id) = parsed {
            let written = (self.print)(id, radix);
            let same = if self.folds { written.eq_ignore_ascii_case(text) } else { written == text };
            prop_assert!(same, "{written:?} for {text:?}");
        }
        Ok(())
    }
}

/// Two IDs, far from or near to each other. Texts of a fixed length sort as their IDs do.
#[test]
fn ids_print_and_parse() {
    for script in SCRIPTS {
        check(2000, (script.ids(), script.radixes(), script.ids(), 0_u32..160), |(id, radix, far, bit)| {
            let text = (script.print)(id, radix);
            prop_assert_eq!((script.parse)(&text, radix), Ok(id));
            let other = if bit < 80 { (id ^ 1 << bit).min(script.max) } else { far };
            if script.length.is_some() {
                prop_assert_eq!(text.cmp(&(script.print)(other, radix)), id.cmp(&other));
            }
            script.check(&text.to_ascii_uppercase(), radix)?;
            script.check(&text.to_ascii_lowercase(), radix)
        });
    }
}

/// Every text that differs in one character: replaced by any byte, removed, or inserted.
#[test]
fn one_wrong_character_is_refused_or_another_id() {
    for script in SCRIPTS {
        check(32, (script.ids(), script.radixes()), |(id, radix)| {
            let text = (script.print)(id, radix);
            for middle in 0..=text.len() {
                let (before, after) = text.split_at(middle);
                for byte in 0..=u8::MAX {
                    script.check(&[before, &[byte], after].concat(), radix)?;
                    script.check(&[before, &[byte], after.get(1..).unwrap_or(&[])].concat(), radix)?;
                }
                script.check(&[before, after.get(1..).unwrap_or(&[])].concat(), radix)?;
            }
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
