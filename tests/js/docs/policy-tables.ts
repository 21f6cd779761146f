// The policy tables of the pages. This file does not know the rules: a cell says what the package did in the stories. If stories
// that share a cell differ, there is an error instead of a table.

import type { Sighting } from "../generator/play.ts";
import { type Situation, STEPS } from "../generator/situations.ts";
import {
  BACKWARDS,
  type Backwards,
  FULL,
  type Full,
  optionOf,
  type Room,
  type Subject,
} from "../generator/subjects.ts";

/** The sightings of a cell. */
interface Where {
  readonly clockBackwards?: Backwards;
  readonly sequenceFull?: Full;
  readonly call?: "next" | "others";
}

const those = (
  sightings: readonly Sighting[],
  { clockBackwards, sequenceFull, call }: Where,
): readonly Sighting[] =>
  sightings.filter(
    (one) =>
      one.clockBackwards === (clockBackwards ?? one.clockBackwards) &&
      one.sequenceFull === (sequenceFull ?? one.sequenceFull) &&
      (call === undefined || (one.call === "next") === (call === "next")),
  );

/** The verdict of all sightings of a situation, which must be the same. */
function common(sightings: readonly Sighting[], name: string, where: Where): [string, Situation] {
  const found = those(sightings, where).filter(({ situation }) => situation.name === name);
  const [verdict, ...others] = new Set(found.map((one) => one.found));
  if (verdict === undefined || others.length > 0) {
    const seen = verdict === undefined ? "nothing" : [verdict, ...others].join(" and ");
    throw new Error(`${name}, ${JSON.stringify(where)}: seen ${seen}`);
  }
  return [verdict, found[0]?.situation as Situation];
}

