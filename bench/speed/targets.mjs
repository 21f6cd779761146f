// What graupel aims for, as lines: a figure, its bound, and whether it is reached. A figure is no test: a target that
// is missed is said to be missed, and nothing else happens.

import { D } from "./floors.mjs";
import { formats, someOf } from "./formats.mjs";
import { peers } from "./peers.mjs";
import { ratio, spread } from "./statistics.mjs";
import { MAP_KEY, TO_BUFFER } from "./uses.mjs";

const isText = ({ result }) => result.startsWith("text");
const noText = (format) => !isText(format);

/** Their canonical texts have 13 to 16 characters: as made today, or late in their lives (Nanoflake). */
const SHORT = ["sno", "nanoflake", "snowflakeSI", "ulidFlake", "ulidFlakeScalable"];

/** Targets on cases: `chosen` formats, the `operation` of each, held against `of` it. */
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
    group: "`nextMany(1000)` per ID, numbers and BigInts (Snowflake-SI: 200)",
    chosen: noText,
    operation: someOf,
    most: 0.15,
    unit: "D",
  },
  {
    group: "`nextMany(1000)` per ID, sno",
    chosen: ({ name }) => name === "sno",
    operation: someOf,
    most: 0.4,
    unit: "D",
  },
  {
    group: "`parse`, 13 to 16 characters",
    chosen: ({ name }) => SHORT.includes(name),
    operation: () => "parse",
    most: 1.2,
    unit: "D",
  },
  { group: "`inspect`", chosen: () => true, operation: () => "inspect", most: 3, unit: "D" },
];

const SATURATED = {
  next: { group: "saturated `next()`, of the capacity", least: 0.99 },
  nextMany: { group: "saturated `nextMany()`, of the capacity, sno", least: 0.98 },
};

const START = { group: "start: one entry imported, its first ID made", most: 5, unit: "ms" };

/** What the other packages do too, and its name among graupel's operations. */
const BESIDE = { next: "generating", parse: "parsing", inspect: "inspecting" };

/**
 * A line: `tied` means that what cannot be told from the bound has reached it, as where two things are meant to be
 * equally fast: then the lower quartile counts.
 */
function line({ group, name, figure, most, least, unit, tied, ...more }) {
  const counts = tied ? figure.q1 : figure.median;
  const reached = most === undefined ? counts >= least : counts <= most;
  return { group, name, figure, most, least, unit, reached, ...more };
}

/** What each unit stands for, among the measured cases. */
function floorOf(find, one, unit) {
  if (unit === "D") return find("floor", D);
  if (unit === "F") return find("floor", one.floor);
  return find(one.subject, unit);
}

/** All lines for which there are figures. */
export function targetsOf({ find, saturated, start }) {
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
  for (const [operation, doing] of Object.entries(BESIDE)) {
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
          most: 1,
          unit: "the package's",
        }),
      );
    }
  }
  // The processor's time is the process's own; by the clock, another process's work is in it.
  for (const { entry, cpu } of start.filter(({ floor }) => !floor))
    lines.push(line({ ...START, name: entry, figure: cpu }));
  return lines;
}
