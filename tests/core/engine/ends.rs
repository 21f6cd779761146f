//! The first and the last tick of a format, to the fraction of a millisecond.

use graupel::Error;
use graupel::engine::{NotIssued, Policy};

use crate::check::test;
use crate::made::InMs;
use crate::subjects;

/// Tested in quarters of a millisecond: readings are floored, but Mastodon's are rounded, halves to even.
#[test]
#[expect(clippy::cast_precision_loss)]
fn ends_to_the_fraction_of_a_millisecond() {
    let (early, late) = (Err(NotIssued::Refused(Error::BeforeEpoch)), Err(NotIssued::Refused(Error::EndOfLife)));
    for subject in subjects::all() {
        let scale = subject.schema.scale();
        let (first, end) = (scale.timestamp(0) as f64, scale.timestamp(scale.last() + 1) as f64);
        let rounds = subject.name == "mastodon";
        let rows = [
            (first - 1.0, early),
            (first - 0.75, early),
            (first - 0.5, if rounds { Ok(()) } else { early }),
            (first - 0.25, if rounds { Ok(()) } else { early }),
            (first, Ok(())),
            (end - 1.0, Ok(())),
            (end - 0.75, Ok(())),
            (end - 0.5, if rounds { late } else { Ok(()) }),
            (end - 0.25, if rounds { late } else { Ok(()) }),
            (end, late),
            // Where a cast to an integer saturates.
            (-9_007_199_254_740_993.0, early),
            (9_007_199_254_740_993.0, late),
            (1.844_674_407_370_955_2e19, late),
            (f64::MIN, early),
            (f64::MAX, late),
            (f64::INFINITY, late),
            (f64::NEG_INFINITY, early),
            (f64::NAN, early),
        ];
        for (reading, expected) in rows {
            for given in [false, true] {
                let mut generator = subject.generator;
                let mut ask = |bits| match given {
                    false => generator.next_ms(reading, bits, &Policy::default()),
                    true => generator.at_ms(reading, bits),
                };
                let mut answer = ask(None);
                if let Err(NotIssued::Draw { .. }) = answer {
                    answer = ask(Some(1));
                }
                assert_eq!(answer, expected, "{} at {reading}, given: {given}", subject.name);
            }
        }
    }
}
