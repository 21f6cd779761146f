//! The first and the last tick of a format, to the fraction of a millisecond.

use graupel::Error;
use graupel::engine::{Answer, Policy};

use crate::subjects;

/// Tested in quarters of a millisecond: readings are floored, but Mastodon's are rounded, halves to even.
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
