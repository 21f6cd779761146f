// The policy tables of the pages. This file does not know the rules: a cell shows the answer of a
// story, which generator/clock-stories.test.ts compares with the package. If the answers for a cell
// differ, this throws an error instead of writing a table.

import { CALLS, type Call } from "../generator/stage.ts";
import { rowOf, SECTIONS, type Story } from "../generator/story.ts";
import {
  BACKWARDS,
  type Backwards,
  type FormatUnderTest,
  FULL,
  type Full,
  optionOf,
} from "../support/formats.ts";
import { table } from "./facts.ts";

/** The stories of a cell. */
interface Where {
  readonly clockBackwards?: Backwards;
  readonly sequenceFull?: Full;
  readonly call?: "next" | "others";
}

const section = (title: string): readonly Story[] => {
  const stories = SECTIONS.get(title);
  if (stories === undefined) {
    throw new Error(`no stories of ${title}`);
  }
  return stories;
};
const STEPS = section("a step back, its size and the bounds of waits");
const FULL_TICKS = section("a full tick, and the bounds of waits");
const SECOND_STEPS = section("a second step back");
const PLACES = [
  ...FULL_TICKS,
  ...SECOND_STEPS,
  ...section("a clock that stands still during the wait"),
  ...section("the ends of a format's life"),
];

function named(name: string): Story {
  const story = PLACES.find((one) => one.name === name);
  if (story === undefined) {
    throw new Error(`no story of ${name}`);
  }
  return story;
}

/** The answers to a story under the policies of a page. */
function answersOf(story: Story, backwards: readonly Backwards[], where: Where): ReadonlySet<string> {
  const answers = new Set<string>();
  for (const first of backwards.filter((one) => one === (where.clockBackwards ?? one))) {
    for (const second of FULL.filter((one) => one === (where.sequenceFull ?? one))) {
      const isAsked = (call: Call) =>
        where.call === undefined || (call === "next") === (where.call === "next");
      for (const call of CALLS.filter(isAsked)) {
        const row = rowOf(story, `${first}/${second}`, call);
        if (row !== undefined) {
          answers.add(story.answers[row] as string);
        }
      }
    }
  }
  return answers;
}

/** The outcome of a story's last call, which must be the same in all answers. */
function common(story: Story, backwards: readonly Backwards[], where: Where): string {
  const [words, ...others] = new Set(
    [...answersOf(story, backwards, where)].map((one) => inWords(one, story)),
  );
  if (words === undefined || others.length > 0) {
    const seen = words === undefined ? "nothing" : [words, ...others].join(" and ");
    throw new Error(`${story.name}, ${JSON.stringify(where)}: seen ${seen}`);
  }
  return words;
}

const CODES: Readonly<Record<string, string>> = {
  back: "CLOCK_BACKWARDS",
  full: "SEQUENCE_FULL",
  before: "BEFORE_EPOCH",
  ended: "END_OF_LIFE",
  stuck: "CLOCK_STUCK",
};

