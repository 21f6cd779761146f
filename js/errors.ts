/**
 * The error class, its codes, and the functions that throw it. Each entry without a core bundles a
 * copy of this file. The copies recognize each other's errors by `BRAND`.
 */
import type { CoreCode } from "./generated/names.js";
import type { StandardProps } from "./types.js";

/** Marks errors of every copy of the package. */
export const BRAND = Symbol.for("graupel.error");

export type { CoreCode } from "./generated/names.js";

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
 * | `UNKNOWN_OPTION`, `UNKNOWN_FIELD` | an unknown key |
 * | `CONFLICT` | arguments that contradict each other |
 * | `BEFORE_EPOCH`, `END_OF_LIFE` | a time outside the format's range |
 * | `CLOCK_BACKWARDS` | the clock went back, and the policy is to throw, or the wait would be too long |
 * | `SEQUENCE_FULL` | the tick's sequence is used up, and the policy is to throw, or the wait would be too long |
 * | `CLOCK_STUCK` | the clock stood still during a wait |
 * | `CLOCK_INVALID` | the clock returned an invalid time |
 * | `TIME_TAKEN` | an ID for that time could repeat an ID of `at(time)` or `next()` |
 * | `OUTSIDE_INTERVAL` | the tick is outside the interval of the lease |
 * | `RANDOM_FAILED` | there is no working source of random bytes |
 * | `PARTITIONS_EXHAUSTED` | in every partition of sno, the generator's bounds overlap those of another |
 * | `SNAPSHOT` | a damaged snapshot, or one of another format or a later version |
 * | `REGISTRY` | an unknown version of the package owns the realm's generators, or `globalThis` is frozen |
 * | `CORE` | WebAssembly cannot start; `cause` is the platform's error |
 * | `PEER` | the installed version of the entry's library is not supported |
 * | `LEASE_LOST` | the lease has no number now |
 * | `LEASE_RELEASED` | the lease was released |
 * | `LEASE_FULL` | all numbers are held |
 * | `LEASE_STORE` | the lease store failed or does not answer; `cause` is its error |
 * | `LEASE_LAYOUT` | the namespace belongs to another format |
 * | `LEASE_SKEW` | this clock and the store's are too far apart |
 */
export type ErrorCode =
  | CoreCode
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

/** An end of a range. */
type Bound = number | bigint;

/** The allowed range. */
export interface ErrorRange {
  /** The smallest value. */
  readonly min: number | bigint;
  /** The largest value; for a time, the first one that is too late. */
  readonly max: number | bigint;
}

/**
 * The error that graupel throws. Its message ends with its code in brackets; www/docs/errors.md has
 * the cause and the remedy of each code.
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
  // Only declared: the constructor assigns them, so definitions would waste bytes.

  /** The error code. It never changes between versions. */
  declare readonly code: ErrorCode;
  /** The argument, option or field with the problem. */
  declare readonly field: string | undefined;
  /**
   * The rejected value. `value` and `range` are not enumerable, so a copy of the error is valid
   * JSON.
   */
  declare readonly value: unknown;
  /** The allowed range of the value; for `LENGTH`, of its length; for `CHARACTER`, of positions. */
  declare readonly range: ErrorRange | undefined;

  constructor(code: ErrorCode, message: string, field?: string, value?: unknown, min?: Bound, max?: Bound) {
    // Readers of logs look the code up in www/docs/errors.md.
    super(`${message} [${code}]`);
    this.code = code;
    this.field = field;
    // Not enumerable, because test runners and error trackers serialize `{ ...error }`, which fails
    // for BigInts and functions.
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

  /**
   * `error instanceof GraupelError` equals `GraupelError.is(error)`. For a subclass, `instanceof`
   * works as usual.
   */
  static override get [Symbol.hasInstance](): (error: unknown) => boolean {
    // A getter, because Babel's loose mode assigns methods, and `Function.prototype` has a read-only
    // one. Use `this`: esbuild renames a class that refers to its own name, and Node would show the
    // new name.
    // biome-ignore lint/complexity/noThisInStatic: `this` is the class to the right of `instanceof`.
    return Object.getPrototypeOf(this) === Error ? this.is : super[Symbol.hasInstance];
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

// Use defineProperties, because assignment fails if `Error.prototype` is frozen, and `__proto__:
// null`, because `Object.prototype` may be polluted.
Object.defineProperties(GraupelError.prototype, {
  name: { __proto__: null, value: "GraupelError", writable: true },
  [BRAND]: { __proto__: null },
} as PropertyDescriptorMap);

/** Standard Schema v1 (https://standardschema.dev) for a function that throws on invalid values. */
export const standardOf = <Input, Output>(parse: (x: unknown) => Output): StandardProps<Input, Output> => ({
  version: 1,
  vendor: "graupel",
  validate(x) {
    try {
      return { value: parse(x) };
    } catch (error) {
      // A core that cannot start, or a full stack, is not a problem of the value.
      if (GraupelError.is(error) && error.code !== "CORE") {
        return { issues: [{ message: error.message }] };
      }
      throw error;
    }
  },
});

/** The digits of a BigInt, unless it is huge: printing a huge one takes seconds. */
const decimal = (value: bigint, suffix = ""): string =>
  BigInt.asIntN(128, value) === value ? value + suffix : "a huge bigint";

/** A value that JSON can contain. */
export const jsonValue = (value: unknown): unknown =>
  typeof value === "bigint" ? decimal(value) : Object(value) === value ? "an object" : value;

/**
 * A short text of any value, for a message. Never throws. Escapes everything except ASCII, which
 * could control a terminal, reverse the text around it, or imitate a digit.
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

/** A thrown value as text, for a message. Some values, such as symbols, have none. */
export function thrownText(thrown: unknown): string {
  try {
    return `${thrown}`;
  } catch {
    return "it failed";
  }
}

/** Gives an error its cause, which is not enumerable, as in an Error's options. */
export const withCause = (error: GraupelError, cause: unknown): GraupelError =>
  Object.defineProperty(error, "cause", { __proto__: null, value: cause } as PropertyDescriptor);

/** Throws for a value that is not the expected `what`. */
export const typeError = (field: string, value: unknown, what: string, code: ErrorCode = "TYPE"): never =>
  fail(code, field, value, `${field}: expected ${what}, got ${show(value)}`);

/** Throws for a value outside its range. */
export const rangeError = (
  field: string,
  value: unknown,
  min: Bound,
  max: Bound,
  what = `${min} to ${max}`,
  code: ErrorCode = "RANGE",
): never => fail(code, field, value, `${field}: expected ${what}, got ${show(value)}`, min, max);

/**
 * The prototype of formats of texts, which are their own `text`. With a property of their own,
 * libraries that copy or wrap deeply would find a cycle.
 */
export const OWN_TEXT = {
  get text() {
    return this;
  },
};
