//! Digits: five bits a character for the two base-32 alphabets, and integers in any radix from 2 to 36.
//! Decoding is strict: one wrong character is an error that names its position.

use crate::Error;

/// Marks a byte that is no digit in a decoding table.
const NO_DIGIT: u8 = 0xFF;

/// 32 characters in order of value, and the way back.
#[derive(Debug)]
pub struct Base32 {
    digits: [u8; 32],
    values: [u8; 128],
}

impl Base32 {
    /// sno: `2-9a-x`. Lower case only; text sorts as bytes do.
    pub const SNO: Self = Self::new(b"23456789abcdefghijklmnopqrstuvwx", false);

    /// Crockford's, without `I L O U`; upper case out, either case in. No aliases, no hyphens.
    pub const CROCKFORD: Self = Self::new(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ", true);

    const fn new(digits: &[u8; 32], fold: bool) -> Self {
        let mut values = [NO_DIGIT; 128];
        let mut value = 0_u8;
        while value < 32 {
            let digit = digits[value as usize];
            values[digit as usize] = value;
            if fold {
                values[digit.to_ascii_lowercase() as usize] = value;
            }
            value += 1;
        }
        Self { digits: *digits, values }
    }

    /// The lowest `text.len() * 5` bits of `bits` as text, highest first.
    pub fn encode(&self, mut bits: u64, text: &mut [u8]) {
        for character in text.iter_mut().rev() {
            *character = self.digits[(bits & 31) as usize];
            bits >>= 5;
        }
    }

    /// Text to bits, highest first; the caller sees to it that they fit. `offset` is where this part starts.
    pub fn decode(&self, text: &[u8], offset: usize) -> Result<u64, Error> {
        let mut bits = 0;
        for (index, &character) in text.iter().enumerate() {
            let value = self.values.get(usize::from(character)).copied().unwrap_or(NO_DIGIT);
            if value == NO_DIGIT {
                return Err(Error::Character { at: offset.saturating_add(index) });
            }
            bits = (bits << 5) | u64::from(value);
        }
        Ok(bits)
    }
}

/// The smallest and the largest radix: digits `0-9a-z`.
pub const RADIX: core::ops::RangeInclusive<u32> = 2..=36;

/// The longest text of an integer below 2^64: 64 binary digits.
pub const LONGEST_DIGITS: usize = 64;

/// Digits to integer: either case, no sign, no prefix, no leading zero, at most `max`.
///
/// The errors come in the order in which a reader meets them: an empty text, a wrong character, a leading
/// zero, a number that is too large.
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
    let mut number = Some(0_u64);
    for (at, &character) in text.iter().enumerate() {
        let digit = match character {
            b'0'..=b'9' => character - b'0',
            b'a'..=b'z' => character - b'a' + 10,
            b'A'..=b'Z' => character - b'A' + 10,
            _ => NO_DIGIT,
        };
        if u32::from(digit) >= radix {
            return Err(Error::Character { at });
        }
        number = number
            .and_then(|number| number.checked_mul(u64::from(radix)))
            .and_then(|number| number.checked_add(u64::from(digit)));
    }
    if text.first() == Some(&b'0') && text.len() > 1 {
        return Err(Error::NotCanonical);
    }
    number.filter(|&number| number <= max).ok_or(Error::Overflow)
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
