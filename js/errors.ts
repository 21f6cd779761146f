/**
 * The error class, its codes, and the functions that throw it. Each entry without a core bundles a copy of this file; the copies recognize
 * each other's errors by `BRAND`.
 */
import type { CoreCodes } from "./generated/layouts.js";
import type { StandardProps } from "./types.js";

/** Marks errors of every copy of the package. */
export const BRAND = Symbol.for("graupel.error");

/** Codes that the core answers with. */
export type CoreCode = Exclude<CoreCodes[number], "">;

/** Codes of TypeScript. */
type OwnCode =
  | "TYPE"
  | "CLOCK_INVALID"
  | "SNAPSHOT"
  | "UNKNOWN_OPTION"
  | "UNKNOWN_FIELD"
  | "CLOCK_STUCK"
  | "PARTITIONS_EXHAUSTED"
  | "REGISTRY"
  | "CORE"
  | "PEER"
  | "LEASE_LOST"
  | "LEASE_RELEASED"
  | "LEASE_FULL"
  | "LEASE_STORE"
  | "LEASE_LAYOUT"
  | "LEASE_SKEW";

/**
 * Every value that `code` can have. A code is never renamed.
 *
 * | code | meaning |
 * | --- | --- |
 * | `TYPE` | an argument of the wrong type |
 * | `RANGE` | a number, field or option outside its range |
 * | `LENGTH` | a text or bytes of the wrong length |
 * | `CHARACTER` | a character outside the alphabet |
 * | `NOT_CANONICAL` | a leading zero |
 * | `OVERFLOW` | larger than the largest ID of the format |
 * | `UNKNOWN_OPTION`, `UNKNOWN_FIELD` | a key that means nothing here |
 * | `CONFLICT` | arguments that contradict each other |
 * | `BEFORE_EPOCH`, `END_OF_LIFE` | a time outside what the format can express |
 * | `CLOCK_BACKWARDS` | the clock went back, and the policy or its bound is to refuse that |
 * | `SEQUENCE_FULL` | the tick's sequence is used up, and the policy or its bound is to refuse that |
 * | `CLOCK_STUCK` | the clock stood still during a wait |
 * | `CLOCK_INVALID` | the clock, or the system's clock, returned something that is no time |
 * | `TIME_TAKEN` | an ID for that time could repeat one, of `at(time)` or of `next()` |
 * | `OUTSIDE_INTERVAL` | the tick lies outside the interval that the generator may use |
 * | `RANDOM_FAILED` | no source of random bytes, or one that fills nothing |
 * | `PARTITIONS_EXHAUSTED` | no partition of sno is left without bounds that overlap the generator's |
 * | `SNAPSHOT` | a snapshot that is foreign, damaged or from a later version |
 * | `REGISTRY` | another, unknown version of the package owns the realm's generators, or `globalThis` is frozen |
 * | `CORE` | the platform does not start WebAssembly; `cause` is its reason |
 * | `PEER` | an entry cannot work with this version of the library that it is for |
 * | `LEASE_LOST` | the lease has no number now |
 * | `LEASE_RELEASED` | the lease was released |
 * | `LEASE_FULL` | all numbers that a lease may have are held |
 * | `LEASE_STORE` | the store of a lease failed, or does not answer; `cause` is its reason |
 * | `LEASE_LAYOUT` | the namespace of a lease numbers the IDs of another format |
 * | `LEASE_SKEW` | this clock and the store's are too far apart |
 */
export type ErrorCode = CoreCode | OwnCode;

/** What would have been allowed. */
export interface ErrorRange {
  /** The smallest. */
  readonly min: number | bigint;
  /** The largest; for a time, the first one that is too late. */
  readonly max: number | bigint;
}

/**
 * The error of everything that graupel refuses. Its message ends with its code in brackets; www/docs/errors.md has the cause and the
 * remedy of each code.
 *
 * @example
 * ```js
 * import { discord, GraupelError } from "graupel";
 * try {
 *   discord.parse("17592884729911706x");
 * } catch (error) {
 *   console.log(GraupelError.is(error), error.code);   // true CHARACTER
 * }
 * ```
 */
export class GraupelError extends Error {
  // Only declared: the constructor assigns them, so a definition of each would be bytes for nothing.

