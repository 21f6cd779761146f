//! The formats under test, each with a generator from its own constructor. If the values of the
//! fixed fields were misplaced, they would show in a neighbouring field.

use graupel::engine::{Field, Generator, NotIssued, Schema, SequenceRule};
use graupel::formats::{ALL, Format, Text, nanoflake, sno, snowflake_si, ulid_flake};

use crate::made::{self, Answer};

/// The epoch for formats without their own: 2023-11-14T22:13:20Z.
pub const EPOCH: i64 = 1_700_000_000_000;

/// The values that a tick of [`FormatUnderTest::pooled`] usually holds: the smallest pool that all formats allow.
pub const POOL: u64 = 4;

const METABYTE: u8 = 0x5A;
const PARTITION: u16 = 0xA5C3;
/// The largest sequence number of sno.
const SNO_MAX: u32 = 0xFFFF;
/// The source of the dialects' fixed fields. Each takes bits of it, starting one bit higher than
/// the previous field.
const PATTERN: u64 = 0x14D3_A5C3;

/// A format, and a generator of it that has issued nothing.
#[derive(Clone, Debug)]
pub struct FormatUnderTest {
    pub name: &'static str,
    pub schema: Schema,
    /// The index of the field that counts, or is random, within a tick.
    pub sequence: usize,
    pub generator: Generator,
    /// The fixed values of every ID, high to low; `None` for the time, the sequence and sno's
    /// tick-tock bit.
    fixed: Vec<Option<u64>>,
}

/// Every row of the table of formats, and layouts that a user may declare: with an unusual tick,
/// with a sequence that is not the lowest field, without a machine field.
pub fn all() -> Vec<FormatUnderTest> {
    let dialect = |format: &Format| {
        let counts = |field| field == 0 || field == format.sequence;
        let fixed = format.fields.iter().enumerate().filter(|&(field, _)| !counts(field));
        let fixed: Vec<u64> = fixed.map(|(field, Field { bits, .. })| PATTERN >> field & ((1 << bits) - 1)).collect();
        let schema = format.schema(None).unwrap();
        FormatUnderTest::new(format.name, schema, format.sequence, made::of(format, &fixed), &fixed)
    };
    let declared = |name, schema: Schema, sequence, fixed: &[u64]| {
        let mut parts = fixed.to_vec();
        parts.insert(0, 0);
        parts.insert(sequence, 0);
        let generator = made::generator(&schema, &parts, made::counter(&schema, sequence));
        FormatUnderTest::new(name, schema, sequence, generator, fixed)
    };
    let flake = |format: &Format, fixed: &[u64]| {
        declared(format.name, format.schema(Some(EPOCH)).unwrap(), format.sequence, fixed)
    };
    let ulid = |format: &Format, fixed: &[u64]| {
        let scalability = fixed.first().copied().unwrap_or(0);
        // Fewer bytes than a start has. For one of the two formats, this is not the number with
        // which a slot is opened.
        let generator = made::ulid_flake(format, None, scalability, u64::from(format.start_bytes()) - 1);
        FormatUnderTest::new(format.name, format.schema(None).unwrap(), format.sequence, generator, fixed)
    };
    let si = |name, widths: [u8; 3], fixed: &[u64]| {
        declared(name, made::snowflake_si(EPOCH, widths), 1 + usize::from(widths[1] > 0), fixed)
    };
    let custom = |name, widths: &[u8], sequence, tick_ms, fixed: &[u64]| {
        declared(name, made::declared(widths, sequence, EPOCH, tick_ms), sequence, fixed)
    };
    let sno = FormatUnderTest::new(
        sno::FORMAT.name,
        sno::FORMAT.schema(None).unwrap(),
        sno::FORMAT.sequence,
        made::sno(PARTITION, (0, SNO_MAX)),
        &[METABYTE.into(), PARTITION.into()],
    );
    let dialects = ALL.iter().filter(|format| format.epoch.is_some() && matches!(format.text, Text::Digits { .. }));
    let others = vec![
        sno,
        flake(&nanoflake::FORMAT, &[0x2A5]),
        flake(&nanoflake::REFERENCE_24, &[0, 0x2A5]),
        si(snowflake_si::FORMAT.name, [40, 5, 8], &[0x15]),
        si("snowflake-si without a machine", [40, 0, 13], &[]),
        si("snowflake-si, 41 clock bits", [41, 10, 2], &[0x2A5]),
        ulid(&ulid_flake::FORMAT, &[]),
        ulid(&ulid_flake::SCALABLE, &[0x15]),
        custom("64 bits, ticks of 10 ms", &[41, 4, 6, 13], 3, 10, &[0xA, 0x25]),
        custom("sequence in the middle, ticks of 1 s", &[30, 8, 3], 1, 1000, &[5]),
    ];
    others.into_iter().chain(dialects.map(|format| dialect(format))).collect()
}

