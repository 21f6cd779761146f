//! Digits: the two alphabets of 32 characters, and integers in any radix from 2 to 36.
//! Decoding is strict: one wrong character is an error that names its position.
//!
use super::layout::{low_bits, ones};
use crate::Error;

/// The smallest and the largest radix: digits `0-9a-z`.
pub const RADIX: core::ops::RangeInclusive<u32> = 2..=36;

/// The longest text of an integer below 2^64: 64 binary digits.
pub const LONGEST_DIGITS: usize = 64;

/// A one in each byte of a word.
const ALL: u64 = 0x0101_0101_0101_0101;

/// 32 characters in order of value, five bits each, eight of them at once: in the bytes of a word, the first in the
/// lowest one.
#[derive(Debug)]
pub struct Base32 {
    zero: u8,
    /// Where characters are left out before the next: from which value on, and how many; (0, 0) where there is no more.
    gaps: [(u8, u8); 5],
    /// Whether lower case is read as upper case.
    folds: bool,
}

impl Base32 {
    /// sno: `2-9a-x`. Lower case only; text sorts as bytes do.
    pub const SNO: Self = Self::new(b"23456789abcdefghijklmnopqrstuvwx", false);

    /// Crockford's, without `I L O U`; upper case out, either case in. No aliases, no hyphens.
    pub const CROCKFORD: Self = Self::new(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ", true);

    /// Bits of a word's eight characters.
    const BITS: u32 = 40;

    const fn new(characters: &[u8; 32], folds: bool) -> Self {
        let mut gaps = [(0, 0); 5];
        let (mut value, mut found) = (1, 0);
        while value < 32 {
            let missing = characters[value as usize] - characters[value as usize - 1] - 1;
            if missing > 0 {
                gaps[found] = (value, missing);
                found += 1;
            }
            value += 1;
        }
        Self { zero: characters[0], gaps, folds }
    }

    /// The lowest bits of `id` as text of 8 to 16 characters, highest first.
    pub fn write(&self, id: u128, text: &mut [u8]) {
        // What the first eight have too much is zeros in front.
        let surplus = 8 * (16_usize.saturating_sub(text.len()) & 7);
        let (high, low) = (self.characters(low_bits(id >> Self::BITS)), self.characters(low_bits(id)));
        if let Some(part) = text.first_chunk_mut() {
            *part = (high >> surplus).to_le_bytes();
        }
        if let Some(part) = text.last_chunk_mut() {
            *part = low.to_le_bytes();
        }
    }

    /// Text of `length`, 8 to 16 characters, to an integer of at most `max`. Errors: `Length`, `Character`, `Overflow`.
    pub fn parse(&self, text: &[u8], length: usize, max: u128) -> Result<u128, Error> {
        let found = text.len();
        let (Some(first), Some(last), true) = (text.first_chunk(), text.last_chunk(), found == length) else {
            return Err(Error::Length { found });
        };
        let surplus = 8 * (16_usize.saturating_sub(length) & 7);
        let zeros = ((1 << surplus) - 1) & (ALL * u64::from(self.zero));
        let high = self.bits(u64::from_le_bytes(*first) << surplus | zeros);
        let low = self.bits(u64::from_le_bytes(*last));
        let (Some(high), Some(low)) = (high, low) else {
            let is_wrong = |&character: &u8| self.bits(ALL * u64::from(character)).is_none();
            return Err(Error::Character { at: text.iter().position(is_wrong).unwrap_or(0) });
        };
        let id = u128::from(high) << Self::BITS | u128::from(low);
        if id > max { Err(Error::Overflow) } else { Ok(id) }
    }

    /// The lowest 40 bits as characters: halved three times, then moved up by what is left out before each.
    #[inline]
    fn characters(&self, bits: u64) -> u64 {
        let mut values = bits & ones(Self::BITS);
        values = (values << 32).wrapping_sub((values >> 20).wrapping_mul((1 << 52) - 1));
        values = (values << 16).wrapping_sub((values >> 10 & 0x03FF_0000_03FF).wrapping_mul((1 << 26) - 1));
        values = (values << 8).wrapping_sub((values >> 5 & 0x001F_001F_001F_001F).wrapping_mul((1 << 13) - 1));
        let mut characters = values + ALL * u64::from(self.zero);
        for &(from, count) in &self.gaps {
            characters += at_least(values, from) * u64::from(count);
        }
        characters
    }

    /// The inverse of `characters`. Whatever else may stand in the word comes to some value or other, whose characters are
    /// then not these.
    #[inline]
    fn bits(&self, word: u64) -> Option<u64> {
        // Letters are the characters with the bit above that of their case.
        let word = if self.folds { word & !(word >> 1 & (ALL << 5)) } else { word };
        let mut values = word.wrapping_sub(ALL * u64::from(self.zero));
        for &(from, count) in &self.gaps {
            values = values.wrapping_sub(at_least(values, from + count) * u64::from(count));
        }
        values &= ALL * 31;
        values = (values & 0x00FF_00FF_00FF_00FF) << 5 | (values >> 8 & 0x00FF_00FF_00FF_00FF);
        values = (values & 0xFFFF_0000_FFFF) << 10 | (values >> 16 & 0xFFFF_0000_FFFF);
        values = (values & 0xFFFF_FFFF) << 20 | values >> 32;
        (self.characters(values) == word).then_some(values)
    }
}

/// A one in each byte of `values` that is at least `least`, of bytes below 128.
const fn at_least(values: u64, least: u8) -> u64 {
    if least == 0 { 0 } else { (values.wrapping_add(ALL * (128 - least as u64))) >> 7 & ALL }
}

/// Digits to integer: either case, no sign, no prefix, no leading zero, at most `max`.
///
/// Errors: `Range` for the radix; then `Length` for an empty text, `Character`, `NotCanonical`, `Overflow`.
///
/// ```
/// use graupel::{Error, engine::alphabet::parse_digits};
/// assert_eq!(parse_digits(b"1y2p0ij32e8e7", 36, u64::MAX), Ok(i64::MAX as u64));
/// assert_eq!(parse_digits(b"010", 10, u64::MAX), Err(Error::NotCanonical));
/// ```
pub fn parse_digits(text: &[u8], radix: u32, max: u64) -> Result<u64, Error> {
    if !RADIX.contains(&radix) {
        return Err(Error::Range { field: 1 });
    }
    if text.is_empty() {
        return Err(Error::Length { found: 0 });
    }
    let mut number = 0_u64;
    let mut overflows = false;
    for (at, &character) in text.iter().enumerate() {
        let letter = character | 0x20;
        let digit = match character {
            b'0'..=b'9' => character - b'0',
            _ if letter.is_ascii_lowercase() => letter - b'a' + 10,
            _ => u8::MAX,
        };
        if u32::from(digit) >= radix {
            return Err(Error::Character { at });
        }
        // Below that, no radix makes it too large.
        if number >> 58 != 0 {
            let low = (number & ones(32)) * u64::from(radix);
            overflows |= ((number >> 32) * u64::from(radix) + (low >> 32)) >> 32 != 0;
        }
        let (sum, carried) = number.wrapping_mul(radix.into()).overflowing_add(digit.into());
        overflows |= carried;
        number = sum;
    }
    if text.first() == Some(&b'0') && text.len() > 1 {
        return Err(Error::NotCanonical);
    }
    if overflows || number > max { Err(Error::Overflow) } else { Ok(number) }
}

/// Integer to digits, lower case, no leading zeros, at the end of `text`; returns how many there are.
/// `radix` must be in [`RADIX`]; anything else writes nothing.
pub fn write_digits(mut number: u64, radix: u32, text: &mut [u8; LONGEST_DIGITS]) -> usize {
    if !RADIX.contains(&radix) {
        return 0;
    }
    let mut length = 0;
    for character in text.iter_mut().rev() {
        #[expect(clippy::cast_possible_truncation)]
        let digit = (number % u64::from(radix)) as u8;
        *character = if digit < 10 { b'0' + digit } else { b'a' + digit - 10 };
        number /= u64::from(radix);
        length += 1;
        if number == 0 {
            break;
        }
    }
    length
}
