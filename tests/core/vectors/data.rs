//! The vectors' files: each section is a table with named columns, each row one item.

use std::panic::{AssertUnwindSafe, catch_unwind};

use graupel::Error;
use graupel::engine::Schema;
use serde_json::{Map, Value};

use crate::made;

/// One row, by the names of its columns; any other name panics. A row may be shorter than its table: missing values are null.
pub type Item = Map<String, Value>;

/// Checks every item of a section of `tests/vectors/<name>.json`; a check panics.
pub fn each(name: &str, section: &str, check: impl Fn(&Item)) {
    let path = format!("{}/tests/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let columns = || list(&file[section]["columns"]).iter().map(|column| text(column).to_owned());
    let item = |row| columns().zip(list(row).iter().cloned().chain(std::iter::repeat(Value::Null))).collect();
    let items: Vec<Item> = list(&file[section]["rows"]).iter().map(item).collect();
    assert!(!items.is_empty(), "{name}, {section}");
    let failed = items.iter().filter(|item| catch_unwind(AssertUnwindSafe(|| check(item))).is_err());
    let failed: Vec<_> = failed.map(|item| text(&item["id"])).collect();
    assert!(failed.is_empty(), "{name}, {section}: {failed:?}");
}

/// Checks an ID: it has the bytes and the time of the item, and `others` are its other fields, high to low.
pub fn check_id(item: &Item, schema: &Schema, id: u128, others: &[u64]) {
    assert_eq!(big_endian(&hex(&item["hex"])), id, "bytes");
    let fields = [&[unsigned(&item["ticks"])], others].concat();
    assert_eq!(made::inspect(schema, id).as_ref(), Ok(&fields));
    assert_eq!(made::compose(schema, &fields), Ok(id));
    assert_eq!(schema.scale().timestamp(number(&item["ticks"])), number(&item["timestamp"]));
}

/// The ID of an item. `None` where the reference has a negative integer, which is no ID: the core refuses its bytes.
pub fn natural(item: &Item, schema: &Schema) -> Option<u64> {
    let id = u64::try_from(integer(&item["integer"])).ok();
    if id.is_none() {
        assert_eq!(schema.check(big_endian(&hex(&item["hex"]))), Err(Error::Overflow));
    }
    id
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}"))
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a text: {value}"))
}

pub fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("not an integer: {value}"))
}

pub fn unsigned(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("not a natural number: {value}"))
}

/// A decimal integer in a text, or a plain number.
pub fn integer(value: &Value) -> i128 {
    value.as_str().map_or_else(|| number(value).into(), |digits| digits.parse().unwrap())
}

/// Hexadecimal digits to bytes.
pub fn hex(digits: &Value) -> Vec<u8> {
    let digits = text(digits);
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

/// Big-endian bytes to a number.
pub fn big_endian(bytes: &[u8]) -> u128 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u128::from(byte))
}
