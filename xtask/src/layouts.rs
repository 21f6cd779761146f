//! Writes the tables and numbers of the core as TypeScript. Each number then has one source, and a
//! format knows its facts before the module is instantiated.

use std::array;
use std::fmt::Write as _;
use std::mem::take;

use graupel::abi::{Asked, Random};
use graupel::engine::{Backwards, Full, Interval, Restart, SAVED, Saved, State, Stats};
use graupel::formats::{ALL, Format, TEXTS, Text, options, sno, snowflake_si};
use graupel::{Error, abi, engine};

use crate::facts;
use crate::read::inspection;

/// The first line of each generated file.
pub const WRITTEN: &str = "// Written by the build from the tables in src/; edit them there.\n";

/// The contents of `js/generated/layouts.ts`: rows and words.
pub fn layouts() -> String {
    let mut out = String::from(WRITTEN);
    constant(&mut out, "BACKWARDS", &words(&Backwards::WORDS));
    constant(&mut out, "FULL", &words(&Full::WORDS));
    constant(&mut out, "STARTS", &words(&Restart::WORDS));
    let shared = facts::shared_options(ALL[0]).map(|choice| choice.name);
    constant(&mut out, "SHARED", &format!("{shared:?}"));
    constant(&mut out, "NEW: readonly number[]", &format!("{:?}", unused()));
    let mut shared = Shared::default();
    for format in ALL {
        let row = row(format, &mut shared);
        out.push_str(&shared.declarations());
        constant(&mut out, &camel_case(format.name), &row);
    }
    out
}

/// Values that several rows share. Each is written once, as a numbered constant.
#[derive(Default)]
pub struct Shared {
    values: Vec<String>,
    declarations: String,
}

impl Shared {
    /// The name of the constant with this value.
    pub fn name(&mut self, value: String) -> String {
        let known = self.values.iter().position(|one| *one == value);
        let name = format!("o{}", known.unwrap_or(self.values.len()));
        if known.is_none() {
            constant(&mut self.declarations, &name, &format!("{value} as const"));
            self.values.push(value);
        }
        name
    }

    /// The constants since the last call.
    pub fn declarations(&mut self) -> String {
        take(&mut self.declarations)
    }
}

/// Numbers of the core, under their own names after a prefix.
macro_rules! own {
    ($($prefix:literal $place:ident: $($name:ident)*;)*) => {
        [$($((concat!($prefix, stringify!($name)).to_owned(), $place::$name.to_string())),*),*]
    };
}

/// The contents of `js/generated/constants.ts`: single numbers. They are in a file of their own,
/// which the build inlines everywhere.
pub fn constants() -> String {
    let mut numbers = own! {
        "" abi: REGISTER SECOND AS_NUMBER FIELDS DETAIL CAUSE FILLED DATA BATCH SLOTS MOST_DRAWS;
        "" Asked: FORM_SHIFT FORM_INTEGER FORM_NUMBER FULL_SHIFT BACKFILL PER_CALL_SHIFT;
        "" Random: FROM_PLATFORM FROM_CALLER;
        "" engine: UNIX_MS_MAX SPAN_MS_MAX TICK_MS_MAX MAX_FIELD_BITS INTEGER_BITS;
        "" options: LONGEST_MS MAX_WAIT_MS MAX_AHEAD_MS MIN_RADIX MAX_RADIX;
        "" State: MAX_TICK_TOCKS;
        "RESTART_" Restart: UNIT;
        "SNO_" sno: SMALLEST_POOL MAX_SAVED_SEQUENCE;
        "SI_" snowflake_si: BITS FIRST_EPOCH_40 FIRST_EPOCH_41;
    }
    .to_vec();
    numbers.extend(
        (0..).zip(Error::NAMES).skip(1).map(|(number, name): (u32, _)| (format!("STATUS_{name}"), number.to_string())),
    );
    numbers.push(("SAVED".to_owned(), SAVED.len().to_string()));
    numbers.extend(SAVED.map(|(name, position)| (name.to_owned(), position.to_string())));
    for (name, number) in [
        ("WAIT", i64::from(abi::Status::WAIT.number())),
        ("DRAW", abi::Status::DRAW.number().into()),
        ("REFILL", abi::Status::REFILL.number().into()),
        ("FULL_WAIT", Full::Wait as i64),
    ] {
        numbers.push((name.to_owned(), number.to_string()));
    }
    for (name, bits) in [
        ("CLOCK", &snowflake_si::CLOCK_BITS),
        ("MACHINE", &snowflake_si::MACHINE_BITS),
        ("SEQUENCE", &snowflake_si::SEQUENCE_BITS),
    ] {
        numbers.push((format!("SI_MIN_{name}_BITS"), bits.start().to_string()));
        numbers.push((format!("SI_MAX_{name}_BITS"), bits.end().to_string()));
    }
    let mut out = String::from(WRITTEN);
    for (name, number) in numbers {
        constant(&mut out, &name, &number);
    }
    out + &types()
}

/// The types of the core's arguments and results, as in [`abi`].
fn types() -> String {
    let errors = Error::NAMES.iter().skip(1).map(|name| format!("typeof STATUS_{name}"));
    let others = ["WAIT", "DRAW", "REFILL"].map(|name| format!("typeof {name}"));
    let statuses: Vec<String> = errors.chain(others).collect();
    format!(
        "/** The status of a call of the core: 0 for success, the number of an error, or one of three others. */\n\
         export type Status = 0 | {};\n\
         /** The flags of a call of a generator: two policies or `BACKFILL`, a form, and the call's own bits (`Asked`). */\n\
         export type Asked = number;\n\
         /** Drawn random bits, from 0 on; or the side that draws them. */\n\
         export type Random = typeof FROM_PLATFORM | typeof FROM_CALLER | (number & {{}});\n",
        statuses.join(" | ")
    )
}

