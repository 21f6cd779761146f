/**
 * The expected outcome of a call according to the reference: the acceptable errors, or the result.
 * Does not call the package.
 */
import { types } from "node:util";
import type { Form, Reference } from "./reference.ts";

/** An expected error: its code and details. A property that is left out is not compared. */
export interface Fault {
  readonly code: string;
  readonly field?: string;
  readonly value?: unknown;
  readonly min?: number | bigint | undefined;
  readonly max?: number | bigint | undefined;
}

/**
 * The acceptable errors, one of which the call must throw. If there are none, it must return the
 * result.
 */
export interface Expected {
  readonly faults: readonly Fault[];
  readonly result: () => unknown;
}

/** The details of a thrown error that a fault can specify. */
type Refusal = Pick<Fault, "code" | "value"> & {
  readonly field?: string | undefined;
  readonly range?: { readonly min: number | bigint; readonly max: number | bigint } | undefined;
};

/** Whether an error matches one of the faults in its code, field, value and range. */
export const isOneOf = (error: Refusal, faults: readonly Fault[]): boolean =>
  faults.some(
    ({ code, field, value, min, max }) =>
      code === error.code &&
      (field === undefined ||
        (field === error.field &&
          Object.is(value, error.value) &&
          min === error.range?.min &&
          max === error.range?.max)),
  );

/** The time of the latest `Date`. The earliest `Date` is at minus this time. */
export const LATEST = 8.64e15;

/** Faults of an integer from `min` to `max`. With `fractions`, any number in the range is valid. */
export function numberFaults(x: unknown, field: string, max: number, min = 0, fractions = false): Fault[] {
  if (typeof x !== "number") {
    return [{ code: "TYPE", field, value: x }];
  }
  const fits = x >= min && x <= max && (fractions || (Number.isInteger(x) && !Object.is(x, -0)));
  return fits ? [] : [{ code: "RANGE", field, value: x, min, max }];
}

/** The Unix milliseconds of a number or a genuine `Date`; NaN for any other value. */
export const msOf = (x: unknown): number =>
  typeof x === "number" ? x : types.isDate(x) ? Date.prototype.getTime.call(x) : Number.NaN;

export const timeFaults = (x: unknown, field: string): Fault[] =>
  typeof x === "number" || types.isDate(x)
    ? numberFaults(msOf(x), field, LATEST, -LATEST, true)
    : [{ code: "TYPE", field, value: x }];

/** An epoch as a time. An epoch may also be a bigint. */
export const epochOf = (x: unknown): unknown => (typeof x === "bigint" ? Number(x) : x);

/**
 * Faults of an epoch. `span` is the time from the start of the first tick to the start of the last.
 */
export function epochFaults(given: unknown, span: number, earliest = -LATEST): Fault[] {
  const x = epochOf(given);
  // Turns -0 into 0.
  const ms = msOf(x) + 0;
  const faults = [...timeFaults(x, "epoch"), ...numberFaults(ms, "epoch", LATEST, -LATEST)];
  if (faults.length > 0) {
    return faults;
  }
  return earliest > ms
    ? numberFaults(ms, "epoch", LATEST, earliest)
    : numberFaults(ms, "epoch", LATEST - span, -LATEST);
}

/**
 * Faults of a time that must be within a format's life. `field` names the time in a type error,
 * `place` in a range error.
 */
export function lifeFaults(r: Reference, x: unknown, field: string, place = field): Fault[] {
  const tick = timeFaults(x, field).length > 0 ? undefined : r.tick(msOf(x));
  return typeof tick === "string" ? [outside(r, tick, place, msOf(x))] : timeFaults(x, field);
}

const outside = (r: Reference, code: string, field: string, value: unknown): Fault => ({
  code,
  field,
  value,
  min: r.timestamp(0n),
  max: r.timestamp(r.lastTick + 1n),
});

/** Faults of a value as an ID, or as the text of an ID in another form. */
export function idFaults(r: Reference, x: unknown, field = "id", form: Form = r.spec.form): Fault[] {
  const all = { min: 0n, max: r.largest };
  if (typeof x !== "string") {
    return typeof x !== r.spec.idType
      ? [{ code: "TYPE", field, value: x }]
      : [...r.valueFaults(x as bigint | number)].map((code) => ({ code, field, value: x, ...all }));
  }
  return [...r.faults(x, form)].map((code) => {
    switch (code) {
      case "LENGTH":
        return { code, field, value: x.length, ...r.lengths(form) };
      case "CHARACTER": {
        const position = x.split("").findIndex((character) => r.digit(character, form) < 0);
        return { code, field, value: x, min: position, max: position };
      }
      default:
        return { code, field, value: x, ...(code === "OVERFLOW" ? all : {}) };
    }
  });
}

