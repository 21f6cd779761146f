//! The core alone, natively: `cargo bench --package graupel-bench`. Each piece of work is measured separately, so that a
//! regression shows its place.
//! `npm run bench` measures the calls of JavaScript, boundary included.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use graupel::Error;
use graupel::engine::alphabet::{Base32, parse_digits};
use graupel::engine::{
    Backwards, Full, Interval, NotIssued, Options, Policy, Schema, SequenceRule, State, low_bits, step,
};
use graupel::formats::{sno, snowflake, snowflake_si, ulid_flake};

/// An ID with ones and zeros in every part.
const ID: u64 = 1_305_120_710_456_668_160;
/// The same with 80 bits.
const SNO_ID: u128 = 0x78F1_C9B5_7E42_0102_0304;
/// The epoch of formats that take one: Unix ms.
const EPOCH: i64 = 1_700_000_000_000;

fn encode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("encode");
    group.bench_function("sno", |bench| bench.iter(|| sno::TEXT.parts(black_box(SNO_ID))));
    group.bench_function("sno, the next of a tick", |bench| {
        let [_, last] = sno::TEXT.parts(SNO_ID);
        bench.iter(|| sno::TEXT.last_part_after(black_box(last), black_box(low_bits(SNO_ID) + 1)));
    });
    group.bench_function("ulid-flake", |bench| bench.iter(|| ulid_flake::TEXT.parts(black_box(ID.into()))));
}

fn decode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decode");
    let forms: [(&str, &Base32, u128); 2] = [("sno", &sno::TEXT, SNO_ID), ("ulid-flake", &ulid_flake::TEXT, ID.into())];
    for (name, form, id) in forms {
        let [first, last] = form.parts(id).map(u64::to_le_bytes);
        let text = [&first[..], &last[16 - form.length()..]].concat();
        assert_eq!(form.parse(&text, u128::MAX), Ok(id));
        group.bench_function(name, |bench| bench.iter(|| form.parse(black_box(&text), u128::MAX)));
    }

    for (name, radix, text) in [("decimal", 10, &b"1305120710456668160"[..]), ("base 36", 36, b"9wyqohazqmm8")] {
        assert_eq!(parse_digits(text, radix, u64::MAX), Ok(ID));
        group.bench_function(name, |bench| {
            bench.iter(|| parse_digits(black_box(text), black_box(radix), u64::MAX));
        });
    }
}

fn fields(criterion: &mut Criterion) {
    let schemas: [(&str, Schema); 3] = [
        ("sno", sno::FORMAT.schema(None).expect("a schema")),
        ("twitter", snowflake::TWITTER.schema(None).expect("a schema")),
        ("snowflake-si", snowflake_si::FORMAT.schema(Some(EPOCH)).expect("a schema")),
    ];
    for (verb, packs) in [("pack", true), ("unpack", false)] {
        let mut group = criterion.benchmark_group(verb);
        for (name, schema) in &schemas {
            // Half of the largest ID: valid in every format, whether or not its top bit may be set.
            let id = schema.max() / 2;
            let values: Vec<u64> = schema.layout().values(id).collect();
            let pack = |values: &[u64]| schema.layout().pack(|field| values.get(field).copied());
            assert_eq!(pack(&values), Ok(id));
            group.bench_function(*name, |bench| {
                if packs {
                    bench.iter(|| pack(black_box(&values)));
                } else {
                    bench.iter(|| schema.layout().values(black_box(id)).fold(0, |mixed, value| mixed ^ value));
                }
            });
        }
    }
}

/// A tick of 4,096 values.
const COUNTER: SequenceRule = rule(SequenceRule::counter(0, 4095, 0));
/// 20 random bits, and steps of a byte.
const RANDOM: SequenceRule = rule(SequenceRule::random((1 << 20) - 1, 3, 1));
const fn rule(rule: Result<SequenceRule, Error>) -> SequenceRule {
    match rule {
        Ok(rule) => rule,
        Err(_) => panic!("no rule"),
    }
}

