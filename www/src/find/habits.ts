/**
 * The site's own statistics: when the IDs of each format were made, and habits of formats that
 * `identify` does not need.
 */
import { HABITS, type Habits } from "../../../js/habits.ts";
import type { AnyFormat } from "../lib/formats.ts";
import { YEAR_MS } from "../lib/units.ts";

/**
 * From each year on, the rate at which IDs are made increases by `more`, in an arbitrary unit. No
 * IDs were made before the first year.
 */
type Years = readonly (readonly [from: number, more: number])[];

const YEARS: Readonly<Record<string, Years>> = {
  discord: [
    [2015, 2],
    [2015.36, 6],
    [2016, 12],
    [2017, 10],
    [2018, 20],
    [2019, 20],
    [2020, 30],
  ],
  twitter: [
    [2010.83, 2],
    [2011, 3],
    [2012, 5],
  ],
  mastodon: [
    [2016.16, 5],
    [2017.25, 25],
    [2022, 70],
  ],
  instagram: [
    [2011.64, 2],
    [2013, 8],
  ],
  sno: [
    [2010, 2],
    [2019.41, 98],
  ],
};

/** The year of a time, as a fraction. */
export const yearOf = (timestamp: number): number => 1970 + timestamp / YEAR_MS;

const OTHERS: Readonly<Record<string, Habits>> = {
  mastodon: { prior: -3, fields: {} },
  instagram: { prior: -3, fields: {} },
  sno: {
    prior: -4,
    fields: {
      tickTock: [[0, 0, 97]],
      metabyte: [[0, 0, 50]],
      sequence: [
        [0, 63, 50],
        [64, 4095, 30],
      ],
    },
  },
  // For queries, people use the first and the last ID of a time.
  "ulid-flake": { prior: -6, fields: { randomness: [[0, 0, 0.1]] } },
  "ulid-flake-scalable": { prior: -11, fields: { scalability: [[0, 7, 70]] } },
};

/**
 * Nothing is known about a declared format. Every time up to today is equally likely, and small
 * numbers are likelier than large ones.
 */
const unknown = ({ layout }: AnyFormat): Habits => ({
  prior: 0,
  fields: Object.fromEntries(layout.fields.map(({ name }) => [name, [[0, 0, 40]]])),
});

export const habitsOf = (format: AnyFormat, own: boolean): Habits =>
  (own ? undefined : (HABITS[format.name] ?? OTHERS[format.name])) ?? unknown(format);

export const yearsOf = ({ name, epoch }: AnyFormat, own: boolean): Years =>
  (own ? undefined : YEARS[name]) ?? [[yearOf(epoch), 1]];
