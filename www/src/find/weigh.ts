/** How well a format explains an ID, in bits: the logarithm of the chance that an ID of it is this one. */
import type { AnyFormat, Id } from "../lib/formats.ts";
import { plainName } from "../lib/names.ts";
import { ago } from "../lib/time.ts";
import { DAY_MS } from "../lib/units.ts";
import { HABITS, type Habits, probability } from "./habits.ts";

export interface Evidence {
  /** For (positive) or against, in bits. */
  readonly bits: number;
  readonly reason: string;
}

export interface Weight {
  readonly score: number;
  readonly timestamp: number;
  /** Put into words only when it is shown: a log has many IDs. */
  evidence(title: string): readonly Evidence[];
}

/** Clocks differ: a time may lie so far in the future. */
const AHEAD = DAY_MS;
/** A time when no ID was made, in bits: a wrong clock, or a wrong format. */
const NEVER = -14;
/** A field that is so much likelier, or less likely, than a random one is worth a word. */
const TELLING = 0.5;

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** A time in a sentence: "14 March 2022, 4 years ago". */
export const when = (timestamp: number, now: number): string =>
  `${day.format(timestamp)}, ${ago(timestamp, now)}`;

/** The share of a format's IDs that were made in one millisecond at a time; 0 for a time without any. */
function density({ years }: Habits, timestamp: number, now: number): number {
  const end = now + AHEAD;
  let total = 0;
  let here = 0;
  for (let index = 0; index < years.length; index += 1) {
    const [from, weight] = years[index] as Habits["years"][number];
    const until = Math.min(years[index + 1]?.[0] ?? end, end);
    total += weight * Math.max(0, until - from);
    if (timestamp >= from && timestamp < until) here = weight;
  }
  return total === 0 ? 0 : here / total;
}

function timeEvidence(known: boolean, timestamp: number, now: number): Evidence {
  const said = `Its time is ${when(timestamp, now)}`;
  if (known) return { bits: 2, reason: `${said}.` };
  const why = timestamp > now ? "in the future" : "before there were such IDs";
  return { bits: NEVER, reason: `${said}: ${why}.` };
}

/** A field, its value, and how much likelier it is than a random one, in bits. */
type Field = readonly [name: string, value: number, surprise: number];

const list = new Intl.ListFormat("en-GB");

/** One sentence for the fields that speak for a format, one for those that speak against it. */
function fieldEvidence(title: string, fields: readonly Field[]): Evidence[] {
  const sentence = (chosen: readonly Field[], what: string): Evidence[] => {
    const names = list.format(chosen.map(([name, value]) => `${plainName(name)} ${value}`));
    const reason = `${names} ${chosen.length === 1 ? "is" : "are"} ${what} for ${title}.`;
    const bits = chosen.reduce((sum, [, , surprise]) => sum + surprise, 0);
    return chosen.length === 0
      ? []
      : [{ bits, reason: reason.replace(/^./, (letter) => letter.toUpperCase()) }];
  };
  return [
    ...sentence(
      fields.filter(([, , surprise]) => surprise > TELLING),
      "usual",
    ),
    ...sentence(
      fields.filter(([, , surprise]) => surprise < -TELLING),
      "unusual",
    ),
  ];
}

/** Of a format of the user's own nothing is known: any time up to today is as good, and small numbers are likelier. */
const unknown = ({ epoch, layout }: AnyFormat): Habits => ({
  prior: 0,
  years: [[epoch, 1]],
  fields: Object.fromEntries(
    layout.fields.slice(1).map(({ name, bits }) => [
      name,
      [
        [0, 0, 0.4],
        [0, 2 ** bits - 1, 0.6],
      ],
    ]),
  ),
});

export function weigh(format: AnyFormat, id: Id, own: boolean, now: number): Weight {
  const habits = (own ? undefined : HABITS[format.name]) ?? unknown(format);
  const { tickMs, fields } = format.layout;
  const inspection = format.inspect(id);
  const { timestamp } = inspection;
  const share = density(habits, timestamp, now);
  let score = habits.prior + (share > 0 ? Math.log2(share * tickMs) : NEVER - (fields[0]?.bits ?? 0));
  const telling: Field[] = [];
  for (let index = 1; index < fields.length; index += 1) {
    const { name, bits } = fields[index] as (typeof fields)[number];
    const habit = habits.fields[name];
    const shares = typeof habit === "function" ? habit(timestamp) : habit;
    if (shares === undefined) {
      score -= bits;
      continue;
    }
    const value = inspection[name] as number;
    const chance = Math.log2(probability(shares, value));
    score += chance;
    telling.push([name, value, chance + bits]);
  }
  const evidence = (title: string): Evidence[] => [
    timeEvidence(share > 0, timestamp, now),
    ...fieldEvidence(title, telling),
  ];
  return { score, timestamp, evidence };
}
