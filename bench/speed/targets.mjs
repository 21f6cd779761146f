// The targets, as lines: a figure, its bound, and whether it is reached. A missed target is reported, and is no error:
// figures depend on the machine.

import { D } from "./floors.mjs";
import { formats, METABYTES, someOf } from "./formats.mjs";
import { leased } from "./leased.mjs";
import { peers } from "./peers.mjs";
import { sorts } from "./sorted.mjs";
import { ratio, spread } from "./statistics.mjs";
import { MAP_KEY, TO_BUFFER } from "./uses.mjs";
import { isTarget } from "./words.mjs";

/** A unit: the format's own `next()`. */
const NEXT = "`next()`";
/** A unit: the same call of a generator without a lease. */
const WITHOUT = "times the call without";
/** A unit: the same sort by `<`. */
const OWN = "times the engine's own comparison";

const isText = ({ result }) => result.startsWith("text");
const noText = (format) => !isText(format);

const isLeased = ({ fixed }) => fixed !== undefined;
const isSno = ({ name }) => name === "sno";
const isSI = ({ name }) => name === "snowflakeSI";

/** Targets on cases: the `operation` of the `chosen` formats takes at `most` so many units. Without it, only a figure. */
const onCases = [
  {
    group: "`next()`, numbers and BigInts",
    chosen: noText,
    operation: () => "next",
    most: 1.2,
    unit: "F",
  },
  { group: "`next()`, text", chosen: isText, operation: () => "next", most: 1.2, unit: "F" },
  {
    group: "`next()`, text, written to a Buffer",
    chosen: isText,
    operation: () => `next, ${TO_BUFFER}`,
    most: 1.2,
    unit: "F",
  },
  {
    group: "`next()`, text, as a Map key",
    chosen: isText,
    operation: () => `next, ${MAP_KEY}`,
    most: 1.2,
    unit: "F",
  },
  {
    group: "`nextText()`, decimal",
    chosen: ({ decimal }) => decimal,
    operation: () => "nextText",
    most: 1,
    unit: "String(next())",
    tied: true,
  },
  {
    group: "`nextMany(1000)` per ID, BigInts (200 where a tick holds fewer)",
    chosen: ({ result }) => result === "bigint",
    operation: someOf("nextMany"),
    most: 0.6,
    unit: "D",
  },
  {
    group: "`nextMany(200)` per ID, Snowflake-SI",
    chosen: isSI,
    operation: someOf("nextMany"),
    most: 0.15,
    unit: "D",
  },
  {
    group: "`nextTyped(1000)` per ID (200 where a tick holds fewer)",
    chosen: noText,
    operation: someOf("nextTyped"),
    most: 0.15,
    unit: "D",
  },
  {
    group: "`nextMany(1000)` per ID, sno",
    chosen: isSno,
    operation: someOf("nextMany"),
    most: 0.4,
    unit: "D",
  },
  ...METABYTES.map((call) => ({
    group: `sno with a metabyte: \`${call}\``,
    chosen: isSno,
    operation: () => call,
    most: 1.1,
    unit: NEXT,
  })),
  {
    group: "`next()` under a lease",
    chosen: isLeased,
    operation: () => leased("next"),
    most: 1.1,
    unit: WITHOUT,
  },
  {
    group: "`nextMany(1000)` under a lease (200 where a tick holds fewer)",
    chosen: (format) => isLeased(format) && !format.unsure,
    operation: (format) => leased(someOf("nextMany")(format)),
    most: 1.1,
    unit: WITHOUT,
  },
  {
    group: "`parse`, 13 to 16 characters",
    chosen: isText,
    operation: () => "parse",
    most: 1.2,
    unit: "D",
  },
  { group: "`parse`, Snowflake-SI", chosen: isSI, operation: () => "parse", most: 1.2, unit: "D" },
  {
    group: "`parse`, 64-bit numbers: decimal, and base 36 of 13 digits",
    chosen: (format) => !isText(format) && !isSI(format),
    operation: () => "parse",
    unit: "D",
  },
  ...[0, 1].map((which) => ({
    group: "sort by `compare`",
    chosen: (format) => sorts(format).length > which,
    operation: (format) => sorts(format)[which],
    most: 1.2,
    unit: OWN,
  })),
  { group: "`inspect`", chosen: () => true, operation: () => "inspect", most: 3, unit: "D" },
];

