/** Cases for the verbs of formats: with any argument, judged by the reference. */

import type { AnyFormat } from "../../support/any-format.ts";
import type { Reference } from "../../support/reference.ts";
import type { Subject } from "../../support/subjects.ts";
import type { Junk } from "./junk.ts";
import { bag } from "./objects.ts";
import { bytesOf, composed, type Faults, idFaults, instantOf, integerOf, wholeFault } from "./oracle.ts";
import type { Outcomes } from "./outcomes.ts";

export const NO_FAULTS: ReadonlySet<string> = new Set();
const union = (...sets: ReadonlySet<string>[]): Faults => new Set(sets.flatMap((set) => [...set]));
export const faultSet = (...faults: (string | undefined)[]): Faults =>
  new Set(faults.filter((fault) => fault !== undefined));

export interface Context {
  readonly outcomes: Outcomes;
  readonly junk: Junk;
}

/** One case: a verb on one ID, with additional arguments. */
type OneID = (context: Context, subject: Subject, x: unknown, beyond: readonly unknown[]) => void;

/** Calls a verb. */
const ask = (format: AnyFormat, name: string, ...given: readonly unknown[]): unknown =>
  Reflect.apply(format[name as "parse"], format, given);

/** A verb on one ID or its text, whose result must satisfy `expected` for the ID's integer. */
const verb =
  (name: string, expected: (r: Reference, integer: bigint, seen: unknown) => boolean): OneID =>
  ({ outcomes }, { format, reference }, x, beyond) => {
    const faults = idFaults(reference, x, true);
    outcomes.verdict(
      outcomes.run(() => ask(format, name, x, ...beyond)),
      faults,
      (seen) => {
        const right = expected(reference, integerOf(reference, x), seen);
        outcomes.expect(right, () => `the reference says otherwise than ${String(seen)}`);
      },
    );
  };

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

const ONE_ID: Record<string, OneID> = {
  parse: verb("parse", (r, integer, seen) => seen === r.idOf(integer)),
  format: verb("format", (r, integer, seen) => seen === r.text(integer)),
  toBytes: verb("toBytes", (r, integer, seen) => sameBytes(seen as Uint8Array, r.bytes(integer))),
  toBigInt: verb("toBigInt", (_, integer, seen) => seen === integer),
  inspect: verb(
    "inspect",
    (r, integer, seen) => composed(r, new Map(Object.entries(seen as object))) === integer,
  ),
  isValid({ outcomes }, { format, reference }, x, beyond) {
    const expected = idFaults(reference, x, true).size === 0;
    outcomes.verdict(
      outcomes.run(() => ask(format, "isValid", x, ...beyond)),
      NO_FAULTS,
      (seen) => outcomes.expect(seen === expected, () => `said ${seen}, parse says otherwise`),
    );
  },
  "~standard.validate"({ outcomes }, { format, reference }, x) {
    const faults = idFaults(reference, x, true);
    outcomes.verdict(
      outcomes.run(() => format["~standard"].validate(x)),
      NO_FAULTS,
      (seen) => {
        const { value, issues } = seen as { value?: unknown; issues?: { message: unknown }[] };
        const right =
          faults.size === 0
            ? issues === undefined && value === reference.idOf(integerOf(reference, x))
            : issues?.length === 1 && typeof issues[0]?.message === "string";
        outcomes.expect(right, () => "the result is neither the value nor an issue");
      },
    );
  },
};
const ONE_ID_NAMES = Object.keys(ONE_ID);

export function oneID(context: Context, subject: Subject): void {
  const name = context.junk.random.pick(ONE_ID_NAMES);
  const { random } = context.junk;
  const x = context.junk.id(subject.reference);
  // In formats with a radix, it is the argument after the ID.
  const { form } = subject.reference.spec;
  const radix = name === "format" ? form === 36 || form === "crockford" : name === "parse" && form === 36;
  const beyond = random.oneIn(6) && !radix ? [context.junk.any(), context.junk.any()] : [];
  context.outcomes.begin(name, subject.label, x, ...beyond);
  ONE_ID[name]?.(context, subject, x, beyond);
}

export function compare({ outcomes, junk }: Context, { label, format, reference: r }: Subject): void {
  const [a, b] = [junk.id(r), junk.id(r)];
  outcomes.begin("compare", label, a, b);
  const faults = union(idFaults(r, a, true), idFaults(r, b, true));
  outcomes.verdict(
    outcomes.run(() => format.compare(a, b)),
    faults,
    (seen) => {
      const [x, y] = [integerOf(r, a), integerOf(r, b)];
      outcomes.expect(seen === (x < y ? -1 : x > y ? 1 : 0), () => `said ${seen}`);
    },
  );
}

