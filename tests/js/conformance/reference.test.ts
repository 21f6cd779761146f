/**
 * Compares the package with the reference, on random input and on both sides of every limit.
 * GRAUPEL_SEED sets the seed, and `GRAUPEL_RUNS=100` runs a hundred times as many cases.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ask as askAndJudge } from "../fuzz/input/outcomes.ts";
import { has, snoOnly, verbs } from "../fuzz/input/verbs.ts";
import { ask } from "../support/any-format.ts";
import { bitsOf, instantsOf } from "../support/arbitraries.ts";
import { EXPECTED, type Expected, type Values } from "../support/expected.ts";
import type { FormatUnderTest } from "../support/formats.ts";
import { custom, declarations, named, snowflakeSIs } from "../support/layouts.ts";
import { seedOfRun } from "../support/random.ts";
import { readingOf } from "../support/reading.ts";
import { Reference } from "../support/reference.ts";

// Many calls end in an error, most of whose cost is the stack.
Error.stackTraceLimit = 4;
const seed = seedOfRun();
const CASES = Math.ceil(100 * Number(process.env.GRAUPEL_RUNS ?? 1));

/** Calls a verb, if the format has it, and compares the outcome with the reference. */
function check(
  { name: label, format, reference }: FormatUnderTest,
  verb: string,
  ...given: readonly unknown[]
): void {
  if (!has(format, verb)) return;
  const wanted = (...read: readonly unknown[]) => EXPECTED[verb]?.(reference, ...read) as Expected;
  const drawn = given.map((value) => () => value);
  askAndJudge(verb, label, drawn, wanted, (...given) => ask(format, verb, given));
}

const ONE_ID = ["parse", "format", "toBytes", "toBigInt", "inspect", "timestamp", "isValid", "validate"];

/** The fields by name, and the tick. */
const byName = ({ spec }: Reference, [tick, ...others]: readonly bigint[]): Values => ({
  ...Object.fromEntries(spec.fields.slice(1).map(([name], i) => [name, Number(others[i])])),
  ticks: Number(tick),
});

/**
 * Checks every verb on the ID with these fields and on its text, and the verbs that create the ID.
 */
function checkFields(subject: FormatUnderTest, values: readonly bigint[]): void {
  const { format, reference: r } = subject;
  const integer = r.pack(values);
  const [id, text] = [r.idOf(integer), r.text(integer)];
  for (const x of [id, text]) {
    for (const verb of ONE_ID) check(subject, verb, x);
    check(subject, "with", x, {});
  }
  check(subject, "compose", byName(r, values));
  check(subject, "compose", format.inspect(id));
  check(subject, "compare", id, text);
  check(subject, "fromBytes", r.bytes(integer));
  check(subject, "fromBigInt", integer);
}

/** A time and the fixed fields of a generator. */
const firsts = (subject: FormatUnderTest) => {
  const widths = new Map(subject.reference.spec.fields);
  const options = Object.keys(subject.fixed).map(
    (name) => [name, bitsOf(widths.get(name) as number).map(Number)] as const,
  );
  return fc.tuple(instantsOf(subject.reference), fc.record(Object.fromEntries(options)));
};

/**
 * Checks a generator's first ID at a reading: the tick of the reading, the fixed fields and the
 * first value.
 */
function checkFirst(
  { name: label, format, reference: r, counts: counter }: FormatUnderTest,
  ms: number,
  options: Values,
): void {
  const tick = r.tick(ms);
  // The bit is above the random field, so that the field is 0 but the source does not return only
  // zeros, which would be rejected.
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
  // Like the reference implementation, a new sno generator treats tick 0 as already begun.
  const start = r.spec.name === "sno" && tick === 0n ? 1n : 0n;
  askAndJudge(
    "next",
    label,
    [],
    () => ({ faults, result: idOf(start) }),
    () => makerAt(ms).next(),
  );
  askAndJudge(
    "at",
    label,
    [],
    () => ({ faults, result: idOf(0n) }),
    () => makerAt(0).at(ms),
  );
}

type Subjects = fc.Arbitrary<FormatUnderTest> | FormatUnderTest[];

const replaced = (values: readonly bigint[], at: number, value: bigint) =>
  values.map((old, i) => (i === at ? value : old));