/** A verdict in words. */
export function inWords(verdict: string, situation: Situation): string {
  const { code, tick, toggled, waited } =
    /^(?:(?<code>[A-Z_]+)|(?<tick>[+-]?\d+)(?<toggled>')?)(?: @(?<waited>[+-]?\d+))?$/.exec(verdict)
      ?.groups ?? {};
  const { highest = 0, tickTock = false, names = {} } = situation;
  if (code === "CLOCK_STUCK") {
    return "`CLOCK_STUCK` 100 ms after `maxWaitMs` of another clock";
  }
  const target = (ticks: number) =>
    names[ticks] ??
    (ticks === highest ? "the highest reading" : ticks === highest + 1 ? "the next tick" : undefined);
  const reading =
    waited === undefined ? (situation.readings[0] as number) - (situation.less ? 1 : 0) : Number(waited);
  const place =
    tick === undefined
      ? undefined
      : Number(tick) === highest
        ? "the tick of the highest reading"
        : Number(tick) === reading
          ? "the tick of the reading"
          : Number(tick) === highest + 1
            ? "the next tick"
            : undefined;
  const waits = waited === undefined ? "" : target(Number(waited));
  if ((code === undefined && place === undefined) || waits === undefined) {
    throw new Error(`no words for ${verdict} in ${situation.name}`);
  }
  const bit =
    tick !== undefined && (toggled !== undefined) !== tickTock ? ", with the tick-tock bit toggled" : "";
  const where = waited !== undefined && waited === tick ? "there" : `in ${place}`;
  const what = code === undefined ? `goes on ${where}${bit}` : `\`${code}\``;
  return waits === "" ? `${what}, at once` : `waits for ${waits}, then ${what}`;
}

const apart = (next = "", others = ""): string =>
  next === others ? next : `${next}; \`nextMany\` and \`nextAsync\`: ${others}`;

/** The words for `next`, and for the other two calls if they differ. */
function byCall(sightings: readonly Sighting[], name: string, where: Where): string {
  const [next, others] = (["next", "others"] as const).map((call) =>
    inWords(...common(sightings, name, { ...where, call })),
  );
  return apart(next, others);
}

/** The size of a step back, in terms of the options. */
const size = (step: Situation): string => step.name.replace(/max\w+/g, (option) => `\`${option}\``);

/** Steps of increasing size with the same verdict: the words, and the largest step. */
function steps(
  sightings: readonly Sighting[],
  clockBackwards: Backwards,
): { words: string; upTo: Situation }[] {
  const groups: { words: string; upTo: Situation }[] = [];
  for (const step of STEPS) {
    const [verdict] = common(sightings, step.name, { clockBackwards });
    const words = inWords(verdict, step);
    const last = groups.at(-1);
    if (last?.words === words) {
      last.upTo = step;
    } else {
      groups.push({ words, upTo: step });
    }
  }
  return groups;
}

function stepCells(
  sightings: readonly Sighting[],
  clockBackwards: Backwards,
): [small: string, large: string] {
  const [first, ...rest] = steps(sightings, clockBackwards);
  if (rest.length === 0) {
    return [first?.words ?? "", "the same"];
  }
  const large = rest.map(({ words, upTo }, i) =>
    i < rest.length - 1 ? `up to ${size(upTo)}: ${words}; beyond: ` : words,
  );
  return [`up to ${size(first?.upTo as Situation)}: ${first?.words}`, large.join("")];
}

/** How long a call can wait in these stories, in words. */
function longest(sightings: readonly Sighting[], room: Room, where: Where): string {
  const waited = those(sightings, where).some(
    ({ situation, found }) => situation.room === room && / @|CLOCK_STUCK/.test(found),
  );
  return waited ? "`maxWaitMs`" : "does not wait";
}

type Row = readonly string[];

const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const FULL_TICK = "sequence full";

function heads<P extends string>(
  option: "clockBackwards" | "sequenceFull",
  policies: readonly P[],
  subjects: readonly Subject[],
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
export function policyTables(subjects: readonly Subject[], all: readonly Sighting[]): string {
  const backwards = BACKWARDS.filter((policy) => subjects.every((one) => one.backwards.includes(policy)));
  const spent = backwards.includes("tick-tock");
  const row = (name: string, cell: (policy: Backwards) => string): Row => [name, ...backwards.map(cell)];
  const at = (situation: string) => (clockBackwards: Backwards) =>
    inWords(...common(all, situation, { clockBackwards }));
  const first = table(heads("clockBackwards", backwards, subjects), [
    row("small step back", (policy) => stepCells(all, policy)[0]),
    row("large step back", (policy) => stepCells(all, policy)[1]),
    ...(spent
      ? [
          row("second step back, into a period used twice", at("second step back: into the spent period")),
          row("the same, from past its end", at("second step back: to its last tick, from past it")),
        ]
      : []),
    row("one tick back, and then the clock stands still", at("one tick back, then frozen")),
    row("before the epoch", at("before the epoch")),
    row("past the last tick", at("past the last tick")),
    row("longest wait", (clockBackwards) => longest(all, "roomy", { clockBackwards })),
  ]);
  const fullRow = (name: string, cell: (policy: Full) => string): Row => [name, ...FULL.map(cell)];
  const full = (situation: string) => (sequenceFull: Full) => byCall(all, situation, { sequenceFull });
  const further = (sequenceFull: Full, situation: string) =>
    sequenceFull === "borrow"
      ? `; \`maxAheadMs\` ahead of the clock: ${byCall(all, situation, { sequenceFull })}`
      : "";
  const second = table(heads("sequenceFull", FULL, subjects), [
    fullRow("sequence full", (policy) => full(FULL_TICK)(policy) + further(policy, "full past maxAheadMs")),
    fullRow(
      "the same, and the next tick is further away than `maxWaitMs`",
      (policy) =>
        full("sequence full, maxWaitMs 0")(policy) + further(policy, "full past maxAheadMs, maxWaitMs 0"),
    ),
    fullRow(
      "the same, and the clock stands still",
      (policy) =>
        full("sequence full, then frozen")(policy) + further(policy, "full past maxAheadMs, then frozen"),
    ),
    fullRow("sequence full in the last tick", full("the last tick full")),
    fullRow("before the epoch", full("before the epoch")),
    fullRow("past the last tick", full("past the last tick")),
    fullRow("longest wait", (sequenceFull) => {
      const [next, others] = (["next", "others"] as const).map((call) =>
        longest(all, "scarce", { sequenceFull, clockBackwards: "throw", call }),
      );
      return apart(next, others);
    }),
  ]);
  return `${first}\n\n${second}`;
}
