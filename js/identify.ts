/** Which formats could an ID belong to? */
import type { AnyFormat } from "./any-format.js";
import { nanoflake } from "./formats/nanoflake.js";
import { snowflakeSI } from "./formats/snowflake-si.js";
import { likeliest } from "./generated/likeliest.js";
import { systemClock } from "./generator/clock.js";

/**
 * Why a candidate stands where it does. `fields`: the time is plausible, and the fields are as public IDs of the service mostly have
 * them. `time`: the time is plausible. `first-month`: the time is within 30 days after the epoch. `form`: only the form is known, because
 * the epoch is the user's own. `future`: the time is more than a day ahead. `too-old`: the time is before 21 March 2006, when the first
 * of such IDs was made.
 */
export type CandidateReason = "fields" | "time" | "first-month" | "form" | "future" | "too-old";

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

/** Why a time is unlikely, if it is, and by how many bits: more than fields can take. */
function doubt(
  timestamp: number,
  epoch: number,
  now: number,
): readonly [bits: number, CandidateReason] | undefined {
  if (timestamp > now + DAY_MS) {
    return [80, "future"];
  }
  if (timestamp < Math.max(epoch, FIRST_MS)) {
    return [80, "too-old"];
  }
  return timestamp < epoch + 30 * DAY_MS ? [60, "first-month"] : undefined;
}

/** The form is known, the time is not: likelier than a time that nobody has seen. */
const FORM = 70;

/** Fields that take fewer bits than this speak for a format. */
const TELLING = 16;

/**
 * How many bits it takes to say the fields to somebody who knows what public IDs of the service look like, with how seldom the service's
 * IDs are met: few if they are usual.
 */
function bitsOf(name: string, integer: bigint, timestamp: number): number {
  const low = Number(integer & 0xffffffn);
  // Discord's worker, process and increment; Twitter's datacenter, worker and sequence.
  const [high, middle, count] = [(low >> 17) & 31, (low >> 12) & 31, low & 4095];
  // Twitter's datacenters are 10 to 13; until 2014 they were 1 to 3.
  const datacenter = high > 9 && high < 14 ? 7 : timestamp < 1.404e12 && high > 0 && high < 4 ? 11 : 14;
  switch (name) {
    case "discord": {
      // The first workers and processes make most IDs, and count up to some hundreds.
      const rare = high > 12 || middle > 8 ? 8 : 0;
      return 1.5 * Math.log2((high + 1) * (middle + 1)) + rare + (count < 256 ? 8 : 22);
    }
    case "twitter":
      // The sequence is mostly 0, and hardly ever above 511.
      return datacenter + (count < 512 ? 1.3 * Math.log2(count + 1) : 18);
    case "mastodon":
      return 19;
    case "sonyflake":
      // The sequence, above the machine, is mostly 0.
      return low < 0x10000 ? 17 : low < 0x80000 ? 22 : 30;
    default:
      return 26;
  }
}

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
      const { name, epoch } = format;
      const { timestamp, time } = format.inspect(id);
      const integer = format.toBigInt(id);
      const candidate = { name, text: format.format(id), integer };
      if (!fixed.includes(format)) {
        // The form is known, the time is not. Only Snowflake-SI's IDs are numbers.
        return [typeof x === "number" ? 0 : FORM, { ...candidate, reason: "form" }];
      }
      const fields = bitsOf(name, integer, timestamp);
      const [bits, reason] = doubt(timestamp, epoch, now) ?? [fields, fields < TELLING ? "fields" : "time"];
      return [bits, { ...candidate, reason, timestamp, time, format }];
    })
    .sort(([a], [b]) => a - b)
    .map(([, candidate]) => candidate);
}
