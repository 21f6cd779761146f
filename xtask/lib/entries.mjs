// The entries of the package: typedoc.json lists their sources, as each has a page in the reference.

import { readFileSync } from "node:fs";
import { fromRoot } from "./process.mjs";

const { entryPoints } = JSON.parse(readFileSync(fromRoot("typedoc.json"), "utf8"));

/** These folders are no part of a name. */
const FOLDERS = /^js\/|\b(?:adapters|formats|schemas|stores|texts)\//g;

/** By name, such as "index" or "lease/redis", the path of the source from the root. */
export const entries = new Map(
  entryPoints.map((source) => [source.replace(FOLDERS, "").replace(/(?:\/index)?\.ts$/, ""), source]),
);

/** The names of those with a core: there are two of each. The others ask the formats and generators that they are given. */
export const withCore = [...entries.keys()].filter((name) =>
  /^js\/(formats|index)\b/.test(entries.get(name)),
);