/** One word of an answer. */
const WORD =
  /^(?:(?<cause>\w+)~(?<until>-?\d+))?(?<goes>=)?(?:(?<code>[a-z]+)|(?<tick>-?\d+)\.\d+(?<more>-\d+)?(?<mark>')?)?$/;

/** The end of an answer in words. */
function inWords(answer: string, { name, script, words = {} }: Story): string {
  const parts = answer.split(" ").map((word) => WORD.exec(word)?.groups ?? {});
  const { cause, until, goes, code, tick, more, mark } = parts.at(-1) ?? {};
  if (code === "stuck") {
    return "throws `CLOCK_STUCK` after a wait";
  }
  // If this ID follows the previous one, both are in the same word.
  const before =
    (more === undefined
      ? parts
          .slice(0, -1)
          .filter((part) => part.tick)
          .at(-1)
      : undefined) ?? parts.at(-1);
  const highest = Number(before?.tick);
  const reading = Number.parseInt(script.split(" ").at(-1) as string, 10);
  const target = (ticks: number) =>
    words[ticks] ??
    (ticks === highest ? "the highest reading" : ticks === highest + 1 ? "the next tick" : undefined);
  const waited = goes === undefined ? undefined : Number(until);
  const refusal = code ?? (goes === undefined ? cause : undefined);
  const issued = Number(tick);
  const place =
    issued === highest
      ? "the highest tick"
      : issued === (waited ?? reading)
        ? "the clock's tick"
        : issued === highest + 1
          ? "the next tick"
          : undefined;
  const waits = waited === undefined ? "" : target(waited);
  if ((refusal === undefined && place === undefined) || waits === undefined) {
    throw new Error(`no words for ${answer} in ${name}`);
  }
  const bit = refusal === undefined && mark !== before?.mark ? ", with the tick-tock bit toggled" : "";
  const where = issued === waited ? "there" : `in ${place}`;
  const what = refusal === undefined ? `continues ${where}${bit}` : `throws \`${CODES[refusal]}\``;
  return waits === "" ? what : `waits for ${waits}, then ${what}`;
}

const apart = (next = "", others = ""): string =>
  next === others ? next : `${next}; \`nextMany\` and \`nextAsync\`: ${others}`;

/** The words for `next`, and for the other two calls if they differ. */
function byCall(story: Story, backwards: readonly Backwards[], where: Where): string {
  const [next, others] = (["next", "others"] as const).map((call) =>
    common(story, backwards, { ...where, call }),
  );
  return apart(next, others);
}

/** The size of a step back, in terms of the options. */
const size = (step: Story): string => step.name.replace(/max\w+/g, (option) => `\`${option}\``);

/** The steps back in order of size, grouped by equal words, with the largest step of each group. */
function steps(policy: Backwards): { words: string; upTo: Story }[] {
  const groups: { words: string; upTo: Story }[] = [];
  for (const step of STEPS) {
    const words = common(step, [policy], {});
    const last = groups.at(-1);
    if (last?.words === words) {
      last.upTo = step;
    } else {
      groups.push({ words, upTo: step });
    }
  }
  return groups;
}

function stepCells(policy: Backwards): [small: string, large: string] {
  const [first, ...rest] = steps(policy);
  if (rest.length === 0) {
    return [first?.words ?? "", "the same"];
  }
  const large = rest.map(({ words, upTo }, i) =>
    i < rest.length - 1 ? `up to ${size(upTo)}: ${words}; beyond: ` : words,
  );
  return [`up to ${size(first?.upTo as Story)}: ${first?.words}`, large.join("")];
}

/** The longest wait of a call in these stories, in words. */
function longest(stories: readonly Story[], backwards: readonly Backwards[], where: Where): string {
  const answers = stories.flatMap((story) => [...answersOf(story, backwards, where)]);
  return answers.some((answer) => answer.includes("=")) ? "`maxWaitMs`" : "does not wait";
}

type Row = readonly string[];

function heads<P extends string>(
  option: "clockBackwards" | "sequenceFull",
  policies: readonly P[],
  subjects: readonly FormatUnderTest[],
): Row {
  const own = new Map<string, string[]>();
  for (const subject of subjects) {
    const policy = String(optionOf(subject.facts, option)?.default);
    own.set(policy, [...(own.get(policy) ?? []), subject.name]);
  }
  const cells = policies.map((policy) => {
    const names = own.get(policy);
    const of =
      names === undefined ? "" : own.size === 1 ? ", the default" : `, the default of ${names.join(", ")}`;
    return `\`"${policy}"\`${of}`;
  });
  return [`\`${option}\``, ...cells];
}

/** Both tables of a page. */
export function policyTables(subjects: readonly FormatUnderTest[]): string {
  const backwards = BACKWARDS.filter((policy) => subjects.every((one) => one.backwards.includes(policy)));
  const spent = backwards.includes("tick-tock");
  const row = (name: string, cell: (policy: Backwards) => string): Row => [name, ...backwards.map(cell)];
  const at = (name: string) => (policy: Backwards) => common(named(name), [policy], {});
  const first = table(heads("clockBackwards", backwards, subjects), [
    row("small step back", (policy) => stepCells(policy)[0]),
    row("large step back", (policy) => stepCells(policy)[1]),
    ...(spent
      ? [
          row("a second step back, into a time used twice", at("into the spent period")),
          row("the same, from a later time", at("to its last tick, from past it")),
        ]
      : []),
    row("one tick back, then the clock stands still", at("one tick back, then frozen")),
    row("before the epoch", at("before the epoch")),
    row("past the last tick", at("past the last tick")),
    row("longest wait", (policy) => longest([...STEPS, ...(spent ? SECOND_STEPS : [])], [policy], {})),
  ]);
  const fullRow = (name: string, cell: (policy: Full) => string): Row => [name, ...FULL.map(cell)];
  const full = (name: string) => (sequenceFull: Full) => byCall(named(name), backwards, { sequenceFull });
  const further = (sequenceFull: Full, name: string) =>
    sequenceFull === "borrow"
      ? `; \`maxAheadMs\` ahead of the clock: ${byCall(named(name), backwards, { sequenceFull })}`
      : "";
  const second = table(heads("sequenceFull", FULL, subjects), [
    fullRow(
      "sequence full",
      (policy) => full("sequence full")(policy) + further(policy, "full past maxAheadMs"),
    ),
    fullRow(
      "the same, the next tick further away than `maxWaitMs`",
      (policy) =>
        full("sequence full, maxWaitMs 0")(policy) + further(policy, "full past maxAheadMs, maxWaitMs 0"),
    ),
    fullRow(
      "the same, while the clock stands still",
      (policy) =>
        full("sequence full, then frozen")(policy) + further(policy, "full past maxAheadMs, then frozen"),
    ),
    fullRow("sequence full in the last tick", full("the last tick full")),
    fullRow("before the epoch", full("before the epoch")),
    fullRow("past the last tick", full("past the last tick")),
    fullRow("longest wait", (sequenceFull) => {
      const [next, others] = (["next", "others"] as const).map((call) =>
        longest(FULL_TICKS, backwards, { sequenceFull, call }),
      );
      return apart(next, others);
    }),
  ]);
  return `${first}\n\n${second}`;
}
