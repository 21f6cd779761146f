/**
 * Argument checks. What passes is exactly what was given: nothing is converted but a `Date` to its
 * milliseconds, nothing rounded, nothing ignored.
 */
import { refuse } from "../errors.js";

/** The last instant of a `Date` (ECMA-262), in Unix milliseconds. */
export const LATEST = 8.64e15;

/** Short text of any value, for a message; never throws. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
  }
  if (typeof value === "bigint") {
    // A huge BigInt takes seconds to print.
    return value < 1n << 128n && value > -(1n << 128n) ? `${value}n` : "a huge bigint";
  }
  if (Object.is(value, -0)) {
    return "-0";
  }
  return typeof value === "object" && value !== null
    ? "an object"
    : typeof value === "function"
      ? "a function"
      : String(value);
}

/** Refuses a value of the wrong type. */
export function wrongType(field: string, value: unknown, expected: string): never {
  return refuse("TYPE", `${field}: expected ${expected}, got ${show(value)}`, { field, value });
}

/** Refuses a value outside its range. */
export function outOfRange(field: string, value: unknown, min: number | bigint, max: number | bigint): never {
  return refuse("RANGE", `${field}: expected ${min} to ${max}, got ${show(value)}`, {
    field,
    value,
    range: { min, max },
  });
}

/** An integer from `min` to `max`. */
export function whole(value: unknown, field: string, max: number, min = 0): number {
  if (typeof value !== "number") {
    return wrongType(field, value, `an integer from ${min} to ${max}`);
  }
  if (!Number.isInteger(value) || value < min || value > max || Object.is(value, -0)) {
    return outOfRange(field, value, min, max);
  }
  return value;
}

/** A number from 0 to `max`, fractions allowed. */
export function amount(value: unknown, field: string, max: number): number {
  if (typeof value !== "number") {
    return wrongType(field, value, `a number from 0 to ${max}`);
  }
  return value >= 0 && value <= max ? value : outOfRange(field, value, 0, max);
}

/** A time: Unix milliseconds or a `Date`. Fractions pass; the core floors or rounds them as the format says. */
export function time(value: unknown, field: string): number {
  if (typeof value === "number") {
    return value >= -LATEST && value <= LATEST ? value : outOfRange(field, value, -LATEST, LATEST);
  }
  let ms: number;
  try {
    // Also takes a Date of another realm, and no look-alike.
    ms = Date.prototype.getTime.call(value);
  } catch {
    return wrongType(field, value, "Unix milliseconds or a Date");
  }
  return Number.isNaN(ms) ? outOfRange(field, ms, -LATEST, LATEST) : ms;
}

/** Unix milliseconds for an epoch: whole. */
export function epochMs(value: unknown): number {
  const ms = time(value, "epoch");
  return Number.isInteger(ms) ? ms + 0 : outOfRange("epoch", value, -LATEST, LATEST);
}

/** One of a few words. */
export function word<W extends string>(value: unknown, field: string, words: readonly W[]): W {
  return words.includes(value as W)
    ? (value as W)
    : wrongType(field, value, words.map((w) => JSON.stringify(w)).join(" or "));
}

/** A function, or nothing. */
export function callback<F>(value: unknown, field: string): F | undefined {
  return value === undefined || typeof value === "function"
    ? (value as F | undefined)
    : wrongType(field, value, "a function");
}

/** The value, or what stands for one left out. Only `undefined` is left out: `null` is a value, and mostly a wrong one. */
export function or<T>(value: unknown, absent: T): unknown {
  return value === undefined ? absent : value;
}

/** The own keys of an object that is nothing else (no array, no Map, no Date); none of anything else. */
function plainKeys(value: unknown): string[] | undefined {
  try {
    return typeof value === "object" && Object.prototype.toString.call(value) === "[object Object]"
      ? Object.keys(value as object)
      : undefined;
  } catch (error) {
    // A revoked proxy; what its maker's traps throw is theirs.
    if (error instanceof TypeError) {
      return undefined;
    }
    throw error;
  }
}

/** Whether a value is an object and nothing else. */
export const isPlain = (value: unknown): boolean => plainKeys(value) !== undefined;

/** The own keys of an object that is nothing else. Errors: `TYPE`. */
export const keysOf = (value: unknown, field: string): string[] =>
  plainKeys(value) ?? wrongType(field, value, "a plain object");

/**
 * A plain copy of an options object, each property read once; properties with the value `undefined` count as left
 * out. Unknown keys are refused: a misspelt option must not be silently absent.
 */
export function record<K extends string>(
  value: unknown,
  field: string,
  keys: readonly K[],
  code: "UNKNOWN_OPTION" | "UNKNOWN_FIELD" | "SNAPSHOT" = "UNKNOWN_OPTION",
): Partial<Record<K, unknown>> {
  for (const key of keysOf(value, field)) {
    if (!keys.includes(key as K)) {
      refuse(code, `${field}: unknown key ${show(key)}; known are ${keys.join(", ")}`, { field: key, value });
    }
  }
  const copy: Partial<Record<K, unknown>> = {};
  for (const key of keys) {
    const property = (value as Record<string, unknown>)[key];
    if (property !== undefined) {
      copy[key] = property;
    }
  }
  return copy;
}

/** Bytes: a Uint8Array of this or another realm, a Buffer included, and no look-alike; exactly `length` of them. */
export function bytesOf(value: unknown, length: number): Uint8Array {
  // The getters of the prototype of all typed arrays look at the object itself, not at what it says of itself.
  const prototype = Object.getPrototypeOf(Uint8Array.prototype);
  if (Reflect.get(prototype, Symbol.toStringTag, value) !== "Uint8Array") {
    return wrongType("bytes", value, "a Uint8Array");
  }
  const found = Reflect.get(prototype, "length", value);
  if (found !== length) {
    refuse("LENGTH", `bytes: expected ${length} bytes, got ${found}`, {
      field: "bytes",
      value: found,
      range: { min: length, max: length },
    });
  }
  return value as Uint8Array;
}
