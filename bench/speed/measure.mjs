// Measures on one Node version, in one process: `node measure.mjs figures.json '{"quick":true}'` writes the figures to the
// file. Progress goes to standard error.

import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { D, floorCases } from "./floors.mjs";
import { formatCases, formats } from "./formats.mjs";
import { leasedCases } from "./leased.mjs";
import { peerCases, peers } from "./peers.mjs";
import { publicTextCases } from "./public-texts.mjs";
import { queue } from "./queued.mjs";
import { measure } from "./rounds.mjs";
import { saturate } from "./saturated.mjs";
import { sortCases } from "./sorted.mjs";
import { measureStart } from "./start.mjs";
import { ratio, spread } from "./statistics.mjs";
import { targetsOf } from "./targets.mjs";

/** How much to measure: enough for steady medians, or just enough to show that everything works. */
const WHOLE = {
  ...{ rounds: 100, warmUpCalls: 20_000, warmUpMs: 100 },
  ...{ windows: 41, tries: 3, queues: 9, calls: 80_000, starts: 31 },
};
const QUICK = {
  ...{ rounds: 3, warmUpCalls: 500, warmUpMs: 2 },
  ...{ windows: 1, tries: 1, queues: 1, calls: 2560, starts: 1 },
};

const [file, wishes = "{}"] = process.argv.slice(2);
const { quick = false, only = "" } = JSON.parse(wishes);
const plan = quick ? QUICK : WHOLE;
const say = (line) => process.stderr.write(`  ${line}\n`);
const chosen = ({ name }) => name.includes(only);

const ours = formats.filter(chosen);
// First what runs in other processes: this one is idle meanwhile.
const names = ours.map(({ name }) => name);
const started = names.length === 0 ? { results: [], faults: [] } : measureStart(plan.starts, say);
const saturated = saturate(names, plan);
const queued = queue(names, plan);

const cases = [
  ...[...floorCases, ...formatCases(ours), ...(await leasedCases(ours))],
  ...[...publicTextCases(ours), ...sortCases(ours)],
];
const faults = [...started.faults, ...saturated.faults, ...queued.faults];
for (const peer of peers.filter(chosen)) {
  try {
    cases.push(...(await peerCases(peer)));
  } catch (error) {
    faults.push(`${peer.name} could not be run: ${error.message}`);
  }
}
faults.push(...(await measure(cases, plan, say)));

const measured = cases.filter(({ broken }) => !broken);
const find = (subject, operation) =>
  measured.find((one) => one.subject === subject && one.operation === operation);
const clock = find("floor", D);

const figures = measured.map((one) => {
  const { subject, operation, rounds, floor, each, restless } = one;
  return {
    subject,
    operation,
    ...(each && { each }),
    ...(restless && { restless }),
    ns: spread(rounds),
    toD: ratio(rounds, clock.rounds),
    ...(floor && { floor, toF: ratio(rounds, find("floor", floor).rounds) }),
  };
});
const result = {
  node: process.versions.node,
  date: new Date().toISOString().slice(0, 10),
  processor: cpus()[0]?.model ?? process.arch,
  plan,
  formats: names,
  cases: figures,
  saturated: saturated.results.map(({ subject, operation, capacity, rates, counts }) => {
    return { subject, operation, capacity, perSecond: spread(rates), windows: counts };
  }),
  queued: queued.results.map(({ subject, calls, own, runs }) => {
    const by = (key) => spread(runs.map((run) => run[key]));
    return { subject, calls, own, loop: by("loop"), all: by("all"), longest: by("longest") };
  }),
  start: started.results,
  targets: targetsOf({
    find,
    saturated: saturated.results,
    queued: queued.results,
    started: started.results,
  }),
  faults,
};
/** Significant digits: more than a clock can give. */
const DIGITS = 4;
const rounded = (_key, value) => {
  if (value?.median === undefined) return value;
  return Object.fromEntries(Object.entries(value).map(([key, n]) => [key, Number(n.toPrecision(DIGITS))]));
};
writeFileSync(file, JSON.stringify(result, rounded));
