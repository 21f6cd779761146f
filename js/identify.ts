/** Finds the formats that an ID could belong to. */
import type { AnyFormat } from "./any-format.js";
import { nanoflake } from "./formats/nanoflake.js";
import { snowflakeSI } from "./formats/snowflake-si.js";
import { likeliest } from "./generated/likeliest.js";
import { systemClock } from "./generator/clock.js";
import { HABITS, NUMBERED_BELOW, ownOf, weigh } from "./habits.js";

/**
 * The reason for the rank of a candidate. `fields`: the time is plausible, and the fields are
 * typical of the service's public IDs. `time`: the time is plausible. `first-month`: the time is
 * within 30 days after the epoch. `form`: only the form is known, because users choose the epoch.
 * `future`: the time is more than a day ahead. `too-old`: the time is before 21 March 2006, the
 * date of the first such ID. `numbered`: a consecutive number without a time, from before the
 * service used the format (Twitter until November 2010).
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
  /** The reason for its rank. */
  readonly reason: CandidateReason;
  /**
   * The ID's time in Unix milliseconds; absent if users choose the epoch, and for consecutive
   * numbers.
   */
  readonly timestamp?: number;
  /** The time as a `Date`. */
  readonly time?: Date;
  /** The format; absent if users choose the epoch. */
  readonly format?: AnyFormat;
}

/** How far ahead a plausible time may be, in milliseconds, because clocks differ. */
const DAY_MS = 86_400_000;

/** 2006-03-21: no ID of these formats is older, although Mastodon counts from 1970. */
const FIRST_MS = 1.1428992e12;

/** Fields that are at least this likely, in bits, count as evidence for a format. */
const TELLING = -16;

/**
 * Returns the formats whose strict `parse` accepts `x`, most likely first, or an empty list. The
 * rank depends on whether the time is plausible and the fields are typical of the service. Reads
 * the clock. Errors: `CLOCK_INVALID`.
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
        // An unknown time is more likely than an implausible one. Only Snowflake-SI's IDs are
        // numbers.
        return [typeof x === "number" ? 0 : 70, { ...candidate, reason: "form" }];
      }
      if (candidate.integer < (ownOf(NUMBERED_BELOW, format.name) ?? 0)) {
        return [50, { ...candidate, reason: "numbered", format }];
      }
      const inspection = format.inspect(id);
      const { timestamp, time } = inspection;
      const known = weigh(format, inspection, ownOf(HABITS, format.name));
      // An implausible time weighs more than all fields.
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
