//! The counter behind `at(time)`: what it refuses is what could repeat an ID, its own or the clock's.

use crate::script::is_random;
use crate::story::{STORY, Story, tell};
use crate::subjects::Subject;

fn counts(subject: &Subject) -> bool {
    !is_random(subject)
}

#[test]
fn given_times_in_any_order_until_the_counter_has_rolled_over() {
    let story = Story { who: counts, ..STORY };
    tell(&[
        Story { name: "up and down", script: "@50 @40 @60 @50", answers: &[("*", "@50.0 @40.1 @60.2 @50.3")], ..story },
        Story {
            name: "the capacity of one tick, then only later ones",
            script: "@50*4 @49 @50 @51 @50 @51*3 @51",
            answers: &[("*", "@50.0-3 @taken @full @51.0 @taken @51.1-3 @full")],
            ..story
        },
        Story {
            name: "a tick begun in the middle of the counter",
            script: "@50 @60*3 @60*2 @61",
            answers: &[("*", "@50.0 @60.1-3 @60.0 @full @61.1")],
            ..story
        },
        Story {
            name: "earlier ticks use the counter up as well",
            script: "@50 @60 @55*2 @60*2",
            answers: &[("*", "@50.0 @60.1 @55.2-3 @60.0 @full")],
            ..story
        },
        Story {
            name: "rolled over at a new highest time",
            script: "@50*4 @60 @59 @60*3 @60",
            answers: &[("*", "@50.0-3 @60.0 @taken @60.1-3 @full")],
            ..story
        },
    ]);
}

/// Random values carry no order of their own: times must not fall, ever.
#[test]
fn given_times_of_random_formats_rise() {
    tell(&[Story {
        name: "up, down, and until a tick is full",
        who: is_random,
        script: "@50*2 @49 @51*4 @51 @50 @52",
        answers: &[("*", "@50.0-1 @taken @51.0-3 @full @taken @52.0")],
        ..STORY
    }]);
}

#[test]
fn given_times_and_the_clock_keep_apart() {
    tell(&[
        Story {
            name: "given times end before the first live tick",
            script: "100 @100 @101 @99 100",
            answers: &[("*", "100.0 @taken @taken @99.0 100.1")],
            ..STORY
        },
        Story {
            name: "live ticks begin after the highest given time",
            script: "@100 90 100 101 @101",
            answers: &[("*", "@100.0 taken taken 101.0 @taken")],
            ..STORY
        },
        Story {
            name: "live ticks begin after the highest, not the last, given time",
            who: counts,
            script: "@100 @50 100 101 @100",
            answers: &[("*", "@100.0 @50.1 taken 101.0 @100.2")],
            ..STORY
        },
        Story {
            name: "neither uses up the other's values",
            script: "100*2 @50 100 @50 100",
            answers: &[("*", "100.0-1 @50.0 100.2 @50.1 100.3")],
            ..STORY
        },
        Story {
            name: "a step back moves the first live tick",
            who: Subject::is_sno,
            under: "tick-tock/*",
            script: "@70 100 90 @90 @89 70 71 @71 @70",
            answers: &[("*", "@70.0 100.0 90.0' @taken @89.1 back~90=90.1' back~90=90.2' @71.2 @70.3")],
            ..STORY
        },
        Story {
            name: "a step back into given times",
            who: Subject::is_sno,
            under: "tick-tock/*",
            script: "@70 100 70 71 @71",
            answers: &[("*", "@70.0 100.0 taken 71.0' @taken")],
            ..STORY
        },
        Story {
            name: "the tick-tock bit is the clock's alone",
            who: Subject::is_sno,
            under: "tick-tock/*",
            script: "100 90 @50 90",
            answers: &[("*", "100.0 90.0' @50.0 90.1'")],
            ..STORY
        },
        Story {
            name: "borrowed and held ticks are live ticks",
            under: "hold/borrow",
            script: "@101 100*4 102*4 101*2 @101 @102",
            answers: &[("*", "@101.0 taken taken taken taken 102.0-3 103.0-1 @101.1 @taken")],
            ..STORY
        },
    ]);
}
