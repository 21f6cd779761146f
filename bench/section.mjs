// Sections of the README that a program writes, between two comments that name it.

import { readFileSync, writeFileSync } from "node:fs";
import { fromRoot } from "../xtask/lib/process.mjs";

const file = fromRoot("README.md");

/** Writes everything between the markers anew. */
export function writeSection(name, text) {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const readme = readFileSync(file, "utf8");
  const begin = readme.indexOf(open);
  const end = readme.indexOf(close);
  if (begin === -1 || end < begin) throw new Error(`README.md lacks the markers ${open} and ${close}`);
  writeFileSync(file, `${readme.slice(0, begin + open.length)}\n${text}\n${readme.slice(end)}`);
}
