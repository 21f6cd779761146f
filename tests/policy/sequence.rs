//! The tick's sequence is used up: alone, ahead of the clock, and while the clock is back.

use crate::script::{POOL, is_random};
use crate::story::{STORY, Story, tell};
use crate::subjects::{self, Subject};
use graupel::Error;
use graupel::engine::{Answer, Policy};

#[test]
fn a_full_sequence() {
    tell(&[
        Story {
            name: "and the clock goes on",
            script: "100*5 101",
            answers: &[
                ("*/throw", "100.0-3 full 101.0"),
                ("*/wait", "100.0-3 full~101=101.0-1"),
                ("*/borrow", "100.0-3 101.0-1"),
            ],
            ..STORY
        },
        Story {
            name: "and nobody waits for it",
            script: "100*4 100? 100? 101",
            answers: &[
                ("*/throw", "100.0-3 full full 101.0"),
                ("*/wait", "100.0-3 full~101 full~101 101.0"),
                ("*/borrow", "100.0-3 101.0-2"),
            ],
            ..STORY
        },
        Story {
            name: "twice in a row",
            script: "100*4 101*5 103",
            answers: &[
                ("*/throw", "100.0-3 101.0-3 full 103.0"),
                ("*/wait", "100.0-3 101.0-3 full~102=102.0 103.0"),
                ("*/borrow", "100.0-3 101.0-3 102.0 103.0"),
            ],
            ..STORY
        },
    ]);
}

#[test]
fn borrowing_has_a_limit() {
    tell(&[
        Story {
            name: "the last tick that may be borrowed, and one more",
            ahead: 2,
            under: "*/borrow",
            script: "100*12 100? 101*4 101?",
            answers: &[("*", "100.0-3 101.0-3 102.0-3 full~101 103.0-3 full~102")],
            ..STORY
        },
        Story {
            name: "waiting until more may be borrowed",
            ahead: 2,
            under: "*/borrow",
            script: "100*13",
            answers: &[("*", "100.0-3 101.0-3 102.0-3 full~101=103.0")],
            ..STORY
        },
        Story {
            name: "nothing may be borrowed",
            ahead: 0,
            under: "*/borrow",
            script: "100*5",
            answers: &[("*", "100.0-3 full~101=101.0")],
            ..STORY
        },
        Story {
            name: "the clock catches up, and overtakes",
            under: "*/borrow",
            script: "100*9 101 102 103",
            answers: &[("*", "100.0-3 101.0-3 102.0-2 103.0")],
            ..STORY
        },
    ]);
}

/// Rule 4 of the design: "back" is said of readings, "full" of ticks.
#[test]
fn being_ahead_is_being_full_and_not_being_back() {
    tell(&[
        Story {
            name: "other callers of the same generator do not borrow",
            under: "throw/throw throw/wait",
            script: "throw/borrow 100*6 throw/throw 100? throw/wait 100? 101 102",
            answers: &[("*", "100.0-3 101.0-1 full full~101 101.2 102.0")],
            ..STORY
        },
        Story {
            name: "a step back is one from the highest reading, not from the borrowed tick",
            under: "*/borrow",
            script: "100*9 99",
            answers: &[
                ("throw/*", "100.0-3 101.0-3 102.0 back"),
                ("wait/*", "100.0-3 101.0-3 102.0 back~100=102.1"),
                ("hold/*", "100.0-3 101.0-3 102.0-1"),
                ("tick-tock/*", "100.0-3 101.0-3 102.0 99.0'"),
            ],
            ..STORY
        },
        Story {
            name: "what was borrowed is spent on sno's first line",
            who: Subject::is_sno,
            under: "tick-tock/borrow",
            script: "100*9 99 101 98? 103 102? 104 103",
            answers: &[("*", "100.0-3 101.0-3 102.0 99.0' 101.0' back~101 103.0' back~103 104.0' 103.0")],
            ..STORY
        },
    ]);
}

#[test]
fn full_while_the_clock_is_back() {
    tell(&[
        Story {
            name: "the held tick is full",
            script: "100 99*4",
            under: "hold/*",
            answers: &[
                ("*/throw", "100.0-3 full"),
                ("*/wait", "100.0-3 full~101=101.0"),
                ("*/borrow", "100.0-3 101.0"),
            ],
            ..STORY
        },
        Story {
            name: "the tick was full before the step back",
            script: "100*4 99",
            answers: &[
                ("throw/*", "100.0-3 back"),
                ("wait/throw", "100.0-3 back~100=full"),
                ("wait/wait", "100.0-3 back~100=full~101=101.0"),
                ("wait/borrow", "100.0-3 back~100=101.0"),
                ("hold/throw", "100.0-3 full"),
                ("hold/wait", "100.0-3 full~101=101.0"),
                ("hold/borrow", "100.0-3 101.0"),
                ("tick-tock/*", "100.0-3 99.0'"),
            ],
            ..STORY
        },
        Story {
            name: "holding and borrowing have one limit between them, from the clock on",
            ahead: 2,
            under: "hold/borrow",
            script: "102 100*4",
            answers: &[("*", "102.0-3 full~101=103.0")],
            ..STORY
        },
        Story {
            name: "sno's other line fills up by itself",
            who: Subject::is_sno,
            under: "tick-tock/*",
            script: "100*4 99*5",
            answers: &[
                ("*/throw", "100.0-3 99.0-3' full"),
                ("*/wait", "100.0-3 99.0-3' full~100=100.0'"),
                ("*/borrow", "100.0-3 99.0-3' 100.0'"),
            ],
            ..STORY
        },
    ]);
}

/// Not only pools of four: what the layout says.
#[test]
fn a_tick_holds_exactly_the_capacity() {
    for subject in subjects::all().iter().filter(|subject| !is_random(subject)) {
        let mut generator = subject.generator;
        let capacity = generator.values.capacity();
        assert_eq!(capacity, subject.schema.layout.max(subject.schema.sequence) + 1, "{}", subject.name);
        assert!(capacity >= POOL, "{}: the stories need pools of {POOL}", subject.name);
        #[expect(clippy::cast_precision_loss)]
        let now = subject.schema.scale.timestamp(7) as f64;
        for value in 0..capacity {
            assert_eq!(generator.next(now, None, &Policy::default()), Answer::Issued, "{} {value}", subject.name);
            assert_eq!(subject.id(&generator).value, value, "{}", subject.name);
        }
        let answer = generator.next(now, None, &Policy::default());
        assert_eq!(answer, Answer::Refused(Error::SequenceFull), "{}", subject.name);
    }
}
