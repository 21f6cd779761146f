//! Format operations behind the boundary: fields, registers, texts, ranges.

use graupel::Error;
use graupel::abi::{AS_NUMBER, DATA, DETAIL, FIELDS, REGISTER, SECOND};
use graupel::engine::{MAX_FIELDS, low_bits};
use graupel::formats::{sno, ulid_flake};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::boundary::{
    CROCKFORD, SNO, call, code, fields, float, load, put_bytes, put_fields, put_floats, put_register, register, status,
    text,
};
use crate::subjects::{self, Subject};

/// All zeros, all ones, and two patterns, in every field; the time stays within the format's life.
fn samples(subject: &Subject) -> Vec<Vec<u64>> {
    let count = subject.schema.layout.widths().count();
    let patterns = [0, u64::MAX, 0x5555_5555_5555_5555, 0x1234_5678_9ABC_DEF0];
    let value = |field, pattern| match field {
        0 => pattern & subject.schema.scale.last().unsigned_abs(),
        _ => pattern & subject.schema.layout.max(field),
    };
    patterns.map(|pattern| (0..count).map(|field| value(field, pattern)).collect()).to_vec()
}

#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn fields_become_an_id_and_an_id_fields() {
    for subject in subjects::all() {
        load(&subject);
        for values in samples(&subject) {
            let id = subject.schema.compose(&values).unwrap();
            put_fields(&values);
            assert_eq!(status("compose", &[]), 0, "{}: {values:?}", subject.name);
            assert_eq!(register(REGISTER), id, "{}: {values:?}", subject.name);
            assert_eq!(float(REGISTER + AS_NUMBER), low_bits(id) as f64, "{}: {values:?}", subject.name);

            put_fields(&[0; MAX_FIELDS]);
            put_register(id);
            assert_eq!(status("inspect", &[]), 0, "{}: {id:#x}", subject.name);
            assert_eq!(fields(values.len()), values, "{}: {id:#x}", subject.name);
            let tick = i64::try_from(values[0]).unwrap();
            assert_eq!(float(DETAIL), subject.schema.scale.timestamp(tick) as f64, "{}: {id:#x}", subject.name);

            assert_eq!(status("tick", &[float(DETAIL)]), 0);
            assert_eq!(float(DETAIL), tick as f64, "{}: {id:#x}", subject.name);
        }
        if let Some(above) = subject.schema.max().checked_add(1) {
            put_register(above);
            assert_eq!(status("inspect", &[]), code(Error::Overflow), "{}", subject.name);
        }
    }
}

/// A value that does not fit its field: the detail is the number of the field.
#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn what_is_no_value_of_a_field_is_refused_by_its_number() {
    for subject in subjects::all() {
        load(&subject);
        for field in 0..subject.schema.layout.widths().count() {
            let above = subject.schema.layout.max(field) as f64 + 1.0;
            for wrong in [-1.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, above, 1e300] {
                put_fields(&[0; MAX_FIELDS]);
                put_floats(FIELDS + 8 * field, &[wrong]);
                assert_eq!(status("compose", &[]), code(Error::Range), "{}: {field}, {wrong}", subject.name);
                assert_eq!(float(DETAIL), field as f64, "{}: {field}, {wrong}", subject.name);
            }
        }
    }
}

#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn a_span_of_time_fills_both_registers() {
    for subject in subjects::all() {
        load(&subject);
        let scale = subject.schema.scale;
        let time = |tick| scale.timestamp(tick) as f64;
        let spans = [
            (time(0), time(1)),
            (time(5) + 0.5, time(9) + 0.5),
            (time(0), time(scale.last() + 1)),
            (time(-1), time(1)),
            (time(scale.last()), time(scale.last() + 2)),
            (f64::NEG_INFINITY, f64::INFINITY),
        ];
        for (from, to) in spans {
            assert_eq!(status("range", &[from, to]), 0, "{}", subject.name);
            assert_eq!(subject.schema.range(from, to), Ok((register(REGISTER), register(SECOND))), "{}", subject.name);
        }
        let refused = [
            (time(-1), time(0), Error::BeforeEpoch),
            (time(scale.last() + 1), time(scale.last() + 2), Error::EndOfLife),
        ];
        for (from, to, error) in refused {
            assert_eq!(status("range", &[from, to]), code(error), "{}: {from} to {to}", subject.name);
        }
    }
}

fn parse(bytes: &[u8], radix: u32) -> u32 {
    put_bytes(DATA, bytes);
    status("parse", &[f64::from(u32::try_from(bytes.len()).unwrap()), radix.into(), 0.0])
}

#[wasm_bindgen_test]
fn texts_go_through_the_area() {
    let all = subjects::all();
    let one = |name: &str| all.iter().find(|subject| subject.name == name).unwrap();

    load(one("sno"));
    for id in [0, 1, 0x0123_4567_89AB_CDEF_0123, (1 << 80) - 1] {
        put_register(id);
        call("print", &[SNO.into(), 0.0]);
        let mut expected = [0; sno::TEXT_LENGTH];
        sno::format(id, &mut expected);
        assert_eq!(text(sno::TEXT_LENGTH), expected);
        put_register(7);
        assert_eq!(parse(&expected, SNO), 0);
        assert_eq!(register(REGISTER), id);
        assert_eq!(status("inspect", &[]), 0);
        let apart = (fields(5), float(DETAIL));
        put_fields(&[0; 5]);
        assert_eq!(status("parse", &[16.0, SNO.into(), 1.0]), 0);
        assert_eq!((fields(5), float(DETAIL)), apart, "{id:#x}");
    }
    assert_eq!(parse(b"22222222y2222222", SNO), code(Error::Character));
    assert_eq!(float(DETAIL), 8.0);

    load(one("ulid-flake"));
    for id in [0, 14_246_757_444_195_114, ulid_flake::MAX] {
        put_register(id.into());
        call("print", &[CROCKFORD.into(), 0.0]);
        let mut expected = [0; ulid_flake::TEXT_LENGTH];
        ulid_flake::format(id, &mut expected);
        assert_eq!(text(ulid_flake::TEXT_LENGTH), expected);
        assert_eq!(parse(&expected.to_ascii_lowercase(), CROCKFORD), 0);
        assert_eq!(register(REGISTER), id.into());
    }
    assert_eq!(parse(b"8000000000000", CROCKFORD), code(Error::Overflow));

    load(one("nanoflake"));
    assert_eq!(parse(b"1Y2P0IJ32E8E7", 36), 0);
    assert_eq!(register(REGISTER), u128::from(u64::MAX >> 1));
    assert_eq!(parse(b"1Y2P0IJ32E8E8", 36), code(Error::Overflow));
    assert_eq!(parse(b"010", 10), code(Error::NotCanonical));
    assert_eq!(parse(b"12", 2), code(Error::Character));
}
