/**
 * Argument checks. A value passes unchanged, or the check throws. Only a `Date` is converted, to
 * its milliseconds.
 */
import { type ErrorCode, fail, rangeError, show, typeError } from "./errors.js";
import * as abi from "./generated/constants.js";

/** A copy of the given options, or of the keys of a snapshot. */
export type Given = Partial<Record<string, unknown>>;

/**
 * Checks for a number from `min` to `max`; an integer, unless fractions are allowed. `what`: the
 * range in words.
 */
export function numberIn(
  value: unknown,
  field: string,
  max: number,
  min = 0,
  fractions = false,
  what = min === max ? `${max}` : `${fractions ? "a number" : "an integer"} from ${min} to ${max}`,
): number {
  const isNumber = typeof value === "number";
  const isIn = isNumber && value >= min && value <= max;
  if (isIn && (fractions || (Number.isInteger(value) && !Object.is(value, -0)))) {
    return value;
  }
  return isNumber ? rangeError(field, value, min, max, what) : typeError(field, value, what);
}

/**
 * Returns the result of `read`. A TypeError means that the value is not the expected `what`. Any
 * other error, such as a stack overflow or an error from a user's trap, is not about the value and
 * passes through.
 */
export function orTypeError<T>(field: string, value: unknown, what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) {
      return typeError(field, value, what);
    }
    throw error;
  }
}

/**
 * Checks for a time: Unix milliseconds or a `Date`. Fractions pass, unless it is an epoch; the core
 * floors or rounds them by the format's rule. `+ 0` turns an epoch of -0 into 0.
 */
export function time(value: unknown, field: string, fractions = true): number {
  const what = `${fractions ? "" : "whole "}Unix milliseconds or a Date`;
  // Accepts a Date of another realm and rejects objects that only look like a Date.
  const read = () => Date.prototype.getTime.call(value);
  const ms = typeof value === "number" ? value : orTypeError(field, value, what, read);
  return numberIn(fractions ? ms : ms + 0, field, abi.UNIX_MS_MAX, -abi.UNIX_MS_MAX, fractions, what);
}

/** A time as ISO 8601 text, for messages; as a number if it is past the last `Date`. */
export const dateOf = (ms: number): string => (ms > abi.UNIX_MS_MAX ? `${ms}` : new Date(ms).toISOString());

/** Checks for an epoch: whole Unix milliseconds, also as a bigint, or a `Date`. */
export const epochMs = (value: unknown): number =>
  time(typeof value === "bigint" ? Number(value) : value, "epoch", false);

/** The total width of some fields in bits. */
export const widthOf = (fields: readonly { readonly bits: number }[]): number =>
  fields.reduce((sum, { bits }) => sum + bits, 0);

/**
 * The milliseconds from an epoch to the last tick of a time field with `bits` bits, of which the
 * top `clear` bits stay 0. Errors: `RANGE` if that tick is past the last `Date`, or too far from
 * the epoch.
 */
export function lifeOf(bits: number, clear: number, epoch: number, tickMs: number): number {
  const last = 2 ** (bits - clear) - 1;
  const life = last * tickMs;
  if (life > abi.SPAN_MS_MAX) {
    const most = Math.floor(abi.SPAN_MS_MAX / last);
    rangeError("tickMs", tickMs, 1, most, `at most ${most} with ${bits} bits of time`);
  }
  if (epoch > abi.UNIX_MS_MAX - life) {
    rangeError("epoch", epoch, -abi.UNIX_MS_MAX, abi.UNIX_MS_MAX - life);
  }
  return life;
}

/**
 * Throws for surplus arguments: `map` also passes an index and the array, and the index would be
 * read as a metabyte or radix.
 */
export function noMoreArguments(count: number): void {
  if (count > 0) {
    fail("TYPE", "arguments", count, `arguments: ${count} too many; in map, write (x) => f(x) or () => f()`);
  }
}

