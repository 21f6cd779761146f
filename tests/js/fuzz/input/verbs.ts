/**
 * Cases for the formats' verbs and for calls that only some formats have: any arguments, judged by
 * the reference.
 */
import fc from "fast-check";
import { GraupelError, identify } from "graupel";
import { sno } from "graupel/sno";
import { ask as askVerb } from "../../support/any-format.ts";
import { bitsOf, character, instantsOf, integersOf, textsOf } from "../../support/arbitraries.ts";
import {
  EXPECTED,
  type Expected,
  type Fault,
  idFaults,
  inspected,
  integerOf,
  TIMES,
} from "../../support/expected.ts";
import type { FormatUnderTest } from "../../support/formats.ts";
import { anything, bigint, bytes, constant, type Given, id, made, number, time } from "../../support/junk.ts";
import { mark } from "../../support/marked.ts";
import { type Reference, snoUUID } from "../../support/reference.ts";
import { bags } from "./objects.ts";
import { ask, judged } from "./outcomes.ts";
import { entriesOf } from "./parameters.ts";

type Cases = fc.Arbitrary<() => void>;
type Arguments = fc.Arbitrary<readonly Given[]>;

const nothing = fc.constant<readonly Given[]>([]);
/** Further arguments, mostly none. `map` passes two. */
const beyond: Arguments = fc.oneof(
  { weight: 5, arbitrary: nothing },
  fc.tuple(anything),
  fc.tuple(anything, anything),
);

const radix = fc.oneof(
  constant(fc.integer({ min: 2, max: 36 })),
  constant(fc.constantFrom(2, 10, 16, 32, undefined)),
  anything,
);

/** An ID, one of its radixes, and further arguments. */
const withRadix = (r: Reference): Arguments => {
  const other = fc
    .integer({ min: 2, max: 36 })
    .chain((radix) => fc.tuple(constant(textsOf(r, radix)), constant(fc.constant(radix))));
  const all = fc
    .tuple(fc.oneof(fc.tuple(id(r), radix), other), beyond)
    .map(([two, beyond]) => [...two, ...beyond]);
  return fc.oneof(fc.tuple(id(r)), all);
};

/** Objects of fields. In changes, each field is optional. */
function objects(r: Reference, field: "fields" | "changes"): fc.Arbitrary<Given> {
  const entries = integersOf(r).chain((integer) =>
    entriesOf(
      Object.entries(inspected(r, integer)).map(([name, value]) => {
        const isTime = TIMES.includes(name);
        const required = field === "fields" && !isTime;
        return { name, required, right: constant(fc.constant(value)), near: isTime ? time : anything };
      }),
    ),
  );
  return bags(entries, field, "UNKNOWN_FIELD", Object.keys(inspected(r, 0n)));
}

/** Whether a format has a verb. The format may be one that only reads. */
export const has = (format: object, verb: string): boolean =>
  (verb === "validate" ? "~standard" : verb) in format;

const argumentsOf = ({ format, reference: r }: FormatUnderTest): Readonly<Record<string, Arguments>> => {
  const one: Arguments = fc.tuple(id(r), beyond).map(([id, beyond]) => [id, ...beyond]);
  const hasRadix = r.spec.form === 36 || r.spec.form === "crockford";
  const near = constant(instantsOf(r));
  const end = fc.oneof({ weight: 3, arbitrary: near }, constant(fc.constant(undefined)), time, anything);
  return {
    // A format that only reads does not accept a radix.
    parse: !has(format, "format") ? fc.tuple(id(r)) : hasRadix ? withRadix(r) : one,
    format: hasRadix ? withRadix(r) : one,
    toBytes: one,
    toBigInt: one,
    inspect: one,
    timestamp: one,
    isValid: one,
    validate: one,
    compare: fc.oneof(
      { weight: 9, arbitrary: fc.tuple(id(r), id(r)) },
      id(r).map((one) => [one, one]),
    ),
    fromBytes: fc.tuple(fc.oneof(anything, { weight: 5, arbitrary: bytes(r.spec.bytes) })),
    fromBigInt: fc.tuple(fc.oneof(anything, constant(bigint), constant(bitsOf(r.spec.bytes * 8)))),
    compose: fc.tuple(objects(r, "fields")),
    with: fc.tuple(id(r), objects(r, "changes")),
    range: fc.oneof(fc.tuple(end, end), fc.tuple(end)),
  };
};

