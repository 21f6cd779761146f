//! One number for a hundred thousand answers of the core: it must be the same natively and as WebAssembly, in debug and in
//! release.

use graupel::engine::alphabet::{RADIX, parse_digits};
use graupel::engine::{Backwards, Full, Generator, MAX_FIELDS, NotIssued, Policy, low_bits};
use graupel::formats::{sno, ulid_flake};
use serde_json::Value;

use crate::made::{self, Answer, InMs};
use crate::subjects::{self, Subject};

/// The expected number. A change of any answer changes it.
const EXPECTED: u64 = 0xdc2d_0209_972c_233f;

const CALLS: usize = 4000;
const IDS: usize = 300;

/// Plays and compares. The number of a dialect is beside its vectors; the one above is of the other subjects together.
pub fn compare() {
    let vectors: Value = serde_json::from_str(include_str!("../vectors/snowflake.json")).unwrap();
    let mut others = Digest::NEW;
    for subject in subjects::all() {
        let recorded = &vectors["dialects"][subject.name];
        if recorded.is_null() {
            others.all(&subject);
        } else {
            let mut digest = Digest::NEW;
            digest.all(&subject);
            let found = format!("{:016x}", digest.sum);
            assert_eq!(recorded["digest"].as_str(), Some(found.as_str()), "the digest of {}", subject.name);
        }
    }
    assert_eq!(others.sum, EXPECTED, "the digest of all other answers; {:#018x}", others.sum);
}

// The hash FNV-1a, 64 bits: simple and sufficient.
const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

struct Digest {
    sum: u64,
    random: u64,
}

impl Digest {
    const NEW: Self = Self { sum: FNV_BASIS, random: 1 };

    fn all(&mut self, subject: &Subject) {
        self.codec(subject);
        self.calls(subject);
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.sum = (self.sum ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        }
    }

    /// The next of a sequence of random numbers (Marsaglia's xorshift), below `below`.
    fn draw(&mut self, below: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 8) % below
    }

    /// IDs unpacked, packed and written in every form; ranges.
    fn codec(&mut self, subject: &Subject) {
        let (schema, bits) = (subject.schema, subject.schema.layout.bits());
        for _ in 0..IDS {
            let id = (u128::from(self.draw(1 << 40)) << 40 | u128::from(self.draw(1 << 40))) & ((1 << bits) - 1);
            let mut fields = [0; MAX_FIELDS];
            let read = schema.inspect(id, &mut fields);
            self.add(&[read.map_or_else(graupel::Error::number, |()| 0)]);
            for value in fields {
                self.add(&value.to_le_bytes());
            }
            self.add(&schema.compose(&fields).unwrap_or_default().to_le_bytes());

            let mut text = [0; sno::TEXT_LENGTH];
            sno::format(id, &mut text);
            self.add(&text);
            self.add(&sno::parse(&text).unwrap_or_default().to_le_bytes());
            let mut text = [0; ulid_flake::TEXT_LENGTH];
            ulid_flake::format(low_bits(id) >> 1, &mut text);
            self.add(&text);
            let radix = *RADIX.start() + u32::try_from(self.draw(35)).unwrap_or_default();
            let digits = made::digits(low_bits(id), radix);
            self.add(digits.as_bytes());
            self.add(&parse_digits(digits.as_bytes(), radix, u64::MAX).unwrap_or_default().to_le_bytes());

            let from = self.time(subject);
            let to = from + self.fraction(1 << 30);
            let (min, max) = schema.range(from, to).unwrap_or_default();
            self.add(&min.to_le_bytes());
            self.add(&max.to_le_bytes());
        }
    }

    /// A time around the format's life, in eighths of a millisecond.
    #[expect(clippy::cast_precision_loss)]
    fn time(&mut self, subject: &Subject) -> f64 {
        let scale = subject.schema.scale;
        let span = scale.timestamp(scale.last()) - scale.epoch();
        let since = self.draw(span.unsigned_abs().saturating_add(span.unsigned_abs() / 8));
        scale.epoch() as f64 + since as f64 + self.fraction(8)
    }

    #[expect(clippy::cast_precision_loss)]
    fn fraction(&mut self, below: u64) -> f64 {
        self.draw(below) as f64 / 8.0
    }

    /// A clock that moves at random, under all policies.
    #[expect(clippy::cast_precision_loss)]
    fn calls(&mut self, subject: &Subject) {
        let mut generator = subject.pooled(4);
        let tick_ms = i64::from(subject.schema.scale.tick_ms());
        let mut clock = subject.schema.scale.timestamp(1000);
        for _ in 0..CALLS {
            let step = self.draw(64).cast_signed();
            clock += tick_ms * if step < 40 { 0 } else { step - 50 };
            let now = clock as f64 + self.fraction(8);
            if self.draw(16) == 0 {
                let time = now - 100.0 * tick_ms as f64;
                self.call(subject, &mut generator, |generator, bits| generator.at_ms(time, bits));
            } else {
                let policy = self.policy(subject);
                self.call(subject, &mut generator, |generator, bits| generator.next_ms(now, bits, &policy));
            }
        }
        for number in [generator.stats.issued, generator.stats.regressions, generator.stats.overflows] {
            self.add(&number.to_le_bytes());
        }
        assert!(generator.stats.issued > 500, "{}: {:?}", subject.name, generator.stats);
    }

    fn policy(&mut self, subject: &Subject) -> Policy {
        let backwards = match self.draw(if subject.is_sno() { 4 } else { 3 }) {
            0 => Backwards::Throw,
            1 => Backwards::Wait,
            2 => Backwards::Hold,
            _ => Backwards::TickTock,
        };
        let full = match self.draw(3) {
            0 => Full::Throw,
            1 => Full::Wait,
            _ => Full::Borrow,
        };
        Policy { backwards, full, max_ahead: self.draw(8).cast_signed() }
    }

    fn call(
        &mut self,
        subject: &Subject,
        generator: &mut Generator,
        mut ask: impl FnMut(&mut Generator, Option<u64>) -> Answer,
    ) {
        let mut bits = None;
        loop {
            match ask(generator, bits) {
                Ok(()) => return self.add(&subject.id(generator).bits.to_le_bytes()),
                Err(NotIssued::Draw { bytes }) => {
                    self.add(&[u8::try_from(bytes).unwrap()]);
                    bits = Some(self.draw(1 << (8 * bytes)));
                }
                Err(NotIssued::Wait { until, cause }) => {
                    self.add(&until.to_le_bytes());
                    return self.add(&[cause.number()]);
                }
                Err(NotIssued::Refused(error)) => return self.add(&[error.number()]),
            }
        }
    }
}
