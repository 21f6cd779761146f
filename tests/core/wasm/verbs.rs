//! Format operations behind the boundary: the core's answers, as numbers and in registers.

use graupel::abi::{AS_NUMBER, DETAIL, REGISTER, SECOND, TEXT};
use graupel::engine::low_bits;
use graupel::formats::TEXTS;
use wasm_bindgen_test::wasm_bindgen_test;

use super::boundary::{CROCKFORD, SNO, call, code, float, load, put_fields, put_register, register, status, text};
use super::subject;
use crate::made;
use crate::subjects::{self, FormatUnderTest};

/// All zeros, all ones, and two patterns, in every field; the time stays within the format's life.
fn samples(subject: &FormatUnderTest) -> Vec<Vec<u64>> {
    let count = subject.schema.layout().places().count();
    let patterns = [0, u64::MAX, 0x5555_5555_5555_5555, 0x1234_5678_9ABC_DEF0];
    let value = |field, pattern| match field {
        0 => pattern & subject.schema.scale().last().unsigned_abs(),
        _ => pattern & subject.schema.layout().place(field).unwrap().max(),
    };
    patterns.map(|pattern| (0..count).map(|field| value(field, pattern)).collect()).to_vec()
}

#[wasm_bindgen_test]
#[expect(clippy::cast_precision_loss)]
fn fields_become_an_id_and_a_time_a_tick() {
    for subject in subjects::all() {
        load(&subject);
        let about = |id: u128| format!("{}: {id:#x}", subject.name);
        for values in samples(&subject) {
            let id = made::pack(subject.schema.layout(), &values);
            put_fields(&values);
            call("compose", &[]);
            assert_eq!(register(REGISTER), id, "{}", about(id));
            assert_eq!(float(REGISTER + AS_NUMBER), low_bits(id) as f64, "{}", about(id));

            let time = subject.schema.scale().timestamp(i64::try_from(values[0]).unwrap());
            assert_eq!((status("tick", &[time as f64]), float(DETAIL)), (0, values[0] as f64), "{}", about(id));
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
            // Without ends, as the package passes it.
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

#[wasm_bindgen_test]
fn texts_are_printed_to_the_area() {
    for (name, number) in [("sno", SNO), ("ulid-flake", CROCKFORD)] {
        let subject = subject(name);
        load(&subject);
        let form = TEXTS[(number - TEXT) as usize];
        for values in samples(&subject) {
            let id = made::pack(subject.schema.layout(), &values);
            let expected = made::text(form, id).into_bytes();
            put_register(id);
            call("print", &[number.into(), 0.0]);
            assert_eq!(text(form.length()), expected);
        }
    }
}