/** The integer of a valid ID. */
export const integerOf = (r: Reference, x: unknown, form: Form = r.spec.form): bigint =>
  typeof x === "string" ? r.read(x, form) : BigInt(x as bigint | number);

/**
 * The bytes of a genuine Uint8Array, even if its properties are overridden; undefined for other
 * values.
 */
function bytesOf(x: unknown): Uint8Array | undefined {
  const inherited = Object.getPrototypeOf(Uint8Array.prototype) as object;
  const length = Object.getOwnPropertyDescriptor(inherited, "length")?.get;
  return types.isUint8Array(x)
    ? Uint8Array.from({ length: length?.call(x) as number }, (_, i) => x[i] as number)
    : undefined;
}

/** The properties of an object. */
export type Values = Readonly<Record<string, unknown>>;

export const TIMES = ["timestamp", "time", "ticks"];

/** Fields that `compose` does not require. */
const OPTIONAL = ["tickTock", "unused"];

/** The result of `compose` for the given values. */
function composed(r: Reference, values: Values): Expected {
  const [[, timeBits] = ["", 0], ...others] = r.spec.fields;
  const faults: Fault[] = [];
  const ticks = new Set<bigint>();
  for (const form of TIMES.filter((form) => values[form] !== undefined)) {
    const value = values[form];
    const wrong =
      form === "ticks" ? numberFaults(value, form, 2 ** timeBits - 1) : lifeFaults(r, value, form);
    faults.push(...wrong);
    if (wrong.length === 0) {
      ticks.add(form === "ticks" ? BigInt(value as number) : (r.tick(msOf(value)) as bigint));
    }
  }
  for (const tick of ticks) {
    faults.push(...(tick > r.lastTick ? [outside(r, "END_OF_LIFE", "ticks", Number(tick))] : []));
  }
  if (ticks.size > 1) {
    faults.push({ code: "CONFLICT" });
  }
  if (TIMES.every((form) => values[form] === undefined)) {
    faults.push({ code: "TYPE", field: "timestamp", value: undefined });
  }
  const parts = others.map(([name, bits]) => {
    const value = values[name] === undefined && OPTIONAL.includes(name) ? 0 : values[name];
    faults.push(...numberFaults(value, name, 2 ** bits - 1));
    return value;
  });
  return {
    faults,
    result: () => r.idOf(r.pack([...ticks, ...parts.map((value) => BigInt(value as number))])),
  };
}

/** The result of `inspect`. */
export function inspected(r: Reference, integer: bigint): Values {
  const [tick = 0n, ...others] = r.unpack(integer);
  const timestamp = r.timestamp(tick);
  const fields = r.spec.fields.slice(1).map(([name], i) => [name, Number(others[i])]);
  return { timestamp, time: new Date(timestamp), ticks: Number(tick), ...Object.fromEntries(fields) };
}

/**
 * The result of changing fields of an ID. If the changes contain the time in any form, it replaces
 * all its forms.
 */
function changed(r: Reference, id: unknown, changes: Values): Expected {
  const wrong = idFaults(r, id);
  const defined = Object.entries(changes).filter(([, value]) => value !== undefined);
  const { timestamp: _, time: __, ticks, ...rest } = wrong.length > 0 ? {} : inspected(r, integerOf(r, id));
  const kept = defined.some(([key]) => TIMES.includes(key)) ? rest : { ...rest, ticks };
  const { faults, result } = composed(r, { ...kept, ...Object.fromEntries(defined) });
  return { faults: wrong.length > 0 ? [...wrong, ...faults] : faults, result };
}

/** The smallest and the largest ID between two times. */
function ranged(r: Reference, from: unknown, to: unknown): Expected {
  const faults = [
    ...(from === undefined ? [] : timeFaults(from, "from")),
    ...(to === undefined ? [] : timeFaults(to, "to")),
  ];
  const [start, end] = [from, to].map((time) => (time === undefined ? undefined : msOf(time)));
  const bounds = () => r.range(start, end);
  if (faults.length === 0) {
    if ((start ?? -Infinity) >= (end ?? Infinity)) {
      faults.push({ code: "CONFLICT", field: "from", value: from });
    } else {
      const found = bounds();
      for (const code of found instanceof Set ? found : []) {
        const [field, value] = code === "END_OF_LIFE" ? ["from", start] : ["to", end];
        faults.push(outside(r, code, field as string, value));
      }
    }
  }
  return {
    faults,
    result: () => {
      const { min, max } = bounds() as { readonly min: bigint; readonly max: bigint };
      return { min: r.idOf(min), max: r.idOf(max) };
    },
  };
}