/** Another radix, if the format has one; and further arguments, which are refused. */
export function radices({ outcomes, junk }: Context, { label, format, reference: r }: Subject): void {
  const { random } = junk;
  const radix = random.oneIn(2) ? random.between(2, 36) : random.pick([undefined, 2, 10, 16, 32, junk.any()]);
  const beyond = random.oneIn(8) ? [junk.any()] : [];
  const tooMany = faultSet(beyond.length > 0 ? "TYPE" : undefined);
  if (r.spec.form === "crockford") {
    const id = junk.id(r);
    outcomes.begin("format, radix", label, id, radix, ...beyond);
    const one = radix === undefined || [2, 10, 16, 32].includes(radix as number);
    // A value that is not a number may be refused as the wrong type, or as none of the four.
    const faults = union(idFaults(r, id, true), tooMany, one ? NO_FAULTS : new Set(["RANGE", "TYPE"]));
    const form = radix === undefined || radix === 32 ? "crockford" : (radix as number);
    outcomes.verdict(
      outcomes.run(() => ask(format, "format", id, radix, ...beyond)),
      faults,
      (seen) => outcomes.expect(seen === r.text(integerOf(r, id), form), () => `said ${String(seen)}`),
    );
  } else if (r.spec.form === 36) {
    const fault = radix === undefined ? undefined : wholeFault(radix, 36, 2);
    const form = radix === undefined || fault !== undefined ? 36 : (radix as number);
    const reading = random.oneIn(2);
    const id = reading && random.oneIn(2) ? junk.text(r, form) : junk.id(r);
    outcomes.begin(reading ? "parse, radix" : "format, radix", label, id, radix, ...beyond);
    // `format` also accepts a text, which must be canonical.
    const from = reading ? form : 36;
    const own = union(idFaults(r, id, true, from), tooMany);
    // With an invalid radix, a text may have any fault.
    const faults = fault === undefined ? own : union(own, new Set([fault]));
    outcomes.verdict(
      outcomes.run(() => ask(format, reading ? "parse" : "format", id, radix, ...beyond)),
      faults,
      (seen) => {
        const integer = integerOf(r, id, from);
        outcomes.expect(seen === (reading ? r.idOf(integer) : r.text(integer, form)), () => `said ${seen}`);
      },
    );
  }
}

export function fromBytes({ outcomes, junk }: Context, { label, format, reference: r }: Subject): void {
  const x = junk.random.oneIn(6) ? junk.any() : junk.bytes(r.spec.bytes);
  outcomes.begin("fromBytes", label, x);
  const bytes = bytesOf(x);
  const integer = bytes === undefined ? 0n : r.fromBytes(bytes);
  const fault =
    bytes === undefined
      ? "TYPE"
      : bytes.length !== r.spec.bytes
        ? "LENGTH"
        : integer > r.largest
          ? "OVERFLOW"
          : undefined;
  outcomes.verdict(
    outcomes.run(() => format.fromBytes(x)),
    faultSet(fault),
    (seen) => outcomes.expect(seen === r.idOf(integer), () => `said ${String(seen)}`),
  );
}

export function fromBigInt({ outcomes, junk }: Context, { label, format, reference: r }: Subject): void {
  const x = junk.random.oneIn(3) ? junk.any() : junk.bigint();
  outcomes.begin("fromBigInt", label, x);
  const fault = typeof x !== "bigint" ? "TYPE" : x < 0n ? "RANGE" : x > r.largest ? "OVERFLOW" : undefined;
  outcomes.verdict(
    outcomes.run(() => format.fromBigInt(x)),
    faultSet(fault),
    (seen) => outcomes.expect(seen === r.idOf(x as bigint), () => `said ${String(seen)}`),
  );
}

const TIMES = ["timestamp", "time", "ticks"];

/** Values for a composition: valid ones, then some spoilt. */
function fields({ junk }: Context, r: Reference, changes: boolean): Map<string, unknown> {
  const { random } = junk;
  const values = new Map<string, unknown>();
  const tick = random.bits(64) % (r.lastTick + 1n);
  for (const [name, bits] of r.spec.fields.slice(1)) {
    if (!changes || random.oneIn(3)) {
      values.set(name, Number(random.edgy(bits)));
    }
  }
  for (const key of TIMES) {
    if (random.oneIn(changes ? 4 : 2)) {
      const ms = r.timestamp(tick);
      values.set(key, key === "ticks" ? Number(tick) : key === "time" || random.oneIn(2) ? new Date(ms) : ms);
    }
  }
  const spoil = random.pick([0, 0, 1, 1, 2]);
  const keys = [...TIMES, ...r.spec.fields.slice(1).map(([name]) => name)];
  for (let i = 0; i < spoil; i++) {
    const key = random.pick(keys);
    values.set(key, TIMES.includes(key) && random.oneIn(2) ? junk.time() : junk.any());
  }
  return values;
}

