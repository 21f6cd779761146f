/**
 * What public IDs of a service are mostly like, as data, and how well a format explains an ID by it: for `identify` and for the site. From
 * public IDs and the services' own documents. It only orders what `parse` accepts.
 */
import type { AnyFormat, AnyInspection } from "./any-format.js";

/** Values of a field, and how many of a hundred IDs have them. The rest is spread evenly. */
export type Shares = readonly (readonly [low: number, high: number, share: number])[];

/** What is known of a format's IDs. */
export interface Habits {
  /** How common the IDs are, in bits: one bit less means half as common. */
  readonly prior: number;
  /** The fields that are not spread evenly. */
  readonly fields: Readonly<Record<string, Shares>>;
}

/** By the format's name: the two most common formats, and those with telling fields. */
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
      // Until 2014, and since.
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
 * By the format's name: IDs below this were numbered in a row, before the service had the format. They tell no time. Twitter's last one was
 * of 4 November 2010 (https://github.com/oduwsdl/tweetedat).
 */
export const NUMBERED_BELOW: Readonly<Record<string, number>> = { twitter: 29_700_859_248 };

/** A property of the object's own: `Object.prototype` may have anything. */
export const ownOf = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** How much likelier a value of `bits` bits is than a random value, in bits. */
export const gainOf = (shares: Shares, bits: number, value: number): number =>
  Math.log2(
    shares.reduce(
      (ratio, [low, high, share]) =>
        ratio - share + (value < low || value > high ? 0 : (share * 2 ** bits) / (high - low + 1)),
      100,
    ) / 100,
  );

/** How likely an ID is among those of a tick, in bits: by how often such IDs are met, and by its fields. */
export const weigh = (
  { layout: { fields, tickMs } }: AnyFormat,
  inspection: AnyInspection,
  { prior, fields: usual }: Habits = { prior: -3, fields: {} },
): number =>
  fields.reduce(
    (sum, { name, bits }, i) => sum + (i && gainOf(ownOf(usual, name) ?? [], bits, inspection[name]) - bits),
    prior + Math.log2(tickMs),
  );
