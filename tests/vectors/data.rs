//! The vectors' files: each section is a table with named columns, each row one item.

use serde_json::Value;

/// A file of vectors.
pub struct File(Value);

impl File {
    /// The file `tests/vectors/<name>.json`.
    pub fn read(name: &'static str) -> Self {
        let path = format!("{}/tests/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        Self(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}")))
    }

    /// A value at the head of the file.
    pub fn head(&self, key: &str) -> &Value {
        &self.0[key]
    }

    /// The names of the sections.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        let entries = self.0.as_object().into_iter().flatten();
        entries.filter(|(_, value)| value.get("rows").is_some()).map(|(name, _)| name.as_str())
    }

    /// The items of a section.
    pub fn items(&self, section: &str) -> Vec<Item<'_>> {
        let table = &self.0[section];
        let columns = list(&table["columns"]);
        list(&table["rows"]).iter().map(|row| Item { columns, row: list(row) }).collect()
    }
}

/// One row, read by the names of its columns. A row may be shorter than its table: missing values are null. So is what a table has no
/// column for, of the two that say how the package differs: `deviation` and `here`.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    columns: &'a [Value],
    row: &'a [Value],
}

impl<'a> Item<'a> {
    pub fn get(&self, column: &str) -> &'a Value {
        let found = self.columns.iter().position(|name| name.as_str() == Some(column));
        assert!(found.is_some() || matches!(column, "deviation" | "here"), "no column {column}");
        found.and_then(|index| self.row.get(index)).unwrap_or(&Value::Null)
    }

    pub fn text(&self, column: &str) -> &'a str {
        text(self.get(column))
    }

    pub fn number(&self, column: &str) -> i64 {
        number(self.get(column))
    }

    pub fn unsigned(&self, column: &str) -> u64 {
        u64::try_from(self.number(column)).unwrap_or_else(|_| panic!("{column} is negative"))
    }

    /// A list.
    pub fn list(&self, column: &str) -> &'a [Value] {
        list(self.get(column))
    }

    /// An integer that may be a text.
    pub fn integer(&self, column: &str) -> i128 {
        integer(self.get(column))
    }
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

/// A decimal integer in a text, or a plain number.
pub fn integer(value: &Value) -> i128 {
    match value {
        Value::String(digits) => digits.parse().unwrap_or_else(|_| panic!("not an integer: {digits}")),
        _ => i128::from(number(value)),
    }
}

/// An ID: a text, or the decimal digits of a number.
pub fn integer_or_text(value: &Value) -> String {
    value.as_str().map_or_else(|| number(value).to_string(), str::to_owned)
}

/// Hexadecimal digits to bytes.
pub fn hex(digits: &str) -> Vec<u8> {
    let pair = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap_or_else(|_| panic!("not hex: {digits}"));
    (0..digits.len()).step_by(2).map(pair).collect()
}

/// Big-endian bytes to a number.
pub fn big_endian(bytes: &[u8]) -> u128 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u128::from(byte))
}
