//! Ranges, compared with a check of every ID. (For ranges with real widths, see
//! tests/js/conformance/reference.test.ts.)

use graupel::Error;
use graupel::engine::{Layout, Rounding, Schema};
use proptest::prelude::*;

use crate::check::{check, test};
use crate::made;

/// The rule of `range`'s documentation, in quarters of a millisecond: whether a tick overlaps `[from, to)`.
fn overlaps(schema: &Schema, tick: i128, (from, to): (i128, i128)) -> bool {
    let tick_ms = i128::from(schema.scale().tick_ms());
    let start = 4 * (i128::from(schema.scale().epoch()) + tick * tick_ms);
    start < to && start + 4 * tick_ms > from
}

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
                let fields = made::unpack(schema.layout(), id);
                let inside = overlaps(&schema, fields[0].into(), (from, to));
                prop_assert_eq!((min..=max).contains(&id), inside, "{:#x} in {:#x}..={:#x}", id, min, max);
            }
        }
        Ok(())
    });
}
