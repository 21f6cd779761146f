/** Cases for `generator(options)`: valid options, options that must be refused, and the first ID. */

import type { AnyGenerator } from "../../support/any-format.ts";
import { OtherProcess } from "../../support/other-process.ts";
import type { Reference } from "../../support/reference.ts";
import type { Subject } from "../../support/subjects.ts";
import { bag } from "./objects.ts";
import { type Faults, faultOf, idFaults, integerOf, tickBefore, wholeFault } from "./oracle.ts";
import type { Context } from "./verbs.ts";

/** The options that all generators share. */
const SHARED = [
  "clockBackwards",
  "sequenceFull",
  "maxWaitMs",
  "maxAheadMs",
  "onClockBackwards",
  "onOverflow",
  "snapshot",
  "notBefore",
  "clock",
  "isolated",
] as const;
const LONGEST_MS = 2 ** 31 - 1;

/** The names of a format's own options. */
export function ownOptions({ reference: r, fixed }: Subject): string[] {
  const more: Record<string, string[]> = {
    sno: ["sequenceMin", "sequenceMax"],
    "snowflake-si": ["onNewMillisecond", "sequenceResetThreshold"],
    "ulid-flake": ["entropySize", "random"],
    "ulid-flake-scalable": ["entropySize", "random"],
  };
  return [...fixed, ...(more[r.spec.name] ?? [])];
}

/** A width of a field, by name. */
export const widthOf = (r: Reference, name: string): number =>
  r.spec.fields.find(([field]) => field === name)?.[1] ?? 0;

/** Valid values for a format's own options. */
export function rightOptions({ junk: { random } }: Context, subject: Subject): Map<string, unknown> {
  const { reference: r, fixed, counter } = subject;
  const values = new Map<string, unknown>();
  for (const name of fixed) {
    values.set(name, Number(random.edgy(widthOf(r, name))));
  }
  switch (r.spec.name) {
    case "sno":
      if (random.oneIn(2)) {
        const low = random.below(65_532);
        values.set("sequenceMin", low).set("sequenceMax", Math.min(low + random.pick([3, 3, 4, 7]), 65_535));
      }
      if (random.oneIn(4)) {
        const partition = values.get("partition") as number;
        values.set("partition", [partition >> 8, partition & 255]);
      }
      break;
    case "snowflake-si":
      if (random.oneIn(3)) {
        values.set("onNewMillisecond", random.pick(["keep", "reset"]));
      } else if (random.oneIn(2)) {
        values.set("sequenceResetThreshold", random.below(2 ** widthOf(r, counter)));
      }
      break;
    default:
      if (counter === "randomness") {
        values.set("entropySize", random.between(1, r.spec.name === "ulid-flake" ? 3 : 2));
      }
  }
  return values;
}

/** Faults of sno's bounds. The reference completes bounds: an upper bound of 0 means the largest, and reversed ones are swapped. */
function boundsFaults(low: unknown, high: unknown): (string | undefined)[] {
  const faults = [wholeFault(low, 65_535), wholeFault(high, 65_535)];
  if (faults.some((fault) => fault !== undefined)) {
    return faults;
  }
  const [a, given] = [low as number, high as number];
  const b = given === 0 && a !== 65_535 ? 65_535 : given;
  return a === b ? ["CONFLICT"] : Math.abs(a - b) < 3 ? ["RANGE"] : [];
}

function partitionFaults(value: unknown): (string | undefined)[] {
  let list: readonly unknown[] | undefined;
  try {
    list = Array.isArray(value) ? value : undefined;
  } catch {
    list = undefined;
  }
  if (list === undefined) {
    return [wholeFault(value, 65_535)];
  }
  return list.length === 2 ? [wholeFault(list[0], 255), wholeFault(list[1], 255)] : ["TYPE"];
}

