/**
 * What IDs of each format are mostly like: how many there are, when they were made, and what their small fields hold. From public IDs
 * and the services' own documents; the layouts are in the package. All of it only orders what the package accepts.
 */

/** Values from `low` to `high`, together with this probability. */
type Share = readonly [low: number, high: number, probability: number];
type Shares = readonly Share[];

export interface Habits {
  /** How often its IDs are pasted, in bits: each one less is half as often. */
  readonly prior: number;
  /** From when on how many IDs were made, beside one another; none before the first. */
  readonly years: readonly (readonly [from: number, weight: number])[];
  /** The fields that are not spread evenly. */
  readonly fields: Readonly<Record<string, Shares | ((timestamp: number) => Shares)>>;
}

const year = (number: number, month = 1): number => Date.UTC(number, month - 1, 1);

/** Twitter's datacenters changed in the course of 2014. */
const EARLY: Shares = [
  [1, 3, 0.7],
  [10, 13, 0.25],
  [0, 31, 0.05],
];
const LATE: Shares = [
  [10, 13, 0.93],
  [0, 31, 0.07],
];

export const HABITS: Readonly<Record<string, Habits>> = {
  discord: {
    prior: 0,
    years: [
      [year(2015), 0.02],
      [Date.UTC(2015, 4, 13), 0.08],
      [year(2016), 0.2],
      [year(2017), 0.3],
      [year(2018), 0.5],
      [year(2019), 0.7],
      [year(2020), 1],
    ],
    fields: {
      internalWorkerId: [
        [0, 2, 0.85],
        [3, 12, 0.13],
        [0, 31, 0.02],
      ],
      internalProcessId: [
        [0, 0, 0.65],
        [1, 8, 0.33],
        [0, 31, 0.02],
      ],
      increment: [
        [0, 9, 0.2],
        [10, 255, 0.79],
        [0, 4095, 0.01],
      ],
    },
  },
  twitter: {
    prior: 0,
    years: [
      [year(2010, 11), 0.2],
      [year(2011), 0.5],
      [year(2012), 1],
    ],
    fields: {
      datacenterId: (timestamp) => (timestamp < year(2014, 7) ? EARLY : LATE),
      sequence: [
        [0, 0, 0.4],
        [1, 7, 0.2],
        [8, 511, 0.39],
        [0, 4095, 0.01],
      ],
    },
  },
  mastodon: {
    prior: -3,
    years: [
      [year(2016, 3), 0.05],
      [year(2017, 4), 0.3],
      [year(2022), 1],
    ],
    fields: {},
  },
  instagram: {
    prior: -3,
    years: [
      [Date.UTC(2011, 7, 24), 0.2],
      [year(2013), 1],
    ],
    fields: {},
  },
  sonyflake: {
    prior: -4,
    years: [[year(2015), 1]],
    fields: {
      sequence: [
        [0, 0, 0.8],
        [1, 7, 0.17],
        [0, 255, 0.03],
      ],
    },
  },
  sno: {
    prior: -4,
    years: [
      [year(2010), 0.02],
      [year(2019, 6), 1],
    ],
    fields: {
      tickTock: [
        [0, 0, 0.97],
        [1, 1, 0.03],
      ],
      metabyte: [
        [0, 0, 0.5],
        [0, 255, 0.5],
      ],
      sequence: [
        [0, 63, 0.5],
        [64, 4095, 0.3],
        [0, 65535, 0.2],
      ],
    },
  },
  "ulid-flake": {
    prior: -6,
    years: [[year(2024), 1]],
    fields: {
      // The bounds of a time, for queries.
      randomness: [
        [0, 0, 0.001],
        [0, 2 ** 20 - 1, 0.999],
      ],
    },
  },
  "ulid-flake-scalable": {
    prior: -11,
    years: [[year(2024), 1]],
    fields: {
      scalability: [
        [0, 7, 0.7],
        [0, 31, 0.3],
      ],
    },
  },
};

/** The probability of a value. */
export function probability(shares: Shares, value: number): number {
  let sum = 0;
  for (const [low, high, share] of shares) if (value >= low && value <= high) sum += share / (high - low + 1);
  return sum;
}
