// The entries of the package. typedoc.json lists their sources, because each entry has a page in
// the reference.

import { readFileSync } from "node:fs";
import { fromRoot } from "./process.mjs";

const { entryPoints } = JSON.parse(readFileSync(fromRoot("typedoc.json"), "utf8"));

/** Folders that are not part of a name. */
const FOLDERS = /^js\/|\b(?:adapters|formats|schemas|stores|texts)\//g;

/** The path of each source from the root, by name, such as "index" or "lease/redis". */
export const entries = new Map(
  entryPoints.map((source) => [source.replace(FOLDERS, "").replace(/(?:\/index)?\.ts$/, ""), source]),
);

/**
 * The names of the entries with a core, of which there are two versions. The others use the formats
 * and generators that they get.
 */
export const withCore = [...entries.keys()].filter((name) =>
  /^js\/(formats|index)\b/.test(entries.get(name)),
);
