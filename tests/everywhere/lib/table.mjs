// Formats the results of a run as text.

import { markdownTable } from "../../support/section.mjs";

/** The remark of a row, such as the entries that are missing in its host. */
const remarkOf = ({ remark }) => (remark === undefined ? "" : ` (${remark})`);

/** The result of a row that has not failed, in words. */
export const wordsOf = (row) => `${row.core}, ${row.passed} passed${remarkOf(row)}`;

const CORES = ["WebAssembly", "JavaScript"];
const HEADINGS = ["host", "with WebAssembly", "with the JavaScript core", "checks passed"];

/** A row with both cores counts for each core. */
const runsWith = (core, expected) => expected === core || expected === "both";

/**
 * The way of loading without the entry, which follows from the core. A policy is code, because it
 * contains semicolons, as the list of ways does.
 */
const wayOf = (how) =>
  how.replace(/CSP (.*?)(?=, graupel|:|$)/, "CSP `$1`").replace(/, graupel(\/pure)?\b/, "");

/** Combines the rows of one host into a line: how it was loaded, by core, and what did not pass. */
function lineOf(rows) {
  const [{ host, version }] = rows;
  const ways = CORES.map((core) =>
    rows
      .filter(({ expected, skipped }) => runsWith(core, expected) && skipped === undefined)
      .map((row) => wayOf(row.how) + remarkOf(row) + (row.failed.length === 0 ? "" : " (**failed**)"))
      .join("; "),
  );
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed.length, 0);
  const skipped = rows.filter((row) => row.skipped !== undefined);
  const counts = [
    passed.toLocaleString("en"),
    ...(failed === 0 ? [] : [`**${failed} failed**`]),
    ...skipped.map(({ how, skipped }) => `${how} skipped: ${skipped}`),
  ];
  // Merges a repeated version: "Node 20" and "20.20.2" become "Node 20.20.2".
  const name = `${host} ${version}`.replace(/ (\d+(?:\.\d+)?) (?=\1\b)/, " ");
  return [name, ...ways, counts.join("; ")];
}

/** The table of www/docs/platforms.md, with a line for each host. */
export function summaryOf(results) {
  const hosts = [...new Set(results.map(({ host }) => host))];
  const lines = hosts.map((name) => lineOf(results.filter(({ host }) => host === name)));
  return markdownTable(HEADINGS, lines);
}
