// Sections of the README that a program writes. Two comments with the section's name mark its ends.

import { readFileSync, writeFileSync } from "node:fs";
import { fromRoot } from "./process.mjs";

const file = fromRoot("README.md");

/** Replaces the text between the markers. */
export function writeSection(name, text) {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const readme = readFileSync(file, "utf8");
  const begin = readme.indexOf(open);
  const end = readme.indexOf(close);
  if (begin === -1 || end < begin) throw new Error(`README.md lacks the markers ${open} and ${close}`);
  writeFileSync(file, `${readme.slice(0, begin + open.length)}\n${text}\n${readme.slice(end)}`);
}
