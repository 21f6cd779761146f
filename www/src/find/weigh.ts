/** How well a format explains an ID, in bits: the logarithm of the chance that an ID of it is this one. */
import type { AnyFormat, Id } from "../lib/formats.ts";
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
  readonly evidence: readonly Evidence[];
}

/** Clocks differ: a time may lie so far in the future. */
const AHEAD = DAY_MS;
/** A time when no ID was made, in bits: a wrong clock, or a wrong format. */
const NEVER = -14;

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** A time in a sentence: "14 March 2022, 4 years ago". */
export const when = (timestamp: number, now: number): string =>
  `${day.format(timestamp)}, ${ago(timestamp, now)}`;

/** The share of a format's IDs that were made in one millisecond at a time; 0 for a time without any. */
function density({ years }: Habits, timestamp: number, now: number): number {
  const end = now + AHEAD;
  let total = 0;
  let here = 0;
  years.forEach(([from, weight], index) => {
    const until = Math.min(years[index + 1]?.[0] ?? end, end);
    total += weight * Math.max(0, until - from);
    if (timestamp >= from && timestamp < until) here = weight;
  });
  return total === 0 ? 0 : here / total;
}

function timeEvidence(
  format: AnyFormat,
  habits: Habits,
  timestamp: number,
  now: number,
): [bits: number, Evidence] {
  const { tickMs, fields } = format.layout;
  const share = density(habits, timestamp, now);
  const said = `Its time is ${when(timestamp, now)}`;
  if (share > 0) return [Math.log2(share * tickMs), { bits: 2, reason: `${said}.` }];
  const why = timestamp > now ? "in the future" : "before there were such IDs";
  return [NEVER - (fields[0]?.bits ?? 0), { bits: NEVER, reason: `${said}: ${why}.` }];
}

/** The values of the fields below the time, in words. */
const listed = (fields: readonly (readonly [name: string, value: number])[]): string =>
  fields.map(([name, value]) => `${name} ${value}`).join(", ");

/** A name of code in words: "internalWorkerId" is "worker", "sequenceData" is "sequence data". */
const plain = (name: string): string =>
  name
    .replace(/^internal/, "")
    .replace(/(?<=[a-z])Id$/, "")
    .replace(/(?<=[a-z])([A-Z])/g, " $1")
    .toLowerCase();

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

export function weigh(format: AnyFormat, id: Id, title: string, own: boolean, now: number): Weight {
  const habits = (own ? undefined : HABITS[format.name]) ?? unknown(format);
  const inspection = format.inspect(id);
  const { timestamp } = inspection;
  const [timeBits, timeReason] = timeEvidence(format, habits, timestamp, now);
  let score = habits.prior + timeBits;
  let surprise = 0;
  const telling: [string, number][] = [];
  for (const { name, bits } of format.layout.fields.slice(1)) {
    const habit = habits.fields[name];
    const value = inspection[name] as number;
    if (habit === undefined) {
      score -= bits;
      continue;
    }
    const chance = Math.log2(probability(typeof habit === "function" ? habit(timestamp) : habit, value));
    score += chance;
    surprise += chance + bits;
    telling.push([plain(name), value]);
  }
  const evidence = [timeReason];
  if (telling.length > 0 && surprise > 3)
    evidence.push({
      bits: surprise,
      reason: `Its fields are as those of ${title} mostly are: ${listed(telling)}.`,
    });
  if (telling.length > 0 && surprise < -3)
    evidence.push({ bits: surprise, reason: `Its fields are unusual for ${title}: ${listed(telling)}.` });
  return { score, timestamp, evidence };
}
