//! Writes the public facts of the rows for the entry `graupel/facts`, and the list of formats for
//! `identify`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use graupel::Error;
use graupel::engine::{Backwards, Full, Layout, MAX_FIELD_BITS, Rounding, UNIX_MS_MAX};
use graupel::formats::options::{Choice, LONGEST_MS, MAX_AHEAD_MS, MAX_WAIT_MS, Takes};
use graupel::formats::{ALL, Format, LIKELIEST, Text, snowflake, snowflake_si};

use crate::layouts::{Shared, WRITTEN, class, word};

/// Digits of every radix.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Every format with a name. Custom layouts come after the dialects of their entry.
fn all() -> Vec<&'static Format> {
    let declared = &snowflake::DECLARED;
    let mut all = ALL.to_vec();
    let after = all.iter().rposition(|format| format.entry == declared.entry).map_or(all.len(), |index| index + 1);
    all.insert(after, declared);
    all
}

/// The whole of `js/generated/names.ts`.
pub fn names() -> String {
    let union = |names: Vec<&str>| format!("{names:?}").replace(", ", " | ").replace(['[', ']'], "");
    format!(
        "{WRITTEN}/** The names of the formats. */\nexport type FormatName = {};\n\
         /** The codes of the core's errors. */\nexport type CoreCode = {};\n",
        union(all().iter().map(|format| format.name).collect()),
        union(Error::NAMES[1..].to_vec()),
    )
}

/// The whole of `js/generated/likeliest.ts`: the formats themselves, for `identify`.
pub fn likeliest() -> String {
    let mut out = String::from(WRITTEN);
    let entries: BTreeSet<&str> = LIKELIEST.iter().map(|format| format.entry).collect();
    for entry in entries {
        let exports: Vec<&str> =
            LIKELIEST.iter().filter(|format| format.entry == entry).map(|format| format.export).collect();
        // A family of several files has a folder.
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../js/formats/").to_owned() + entry;
        let file = if Path::new(&folder).is_dir() { format!("{entry}/index") } else { entry.to_owned() };
        let _ = writeln!(out, "import {{ {} }} from \"../formats/{file}.js\";", exports.join(", "));
    }
    let exports: Vec<&str> = LIKELIEST.iter().map(|format| format.export).collect();
    let _ = writeln!(out, "/** The formats with their own epoch, the most widely used first. */");
    let _ = writeln!(out, "export const likeliest = () => [{}];", exports.join(", "));
    out
}

/// The whole of `js/generated/facts.ts`. An option that several formats have is written once.
pub fn facts() -> String {
    let mut options = Shared::default();
    let rows: Vec<String> = all().into_iter().map(|format| row(format, &mut options)).collect();
    format!("{WRITTEN}{}export const written = {{\n{}}} as const;\n", options.declarations(), rows.concat())
}

fn row(format: &Format, options: &mut Shared) -> String {
    let declared = format.fields.is_empty();
    let layout = layout(format);
    let (whole, last) = (layout.bits(), layout.last_tick(format.unsigned));
    let shown = |number: Option<i64>| number.map_or("null".to_owned(), |number| number.to_string());
    let known = |number: i64| if declared { None } else { Some(number) };
    let life = known(last * i64::from(format.tick_ms));
    let capacity = known(format.fields.get(format.sequence).map_or(0, |field| 1 << field.bits));
    let fields: Vec<String> = format
        .fields
        .iter()
        .enumerate()
        .map(|(index, field)| {
            let role = role(format, index);
            format!("{{ \"name\": {:?}, \"bits\": {}, \"role\": {role:?} }}", field.name, field.bits)
        })
        .collect();
    let (kind, (min, max)) = (id_type(format, whole), bounds(format));
    let bytes = if kind == "number" { whole.div_ceil(8) } else { whole.div_ceil(8).max(8) };
    let variant = format.variant.map_or(String::new(), |layout| format!("\"layout\": {layout:?}"));
    let mut row = String::new();
    for (name, value) in [
        ("name", format!("{:?}", format.name)),
        ("entry", format!("\"graupel/{}\"", format.entry)),
        ("export", format!("{:?}", format.export)),
        ("declared", (format.epoch.is_none()).to_string()),
        ("given", format!("{{ {variant} }}")),
        ("bits", shown(known(whole.into()))),
        ("fields", if declared { "null".to_owned() } else { format!("[{}]", fields.join(", ")) }),
        ("tickMs", shown(known(format.tick_ms.into()))),
        ("rounding", format!("{:?}", rounding(format))),
        ("epoch", shown(format.epoch)),
        ("endOfLife", shown(format.epoch.and_then(|epoch| Some(epoch + life?)))),
        ("lifeMs", shown(life)),
        ("capacity", shown(capacity)),
        ("text", text(format)),
        ("id", format!("{{ \"type\": {kind:?}, \"bytes\": {bytes}, \"min\": {min:?}, \"max\": {max:?} }}")),
        ("declaration", list(options, format.declaration)),
        ("options", list(options, &generator_options(format))),
    ] {
        let _ = writeln!(row, "    {name:?}: {value},");
    }
    format!("  {:?}: {{\n{row}  }},\n", format.name)
}

