/**
 * Compares the package with the reference, on random input and on both sides of every limit. GRAUPEL_SEED sets the seed, GRAUPEL_CASES
 * the number of cases for each format: each case asks every verb about the same IDs, texts and times.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect, isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { GraupelError } from "graupel";
import { sno } from "graupel/sno";
import { ask } from "../support/any-format.ts";
import { bitsOf, fieldsOf, instantsOf, textsOf } from "../support/arbitraries.ts";
import { EXPECTED, type Expected, isOneOf, type Values } from "../support/expected.ts";
import { type Reference, snoUUID } from "../support/reference.ts";
import { seedOfRun } from "../support/seed.ts";
import { custom, declarations, named, type Subject, snowflakeSIs } from "../support/subjects.ts";

// Many calls end in an error, and the stack is its main cost.
Error.stackTraceLimit = 4;
const seed = seedOfRun();
const CASES = Number(process.env.GRAUPEL_CASES ?? 400);

const said = (faults: Expected["faults"], result: () => unknown): string =>
  inspect(faults.length > 0 ? faults : result(), { breakLength: Infinity });

/** Makes a call, and compares what comes of it. */
function compare(what: string, given: readonly unknown[], expected: Expected, call: () => unknown): void {
  const { faults, result } = expected;
  const question = () =>
    `${what}(${given.map((x) => (typeof x === "bigint" ? `${x}n` : JSON.stringify(x)))})`;
  let seen: unknown;
  try {
    seen = call();
  } catch (error) {
    if (GraupelError.is(error) && isOneOf(error, faults)) return;
    throw new Error(`${question()}: expected ${said(faults, result)}`, { cause: error });
  }
  if (faults.length > 0 || !isDeepStrictEqual(seen, result())) {
    assert.fail(`${question()}: expected ${said(faults, result)}, got ${inspect(seen)}`);
  }
}

/** Asks a verb. */
function check({ label, format, reference }: Subject, verb: string, ...given: readonly unknown[]): void {
  const expected = EXPECTED[verb]?.(reference, ...given) as Expected;
  compare(`${label}: ${verb}`, given, expected, () => ask(format, verb, given));
}

const ONE_ID = ["parse", "format", "toBytes", "toBigInt", "inspect", "timestamp", "isValid", "validate"];

/** Every verb on one ID, or on its text. */
function checkID(subject: Subject, x: unknown): void {
  for (const verb of ONE_ID) {
    check(subject, verb, x);
  }
  check(subject, "with", x, {});
}

/** The fields by name, and the tick. */
const byName = ({ spec }: Reference, [tick, ...others]: readonly bigint[]): Values => ({
  ...Object.fromEntries(spec.fields.slice(1).map(([name], i) => [name, Number(others[i])])),
  ticks: Number(tick),
});

/** Every verb on the ID with these fields, and the verbs that make it. */
function checkFields(subject: Subject, values: readonly bigint[]): void {
  const { format, reference: r } = subject;
  const integer = r.pack(values);
  checkID(subject, r.idOf(integer));
  checkID(subject, r.text(integer));
  check(subject, "compose", byName(r, values));
  check(subject, "compose", format.inspect(r.idOf(integer)));
  check(subject, "compare", r.idOf(integer), r.text(integer));
  check(subject, "fromBytes", r.bytes(integer));
  check(subject, "fromBigInt", integer);
}

/** What a case is about. */
const drawn = (subject: Subject) => {
  const { reference: r, fixed } = subject;
  const widths = new Map(r.spec.fields);
  const radix = r.spec.form === 36 ? fc.integer({ min: 2, max: 36 }) : fc.constantFrom(2, 10, 16, 32);
  const end = fc.option(instantsOf(r), { nil: undefined, freq: 8 });
  return fc.record({
    one: fieldsOf(r),
    two: fc.option(fieldsOf(r), { freq: 2 }),
    field: fc.nat(r.spec.fields.length - 2),
    text: textsOf(r),
    integer: fc.tuple(fc.oneof(bitsOf(r.spec.bytes * 8), bitsOf(200)), fc.constantFrom(1n, 1n, 1n, -1n)),
    radix,
    inRadix:
      r.spec.form === 36
        ? radix.chain((radix) => fc.tuple(textsOf(r, radix), fc.constant(radix)))
        : fc.constant(undefined),
    ms: instantsOf(r),
    ends: fc.tuple(end, end),
    options: fc.tuple(
      ...fixed.map((name) => fc.tuple(fc.constant(name), bitsOf(widths.get(name) as number).map(Number))),
    ),
  });
};
type Drawn = ReturnType<typeof drawn> extends fc.Arbitrary<infer D> ? D : never;

