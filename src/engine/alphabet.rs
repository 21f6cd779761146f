//! Text forms: the formats' alphabets of 32 characters, and how an ID is written in them. The
//! package reads texts (js/read/load.ts).

use core::num::NonZeroUsize;

use super::layout::{low_bits, ones};

/// How many characters are written as one part. Their 40 bits fit a register.
const HALF: usize = 8;

/// Whether no character stands for two values. With `folds`, the case of letters does not matter.
const fn are_distinct(digits: &[u8; 32], folds: bool) -> bool {
    let mut index = 1;
    while index < digits.len() {
        let mut earlier = 0;
        while earlier < index {
            let (one, other) = (digits[index], digits[earlier]);
            if one == other || folds && one.eq_ignore_ascii_case(&other) {
                return false;
            }
            earlier += 1;
        }
        index += 1;
    }
    true
}

/// A text form: 32 characters in order of value, five bits each; whether letters are read in either
/// case; and the length of a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Base32 {
    digits: [u8; 32],
    folds: bool,
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
        assert!(are_distinct(digits, folds), "a character has one value");
        Self { digits: *digits, folds, length: NonZeroUsize::new(length).unwrap() }
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

    /// Whether letters are read in either case.
    pub const fn folds(&self) -> bool {
        self.folds
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
}
