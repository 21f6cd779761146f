//! Digits: the two alphabets of 32 characters, and integers in any radix from 2 to 36.
//! Decoding is strict: one wrong character is an error that names its position.
//!
//! All alphabets are cut from one cloth: their characters are some of `0-9a-z`, in that order. So the value of a
//! character is how many of the alphabet's stand before it, and one function reads them all.

use super::layout::{low_bits, ones, whole};
use crate::Error;

/// The smallest and the largest radix: digits `0-9a-z`.
pub const RADIX: core::ops::RangeInclusive<u32> = 2..=36;

/// The longest text of an integer below 2^64: 64 binary digits.
pub const LONGEST_DIGITS: usize = 64;

/// The characters that values are read from.
#[derive(Clone, Copy, Debug)]
pub struct Digits {
    /// Which characters they are, each as the bit of its [`place`].
    members: u64,
    /// In which of the eight rows of 32 characters they are.
    rows: u8,
}

/// Where a character stands among 64: figures, and past them letters, in either case. Other characters share these places.
const fn place(character: u8) -> u8 {
    character & 0x1F | (character & 0x40) >> 1
}

/// Figures, letters in upper case, and in lower case.
const ROWS: u8 = 1 << (b'0' >> 5) | 1 << (b'A' >> 5) | 1 << (b'a' >> 5);

impl Digits {
    /// The first `radix` of all, in either case. Errors: `Range`.
    pub(crate) fn first(radix: u32) -> Result<Self, Error> {
        if !RADIX.contains(&radix) {
            return Err(Error::Range { field: 1 });
        }
        let figures = ones(radix.min(10)) << place(b'0');
        let letters = ones(radix.saturating_sub(10)) << place(b'a');
        Ok(Self { members: figures | letters, rows: ROWS })
    }

    /// The value of a character.
    fn value(self, character: u8) -> Option<u64> {
        let place = place(character);
        let is_member = self.members >> place & u64::from(self.rows >> (character >> 5)) & 1;
        (is_member == 1).then(|| (self.members & ones(place.into())).count_ones().into())
    }

    /// Text to integer, at most `max`, which has at most 80 bits. Without a `length`, which then must be the text's,
    /// there are no leading zeros.
    ///
    /// The errors come in the order in which a reader meets them: the wrong length, a wrong character, a leading zero, a
    /// number that is too large.
    pub(crate) fn parse(self, text: &[u8], length: Option<usize>, max: u128) -> Result<u128, Error> {
        let found = text.len();
        if found != length.unwrap_or(found.max(1)) {
            return Err(Error::Length { found });
        }
        // In two parts, so that no product needs more than 64 bits. What is too large stays so.
        const LOW: u32 = 40;
        let radix = u64::from(self.members.count_ones());
        let (mut high, mut low) = (0_u64, 0_u64);
        for (at, &character) in text.iter().enumerate() {
            low = low * radix + self.value(character).ok_or(Error::Character { at })?;
            high = (high * radix + (low >> LOW)).min(1 << LOW);
            low &= ones(LOW);
        }
        if length.is_none() && found > 1 && text.first() == Some(&b'0') {
            return Err(Error::NotCanonical);
        }
        let id = whole(high >> (u64::BITS - LOW), high << LOW | low);
        if id > max { Err(Error::Overflow) } else { Ok(id) }
    }
}

/// 32 characters in order of value.
#[derive(Debug)]
pub struct Base32 {
    /// The same, as they are read.
    pub(crate) digits: Digits,
    zero: u8,
    /// Where characters are left out before the next: from which value on, and how many; (0, 0) where there is no more.
    gaps: [(u8, u8); 5],
}

impl Base32 {
    /// sno: `2-9a-x`. Lower case only; text sorts as bytes do.
    pub const SNO: Self = Self::new(b"23456789abcdefghijklmnopqrstuvwx", ROWS & !(1 << (b'A' >> 5)));

    /// Crockford's, without `I L O U`; upper case out, either case in. No aliases, no hyphens.
    pub const CROCKFORD: Self = Self::new(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ", ROWS);

    /// Characters that are written at once, in the bytes of an integer.
    const WORD: usize = size_of::<u64>();

    const fn new(characters: &[u8; 32], rows: u8) -> Self {
        let (mut members, mut gaps) = (0, [(0, 0); 5]);
        let (mut value, mut found) = (0, 0);
        while value < 32 {
            let character = characters[value as usize];
            members |= 1 << place(character);
            if value > 0 && character > characters[value as usize - 1] + 1 {
                gaps[found] = (value, character - characters[value as usize - 1] - 1);
                found += 1;
            }
            value += 1;
        }
        Self { digits: Digits { members, rows }, zero: characters[0], gaps }
    }

    /// The lowest bits of `id` as text of 8 to 16 characters, five bits each, highest first.
    pub fn write(&self, id: u128, text: &mut [u8]) {
        // What the first eight have too much is zeros in front.
        let surplus = (2 * Self::WORD).saturating_sub(text.len());
        let (high, low) = (self.word(low_bits(id >> 40)), self.word(low_bits(id)));
        if let Some(part) = text.first_chunk_mut() {
            *part = (high >> (8 * surplus)).to_le_bytes();
        }
        if let Some(part) = text.last_chunk_mut() {
            *part = low.to_le_bytes();
        }
    }

    /// The lowest 40 bits as eight characters, the first of them in the lowest byte: all at once, as they are halved three
    /// times, and then moved up by what is left out before each.
    #[inline(never)]
    fn word(&self, bits: u64) -> u64 {
        const ALL: u64 = 0x0101_0101_0101_0101;
        let mut values = bits & 0xFF_FFFF_FFFF;
        values = (values << 32).wrapping_sub((values >> 20).wrapping_mul((1 << 52) - 1));
        values = (values << 16).wrapping_sub((values >> 10 & 0x03FF_0000_03FF).wrapping_mul((1 << 26) - 1));
        values = (values << 8).wrapping_sub((values >> 5 & 0x001F_001F_001F_001F).wrapping_mul((1 << 13) - 1));
        let mut characters = values + ALL * u64::from(self.zero);
        for &(from, count) in &self.gaps {
            if count == 0 {
                break;
            }
            // The top bit of each byte whose value is at least that; a value has five bits.
            let above = values + ALL * u64::from(128 - from) >> 7 & ALL;
            characters += above * u64::from(count);
        }
        characters
    }
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
    Digits::first(radix)?.parse(text, None, max.into()).map(low_bits)
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