/// The saved numbers of a generator that has issued nothing, in the order of [`SAVED`].
fn unused() -> [i64; SAVED.len()] {
    let Saved { state, backfill, stats, interval: Interval { from, until } } = Saved::NEW;
    let State { highest, last, value, left, safe, tick_tocks, first_live } = state;
    let Stats { issued, regressions, largest_regression, overflows, overflown } = stats;
    let signed = u64::cast_signed;
    let clock = [highest, last, signed(value), signed(left), safe, signed(tick_tocks), signed(first_live)];
    let backfilled = [backfill.highest, signed(backfill.value), signed(backfill.left), signed(backfill.wrapped)];
    let counted = [signed(issued), signed(regressions), largest_regression, signed(overflows), overflown];
    let mut numbers = clock.into_iter().chain(backfilled).chain(counted).chain([from, until]);
    array::from_fn(|_| numbers.next().unwrap_or_default())
}

/// The words of a policy, in the order of its numbers.
pub fn words<P>(all: &[(P, &str)]) -> String {
    format!("{:?} as const", all.iter().map(|(_, word)| word).collect::<Vec<_>>())
}

/// The word of one policy.
pub fn word<P: Copy + PartialEq>(all: &[(P, &'static str)], policy: P) -> &'static str {
    all.iter().find(|(one, _)| *one == policy).map_or("", |(_, word)| word)
}

fn constant(out: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "export const {name} = {value};");
}

/// The row of a format. It states every property, because a missing one would be read from a
/// prototype, which may be polluted.
fn row(format: &Format, shared: &mut Shared) -> String {
    let (radix, text) = match format.text {
        Text::Base32 { form, .. } => {
            let index = TEXTS.iter().position(|&one| one == form).unwrap_or_default();
            (abi::TEXT as usize + index, shared.name(text(format)))
        }
        Text::Digits { radix } => (radix.into(), "undefined".to_owned()),
    };
    let backwards = word(&Backwards::WORDS, format.backwards);
    let full = word(&Full::WORDS, format.full);
    format!(
        "{{ name: {:?}, fields: [{}], sequence: {}, startBytes: {}, epoch: {}, tickMs: {}, facts: {}, \
         radix: {radix}, text: {text}, tickTockBit: {}, perCallBits: {}, inspection: {}, \
         clockBackwards: {backwards:?}, sequenceFull: {full:?} }} as const",
        format.name,
        fields(format),
        format.sequence,
        format.start_bytes(),
        format.epoch.map_or("undefined".to_owned(), |epoch| epoch.to_string()),
        format.tick_ms,
        shared.name(facts(format)),
        format.mask(format.tick_tock),
        format.mask(format.call),
        inspection(format),
    )
}

/// The fields of a layout.
pub fn fields(format: &Format) -> String {
    let fields = format.fields.iter().enumerate().map(|(index, field)| {
        format!("{{ name: {:?}, bits: {}, role: {:?} }}", field.name, field.bits, facts::role(format, index))
    });
    fields.collect::<Vec<_>>().join(", ")
}

/// The facts of a layout except its fields and ticks.
fn facts(format: &Format) -> String {
    format!(
        "{{ isUnsigned: {}, rounding: {:?}, base: {}, ignoresCase: {}, pattern: {:?} }}",
        format.unsigned,
        facts::rounding(format),
        facts::alphabet(format).len(),
        facts::ignores_case(format),
        facts::pattern(format),
    )
}

/// A text form: its length; its alphabet, also in words; a regular expression that matches texts
/// that are not canonical (any other text of the right length is an ID); and the function that
/// creates a text from bytes. The fastest way is one call with all characters as arguments.
fn text(format: &Format) -> String {
    let Text::Base32 { form, characters } = format.text else { return String::new() };
    let digits = form.digits();
    let length = form.length();
    let bits: usize = format.fields.iter().map(|field| usize::from(field.bits)).sum();
    // The number of values of the first character.
    let first = 1 << (bits - 5 * (length - 1));
    let start = if first < digits.len() { format!("^[^{}]|", class(&digits[..first])) } else { String::new() };
    let byte =
        |index| if index == 0 { "u8[offset] as number".to_owned() } else { format!("u8[offset + {index}] as number") };
    let bytes = (0..length).map(byte).collect::<Vec<_>>().join(", ");
    format!(
        "{{ length: {length}, alphabet: {:?}, characters: {characters:?}, nonCanonical: /{start}[^{}]/, \
         read: (u8: Uint8Array, offset: number) => String.fromCharCode({bytes}) }}",
        String::from_utf8_lossy(digits),
        class(digits)
    )
}

/// Formats ascending characters as ranges.
pub fn class(characters: &[u8]) -> String {
    characters
        .chunk_by(|before, after| before + 1 == *after)
        .map(|range| match range {
            [only] => char::from(*only).to_string(),
            [first, .., last] => format!("{}-{}", char::from(*first), char::from(*last)),
            [] => String::new(),
        })
        .collect()
}

/// Converts `ulid-flake` to `ulidFlake`.
pub fn camel_case(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut out, word| {
        let (head, tail) = word.split_at(1);
        out.push_str(&head.to_ascii_uppercase());
        out.push_str(tail);
        out
    })
}