function checkAll(subject: Subject, draw: Drawn): void {
  const { reference: r } = subject;
  const { one, ms, text } = draw;
  // Sometimes the IDs differ in their last bit only.
  const two = draw.two ?? one.map((value, i) => (i === one.length - 1 ? value ^ 1n : value));
  checkFields(subject, one);
  checkFields(subject, two);
  checkID(subject, text);
  const [id, other] = [one, two].map((values) => r.idOf(r.pack(values)));
  check(subject, "compare", id, other);
  check(subject, "compare", text, other);
  const name = r.spec.fields[draw.field + 1]?.[0] as string;
  check(subject, "with", id, { [name]: Number(two[draw.field + 1]) });
  check(subject, "with", id, { ticks: Number(two[0]) });
  const integer = draw.integer[0] * draw.integer[1];
  check(subject, "fromBigInt", integer);
  checkID(subject, integer);
  // As typed arrays and WebAssembly see it, this is the ID.
  checkID(subject, r.pack(one) + 2n ** 64n * draw.integer[1]);
  if (integer >= 0n && integer < 2n ** BigInt(r.spec.bytes * 8)) {
    check(subject, "fromBytes", r.bytes(integer));
  }
  check(subject, "parse", String(integer));
  check(subject, "format", id, draw.radix);
  check(subject, "parse", ...(draw.inRadix ?? [id]));
  const { ticks: _, ...others } = byName(r, one);
  check(subject, "compose", { ...others, timestamp: ms });
  check(subject, "compose", { ...others, time: new Date(ms) });
  check(subject, "range", ...draw.ends);
  check(subject, "range", ...[...draw.ends].sort((a, b) => Number(a) - Number(b)));
  checkFirst(subject, ms, Object.fromEntries(draw.options));
}

/** A generator's first ID at a reading: the reading's tick, the fixed fields, and the first value. */
function checkFirst({ label, format, reference: r, counter }: Subject, ms: number, options: Values): void {
  const tick = r.tick(ms);
  // A start of 0, by a bit that the randomness does not have: a source that only gives zeros is refused.
  const random =
    counter === "randomness" ? { random: (bytes: Uint8Array) => bytes.fill(0).fill(0x80, 0, 1) } : {};
  const makerAt = (now: number) =>
    format.generator({ ...options, ...random, isolated: true, clock: () => now });
  const ends = { min: r.timestamp(0n), max: r.timestamp(r.lastTick + 1n) };
  const faults = typeof tick === "string" ? [{ code: tick, field: "clock", value: ms, ...ends }] : [];
  const idOf = (start: bigint) => () => {
    const values = r.spec.fields.map(([name]) =>
      name === counter ? start : BigInt((options[name] as number) ?? 0),
    );
    return r.idOf(r.pack([tick as bigint, ...values.slice(1)]));
  };
  // A new sno generator counts tick 0 as begun, as the reference program does.
  const start = r.spec.name === "sno" && tick === 0n ? 1n : 0n;
  compare(`${label}: next`, [ms], { faults, result: idOf(start) }, () => makerAt(ms).next());
  compare(`${label}: at`, [ms], { faults, result: idOf(0n) }, () => makerAt(0).at(ms));
}

const replaced = (values: readonly bigint[], at: number, value: bigint) =>
  values.map((old, i) => (i === at ? value : old));

