// Measures on one Node version: `node measure.mjs figures.json '{"quick":true}'` writes the figures
// to the file, and its progress to standard error. Each turn of a format or a package runs in its
// own process, one process at a time. With `quick`, everything runs in this process, because the
// figures then mean nothing.

import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { packages as peers } from "../packages.mjs";
import { apart } from "./child.mjs";
import { D } from "./floors.mjs";
import { formats } from "./formats.mjs";
import { measureStart } from "./start.mjs";
import { targetsOf } from "./targets.mjs";
import { measure } from "./turn.mjs";
import { ratio, spread } from "./words.mjs";

/** The amount of work: enough for stable medians, or just enough to show that everything works. */
const WHOLE = { rounds: 11, windows: 41, starts: 31 };
const QUICK = { rounds: 1, windows: 1, starts: 1 };

const [file, wishes = "{}"] = process.argv.slice(2);
const { quick = false, only = "" } = JSON.parse(wishes);
const plan = quick ? QUICK : WHOLE;
const say = (line) => process.stderr.write(`  ${line}\n`);
const on = (module, ...args) => apart(process.execPath, module, ...args);

const shuffled = (list) =>
  list
    .map((one) => ({ one, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);

/**
 * The turns: the cases by name, with the time of each turn; the floors of the same turns, by
 * subject and name; and the faults.
 */
async function turns(subjects) {
  const [cases, floors, faults] = [new Map(), new Map(), new Set()];
  const add = (all, key, { ns, ...one }) => {
    const known = all.get(key) ?? { ...one, rounds: [] };
    known.rounds.push(ns);
    all.set(key, known);
  };
  for (let round = 0; round < plan.rounds; round++) {
    // Shuffle the subjects for each turn, so that a slow minute does not always affect the same
    // cases.
    for (const subject of shuffled(subjects)) {
      say(`turn ${round + 1} of ${plan.rounds}: ${subject}`);
      const turn = await (quick ? measure : (one) => on("turn", one))({ subject, quick });
      for (const one of turn.cases) add(cases, `${subject} ${one.operation}`, { subject, ...one });
      for (const one of turn.floors) add(floors, `${subject} ${one.operation}`, { subject, ...one });
      for (const fault of turn.faults) faults.add(fault);
    }
  }
  return { cases, floors, faults: [...faults] };
}

const ours = formats.map(({ name }) => name).filter((name) => name.includes(only));
const theirs = peers.map(({ name }) => name).filter((name) => name.includes(only));
const started = await measureStart(plan.starts, say);
say("at full speed");
const saturated = await on("saturated", ours, plan.windows);
const subjects = ["floor", ...ours, ...theirs];
const timed = await turns(subjects);

/** Finds a case by its names. A floor belongs to the turns `of` a subject. */
const find = (subject, operation, of = "floor") =>
  subject === "floor" ? timed.floors.get(`${of} ${operation}`) : timed.cases.get(`${subject} ${operation}`);
const figures = [...timed.floors.values()]
  .filter(({ subject }) => subject === "floor")
  .concat([...timed.cases.values()])
  .map(({ subject, operation, rounds, floor, each, restless }) => ({
    ...{ subject, operation, each, restless, ns: spread(rounds) },
    toD: ratio(rounds, find("floor", D, subject).rounds),
    ...(floor && { floor, toF: ratio(rounds, find("floor", floor, subject).rounds) }),
  }))
  .sort((a, b) => subjects.indexOf(a.subject) - subjects.indexOf(b.subject));

const result = {
  node: process.versions.node,
  date: new Date().toISOString().slice(0, 10),
  processor: cpus()[0]?.model ?? process.arch,
  plan,
  formats: ours,
  cases: figures,
  saturated: saturated.results.map(({ subject, operation, capacity, rates }) => {
    return { subject, operation, capacity, perSecond: spread(rates) };
  }),
  start: started.results,
  targets: targetsOf({
    find,
    saturated: saturated.results,
    started: started.results,
  }),
  faults: [started, saturated, timed].flatMap(({ faults }) => faults),
};
/** The number of significant digits: more than a clock can measure. */
const DIGITS = 4;
const rounded = (_key, value) => {
  if (value?.median === undefined) return value;
  return Object.fromEntries(Object.entries(value).map(([key, n]) => [key, Number(n.toPrecision(DIGITS))]));
};
writeFileSync(file, JSON.stringify(result, rounded));
