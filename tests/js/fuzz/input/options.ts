/**
 * Cases for `generator(options)`: options according to their facts, right and wrong, and the first
 * ID.
 */
import fc from "fast-check";
import { type FormatName, facts, type OptionFacts } from "graupel/facts";
import type { AnyGenerator } from "../../support/any-format.ts";
import { type Fault, idFaults, integerOf, msOf, numberFaults, type Values } from "../../support/expected.ts";
import type { FormatUnderTest } from "../../support/formats.ts";
import { constant, type Given, made, revoked } from "../../support/junk.ts";
import { OtherProcess } from "../../support/other-process.ts";
import type { Reference } from "../../support/reference.ts";
import { bags } from "./objects.ts";
import { ask, defect, expect, run, told, type Verdict } from "./outcomes.ts";
import { entriesOf, optionFaults, type Parameter, parameter } from "./parameters.ts";

const SEQUENCE = 65_535;

/** sno's partition: a number, or two bytes in every type of array. */
const PAIRS: ((a: unknown, b: unknown) => unknown)[] = [
  (a, b) => [a, b],
  (a, b) => Object.freeze([a, b]),
  (a, b) => new Proxy([a, b], {}),
  (a, b) => revoked([a, b]),
  (a, b) => Object.assign([a, b], { [Symbol.iterator]: 5 }),
  (a, b) => [a, b, 0],
  () => new Array(2),
  (a, b) => Uint8Array.from([Number(a), Number(b)]),
  (a, b) => ({ 0: a, 1: b, length: 2 }),
];

function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

function partitionFaults(value: unknown): Fault[] {
  if (!isArray(value)) {
    return numberFaults(value, "partition", SEQUENCE);
  }
  return value.length === 2
    ? [value[0], value[1]].flatMap((byte, i) => numberFaults(byte, `partition[${i}]`, 255))
    : [{ code: "TYPE", field: "partition", value }];
}

const byte = fc.nat(255);
const nearByte = fc.oneof(byte, fc.constantFrom(256, -1, 0.5, "1"));
const PARTITION: Partial<Parameter> = {
  right: fc.oneof(constant(fc.nat(SEQUENCE)), constant(fc.tuple(byte, byte))),
  near: made(fc.tuple(fc.constantFrom(...PAIRS), nearByte, nearByte), ([make, a, b]) => make(a, b)),
  faults: partitionFaults,
};

/** The options of a format's generators, according to the widths of its fields. */
function parametersOf({ reference: r, counts }: FormatUnderTest): Parameter[] {
  const widths = new Map(r.spec.fields);
  const { options } = facts[r.spec.name as FormatName];
  const known = options.filter(({ name }) => name !== "machineId" || widths.has(name));
  // The fixed fields of a declared layout are additional options.
  const names =
    r.spec.name === "snowflake" ? [...widths.keys()].filter((name) => !["time", counts].includes(name)) : [];
  const own = names.map((name) => ({
    ...(known[0] as OptionFacts),
    name,
    kind: "number" as const,
    required: true,
    min: 0,
  }));
  return [...own, ...known].map((option) => {
    const bits = widths.get(option.name === "sequenceResetThreshold" ? counts : option.name);
    const max = bits === undefined ? option.max : 2 ** bits - 1;
    return parameter({ ...option, max }, option.name === "partition" ? PARTITION : {});
  });
}

/**
 * Faults of sno's bounds. Like the reference implementation, an upper bound of 0 means the maximum,
 * and reversed bounds are swapped.
 */
function boundsFaults({ sequenceMin = 0, sequenceMax = SEQUENCE }: Values): Fault[] {
  if ([sequenceMin, sequenceMax].some((bound) => numberFaults(bound, "", SEQUENCE).length > 0)) {
    return [];
  }
  const [a, given] = [sequenceMin as number, sequenceMax as number];
  const b = given === 0 && a !== SEQUENCE ? SEQUENCE : given;
  const least = Math.min(a, b) + 3;
  if (Math.abs(a - b) >= 3) {
    return [];
  }
  const range = a === b || least > SEQUENCE ? {} : { min: least, max: SEQUENCE };
  return [{ code: a === b ? "CONFLICT" : "RANGE", field: "sequenceMax", value: given, ...range }];
}

/** Faults of combinations of options. */
function togetherFaults(name: string, values: Values): Fault[] {
  const { sequenceStart = "lowest", sequenceResetThreshold: value } = values;
  if (name === "sno") {
    return boundsFaults(values);
  }
  const isIdle = name === "snowflake-si" && sequenceStart !== "lowest" && value !== undefined;
  return isIdle ? [{ code: "CONFLICT", field: "sequenceResetThreshold", value }] : [];
}

/** The last tick that starts before a time, or -1. */
export function tickBefore(r: Reference, time: unknown): bigint {
  const tick = r.tick(msOf(time));
  if (typeof tick === "string") {
    return tick === "END_OF_LIFE" ? r.lastTick : -1n;
  }
  return r.timestamp(tick) - (r.spec.rounds === true ? 0.5 : 0) < msOf(time) ? tick : tick - 1n;
}

