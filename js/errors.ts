/**
 * The one error class, its codes, and how to tell it apart.
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
 * | `CLOCK_INVALID` | the clock, the system's included, returned something that is no time |
 * | `TIME_TAKEN` | `at(time)` or `next()` could repeat an ID of the other |
 * | `OUTSIDE_INTERVAL` | the tick lies outside the interval that the generator may use |
 * | `RANDOM_FAILED` | no randomness, or one that keeps answering zero |
 * | `PARTITIONS_EXHAUSTED` | no partition of sno is left without bounds that overlap the generator's |
 * | `SNAPSHOT` | a snapshot that is foreign, damaged or from a later version |
 * | `REGISTRY` | another, unknown version of the package owns the realm's generators, or `globalThis` is frozen |
 * | `CORE` | the WebAssembly module could not be instantiated |
 */
import type { CODES } from "./generated/layouts.js";

/** Codes that the core answers with. */
export type CoreCode = Exclude<(typeof CODES)[number], "">;

/** Every value that `code` can have; the table above has the meanings. */
export type ErrorCode =
  | CoreCode
  | "TYPE"
  | "UNKNOWN_OPTION"
  | "UNKNOWN_FIELD"
  | "CLOCK_STUCK"
  | "CLOCK_INVALID"
  | "PARTITIONS_EXHAUSTED"
  | "SNAPSHOT"
  | "REGISTRY"
  | "CORE";

/** Marks errors of every copy of the package. */
const BRAND = Symbol.for("graupel.error");

/**
 * Everything that graupel refuses, it refuses with this.
 *
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
  /** What kind of refusal. Stable across versions. */
  readonly code: ErrorCode;
  /** The argument, option or field that was refused. */
  readonly field: string | undefined;
  /** The value that was refused. */
  readonly value: unknown;
  /** The allowed range, both ends included. */
  readonly range: { readonly min: number | bigint; readonly max: number | bigint } | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    field?: string,
    value?: unknown,
    min?: number | bigint,
    max?: number | bigint,
  ) {
    super(message);
    this.code = code;
    this.field = field;
    this.value = value;
    this.range = min === undefined || max === undefined ? undefined : { min, max };
  }

  /** What a log wants to say: plain JSON, BigInts as decimal strings; of an object only that it is one. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, field, value, range } = this;
    const bounds = range && { min: plain(range.min), max: plain(range.max) };
    return { name, code, message, field, value: plain(value), range: bounds };
  }

  /** Whether `error` is a GraupelError, of this or any other copy of the package. */
  static is(error: unknown): error is GraupelError {
    try {
      return typeof error === "object" && error !== null && BRAND in error;
    } catch {
      // A proxy that will not be asked.
      return false;
    }
  }
}

// Defined, as `Error.prototype` may be frozen; by a descriptor without a prototype, as that may be polluted.
Object.defineProperties(GraupelError.prototype, {
  name: { __proto__: null, value: "GraupelError", writable: true },
  [BRAND]: { __proto__: null },
} as PropertyDescriptorMap);

/** A BigInt's digits; a huge one takes seconds to print. */
export const decimal = (value: bigint, suffix = ""): string =>
  BigInt.asIntN(128, value) === value ? value + suffix : "a huge bigint";

/** A value as JSON can hold it. */
const plain = (value: unknown): unknown =>
  typeof value === "bigint" ? decimal(value) : Object(value) === value ? "an object" : value;

/** Throws. */
export function refuse(...what: ConstructorParameters<typeof GraupelError>): never {
  throw new GraupelError(...what);
}