/** Checks for one of some words. */
export function oneOf<W extends string>(value: unknown, field: string, words: readonly W[]): W {
  return words.includes(value as W) ? (value as W) : typeError(field, value, `"${words.join('" or "')}"`);
}

/** Checks for `true` or `false`. */
export const flag = (value: unknown, field: string): boolean =>
  typeof value === "boolean" ? value : typeError(field, value, "true or false");

/** Checks for a function or `undefined`. */
export const callback = <F>(value: unknown, field: string): F | undefined =>
  value === undefined || typeof value === "function"
    ? (value as F | undefined)
    : typeError(field, value, "a function");

/** Checks for an AbortSignal of any realm, or `undefined`. */
export const signalOf = (value: unknown): AbortSignal | undefined =>
  value === undefined
    ? value
    : orTypeError("signal", value, "an AbortSignal", () => {
        // The getter throws for anything else.
        Reflect.get(AbortSignal.prototype, "aborted", value);
        return value as AbortSignal;
      });

/**
 * The reason of an aborted signal. In older React Native, signals have neither `reason` nor
 * `throwIfAborted`.
 */
export const abortReason = ({
  reason = Object.assign(Error("aborted"), { name: "AbortError" }),
}: AbortSignal): unknown => reason;

/** Whether a value is an array. For a revoked proxy, `Array.isArray` throws, and this is false. */
export function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * The own keys of a plain object. Throws for an object of a class or with another prototype, whose
 * inherited properties would be ignored silently, and for arrays, Maps, Dates and modules.
 */
export const keysOf = (value: unknown, field: string): string[] =>
  orTypeError(field, value, "a plain object, like {...it}", () => {
    const parent = Object.getPrototypeOf(value) ?? Object.prototype;
    // `Object.prototype`, of any realm, inherits nothing and has this method.
    const isPlain = Object.getPrototypeOf(parent) === null && "isPrototypeOf" in parent;
    if (!isPlain || Symbol.toStringTag in (value as object)) {
      throw TypeError();
    }
    return Object.keys(value as object);
  });

/**
 * A plain copy of an options object. Each own property is read once; `undefined` means the default.
 * Throws for unknown keys, because a misspelled option must not be ignored silently. Does not read
 * prototypes, because a polluted one would add options.
 */
export function pickOptions<K extends string>(
  value: unknown,
  field: string,
  keys: readonly K[],
  code: ErrorCode = "UNKNOWN_OPTION",
): Partial<Record<K, unknown>> {
  const copy: Given = Object.create(null);
  for (const key of keysOf(value, field)) {
    if (!keys.includes(key as K)) {
      fail(code, key, value, `${field}: unknown key ${show(key)}; known are ${keys.join(", ")}`);
    }
    const property = (value as Record<string, unknown>)[key];
    if (property !== undefined) {
      copy[key] = property;
    }
  }
  return copy as Partial<Record<K, unknown>>;
}

/**
 * Checks for a Uint8Array of exactly `length` bytes, including a Buffer or one of another realm.
 */
export function bytesOf(value: unknown, length: number): Uint8Array {
  // The getters of %TypedArray%.prototype read internal slots, which an object cannot fake.
  const prototype = Object.getPrototypeOf(Uint8Array.prototype);
  if (Reflect.get(prototype, Symbol.toStringTag, value) !== "Uint8Array") {
    typeError("bytes", value, "a Uint8Array");
  }
  const found = Reflect.get(prototype, "length", value);
  return found === length
    ? (value as Uint8Array)
    : rangeError("bytes", found, length, length, `${length} bytes`, "LENGTH");
}

/**
 * `pickOptions` for an entry without a core, in which every option is optional. `types` has the
 * `typeof` of each.
 */
export function checkOptions<Options extends object>(
  options: Options,
  types: Readonly<Record<string, string>>,
): Options {
  const own = pickOptions(Object(options), "options", Object.keys(types));
  for (const [name, value] of Object.entries(own)) {
    if (typeof value !== types[name]) {
      typeError(name, value, `a ${types[name]}`);
    }
  }
  return own as Options;
}
