/** What the site knows besides: when IDs of a format were made, and the habits of those that no other service's are taken for. */
import { HABITS, type Habits } from "../../../js/habits.ts";
import type { AnyFormat } from "../lib/formats.ts";

/** From when on how many more were made than until then, beside one another; none before the first. */
type Years = readonly (readonly [from: number, more: number])[];

const year = (number: number, month = 1): number => Date.UTC(number, month - 1, 1);

const YEARS: Readonly<Record<string, Years>> = {
  discord: [
    [year(2015), 2],
    [Date.UTC(2015, 4, 13), 6],
    [year(2016), 12],
    [year(2017), 10],
    [year(2018), 20],
    [year(2019), 20],
    [year(2020), 30],
  ],
  twitter: [
    [year(2010, 11), 2],
    [year(2011), 3],
    [year(2012), 5],
  ],
  mastodon: [
    [year(2016, 3), 5],
    [year(2017, 4), 25],
    [year(2022), 70],
  ],
  instagram: [
    [Date.UTC(2011, 7, 24), 2],
    [year(2013), 8],
  ],
  sno: [
    [year(2010), 2],
    [year(2019, 6), 98],
  ],
};

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
  // The bounds of a time, for queries.
  "ulid-flake": { prior: -6, fields: { randomness: [[0, 0, 0.1]] } },
  "ulid-flake-scalable": { prior: -11, fields: { scalability: [[0, 7, 70]] } },
};

/** Of a format of the user's own nothing is known: any time up to today is as good, and small numbers are likelier. */
const unknown = ({ layout }: AnyFormat): Habits => ({
  prior: 0,
  fields: Object.fromEntries(layout.fields.slice(1).map(({ name }) => [name, [[0, 0, 40]]])),
});

export const habitsOf = (format: AnyFormat, own: boolean): Habits =>
  (own ? undefined : (HABITS[format.name] ?? OTHERS[format.name])) ?? unknown(format);

export const yearsOf = ({ name, epoch }: AnyFormat, own: boolean): Years =>
  (own ? undefined : YEARS[name]) ?? [[epoch, 1]];
