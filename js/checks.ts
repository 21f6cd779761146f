/**
 * Argument checks. A value either passes unchanged or is refused; only a `Date` is converted, to its milliseconds.
 */
import { type ErrorCode, fail, rangeError, show, typeError } from "./errors.js";
import * as abi from "./generated/constants.js";

/** The advice of `RANDOM_FAILED`. React Native has no `crypto`; the package that it names adds one. */
export const NO_RANDOM = "no random bytes; set globalThis.crypto, or import react-native-get-random-values";

/** Options, or the keys of a snapshot: a copy of what was given. */
export type Given = Partial<Record<string, unknown>>;

/** A number from `min` to `max`; an integer, unless fractions are allowed. */
export function numberIn(value: unknown, field: string, max: number, min = 0, fractions = false): number {
  const isNumber = typeof value === "number";
  const isIn = isNumber && value >= min && value <= max;
  if (isIn && (fractions || (Number.isInteger(value) && !Object.is(value, -0)))) {
    return value;
  }
  const what = `${fractions ? "a number" : "an integer"} from ${min} to ${max}`;
  return isNumber ? rangeError(field, value, min, max, what) : typeError(field, value, what);
}

/**
 * Returns the result of `read`. A TypeError means that the value is not `what` is expected. Any other error, such as a stack overflow or
 * an error from a user's trap, says nothing about the value and passes through.
 */
export function orTypeError<T>(
  field: string,
  value: unknown,
  what: string,
  read: () => T,
  code: ErrorCode = "TYPE",
): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) {
      return typeError(field, value, what, code);
    }
    throw error;
  }
}

/** A time: Unix milliseconds or a `Date`. Fractions pass; the core floors or rounds them as the format says. */
export function time(value: unknown, field: string): number {
  // Accepts a Date of another realm, and refuses objects that only look like one.
  const ms =
    typeof value === "number"
      ? value
      : orTypeError(field, value, "Unix milliseconds or a Date", () => Date.prototype.getTime.call(value));
  return numberIn(ms, field, abi.UNIX_MS_MAX, -abi.UNIX_MS_MAX, true);
}

/** Unix milliseconds of an epoch: an integer. `+ 0` turns -0 into 0. */
export const epochMs = (value: unknown): number =>
  numberIn(time(value, "epoch") + 0, "epoch", abi.UNIX_MS_MAX, -abi.UNIX_MS_MAX);

/** Bits of some fields together. */
export const widthOf = (fields: readonly { readonly bits: number }[]): number =>
  fields.reduce((sum, { bits }) => sum + bits, 0);

/**
 * Milliseconds from an epoch to the last tick that `bits` of time count, of which some at the top stay clear. Errors: `RANGE` if that tick is
 * past the last `Date`, or too far from the epoch.
 */
export function lifeOf(bits: number, clear: number, epoch: number, tickMs: number): number {
  const last = 2 ** (bits - clear) - 1;
  const life = last * tickMs;
  if (life > abi.SPAN_MS_MAX) {
    const most = Math.floor(abi.SPAN_MS_MAX / last);
    rangeError("tickMs", tickMs, 1, most, `1 to ${most} with ${bits} bits of time`);
  }
  if (epoch > abi.UNIX_MS_MAX - life) {
    rangeError("epoch", epoch, -abi.UNIX_MS_MAX, abi.UNIX_MS_MAX - life);
  }
  return life;
}

/** Refuses surplus arguments: `map` also passes an index and the array, and the index would be read as a metabyte or radix. */
export function noMoreArguments(count: number): void {
  if (count > 0) {
    fail("TYPE", "arguments", count, `arguments: ${count} too many; in map, write (x) => f(x)`);
  }
}

/** One of the given words. */
export function oneOf<W extends string>(value: unknown, field: string, words: readonly W[]): W {
  return words.includes(value as W) ? (value as W) : typeError(field, value, `"${words.join('" or "')}"`);
}

/** `true` or `false`. */
export const flag = (value: unknown, field: string): boolean =>
  typeof value === "boolean" ? value : typeError(field, value, "true or false");

/** A function or `undefined`. */
export function callback<F>(value: unknown, field: string): F | undefined {
  return value === undefined || typeof value === "function"
    ? (value as F | undefined)
    : typeError(field, value, "a function");
}

/** An AbortSignal, of any realm, or `undefined`. */
export const signalOf = (value: unknown): AbortSignal | undefined =>
  value === undefined
    ? value
    : orTypeError("signal", value, "an AbortSignal", () => {
        // The getter throws for anything else.
        Reflect.get(AbortSignal.prototype, "aborted", value);
        return value as AbortSignal;
      });

/** Why a signal was aborted. React Native's older ones have neither `reason` nor `throwIfAborted`. */
export const abortReason = ({
  reason = Object.assign(Error("aborted"), { name: "AbortError" }),
}: AbortSignal): unknown => reason;

/** The value, or a default for `undefined`. `null` does not count as left out. */
export const orDefault = <T>(value: unknown, absent: T): unknown => (value === undefined ? absent : value);

/** Whether a value is an array. A revoked proxy is not; `Array.isArray` would throw. */
export function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * The own keys of a plain object. An object of a class, or with another prototype, is refused: what it inherits would be ignored
 * silently. So are arrays, Maps, Dates and modules.
 */
export const keysOf = (value: unknown, field: string, code?: ErrorCode): string[] =>
  orTypeError(
    field,
    value,
    "a plain object, like {...it}",
    () => {
      const parent = Object.getPrototypeOf(value) ?? Object.prototype;
      // `Object.prototype`, of any realm, inherits nothing and has this method.
      const isPlain = Object.getPrototypeOf(parent) === null && "isPrototypeOf" in parent;
      if (!isPlain || Symbol.toStringTag in (value as object)) {
        throw TypeError();
      }
      return Object.keys(value as object);
    },
    code,
  );

/**
 * A plain copy of an options object. Each own property is read once; `undefined` counts as left out. Unknown keys are
 * refused, because a misspelt option must not be ignored silently. Prototypes are not read: a polluted one would add options
 * that nobody gave.
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

/** A Uint8Array (also a Buffer, or one of another realm) of exactly `length` bytes. */
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

/** The same for an entry without a core, where all options may be left out. `types` has the `typeof` of each. */
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