/** The faults of options. */
function optionFaults(subject: Subject, values: ReadonlyMap<string, unknown>): Faults {
  const { reference: r, fixed, counter } = subject;
  const { name } = r.spec;
  const faults: (string | undefined)[] = [];
  const given = <T>(key: string, absent: T) => (values.get(key) === undefined ? absent : values.get(key));
  const word = (key: string, ...words: string[]) =>
    faults.push(
      values.get(key) === undefined || words.includes(values.get(key) as string) ? undefined : "TYPE",
    );
  const maker = (key: string) =>
    faults.push(["undefined", "function"].includes(typeof values.get(key)) ? undefined : "TYPE");
  word("clockBackwards", "throw", "wait", "hold", ...(name === "sno" ? ["tick-tock"] : []));
  word("sequenceFull", "throw", "wait", "borrow");
  for (const key of ["maxWaitMs", "maxAheadMs"]) {
    const value = given(key, 0);
    faults.push(typeof value !== "number" ? "TYPE" : value >= 0 && value <= LONGEST_MS ? undefined : "RANGE");
  }
  for (const key of ["onClockBackwards", "onOverflow", "clock", "random"]) {
    maker(key);
  }
  if (values.get("snapshot") !== undefined) {
    faults.push("TYPE", "SNAPSHOT");
  }
  faults.push(values.get("notBefore") === undefined ? undefined : faultOf(values.get("notBefore")));
  faults.push(["undefined", "boolean"].includes(typeof values.get("isolated")) ? undefined : "TYPE");
  if (name === "sno") {
    faults.push(...(values.get("partition") === undefined ? [] : partitionFaults(values.get("partition"))));
    faults.push(...boundsFaults(given("sequenceMin", 0), given("sequenceMax", 65_535)));
  } else {
    for (const field of fixed) {
      const value = given(field, field === "scalability" ? 0 : undefined);
      faults.push(wholeFault(value, 2 ** widthOf(r, field) - 1));
    }
  }
  if (name === "snowflake-si") {
    word("onNewMillisecond", "reset", "keep");
    faults.push(wholeFault(given("sequenceResetThreshold", 0), 2 ** widthOf(r, counter) - 1));
    const both = values.get("sequenceResetThreshold") !== undefined;
    faults.push(both && values.get("onNewMillisecond") === "keep" ? "CONFLICT" : undefined);
  }
  if (counter === "randomness") {
    faults.push(wholeFault(given("entropySize", 1), name === "ulid-flake" ? 3 : 2, 1));
  }
  return new Set(faults.filter((fault) => fault !== undefined));
}

/** Two bytes in all kinds of arrays, and other values. */
function pair({ junk }: Context): unknown {
  const { random } = junk;
  const bytes = [random.below(256), random.oneIn(3) ? junk.number() : random.below(256)];
  return random.make<unknown>(
    () => bytes,
    () => Object.freeze(bytes),
    () => new Proxy(bytes, {}),
    () => junk.revoked(bytes),
    () => Object.assign(bytes, { [Symbol.iterator]: random.pick([5, function* () {}]) }),
    () => [...bytes, 0],
    () => new Array(2),
    () => Uint8Array.from(bytes),
    () => ({ ...bytes, length: 2 }),
  );
}

export function generators(context: Context, subject: Subject): void {
  const { outcomes, junk } = context;
  const { random } = junk;
  const { reference: r, format } = subject;
  const own = ownOptions(subject);
  const known = [...own, ...SHARED];
  const values = rightOptions(context, subject);
  const now = r.timestamp(random.bits(50) % (r.lastTick + 1n));
  const clock = () => now;
  values.set("maxWaitMs", 0).set("clock", clock);
  for (let i = random.pick([0, 1, 1, 2]); i > 0; i--) {
    const key = random.pick(known);
    const words = ["throw", "wait", "hold", "tick-tock", "borrow", "reset", "keep", "Throw", "constructor"];
    const value = random.make<unknown>(
      () => junk.any(),
      () => random.pick(words),
      () => undefined,
      () => null,
      () => random.oneIn(2),
      () => (key === "notBefore" ? now + random.pick([0, 1, -1, 0.5, 60_000, 1e9]) : junk.time()),
      () => (key === "partition" ? pair(context) : junk.number()),
    );
    values.set(key, value);
  }
  if (values.get("clock") === undefined && !random.oneIn(20)) {
    values.set("clock", clock);
  }
  const given = bag(junk, values, known, "UNKNOWN_OPTION");
  outcomes.begin("generator()", subject.label, given.object);
  // Another process, because another case may have used the same fields.
  const realm = new OtherProcess();
  const outcome = outcomes.run(() => realm.run(() => format.generator(given.object)));
  if (given.loose || outcome.kind === "own") {
    const trap = outcome.kind === "own" && outcome.origin === "trap";
    outcomes.expect(given.throws || given.loose || trap, () => "threw what no getter threw");
    return;
  }
  if (given.throws) {
    outcomes.expect(outcome.kind !== "value", () => "did not read an option that throws");
    return;
  }
  const faults = given.object === undefined ? [] : given.faults;
  // With `notBefore` ahead of a clock that stands still, a valid `maxWaitMs` of hours would be waited for.
  const wait = given.values.get("maxWaitMs");
  const brief = typeof wait !== "number" || wait <= 100;
  outcomes.verdict(outcome, new Set([...optionFaults(subject, given.values), ...faults]), (made) => {
    if (brief && given.values.get("clock") === clock && !("random" in Object.fromEntries(given.values))) {
      first(context, subject, given.values, now, realm.wrap(made as AnyGenerator));
    }
  });
}

