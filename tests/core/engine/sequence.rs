//! How many IDs a tick holds.

use crate::check::test;
use crate::engine::script::{POOL, is_random};
use crate::made::{self, InMs};
use crate::subjects;
use graupel::Error;
use graupel::engine::{NotIssued, Policy};

/// The capacity that the layout gives, not only pools of four.
#[test]
fn a_tick_holds_exactly_the_capacity() {
    for subject in subjects::all().iter().filter(|subject| !is_random(subject)) {
        let mut generator = subject.generator;
        let capacity = made::capacity(generator.values());
        assert_eq!(capacity, subject.schema.layout().place(subject.sequence).unwrap().max() + 1, "{}", subject.name);
        assert!(capacity >= POOL, "{}: the stories need pools of {POOL}", subject.name);
        #[expect(clippy::cast_precision_loss)]
        let now = subject.schema.scale().timestamp(7) as f64;
        for value in 0..capacity {
            assert_eq!(generator.next_ms(now, None, &Policy::default()), Ok(()), "{} {value}", subject.name);
            assert_eq!(subject.id(&generator).value, value, "{}", subject.name);
        }
        let answer = generator.next_ms(now, None, &Policy::default());
        assert_eq!(answer, Err(NotIssued::Refused(Error::SequenceFull)), "{}", subject.name);
    }
}
