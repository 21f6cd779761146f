//! Before the epoch, the first tick, the last, past the end of life; and the ends of an interval of ID time.

use graupel::Error;
use graupel::engine::{Answer, Policy};

use crate::script::is_random;
use crate::story::{Origin, STORY, Story, tell};
use crate::subjects::{self, Subject};

#[test]
fn the_first_tick() {
    tell(&[
        Story {
            name: "before the epoch",
            who: |subject| !subject.is_sno(),
            script: "-1 @-1 @0 -100000 1",
            answers: &[("*", "before @before @0.0 before 1.0")],
            ..STORY
        },
        Story {
            name: "given times in the tick of the epoch",
            who: |subject| !is_random(subject),
            script: "@0*2 @1 @0 @-1",
            answers: &[("*", "@0.0-1 @1.2 @0.3 @before")],
            ..STORY
        },
        Story {
            name: "the tick of the epoch",
            who: |subject| !subject.is_sno(),
            script: "-1 0*2 1",
            answers: &[("*", "before 0.0-1 1.0")],
            ..STORY
        },
        Story {
            name: "the tick of sno's epoch, which counts as begun",
            who: Subject::is_sno,
            script: "-1 0*2 1",
            answers: &[("*", "before 0.1-2 1.0")],
            ..STORY
        },
    ]);
}

#[test]
fn the_last_tick() {
    tell(&[
        Story {
            name: "and past the end of life",
            origin: Origin::Last,
            script: "-1 0*2 1 100000 0",
            answers: &[("*", "-1.0 0.0-1 ended ended 0.2")],
            ..STORY
        },
        Story {
            name: "waited for, or borrowed",
            origin: Origin::Last,
            script: "-1*5",
            answers: &[("*/throw", "-1.0-3 full"), ("*/wait", "-1.0-3 full~0=0.0"), ("*/borrow", "-1.0-3 0.0")],
            ..STORY
        },
        Story {
            name: "for given times",
            origin: Origin::Last,
            who: |subject| !is_random(subject),
            script: "@-1 @0 @1 @100000 @0",
            answers: &[("*", "@-1.0 @0.1 @ended @ended @0.2")],
            ..STORY
        },
        Story {
            name: "going back from it",
            origin: Origin::Last,
            script: "0 -1",
            answers: &[
                ("throw/*", "0.0 back"),
                ("wait/*", "0.0 back~0=0.1"),
                ("hold/*", "0.0-1"),
                ("tick-tock/*", "0.0 -1.0'"),
            ],
            ..STORY
        },
        Story {
            name: "full",
            origin: Origin::Last,
            under: "*/throw */wait",
            script: "0*5",
            answers: &[("*/throw", "0.0-3 full"), ("*/wait", "0.0-3 ended")],
            ..STORY
        },
    ]);
}

/// There is no tick to borrow after the last one; before it there is.
#[test]
fn the_end_of_life_is_not_borrowed_from() {
    tell(&[Story {
        name: "borrowing at the end",
        origin: Origin::Last,
        under: "*/borrow",
        script: "-1*9 -1? 0",
        answers: &[("*", "-1.0-3 0.0-3 ended ended ended")],
        ..STORY
    }]);
}

/// To the quarter of a millisecond: readings are floored, Mastodon's are rounded, halves to even.
#[test]
#[expect(clippy::cast_precision_loss)]
fn ends_to_the_fraction_of_a_millisecond() {
    let (early, late) = (Answer::Refused(Error::BeforeEpoch), Answer::Refused(Error::EndOfLife));
    for subject in subjects::all() {
        let scale = subject.schema.scale;
        let (first, end) = (scale.timestamp(0) as f64, scale.timestamp(scale.last() + 1) as f64);
        let rounds = subject.name == "mastodon";
        let rows = [
            (first - 1.0, early),
            (first - 0.75, early),
            (first - 0.5, if rounds { Answer::Issued } else { early }),
            (first - 0.25, if rounds { Answer::Issued } else { early }),
            (first, Answer::Issued),
            (end - 1.0, Answer::Issued),
            (end - 0.75, Answer::Issued),
            (end - 0.5, if rounds { late } else { Answer::Issued }),
            (end - 0.25, if rounds { late } else { Answer::Issued }),
            (end, late),
            (f64::MAX, late),
            (f64::INFINITY, late),
            (f64::NEG_INFINITY, early),
        ];
        for (reading, expected) in rows {
            for given in [false, true] {
                let mut generator = subject.generator;
                let mut ask = |bits| match given {
                    false => generator.next(reading, bits, &Policy::default()),
                    true => generator.at(reading, bits),
                };
                let mut answer = ask(None);
                if let Answer::Draw { .. } = answer {
                    answer = ask(Some(1));
                }
                assert_eq!(answer, expected, "{} at {reading}, given: {given}", subject.name);
            }
        }
        let mut generator = subject.generator;
        let nonsense = generator.next(f64::NAN, None, &Policy::default());
        assert!(
            matches!(nonsense, Answer::Refused(_)),
            "{}: {nonsense:?} at a reading that is no number",
            subject.name
        );
    }
}

