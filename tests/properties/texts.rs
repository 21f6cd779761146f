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
    max: u128,
    /// Whether both cases are read (and one is written).
    folds: Option<fn(&u8) -> u8>,
    /// Whether a byte is a character of the form.
    has: fn(u8, u32) -> bool,
    /// `None` for a text of another length, which the package refuses.
    parse: fn(&[u8], u32) -> Option<Parsed>,
    print: fn(u128, u32) -> Vec<u8>,
}

const SNO: Script = Script {
    max: (1 << 80) - 1,
    folds: None,
    has: |byte, _| matches!(byte, b'2'..=b'9' | b'a'..=b'x'),
    parse: |text, _| Some(sno::parse(text.try_into().ok()?)),
    print: |id, _| {
        let mut text = [0; sno::TEXT_LENGTH];
        sno::format(id, &mut text);
        text.to_vec()
    },
};

const CROCKFORD: Script = Script {
    max: ulid_flake::MAX as u128,
    folds: Some(u8::to_ascii_uppercase),
    has: |byte, _| byte.is_ascii_alphanumeric() && !b"ILOU".contains(&byte.to_ascii_uppercase()),
    parse: |text, _| Some(ulid_flake::parse(text.try_into().ok()?).map(u128::from)),
    print: |id, _| {
        let mut text = [0; ulid_flake::TEXT_LENGTH];
        ulid_flake::format(u64::try_from(id).unwrap(), &mut text);
        text.to_vec()
    },
};

/// Digits, up to the largest of 63 bits.
const DIGITS: Script = Script {
    max: u64::MAX as u128 >> 1,
    folds: Some(u8::to_ascii_lowercase),
    has: |byte, radix| char::from(byte).is_digit(radix),
    parse: |text, radix| (!text.is_empty()).then(|| parse_digits(text, radix, u64::MAX >> 1).map(u128::from)),
    print: |id, radix| made::digits(u64::try_from(id).unwrap(), radix).into_bytes(),
};

impl Script {
    /// Any ID, one of few bits, or one of the largest.
    fn ids(self) -> impl Strategy<Value = u128> {
        let max = self.max;
        prop_oneof![4 => 0..=max, 2 => (0..=max, 0_u32..80).prop_map(|(id, less)| id >> less), 1 => max - 9..=max]
    }

    /// A text that parses is what its ID prints, except for case. One with a wrong character is refused for the first of these.
    fn is_canonical(self, text: &[u8], radix: u32) -> Held {
        let Some(parsed) = (self.parse)(text, radix) else { return Ok(()) };
        let wrong = text.iter().position(|&byte| !(self.has)(byte, radix));
        let refused = parsed.err().filter(|refused| refused.error == Error::Character).map(|refused| refused.position);
        prop_assert_eq!(refused, wrong, "{:?}", text);
        if let Ok(id) = parsed {
            let written = self.folds.map_or(text.to_vec(), |fold| text.iter().map(fold).collect());
            prop_assert!(id <= self.max);
            prop_assert_eq!((self.print)(id, radix), written, "{:?} was read as {}", text, id);
        }
        Ok(())
    }

    fn round_trip(self, id: u128, radix: u32) -> Held {
        let text = (self.print)(id, radix);
        prop_assert_eq!((self.parse)(&text, radix), Some(Ok(id)));
        if self.folds.is_some() {
            prop_assert_eq!((self.parse)(&text.to_ascii_uppercase(), radix), Some(Ok(id)));
            prop_assert_eq!((self.parse)(&text.to_ascii_lowercase(), radix), Some(Ok(id)));
        }
        Ok(())
    }

    /// Every text that differs in one character: replaced by any byte, removed, or inserted.
    fn neighbours(self, id: u128, radix: u32) -> Held {
        let text = (self.print)(id, radix);
        for middle in 0..=text.len() {
            let (before, after) = text.split_at(middle);
            for byte in 0..=u8::MAX {
                let inserted = [before, &[byte], after].concat();
                self.is_canonical(&inserted, radix)?;
                if let Some((&replaced, rest)) = after.split_first() {
                    let changed = [before, &[byte], rest].concat();
                    self.is_canonical(&changed, radix)?;
                    let same = self.folds.map_or(replaced == byte, |_| replaced.eq_ignore_ascii_case(&byte));
                    prop_assert_eq!((self.parse)(&changed, radix) == Some(Ok(id)), same, "{:?}", changed);
                }
            }
            if let Some((_, rest)) = after.split_first() {
                self.is_canonical(&[before, rest].concat(), radix)?;
            }
        }
        Ok(())
    }
}

