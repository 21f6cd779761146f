//! Generates the rows of `graupel/read`: the facts of each format, with precomputed numbers.

use std::fmt::Write as _;

use graupel::engine::Place;
use graupel::formats::{ALL, Format, Text, snowflake_si};

use crate::facts::{alphabet, bounds, id_type, ignores_case};
use crate::layouts::{WRITTEN, camel_case, fields};

/// The contents of `js/generated/read.ts`: the formats that need no settings, under the names of
/// their exports.
pub fn ready() -> String {
    file(
        "bigints, type ReadFormat, textOf, texts",
        |format| format.epoch.is_some(),
        |format, row| {
            format!(
                "/** The layout of `{name}` of `graupel/{}`. */\nexport const {name}: {row}",
                format.entry,
                name = format.export,
            )
        },
    )
}

/// The contents of `js/generated/read-declared.ts`: the formats that need an epoch, and the fields
/// whose widths may be declared.
pub fn declared() -> String {
    let rows = file(
        "bigintsOfLetters, numbers, type ReadFormat",
        |format| format.epoch.is_none(),
        |format, row| format!("export const {}: {row}", camel_case(format.name)),
    );
    format!("{rows}export const snowflakeSiFields = [{}] as const;\n", fields(&snowflake_si::FORMAT))
}

fn file(loads: &str, has: fn(&Format) -> bool, one: fn(&Format, &str) -> String) -> String {
    let rows: String = ALL.into_iter().filter(|format| has(format)).map(|format| one(format, &row(format))).collect();
    format!("{WRITTEN}import {{ {loads} }} from \"../read/load.js\";\n\n{rows}")
}

fn row(format: &Format) -> String {
    let layout = format.layout();
    let last = layout.last_tick(format.unsigned);
    let (min, max) = bounds(format);
    let kind = id_type(format, layout.bits());
    let names: Vec<String> = format.fields.iter().skip(1).map(|field| format!("{:?}", field.name)).collect();
    let below = i32::try_from(layout.below_time()).unwrap_or_default();
    let letters = format!("{:?}, {}", alphabet(format), ignores_case(format));
    let (expected, load, id_of) = match format.text {
        Text::Base32 { characters, form } => (
            format!("{} characters of {characters}", form.length()),
            format!("/* @__PURE__ */ texts({letters})"),
            format!("/* @__PURE__ */ textOf({letters}, {})", form.length()),
        ),
        Text::Digits { radix: 10 } => (format!("a {kind} or its text"), format!("{kind}s"), constructor(kind)),
        Text::Digits { radix } => (
            format!("a {kind} or its text of radix {radix}"),
            format!("/* @__PURE__ */ {kind}sOfLetters({letters})"),
            constructor(kind),
        ),
    };
    let mut row = format!("ReadFormat<{kind}, {}> = {{\n", names.join(" | "));
    for (name, value) in [
        ("name", format!("{:?}", format.name)),
        ("expected", format!("{expected:?}")),
        ("epoch", format.epoch.unwrap_or_default().to_string()),
        ("tickMs", format.tick_ms.to_string()),
        ("last", last.to_string()),
        ("max", format!("{}n", layout.edge(last, true))),
        // Write a literal, because bundlers keep an unused row that contains a power.
        ("up", format!("{:?}", 2f64.powi(32 - below))),
        ("shortest", min.len().to_string()),
        ("longest", max.len().to_string()),
        ("load", load),
        ("idOf", id_of),
        ("inspection", inspection(format)),
    ] {
        let _ = writeln!(row, "  {name}: {value},");
    }
    row + "};\n"
}

/// The function that creates an ID from a BigInt.
fn constructor(kind: &str) -> String {
    if kind == "bigint" { "BigInt".to_owned() } else { "Number".to_owned() }
}

/// The function that creates the result of `inspect`. An object literal takes a tenth of the time
/// of adding the fields one by one.
pub fn inspection(format: &Format) -> String {
    let places: Vec<Place> = format.layout().places().skip(1).collect();
    let fields =
        format.fields.iter().skip(1).zip(&places).map(|(field, place)| format!("{}: {}", field.name, value(*place)));
    let high = if places.iter().any(|place| place.shift + place.bits > 32) { ", high: number" } else { "" };
    format!(
        "(timestamp: number, ticks: number, low: number{high}) => ({{ timestamp, time: new Date(timestamp), ticks, {} }})",
        fields.collect::<Vec<_>>().join(", ")
    )
}

/// A field's value, computed from the two halves of an ID.
fn value(Place { shift, bits }: Place) -> String {
    let end = shift + bits;
    match shift {
        32 if bits < 32 => format!("high & {}", (1u64 << bits) - 1),
        32.. => format!("(high >>> {}) & {}", shift - 32, (1u64 << bits) - 1),
        0 if bits < 32 => format!("low & {}", (1u64 << bits) - 1),
        _ if end < 32 => format!("(low >>> {shift}) & {}", (1u64 << bits) - 1),
        _ if end == 32 => format!("low >>> {shift}"),
        _ => format!("(high % {}) * {} + (low >>> {shift})", 1u64 << (end - 32), 1u64 << (32 - shift)),
    }
}
