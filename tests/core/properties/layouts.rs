//! Fields and integers, ticks and milliseconds, compared with simpler arithmetic.

use graupel::Error;
use graupel::engine::{Layout, Place, Restart, Rounding, SPAN_MS_MAX, Scale, Schema, SequenceRule, UNIX_MS_MAX};
use proptest::prelude::*;

use crate::check::{check, test};
use crate::made;

/// The most bits below the time.
const MAX_BELOW: u32 = 63;

/// Widths that make a layout of at most `most` bits.
fn widths(most: u32) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![3 => 1_u8..=16, 1 => 1_u8..=53], 1..12).prop_map(move |widths| {
        let mut bits = 0;
        let time = u32::from(widths[0]);
        let fits = |&width: &u8| {
            bits += u32::from(width);
            bits <= most && bits - time <= MAX_BELOW
        };
        widths.into_iter().take_while(fits).collect()
    })
}

/// Widths, and a value for each: any, or one of the two ends.
fn fields(most: u32) -> impl Strategy<Value = (Vec<u8>, Vec<u64>)> {
    widths(most).prop_flat_map(|widths| {
        let value = |&width: &u8| {
            let max = (1_u64 << width) - 1;
            prop_oneof![4 => 0..=max, 1 => Just(0), 1 => Just(max)]
        };
        let values: Vec<_> = widths.iter().map(value).collect();
        (Just(widths), values)
    })
}

/// Packs fields as the digits of a number in which each digit has its own radix.
fn numeral(widths: &[u8], values: &[u64]) -> u128 {
    widths.iter().zip(values).fold(0, |id, (&width, &value)| id * (1 << width) + u128::from(value))
}

#[test]
fn fields_pack_and_unpack() {
    check(3000, fields(80), |(widths, values)| {
        let layout = Layout::new(&widths).unwrap();
        let id = made::pack(&layout, &values);
        prop_assert_eq!(id, numeral(&widths, &values));
        prop_assert_eq!(&made::unpack(&layout, id), &values);
        prop_assert_eq!(layout.bits(), widths.iter().map(|&width| u32::from(width)).sum::<u32>());
        for (field, &width) in widths.iter().enumerate() {
            let below: u32 = widths[field + 1..].iter().map(|&width| u32::from(width)).sum();
            let place = Place { shift: below, bits: width.into() };
            prop_assert_eq!((layout.place(field), place.max()), (Some(place), (1 << width) - 1));
        }
        prop_assert_eq!(layout.place(widths.len()), None);
        Ok(())
    });
}

/// Whether fields may have these widths.
fn is_a_layout(widths: &[u8]) -> bool {
    Layout::new(widths).is_ok()
}

#[test]
fn a_layout_has_at_most_80_bits_in_fields_of_1_to_53() {
    check(3000, prop::collection::vec(0_u8..=60, 0..6), |widths| {
        let bits: u32 = widths.iter().map(|&width| u32::from(width)).sum();
        let below: u32 = widths.iter().skip(1).map(|&width| u32::from(width)).sum();
        let is_layout =
            widths.iter().all(|width| (1..=53).contains(width)) && (1..=80).contains(&bits) && below <= MAX_BELOW;
        prop_assert_eq!(is_a_layout(&widths), is_layout);
        Ok(())
    });
}

/// Both sides of the limit for the bits below the time.
#[test]
fn a_layout_has_at_most_63_bits_below_the_time() {
    for (widths, is_layout) in
        [(&[17, 53, 10][..], true), (&[17, 53, 10, 1], false), (&[16, 53, 11], false), (&[1, 53, 10], true)]
    {
        assert_eq!(is_a_layout(widths), is_layout, "{widths:?}");
    }
}

/// Invalid schemas are rejected: a sequence that is not a field below the time, and times that are
/// not dates or not exact numbers.
#[test]
fn a_schema_has_a_sequence_and_exact_times() {
    let schema = |widths: &[u8], sequence, epoch, tick_ms| {
        Schema::new(Layout::new(widths).unwrap(), sequence, epoch, tick_ms, true, Rounding::Floor).map(|_| ())
    };
    let latest = UNIX_MS_MAX - ((1 << 41) - 1);
    for (epoch, tick_ms, sequence, expected) in [
        (0, 1, 1, Ok(())),
        (latest, 1, 2, Ok(())),
        (-UNIX_MS_MAX, 1, 2, Ok(())),
        (0, 1, 0, Err(Error::Range)),
        (0, 1, 3, Err(Error::Range)),
        (0, 0, 1, Err(Error::Range)),
        (latest + 1, 1, 1, Err(Error::Range)),
        (-UNIX_MS_MAX - 1, 1, 1, Err(Error::Range)),
        (-UNIX_MS_MAX, 4096, 1, Ok(())),
        (-UNIX_MS_MAX, 4097, 1, Err(Error::Range)),
    ] {
        assert_eq!(schema(&[41, 10, 12], sequence, epoch, tick_ms), expected, "{sequence}, {epoch}, {tick_ms}");
    }
}

