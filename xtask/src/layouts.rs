//! The tables, written out as TypeScript: so that a format knows its own facts before the module is
//! instantiated, and each number still stands in one place.

use std::fmt::Write as _;

use graupel::engine::alphabet::Base32;
use graupel::engine::{Backwards, Full, Rounding, SAVED};
use graupel::formats::{ALL, Format, Text, sno, snowflake_si, ulid_flake};
use graupel::{Error, area};

/// The whole of `js/generated/layouts.ts`.
pub fn typescript() -> String {
    let mut out = String::from("// Written by the build from the tables in src/; edit them there.\n");
    constant(&mut out, "CODES", &format!("{:?} as const", Error::NAMES));
    for (number, name) in Error::NAMES.iter().enumerate().skip(1) {
        constant(&mut out, &format!("STATUS_{name}"), &number.to_string());
    }
    for (name, value) in [
        ("REGISTER", area::REGISTER),
        ("SECOND", area::SECOND),
        ("AS_NUMBER", area::AS_NUMBER),
        ("FIELDS", area::FIELDS),
        ("DETAIL", area::DETAIL),
        ("DATA", area::DATA),
        ("BATCH", area::BATCH),
        ("BATCH_BYTES", area::BATCH_BYTES),
        ("WAIT", area::WAIT as usize),
        ("DRAW", area::DRAW as usize),
        ("MOST_DRAWS", area::MOST_DRAWS as usize),
        ("FORM_INTEGER", area::FORM_INTEGER as usize),
        ("FORM_NUMBER", area::FORM_NUMBER as usize),
        ("FORM_SNO", area::FORM_SNO as usize),
        ("FORM_CROCKFORD", area::FORM_CROCKFORD as usize),
        ("FULL_SHIFT", area::FULL_SHIFT as usize),
        ("FULL_WAIT", Full::Wait as usize),
        ("GIVEN", area::GIVEN as usize),
        ("METABYTE_SHIFT", area::METABYTE_SHIFT as usize),
        ("SNO", area::SNO as usize),
        ("CROCKFORD", area::CROCKFORD as usize),
        ("SNO_SMALLEST_POOL", sno::SMALLEST_POOL as usize),
    ] {
        constant(&mut out, name, &value.to_string());
    }
    constant(&mut out, "BACKWARDS", &words(&Backwards::WORDS));
    constant(&mut out, "FULL", &words(&Full::WORDS));
    for (name, position) in SAVED {
        constant(&mut out, name, &position.to_string());
    }
    constant(&mut out, "SAVED", &SAVED.len().to_string());
    constant(&mut out, "FROM_PLATFORM", &area::FROM_PLATFORM.to_string());
    constant(&mut out, "FROM_CALLER", &area::FROM_CALLER.to_string());
    constant(&mut out, "SI_BITS", &snowflake_si::BITS.to_string());
    constant(&mut out, "SI_EPOCH_TOO_EARLY_40", &snowflake_si::EPOCH_TOO_EARLY_40.to_string());
    for format in ALL {
        constant(&mut out, &camel_case(format.name), &row(format));
    }
    out
}

/// The words of a policy, in the order of its numbers.
fn words<P>(all: &[(P, &str)]) -> String {
    format!("{:?} as const", all.iter().map(|(_, word)| word).collect::<Vec<_>>())
}

/// The word of one policy.
fn word<P: Copy + PartialEq>(all: &[(P, &'static str)], policy: P) -> &'static str {
    all.iter().find(|(one, _)| *one == policy).map_or("", |(_, word)| word)
}

fn constant(out: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "export const {name} = {value};");
}

fn row(format: &Format) -> String {
    let fields: Vec<String> =
        format.fields.iter().map(|field| format!("{{ name: {:?}, bits: {} }}", field.name, field.bits)).collect();
    let bits = format.fields.iter().map(|field| usize::from(field.bits)).sum();
    let (radix, wrong) = match format.text {
        Text::Sno => (area::SNO, wrong(&Base32::SNO, sno::TEXT_LENGTH, bits)),
        Text::Crockford => (area::CROCKFORD, wrong(&Base32::CROCKFORD, ulid_flake::TEXT_LENGTH, bits)),
        Text::Digits { radix } => (radix.into(), String::new()),
    };
    let backwards = word(&Backwards::WORDS, format.backwards);
    let full = word(&Full::WORDS, format.full);
    format!(
        "{{ name: {:?}, fields: [{}], sequence: {}, optional: {:?}, epoch: {}, tickMs: {}, unsigned: {}, nearest: {}, \
         radix: {radix}, {wrong}inspection: {}, clockBackwards: {backwards:?}, sequenceFull: {full:?} }} as const",
        format.name,
        fields.join(", "),
        format.sequence,
        format.optional,
        format.epoch.map_or("undefined".to_owned(), |epoch| epoch.to_string()),
        format.tick_ms,
        format.unsigned,
        format.rounding == Rounding::NearestEven,
        inspection(format),
    )
}

/// What `inspect` returns, as a function of what the module leaves: a literal takes an engine a tenth of the time of adding
/// one field after the other.
fn inspection(format: &Format) -> String {
    let number = |offset: usize| format!("f64[{}] as number", offset / size_of::<f64>());
    let fields = format.fields.iter().enumerate().skip(1).map(|(index, field)| {
        let value = number(area::FIELDS + index * size_of::<f64>());
        // Small numbers are said to be integers, which engines keep in place.
        let value = if field.bits < 32 { format!("({value}) | 0") } else { value };
        format!("{}: {value}", field.name)
    });
    format!(
        "(f64: Float64Array) => ({{ timestamp: {timestamp}, time: new Date({timestamp}), ticks: {}, {} }})",
        number(area::FIELDS),
        fields.collect::<Vec<String>>().join(", "),
        timestamp = number(area::DETAIL),
    )
}

/// An entry, with a regular expression: what no canonical text has. One of the right length without it is an ID.
fn wrong(alphabet: &Base32, length: usize, bits: usize) -> String {
    let digits = alphabet.digits();
    // What the first character has of the five bits.
    let first = 1 << (bits - 5 * (length - 1));
    let start = if first < digits.len() { format!("^[^{}]|", class(&digits[..first])) } else { String::new() };
    format!("wrong: /{start}[^{}]/, ", class(digits))
}

/// Rising characters, as ranges.
fn class(characters: &[u8]) -> String {
    characters
        .chunk_by(|before, after| before + 1 == *after)
        .map(|range| match range {
            [only] => char::from(*only).to_string(),
            [first, .., last] => format!("{}-{}", char::from(*first), char::from(*last)),
            [] => String::new(),
        })
        .collect()
}

/// `ulid-flake` to `ulidFlake`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut out, word| {
        let (head, tail) = word.split_at(1);
        out.push_str(&head.to_ascii_uppercase());
        out.push_str(tail);
        out
    })
}
