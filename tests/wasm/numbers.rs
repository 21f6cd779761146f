//! The core's arithmetic in WebAssembly, compared with JavaScript's numbers.

use graupel::engine::alphabet::{RADIX, parse_digits};
use graupel::engine::{MAX_FIELDS, Rounding, Scale, low_bits};
use graupel::formats::{nanoflake, sno, snowflake, snowflake_si, ulid_flake};
use graupel::{Error, engine::Schema};
use js_sys::{BigInt, Date, JsString, Number};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::made;
use crate::subjects;

/// The casts of readings far outside the range saturate, and never trap.
#[wasm_bindgen_test]
fn readings_that_are_no_times_are_refused() {
    for subject in subjects::all() {
        let rows = [
            (f64::NAN, Error::BeforeEpoch),
            (f64::NEG_INFINITY, Error::BeforeEpoch),
            (f64::MIN, Error::BeforeEpoch),
            (-9_007_199_254_740_993.0, Error::BeforeEpoch),
            (9_007_199_254_740_993.0, Error::EndOfLife),
            (1.844_674_407_370_955_2e19, Error::EndOfLife),
            (f64::MAX, Error::EndOfLife),
            (f64::INFINITY, Error::EndOfLife),
        ];
        for (reading, expected) in rows {
            assert_eq!(subject.schema.scale.tick(reading), Err(expected), "{} at {reading}", subject.name);
        }
    }
}

#[wasm_bindgen_test]
fn halves_round_to_even_and_readings_are_floored() {
    let scale = |rounding| Scale::new(-10, 1, 20, rounding);
    let (floor, nearest) = (scale(Rounding::Floor), scale(Rounding::NearestEven));
    let rows = [
        (-2.5, -3, -2),
        (-1.5, -2, -2),
        (-0.5, -1, 0),
        (-0.25, -1, 0),
        (-0.0, 0, 0),
        (0.5, 0, 0),
        (0.75, 0, 1),
        (1.5, 1, 2),
        (2.5, 2, 2),
        (2.500_000_000_000_000_4, 2, 3),
        // The largest number below 0.5: adding 0.5 and flooring would round it up to 1.
        (0.499_999_999_999_999_94, 0, 0),
    ];
    for (ms, floored, rounded) in rows {
        assert_eq!((floor.tick(ms), nearest.tick(ms)), (Ok(10 + floored), Ok(10 + rounded)), "{ms}");
    }
}

/// The 128-bit shifts of the layouts, for each bit of each format.
#[wasm_bindgen_test]
fn every_single_bit_is_taken_apart_and_put_together() {
    for subject in subjects::all() {
        let Schema { layout, .. } = subject.schema;
        for bit in 0..layout.bits() {
            let id = 1_u128 << bit;
            let mut fields = [0; MAX_FIELDS];
            layout.unpack(id, &mut fields);
            assert_eq!(fields.iter().map(|value| value.count_ones()).sum::<u32>(), 1, "{}, bit {bit}", subject.name);
            assert_eq!(layout.pack(&fields), Ok(id), "{}, bit {bit}", subject.name);
        }
    }
    for bit in 0..80 {
        let mut text = [0; sno::TEXT_LENGTH];
        sno::format(1 << bit, &mut text);
        assert_eq!(sno::parse(&text), Ok(1 << bit), "bit {bit}");
    }
}

/// Known IDs from the formats' own documents, with their fields.
#[wasm_bindgen_test]
fn known_ids() {
    let si = snowflake_si::FORMAT.schema(Some(subjects::EPOCH)).unwrap();
    let read = |text: &str, radix, schema: &Schema| {
        parse_digits(text.as_bytes(), radix, low_bits(schema.max())).map(u128::from)
    };
    let digits = |text, schema| read(text, 10, schema);
    let twitter = snowflake::TWITTER.schema(None).unwrap();
    let discord = snowflake::DISCORD.schema(None).unwrap();
    let instagram = snowflake::INSTAGRAM.schema(None).unwrap();
    let mastodon = snowflake::MASTODON.schema(None).unwrap();
    let flake = nanoflake::FORMAT.schema(Some(subjects::EPOCH)).unwrap();
    let ulid = ulid_flake::FORMAT.schema(None).unwrap();
    let rows = [
        (sno::FORMAT.schema(None).unwrap(), sno::parse(b"brpk4q72xwf2m63l"), "2031-05-08T23:03:34.976Z"),
        (twitter, digits("1305120710456668160", &twitter), "2020-09-13T12:26:40.000Z"),
        (discord, digits("175928847299117063", &discord), "2016-04-30T11:18:25.796Z"),
        (instagram, digits("11637205501278089", &instagram), "2011-09-09T22:28:04.721Z"),
        (mastodon, digits("9223372036854775807", &mastodon), "6429-10-17T02:45:55.327Z"),
        (flake, read("1Y2P0IJ32E8E7", 36, &flake), "2093-07-21T14:00:55.551Z"),
        (si, digits("9007199254740991", &si), "2058-09-17T18:07:07.775Z"),
        (ulid, ulid_flake::parse(b"00cmxb6tak4sa").map(u128::from), "2024-06-06T06:06:06.666Z"),
        (ulid, ulid_flake::parse(b"7ZZZZZZZZZZZZ").map(u128::from), "2302-09-27T15:10:22.207Z"),
    ];
    for (schema, id, time) in rows {
        let id = id.unwrap();
        let mut fields = [0; MAX_FIELDS];
        schema.inspect(id, &mut fields).unwrap();
        let timestamp = schema.scale.timestamp(i64::try_from(fields[0]).unwrap());
        #[expect(clippy::cast_precision_loss)]
        let date = Date::new(&JsValue::from_f64(timestamp as f64));
        assert_eq!(date.to_iso_string(), JsString::from(time), "{id}");
        assert_eq!(schema.compose(&fields), Ok(id));
    }
}

/// `i64` and `u64` cross the boundary unchanged as BigInts, and are read from the digits of BigInts.
#[wasm_bindgen_test]
fn integers_are_the_ones_of_javascript() {
    let mut ids = vec![0, 1, u64::MAX, u64::MAX >> 1, 1 << 63, 175_928_847_299_117_063, (1 << 53) + 1];
    ids.extend((0..64).map(|bit| 1_u64 << bit));
    for id in ids {
        let big = BigInt::from(id);
        for radix in RADIX {
            let digits = String::from(big.to_string(u8::try_from(radix).unwrap()).unwrap());
            assert_eq!(parse_digits(digits.as_bytes(), radix, u64::MAX), Ok(id));
        }
        assert_eq!(u64::try_from(big), Ok(id));
    }
}

/// Snowflake-SI's promise: every ID is a safe integer in JavaScript.
#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn the_largest_ids_of_53_bits_are_safe_integers() {
    for widths in [[40, 5, 8], [40, 0, 13], [41, 11, 1], [41, 0, 12]] {
        let schema = made::snowflake_si(subjects::EPOCH, widths);
        assert_eq!(schema.max() as f64, Number::MAX_SAFE_INTEGER);
        assert!(Number::is_safe_integer(&JsValue::from_f64(schema.max() as f64)));
    }
}