/** The first ID of a generator with valid options. */
function first(
  { outcomes }: Context,
  subject: Subject,
  values: ReadonlyMap<string, unknown>,
  now: number,
  maker: AnyGenerator,
): void {
  const { reference: r, fixed } = subject;
  const free = r.spec.name === "sno" && values.get("partition") === undefined;
  const spent = values.get("notBefore") === undefined ? -1n : tickBefore(r, values.get("notBefore"));
  const present = r.tick(now) as bigint;
  const outcome = outcomes.run(() => maker.next());
  if (spent >= present && outcome.kind === "refusal") {
    // The clock stands still, so no wait succeeds; but some generators borrow.
    const end = spent >= r.lastTick ? ["END_OF_LIFE"] : [];
    const expected = ["SEQUENCE_FULL", "CLOCK_STUCK", ...end];
    outcomes.expect(
      expected.includes(outcome.code),
      () => `refused with ${outcome.code}; expected ${expected}`,
    );
    return;
  }
  outcomes.verdict(outcome, new Set(), (id) => {
    outcomes.expect(idFaults(r, id, false).size === 0, () => `issued ${String(id)}, which is no ID`);
    const [tick = 0n] = r.unpack(integerOf(r, id));
    outcomes.expect(
      tick === (spent < present ? present : spent + 1n),
      () => `issued tick ${tick} at ${present}, after ${spent} was spent`,
    );
    const seen = new Map(r.spec.fields.map(([name], i) => [name, r.unpack(integerOf(r, id))[i]]));
    for (const name of fixed) {
      const value = values.get(name);
      const number = Array.isArray(value) ? value[0] * 256 + value[1] : (value ?? 0);
      outcomes.expect(
        free || seen.get(name) === BigInt(number as number),
        () => `${name} is ${seen.get(name)}`,
      );
    }
  });
}

/** Generators without options: one for each process, on the system clock. */
export function ready({ outcomes, junk }: Context, subject: Subject): void {
  const { reference: r, format } = subject;
  if (subject.counter !== "randomness" && r.spec.name !== "sno") {
    return;
  }
  const metabyte = junk.random.oneIn(3) ? junk.any() : junk.random.below(256);
  const beyond = junk.random.oneIn(8) ? [junk.any()] : [];
  outcomes.begin("format.next", subject.label, metabyte, ...beyond);
  const own = metabyte === undefined ? undefined : wholeFault(metabyte, 255);
  const fault = r.spec.name !== "sno" ? undefined : beyond.length > 0 ? "TYPE" : own;
  const { next } = format as unknown as AnyGenerator;
  const outcome = outcomes.run(() => Reflect.apply(next, format, [metabyte, ...beyond]));
  if (outcome.kind === "refusal" && r.spec.name !== "sno") {
    // Two IDs in one millisecond may exceed the range; before its epoch a format has no IDs.
    outcomes.expect(["SEQUENCE_FULL", "BEFORE_EPOCH"].includes(outcome.code), () => outcome.error.message);
    return;
  }
  outcomes.verdict(outcome, new Set(fault === undefined ? [] : [fault]), (id) =>
    outcomes.expect(idFaults(r, id, false).size === 0, () => `issued ${String(id)}, which is no ID`),
  );
}
