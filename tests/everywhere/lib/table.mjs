// The table of a run, as text.

import { markdownTable } from "../../../xtask/lib/section.mjs";

const HEAD = ["host", "version", "loaded", "core", "passed", "failed"];

/** What a row says besides, such as which entries it lacks. */
const remarkOf = ({ remark }) => (remark === undefined ? "" : ` (${remark})`);

/** What came out of a row, in words. */
export function wordsOf(row) {
  const { skipped, core, passed, failed } = row;
  if (skipped !== undefined) return `skipped: ${skipped}`;
  if (failed.length > 0) return `FAILED, ${failed.length} of ${passed + failed.length}`;
  return `${core}, ${passed} passed${remarkOf(row)}`;
}

function cellsOf(row) {
  const { host, version, how, expected, core, passed, failed, skipped } = row;
  if (skipped !== undefined) return [host, version, how, expected, `skipped: ${skipped}`, ""];
  const found = core === expected || core === "" ? expected : `${core} (expected ${expected})`;
  return [host, version, how, found + remarkOf(row), String(passed), String(failed.length)];
}

/** A table in Markdown, with columns of equal width. */
export function tableOf(results) {
  const lines = [HEAD, ...results.map(cellsOf)];
  const widths = HEAD.map((_, i) => Math.max(3, ...lines.map((cells) => (i < 4 ? cells[i].length : 6))));
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  const [head, ...rest] = lines.map(line);
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rest].join("\n");
}

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
