//! Continuing from a state: no ID is issued again, at any reading.

use crate::made::{self, InMs};
use crate::script::policy;
use crate::subjects;

/// A snapshot of the reference does not have the first live tick. Every tick may have been live, so `at` must not issue any.
#[test]
fn a_sno_state_leaves_no_way_to_repeat_an_id_by_its_time() {
    let subject = &subjects::all()[0];
    assert!(subject.is_sno());
    for tick in [0, 1, 1000] {
        #[expect(clippy::cast_precision_loss)]
        let reading = subject.schema.scale.timestamp(tick) as f64;
        let mut generator = subject.generator;
        assert_eq!(generator.next_ms(reading, None, &policy("tick-tock/wait", 0)), Ok(()));
        let live = subject.id(&generator);
        let (state, sequence) = (generator.state, u32::try_from(live.value).unwrap());
        let bounds = (0, 0xFFFF);
        let mut after = subject.generator;
        let restored = made::sno_state(bounds, sequence, state.highest, state.safe, state.tick_tocks);
        after.restore(restored, generator.backfill);
        for _ in 0..3 {
            if after.at_ms(reading, None) == Ok(()) {
                assert_ne!(subject.id(&after), live, "the predecessor's ID again");
            }
        }
    }
}
