/**
 * Reads and validates IDs in about one kilobyte, without WebAssembly, for browsers and bots that
 * generate none. The functions take a format as their first argument, so bundlers keep only the
 * used ones.
 *
 * @module graupel/read
 */
import { dateOf, time } from "../checks.js";
import { fail, jsonValue } from "../errors.js";
import type { Range, Time } from "../types.js";
import { type ReadFormat, whole, words } from "./load.js";

export { type ErrorCode, type ErrorRange, GraupelError } from "../errors.js";
export * from "../generated/read.js";
export type * from "../types.js";
export { nanoflake, snowflake, snowflakeSI, withEpoch } from "./declared.js";
export type { ReadFormat } from "./load.js";

/** Any format of this entry. */
export type AnyReadFormat = ReadFormat<string | bigint | number, never>;

/** The type of a format's IDs. */
export type IdOf<F extends AnyReadFormat> = ReturnType<F["idOf"]>;

/** Throws for a value, by the result of `load`. */
function failId({ name, expected, shortest, longest, max }: AnyReadFormat, x: unknown, why: number): never {
  const position = -6 - why;
  const { length } = typeof x === "string" ? x : "";
  const [code, got, least, most, value = x] =
    (
      [
        ["OVERFLOW", jsonValue(x), 0n, max],
        ["RANGE", jsonValue(x), 0n, max],
        ["TYPE", typeof x],
        ["LENGTH", `length ${length}`, shortest, longest, length],
        ["NOT_CANONICAL", x],
      ] as const
    )[~why] ?? (["CHARACTER", `character ${position}`, position, position] as const);
  return fail(code, "id", value, `${name} id: expected ${expected}, got ${got}`, least, most);
}

/** The ticks of an ID. Leaves the ID in `words`. */
function ticksOf(format: AnyReadFormat, id: unknown): number {
  const ticks = format.load(format, id);
  return ticks < 0 ? failId(format, id, ticks) : ticks;
}

/**
 * Returns the time of an ID or its text: the Unix milliseconds at which its tick starts. Errors:
 * `TYPE`, `LENGTH`, `CHARACTER`, `NOT_CANONICAL`, `OVERFLOW`, `RANGE`.
 *
 * @example
 * ```js
 * import { discord, timestamp } from "graupel/read";
 * console.log(timestamp(discord, "175928847299117063"));   // 1462015105796
 * ```
 */
export const timestamp = <F extends AnyReadFormat>(format: F, id: IdOf<F> | string): number =>
  format.epoch + ticksOf(format, id) * format.tickMs;

/**
 * Returns the time and the fields of an ID or its text, like `inspect` of a format. Errors: those
 * of {@link timestamp}.
 *
 * @example
 * ```js
 * import { discord, inspect } from "graupel/read";
 * console.log(inspect(discord, 175928847299117063n).increment);   // 7
 * ```
 */
export function inspect<F extends AnyReadFormat>(
  format: F,
  id: IdOf<F> | string,
): ReturnType<F["inspection"]> {
  const ticks = ticksOf(format, id);
  const low = words[0] as number;
  const high = words[1] as number;
  return format.inspection(format.epoch + ticks * format.tickMs, ticks, low, high) as ReturnType<
    F["inspection"]
  >;
}

/**
 * Parses canonical text, or checks an ID, and returns the ID. Errors: those of {@link timestamp}.
 *
 * @example
 * ```js
 * import { discord, parse } from "graupel/read";
 * console.log(parse(discord, "175928847299117063"));   // 175928847299117063n
 * ```
 */
export function parse<F extends AnyReadFormat>(format: F, x: unknown): IdOf<F> {
  ticksOf(format, x);
  return (typeof x === "string" ? format.idOf(whole[0] as bigint, x) : x) as IdOf<F>;
}

/**
 * Whether a value is an ID or its canonical text. Errors: none.
 *
 * @example
 * ```js
 * import { discord, isValid } from "graupel/read";
 * console.log(isValid(discord, "175928847299117063"), isValid(discord, "0175"));   // true false
 * ```
 */
export function isValid<F extends AnyReadFormat>(format: F, x: IdOf<F> | string): boolean;
/** The same, as a type guard for values of other types. */
export function isValid<F extends AnyReadFormat>(format: F, x: unknown): x is IdOf<F> | string;
export function isValid(format: AnyReadFormat, x: unknown): boolean {
  return format.load(format, x) >= 0;
}

/**
 * Returns the bounds for `BETWEEN min AND max` of every ID whose tick overlaps [from, to). Both
 * ends are optional, and the interval is limited to the format's life. Errors: `TYPE`, `RANGE`;
 * `CONFLICT` unless `from` is before `to`; `BEFORE_EPOCH`, `END_OF_LIFE` if the whole interval is
 * outside the format's life.
 *
 * @example
 * ```js
 * import { discord, range } from "graupel/read";
 * console.log(range(discord, Date.UTC(2024, 0, 1)).min);   // 1191168914227200000n
 * ```
 */
export function range<F extends AnyReadFormat>(format: F, from?: Time, to?: Time): Range<IdOf<F>> {
  const { name, epoch, tickMs, last, max, idOf } = format;
  const start = from === undefined ? -Infinity : time(from, "from");
  const end = to === undefined ? Infinity : time(to, "to");
  if (start >= end) {
    fail("CONFLICT", "from", from, `range: from (${dateOf(start)}) must be before to (${dateOf(end)})`);
  }
  // The tick that contains the start, and the last one that starts before the end.
  const first = Math.floor((Math.floor(start) - epoch) / tickMs);
  const final = Math.floor((Math.ceil(end) - 1 - epoch) / tickMs);
  const life = epoch + (last + 1) * tickMs;
  if (final < 0 || first > last) {
    const [code, field, value] =
      final < 0 ? (["BEFORE_EPOCH", "to", end] as const) : (["END_OF_LIFE", "from", start] as const);
    fail(
      code,
      field,
      value,
      `${name}: ${field} ${dateOf(value)}: expected ${dateOf(epoch)} to before ${dateOf(life)}`,
      epoch,
      life,
    );
  }
  const size = (max + 1n) / BigInt(last + 1);
  return {
    min: idOf(BigInt(Math.max(first, 0)) * size),
    max: idOf(BigInt(Math.min(final, last) + 1) * size - 1n),
  } as Range<IdOf<F>>;
}