/// The interval is [100, 105), and generators may run ahead of the clock by two ticks.
#[test]
fn an_interval_of_id_time() {
    let interval = Story { interval: Some((100, 105)), ahead: 2, ..STORY };
    tell(&[
        Story { name: "inside it", script: "100*2 103 104", answers: &[("*", "100.0-1 103.0 104.0")], ..interval },
        Story {
            name: "too early, and as early as may be",
            script: "0? 97? 98",
            answers: &[("*", "outside~98 outside~98 100.0")],
            ..interval
        },
        Story { name: "waiting for it", script: "97", answers: &[("*", "outside~98=100.0")], ..interval },
        Story {
            name: "its last tick, and past it",
            script: "104 105 100000 104",
            answers: &[("*", "104.0 outside outside 104.1")],
            ..interval
        },
        Story {
            name: "its last tick is full",
            script: "104*5",
            answers: &[
                ("*/throw", "104.0-3 full"),
                ("*/wait", "104.0-3 full~105=outside"),
                ("*/borrow", "104.0-3 outside"),
            ],
            ..interval
        },
        Story {
            name: "sno's clock goes back within it",
            who: Subject::is_sno,
            under: "tick-tock/*",
            script: "103 100 99? 101",
            answers: &[("*", "103.0 100.0' back~100 101.0'")],
            ..interval
        },
        Story {
            name: "given times",
            who: |subject| !is_random(subject),
            script: "@99 @100 @104 @105 @100",
            answers: &[("*", "@outside @100.0 @104.1 @outside @100.2")],
            ..interval
        },
    ]);
}

/// An ID may be ahead of the clock because its interval is; the clock then goes forward, not back.
#[test]
fn an_interval_ahead_of_the_clock_is_no_clock_going_back() {
    let interval = Story { interval: Some((100, 105)), ahead: 2, ..STORY };
    tell(&[
        Story {
            name: "the clock comes into it from before",
            script: "98 99 100 101",
            answers: &[("*", "100.0-2 101.0")],
            ..interval
        },
        Story {
            name: "its first tick is full before the clock is there",
            script: "98*5",
            answers: &[
                ("*/throw", "100.0-3 full"),
                ("*/wait", "100.0-3 full~101=101.0"),
                ("*/borrow", "100.0-3 full~99=101.0"),
            ],
            ..interval
        },
        Story {
            name: "the clock goes back before it is there",
            script: "99 98",
            answers: &[
                ("throw/*", "100.0 back"),
                ("wait/*", "100.0 back~99=100.1"),
                ("hold/*", "100.0-1"),
                ("tick-tock/*", "100.0 back~99=100.1"),
            ],
            ..interval
        },
    ]);
}

#[test]
fn a_clock_that_goes_back_to_before_the_interval() {
    let interval = Story { interval: Some((100, 105)), ahead: 2, ..STORY };
    tell(&[Story {
        name: "the clock goes back to before it",
        script: "103 99",
        answers: &[
            ("throw/*", "103.0 back"),
            ("wait/*", "103.0 back~103=103.1"),
            ("hold/*", "103.0 back~101=103.1"),
            ("tick-tock/*", "103.0 back~100=100.0'"),
        ],
        ..interval
    }]);
}
