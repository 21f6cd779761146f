// The results of a run, as text.

import { markdownTable } from "../../support/section.mjs";

/** What a row says besides, such as which entries it lacks. */
const remarkOf = ({ remark }) => (remark === undefined ? "" : ` (${remark})`);

/** What came out of a row that has not failed, in words. */
export const wordsOf = (row) => `${row.core}, ${row.passed} passed${remarkOf(row)}`;

const CORES = ["WebAssembly", "JavaScript"];
const HEADINGS = ["host", "with WebAssembly", "with the JavaScript core", "checks passed"];

/** A row with both cores counts for each. */
const runsWith = (core, expected) => expected === core || expected === "both";

/** The way without the entry, which follows from the core. */
const wayOf = (how) => how.replace(/, graupel(\/pure)?\b/, "");

/** The rows of one host as one line: how it was loaded, by core, and what did not pass. */
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
  // "Node 20" and "20.20.2" are "Node 20.20.2"; "TypeScript 5.0" and "5.0.4" are "TypeScript 5.0.4".
  const name = `${host} ${version}`.replace(/ (\d+(?:\.\d+)?) (?=\1\b)/, " ");
  return [name, ...ways, counts.join("; ")];
}

/** The table of www/docs/platforms.md: a line for each host. */
export function summaryOf(results) {
  const hosts = [...new Set(results.map(({ host }) => host))];
  const lines = hosts.map((name) => lineOf(results.filter(({ host }) => host === name)));
  return markdownTable(HEADINGS, lines);
}
