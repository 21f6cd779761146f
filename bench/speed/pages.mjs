// The files that `npm run bench -- --chart` writes: the figures, their chart, the tables of
// www/docs/speed.md for users, and the table of targets in bench/README.md.

import { writeFileSync } from "node:fs";
import { markdownTable, writeSection } from "../../tests/support/section.mjs";
import { fromRoot } from "../../xtask/lib/process.mjs";
import { chart, SHOWN } from "./chart.mjs";
import { alone } from "./formats.mjs";
import { boundOf, figureOf, isTarget, verdict, worst } from "./words.mjs";

/** The worst line of a group of targets on one Node version. */
function cell(targets, group) {
  const lines = targets.filter((line) => line.group === group);
  const at = worst(lines);
  const reached = lines.filter((line) => line.reached || !isTarget(line)).length;
  const said =
    reached === lines.length
      ? verdict(at)
      : `**not reached** by ${lines.length - reached} of ${lines.length}`;
  return `${said}: ${figureOf(at)}${lines.length > 1 ? ` (${at.name})` : ""}`;
}

/** The table of targets, with a line for each group. */
export function targetTable({ runs }) {
  const groups = [...new Set(runs[0].targets.map((line) => line.group))];
  const rows = groups.map((group) => {
    const bound = boundOf(runs[0].targets.find((line) => line.group === group));
    return [group, bound, ...runs.map(({ targets }) => cell(targets, group))];
  });
  return markdownTable(["", "target", ...runs.map(({ node }) => `Node ${node}`)], rows);
}

const find = (run, subject, operation) =>
  run.cases.find((one) => one.subject === subject && one.operation === operation);

const nanoseconds = (one) =>
  one === undefined ? "" : `${Number(one.ns.median.toPrecision(2)).toLocaleString("en")} ns`;

/** A count with three digits. M stands for a million. */
function inWords(count) {
  const plain = Number(count.toPrecision(3));
  return plain >= 1e6 ? `${plain / 1e6} M` : plain.toLocaleString("en");
}

/**
 * IDs per second. For graupel's formats, they are measured at full speed. For other packages, they
 * are computed from the time of one call.
 */
function perSecond(run, subject) {
  const measured = run.saturated.find((one) => one.subject === subject && one.operation === "next");
  if (measured !== undefined) return inWords(measured.perSecond.median);
  return `≤ ${inWords(1e9 / find(run, subject, "next").ns.median)}`;
}

/** The table for users: the time of an ID on the latest Node version, and the IDs per second. */
function timeTable({ runs }) {
  const last = runs.at(-1);
  const rows = SHOWN.map((name) => [
    last.formats.includes(name) ? `**graupel ${name}**` : name,
    nanoseconds(find(last, name, "next")),
    perSecond(last, name),
  ]);
  const head = [`Node ${last.node}`, "one ID", "IDs/s"];
  return markdownTable(head, rows, 1);
}

/**
 * The operations of the second table. Formats with small ticks use `nextMany` with a smaller
 * argument.
 */
const OPERATIONS = {
  "`next()`": ["next"],
  "`nextText()`": ["nextText"],
  "`nextMany(1000)`, for each ID": ["nextMany(1000)", "nextMany(200)"],
  "`nextTyped(1000)`, for each ID": ["nextTyped(1000)", "nextTyped(200)"],
  "`parse(text)`": ["parse"],
  "`inspect(id)`": ["inspect"],
  "`timestamp(id)`": ["timestamp"],
  ...Object.fromEntries(
    ["parse", "inspect", "timestamp"].map((operation) => [
      `\`${operation}\` of \`graupel/read\``,
      [alone(operation)],
    ]),
  ),
};
const KINDS = ["twitter", "snowflakeSI", "sno", "ulidFlake"];

/** The table of graupel's operations, without those that the run did not measure. */
function operationTable({ runs }) {
  const last = runs.at(-1);
  const rows = Object.entries(OPERATIONS).map(([words, names]) => [
    words,
    ...KINDS.map((subject) =>
      nanoseconds(names.map((name) => find(last, subject, name)).find((one) => one !== undefined)),
    ),
  ]);
  const measured = rows.filter(([, ...cells]) => cells.some(Boolean));
  const head = [`Node ${last.node}`, ...KINDS];
  return markdownTable(
    head,
    measured.map((row) => row.map((cell) => cell || "-")),
    1,
  );
}

/** Describes the machine and the date of a run. */
function runInWords({ runs }) {
  const { node, date, processor, plan } = runs.at(-1);
  return `One run: ${processor}, Linux, Node ${node}, on ${date}; medians of ${plan.rounds} rounds.`;
}

/** Writes the figures, the chart, and the sections of both pages. */
export function writePages(figures) {
  const pages = fromRoot("www", "docs");
  writeFileSync(`${pages}/bench.json`, `${JSON.stringify(figures)}\n`);
  writeFileSync(`${pages}/bench.svg`, chart(figures));
  for (const [name, text] of Object.entries(sections(figures))) writeSection("www/docs/speed.md", name, text);
  writeSection("bench/README.md", "targets", targetTable(figures));
}

/** The sections of www/docs/speed.md, by their markers. */
export const sections = (figures) => ({
  run: runInWords(figures),
  times: timeTable(figures),
  operations: operationTable(figures),
});
