/**
 * Scores how well a format explains an ID, and puts the reasons into words. Fields count as in the
 * package's `identify`, which does not consider when IDs were made.
 */
import type { LayoutField } from "graupel";
import { gainOf, weigh as scoreOf } from "../../../js/habits.ts";
import type { AnyFormat, Id } from "../lib/formats.ts";
import { plainName } from "../lib/names.ts";
import { ago, dayInWords } from "../lib/time.ts";
import { DAY_MS, YEAR_MS } from "../lib/units.ts";
import { habitsOf, yearOf, yearsOf } from "./habits.ts";

export interface Evidence {
  /** Positive if it supports the reading, negative if it contradicts it. */
  readonly bits: number;
  readonly reason: string;
}

export interface Weight {
  readonly score: number;
  readonly timestamp: number;
  /**
   * Writes the sentences. They are created only when they are shown, because a log has many IDs.
   */
  evidence(title: string): readonly Evidence[];
}

/** The score of a time at which no IDs were made, in bits: the clock or the format is wrong. */
const NEVER = -24;
/**
 * A field is mentioned if its score differs from that of a random field by at least this, in bits.
 */
const TELLING = 0.5;

/** A time in a sentence: "2022-03-14, 4 years ago". */
export const when = (timestamp: number, now: number): string =>
  `${dayInWords(timestamp)}, ${ago(timestamp, now)}`;

function timeEvidence(known: boolean, timestamp: number, now: number): Evidence {
  const said = `Its time is ${when(timestamp, now)}`;
  if (known) return { bits: 2, reason: `${said}.` };
  const why = timestamp > now ? "in the future" : "before such IDs existed";
  return { bits: NEVER, reason: `${said}: ${why}.` };
}

/** A field: its name, its value, and how much likelier the value is than a random one, in bits. */
type Field = readonly [name: string, value: number, gain: number];

const list = new Intl.ListFormat("en-GB");

/**
 * Writes one sentence about the fields that support a format, and one about those that contradict
 * it.
 */
function fieldEvidence(title: string, fields: readonly Field[]): Evidence[] {
  const sentence = (sign: 1 | -1, what: string): Evidence[] => {
    const chosen = fields.filter(([, , gain]) => sign * gain > TELLING);
    const names = list.format(chosen.map(([name, value]) => `${plainName(name)} ${value}`));
    const reason = `${names} ${chosen.length === 1 ? "is" : "are"} ${what} for ${title}.`;
    const bits = chosen.reduce((sum, [, , gain]) => sum + gain, 0);
    return chosen.length === 0
      ? []
      : [{ bits, reason: reason.replace(/^./, (letter) => letter.toUpperCase()) }];
  };
  return [...sentence(1, "usual"), ...sentence(-1, "unusual")];
}

/**
 * The share of a format's IDs that were made in the millisecond of a time; 0 if there were no IDs
 * then.
 */
function density(years: ReturnType<typeof yearsOf>, timestamp: number, now: number): number {
  const [year, end] = [yearOf(timestamp), yearOf(now + DAY_MS)];
  let [all, here] = [0, 0];
  for (const [from, more] of years) {
    all += more * Math.max(0, end - from);
    if (year >= from && year < end) here += more;
  }
  return here === 0 ? 0 : here / all / YEAR_MS;
}

export function weigh(format: AnyFormat, id: Id, own: boolean, now: number): Weight {
  const habits = habitsOf(format, own);
  const { tickMs, fields } = format.layout;
  const inspection = format.inspect(id);
  const { timestamp } = inspection;
  const share = density(yearsOf(format, own), timestamp, now);
  const [time, ...others] = fields as readonly [LayoutField, ...LayoutField[]];
  // The share is for a millisecond, because `scoreOf` accounts for the length of a tick.
  const made = share > 0 ? Math.log2(share) : NEVER - time.bits - Math.log2(tickMs);
  const score = scoreOf(format, inspection, habits) + made;
  const evidence = (title: string): Evidence[] => {
    const told = others.map(({ name, bits }): Field => {
      const value = inspection[name];
      return [name, value, gainOf(habits.fields[name] ?? [], bits, value)];
    });
    return [timeEvidence(share > 0, timestamp, now), ...fieldEvidence(title, told)];
  };
  return { score, timestamp, evidence };
}
