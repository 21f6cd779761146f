/**
 * The facts of every format, from the package itself. For declared formats, they are those of an
 * example.
 */
import type { AnyFormat } from "../lib/formats.ts";
import { fixedFields, makeFormat, OFFERED, type OfferedFormat } from "../lib/offered.ts";
import { YEAR_MS } from "../lib/units.ts";

export interface Facts {
  readonly offered: OfferedFormat;
  readonly format: AnyFormat;
  readonly bits: number;
  /** The type of what `next()` returns. */
  readonly type: string;
  /** The shortest and the longest text. */
  readonly characters: readonly [number, number];
  /** Whether texts sort as the IDs do: they are all of one length. */
  readonly sorts: boolean;
  /** How many machines can have different numbers. 1: there is no field for it. */
  readonly machines: number;
  readonly perSecond: number;
  /** Whether it generates fewer IDs than that, because its steps are random. */
  readonly random: boolean;
  readonly ownEpoch: boolean;
  /** From now on; from the epoch on, if that is the user's own. */
  readonly years: number;
  readonly whenBack: string;
  /** An ID, as text. */
  readonly example: string;
}

/** What the default policies do when the clock goes back. */
const WHEN_BACK: Readonly<Record<string, string>> = {
  throw: "throws",
  wait: "waits",
  hold: "continues in the highest time",
  "tick-tock": "continues in the earlier time, with a bit toggled",
};

/**
 * An ID of the current time, by its fields. Each other field is a third of its largest value; a bit
 * that is unused or toggled is 0.
 */
function exampleOf(format: AnyFormat, now: number): string {
  const fields = format.layout.fields.slice(1).map(({ name, bits, role }) => {
    const still = role === "unused" || role === "tickTock";
    return [name, still ? 0 : Math.floor(2 ** bits / 3)] as const;
  });
  return format.format(format.compose({ timestamp: now, ...Object.fromEntries(fields) }));
}

/** On average, random steps of one byte use up a millisecond after a 256th of its capacity. */
const RANDOM = 256;

function factsOf(offered: OfferedFormat, now: number): Facts {
  const format = makeFormat(offered, {});
  const { layout, capacity, endOfLife, epoch } = format;
  const { text, id, options, fields } = offered.facts;
  const random = fields?.some(({ role }) => role === "random") ?? false;
  const policy = options.find(({ name }) => name === "clockBackwards")?.default;
  const ownEpoch = offered.facts.epoch === null;
  return {
    offered,
    format,
    bits: layout.bits,
    type: id.type,
    characters: [text.shortest, text.longest],
    sorts: text.shortest === text.longest,
    machines: fixedFields(format).reduce((product, { bits }) => product * 2 ** bits, 1),
    perSecond: (capacity * 1000) / layout.tickMs / (random ? RANDOM : 1),
    random,
    ownEpoch,
    years: (endOfLife - (ownEpoch ? epoch : now)) / YEAR_MS,
    whenBack: WHEN_BACK[String(policy)] ?? String(policy),
    example: exampleOf(format, now),
  };
}

/** The facts of all formats. */
export const allFacts = (now: number): Facts[] => OFFERED.map((offered) => factsOf(offered, now));