/// The layout; of those that users declare, the widest one.
fn layout(format: &Format) -> Layout {
    let widest = || Layout::new(&[MAX_FIELD_BITS, 64 - MAX_FIELD_BITS]).expect("a layout");
    if format.fields.is_empty() { widest() } else { format.layout() }
}

/// How a time becomes a tick.
pub fn rounding(format: &Format) -> &'static str {
    if format.rounding == Rounding::NearestEven { "nearest" } else { "down" }
}

/// The role of a field.
pub fn role(format: &Format, index: usize) -> &'static str {
    if index == 0 {
        "time"
    } else if index == format.sequence {
        if format.random { "random" } else { "sequence" }
    } else if format.tick_tock == Some(index) {
        "tickTock"
    } else if format.call == Some(index) {
        "call"
    } else if format.optional.contains(&index) {
        "unused"
    } else {
        "fixed"
    }
}

/// The type of an ID in JavaScript. A declared layout has BigInts, however few bits it declares, unless the declaration says something else.
pub fn id_type(format: &Format, bits: u32) -> &'static str {
    match format.text {
        Text::Base32 { .. } => "string",
        Text::Digits { .. } if bits <= snowflake_si::BITS.into() => "number",
        Text::Digits { .. } => "bigint",
    }
}

/// The characters, by their value.
pub fn alphabet(format: &Format) -> &'static str {
    let digits: &'static [u8] = match format.text {
        Text::Base32 { form, .. } => form.digits(),
        Text::Digits { radix } => &DIGITS[..usize::from(radix)],
    };
    str::from_utf8(digits).unwrap_or_default()
}

/// Whether letters are read in either case.
pub fn ignores_case(format: &Format) -> bool {
    match format.text {
        Text::Base32 { form, .. } => form.folds(),
        Text::Digits { .. } => true,
    }
}

/// The smallest and the largest canonical text. A declared layout has at most 63 bits.
pub fn bounds(format: &Format) -> (String, String) {
    let layout = layout(format);
    let max = layout.edge(layout.last_tick(format.unsigned), true);
    let alphabet = alphabet(format).as_bytes();
    let fixed = if let Text::Base32 { form, .. } = format.text { form.length() } else { 1 };
    (digits(0, alphabet, fixed), digits(max, alphabet, 1))
}

/// A regular expression for canonical texts.
pub fn pattern(format: &Format) -> String {
    let (min, max) = bounds(format);
    let alphabet = alphabet(format).as_bytes();
    let (all, rest) = (class(alphabet), max.len() - 1);
    // In a text of fixed length, the width of the ID limits the first character.
    let last = alphabet.iter().position(|&digit| max.as_bytes().first() == Some(&digit)).unwrap_or_default();
    if min.len() < max.len() {
        format!("^(?:0|[{}][{all}]{{0,{rest}}})$", class(&alphabet[1..]))
    } else if last + 1 == alphabet.len() {
        format!("^[{all}]{{{}}}$", max.len())
    } else {
        format!("^[{}][{all}]{{{rest}}}$", class(&alphabet[..=last]))
    }
}

fn text(format: &Format) -> String {
    let alphabet = alphabet(format);
    let (min, max) = bounds(format);
    format!(
        "{{ \"base\": {}, \"alphabet\": {alphabet:?}, \"ignoresCase\": {}, \"shortest\": {}, \"longest\": {}, \"pattern\": {:?} }}",
        alphabet.len(),
        ignores_case(format),
        min.len(),
        max.len(),
        pattern(format)
    )
}