/** Both ends of every field, the first and the last tick, and values outside; facts of the format. */
function checkLimits(subject: Subject): void {
  const { format, reference: r } = subject;
  const { fields } = r.spec;
  const most = fields.map(([, bits], i) => (i === 0 ? r.lastTick : 2n ** BigInt(bits) - 1n));
  const none = fields.map(() => 0n);
  checkFields(subject, most);
  checkFields(subject, none);
  fields.forEach(([name], i) => {
    checkFields(subject, replaced(most, i, 0n));
    checkFields(subject, replaced(none, i, most[i] as bigint));
    for (const value of [-1, Number(most[i]) + 1, 0.5, Number.NaN]) {
      check(subject, "compose", { ...byName(r, none), [i === 0 ? "ticks" : name]: value });
    }
  });
  const [epoch, last, end] = [0n, r.lastTick, r.lastTick + 1n].map((tick) => r.timestamp(tick)) as [
    number,
    number,
    number,
  ];
  assert.deepEqual([format.epoch, format.endOfLife], [r.spec.epoch, last]);
  const bits = fields.reduce((sum, [, width]) => sum + width, 0);
  const named = fields.map(([name, bits]) => ({ name, bits }));
  const { layout } = format;
  assert.deepEqual([layout.bits, layout.tickMs], [bits, r.spec.tickMs]);
  assert.deepEqual(
    layout.fields.map(({ name, bits }) => ({ name, bits })),
    named,
  );
  assert.equal(format.capacity, 2 ** (new Map(fields).get(subject.counter) ?? 0));
  for (const [from, to] of [
    // The whole life, and both sides of its ends.
    [undefined, undefined],
    [epoch, end],
    [epoch - 0.5, end],
    [undefined, epoch + 0.5],
    [last, undefined],
    // Outside, or empty.
    [undefined, epoch],
    [epoch - 1, epoch],
    [end, undefined],
    [end, epoch],
    [epoch, epoch],
  ]) {
    check(subject, "range", from, to);
  }
}

type Case = readonly [Subject, Drawn];

const caseOf = (subject: Subject): fc.Arbitrary<Case> => fc.tuple(fc.constant(subject), drawn(subject));

/** Compares on as many cases as were asked for. */
function agree(cases: fc.Arbitrary<Case>): void {
  const property = fc.property(cases, ([subject, draw]) => checkAll(subject, draw));
  fc.assert(property, { seed, numRuns: CASES });
}

for (const subject of named()) {
  test(`${subject.label} agrees with the reference (seed ${seed})`, () => {
    checkLimits(subject);
    agree(caseOf(subject));
  });
}

test(`Snowflake-SI of every width agrees with the reference (seed ${seed})`, () => {
  const all = snowflakeSIs();
  all.forEach(checkLimits);
  agree(fc.oneof(...all.map(caseOf)));
});

test(`layouts of one's own agree with the reference (seed ${seed})`, () => {
  const property = fc.property(declarations, (declaration) => checkLimits(custom(declaration)));
  fc.assert(property, { seed, numRuns: CASES / 10 });
  agree(declarations.map(custom).chain(caseOf));
});

const [first, nanoflake, , twitter] = named() as [Subject, Subject, Subject, Subject];

test(`a sno as a UUID agrees with the reference (seed ${seed})`, () => {
  const property = fc.property(bitsOf(80), fc.boolean(), (integer, isUpper) => {
    const id = first.reference.text(integer);
    const uuid = snoUUID(id);
    assert.equal(sno.toUUID(id), uuid);
    assert.equal(sno.fromUUID(isUpper ? uuid.toUpperCase() : uuid), id);
    assert.equal(sno.metabyte(id), Number((integer >> 32n) & 255n));
  });
  fc.assert(property, { seed, numRuns: CASES * 2 });
});

test(`Nanoflake and Twitter's layout are the same integers (seed ${seed})`, () => {
  const property = fc.property(bitsOf(63), (id) => {
    const { ticks, generatorId, sequence } = nanoflake.format.inspect(id) as Record<string, number>;
    const [datacenterId, workerId] = [(generatorId as number) >> 5, (generatorId as number) & 31];
    assert.equal(twitter.format.compose({ ticks, datacenterId, workerId, sequence }), id);
  });
  fc.assert(property, { seed, numRuns: CASES });
});
