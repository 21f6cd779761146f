// The table of a run, as text.

const HEAD = ["host", "version", "loaded", "core", "passed", "failed"];

/** What came out of a row, in words. */
export function wordsOf({ skipped, core, passed, failed }) {
  if (skipped !== undefined) return `skipped: ${skipped}`;
  if (failed.length > 0) return `FAILED, ${failed.length} of ${passed + failed.length}`;
  return `${core}, ${passed} passed`;
}

function cellsOf({ host, version, how, expected, core, passed, failed, skipped }) {
  if (skipped !== undefined) return [host, version, how, expected, `skipped: ${skipped}`, ""];
  const found = core === expected || core === "" ? expected : `${core} (expected ${expected})`;
  return [host, version, how, found, String(passed), String(failed.length)];
}

/** A table in Markdown, with columns of equal width. */
export function tableOf(results) {
  const lines = [HEAD, ...results.map(cellsOf)];
  const widths = HEAD.map((_, i) => Math.max(3, ...lines.map((cells) => (i < 4 ? cells[i].length : 6))));
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  const [head, ...rest] = lines.map(line);
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rest].join("\n");
}
