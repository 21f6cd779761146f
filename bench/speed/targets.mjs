// The targets, as lines: a figure, its bound, and whether the figure meets it. A missed target is
// reported but is not an error, because figures depend on the machine. targets.json has the targets
// for cases.

import { readFileSync } from "node:fs";
import { packages as peers } from "../packages.mjs";
import { D } from "./floors.mjs";
import { formats } from "./formats.mjs";
import { isTarget, ratio, spread } from "./words.mjs";

/**
 * The `operation` of some formats may take at `most` this many units. Without `most`, the line only
 * shows a figure.
 */
const onCases = JSON.parse(readFileSync(new URL("targets.json", import.meta.url), "utf8"));

const isText = ({ result }) => result.startsWith("text");
/** The formats of a target, by keyword. Any other word is the name of a format. */
const CHOSEN = {
  all: () => true,
  texts: isText,
  numbers: (format) => !isText(format),
  bigints: ({ result }) => result === "bigint",
  decimal: ({ decimal }) => decimal,
  leased: ({ fixed }) => fixed !== undefined,
};

const SATURATED = {
  next: { group: "saturated `next()`, of the capacity", least: 0.99 },
  nextMany: { group: "saturated `nextMany()`, of the capacity, sno", least: 0.98 },
};

/**
 * The target for the first ID of an entry. Some entries need a random byte, and therefore, like
 * nanoid, Node's cryptography.
 */
const start = (random) => ({
  group: `start: one entry imported, its first ID made${random ? " with a random byte" : ""}`,
  most: random ? 1.5 : 1.2,
  unit: "times nanoid's",
});

/**
 * The operations that other packages have, too: a description, and the share of a package's time
 * that graupel may take.
 */
const BESIDE = {
  next: { doing: "generating", most: 1 },
  parse: { doing: "parsing", most: 1 },
  inspect: { doing: "inspecting", most: 1 },
  timestamp: { doing: "reading the time alone", most: 1.2 },
  "timestamp of text": { doing: "reading the time of a text", most: 1 },
};

/**
 * A line. `tied`: two operations should be equally fast. Then the lower quartile counts, so that a
 * difference within the error of the measurement still meets the bound.
 */
function line({ group, name, figure, most, least, unit, tied }) {
  const counts = tied ? figure.q1 : figure.median;
  const one = { group, name, figure, most, least, unit };
  if (!isTarget(one)) return one;
  return { ...one, reached: most === undefined ? counts >= least : counts <= most };
}

/**
 * The case that a unit stands for: a floor in the turns of the same format, or another operation.
 */
function floorOf(find, one, unit) {
  if (unit === "D" || unit === "F") return find("floor", unit === "D" ? D : one.floor, one.subject);
  return find(one.subject, unit === "`next()`" ? "next" : (one.without ?? unit));
}

const byOperation = (a, b) => a.operation.length - b.operation.length;

/**
 * All lines that have figures. `find`: returns a case by its subject and operation; for a floor,
 * also by the subject of its turns.
 */
export function targetsOf({ find, saturated, started }) {
  const lines = onCases.flatMap(({ of, operation, ...target }) =>
    formats.filter(CHOSEN[of] ?? (({ name }) => name === of)).flatMap(({ name, many }) => {
      const one = find(name, operation.replace("some", many));
      if (one === undefined) return [];
      return line({ ...target, name, figure: ratio(one.rounds, floorOf(find, one, target.unit).rounds) });
    }),
  );
  const promised = saturated.filter((one) => one.promised);
  for (const { subject, operation, capacity, rates } of promised.toSorted(byOperation)) {
    const figure = spread(rates.map((rate) => rate / capacity));
    lines.push(line({ ...SATURATED[operation], name: subject, figure, unit: "of the capacity" }));
  }
  for (const [operation, { doing, most }] of Object.entries(BESIDE)) {
    const group = `${doing}, beside every package with a time`;
    for (const { name, beside } of peers.filter((peer) => peer.beside !== undefined)) {
      const [subject, next] = beside;
      const [ours, theirs] = [find(subject, operation === "next" ? next : operation), find(name, operation)];
      if (ours === undefined || theirs === undefined) continue;
      const figure = ratio(ours.rounds, theirs.rounds);
      lines.push(line({ group, name: `${subject} beside ${name}`, figure, most, unit: "the package's" }));
    }
  }
  const entries = started.filter(({ toNanoid }) => toNanoid !== undefined);
  // List entries without a random byte first. Each kind is a group.
  for (const random of [false, true]) {
    for (const { entry, toNanoid } of entries.filter((one) => Boolean(one.random) === random))
      lines.push(line({ ...start(random), name: entry, figure: toNanoid }));
  }
  return lines;
}
