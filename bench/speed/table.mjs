// The figures as tables on a terminal.

import { boundOf, figureOf, verdict } from "./words.mjs";

const fixed = (n, digits) => n.toFixed(digits);
const quartiles = ({ q1, q3 }, digits) => `${fixed(q1, digits)} - ${fixed(q3, digits)}`;
const number = (n) => Math.round(n).toLocaleString("en");

/** Title and width of each column. A negative width aligns left. */
const CASES = [
  ["", -30],
  ["ns", 10],
  ["quartiles", 20],
  ["D", 9],
  ["F", 7],
];
const SATURATED = [
  ["at full speed", -30],
  ["IDs per second", 16],
  ["of capacity", 16],
  ["calm windows", 13],
  ["disturbed", 10],
];
const QUEUED = [
  ["nextAsync under load", -30],
  ["calling, ms", 14],
  ["all settled, ms", 22],
  ["format's own, ms", 17],
  ["longest block, ms", 18],
  ["quartiles", 16],
];
const START = [
  ["start, minus an empty script", -30],
  ["elapsed ms", 16],
  ["quartiles", 16],
  ["processor ms", 20],
  ["of nanoid", 12],
];

const row = (columns, cells) =>
  columns
    .map(([, width], i) => (width < 0 ? `  ${cells[i]}`.padEnd(-width) : cells[i].padStart(width)))
    .join(" ")
    .trimEnd();
const header = (columns) =>
  row(
    columns,
    columns.map(([title]) => title),
  );

function caseRow({ operation, restless, ns, toD, toF }) {
  const digits = ns.median < 1000 ? 1 : 0;
  return row(CASES, [
    `${operation}${restless ? " *" : ""}`,
    fixed(ns.median, digits),
    quartiles(ns, digits),
    fixed(toD.median, 2),
    toF ? fixed(toF.median, 2) : "",
  ]);
}

function saturatedRow({ subject, operation, capacity, perSecond, windows: { calm, disturbed } }) {
  const part = capacity ? `${fixed((perSecond.median / capacity) * 100, 2)} %` : "";
  return row(SATURATED, [
    `${subject} ${operation}`,
    number(perSecond.median),
    part,
    `${calm}`,
    `${disturbed}`,
  ]);
}

function queuedRow({ subject, calls, own, loop, all, longest }) {
  return row(QUEUED, [
    `${subject}, ${number(calls)} at once`,
    fixed(loop.median, 1),
    fixed(all.median, 1),
    fixed(own, 1),
    fixed(longest.median, 1),
    quartiles(longest, 1),
  ]);
}

function startRow({ entry, wall, cpu, toNanoid }) {
  return row(START, [
    entry,
    fixed(wall.median, 1),
    quartiles(wall, 1),
    fixed(cpu.median, 1),
    toNanoid ? fixed(toNanoid.median, 2) : "",
  ]);
}

/** Prints one run: everything measured, then every target. */
export function printRun(print, figures) {
  const { node, processor, plan, cases, saturated, queued, start, targets } = figures;
  print(`\nNode ${node}, ${processor}, ${plan.rounds} rounds; ns per ID, or per call that makes no ID\n`);
  print(header(CASES));
  for (const subject of new Set(cases.map((one) => one.subject))) {
    print(`\n${subject}`);
    for (const one of cases.filter((other) => other.subject === subject)) print(caseRow(one));
  }
  print("\n* with a clock that advances a tick at each reading: a tick may not hold so many IDs");
  print(`\n${header(SATURATED)}`);
  for (const one of saturated) print(saturatedRow(one));
  // Figures of earlier versions (--from) have none.
  if (queued?.length > 0) print(`\n${header(QUEUED)}`);
  for (const one of queued ?? []) print(queuedRow(one));
  print(`\n${header(START)}`);
  for (const one of start) print(startRow(one));
  print(`\ntargets on Node ${node}`);
  for (const group of new Set(targets.map((line) => line.group))) {
    print(`\n  ${group}`);
    for (const line of targets.filter((other) => other.group === group)) {
      print(`    ${verdict(line).padEnd(12)} ${line.name}: ${figureOf(line)}, ${boundOf(line)}`);
    }
  }
}