/// Invalid rules are rejected.
#[test]
fn a_rule_has_values_and_draws_bytes() {
    let counter = |first| SequenceRule::counter(first, 3, Restart::ALWAYS);
    assert!(counter(3).is_ok() && counter(4).is_err());
    for (max, start, step, is_rule) in [
        (1, 1, 8, true),
        (i64::MAX as u64, 8, 1, true),
        (u64::MAX, 8, 1, false),
        (2, 1, 1, false),
        (1, 0, 1, false),
        (1, 1, 9, false),
    ] {
        assert_eq!(SequenceRule::random(max, start, step).is_ok(), is_rule, "{max}, {start}, {step}");
    }
}

/// Quarters of a millisecond near `ms`, which a number holds exactly: near the epoch, or anywhere in a date's range.
fn quarters(epoch: i64) -> impl Strategy<Value = i64> {
    let near = (-40_000_i64..40_000).prop_map(move |quarters| epoch.saturating_mul(4).saturating_add(quarters));
    let anywhere = (-UNIX_MS_MAX..=UNIX_MS_MAX).prop_map(|ms| ms * 4);
    let fraction = -(1_i64 << 52)..1 << 52;
    prop_oneof![near, anywhere, fraction]
        .prop_filter("exact in a number", |quarters| quarters % 4 == 0 || quarters.abs() < 1 << 53)
}

/// An epoch, a tick, a number of ticks, and a time.
fn scales() -> impl Strategy<Value = (i64, u32, i64, i64)> {
    let epoch = prop_oneof![Just(0), -2_000_000_000_000_i64..2_000_000_000_000, -UNIX_MS_MAX..=UNIX_MS_MAX];
    let tick_ms = prop_oneof![3 => 1_u32..=16, 1 => any::<u32>()];
    let last = (0_u32..=53).prop_map(|bits| (1_i64 << bits) - 1);
    (epoch, tick_ms, last)
        .prop_flat_map(|(epoch, tick_ms, last)| (Just(epoch), Just(tick_ms), Just(last), quarters(epoch)))
}

#[test]
fn a_tick_is_the_exact_quotient() {
    check(6000, scales(), |(epoch, tick_ms, last, quarters)| {
        let span = i128::from(last) * i128::from(tick_ms);
        let is_one =
            tick_ms > 0 && span + i128::from(epoch) <= i128::from(UNIX_MS_MAX) && span <= i128::from(SPAN_MS_MAX);
        let scale = Scale::new(epoch, tick_ms, last, Rounding::Floor);
        prop_assert_eq!(scale.is_ok(), is_one);
        let Ok(scale) = scale else { return Ok(()) };
        #[expect(clippy::cast_precision_loss)]
        let ms = quarters as f64 / 4.0;
        let quotient = (i128::from(quarters) - 4 * i128::from(epoch)).div_euclid(4 * i128::from(tick_ms));
        let expected = if quotient < 0 {
            Err(Error::BeforeEpoch)
        } else if quotient > i128::from(last) {
            Err(Error::EndOfLife)
        } else {
            Ok(i64::try_from(quotient).unwrap())
        };
        prop_assert_eq!(scale.tick(ms), expected);
        if let Ok(tick) = expected {
            let start = i128::from(scale.timestamp(tick)) * 4;
            let quarters = i128::from(quarters);
            prop_assert!(start <= quarters && quarters < start + 4 * i128::from(tick_ms));
        }
        Ok(())
    });
}

/// Values for which adding 0.5 and rounding down is wrong, and values at which a cast to an integer
/// saturates.
#[test]
fn readings_next_to_a_half_and_beyond_all_integers() {
    let tick = |rounding, ms: f64| Scale::new(-10, 1, 20, rounding).unwrap().tick(ms);
    for (ms, floored, rounded) in [(2.500_000_000_000_000_4, 2, 3), (0.499_999_999_999_999_94, 0, 0), (-0.0, 0, 0)] {
        let found = [Rounding::Floor, Rounding::NearestEven].map(|rounding| tick(rounding, ms));
        assert_eq!(found, [Ok(10 + floored), Ok(10 + rounded)], "{ms}");
    }
    for ms in [9_007_199_254_740_993.0, 1.844_674_407_370_955_2e19, f64::MAX, f64::INFINITY] {
        for rounding in [Rounding::Floor, Rounding::NearestEven] {
            assert_eq!(tick(rounding, ms), Err(Error::EndOfLife), "{ms}");
            assert_eq!(tick(rounding, -ms), Err(Error::BeforeEpoch), "-{ms}");
            assert_eq!(tick(rounding, f64::NAN), Err(Error::BeforeEpoch));
        }
    }
}

#[test]
fn rounding_goes_to_the_nearest_millisecond_and_halves_to_even() {
    check(3000, -40_000_i64..40_000, |quarters| {
        let scale = Scale::new(-20_000, 1, 40_000, Rounding::NearestEven).unwrap();
        #[expect(clippy::cast_precision_loss)]
        let ms = quarters as f64 / 4.0;
        let (floor, rest) = (quarters.div_euclid(4), quarters.rem_euclid(4));
        let rounded = if rest > 2 || (rest == 2 && floor % 2 != 0) { floor + 1 } else { floor };
        prop_assert_eq!(scale.tick(ms), Ok(rounded + 20_000));
        Ok(())
    });
}
