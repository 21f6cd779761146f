/** Which formats could an ID belong to? */
import type { AnyFormat } from "./any-format.js";
import { nanoflake } from "./formats/nanoflake.js";
import { snowflakeSI } from "./formats/snowflake-si.js";
import { likeliest } from "./generated/likeliest.js";
import { systemClock } from "./generator/clock.js";
import { HABITS, NUMBERED_BELOW, ownOf, weigh } from "./habits.js";

/**
 * Why a candidate stands where it does. `fields`: the time is plausible, and the fields are as public IDs of the service mostly have
 * them. `time`: the time is plausible. `first-month`: the time is within 30 days after the epoch. `form`: only the form is known, because
 * the epoch is the user's own. `future`: the time is more than a day ahead. `too-old`: the time is before 21 March 2006, when the first
 * of such IDs was made. `numbered`: the service numbered its IDs in a row when this one was made, so it tells no time; those of Twitter
 * until November 2010.
 */
export type CandidateReason = "fields" | "time" | "first-month" | "form" | "future" | "too-old" | "numbered";

/** A format that an ID could belong to. */
export interface Candidate {
  /** The format's name. */
  readonly name: string;
  /** The ID as the format's canonical text. */
  readonly text: string;
  /** The ID as an integer. */
  readonly integer: bigint;
  /** Why it stands where it does among the candidates. */
  readonly reason: CandidateReason;
  /** The ID's time in Unix milliseconds; absent where the epoch is the user's own, and of IDs that were numbered in a row. */
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

/** Fields that are as likely as this, in bits, speak for a format. */
const TELLING = -16;

/**
 * The formats that `x` could belong to, the likeliest first: those whose strict `parse` takes it, ordered by whether
 * the time it would have is plausible, and by whether its fields are as those of the service mostly are. Reads the clock. An empty list
 * if there is none. Errors: `CLOCK_INVALID`.
 *
 * @example
 * ```js
 * import { identify } from "graupel";
 * const [first] = identify("175928847299117063");
 * console.log(first.name, first.reason);   // discord fields
 * ```
 */
export function identify(x: unknown): readonly Candidate[] {
  const now = systemClock();
  const fixed: readonly AnyFormat[] = likeliest();
  const all: readonly AnyFormat[] = [...fixed, snowflakeSI({ epoch: 1.7e12 }), nanoflake({ epoch: 0 })];
  return all
    .filter((format) => format.isValid(x))
    .map((format): [bits: number, Candidate] => {
      const id = format.parse(x);
      const candidate = { name: format.name, text: format.format(id), integer: format.toBigInt(id) };
      if (!fixed.includes(format)) {
        // The form is known, the time is not: likelier than a time that nobody has seen. Only Snowflake-SI's IDs are numbers.
        return [typeof x === "number" ? 0 : 70, { ...candidate, reason: "form" }];
      }
      if (candidate.integer < (ownOf(NUMBERED_BELOW, format.name) ?? 0)) {
        return [50, { ...candidate, reason: "numbered", format }];
      }
      const inspection = format.inspect(id);
      const { timestamp, time } = inspection;
      const known = weigh(format, inspection, ownOf(HABITS, format.name));
      // A doubt about the time takes more bits than fields can.
      const [bits, reason]: [number, CandidateReason] =
        timestamp > now + DAY_MS
          ? [80, "future"]
          : timestamp < FIRST_MS
            ? [80, "too-old"]
            : timestamp < format.epoch + 30 * DAY_MS
              ? [60, "first-month"]
              : [-known, known > TELLING ? "fields" : "time"];
      return [bits, { ...candidate, reason, timestamp, time, format }];
    })
    .sort(([a], [b]) => a - b)
    .map(([, candidate]) => candidate);
}
