//! Text forms: the formats' alphabets of 32 characters, and integers in any radix from 2 to 36.
//! Decoding is strict: an invalid character is an error with its position.

use core::num::NonZeroUsize;

use super::layout::{low_bits, ones, whole};
use crate::{Error, Located};

/// The smallest and the largest radix: digits `0-9a-z`.
pub const RADIX: core::ops::RangeInclusive<u32> = 2..=36;

/// The longest text of an integer below 2^64: 64 binary digits.
pub const LONGEST_DIGITS: usize = 64;

/// In a decoding table, the top bit marks a byte that is not a digit.
const NO_DIGIT: u8 = 0x80;

/// How many characters are read or written as one part. Their 40 bits fit a register.
const HALF: usize = 8;

/// The decoding table of `digits`: the value of each ASCII character. With `folds`, both cases have
/// the same value.
#[expect(clippy::cast_possible_truncation)]
const fn values(digits: &[u8], folds: bool) -> [u8; 128] {
    let mut values = [NO_DIGIT; 128];
    let mut value = 0;
    while value < digits.len() {
        let digit = digits[value];
        assert!(values[digit as usize] == NO_DIGIT, "a character has one value");
        values[digit as usize] = value as u8;
        if folds {
            values[digit.to_ascii_lowercase() as usize] = value as u8;
            values[digit.to_ascii_uppercase() as usize] = value as u8;
        }
        value += 1;
    }
    values
}

/// A text form: 32 characters in order of value, five bits each; the table for decoding; and the
/// length of a text. Looking a character up is three times as fast as computing it, and needs no
/// more code.
#[derive(Debug, PartialEq, Eq)]
pub struct Base32 {
    digits: [u8; 32],
    values: [u8; 128],
    length: NonZeroUsize,
}

impl Base32 {
    /// A form with `length` characters. With `folds`, letters are read in either case. In a
    /// `static`, a length outside 8 to 16 does not compile, because a text is written as two words.
    ///
    /// ```compile_fail
    /// use graupel::engine::alphabet::Base32;
    /// static LONG: Base32 = Base32::new(b"0123456789abcdefghijklmnopqrstuv", false, 17);
    /// ```
    ///
    /// ```
    /// use graupel::engine::alphabet::Base32;
    /// static LONGEST: Base32 = Base32::new(b"0123456789abcdefghijklmnopqrstuv", false, 16);
    /// # assert_eq!(LONGEST.length(), 16);
    /// ```
    pub const fn new(digits: &[u8; 32], folds: bool, length: usize) -> Self {
        assert!(HALF <= length && length <= 2 * HALF, "a text has two parts of eight characters");
        Self { digits: *digits, values: values(digits, folds), length: NonZeroUsize::new(length).unwrap() }
    }

    /// Characters of a text.
    pub const fn length(&self) -> usize {
        self.length.get()
    }

    /// Bytes of a text, as many as it has characters.
    pub const fn bytes(&self) -> NonZeroUsize {
        self.length
    }

    /// The characters, in order of value.
    pub const fn digits(&self) -> &[u8; 32] {
        &self.digits
    }

    /// The first and the last eight characters of a text, with the first character of each part in
    /// its lowest byte. In texts shorter than 16 characters, the parts overlap. The overlap in the
    /// first part is undefined, so write the last part after it.
    pub fn parts(&self, id: u128) -> [u64; 2] {
        // Drop the padding zeros of the first half.
        let surplus = (2 * HALF - self.length()) & (HALF - 1);
        [self.last_part(low_bits(id >> (5 * HALF))) >> (8 * surplus), self.last_part(low_bits(id))]
    }

    /// The last part for another ID that differs only in its lowest 20 bits.
    pub fn last_part_after(&self, part: u64, id: u64) -> u64 {
        self.word(id, HALF / 2) << 32 | part & ones(32)
    }

    /// The last eight characters, which are the lowest 40 bits. Not inlined, for callers in which
    /// size matters more than time.
    #[inline(never)]
    pub fn last_part(&self, id: u64) -> u64 {
        self.word(id, HALF)
    }