/** The text form that the arguments select: Nanoflake supports any radix, Ulid-Flake three. */
function formsOf(r: Reference, radix: unknown, beyond: readonly unknown[]): { form: Form; faults: Fault[] } {
  const own = r.spec.form;
  if (own !== 36 && own !== "crockford") {
    return { form: own, faults: [] };
  }
  const surplus = beyond.length > 0 ? [{ code: "TYPE", field: "arguments", value: beyond.length }] : [];
  if (radix === undefined || radix === (own === 36 ? 36 : 32)) {
    return { form: own, faults: surplus };
  }
  const faults =
    own === 36
      ? numberFaults(radix, "radix", 36, 2)
      : [2, 10, 16].includes(radix as number)
        ? []
        : [{ code: "RANGE", field: "radix", value: radix, min: 2, max: 32 }];
  return { form: faults.length > 0 ? own : (radix as number), faults: [...surplus, ...faults] };
}

/** Computes the expected outcome of a verb. */
type Expect = (r: Reference, ...given: readonly unknown[]) => Expected;

/** The order of two texts: for digits, a longer text is a larger integer. */
const orderOf = (a: string, b: string): number => Math.sign(a.length - b.length) || (a < b ? -1 : +(a > b));

/** A verb that takes one ID. */
const ofID =
  (result: (r: Reference, integer: bigint) => unknown): Expect =>
  (r, x) => ({ faults: idFaults(r, x), result: () => result(r, integerOf(r, x)) });

/**
 * The expected outcome of every verb. Objects are passed as the properties that are read from them.
 */
export const EXPECTED: Readonly<Record<string, Expect>> = {
  parse(r, x, radix, ...beyond) {
    // Only Nanoflake parses other radixes, and only Nanoflake checks further arguments.
    const reads = r.spec.form === 36;
    const { form, faults } = reads ? formsOf(r, radix, beyond) : { form: r.spec.form, faults: [] };
    return {
      // If the radix is invalid, the text may have any fault.
      faults: [...faults, ...idFaults(r, x, "id", form)],
      result: () => r.idOf(integerOf(r, x, form)),
    };
  },
  format(r, x, radix, ...beyond) {
    const { form, faults } = formsOf(r, radix, beyond);
    return { faults: [...faults, ...idFaults(r, x)], result: () => r.text(integerOf(r, x), form) };
  },
  toBytes: ofID((r, integer) => Buffer.from(r.bytes(integer))),
  toBigInt: ofID((_, integer) => integer),
  inspect: ofID(inspected),
  timestamp: ofID((r, integer) => r.timestamp(r.unpack(integer)[0] as bigint)),
  isValid: (r, x) => ({ faults: [], result: () => idFaults(r, x).length === 0 }),
  validate: (r, x) => ({
    faults: [],
    result: () => (idFaults(r, x).length > 0 ? "one issue" : { value: r.idOf(integerOf(r, x)) }),
  }),
  compare(r, a, b) {
    const { min, max } = r.lengths();
    // For two texts, only the lengths are checked; `parse` checks the characters.
    const areTexts = [a, b].every((x) => typeof x === "string" && x.length >= min && x.length <= max);
    return {
      faults: areTexts ? [] : [...idFaults(r, a, "a"), ...idFaults(r, b, "b")],
      result: () =>
        areTexts
          ? orderOf(a as string, b as string)
          : orderOf(r.text(integerOf(r, a)), r.text(integerOf(r, b))),
    };
  },
  fromBytes(r, x) {
    const [bytes, size, field] = [bytesOf(x), r.spec.bytes, "bytes"];
    if (bytes?.length !== size) {
      const length = { code: "LENGTH", field, value: bytes?.length, min: size, max: size };
      return { faults: [bytes === undefined ? { code: "TYPE", field, value: x } : length], result: () => {} };
    }
    const integer = r.fromBytes(bytes);
    const large = { code: "OVERFLOW", field, value: x, min: 0n, max: r.largest };
    return { faults: integer > r.largest ? [large] : [], result: () => r.idOf(integer) };
  },
  fromBigInt(r, x) {
    const [field, value] = ["integer", x];
    if (typeof x !== "bigint") {
      return { faults: [{ code: "TYPE", field, value }], result: () => {} };
    }
    const code = x < 0n ? "RANGE" : x > r.largest ? "OVERFLOW" : undefined;
    const faults = code === undefined ? [] : [{ code, field, value, min: 0n, max: r.largest }];
    return { faults, result: () => r.idOf(x) };
  },
  compose: (r, fields) => composed(r, fields as Values),
  with: (r, id, changes) => changed(r, id, changes as Values),
  range: ranged,
};
