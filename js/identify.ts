/** Which formats could an ID belong to? */
import { nanoflake } from "./formats/nanoflake.js";
import { sno } from "./formats/sno/index.js";
import { discord, instagram, mastodon, sonyflake, twitter } from "./formats/snowflake.js";
import { snowflakeSI } from "./formats/snowflake-si.js";
import { ulidFlake, ulidFlakeScalable } from "./formats/ulid-flake.js";
import { systemClock } from "./generator/clock.js";
import type { Instant, Layout } from "./types.js";

// biome-ignore lint/suspicious/noExplicitAny: the formats here have IDs of different types
type AnyId = any;

/** What every format offers, whatever the type of its IDs. */
export interface AnyFormat {
  /** The format's name, as the command line spells it. */
  readonly name: string;
  /** Unix milliseconds of tick 0. */
  readonly epoch: number;
  /** Fields and widths. */
  readonly layout: Layout;
  /** IDs that one identity can make in one tick. */
  readonly capacity: number;
  /** Unix milliseconds at which the last tick starts. */
  readonly endOfLife: number;
  /** True exactly when `parse` succeeds. */
  isValid(this: void, x: unknown): boolean;
  /** An ID, or its canonical text, to the ID. Errors: `TYPE`, `LENGTH`, `CHARACTER`, `NOT_CANONICAL`, `OVERFLOW`, `RANGE`. */
  parse(this: void, x: unknown): AnyId;
  /** Canonical text. Errors: those of `parse`. */
  format(this: void, id: AnyId): string;
  /** The ID as an integer. Errors: those of `parse`. */
  toBigInt(this: void, id: AnyId): bigint;
  /** Big-endian bytes. Errors: those of `parse`. */
  toBytes(this: void, id: AnyId): Uint8Array;
  /** The ID's time; the other fields are there too, by their own names. Errors: those of `parse`. */
  inspect(this: void, id: AnyId): Instant;
}

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

/** Formats with a fixed epoch, the most widely used first: that order decides between equally likely ones. */
const known = (): AnyFormat[] => [
  discord,
  twitter,
  mastodon,
  instagram,
  sonyflake,
  sno,
  ulidFlake,
  ulidFlakeScalable,
];

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
  const fixed = known();
  return [...fixed, snowflakeSI({ epoch: 1.7e12 }), nanoflake({ epoch: 0 })]
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