  /** What kind of refusal. Stable across versions. */
  declare readonly code: ErrorCode;
  /** The argument, option or field that was refused. */
  declare readonly field: string | undefined;
  /** The value that was refused. Not enumerable, as the range is not: a copy of the error is fit for JSON. */
  declare readonly value: unknown;
  /** The allowed range: of the value; for `LENGTH` of its length, for `CHARACTER` the position. */
  declare readonly range: ErrorRange | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    field?: string,
    value?: unknown,
    min?: number | bigint,
    max?: number | bigint,
  ) {
    // The code is what a reader of a log looks up in www/docs/errors.md.
    super(`${message} [${code}]`);
    this.code = code;
    this.field = field;
    // Not enumerable: test runners and error trackers put `{ ...error }` into JSON or messages, which fail on BigInts and functions.
    Object.defineProperties(this, {
      value: { __proto__: null, value },
      range: { __proto__: null, value: min === undefined ? min : { min, max } },
    } as PropertyDescriptorMap);
  }

  /** Plain JSON for logs: BigInts as decimal strings, objects as `"an object"`. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, field, value, range } = this;
    return {
      name,
      code,
      message,
      field,
      value: jsonValue(value),
      range: range && { min: jsonValue(range.min), max: jsonValue(range.max) },
    };
  }

  /** `error instanceof GraupelError` is `GraupelError.is(error)`; a subclass has only instances of its own. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    // A class that names itself inside is renamed by esbuild, and Node shows that name.
    // biome-ignore lint/complexity/noThisInStatic: `this` is the class to the right of `instanceof`.
    return Object.getPrototypeOf(this) === Error ? this.is(error) : super[Symbol.hasInstance](error);
  }

  /** Whether `error` is a GraupelError, of this or any other copy of the package. */
  static is(this: void, error: unknown): error is GraupelError {
    try {
      return BRAND in Object(error);
    } catch {
      // A proxy whose `has` trap throws.
      return false;
    }
  }
}

// Defined, because assignment fails if `Error.prototype` is frozen; `__proto__: null`, because `Object.prototype` may be polluted.
Object.defineProperties(GraupelError.prototype, {
  name: { __proto__: null, value: "GraupelError", writable: true },
  [BRAND]: { __proto__: null },
} as PropertyDescriptorMap);

/** Standard Schema v1 (https://standardschema.dev) of a function that throws what it refuses. */
export const standardOf = <Input, Output>(parse: (x: unknown) => Output): StandardProps<Input, Output> => ({
  version: 1,
  vendor: "graupel",
  validate(x) {
    try {
      return { value: parse(x) };
    } catch (error) {
      // Neither a core that does not start nor a full stack says anything about the value.
      if (GraupelError.is(error) && error.code !== "CORE") {
        return { issues: [{ message: error.message }] };
      }
      throw error;
    }
  },
});

/** A BigInt's digits, unless it is huge: printing that takes seconds. */
export const decimal = (value: bigint, suffix = ""): string =>
  BigInt.asIntN(128, value) === value ? value + suffix : "a huge bigint";

/** A value as JSON can hold it. */
export const jsonValue = (value: unknown): unknown =>
  typeof value === "bigint" ? decimal(value) : Object(value) === value ? "an object" : value;

/**
 * Short text of any value, for a message; never throws. All but ASCII is escaped: it could steer a terminal, turn the text around it,
 * or look like the digit that it is not.
 */
export const show = (value: unknown): string =>
  (typeof value === "string"
    ? JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)
    : typeof value === "bigint"
      ? decimal(value, "n")
      : typeof value === "function"
        ? "a function"
        : Object.is(value, -0)
          ? "-0"
          : String(jsonValue(value))
  ).replace(/[^ -~]/g, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);

type Bound = number | bigint;

/** Throws the error. */
export function fail(
  code: ErrorCode,
  field: string | undefined,
  value: unknown,
  message: string,
  min?: Bound,
  max?: Bound,
): never {
  throw new GraupelError(code, message, field, value, min, max);
}

/** Refuses a value that is not `what` is expected. */
export const typeError = (field: string, value: unknown, what: string, code: ErrorCode = "TYPE"): never =>
  fail(code, field, value, `${field}: expected ${what}, got ${show(value)}`);

/** Refuses a value outside its range. */
export const rangeError = (
  field: string,
  value: unknown,
  min: Bound,
  max: Bound,
  what = `${min} to ${max}`,
  code: ErrorCode = "RANGE",
): never => fail(code, field, value, `${field}: expected ${what}, got ${show(value)}`, min, max);
