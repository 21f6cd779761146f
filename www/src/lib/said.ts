/** The labels of the formats' options, by name. Numbers and words come from the facts. */
// From the sources: the package is not installed where tests/js reads this file.
import type { OptionFacts } from "../../../js/facts.ts";

/** A setting without its name and kind. */
export interface Said {
  readonly label: string;
  readonly hint?: string;
  /** Of a word: the values, with words for each. An empty value leaves the option out. */
  readonly words?: readonly (readonly [string, string])[];
  /** The initial text of the input. */
  readonly preset?: string;
  /** Rarely needed. */
  readonly rare?: true;
}

const day = (ms: unknown): string => new Date(Number(ms)).toISOString().slice(0, 10);

/** An option that is rarely needed. `unit`: of its number. */
const rare =
  (label: string, unit = "") =>
  ({ default: absent }: OptionFacts): Said => ({
    label,
    hint: unit === "" ? `Empty: ${absent}` : `${unit}; empty: ${absent}`,
    rare: true,
  });

/** An option with words, which is rarely needed. `said`: the words that are not said with an "s". */
const choice =
  (label: string, said: Readonly<Record<string, string>>) =>
  ({ words, default: absent }: OptionFacts): Said => ({
    label,
    rare: true,
    words: (words ?? []).map((word) => [word === absent ? "" : word, said[word] ?? `${word}s`]),
  });

/** The labels of an option; the rest follows from its facts. */
export const SAID: Readonly<Record<string, (option: OptionFacts) => Said>> = {
  epoch: ({ required, default: absent }) =>
    required
      ? { label: "Epoch", hint: "Date in UTC, or Unix ms", preset: "2025-01-01" }
      : { label: "Epoch", hint: `Empty: ${day(absent)}`, preset: "", rare: true },
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
    hint: `${min} to ${max}; empty: the rest, or ${absent}`,
  }),
  sequenceBits: ({ min, max }) => ({ label: "Sequence bits", hint: `${min} to ${max}; empty: the rest` }),
  sequenceMin: rare("Lowest sequence"),
  sequenceMax: rare("Highest sequence"),
  sequenceStart: choice("Sequence starts", { lowest: "at the lowest", random: "at random" }),
  sequenceResetThreshold: rare("Reset threshold"),
  entropySize: rare("Random step", "Bytes"),
};
