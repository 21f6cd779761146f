//! The slots of the generators, and the call that has made the last ID, which the next one may continue.

use super::encode::EncodedId;
use super::memory::{self, Single};
use crate::engine::Generator;

/// A call of [`next`](super::generator_calls::next): what was asked, and the ID. An equal call at the same reading, possibly with other
/// bits of its own, continues from here unless a slot was accessed in between.
///
/// It remembers nothing that is not in the slot, so it can be forgotten at any time.
pub(super) struct LastCall {
    pub(super) index: usize,
    pub(super) flags: u32,
    /// The reading; NaN, which equals no reading, for no call.
    pub(super) now: f64,
    pub(super) max_ahead: f64,
    pub(super) id: EncodedId,
}

pub(super) static LAST_CALL: Single<LastCall> =
    Single::new(LastCall { index: 0, flags: 0, now: f64::NAN, max_ahead: 0.0, id: EncodedId::NONE });

/// The generator in a slot, if it is open: an open one has a scale. Forgets the last call.
#[inline(never)]
pub(super) fn generator(index: usize) -> Option<&'static mut Generator> {
    slot(index).filter(|generator| generator.scale.exists())
}

/// A slot, open or not; `None` if there is none. Forgets the last call.
pub(super) fn slot(index: usize) -> Option<&'static mut Generator> {
    LAST_CALL.get().now = f64::NAN;
    memory::slot(index)
}