/** Checks both ends of every field, the first and the last tick, and values beyond the limits. */
function checkLimits(subject: FormatUnderTest): void {
  const { reference: r } = subject;
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
  const [epoch, last, end] = [0n, r.lastTick, r.lastTick + 1n].map((tick) => r.timestamp(tick));
  assert.ok(epoch !== undefined && last !== undefined && end !== undefined);
  for (const [from, to] of [
    // The whole life, and both sides of its ends.
    [undefined, undefined],
    [epoch, end],
    [epoch - 0.5, end],
    [undefined, epoch + 0.5],
    [last, undefined],
    // Empty ranges, and ranges outside the life.
    [undefined, epoch],
    [epoch - 1, epoch],
    [end, undefined],
    [end, epoch],
    [epoch, epoch],
  ]) {
    check(subject, "range", from, to);
  }
}

/** Checks the facts of a format and the limits of all its values. */
function checkFormat(subject: FormatUnderTest): void {
  checkLimits(subject);
  const { format, reference: r } = subject;
  const { fields, epoch, tickMs } = r.spec;
  const bits = fields.reduce((sum, [, width]) => sum + width, 0);
  const { layout } = format;
  const named = layout.fields.map(({ name, bits }) => [name, bits]);
  const found = [format.epoch, format.endOfLife, layout.bits, layout.tickMs, format.capacity, named];
  const capacity = 2 ** (new Map(fields).get(subject.counts) ?? 0);
  assert.deepEqual(found, [epoch, r.timestamp(r.lastTick), bits, tickMs, capacity, fields]);
}

/**
 * Arbitraries for some formats. For a list, each is created only once, because creating them takes
 * longer than all the rest.
 */
const drawnFor = <T>(
  subjects: Subjects,
  make: (subject: FormatUnderTest) => fc.Arbitrary<T>,
): fc.Arbitrary<T> => (Array.isArray(subjects) ? fc.oneof(...subjects.map(make)) : subjects.chain(make));

/** Compares every verb with the reference, on the requested number of cases. */
function agreeInVerbs(subjects: Subjects): void {
  fc.assert(
    fc.property(drawnFor(subjects, verbs), (run) => run()),
    { seed, numRuns: 8 * CASES },
  );
}

/** Compares every verb and the first IDs with the reference. */
function agree(subjects: Subjects): void {
  agreeInVerbs(subjects);
  const drawn = drawnFor(subjects, (subject) => fc.tuple(fc.constant(subject), firsts(subject)));
  fc.assert(
    fc.property(drawn, ([subject, [ms, options]]) => checkFirst(subject, ms, options)),
    { seed, numRuns: CASES },
  );
}

/** The same format with text IDs. */
const textsOf = (subject: FormatUnderTest): FormatUnderTest => ({
  ...subject,
  name: `${subject.name}, as text`,
  format: subject.format.text,
  reference: new Reference({ ...subject.reference.spec, idType: "string" }),
});

const formats = named().flatMap((subject) =>
  subject.reference.spec.idType === "string" ? [subject] : [subject, textsOf(subject)],
);
for (const subject of formats) {
  test(`${subject.name} agrees with the reference (seed ${seed})`, () => {
    checkFormat(subject);
    agree([subject]);
  });
}

for (const subject of named().map(readingOf)) {
  test(`${subject.name} agrees with the reference (seed ${seed})`, () => {
    checkLimits(subject);
    agreeInVerbs([subject]);
  });
}

test(`Snowflake-SI of every width agrees with the reference (seed ${seed})`, () => {
  const all = snowflakeSIs();
  all.forEach(checkFormat);
  agree(all);
  const read = all.map(readingOf);
  read.forEach(checkLimits);
  agreeInVerbs(read);
});

test(`declared layouts agree with the reference (seed ${seed})`, () => {
  const property = fc.property(declarations.map(custom), (subject) => {
    checkFormat(subject);
    checkLimits(readingOf(subject));
  });
  fc.assert(property, { seed, numRuns: Math.ceil(CASES / 10) });
  agree(declarations.map(custom));
  agreeInVerbs(declarations.map(custom).map(readingOf));
});

const [first] = named() as [FormatUnderTest];

test(`a sno as a UUID agrees with the reference (seed ${seed})`, () => {
  const property = fc.property(snoOnly(first), (run) => run());
  fc.assert(property, { seed, numRuns: CASES * 2 });
});
