//! The clock stands still, goes forward, goes back a little, a lot, and twice.

use crate::story::{STORY, Story, tell};
use crate::subjects::Subject;

#[test]
fn a_clock_that_does_not_go_back() {
    tell(&[
        Story { name: "still", script: "100*3", answers: &[("*", "100.0-2")], ..STORY },
        Story {
            name: "forward, by one and by many",
            script: "100*2 101 107*2 100000",
            answers: &[("*", "100.0-1 101.0 107.0-1 100000.0")],
            ..STORY
        },
    ]);
}

#[test]
fn a_clock_that_goes_back_once() {
    tell(&[
        Story {
            name: "by one tick, and forward again",
            script: "100 101 100 101",
            answers: &[
                ("throw/*", "100.0 101.0 back 101.1"),
                ("wait/*", "100.0 101.0 back~101=101.1-2"),
                ("hold/*", "100.0 101.0-2"),
                ("tick-tock/*", "100.0 101.0 100.0' 101.0'"),
            ],
            ..STORY
        },
        Story {
            name: "by exactly as much as may be held",
            script: "105 100 101",
            answers: &[
                ("throw/*", "105.0 back back"),
                ("wait/*", "105.0 back~105=105.1 back~105=105.2"),
                ("hold/*", "105.0-2"),
                ("tick-tock/*", "105.0 100.0' 101.0'"),
            ],
            ..STORY
        },
        Story {
            name: "by one tick more than may be held",
            script: "106 100 101",
            answers: &[
                ("throw/*", "106.0 back back"),
                ("wait/*", "106.0 back~106=106.1 back~106=106.2"),
                ("hold/*", "106.0 back~101=106.1-2"),
                ("tick-tock/*", "106.0 100.0' 101.0'"),
            ],
            ..STORY
        },
        Story {
            name: "while nothing may be held",
            ahead: 0,
            script: "101 100 101",
            answers: &[
                ("throw/*", "101.0 back 101.1"),
                ("wait/* hold/*", "101.0 back~101=101.1-2"),
                ("tick-tock/*", "101.0 100.0' 101.0'"),
            ],
            ..STORY
        },
        Story {
            name: "by a lot",
            script: "100000 100 100001",
            answers: &[
                ("throw/*", "100000.0 back 100001.0"),
                ("wait/*", "100000.0 back~100000=100000.1 100001.0"),
                ("hold/*", "100000.0 back~99995=100000.1 100001.0"),
                ("tick-tock/*", "100000.0 100.0' 100001.0'"),
            ],
            ..STORY
        },
        Story {
            name: "to the first tick of all",
            script: "100 0 100",
            answers: &[
                ("throw/*", "100.0 back 100.1"),
                ("wait/*", "100.0 back~100=100.1-2"),
                ("hold/*", "100.0 back~95=100.1-2"),
                ("tick-tock/*", "100.0 back~1=1.0' 100.0'"),
            ],
            ..STORY
        },
        Story {
            name: "and nobody waits for it",
            script: "105 90? 105 90? 106",
            answers: &[
                ("throw/*", "105.0 back 105.1 back 106.0"),
                ("wait/*", "105.0 back~105 105.1 back~105 106.0"),
                ("hold/*", "105.0 back~100 105.1 back~100 106.0"),
                ("tick-tock/*", "105.0 90.0' 105.0' back~105 106.0'"),
            ],
            ..STORY
        },
    ]);
}

/// What the second step back meets: sno's two lines, and a highest reading that never falls for the others.
#[test]
fn a_clock_that_goes_back_twice() {
    tell(&[
        Story {
            name: "into the spent period",
            script: "100 90 91 90",
            answers: &[
                ("throw/*", "100.0 back back back"),
                ("wait/*", "100.0 back~100=100.1 back~100=100.2 back~100=100.3"),
                ("hold/*", "100.0 back~95=100.1 back~95=100.2 back~95=100.3"),
                ("tick-tock/*", "100.0 90.0' 91.0' back~91=91.1'"),
            ],
            ..STORY
        },
        Story {
            name: "to the last tick of the spent period",
            script: "100 90 103 100 101",
            answers: &[
                ("throw/*", "100.0 back 103.0 back back"),
                ("wait/*", "100.0 back~100=100.1 103.0 back~103=103.1 back~103=103.2"),
                ("hold/*", "100.0 back~95=100.1 103.0-2"),
                ("tick-tock/*", "100.0 90.0' 103.0' back~101=101.0-1"),
            ],
            ..STORY
        },
        Story {
            name: "to the first tick after the spent period",
            script: "100 90 103 101 102",
            answers: &[
                ("throw/*", "100.0 back 103.0 back back"),
                ("wait/*", "100.0 back~100=100.1 103.0 back~103=103.1 back~103=103.2"),
                ("hold/*", "100.0 back~95=100.1 103.0-2"),
                ("tick-tock/*", "100.0 90.0' 103.0' 101.0 102.0"),
            ],
            ..STORY
        },
        Story {
            name: "and a third time",
            script: "100 90 103 101 102 101",
            under: "hold/* tick-tock/*",
            answers: &[
                ("hold/*", "100.0 back~95=100.1 103.0-3"),
                ("tick-tock/*", "100.0 90.0' 103.0' 101.0 102.0 back~102=102.1"),
            ],
            ..STORY
        },
        Story {
            name: "past what two lines have spent",
            who: Subject::is_sno,
            under: "tick-tock/*",
            script: "100 90 103 101 104 103? 104 103",
            answers: &[("*", "100.0 90.0' 103.0' 101.0 104.0 back~104 104.1 back~104=104.2")],
            ..STORY
        },
    ]);
}
