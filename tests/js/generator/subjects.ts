// The subjects of the stories: every format, with fixed fields, a way to fill a tick, and its page.
import { snowflake } from "graupel/snowflake";
import type { AnyFormat } from "../support/any-format.ts";
import { ROWS, rowOf } from "../support/formats.ts";
import { type FormatFacts, facts } from "../support/make.ts";
import { EPOCH, formatOf, type Row } from "../support/row.ts";

export const BACKWARDS = ["throw", "wait", "hold", "tick-tock"] as const;
export const FULL = ["throw", "wait", "borrow"] as const;

/** The option of a generator with a name. */
export const optionOf = ({ options }: FormatFacts, name: string) =>
  options.find((option) => option.name === name);

/** Its words. */
const wordsOf = (facts: FormatFacts, name: string) => optionOf(facts, name)?.words ?? [];

export type Backwards = (typeof BACKWARDS)[number];
export type Full = (typeof FULL)[number];

/** A tick with room for thousands of IDs, or one that few IDs fill. */
export type Room = "roomy" | "scarce";

export interface Subject {
  readonly name: string;
  readonly facts: FormatFacts;
  readonly page: string;
  readonly format: AnyFormat;
  /** The fixed fields, and other options of the subject. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** The values that `clockBackwards` can have. */
  readonly backwards: readonly Backwards[];
  /** The field that distinguishes the IDs of one tick. */
  readonly counts: string;
  /** How many IDs fill a scarce tick, and their first value. */
  readonly perTick: number;
  readonly first: number;
  /** Options for the room that a story asks for. */
  room(room: Room): Readonly<Record<string, unknown>>;
}

/** A scarce tick: four IDs for sno; one for random formats, because every draw is the largest. */
function scarcity({ page, random }: Row): Partial<Subject> {
  if (page === "sno") {
    const bounds = { sequenceMin: 100, sequenceMax: 103 };
    return {
      perTick: 4,
      first: 100,
      room: (room) => (room === "scarce" ? bounds : {}),
    };
  }
  if (random === undefined) {
    return {};
  }
  // A start of 0, by bits that the randomness does not have, so that the source does not seem to give only zeros.
  const source = (room: Room) => (bytes: Uint8Array) => {
    bytes.fill(room === "scarce" ? 255 : 0);
    bytes[0] = room === "scarce" ? 255 : bytes.length === 1 ? 1 : 0x80;
  };
  return { perTick: 1, room: (room) => ({ random: source(room) }) };
}

function subjectOf(row: Row): Subject {
  const format = formatOf(row);
  const { name, facts, page, fixed, counts } = row;
  const backwards = wordsOf(facts, "clockBackwards") as readonly Backwards[];
  const usual = { backwards, perTick: format.capacity, first: 0, room: () => ({}) };
  return { name, facts, page, format, fixed, counts, ...usual, ...scarcity(row) };
}

const own: Row = {
  ...rowOf("twitter"),
  name: "a layout of your own",
  facts: facts.snowflake,
  format: snowflake({
    epoch: EPOCH,
    tickMs: 5,
    fields: { time: 39, region: 4, worker: 6, sequence: 8 },
  }),
  fixed: { region: 3, worker: 9 },
};
const si = subjectOf(rowOf("snowflake-si"));
const keep: Subject = {
  ...si,
  name: "snowflake-si, keep",
  fixed: { ...si.fixed, onNewMillisecond: "keep" },
};

export const SUBJECTS: readonly Subject[] = [...[...ROWS, own].map(subjectOf), keep];

export function subject(name: string): Subject {
  const found = SUBJECTS.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`no subject ${name}`);
  }
  return found;
}