const SATURATED = {
  next: { group: "saturated `next()`, of the capacity", least: 0.99 },
  nextMany: { group: "saturated `nextMany()`, of the capacity, sno", least: 0.98 },
};

/** Targets on a queue of `nextAsync`. The format's own time: the ticks that so many IDs need. */
const QUEUED = [
  {
    group: "`nextAsync` under load: until all have their IDs",
    figure: ({ own, runs }) => spread(runs.map(({ all }) => all / own)),
    most: 3,
    unit: "times the format's own time",
  },
  {
    group: "`nextAsync` under load: longest block of the event loop",
    figure: ({ runs }) => spread(runs.map(({ longest }) => longest)),
    most: 20,
    unit: "ms",
  },
];

/** Target on the first ID of an entry. Some need a random byte, and so Node's cryptography, like nanoid. */
const start = (random) => ({
  group: `start: one entry imported, its first ID made${random ? " with a random byte" : ""}`,
  most: random ? 1.5 : 1.2,
  unit: "times nanoid's",
});

/** Operations that other packages have too: the word for the output, and how much of a package's time each may take. */
const BESIDE = {
  next: { doing: "generating", most: 1 },
  parse: { doing: "parsing", most: 1 },
  inspect: { doing: "inspecting", most: 1 },
  timestamp: { doing: "reading the time alone", most: 1.2 },
};

/**
 * A line. `tied`: two things should be equally fast, so the lower quartile counts, and a difference within the
 * measurement still reaches the bound.
 */
function line({ group, name, figure, most, least, unit, tied }) {
  const counts = tied ? figure.q1 : figure.median;
  const one = { group, name, figure, most, least, unit };
  if (!isTarget(one)) return one;
  return { ...one, reached: most === undefined ? counts >= least : counts <= most };
}

/** The measured case that a unit stands for. */
function floorOf(find, one, unit) {
  if (unit === "D") return find("floor", D);
  if (unit === "F") return find("floor", one.floor);
  if (unit === NEXT) return find(one.subject, "next");
  if (unit === WITHOUT || unit === OWN) return find(one.subject, one.without);
  return find(one.subject, unit);
}

/** All lines that have figures. */
export function targetsOf({ find, saturated, queued, started }) {
  const lines = [];
  for (const { chosen, operation, ...target } of onCases) {
    for (const format of formats.filter(chosen)) {
      const one = find(format.name, operation(format));
      if (one === undefined) continue;
      const figure = ratio(one.rounds, floorOf(find, one, target.unit).rounds);
      lines.push(line({ ...target, name: format.name, figure }));
    }
  }
  for (const [operation, target] of Object.entries(SATURATED)) {
    for (const { subject, capacity, rates } of saturated.filter(
      (one) => one.promised && one.operation === operation,
    )) {
      const figure = spread(rates.map((rate) => rate / capacity));
      lines.push(line({ ...target, name: subject, figure, unit: "of the capacity" }));
    }
  }
  for (const [operation, { doing, most }] of Object.entries(BESIDE)) {
    for (const { name, beside } of peers) {
      if (beside === undefined) continue;
      const [subject, next] = beside;
      const ours = find(subject, operation === "next" ? next : operation);
      const theirs = find(name, operation);
      if (ours === undefined || theirs === undefined) continue;
      const figure = ratio(ours.rounds, theirs.rounds);
      const label = `${subject} beside ${name}`;
      lines.push(
        line({
          group: `${doing}, beside every package with a time`,
          name: label,
          figure,
          most,
          unit: "the package's",
        }),
      );
    }
  }
  for (const one of queued) {
    for (const { figure, ...target } of QUEUED)
      lines.push(line({ ...target, name: one.subject, figure: figure(one) }));
  }
  const entries = started.filter(({ toNanoid }) => toNanoid !== undefined);
  // Entries without a random byte first: each kind is a group.
  for (const random of [false, true]) {
    for (const { entry, toNanoid } of entries.filter((one) => Boolean(one.random) === random))
      lines.push(line({ ...start(random), name: entry, figure: toNanoid }));
  }
  return lines;
}
