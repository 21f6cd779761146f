//! All rows: the searches and their expected outcomes.

mod beyond;
mod liveness;
mod locks;
mod mistaken;
mod settings;
mod sound;

use crate::mistakes::{Mistake, Mistakes};
use crate::properties::{NO_DUPLICATE, Question};
use crate::row::{Expected, Row, Size};
use crate::setting::Setting;

/// The rows, in the order of the table.
pub fn rows() -> Vec<Row> {
    [sound::rows(), liveness::rows(), locks::rows(), mistaken::rows(), beyond::rows()].concat()
}

/// The sound form in a setting. All properties must hold.
const fn short(setting: Setting) -> Row {
    let mistakes = Mistakes::of(&[]);
    let (question, expected, size) = (Question::Safety, Expected::Sound, Size::Short);
    Row { variant: "sound", mistakes, setting, question, expected, size }
}

/// The same, but only in the larger run.
const fn long(setting: Setting) -> Row {
    Row { size: Size::Long, ..short(setting) }
}

/// A variant with mistakes, or the sound form in a setting that breaks a promise. There must be a
/// duplicate.
const fn duplicate(variant: &'static str, mistakes: &[Mistake], setting: Setting) -> Row {
    Row {
        variant,
        mistakes: Mistakes::of(mistakes),
        setting,
        question: Question::Duplicate,
        expected: Expected::Broken(NO_DUPLICATE),
        size: Size::Short,
    }
}

/// A variant with mistakes that nevertheless repeats no ID.
const fn no_duplicate(variant: &'static str, mistakes: &[Mistake], setting: Setting) -> Row {
    let (mistakes, question) = (Mistakes::of(mistakes), Question::NoDuplicate);
    Row { variant, mistakes, setting, question, expected: Expected::Sound, size: Size::Short }
}
