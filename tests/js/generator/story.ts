/** The stories of tests/stories (its README describes their form): what they say, and what they are about. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { snowflake } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import type { AnyFormat } from "../support/any-format.ts";
import { EPOCH, FORMATS, type FormatUnderTest, FULL } from "../support/formats.ts";
import { root } from "../support/places.ts";
import { CALLS, type Call } from "./stage.ts";

export interface Story {
  readonly name: string;
  readonly about?: "sno" | "not sno" | "counters" | "random";
  readonly origin?: "last";
  /** Ticks; the player sets them in the shared state, as there is no option for an interval yet. */
  readonly interval?: readonly [from: number, until: number];
  /** Where a tick of four values starts; the threshold is Snowflake-SI's. */
  readonly sequence?: { readonly start?: string; readonly threshold?: number };
  readonly ahead?: number;
  /** The longest wait: ticks, and milliseconds. */
  readonly wait?: readonly [ticks: number, ms: number];
  readonly under?: string;
  readonly script: string;
  readonly answers: Readonly<Record<string, string>>;
  /** What the pages of www/docs call a tick. */
  readonly words?: Readonly<Record<string, string>>;
}

/** The words of the stories for codes. */
export const WORDS: Readonly<Record<string, string>> = {
  CLOCK_BACKWARDS: "back",
  SEQUENCE_FULL: "full",
  TIME_TAKEN: "taken",
  OUTSIDE_INTERVAL: "outside",
  BEFORE_EPOCH: "before",
  END_OF_LIFE: "ended",
};

/** One word of the answer: a refusal, or consecutive IDs of one tick. */
export interface Heard {
  /** The refusal, or the wait of the first ID. */
  readonly before: string;
  /** The tick, after an @ for a given time; and the tick-tock bit. */
  readonly tick?: string;
  readonly mark?: string;
  readonly first?: number;
  last?: number;
}

export const said = ({ before, tick, mark, first, last }: Heard): string =>
  tick === undefined ? before : `${before}${tick}.${first}${last === first ? "" : `-${last}`}${mark}`;

/** The numbers that are not 0, by name. */
export const nonzero = (numbers: Readonly<Record<string, number>>): string =>
  `(${Object.entries(numbers)
    .filter(([, number]) => number !== 0)
    .map(([name, number]) => `${name}=${number}`)
    .join()})`;

const directory = join(root, "tests", "stories");

/** Each section of stories, by its title. */
export const SECTIONS: ReadonlyMap<string, readonly Story[]> = new Map(
  readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) =>
      Object.entries<readonly Story[]>(JSON.parse(readFileSync(join(directory, name), "utf8"))),
    ),
);

const declared = snowflake({
  epoch: EPOCH,
  tickMs: 20,
  fields: { time: 39, sequence: 2, worker: 10 },
}) as unknown as AnyFormat;

/** The subjects that a story applies to; none if only Rust tells it: merges of random formats. */
export function subjectsOf({ about, interval, sequence, script }: Story): readonly FormatUnderTest[] {
  const [si, own] = ["snowflake-si", "a layout of your own"].map((name) =>
    FORMATS.find((one) => one.name === name),
  ) as [FormatUnderTest, FormatUnderTest];
  if (sequence !== undefined) {
    const widths = { clockBits: 41, machineBits: 10, sequenceBits: 2 } as const;
    const format = snowflakeSI({ epoch: EPOCH, ...widths }) as unknown as AnyFormat;
    const { start, threshold } = sequence;
    const how = start ? { sequenceStart: start } : { sequenceResetThreshold: threshold };
    const small = [
      { ...si, format, perTick: format.capacity },
      ...(start === undefined ? [] : [{ ...own, format: declared, fixed: { worker: 9 }, perTick: 4 }]),
    ];
    const told = about === "sno" ? FORMATS.filter(({ page }) => page === "sno") : small;
    return told.map((one) => ({ ...one, fixed: { ...one.fixed, ...how } }));
  }
  // Generators with a source of randomness of their own are isolated: there is no state to merge into, or to give an interval. Kept
  // counters have their own stories of merges.
  const isMerged = script.includes("merge");
  const isShared = isMerged || interval !== undefined;
  return FORMATS.filter(
    (subject) =>
      !(isShared && subject.isRandom) &&
      !(isMerged && subject.fixed.sequenceStart !== undefined) &&
      {
        all: true,
        sno: subject.page === "sno",
        "not sno": subject.page !== "sno",
        counters: !subject.isRandom,
        random: subject.isRandom,
      }[about ?? "all"],
  );
}

/** Whether one of the patterns of a row covers a policy, and a call. */
const covers = (row: string, policy: string, call: Call): boolean =>
  row.split(" ").some((pattern) => {
    const asked = [...policy.split("/"), call];
    return pattern.split("/").every((part, i) => part === "*" || part === asked[i]);
  });

/** Every combination of policies that a format has. */
const policiesOf = ({ backwards }: FormatUnderTest): string[] =>
  backwards.flatMap((first) => FULL.map((second) => `${first}/${second}`));

/** How many values a subject uses up for a story, more or less. Those of given times take as long as 20 others. */
const MOST_VALUES = 400_000;
const GIVEN = 20;

/** All that a subject hears of a story: under each policy, by each call; of a subject with a large counter, only some of that. */
export function tellings(
  subject: FormatUnderTest,
  story: Story,
): [policy: string, call: Call, row: string][] {
  const all = policiesOf(subject).flatMap((policy) =>
    CALLS.flatMap((call) => {
      const row = rowOf(story, policy, call);
      return row === undefined ? [] : [[policy, call, row] as [string, Call, string]];
    }),
  );
  const values = all.length * subject.perTick * (story.script.includes("@") ? GIVEN : 1);
  const step = Math.max(1, Math.floor(values / MOST_VALUES));
  return all.filter((_, i) => i % step === 0);
}

/** The policy of a call: a full tick makes only `next` throw, and the other calls wait. */
const policyOf = (policy: string, call: Call): string =>
  call === "next" ? policy : policy.replace("/throw", "/wait");

/** The row of a story for a call under a policy; none if the story is not told there. */
export function rowOf({ answers, under = "*" }: Story, policy: string, call: Call): string | undefined {
  const same = policyOf(policy, call);
  if (!covers(under, policy, call) || !covers(under, same, call)) {
    return undefined;
  }
  const rows = Object.keys(answers).filter((row) => covers(row, same, call));
  if (rows.length !== 1) {
    throw new Error(`rows for ${policy}, ${call}: ${rows.join(" and ")}`);
  }
  return rows[0];
}