export function compose(context: Context, { label, format, reference: r }: Subject): void {
  const { outcomes, junk } = context;
  const known = [...TIMES, ...r.spec.fields.slice(1).map(([name]) => name)];
  const given = bag(junk, fields(context, r, false), known, "UNKNOWN_FIELD");
  outcomes.begin("compose", label, given.object);
  const outcome = outcomes.run(() => format.compose(given.object));
  if (given.loose || outcome.kind === "own") {
    outcomes.expect(given.throws || given.loose, () => "threw what no getter threw");
    return;
  }
  const expected = composed(r, given.values);
  const faults = union(given.faults, expected instanceof Set ? expected : NO_FAULTS);
  outcomes.expect(outcome.kind !== "value" || !given.throws, () => "did not read a field that throws");
  if (given.throws && outcome.kind === "value") {
    return;
  }
  outcomes.verdict(outcome, faults, (seen) =>
    outcomes.expect(seen === r.idOf(expected as bigint), () => `said ${String(seen)}`),
  );
}

export function change(context: Context, { label, format, reference: r }: Subject): void {
  const { outcomes, junk } = context;
  const { random } = junk;
  const known = [...TIMES, ...r.spec.fields.slice(1).map(([name]) => name)];
  const given = bag(junk, fields(context, r, true), known, "UNKNOWN_FIELD");
  const id = random.oneIn(4) ? junk.id(r) : r.idOf(random.bits(90) % (r.largest + 1n));
  outcomes.begin("with", label, id, given.object);
  const outcome = outcomes.run(() => format.with(id, given.object));
  const wrong = idFaults(r, id, true);
  if (given.loose || outcome.kind === "own") {
    outcomes.expect(given.throws || given.loose, () => "threw what no getter threw");
    return;
  }
  let expected: bigint | Faults = new Set<string>();
  if (wrong.size === 0) {
    const old = r.unpack(integerOf(r, id));
    const parts = new Map<string, unknown>([["ticks", Number(old[0])]]);
    r.spec.fields.slice(1).forEach(([name], i) => {
      parts.set(name, Number(old[i + 1]));
    });
    const defined = [...given.values].filter(([, value]) => value !== undefined);
    if (defined.some(([key]) => TIMES.includes(key))) {
      parts.delete("ticks");
    }
    expected = composed(r, new Map([...parts, ...defined]));
  }
  const faults = union(wrong, given.faults, expected instanceof Set ? expected : NO_FAULTS);
  if (given.throws && outcome.kind === "value") {
    outcomes.defect("did not read a field that throws");
    return;
  }
  outcomes.verdict(outcome, faults, (seen) =>
    outcomes.expect(seen === r.idOf(expected as bigint), () => `said ${String(seen)}`),
  );
}

export function range({ outcomes, junk }: Context, { label, format, reference: r }: Subject): void {
  const { random } = junk;
  const near = () =>
    r.timestamp(random.edgy(random.between(1, 50)) % (r.lastTick + 2n)) + random.pick([0, 0.5, -1]);
  const from = random.oneIn(6) ? undefined : random.oneIn(3) ? junk.time() : near();
  const to = random.oneIn(6) ? undefined : random.oneIn(3) ? junk.any() : near();
  outcomes.begin("range", label, from, to);
  const start = from === undefined ? Number.NEGATIVE_INFINITY : instantOf(from);
  const end = to === undefined ? Number.POSITIVE_INFINITY : instantOf(to);
  const outcome = outcomes.run(() =>
    // An undefined end may be passed or not.
    to === undefined && random.oneIn(2) ? ask(format, "range", from) : ask(format, "range", from, to),
  );
  if (typeof start === "string" || typeof end === "string") {
    const faults = [start, end].filter((side) => typeof side === "string");
    outcomes.verdict(outcome, faultSet(...faults), () => {});
    return;
  }
  const faults = rangeFaults(r, start, end);
  outcomes.verdict(outcome, faults, (seen) => {
    const { min, max } = seen as { min: unknown; max: unknown };
    // The range is cut to the format's life.
    const life = { first: r.timestamp(0n), after: r.timestamp(r.lastTick) + r.spec.tickMs };
    const expected = r.range(Math.max(start, life.first), Math.min(end, life.after));
    const { min: low, max: high } = expected as { min: bigint; max: bigint };
    outcomes.expect(min === r.idOf(low) && max === r.idOf(high), () => `said ${String(min)}, ${String(max)}`);
  });
}

/** The faults of an interval: it is empty, or outside the format's life. */
function rangeFaults(r: Reference, start: number, end: number): Faults {
  if (start >= end) {
    return new Set(["CONFLICT"]);
  }
  return faultSet(
    end <= r.timestamp(0n) ? "BEFORE_EPOCH" : undefined,
    start >= r.timestamp(r.lastTick) + r.spec.tickMs ? "END_OF_LIFE" : undefined,
  );
}