#[test]
fn ids_print_and_parse() {
    check(2000, SNO.ids(), |id| SNO.round_trip(id, 0));
    check(2000, CROCKFORD.ids(), |id| CROCKFORD.round_trip(id, 0));
    check(4000, (DIGITS.ids(), RADIX), |(id, radix)| DIGITS.round_trip(id, radix));
}

/// Against the standard library's own digits.
#[test]
fn digits_are_the_usual_ones() {
    check(2000, any::<u64>(), |id| {
        let read = |text: String, radix| parse_digits(text.as_bytes(), radix, u64::MAX);
        prop_assert_eq!(
            [
                read(format!("{id:b}"), 2),
                read(format!("{id:o}"), 8),
                read(format!("{id}"), 10),
                read(format!("{id:x}"), 16)
            ],
            [Ok(id); 4]
        );
        for radix in RADIX {
            let text = made::digits(id, radix);
            prop_assert_eq!(u64::from_str_radix(&text, radix), Ok(id));
            prop_assert_eq!(read(text, radix), Ok(id));
        }
        Ok(())
    });
}

#[test]
fn one_wrong_character_is_refused_or_another_id() {
    check(32, SNO.ids(), |id| SNO.neighbours(id, 0));
    check(32, CROCKFORD.ids(), |id| CROCKFORD.neighbours(id, 0));
    check(48, (DIGITS.ids(), RADIX), |(id, radix)| DIGITS.neighbours(id, radix));
    check(32, DIGITS.ids(), |id| DIGITS.neighbours(id, 36));
}

/// Bytes of any kind, and texts of the right alphabet and about the right length.
#[test]
fn whatever_parses_is_canonical() {
    let noise = prop::collection::vec(any::<u8>(), 0..20);
    let text = |alphabet: &'static [u8], length: usize| {
        prop::collection::vec(prop::sample::select(alphabet), length - 1..=length + 1)
    };
    check(3000, (noise, RADIX), |(text, radix)| {
        for script in [SNO, CROCKFORD, DIGITS] {
            script.is_canonical(&text, radix)?;
        }
        Ok(())
    });
    let (snos, ulids) =
        (text(b"23456789abcdefghijklmnopqrstuvwx", 16), text(b"01234567ABCDEFGHJKMNPQRSTVWXYZabcz", 13));
    let digits = text(b"0123456789abcdefghijklmnopqrstuvwxyzABCXYZ", 13);
    check(2000, (snos, ulids, digits, RADIX), |(sno, ulid, digits, radix)| {
        SNO.is_canonical(&sno, 0)?;
        CROCKFORD.is_canonical(&ulid, 0)?;
        DIGITS.is_canonical(&digits, radix)?;
        DIGITS.is_canonical(&digits, 36)
    });
}

/// Every text of the right length and alphabet is a sno ID; for Ulid-Flake, up to `7ZZZZZZZZZZZZ`.
#[test]
fn whole_alphabets_are_read() {
    let text = |alphabet: &'static [u8], length| prop::collection::vec(prop::sample::select(alphabet), length);
    check(1000, text(b"23456789abcdefghijklmnopqrstuvwx", 16), |text| {
        prop_assert!(matches!((SNO.parse)(&text, 0), Some(Ok(_))));
        Ok(())
    });
    check(1000, text(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ", 13), |text| {
        let fits = text[0] <= b'7';
        let refused = (CROCKFORD.parse)(&text, 0).and_then(Result::err);
        prop_assert_eq!(refused, (!fits).then_some(Error::Overflow.into()));
        Ok(())
    });
}

/// Two IDs, far from or near to each other.
fn pairs(script: Script) -> impl Strategy<Value = (u128, u128)> {
    let (max, near) = (script.max, 0_u32..80);
    (script.ids(), script.ids(), near)
        .prop_map(move |(a, b, bits)| (a, if b % 2 == 0 { b } else { (a ^ 1 << bits).min(max) }))
}

#[test]
fn texts_sort_as_their_ids_do() {
    for script in [SNO, CROCKFORD] {
        check(3000, pairs(script), |(a, b)| {
            prop_assert_eq!((script.print)(a, 0).cmp(&(script.print)(b, 0)), a.cmp(&b));
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
