//! Format operations behind the boundary: what the core answers, in numbers and registers.

use graupel::Error;
use graupel::abi::{AS_NUMBER, DATA, DETAIL, FIELDS, REGISTER, SECOND, TEXT};
use graupel::engine::{MAX_FIELDS, Schema, low_bits};
use graupel::formats::TEXTS;
use wasm_bindgen_test::wasm_bindgen_test;

use super::boundary::{
    CROCKFORD, SNO, call, code, fields, float, load, put_bytes, put_fields, put_floats, put_register, register, status,
    text,
};
use super::subject;
use crate::made;
use crate::subjects::{self, Subject};

/// All zeros, all ones, and two patterns, in every field; the time stays within the format's life.
fn samples(subject: &Subject) -> Vec<Vec<u64>> {
    let count = subject.schema.layout().places().count();
    let patterns = [0, u64::MAX, 0x5555_5555_5555_5555, 0x1234_5678_9ABC_DEF0];
    let value = |field, pattern| match field {
        0 => pattern & subject.schema.scale().last().unsigned_abs(),
        _ => pattern & subject.schema.layout().place(field).unwrap().max(),
    };
    patterns.map(|pattern| (0..count).map(|field| value(field, pattern)).collect()).to_vec()
}

/// Fields to ID; the first is the tick.
fn compose(schema: &Schema, values: &[u64]) -> u128 {
    schema.check(made::pack(schema.layout(), values).unwrap()).unwrap()
}

#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn fields_become_an_id_and_an_id_fields_and_a_wrong_field_is_refused_by_its_number() {
    for subject in subjects::all() {
        load(&subject);
        let about = |id: u128| format!("{}: {id:#x}", subject.name);
        for values in samples(&subject) {
            let id = compose(&subject.schema, &values);
            put_fields(&values);
            assert_eq!((status("compose", &[]), register(REGISTER)), (0, id), "{}", about(id));
            assert_eq!(float(REGISTER + AS_NUMBER), low_bits(id) as f64, "{}", about(id));

            put_fields(&[0; MAX_FIELDS]);
            put_register(id);
            put_floats(REGISTER + AS_NUMBER, &[-1.0]);
            assert_eq!((status("inspect", &[]), fields(values.len())), (0, values.clone()), "{}", about(id));
            assert_eq!(float(REGISTER + AS_NUMBER), low_bits(id) as f64, "{}", about(id));
            let time = subject.schema.scale().timestamp(i64::try_from(values[0]).unwrap());
            assert_eq!(float(DETAIL), time as f64, "{}", about(id));
            assert_eq!((status("tick", &[float(DETAIL)]), float(DETAIL)), (0, values[0] as f64), "{}", about(id));
        }
        if let Some(above) = subject.schema.max().checked_add(1) {
            put_register(above);
            assert_eq!(status("inspect", &[]), code(Error::Overflow), "{}", subject.name);
        }
        for (field, place) in subject.schema.layout().places().enumerate() {
            let above = place.max() as f64 + 1.0;
            for wrong in [-1.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, above, 1e300] {
                put_fields(&[0; MAX_FIELDS]);
                put_floats(FIELDS + 8 * field, &[wrong]);
                let found = (status("compose", &[]), float(DETAIL));
                assert_eq!(found, (code(Error::Range), field as f64), "{}: {wrong}", subject.name);
            }
        }
    }
}

#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn a_span_of_time_fills_both_registers() {
    for subject in subjects::all() {
        load(&subject);
        let scale = subject.schema.scale();
        let time = |tick| scale.timestamp(tick) as f64;
        for (from, to) in [
            (time(0), time(1)),
            (time(5) + 0.5, time(9) + 0.5),
            (time(-1), time(1)),
            (time(scale.last()), time(scale.last() + 2)),
            // Without ends, as the package says it.
            (-1e17, 1e17),
            (time(-1), time(0)),
            (time(scale.last() + 1), time(scale.last() + 2)),
        ] {
            let found = status("range", &[from, to]);
            match subject.schema.range(from, to) {
                Ok(ids) => assert_eq!((found, register(REGISTER), register(SECOND)), (0, ids.0, ids.1)),
                Err(error) => assert_eq!(found, code(error)),
            }
        }
    }
}

fn parse(bytes: &[u8], radix: u32, unpack: f64) -> u32 {
    put_bytes(DATA, bytes);
    status("parse", &[f64::from(u32::try_from(bytes.len()).unwrap()), radix.into(), unpack])
}

#[wasm_bindgen_test]
fn texts_go_through_the_area_in_their_radix_and_up_to_the_largest_id() {
    for (name, number) in [("sno", SNO), ("ulid-flake", CROCKFORD)] {
        let subject = subject(name);
        load(&subject);
        let form = TEXTS[(number - TEXT) as usize];
        for values in samples(&subject) {
            let id = compose(&subject.schema, &values);
            let expected = made::text(form, id).into_bytes();
            put_register(id);
            call("print", &[number.into(), 0.0]);
            assert_eq!(text(form.length()), expected);
            put_register(7);
            assert_eq!((parse(&expected, number, 0.0), register(REGISTER)), (0, id));
            put_fields(&[0; MAX_FIELDS]);
            assert_eq!((parse(&expected, number, 1.0), fields(values.len())), (0, values), "{id:#x}");
        }
    }
    for (name, radix, text, expected) in [
        ("sno", SNO, "22222222y2222222", Err((Error::Character, 8.0))),
        ("ulid-flake", CROCKFORD, "00000000000z0", Ok(31 << 5)),
        ("ulid-flake", CROCKFORD, "8000000000000", Err((Error::Overflow, 0.0))),
        ("nanoflake", 36, "1Y2P0IJ32E8E7", Ok(u128::from(u64::MAX >> 1))),
        ("nanoflake", 36, "1Y2P0IJ32E8E8", Err((Error::Overflow, 0.0))),
        ("nanoflake", 10, "010", Err((Error::NotCanonical, 0.0))),
        ("nanoflake", 2, "12", Err((Error::Character, 1.0))),
    ] {
        load(&subject(name));
        let status = parse(text.as_bytes(), radix, 0.0);
        match expected {
            Ok(id) => assert_eq!((status, register(REGISTER)), (0, id), "{text}"),
            Err((error, position)) => assert_eq!((status, float(DETAIL)), (code(error), position), "{text}"),
        }
    }
}
