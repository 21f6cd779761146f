/** The labels of the formats' options, by name. Numbers and words come from the package's facts. */
// Import the sources: the package is not installed where tests/js reads this file.
import type { OptionFacts } from "../../../js/facts.ts";

/** A setting without its name and kind. */
export interface Said {
  readonly label: string;
  readonly hint?: string;
  /**
   * The possible values, each with its label, if the option is a word. An empty value leaves the
   * option out.
   */
  readonly words?: readonly (readonly [string, string])[];
  /** The initial text of the input. */
  readonly preset?: string;
  /** Whether the option is rarely needed. */
  readonly rare?: true;
}

const day = (ms: unknown): string => new Date(Number(ms)).toISOString().slice(0, 10);

/** A rarely needed option. `unit`: the unit, if it is a number. */
const rare =
  (label: string, unit = "") =>
  ({ default: absent }: OptionFacts): Said => ({
    label,
    hint: unit === "" ? `Empty: ${absent}` : `${unit}; empty: ${absent}`,
    rare: true,
  });

/**
 * A rarely needed option whose value is a word. `said`: the labels of words that do not just get an
 * "s".
 */
const choice =
  (label: string, said: Readonly<Record<string, string>>) =>
  ({ words, default: absent }: OptionFacts): Said => ({
    label,
    rare: true,
    words: (words ?? []).map((word) => [word === absent ? "" : word, said[word] ?? `${word}s`]),
  });

/** The labels of an option. Everything else follows from the option's facts. */
export const SAID: Readonly<Record<string, (option: OptionFacts) => Said>> = {
  epoch: ({ required, default: absent }) =>
    required
      ? { label: "Epoch", hint: "Date in UTC, or Unix ms", preset: "2025-01-01" }
      : { label: "Epoch", hint: `If empty: ${day(absent)}`, preset: "", rare: true },
  layout: ({ words }) => ({
    label: "Layout",
    words: [["", "as specified"], ...(words ?? []).map((word) => [word, word] as const)],
  }),
  fields: () => ({
    label: "Fields, high to low",
    hint: "Names and bits",
    preset: "time:41,worker:10,sequence:12",
  }),
  tickMs: ({ default: absent }) => ({ label: "Tick", hint: `Milliseconds; empty: ${absent}` }),
  sequenceField: ({ default: absent }) => ({
    label: "Field that counts",
    hint: `Empty: ${absent}`,
    rare: true,
  }),
  ids: choice("IDs", { unsigned: "unsigned bigints", number: "safe numbers" }),
  clockBits: ({ min, max, default: absent }) => ({
    label: "Clock bits",
    hint: `${min} or ${max}; empty: ${absent}`,
  }),
  machineBits: ({ min, max, default: absent }) => ({
    label: "Machine bits",
    hint: `${min} to ${max}; if empty: the rest, or ${absent}`,
  }),
  sequenceBits: ({ min, max }) => ({ label: "Sequence bits", hint: `${min} to ${max}; if empty: the rest` }),
  sequenceMin: rare("Lowest sequence"),
  sequenceMax: rare("Highest sequence"),
  sequenceStart: choice("Sequence starts", { lowest: "at the lowest", random: "at random" }),
  sequenceResetThreshold: rare("Reset threshold"),
  entropySize: rare("Random step", "Bytes"),
};
