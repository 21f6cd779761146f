// Generated sections of Markdown files. Two comments with the section's name mark its ends.

import { readFileSync, writeFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";

/** Replaces the text between the markers in a file of the repository. */
export function writeSection(path, name, text) {
  const file = fromRoot(...path.split("/"));
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const page = readFileSync(file, "utf8");
  const begin = page.indexOf(open);
  const end = page.indexOf(close);
  if (begin === -1 || end < begin) throw new Error(`${path} lacks the markers ${open} and ${close}`);
  writeFileSync(file, `${page.slice(0, begin + open.length)}\n${text}\n${page.slice(end)}`);
}

/**
 * A table in Markdown: the head and the rows are lists of cells. `words`: the number of columns
 * with words; the others contain numbers.
 */
export const markdownTable = (head, rows, words = head.length) =>
  [head, head.map((_, i) => (i < words ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
