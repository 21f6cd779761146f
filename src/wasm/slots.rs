//! The slots of the generators, and the ongoing burst in one of them, which ends whenever a slot is accessed.

use super::encode::OngoingCall;
use super::memory::{self, Single};
use crate::engine::Generator;

/// The call that has made the last ID, and its burst.
pub(super) static ONGOING: Single<OngoingCall> = Single::new(OngoingCall::NONE);

/// The generator in a slot, if it is open: an open one has a scale. Ends the burst.
#[inline(never)]
pub(super) fn generator(index: usize) -> Option<&'static mut Generator> {
    end_burst();
    memory::slot(index).filter(|generator| generator.scale.exists())
}

/// The place for a generator, open or not; `None` if memory cannot grow that far. Ends the burst.
pub(super) fn place(index: usize) -> Option<&'static mut Generator> {
    end_burst();
    memory::place(index)
}

/// Ends the ongoing burst: its generator records what was taken.
#[inline(never)]
fn end_burst() {
    let ongoing = ONGOING.get();
    if let Some(generator) = ongoing.end().and_then(memory::slot) {
        generator.record(&ongoing.burst);
    }
}
