/**
 * The facts of every format, from the package itself. For a format that the user declares, these
 * are the facts of an example.
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
  /** The lengths of the shortest and the longest text. */
  readonly characters: readonly [number, number];
  /** Whether texts sort as the IDs do, because all of them have the same length. */
  readonly sorts: boolean;
  /**
   * The number of machines that can have different numbers; 1 if the format has no field for it.
   */
  readonly machines: number;
  readonly perSecond: number;
  /** Whether it generates fewer IDs than `perSecond`, because its steps are random. */
  readonly random: boolean;
  readonly ownEpoch: boolean;
  /** The years left from now, or from the epoch if the user chooses the epoch. */
  readonly years: number;
  readonly whenBack: string;
  /** An example of an ID, as text. */
  readonly example: string;
}

/** The behaviour of the default policies when the clock goes back. */
const WHEN_BACK: Readonly<Record<string, string>> = {
  throw: "throws",
  wait: "waits",
  hold: "continues at the highest time",
  "tick-tock": "continues at the earlier time, with a bit toggled",
};

/**
 * An ID of the current time, made from its fields. A bit that is unused or toggles is 0, and any
 * other field is a third of its largest value.
 */
function exampleOf(format: AnyFormat, now: number): string {
  const fields = format.layout.fields.slice(1).map(({ name, bits, role }) => {
    const still = role === "unused" || role === "tickTock";
    return [name, still ? 0 : Math.floor(2 ** bits / 3)] as const;
  });
  return format.format(format.compose({ timestamp: now, ...Object.fromEntries(fields) }));
}

/** With random steps of one byte, a millisecond holds about 1/256 of its capacity on average. */
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