impl FormatUnderTest {
    fn new(name: &'static str, schema: Schema, sequence: usize, generator: Generator, fixed: &[u64]) -> Self {
        let mut rest = fixed.iter();
        let is_sno = name == sno::FORMAT.name;
        let moves = |field| field == 0 || field == sequence || (is_sno && field == 1);
        let fields = 0..schema.layout().places().count();
        let fixed = fields.map(|field| if moves(field) { None } else { rest.next().copied() }).collect();
        Self { name, schema, sequence, generator, fixed }
    }

    /// Whether IDs have a tick-tock bit.
    pub fn is_sno(&self) -> bool {
        self.name == sno::FORMAT.name
    }

    /// A new generator whose ticks hold `pool` values, because of narrower bounds or (see [`Self::bits`]) of the draws.
    pub fn pooled(&self, pool: u64) -> Generator {
        if self.is_sno() {
            let first = 100;
            let bounds = (first, first + u32::try_from(pool).unwrap() - 1);
            return made::sno(PARTITION, bounds);
        }
        match *self.generator.values() {
            SequenceRule::Counter { first, restart, .. } => {
                let values = SequenceRule::counter(first, first + pool - 1, restart).unwrap();
                made::with(&self.schema, &self.generator, values)
            }
            _ => self.generator,
        }
    }

    /// The answer of a scripted source to a draw of `bytes`: a start that leaves [`POOL`] values (with higher bits set, which
    /// must be ignored), or the smallest step.
    fn bits(&self, bytes: u64) -> u64 {
        match *self.generator.values() {
            SequenceRule::Random { max, start, .. } if bytes == start => {
                (max - (POOL - 1)) | !max & ((1 << (8 * start)) - 1)
            }
            SequenceRule::Random { .. } => 1,
            // A random start: all bits of its bytes.
            _ => (1 << 24) - 1,
        }
    }

    /// Asks until the answer is no longer "draw". Draws leave [`POOL`] values in a tick.
    pub fn draws(&self, mut ask: impl FnMut(Option<u64>) -> Answer) -> Answer {
        let mut bits = None;
        // At most: a step that exceeds the range, the start of the next tick, and the answer.
        for _ in 0..3 {
            match ask(bits) {
                Err(NotIssued::Draw { bytes }) => bits = Some(self.bits(bytes)),
                answer => return answer,
            }
        }
        panic!("{}: draws without end", self.name);
    }

    /// The tick, the value and the tick-tock bit of the last ID. Panics if it is not an ID of the format, is another
    /// generator's, or has other fields by the schema.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code))]
    pub fn latest(&self, generator: &Generator) -> (i64, u64, bool) {
        let bits = if self.is_sno() { generator.whole_id(METABYTE.into()) } else { u128::from(generator.id()) };
        assert!(bits <= self.schema.max(), "{}: {bits:#x} lies outside the layout", self.name);
        let fields = made::unpack(self.schema.layout(), bits);
        for (field, (&value, expected)) in fields.iter().zip(&self.fixed).enumerate() {
            if let Some(expected) = expected {
                assert_eq!(value, *expected, "{}: field {field} of {bits:#x}", self.name);
            }
        }
        let tick_tock = self.is_sno() && fields[1] == 1;
        let found = (i64::try_from(fields[0]).unwrap(), fields[self.sequence], tick_tock);
        assert_eq!(found, generator.latest(), "{}: {bits:#x}", self.name);
        found
    }
}
