/**
 * Argument checks. What passes is exactly what was given: nothing is converted but a `Date` to its
 * milliseconds, nothing rounded, nothing ignored.
 */
import { type ErrorCode, refuse, show } from "./errors.js";
import { UNIX_MS_MAX } from "./generated/constants.js";

/** Refuses a value of the wrong type. */
export const wrongType = (field: string, value: unknown, what: string): never =>
  refuse("TYPE", field, value, what);

/** Refuses a value outside its range. */
export const outOfRange = (
  field: string,
  value: unknown,
  min: number | bigint,
  max: number | bigint,
): never => refuse("RANGE", field, value, `${min} to ${max}`, min, max);

/** A number from `min` to `max`; an integer, unless fractions are allowed. */
export function numberIn(value: unknown, field: string, max: number, min = 0, fractions = false): number {
  if (typeof value !== "number") {
    return wrongType(field, value, `a number from ${min} to ${max}`);
  }
  return value >= min && value <= max && (fractions || (Number.isInteger(value) && !Object.is(value, -0)))
    ? value
    : outOfRange(field, value, min, max);
}

/** A time: Unix milliseconds or a `Date`. Fractions pass; the core floors or rounds them as the format says. */
export function time(value: unknown, field: string): number {
  let ms = value;
  if (typeof value !== "number") {
    try {
      // Also takes a Date of another realm, and no look-alike.
      ms = Date.prototype.getTime.call(value);
    } catch {
      wrongType(field, value, "Unix milliseconds or a Date");
    }
  }
  return numberIn(ms, field, UNIX_MS_MAX, -UNIX_MS_MAX, true);
}

/** Unix milliseconds for an epoch: whole. */
export const epochMs = (value: unknown): number =>
  numberIn(time(value, "epoch") + 0, "epoch", UNIX_MS_MAX, -UNIX_MS_MAX);

/** Refuses arguments after the optional one: `map` passes an index and an array, which would be taken for a metabyte or radix. */
export function noMoreArguments(count: number): void {
  if (count > 0) {
    refuse(
      "TYPE",
      "arguments",
      count,
      `${count} arguments too many; in map, write (x) => f(x)`,
      undefined,
      undefined,
      undefined,
      "#",
    );
  }
}

/** One of a few words. */
export function oneOf<W extends string>(value: unknown, field: string, words: readonly W[]): W {
  return words.includes(value as W) ? (value as W) : wrongType(field, value, `"${words.join('" or "')}"`);
}

/** A function, or nothing. */
export function callback<F>(value: unknown, field: string): F | undefined {
  return value === undefined || typeof value === "function"
    ? (value as F | undefined)
    : wrongType(field, value, "a function");
}

/** The value, or what stands for one left out. Only `undefined` is left out: `null` is a value, and mostly a wrong one. */
export const orDefault = <T>(value: unknown, absent: T): unknown => (value === undefined ? absent : value);

/** Whether a value is an array; a revoked proxy is not. */
export function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** The own keys of an object that is nothing else (no array, no Map, no Date). */
export function keysOf(value: unknown, field: string, code: ErrorCode = "TYPE"): string[] {
  try {
    if (typeof value === "object" && Object.prototype.toString.call(value) === "[object Object]") {
      return Object.keys(value as object);
    }
  } catch (error) {
    // A revoked proxy is invalid; what the traps of a user's proxy throw is the user's.
    if (!(error instanceof TypeError)) {
      throw error;
    }
  }
  return refuse(code, field, value, "a plain object");
}

/**
 * A plain copy of an options object, each own property read once; properties with the value `undefined` count as left
 * out. Unknown keys are refused: a misspelt option must not be silently absent. Neither the object's nor the copy's
 * prototype is looked at, as a polluted one would be an option that nobody gave.
 */
export function pickOptions<K extends string>(
  value: unknown,
  field: string,
  keys: readonly K[],
  code: ErrorCode = "UNKNOWN_OPTION",
  shape?: ErrorCode,
): Partial<Record<K, unknown>> {
  const copy = Object.create(null) as Record<string, unknown>;
  for (const key of keysOf(value, field, shape)) {
    if (!keys.includes(key as K)) {
      refuse(code, key, value, `${field}: unknown key ${show(key)}; known are ${keys.join(", ")}`);
    }
    const property = (value as Record<string, unknown>)[key];
    if (property !== undefined) {
      copy[key] = property;
    }
  }
  return copy as Partial<Record<K, unknown>>;
}

/** Bytes: a Uint8Array of this or another realm, a Buffer included, and no look-alike; exactly `length` of them. */
export function bytesOf(value: unknown, length: number): Uint8Array {
  // The getters of the prototype of all typed arrays look at the object itself, not at what it says of itself.
  const prototype = Object.getPrototypeOf(Uint8Array.prototype);
  if (Reflect.get(prototype, Symbol.toStringTag, value) !== "Uint8Array") {
    wrongType("bytes", value, "a Uint8Array");
  }
  const found = Reflect.get(prototype, "length", value);
  return found === length
    ? (value as Uint8Array)
    : refuse("LENGTH", "bytes", found, `${length} bytes`, length, length);
}
