// The entries of the package. typedoc.json lists their sources, because each entry has a page in
// the reference.

import { readFileSync } from "node:fs";
import { fromRoot } from "./process.mjs";

const { entryPoints } = JSON.parse(readFileSync(fromRoot("typedoc.json"), "utf8"));

/** Folders that are not part of an entry's name. */
const FOLDERS = /^js\/|\b(?:adapters|formats|schemas|stores|texts)\//g;

/** The path of each source from the root, by the entry's name, such as "index" or "lease/redis". */
export const entries = new Map(
  entryPoints.map((source) => [source.replace(FOLDERS, "").replace(/(?:\/index)?\.ts$/, ""), source]),
);

/**
 * The names of the entries with a core, which have two versions. The other entries use the formats
 * and generators that the caller passes.
 */
export const withCore = [...entries.keys()].filter((name) =>
  /^js\/(formats|index)\b/.test(entries.get(name)),
);