/** Cases for the verbs of a format. */
export function verbs(subject: FormatUnderTest): Cases {
  const { reference: r, format, name: label } = subject;
  const asked = Object.entries(argumentsOf(subject)).filter(([verb]) => has(format, verb));
  const cases = asked.map(([verb, given]) =>
    given.map((drawn) => () => {
      const wanted = (...read: readonly unknown[]) => EXPECTED[verb]?.(r, ...read) as Expected;
      ask(verb, label, drawn, wanted, (...given) => askVerb(format, verb, given));
    }),
  );
  return fc.oneof(...cases);
}

/** `identify` never throws and finds exactly the formats whose reference accepts the value. */
export function identified(subjects: readonly FormatUnderTest[]): Cases {
  return fc.oneof(...subjects.map(({ reference }) => id(reference))).map((drawn) => () => {
    const result = (x: unknown) => () =>
      subjects
        .filter(({ reference }) => idFaults(reference, x).length === 0)
        .map(({ reference }) => `${reference.spec.name} ${integerOf(reference, x)}`)
        .sort();
    const found = (x: unknown) =>
      identify(x)
        .map(({ name, integer }) => `${name} ${integer}`)
        .sort();
    ask("identify", "any", [drawn], (x) => ({ faults: [], result: result(x) }), found);
  });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The expected sno for a UUID. */
function expectedOfUUID(r: Reference, x: unknown): Expected {
  const field = "uuid";
  if (typeof x !== "string") {
    return { faults: [{ code: "TYPE", field, value: x }], result: () => {} };
  }
  if (x.length !== 36) {
    return { faults: [{ code: "LENGTH", field, value: x.length, min: 36, max: 36 }], result: () => {} };
  }
  const bytes = UUID.test(x) ? (x.replaceAll("-", "").match(/../g) ?? []) : [];
  const text = bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join("");
  const faults: Fault[] = bytes.length === 0 || r.faults(text).size > 0 ? [{ code: "CHARACTER" }] : [];
  return { faults, result: () => text };
}

/** The calls that only sno has. */
export function snoOnly({ reference: r, name: label }: FormatUnderTest): Cases {
  const one = (name: string, call: (id: never) => unknown, result: (integer: bigint) => unknown) =>
    id(r).map((drawn) => () => {
      const wanted = (x: unknown) => ({ faults: idFaults(r, x), result: () => result(integerOf(r, x)) });
      ask(name, label, [drawn], wanted, call as (x: unknown) => unknown);
    });
  const change = fc.option(fc.tuple(fc.nat(36), character, fc.nat(1)), { freq: 2, nil: [0, "", 0] as const });
  const uuids = made(fc.tuple(bitsOf(80), fc.boolean(), change), ([integer, isUpper, [at, unit, taken]]) => {
    const uuid = isUpper ? snoUUID(r.text(integer)).toUpperCase() : snoUUID(r.text(integer));
    return uuid.slice(0, at) + unit + uuid.slice(at + taken);
  });
  return fc.oneof(
    one("metabyte", sno.metabyte, (integer) => Number((integer >> 32n) & 255n)),
    one("toUUID", sno.toUUID, (integer) => snoUUID(r.text(integer))),
    fc.oneof({ weight: 3, arbitrary: uuids }, anything).map((drawn) => () => {
      ask("fromUUID", label, [drawn], (x) => expectedOfUUID(r, x), sno.fromUUID as (x: unknown) => unknown);
    }),
  );
}

const bound = fc.oneof(fc.constant(undefined), number, bigint);

/**
 * `GraupelError.is` is true exactly for errors with the package's mark and never throws. An error
 * with any value can be logged.
 */
export const isOurs: Cases = fc
  .tuple(fc.constantFrom("made", "marked", "any", "any"), anything, bound, bound)
  .map(([kind, any, min, max]) => () => {
    const made = new GraupelError("TYPE", "the field is made by hand", "field", any(), min, max);
    const looks = mark("callback");
    const [x, wanted] =
      kind === "made"
        ? [made, true]
        : kind === "marked"
          ? [looks, typeof looks === "object" && "code" in looks]
          : [any(), false];
    judged(made);
    made.name = "renamed";
    ask(
      "GraupelError.is",
      "any",
      [() => x],
      () => ({ faults: [], result: () => wanted }),
      (x) => GraupelError.is(x),
    );
  });