/// A generator in the middle of its tick.
const MIDDLE: State =
    State { highest: 1000, last: 1000, value: 7, left: 100, safe: -1, tick_tocks: 0, first_live: 500 };
/// A generator whose tick is full.
const FULL: State = State { value: 4095, left: 0, ..MIDDLE };

/// The result of a step.
type Outcome = Result<(), NotIssued>;

/// One path through a step. The expected result proves that this path is measured, and no other.
struct Way {
    name: &'static str,
    state: State,
    now: i64,
    policy: Policy,
    values: SequenceRule,
    random: Option<u64>,
    expected: fn(&Outcome) -> bool,
}

const fn issued(outcome: &Outcome) -> bool {
    outcome.is_ok()
}

const fn waits(outcome: &Outcome) -> bool {
    matches!(outcome, Err(NotIssued::Wait { .. }))
}

const fn asks(outcome: &Outcome) -> bool {
    matches!(outcome, Err(NotIssued::Draw { .. }))
}

const fn refused(outcome: &Outcome) -> bool {
    matches!(outcome, Err(NotIssued::Refused(Error::ClockBackwards | Error::SequenceFull)))
}

fn ways() -> Vec<Way> {
    let counter = |name, state, now, backwards, full, expected| {
        let policy = Policy { backwards, full, max_ahead: 10_000 };
        Way { name, state, now, policy, values: COUNTER, random: None, expected }
    };
    let random = |name, now, random, expected| {
        let policy = Policy { full: Full::Wait, ..Policy::default() };
        Way { name, state: MIDDLE, now, policy, values: RANDOM, random, expected }
    };
    let same = MIDDLE.highest;
    vec![
        counter("same tick", MIDDLE, same, Backwards::Throw, Full::Wait, issued),
        counter("new tick", MIDDLE, same + 1, Backwards::Throw, Full::Wait, issued),
        counter("backwards, throw", MIDDLE, same - 5, Backwards::Throw, Full::Wait, refused),
        counter("backwards, wait", MIDDLE, same - 5, Backwards::Wait, Full::Wait, waits),
        counter("backwards, hold", MIDDLE, same - 5, Backwards::Hold, Full::Wait, issued),
        counter("backwards, tick-tock", MIDDLE, same - 5, Backwards::TickTock, Full::Wait, issued),
        counter("full, throw", FULL, same, Backwards::Throw, Full::Throw, refused),
        counter("full, wait", FULL, same, Backwards::Throw, Full::Wait, waits),
        counter("full, borrow", FULL, same, Backwards::Throw, Full::Borrow, issued),
        random("random, ask for bits", same + 1, None, asks),
        random("random, start a tick", same + 1, Some(0xA_5A5A), issued),
        random("random, go on", same, Some(0x5A), issued),
        random("random, leave the range", same, Some((1 << 20) - 1), waits),
    ]
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    let interval = Interval::ALL;
    for Way { name, state, now, policy, values, random, expected } in &ways() {
        let options = Options { values, policy, interval: &interval, last_tick: (1 << 41) - 1, backfilled: -1 };
        let one = |mut state: State, now, random, options: &Options<'_>| {
            let outcome = step(&mut state, now, random, &mut false, options);
            (outcome, state)
        };
        let (outcome, _) = one(*state, *now, *random, &options);
        assert!(expected(&outcome), "{name}: {outcome:?}");
        group.bench_function(*name, |bench| {
            bench.iter(|| one(black_box(*state), black_box(*now), black_box(*random), black_box(&options)));
        });
    }
}

/// Short, because there are many benchmarks. A regression changes more than the noise that this leaves.
fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1200))
        .sample_size(50)
        .without_plots()
}

criterion_group! { name = core; config = short(); targets = encode, decode, fields, steps }
criterion_main!(core);
