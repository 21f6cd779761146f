/** Which formats could an ID belong to? */
import type { AnyFormat } from "./any-format.js";
import { nanoflake } from "./formats/nanoflake.js";
import { snowflakeSI } from "./formats/snowflake-si.js";
import { likeliest } from "./generated/likeliest.js";
import { systemClock } from "./generator/clock.js";

/** A format that an ID could belong to. */
export interface Candidate {
  /** The format's name. */
  readonly name: string;
  /** The ID as the format's canonical text. */
  readonly text: string;
  /** The ID as an integer. */
  readonly integer: bigint;
  /** The ID's time in Unix milliseconds; absent where the epoch is the user's own. */
  readonly timestamp?: number;
  /** The same as a `Date`. */
  readonly time?: Date;
  /** The format; absent where the epoch is the user's own. */
  readonly format?: AnyFormat;
}

/** How far in the future a time may lie and still be plausible: clocks differ. */
const DAY_MS = 86_400_000;

/** 2006-03-21: no ID of these formats is older, although Mastodon counts from 1970. */
const FIRST_MS = 1.1428992e12;

/** How unlikely a time is: 2 in the future or before any ID, 1 in the epoch's first 30 days, else 0. */
function doubt(timestamp: number, epoch: number, now: number): number {
  if (timestamp > now + DAY_MS) {
    return 2;
  }
  return timestamp < Math.max(epoch, FIRST_MS) ? 2 : timestamp < epoch + 30 * DAY_MS ? 1 : 0;
}

/**
 * The formats that `x` could belong to, the likeliest first: those whose strict `parse` takes it, ordered by whether
 * the time it would have is plausible. Reads the clock. An empty list if there is none. Errors: `CLOCK_INVALID`.
 *
 * @example
 * ```js
 * import { identify } from "graupel";
 * console.log(identify("175928847299117063")[0].name);   // discord
 * ```
 */
export function identify(x: unknown): readonly Candidate[] {
  const now = systemClock();
  const fixed: readonly AnyFormat[] = likeliest();
  const all: readonly AnyFormat[] = [...fixed, snowflakeSI({ epoch: 1.7e12 }), nanoflake({ epoch: 0 })];
  return all
    .filter((format) => format.isValid(x))
    .map((format): [doubt: number, Candidate] => {
      const id = format.parse(x);
      const { timestamp, time } = format.inspect(id);
      const candidate = { name: format.name, text: format.format(id), integer: format.toBigInt(id) };
      return fixed.includes(format)
        ? [doubt(timestamp, format.epoch, now), { ...candidate, timestamp, time, format }]
        : // The epoch is the user's own: the form is known, the time is not.
          [typeof x === "number" ? 0 : 1.5, candidate];
    })
    .sort(([a], [b]) => a - b)
    .map(([, candidate]) => candidate);
}
