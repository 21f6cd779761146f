/**
 * The stories in tests/stories (its README describes their form): their contents, and the formats
 * that they apply to.
 */
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
  /** In ticks. The player sets it in the shared state, because no option sets an interval yet. */
  readonly interval?: readonly [from: number, until: number];
  /** Where a tick of four values starts. The threshold applies to Snowflake-SI. */
  readonly sequence?: { readonly start?: string; readonly threshold?: number };
  readonly ahead?: number;
  /** The maximum wait, as a number of ticks plus milliseconds. */
  readonly wait?: readonly [ticks: number, ms: number];
  readonly under?: string;
  readonly script: string;
  readonly answers: Readonly<Record<string, string>>;
  /** The words for ticks in the pages of www/docs. */
  readonly words?: Readonly<Record<string, string>>;
}

/** The stories' words for error codes. */
export const WORDS: Readonly<Record<string, string>> = {
  CLOCK_BACKWARDS: "back",
  SEQUENCE_FULL: "full",
  TIME_TAKEN: "taken",
  OUTSIDE_INTERVAL: "outside",
  BEFORE_EPOCH: "before",
  END_OF_LIFE: "ended",
};

/** One word of the answer: an error, or consecutive IDs of one tick. */
export interface Heard {
  /** The error, or the wait before the first ID. */
  readonly before: string;
  /** The tick, after an @ if the time was given; and the tick-tock bit. */
  readonly tick?: string;
  readonly mark?: string;
  readonly first?: number;
  last?: number;
}

export const said = ({ before, tick, mark, first, last }: Heard): string =>
  tick === undefined ? before : `${before}${tick}.${first}${last === first ? "" : `-${last}`}${mark}`;

/** The nonzero numbers, by name. */
export const nonzero = (numbers: Readonly<Record<string, number>>): string =>
  `(${Object.entries(numbers)
    .filter(([, number]) => number !== 0)
    .map(([name, number]) => `${name}=${number}`)
    .join()})`;

const directory = join(root, "tests", "stories");

/** The sections of stories, by title. */
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

/** The formats that a story applies to; none if only Rust plays it (merges of random formats). */
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
  // Generators with their own source of randomness are isolated: they have no state to merge into
  // or to set an interval in. Kept counters have their own stories of merges.
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

/** Whether one of a row's patterns matches a policy and a call. */
const covers = (row: string, policy: string, call: Call): boolean =>
  row.split(" ").some((pattern) => {
    const asked = [...policy.split("/"), call];
    return pattern.split("/").every((part, i) => part === "*" || part === asked[i]);
  });

/** Every combination of policies that a format supports. */
const policiesOf = ({ backwards }: FormatUnderTest): string[] =>
  backwards.flatMap((first) => FULL.map((second) => `${first}/${second}`));

/** The formats that play every combination. The others share their code, and each plays a part. */
const WHOLE = ["sno", "snowflake-si", "snowflake-si, continue", "ulid-flake"];
const PART = 5;

/**
 * The approximate maximum number of values that a format uses up for a story. A value for a given
 * time takes as long as 20 others.
 */
const MOST_VALUES = 100_000;
const GIVEN = 20;

/** The combinations of policy and call to play for a format. */
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
  const isWhole = story.sequence !== undefined || WHOLE.includes(subject.name);
  const values = all.length * subject.perTick * (story.script.includes("@") ? GIVEN : 1);
  const step = Math.max(isWhole ? 1 : PART, Math.floor(values / MOST_VALUES));
  // Each format begins with another combination.
  return all.filter((_, i) => (i + subject.name.length) % step === 0);
}

/**
 * The policy of a call. With "throw", a full tick makes only `next` throw; the other calls wait.
 */
const policyOf = (policy: string, call: Call): string =>
  call === "next" ? policy : policy.replace("/throw", "/wait");

/** The row of a story for a call under a policy; undefined if the story does not apply to them. */
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
