//! Ranges: compared with a check of every ID, and with exact fractions.

use graupel::Error;
use graupel::engine::{Layout, Rounding, Schema};
use proptest::prelude::*;

use crate::check::{Held, check, test};
use crate::made;
use crate::subjects;

/// The rule of `range`'s documentation, in quarters of a millisecond: whether a tick overlaps `[from, to)`.
fn overlaps(schema: &Schema, tick: i128, (from, to): (i128, i128)) -> bool {
    let tick_ms = i128::from(schema.scale().tick_ms());
    let start = 4 * (i128::from(schema.scale().epoch()) + tick * tick_ms);
    start < to && start + 4 * tick_ms > from
}

/// An end that is left out, in quarters of a millisecond: the package passes 1e17 ms for `to`, and -1e17 ms for `from`.
const NO_END: i128 = 4 * 10_i128.pow(17);

#[expect(clippy::cast_precision_loss)]
fn ms(quarters: i128) -> f64 {
    quarters as f64 / 4.0
}

/// A layout of at most 9 bits: each of its IDs must be between the bounds exactly if its tick overlaps the interval.
#[test]
fn a_range_holds_the_ids_of_its_ticks_and_no_others() {
    let schemas = (1_u8..=5, 1_u8..=2, 1_u8..=2, 1_u32..=10, -30_i64..30, any::<bool>());
    let times = -500_i128..1500;
    check(1500, (schemas, times.clone(), times), |((time, middle, sequence, tick_ms, epoch, nearest), one, other)| {
        // The package has checked that the first is before the second.
        let (from, to) = (one.min(other), one.max(other).max(one.min(other) + 1));
        let rounding = if nearest { Rounding::NearestEven } else { Rounding::Floor };
        let layout = Layout::new(&[time, middle, sequence]).unwrap();
        let schema = Schema::new(layout, 2, epoch, tick_ms, false, rounding).unwrap();
        let found = schema.range(ms(from), ms(to));
        let last = i128::from(schema.scale().last());
        let covered = |ticks: std::ops::Range<i128>| ticks.into_iter().any(|tick| overlaps(&schema, tick, (from, to)));
        if !covered(0..last + 1) {
            let outside = if covered(-600..0) { Error::BeforeEpoch } else { Error::EndOfLife };
            prop_assert_eq!(found, Err(outside));
        } else {
            let (min, max) = found.unwrap();
            for id in 0..=schema.max() {
                let fields = made::inspect(&schema, id).unwrap();
                let inside = overlaps(&schema, fields[0].into(), (from, to));
                prop_assert_eq!((min..=max).contains(&id), inside, "{:#x} in {:#x}..={:#x}", id, min, max);
            }
        }
        Ok(())
    });
}

/// A time in quarters of a millisecond: an end that is left out, a time around the first or the last tick of a format, or any between.
fn moment(schema: &Schema) -> impl Strategy<Value = i128> + use<> {
    let start = 4 * i128::from(schema.scale().timestamp(0));
    let end = 4 * i128::from(schema.scale().timestamp(schema.scale().last() + 1));
    let limits = vec![-NO_END, start - 4, start, start + 2, end - 2, end, end + 4, NO_END];
    prop_oneof![
        3 => prop::sample::select(limits),
        1 => start - 20..start + 60,
        1 => end - 60..end + 20,
        1 => start..end,
    ]
}

#[test]
fn ranges_of_every_format() {
    for subject in subjects::all() {
        let schema = subject.schema;
        check(300, (moment(&schema), moment(&schema)), |(one, other)| {
            let from = one.min(other);
            if from < NO_END {
                held(&schema, from, one.max(other).max(from + 1))?;
            }
            if from.abs() < NO_END { held(&schema, from, from + 1) } else { Ok(()) }
        });
    }
}

fn held(schema: &Schema, from: i128, to: i128) -> Held {
    let found = schema.range(ms(from), ms(to));
    let (epoch, quarters) = (4 * i128::from(schema.scale().epoch()), 4 * i128::from(schema.scale().tick_ms()));
    let first = (from - epoch).div_euclid(quarters);
    let last = (to - 1 - epoch).div_euclid(quarters);
    let end = i128::from(schema.scale().last());
    if last < 0 {
        prop_assert_eq!(found, Err(Error::BeforeEpoch));
    } else if first > end {
        prop_assert_eq!(found, Err(Error::EndOfLife));
    } else {
        let (min, max) = found.unwrap();
        let [low, high] = [min, max].map(|id| made::inspect(schema, id).unwrap());
        prop_assert_eq!((i128::from(low[0]), i128::from(high[0])), (first.max(0), last.min(end)));
        for (field, place) in schema.layout().places().enumerate().skip(1) {
            prop_assert_eq!((low[field], high[field]), (0, place.max()));
        }
    }
    Ok(())
}