/** Checks the first ID of a generator with valid options. */
function first(subject: FormatUnderTest, values: Values, now: number, maker: AnyGenerator): void {
  const { reference: r } = subject;
  const spent = values.notBefore === undefined ? -1n : tickBefore(r, values.notBefore);
  const tick = r.tick(now) as bigint;
  const outcome = run(() => maker.next());
  if (outcome.kind === "refusal" && spent >= tick) {
    // The clock stands still, so no wait succeeds, but some generators borrow.
    const codes = ["SEQUENCE_FULL", "CLOCK_STUCK", ...(spent >= r.lastTick ? ["END_OF_LIFE"] : [])];
    expect(codes.includes(outcome.error.code), () => `refused with ${told(outcome.error)}`);
    return;
  }
  if (outcome.kind === "own" && outcome.origin === "callback") {
    return;
  }
  if (outcome.kind !== "value") {
    defect(`no first ID, but ${outcome.kind === "refusal" ? told(outcome.error) : outcome.kind}`);
  }
  expect(idFaults(r, outcome.value).length === 0, () => `issued ${String(outcome.value)}, which is no ID`);
  const [issued, ...fields] = r.unpack(integerOf(r, outcome.value));
  for (const name of Object.keys(subject.fixed).filter((name) => typeof values[name] === "number")) {
    const field = fields[r.spec.fields.findIndex(([one]) => one === name) - 1];
    expect(field === BigInt(values[name] as number), () => `${name} is ${field}`);
  }
  if (issued !== (spent < tick ? tick : spent + 1n)) {
    defect(`issued tick ${issued} at ${tick}, after ${spent} was spent`);
  }
}

/** Cases for the generators of a format. */
export function generators(subject: FormatUnderTest): fc.Arbitrary<() => void> {
  const { reference: r, format, name: label } = subject;
  // The current time of the case.
  let now = 0;
  const clock = () => now;
  const around = fc.constantFrom(0, 1, -1, 0.5, 60_000, 1e9);
  const own: Readonly<Record<string, fc.Arbitrary<Given>>> = {
    notBefore: around.map((by) => () => now + by),
    clock: fc.constant(() => clock),
  };
  const all = parametersOf(subject).map((one) => ({ ...one, right: own[one.name] ?? one.right }));
  const names = all.map(({ name }) => name);
  const objects = bags(entriesOf(all), "options", "UNKNOWN_OPTION", names);
  return fc.tuple(objects, fc.bigInt({ min: 0n, max: r.lastTick })).map(([bag, tick]) => () => {
    now = r.timestamp(tick);
    // Uses another process, because another case may have used the same fields.
    const realm = new OtherProcess();
    const wanted = (read: unknown): Verdict => {
      const values = read as Values;
      const faults = [...optionFaults(all, values), ...togetherFaults(r.spec.name, values)];
      const { maxWaitMs, notBefore, random } = values;
      // If `notBefore` is ahead of the clock, which stands still, the generator would wait for
      // `maxWaitMs`, which may be hours.
      const isBrief = () =>
        notBefore === undefined ||
        tickBefore(r, notBefore) < tick ||
        (typeof maxWaitMs === "number" && maxWaitMs <= 1);
      const isOwn = values.clock === clock && random === undefined;
      const check = (made: unknown) =>
        isBrief() && isOwn && first(subject, values, now, realm.wrap(made as AnyGenerator));
      return { faults, check };
    };
    ask("generator()", label, [bag], wanted, (options) => realm.run(() => format.generator(options)));
  });
}

/** The options that all generators share. */
const SHARED = facts["ulid-flake"].options.map(({ name }) => name).filter((name) => name !== "entropySize");

/** Valid values of a format's own options. sno gets bounds with few IDs per tick. */
export function rightOptions(subject: FormatUnderTest): fc.Arbitrary<Values> {
  const own = parametersOf(subject).filter(({ name }) => ![...SHARED, "random"].includes(name));
  const values = own.map(({ name, required, right }) => {
    const given =
      required || name === "partition" ? right : fc.option(right, { nil: () => undefined, freq: 2 });
    return given.map((value) => [name, value()] as const);
  });
  const pool = fc.option(fc.tuple(fc.nat(SEQUENCE - 7), fc.constantFrom(3, 3, 4, 7)));
  return fc.tuple(fc.tuple(...values), pool).map(([entries, pool]) => {
    const { sequenceMin: _, sequenceMax: __, sequenceResetThreshold, ...rest } = Object.fromEntries(entries);
    const bounds = pool && { sequenceMin: pool[0], sequenceMax: pool[0] + pool[1] };
    return {
      ...rest,
      // Two generators would draw different values.
      ...(rest.sequenceStart === "random" && { sequenceStart: "continue" }),
      ...(subject.reference.spec.name === "sno" && bounds),
      ...((rest.sequenceStart ?? "lowest") === "lowest" &&
        sequenceResetThreshold !== undefined && { sequenceResetThreshold }),
    };
  });
}