/// An integer in the digits of an alphabet.
fn digits(mut integer: u128, alphabet: &[u8], length: usize) -> String {
    let base = alphabet.len() as u128;
    let mut digits = Vec::new();
    while integer > 0 || digits.len() < length {
        digits.push(usize::try_from(integer % base).map_or('?', |digit| char::from(alphabet[digit])));
        integer /= base;
    }
    digits.iter().rev().collect()
}

/// The options of a format's generators: its fixed fields, its own options, and the shared options.
fn generator_options(format: &Format) -> Vec<Choice> {
    let own = |name: &str| format.options.iter().any(|choice| choice.name == name);
    let fields =
        format.fields.iter().enumerate().filter(|&(index, field)| role(format, index) == "fixed" && !own(field.name));
    let fields = fields.map(|(_, field)| Choice { required: true, ..Choice::of(field.name, field, None) });
    fields.chain(format.options.iter().copied()).chain(shared_options(format)).collect()
}

/// The options that the generators of all formats have.
pub fn shared_options(format: &Format) -> [Choice; 11] {
    let policy = |name, words, default| Choice::new(name, Takes::Word { words, default: Some(default) });
    let duration = |name, default| Choice::new(name, Takes::Duration { max: LONGEST_MS, default });
    let backwards: &[&str] = if format.tick_tock.is_some() { &BACKWARDS } else { &BACKWARDS[..3] };
    [
        policy("clockBackwards", backwards, word(&Backwards::WORDS, format.backwards)),
        policy("sequenceFull", &FULL, word(&Full::WORDS, format.full)),
        duration("maxWaitMs", MAX_WAIT_MS),
        duration("maxAheadMs", MAX_AHEAD_MS),
        Choice::new("onClockBackwards", Takes::Function),
        Choice::new("onOverflow", Takes::Function),
        Choice::new("snapshot", Takes::Snapshot),
        Choice::new("notBefore", Takes::Time { min: -UNIX_MS_MAX, max: UNIX_MS_MAX, default: None }),
        Choice::new("clock", Takes::Function),
        Choice::new("isolated", Takes::Flag),
        Choice::new("lease", Takes::Lease),
    ]
}

/// The words of the policies. The last one is for the tick-tock bit.
const BACKWARDS: [&str; 4] =
    [Backwards::WORDS[0].1, Backwards::WORDS[1].1, Backwards::WORDS[2].1, Backwards::WORDS[3].1];
const FULL: [&str; 3] = [Full::WORDS[0].1, Full::WORDS[1].1, Full::WORDS[2].1];

fn list(options: &mut Shared, choices: &[Choice]) -> String {
    let names: Vec<String> = choices.iter().map(|choice| options.name(option(choice))).collect();
    format!("[{}]", names.join(", "))
}

fn option(choice: &Choice) -> String {
    let number = |number: Option<i64>| number.map_or("null".to_owned(), |number| number.to_string());
    let null = || "null".to_owned();
    let (kind, min, max, accepted, default) = match choice.takes {
        Takes::Number { min, max, default } => {
            ("number", number(Some(min)), number(Some(max)), null(), number(default))
        }
        Takes::Duration { max, default } => {
            ("duration", number(Some(0)), number(Some(max)), null(), number(Some(default)))
        }
        Takes::Word { words: all, default } => {
            ("word", null(), null(), format!("{all:?}"), default.map_or_else(null, |word| format!("{word:?}")))
        }
        Takes::Time { min, max, default } => ("time", number(Some(min)), number(Some(max)), null(), number(default)),
        Takes::Flag => ("flag", null(), null(), null(), "false".to_owned()),
        Takes::Function => ("function", null(), null(), null(), null()),
        Takes::Snapshot => ("snapshot", null(), null(), null(), null()),
        Takes::Lease => ("lease", null(), null(), null(), null()),
        Takes::Fields => ("fields", null(), null(), null(), null()),
        Takes::Field { default } => ("field", null(), null(), null(), format!("{default:?}")),
    };
    format!(
        "{{ \"name\": {:?}, \"kind\": {kind:?}, \"required\": {}, \"default\": {default}, \"min\": {min}, \"max\": {max}, \"words\": {accepted} }}",
        choice.name, choice.required
    )
}