    /// The text of the lowest bits, with its first character in the lowest byte.
    #[inline]
    fn word(&self, mut bits: u64, characters: usize) -> u64 {
        let mut word = 0;
        for _ in 0..characters {
            word = word << 8 | u64::from(self.digits[(bits & 31) as usize]);
            bits >>= 5;
        }
        word
    }

    /// Parses a text as an integer of at most `max`. The caller has checked the length; with a
    /// wrong length, only the value is wrong. Errors: `Character`, `Overflow`.
    pub fn parse(&self, text: &[u8], max: u128) -> Result<u128, Located> {
        let (mut high, mut low) = (0, 0);
        for (position, &character) in text.iter().enumerate() {
            let value = look_up(&self.values, character);
            if value & NO_DIGIT != 0 {
                return Err(Located { error: Error::Character, position });
            }
            high = high << 5 | low >> (u64::BITS - 5);
            low = low << 5 | u64::from(value);
        }
        let id = whole(high, low);
        if id > max { Err(Error::Overflow.into()) } else { Ok(id) }
    }
}

/// Parses digits: either case, no sign, no prefix, no leading zero, at most `max`. The caller has
/// checked that `radix` is in [`RADIX`], and that there are digits; otherwise only the value is
/// wrong.
///
/// Errors: `Character`, then `NotCanonical`, then `Overflow`.
///
/// ```
/// use graupel::{Error, engine::alphabet::parse_digits};
/// assert_eq!(parse_digits(b"1y2p0ij32e8e7", 36, u64::MAX), Ok(i64::MAX as u64));
/// assert_eq!(parse_digits(b"010", 10, u64::MAX), Err(Error::NotCanonical.into()));
/// ```
pub fn parse_digits(text: &[u8], radix: u32, max: u64) -> Result<u64, Located> {
    // Two digits at a time, because each product depends on the previous one. A number of 53 bits
    // and a pair cannot overflow.
    let square = u64::from(radix) * u64::from(radix);
    let (first, pairs) = text.as_rchunks::<2>();
    let (mut number, mut overflows, mut position) = (0, false, 0);
    for &character in first {
        number = digit(character, radix, position)?;
        position += 1;
    }
    for &[high, low] in pairs {
        let pair = digit(high, radix, position)? * u64::from(radix) + digit(low, radix, position + 1)?;
        if number >> 53 != 0 {
            overflows |= product_overflows(number, square, pair);
        }
        // A value that wraps is an overflow. Read the whole text first, because an invalid
        // character has precedence.
        number = number.wrapping_mul(square).wrapping_add(pair);
        position += 2;
    }
    if text.first() == Some(&b'0') && text.len() > 1 {
        return Err(Error::NotCanonical.into());
    }
    if overflows || number > max { Err(Error::Overflow.into()) } else { Ok(number) }
}

/// The value of the character at a position of the text.
#[inline]
fn digit(character: u8, radix: u32, position: usize) -> Result<u64, Located> {
    // A character that is not a digit becomes 10 or more, and one that is not a letter 26 or more:
    // no radix has such a digit.
    let number = character.wrapping_sub(b'0');
    let letter = (character | 0x20).wrapping_sub(b'a');
    let value = if number < 10 { number.into() } else { u32::from(letter) + 10 };
    if value < radix { Ok(value.into()) } else { Err(Located { error: Error::Character, position }) }
}

/// The table's value for a character. A character outside ASCII keeps its top bit, which means that
/// it is not a digit.
#[inline]
fn look_up(values: &[u8; 128], character: u8) -> u8 {
    values[usize::from(character & 0x7F)] | character & NO_DIGIT
}

/// Whether `number * factor + more` has more than 64 bits. Computed in halves, because the whole
/// product would need 128 bits.
fn product_overflows(number: u64, factor: u64, more: u64) -> bool {
    let low = (number & ones(32)) * factor + more;
    ((number >> 32) * factor + (low >> 32)) >> 32 != 0
}
