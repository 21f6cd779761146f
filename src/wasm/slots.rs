//! The slots of the generators, and the burst that runs in one of them: whoever asks for a slot ends the burst first.

use super::encode::OngoingCall;
use super::memory::{self, Single};
use crate::engine::Generator;

/// The burst of the call that has made the last ID.
pub(super) static ONGOING: Single<OngoingCall> = Single::new(OngoingCall::NONE);

/// An open generator: one whose ticks have a length. What is running is settled.
#[inline(never)]
pub(super) fn generator(index: usize) -> Option<&'static mut Generator> {
    end_burst();
    memory::slot(index).filter(|generator| generator.scale.exists())
}

/// The place for a generator, open or not; `None` if memory cannot grow that far. What is running is settled.
pub(super) fn place(index: usize) -> Option<&'static mut Generator> {
    end_burst();
    memory::place(index)
}

/// Ends what is running: the generator counts what was taken.
#[inline(never)]
fn end_burst() {
    let ongoing = ONGOING.get();
    if let Some(generator) = ongoing.end().and_then(memory::slot) {
        generator.record(&ongoing.burst);
    }
}
