/**
 * The typical fields of a service's public IDs, and a score for how well an ID fits them, for
 * `identify` and the site. The data are from public IDs and the services' documents. They only sort
 * candidates that `parse` accepts.
 */
import type { AnyFormat, AnyInspection } from "./any-format.js";

/** Ranges of a field's values, with the percentage of IDs in each. The rest is spread evenly. */
export type Shares = readonly (readonly [low: number, high: number, share: number])[];

/** The known habits of a format's IDs. */
export interface Habits {
  /** How common the IDs are, in bits: one bit less means half as common. */
  readonly prior: number;
  /** The fields whose values are not spread evenly. */
  readonly fields: Readonly<Record<string, Shares>>;
}

/**
 * The habits by format name: for the two most common formats, and formats with distinctive fields.
 */
export const HABITS: Readonly<Record<string, Habits>> = {
  discord: {
    prior: 0,
    fields: {
      internalWorkerId: [
        [0, 2, 85],
        [3, 12, 13],
      ],
      internalProcessId: [
        [0, 0, 65],
        [1, 8, 33],
      ],
      increment: [
        [0, 9, 20],
        [10, 255, 79],
      ],
    },
  },
  twitter: {
    prior: 0,
    fields: {
      // The datacenters before 2014, and those since then.
      datacenterId: [
        [1, 3, 8],
        [10, 13, 88],
      ],
      sequence: [
        [0, 0, 40],
        [1, 7, 20],
        [8, 511, 39],
      ],
    },
  },
  sonyflake: {
    prior: -3,
    fields: {
      sequence: [
        [0, 0, 80],
        [1, 7, 17],
      ],
    },
  },
};

/**
 * By format name: IDs below this were consecutive numbers, from before the service used the format,
 * and contain no time. Twitter's last one is from 4 November 2010
 * (https://github.com/oduwsdl/tweetedat).
 */
export const NUMBERED_BELOW: Readonly<Record<string, number>> = { twitter: 29_700_859_248 };

/** An own property of an object, because `Object.prototype` may be polluted. */
export const ownOf = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** How much more likely a value of `bits` bits is than a random value, in bits. */
export const gainOf = (shares: Shares, bits: number, value: number): number =>
  Math.log2(
    shares.reduce(
      (ratio, [low, high, share]) =>
        ratio - share + (value < low || value > high ? 0 : (share * 2 ** bits) / (high - low + 1)),
      100,
    ) / 100,
  );

/**
 * How likely an ID is among all IDs of its tick, in bits: by the frequency of the format, and by
 * its fields.
 */
export const weigh = (
  { layout: { fields, tickMs } }: AnyFormat,
  inspection: AnyInspection,
  { prior, fields: usual }: Habits = { prior: -3, fields: {} },
): number =>
  fields.reduce(
    (sum, { name, bits }, i) => sum + (i && gainOf(ownOf(usual, name) ?? [], bits, inspection[name]) - bits),
    prior + Math.log2(tickMs),
  );
